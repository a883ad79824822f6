"""Sun, wind and weather."""
import numpy as np

from tests.packages.registry import load, package

irradiance, atmosphere, iam, temperature, tracking, solarposition, pvsystem, inverter, singlediode, clearsky, shading = [
    load(f'pvlib.{n}') for n in '''irradiance atmosphere iam temperature tracking solarposition pvsystem inverter singlediode
    clearsky shading'''.split()]
of_pvlib = package('pvlib', 'pvlib')
refet = load('refet.calcs')
of_refet = package('refet', 'refet.calcs')
windpower = load('windpowerlib')
of_windpower = package('windpowerlib', 'windpowerlib')
comfort = load('pythermalcomfort.models')
utilities = load('pythermalcomfort.utilities')
of_comfort = package('pythermalcomfort', 'pythermalcomfort.models')
ambiance = load('ambiance')
of_ambiance = package('ambiance', 'ambiance')
INVERTER = dict(Paco=250.0, Pdco=259.6, Vdco=40.0, Pso=2.09, C0=-4.1e-5, C1=-9.1e-5, C2=4.9e-4, C3=-0.013, Pnt=0.075)


@of_pvlib(30.0, 180.0, 40.0, 160.0)
def angle_of_incidence(v):
    return irradiance.aoi(v[0], v[1], v[2], v[3])


@of_pvlib(30.0, 40.0, 700.0)
def perez(v):
    return irradiance.perez(v[0], 180.0, 120.0, v[2], 1366.0, v[1], 160.0, 1.3)


@of_pvlib(30.0, 40.0, 700.0)
def hay_davies(v):
    return irradiance.haydavies(v[0], 180.0, 120.0, v[2], 1366.0, v[1], 160.0)


@of_pvlib(30.0, 40.0, 700.0)
def klucher_and_king(v):
    return irradiance.klucher(v[0], 180.0, 120.0, v[2], v[1], 160.0) + irradiance.king(v[0], 120.0, v[2], v[1])


@of_pvlib(30.0, 40.0, 700.0)
def total_irradiance(v):
    return irradiance.get_total_irradiance(v[0], 180.0, v[1], 160.0, v[2], 600.0, 120.0)['poa_global']


@of_pvlib(600.0, 40.0)
def erbs(v):
    r = irradiance.erbs(v[0], v[1], 150)
    return r['dni'] + r['dhi']


@of_pvlib(600.0, 40.0)
def disc(v):
    return irradiance.disc(v[0], v[1], 150)['dni']


@of_pvlib(60.0)
def airmass(z):
    return atmosphere.get_relative_airmass(z) + atmosphere.get_relative_airmass(z, model='young1994')


@of_pvlib(500.0, 25.0, 40.0)
def air(v):
    return atmosphere.alt2pres(v[0]) / 1e3 + atmosphere.gueymard94_pw(v[1], v[2]) + atmosphere.tdew_from_rh(v[1], v[2])


@of_pvlib(50.0)
def incidence_modifiers(x):
    return iam.physical(x) + iam.ashrae(x) + iam.martin_ruiz(x) + iam.schlick(x)


@of_pvlib(700.0, 20.0, 3.0)
def cell_temperature(v):
    return temperature.sapm_cell(v[0], v[1], v[2], -3.47, -0.0594, 3.0) + temperature.pvsyst_cell(v[0], v[1], v[2]) + temperature.faiman(v[0], v[1], v[2])


@of_pvlib(700.0, 20.0, 3.0)
def noct_temperature(v):
    return temperature.noct_sam(v[0], v[1], v[2], 45.0, 0.2)


@of_pvlib(40.0, 160.0)
def single_axis_tracking(v):
    r = tracking.singleaxis(v[0], v[1], axis_azimuth=180, backtrack=True)
    return r['tracker_theta'] + r['aoi'] + r['surface_tilt']


@of_pvlib(120.0)
def declination_and_time(x):
    return solarposition.declination_spencer71(x) + solarposition.equation_of_time_spencer71(x) + solarposition.declination_cooper69(x)


@of_pvlib(0.6, 0.3, 0.2)
def zenith(v):
    return solarposition.solar_zenith_analytical(v[0], v[1], v[2])


@of_pvlib(800.0, 50.0)
def de_soto(v):
    IL, I0, Rs, Rsh, nNsVth = pvsystem.calcparams_desoto(v[0], v[1], 0.004, 1.5, 5.0, 1e-9, 300.0, 0.4)
    return IL + I0 * 1e8 + Rs + Rsh / 100 + nNsVth


@of_pvlib(7.0, 0.4, 300.0)
def current_from_voltage(v):
    return pvsystem.i_from_v(30.0, v[0], 1e-9, v[1], v[2], 1.6)


@of_pvlib(7.0, 0.4, 300.0)
def maximum_power(v):
    return singlediode.bishop88_mpp(v[0], 1e-9, v[1], v[2], 1.6, method='newton')[2]


@of_pvlib(7.0, 0.4, 300.0)
def single_diode(v):
    return pvsystem.singlediode(v[0], 1e-9, v[1], v[2], 1.6)['p_mp']


@of_pvlib(800.0, 50.0)
def pv_watts(v):
    return inverter.pvwatts(pvsystem.pvwatts_dc(v[0], v[1], 200.0, -0.003), 210.0)


@of_pvlib(40.0, 200.0)
def sandia_inverter(v):
    return inverter.sandia(v[0], v[1], INVERTER)


@of_pvlib(40.0, 2.0, 3.0)
def clear_sky(v):
    r = clearsky.ineichen(v[0], v[1], v[2])
    return r['ghi'] + r['dni']


@of_refet(20.0, 1.2)
def vapour(v):
    humid = refet.actual_vapor_pressure(0.01, refet.air_pressure(v[1] * 80))
    return np.sum(refet.sat_vapor_pressure(v[0]) + refet.es_slope(v[0]) + humid)


@of_windpower(8.0, 100.0)
def wind_profiles(v):
    return windpower.wind_speed.logarithmic_profile(v[0], 10.0, v[1], 0.15) + windpower.wind_speed.hellman(v[0], 10.0, v[1])


@of_windpower(288.0, 101000.0)
def air_density(v):
    return windpower.density.barometric(v[1], 100.0, 120.0, v[0]) + windpower.density.ideal_gas(v[1], 100.0, 120.0, v[0])


@of_comfort(25.0, 50.0)
def humid_air(v):
    return utilities.p_sat(v[0]) / 1e3 + utilities.dew_point_tmp(v[0], v[1])


@of_comfort(30.0, 50.0)
def heat_index(v):
    return comfort.heat_index_rothfusz(v[0], v[1], round_output=False).hi


@of_comfort(25.0, 25.5, 50.0)
def predicted_mean_vote(v):
    return comfort.pmv_ppd_iso(v[0], v[1], 0.1, v[2], 1.2, 0.5, model='7730-2005', round_output=False).pmv


@of_ambiance(9000.0)
def standard_atmosphere(h):
    return np.sum(ambiance.Atmosphere(h).temperature)


@of_comfort(-10.0, 20.0)
def wind_chill(v):
    return comfort.wind_chill_temperature(v[0], v[1]).wct + comfort.discomfort_index(25.0 + v[0], 2 * v[1]).di


@of_comfort(25.0, 50.0)
def humidex(v):
    return comfort.humidex(v[0], v[1]).humidex + utilities.wet_bulb_tmp(v[0], v[1]) + utilities.mean_radiant_tmp(v[0] + 5, v[0], 0.3)


@of_windpower(0.7, 1.3)
def power_coefficients(v):
    curve = windpower.power_output.power_coefficient_curve(np.array([5.0 * v[0]]), np.array([0.0, 4.0, 8.0, 12.0]),
                                                           np.array([0.0, 0.3, 0.4, 0.2]), 80.0, 1.2 * v[1])
    return curve[0] * 1e-5 + windpower.temperature.linear_gradient(280.0 * v[0], 2.0, 100.0 * v[1])


@of_pvlib(1.2, 0.3, 0.5)
def turbidity(v):
    return atmosphere.kasten96_lt(v[0], v[1] + 1, v[2]) + atmosphere.angstrom_aod_at_lambda(v[1], 500.0, 1.14) \
        + irradiance.isotropic(30.0, 100 * v[2])


@of_pvlib(40.0)
def bird_clear_sky(zenith):
    return clearsky.bird(zenith, 1.5, 0.1, 0.1, 1.5)['ghi']


@of_pvlib(800.0, 5.0)
def shading_and_clearness(v):
    return shading.masking_angle(20.0, 0.4, v[1]) + irradiance.clearness_index(v[0], 40.0, 1361.0)
