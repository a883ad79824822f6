"""Optics and colour."""
import numpy as np

from tests.packages.registry import load, package

colour = load('colour')
of_colour = package('colour-science', 'colour')
color_objects, color_conversions, color_diff = [load(f'colormath.{n}') for n in ('color_objects', 'color_conversions', 'color_diff')]
of_colormath = package('colormath', 'colormath')
W = np.array([1.0, 2.0, 3.0])


@of_colour(0.2, 0.12, 0.05)
def xyz_to_lab(v):
    return np.sum(colour.XYZ_to_Lab(v) * W)


@of_colour(41.5, 52.6, 26.9)
def lab_to_xyz(v):
    return np.sum(colour.Lab_to_XYZ(v) * W)


@of_colour(0.2, 0.12, 0.05)
def xyz_to_srgb(v):
    return np.sum(colour.XYZ_to_sRGB(v) * W)


@of_colour(0.4, 0.1, 0.3)
def srgb_to_xyz(v):
    return np.sum(colour.sRGB_to_XYZ(v) * W)


@of_colour(0.2, 0.12, 0.05)
def xyz_to_luv(v):
    return np.sum(colour.XYZ_to_Luv(v) * W)


@of_colour(0.2, 0.12, 0.05)
def xyz_to_xyy(v):
    return np.sum(colour.XYZ_to_xyY(v) * W)


@of_colour(0.2, 0.12, 0.05)
def xyz_to_oklab(v):
    return np.sum(colour.XYZ_to_Oklab(v) * W)


@of_colour(0.2, 0.12, 0.05)
def xyz_to_ipt(v):
    return np.sum(colour.XYZ_to_IPT(v) * W)


@of_colour(0.2, 0.12, 0.05)
def xyz_to_hunter_lab(v):
    return np.sum(colour.XYZ_to_Hunter_Lab(v) * W)


@of_colour(0.4, 0.1, 0.3)
def rgb_to_hsv(v):
    return np.sum(colour.RGB_to_HSV(v) * W)


@of_colour(0.4, 0.1, 0.3)
def rgb_to_hsl(v):
    return np.sum(colour.RGB_to_HSL(v) * W)


@of_colour(0.4, 0.1, 0.3)
def rgb_to_ycbcr(v):
    return np.sum(colour.RGB_to_YCbCr(v) * W)


@of_colour(100.0, 21.0, 272.0, 100.0, 426.0, 72.0)
def delta_e_2000(v):
    return colour.delta_E(v[:3], v[3:], method='CIE 2000')


@of_colour(50.0, 21.0, 27.0, 60.0, 26.0, 72.0)
def delta_e_1976(v):
    return colour.delta_E(v[:3], v[3:], method='CIE 1976')


@of_colour(50.0, 21.0, 27.0, 60.0, 26.0, 72.0)
def delta_e_1994(v):
    return colour.difference.delta_E_CIE1994(v[:3], v[3:])


@of_colour(12.2)
def lightness(Y):
    return colour.lightness(Y)


@of_colour(41.5)
def luminance(L):
    return colour.luminance(L)


@of_colour(0.18)
def log_encoding(x):
    return colour.log_encoding(x, function='ACEScct') + colour.models.log_encoding_SLog3(x)


@of_colour(0.18)
def transfer_function(x):
    return colour.models.eotf_inverse_sRGB(x) + colour.models.oetf_BT709(x)


@of_colour(500.0)
def st_2084(x):
    return colour.models.eotf_inverse_ST2084(x)


@of_colour(6500.0)
def daylight_chromaticity(T):
    return np.sum(colour.CCT_to_xy(T))


@of_colour(0.3127, 0.329)
def chromaticity_to_temperature(v):
    return colour.temperature.xy_to_CCT_McCamy1992(v)


@of_colour(5e-7, 5000.0)
def planck(v):
    return colour.colorimetry.planck_law(v[0], v[1]) * 1e-12


@of_colour(0.2, 0.12, 0.05)
def chromatic_adaptation(v):
    return np.sum(colour.adaptation.chromatic_adaptation_VonKries(v, np.array([0.95, 1.0, 1.09]), np.array([0.96, 1.0, 0.83])) * W)


@of_colour(19.01, 20.0, 21.78)
def cam_ciecam02(v):
    s = colour.XYZ_to_CIECAM02(v, np.array([95.05, 100.0, 108.88]), 318.31, 20.0)
    return s.J + s.C + s.h


@of_colour(0.55)
def rayleigh(x):
    return colour.phenomena.scattering_cross_section(x * 1e-4) * 1e26


@of_colormath(0.2, 0.12, 0.05)
def colormath_xyz_to_lab(v):
    lab = color_conversions.convert_color(color_objects.XYZColor(v[0], v[1], v[2]), color_objects.LabColor)
    return lab.lab_l + 2 * lab.lab_a + 3 * lab.lab_b


@of_colormath(0.4, 0.1, 0.3)
def colormath_rgb_to_xyz(v):
    xyz = color_conversions.convert_color(color_objects.sRGBColor(v[0], v[1], v[2]), color_objects.XYZColor)
    return xyz.xyz_x + 2 * xyz.xyz_y + 3 * xyz.xyz_z


@of_colormath(0.4, 0.1, 0.3)
def colormath_rgb_to_hsl(v):
    hsl = color_conversions.convert_color(color_objects.sRGBColor(v[0], v[1], v[2]), color_objects.HSLColor)
    return hsl.hsl_h + hsl.hsl_s + hsl.hsl_l


@of_colormath(50.0, 21.0, 27.0)
def colormath_delta_e(v):
    return color_diff.delta_e_cie2000(color_objects.LabColor(v[0], v[1], v[2]), color_objects.LabColor(60.0, 26.0, 72.0))


@of_colour(0.2, 0.4, 0.3)
def xyz_to_uvw(v):
    return np.sum(colour.XYZ_to_UVW(v * 100) * W) + np.sum(colour.XYZ_to_UCS(v) * W)


@of_colour(0.2, 0.4, 0.3)
def xyz_to_jzazbz(v):
    return np.sum(colour.XYZ_to_Jzazbz(v) * W)


@of_colour(50.0, 20.0, 10.0)
def other_differences(v):
    other = np.array([48.0, 22.0, 5.0])
    return colour.delta_E(v, other, method='CIE 1976') + colour.delta_E(v, other, method='CMC')


@of_colour(0.5)
def more_transfer_functions(x):
    return colour.models.eotf_BT1886(x) + colour.models.oetf_ARIBSTDB67(x) + colour.models.log_decoding_ARRILogC3(x)


@of_colour(0.2, 0.3, 0.25)
def to_ictcp(v):
    return np.sum(colour.RGB_to_ICtCp(v) * np.array([1.0, 2.0, 3.0]))
