"""Functions of `scipy.stats` distributions whose formulas need what has no derivative; found by trying each of them.

Among them are those whose value is infinite or no float for the parameters that SciPy tests its distributions with: nothing
is claimed of these. A star stands for all functions.
"""
TABLE = '''
alpha: mean var std
argus: mean var std
beta: ppf median entropy
betanbinom: mean var std
betaprime: ppf isf median
binom: entropy
cauchy: isf mean var std
cosine: cdf sf logcdf logsf ppf isf
dgamma: cdf sf logcdf logsf ppf isf median
dpareto_lognorm: cdf sf logcdf logsf
dweibull: var std
foldcauchy: mean var std
gausshyper: pdf logpdf
genhyperbolic: pdf logpdf cdf sf logcdf logsf mean var std
geninvgauss: pdf logpdf cdf sf logcdf logsf
genlogistic: entropy
gennorm: median
genpareto: cdf logcdf
gompertz: entropy
halfcauchy: mean var std
hypergeom: pmf logpmf mean var std entropy
invgauss: ppf isf median entropy
irwinhall: pdf logpdf cdf sf logcdf logsf mean var std
jf_skew_t: ppf isf median
kappa3: sf logsf mean var std
kappa4: pdf logpdf cdf sf logcdf logsf ppf isf median mean var std
ksone: *
kstwo: *
kstwobign: pdf logpdf cdf sf logcdf logsf ppf isf
landau: pdf logpdf cdf sf logcdf logsf ppf isf mean var std
levy: mean var std
levy_l: mean var std
levy_stable: *
lomax: mean var std
nbinom: pmf mean var std
ncf: pdf logpdf cdf sf logcdf logsf ppf isf median mean var std
nchypergeom_fisher: pmf logpmf mean var std
nchypergeom_wallenius: pmf logpmf mean var std
nct: pdf logpdf cdf sf logcdf logsf ppf isf median mean var std
ncx2: pdf logpdf cdf sf logcdf logsf ppf isf median
nhypergeom: pmf logpmf mean var std
norminvgauss: sf logsf isf
poisson_binom: *
randint: pmf logpmf mean var std entropy
rdist: ppf isf median
rel_breitwigner: mean var std
rice: ppf isf median
semicircular: ppf isf
skellam: pmf logpmf mean var std
skewcauchy: mean var std
skewnorm: cdf sf logcdf logsf ppf isf median
studentized_range: *
t: mean var std
trapezoid: pdf logpdf cdf sf logcdf logsf ppf isf median
triang: pdf logpdf cdf sf logcdf logsf
truncnorm: cdf sf logcdf logsf ppf isf median mean var std
truncpareto: pdf logpdf cdf sf logcdf logsf ppf isf median
tukeylambda: pdf logpdf cdf sf logcdf logsf mean var std
vonmises: cdf sf logcdf logsf
vonmises_line: cdf sf logcdf logsf
wald: ppf isf
zipf: pmf logpmf
zipfian: pmf logpmf mean var std
'''
LACKING = {name: set(rest.split()) for name, _, rest in (
    line.partition(': ') for line in TABLE.replace('\n    ', ' ').strip().splitlines())}
