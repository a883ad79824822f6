"""Thermodynamics, properties of substances and flows."""

from tests.packages.registry import load, package

chemicals, fluids, thermo = load('chemicals'), load('fluids'), load('thermo')
of_chemicals, of_fluids, of_thermo = package('chemicals', 'chemicals'), package('fluids', 'fluids'), package('thermo', 'thermo')
iapws = load('iapws')
iapws97, iapws95, humid = load('iapws.iapws97'), load('iapws.iapws95'), load('iapws.humidAir')
of_iapws = package('iapws', 'iapws')


@of_chemicals(330.0)
def antoine(T):
    return chemicals.Antoine(T, 8.95894, 510.595, -15.95)


@of_chemicals(130.0, 1.0)
def wagner(v):
    return chemicals.Wagner(v[0], 190.53, 4596420.0, -6.00435 * v[1], 1.1885, -0.834082, -1.22833)


@of_chemicals(305.0, 425.0, 37.96e5, 0.193)
def lee_kesler(v):
    return chemicals.Lee_Kesler(v[0], v[1], v[2], v[3])


@of_chemicals(305.0)
def ambrose_walton(T):
    return chemicals.Ambrose_Walton(T, 552.2, 37.96e5, 0.193)


@of_chemicals(500.0)
def zabransky(T):
    return chemicals.Zabransky_quasi_polynomial(T, 591.79, -3.12743, 0.0857315, 13.7282, 1.28971, 6.42297, 4.10989)


@of_chemicals(350.0)
def shomate(T):
    return chemicals.Shomate(T, 30.09200, 6.832514e-3, 6.793435e-6, -2.534480e-9, 0.082139e6)


@of_chemicals(350.0)
def trcp_gas(T):
    return chemicals.TRCCp(T, 4.0, 7.65e5, 720.0, 3.565, -0.052, -1.55e6, 52.0, 201.0)


@of_chemicals(300.0, 500.0)
def rackett(v):
    return chemicals.Rackett(v[0], v[1], 22048321.0, 0.27) * 1e5


@of_chemicals(300.0)
def costald(T):
    return chemicals.COSTALD(T, 369.83333, 0.00020008161, 0.1532) * 1e4


@of_chemicals(0.5, 0.3, 0.2)
def rachford_rice(v):
    V, xs, ys = chemicals.flash_inner_loop([v[0], v[1], v[2]], [4.2, 1.75, 0.74])
    return V * xs[0] + ys[1]


@of_chemicals(300.0)
def dippr_100(T):
    return chemicals.EQ100(T, 276370.0, -2090.1, 8.125, -0.014116, 0.0000093701)


@of_chemicals(300.0)
def dippr_105(T):
    return chemicals.EQ105(T, 0.70824, 0.26411, 507.6, 0.27537)


@of_chemicals(300.0)
def dippr_107(T):
    return chemicals.EQ107(T, 33363.0, 26790.0, 2610.5, 8896.0, 1169.0)


@of_chemicals(300.0)
def viscosity_gas(T):
    return chemicals.Yoon_Thodos(T, 556.35, 4.5596e6, 153.8) * 1e5


@of_chemicals(300.0)
def viscosity_liquid(T):
    return chemicals.Letsou_Stiel(T, 46.07, 516.25, 6.383e6, 0.6371) * 1e3


@of_chemicals(273.11)
def conductivity(T):
    return chemicals.Sheffy_Johnson(T, 47.0, 280.0)


@of_chemicals(300.0)
def surface_tension(T):
    return chemicals.Brock_Bird(T, 404.75, 633.0, 4530000.0)


@of_chemicals(647.35, 322.0)
def iapws_water_viscosity(v):
    return chemicals.mu_IAPWS(v[0], v[1]) * 1e5


@of_chemicals(647.35, 122.0)
def iapws_water_conductivity(v):
    return chemicals.k_IAPWS(v[0], v[1])


@of_chemicals(510.0, 200.0)
def iapws_virial(v):
    return chemicals.virial.BVirial_Pitzer_Curl(v[0], 425.2, 38e5, 0.193) * 1e5 + v[1]


@of_chemicals(510.0)
def virial_tsonopoulos(T):
    return chemicals.virial.BVirial_Tsonopoulos_extended(T, 425.2, 38e5, 0.193, species_type='normal', dipole=0) * 1e5


@of_chemicals(300.0)
def heat_of_vaporization(T):
    return chemicals.Pitzer(T, 645.6, 0.35017)


@of_chemicals(300.0)
def water_saturation(T):
    return chemicals.iapws.iapws95_Psat(T)


@of_chemicals(300.0, 1000.0)
def water_helmholtz_95(v):
    return chemicals.iapws.iapws95_A0(v[0] / 100, v[1] / 300) + chemicals.iapws.iapws95_Ar(647.096 / v[0], v[1] / 322.0)


@of_chemicals(300.0, 40.0)
def air_density_lemmon(v):
    return chemicals.air.lemmon2000_air_A0(132.6312 / v[0], v[1] / 10447.7) + chemicals.air.lemmon2000_air_Ar(132.6312 / v[0], v[1] / 10.4)


@of_chemicals(0.5, 0.5)
def molar_mass_mixture(v):
    return chemicals.mixing_simple([v[0], v[1]], [0.1, 4.3]) + chemicals.mixing_logarithmic([v[0], v[1]], [0.1, 4.3])


@of_fluids(1e5, 1e-4)
def friction_colebrook(v):
    return fluids.friction.Colebrook(v[0], v[1])


@of_fluids(1e5, 1e-4)
def friction_factor(v):
    return fluids.friction_factor(Re=v[0], eD=v[1])


@of_fluids(1e5, 1e-4)
def friction_haaland(v):
    return fluids.friction.Haaland(v[0], v[1]) + fluids.friction.Serghides_1(v[0], v[1]) + fluids.friction.Clamond(v[0], v[1])


@of_fluids(0.3, 2.0)
def reynolds(v):
    return fluids.Reynolds(V=v[0], D=v[1], rho=1000.0, mu=1e-3) * 1e-5


@of_fluids(200.0)
def drag_sphere(Re):
    return fluids.drag_sphere(Re)


@of_fluids(0.001, 2200.0)
def terminal_velocity(v):
    return fluids.v_terminal(D=v[0], rhop=v[1], rho=1000.0, mu=1e-3)


@of_fluids(9000.0)
def atmosphere_1976(Z):
    return fluids.ATMOSPHERE_1976(Z).rho


@of_fluids(0.6, 1e6)
def control_valve(v):
    return fluids.size_control_valve_l(rho=965.4, Psat=70.1e3, Pc=22120e3, mu=3.1472e-4, P1=680e3, P2=220e3, Q=0.1 * v[0])


@of_fluids(0.07366, 0.05)
def orifice_flow(v):
    return fluids.differential_pressure_meter_solver(D=v[0], D2=v[1], P1=200000.0, P2=183000.0, rho=999.1, mu=0.0011,
                                                     k=1.33, meter_type='ISO 5167 orifice', taps='D')


@of_fluids(0.07366, 0.05)
def orifice_discharge(v):
    return fluids.flow_meter.C_Reader_Harris_Gallagher(D=v[0], Do=v[1], rho=1.165, mu=1.85e-5, m=0.12, taps='flange')


@of_fluids(1e6, 9e5)
def isothermal_gas(v):
    return fluids.isothermal_gas(rho=11.3, fd=0.00185, P1=v[0], P2=v[1], L=1000.0, D=0.5)


@of_fluids(0.3, 5.0)
def two_phase_pressure_drop(v):
    return fluids.two_phase.Friedel(m=v[0], x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, sigma=0.0487, D=0.05, roughness=0.0, L=v[1])


@of_fluids(0.3, 5.0)
def lockhart_martinelli(v):
    return fluids.two_phase.Lockhart_Martinelli(m=v[0], x=0.1, rhol=915.0, rhog=2.67, mul=180e-6, mug=14e-6, D=0.05, L=v[1])


@of_fluids(0.005, 0.4)
def packed_bed(v):
    return fluids.packed_bed.Ergun(dp=v[0], voidage=v[1], vs=1e-3, rho=1e3, mu=1e-3, L=1.0)


@of_fluids(0.2, 1.5)
def bend_loss(v):
    return fluids.fittings.bend_rounded(Di=v[0], angle=30.0, fd=0.01, bend_diameters=v[1])


@of_fluids(0.02, 0.045)                      # at half the diameter one formula follows another
def expansion_loss(v):
    return fluids.fittings.diffuser_conical(Di1=v[0], Di2=v[1], l=0.05, Re=1e6)


@of_fluids(3.0, 2.0)
def tank_volume(v):
    return fluids.geometry.V_from_h(h=0.7, D=v[0], L=v[1], horizontal=True, sideA='conical', sideB='conical', sideA_a=0.2, sideB_a=0.2)


@of_fluids(2.0, 1.5)
def tank_class(v):
    return fluids.TANK(D=v[0], L=v[1], horizontal=False).V_from_h(0.3)


@of_fluids(1.2, 0.4)
def open_channel(v):
    return fluids.open_flow.Q_weir_rectangular_Kindsvater_Carter(v[0], v[1], 0.2) + fluids.open_flow.V_Manning(0.2, 0.3, 0.035 * v[0])


@of_fluids(2.0)
def prandtl_meyer(Ma):
    return fluids.friction.Prandtl_von_Karman_Nikuradse(Ma * 1e5) + fluids.stagnation_energy(Ma)


@of_thermo(300.0, 1e5)
def peng_robinson(v):
    eos = thermo.eos.PR(Tc=507.6, Pc=3025000.0, omega=0.2975, T=v[0], P=v[1])
    return eos.V_l * 1e4 + eos.phi_l


@of_thermo(400.0, 1e6)
def srk_departure(v):
    eos = thermo.eos.SRK(Tc=507.6, Pc=3025000.0, omega=0.2975, T=v[0], P=v[1])
    return eos.H_dep_l / 1e4


@of_thermo(0.3, 0.7)
def nrtl(v):
    return thermo.nrtl.NRTL_gammas([v[0], v[1]], [[0.0, -0.178], [1.963, 0.0]], [[0.0, 0.2974], [0.2974, 0.0]])[0]


@of_thermo(0.3, 0.7)
def wilson(v):
    return thermo.wilson.Wilson_gammas([v[0], v[1]], [[1.0, 0.154], [0.888, 1.0]])[1]


@of_thermo(0.3, 0.7)
def uniquac(v):
    return thermo.uniquac.UNIQUAC_gammas([v[0], v[1]], [2.1055, 0.92], [1.972, 1.4], [[1.0, 1.0919744384], [0.37452902, 1.0]])[0]


@of_thermo(0.3, 0.7)
def nrtl_class(v):
    m = thermo.NRTL(T=343.0, xs=[v[0], v[1]], tau_as=[[0.0, -0.178], [1.963, 0.0]], alpha_cs=[[0.0, 0.2974], [0.2974, 0.0]])
    return m.GE() / 1000 + m.gammas()[0]


@of_thermo(0.3, 0.7)
def regular_solution(v):
    m = thermo.RegularSolution(T=325.0, xs=[v[0], v[1]], Vs=[89e-6, 109e-6], SPs=[18818.442018403115, 16772.95919031582])
    return m.GE()


@of_iapws(320.0)
def saturation_pressure(T):
    return iapws97._PSat_T(T)


@of_iapws(2.0)
def saturation_temperature(P):
    return iapws97._TSat_P(P)


@of_iapws(320.0, 3.0)
def region_1(v):
    r = iapws97._Region1(v[0], v[1])
    return r['v'] * 1e3 + r['h'] / 100 + r['s']


@of_iapws(620.0, 3.0)
def region_2(v):
    r = iapws97._Region2(v[0], v[1])
    return r['v'] + r['h'] / 100 + r['s']


@of_iapws(500.0, 650.0)
def region_3(v):
    r = iapws97._Region3(v[0], v[1])
    return r['P'] + r['h'] / 100 + r['cp']


@of_iapws(320.0, 3.0)
def steam_class(v):
    return iapws97.IAPWS97(T=v[0], P=v[1]).h / 100


@of_iapws(3.0, 1000.0)
def backward_1(v):
    return iapws97._Backward1_T_Ph(v[0], v[1])


@of_iapws(320.0)
def dielectric(T):
    return iapws._iapws._Dielectric(990.0, T)


@of_iapws(990.0, 320.0)
def viscosity_97(v):
    return iapws._iapws._Viscosity(v[0], v[1]) * 1e4 + iapws._iapws._ThCond(v[0], v[1])


@of_iapws(260.0, 0.101325)
def ice(v):
    r = iapws._Ice(v[0], v[1])
    return r['rho'] + r['h'] / 100


@of_iapws(320.0)
def surface_tension_of_water(T):
    return iapws._iapws._Tension(T) * 10


@of_iapws(0.9, 1.1)
def helmholtz_95(v):
    m = iapws95.IAPWS95()
    return m._phir(v[0], v[1]) + m._phi0(v[0], v[1])['fio']


@of_chemicals(0.3, 0.5)
def wilson_k(v):
    return chemicals.flash_basic.K_value(P=v[0] * 1e6, Psat=v[1] * 1e6) + chemicals.flash_basic.Wilson_K_value(
        300.0 + v[0], v[1] * 1e6, 500.0, 3e6, 0.2)


@of_chemicals(300.0)
def vapour_pressures(temperature):
    return chemicals.vapor_pressure.dPsat_IAPWS_dT(temperature) + 1e-3 * (
        chemicals.vapor_pressure.Sanjari(temperature, 617.1, 36e5, 0.299) + chemicals.vapor_pressure.Edalat(
            temperature, 617.1, 36e5, 0.299))


@of_chemicals(300.0)
def heat_capacities(temperature):
    return chemicals.heat_capacity.Poling(temperature, 4.0, 1e-3, 2e-6, 1e-9, -1e-12) + chemicals.heat_capacity.Lastovka_Shaw(
        temperature, 0.1333) + chemicals.heat_capacity.Rowlinson_Poling(temperature, 535.55, 0.323, 119.342)


@of_chemicals(300.0)
def surface_tensions(temperature):
    return chemicals.interface.Somayajulu(temperature, 647.126, 232.713514, -140.18645, -4.890098) + 100 * chemicals.interface.Jasper(
        temperature, 24, 0.0773) + chemicals.interface.REFPROP_sigma(temperature, 647.096, -0.1306, 2.471, 0.2151, 1.233)


@of_chemicals(1.2, 0.5)
def conductivities(v):
    return 100 * chemicals.thermal_conductivity.Eucken(MW=72.151, Cvm=135.9 * v[0], mu=8.77e-6 * v[1]) \
        + chemicals.thermal_conductivity.Bahadori_liquid(273.15 * v[0], 170)


@of_chemicals(1.3)
def gas_viscosities(x):
    return 1e6 * chemicals.viscosity.viscosity_gas_Gharagheizi(T=120.0 * x, Tc=190.564, Pc=45.99e5, MW=16.04246) \
        + 1e6 * chemicals.viscosity.Lucas_gas(T=550.0 * x, Tc=512.6, Pc=80.9e5, Zc=0.224, MW=32.042, dipole=1.7)


@of_fluids(2.0, 3.0)
def dimensionless_numbers(v):
    return fluids.Prandtl(Cp=1637.0, k=0.01 * v[0], nu=6.4e-7 * v[1], rho=7.1) + 1e-9 * fluids.Grashof(
        L=0.9144 * v[0], beta=0.000933, T1=178.2 * v[1], rho=1.1613, mu=1.9e-5)


@of_fluids(0.4, 1.3)
def pressure_drop_of_mixture(v):
    return 1e-3 * fluids.two_phase.Muller_Steinhagen_Heck(m=v[0], x=0.1, rhol=915.0, rhog=2.67 * v[1], mul=180e-6, mug=14e-6,
                                                          D=0.05, roughness=0.0, L=1.0)


@of_fluids(0.6)
def saltation(x):
    packed = fluids.packed_tower.Stichlmair_wet(Vg=0.4 * x, Vl=5e-3, rhog=5.0, rhol=1200.0, mug=5e-5, voidage=0.68,
                                                specific_area=260.0, C1=32.0, C2=7.0, C3=1.0)
    return fluids.saltation.Rizk(mp=0.25 * x, dp=100e-6, rhog=1.2, D=0.078) + packed * 1e-3
