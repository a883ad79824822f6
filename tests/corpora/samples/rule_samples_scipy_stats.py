"""Samples of SciPy's distributions and functions of samples."""
from tests.corpora.samples.rule_samples_scipy_data import POINTS
from tests.tools.sampling import Sample

CALLS = '''
stats.gengamma.logpdf(p, 1.5, 1.3, 0.1)
stats.gengamma.cdf(p, 1.5, 1.3, 0.1)
stats.gamma.cdf(p, r, scale=r)
stats.beta.cdf(u, r, p)
stats.t.cdf(v, p)
stats.gamma.mean(r, scale=p)
stats.norm.entropy(s, p)
stats.gamma.ppf(u, p)
stats.t.ppf(u, p)
stats.chi2.sf(p, 3.0)
stats.weibull_min.cdf(p, r)
stats.lognorm.cdf(p, s)
stats.norm.median(s, r) + stats.expon.std(s, r)
stats.gengamma.pdf(p, 1.5, 1.3, 0.1)
stats.genextreme.logpdf(v, 0.1, s, r)
stats.skew(x)
stats.skew(t, axis=1, bias=False)
stats.kurtosis(x, bias=False)
stats.kurtosis(t, axis=None)
stats.moment(x, 3)
stats.variation(p)
stats.sem(t, axis=2)
stats.trim_mean(t, 0.3, axis=2)
stats.trim_mean(t, 0.2, axis=None)
stats.zscore(h, axis=1, ddof=1)
stats.zmap(v, x)
stats.gzscore(p)
stats.gmean(p)
stats.gmean(p, weights=u)
stats.hmean(p)
stats.pmean(p, 1.5)
stats.gstd(p)
stats.iqr(x)
stats.median_abs_deviation(x)
stats.entropy(p)
stats.entropy(p, u, base=2)
stats.pearsonr(x, numpy.sin(3 * x + s))[0]
stats.linregress(xs, ys)[4]
stats.ttest_1samp(x, s)[0]
stats.ttest_ind(x, ys, equal_var=False)[1]
stats.boxcox_llf(s, p)
stats.wasserstein_distance(x, ys)
stats.gaussian_kde(x, 0.4).pdf(v)
'''.strip().splitlines()
ONCE = '''
stats.norm(s, r).logpdf(v)
stats.gamma(r, scale=s).cdf(p)
stats.poisson(p).logpmf([0, 2, 3])
stats.gaussian_kde(x)(v)
stats.ttest_rel(p, u).statistic
stats.linregress(xs, ys).slope
stats.pearsonr(x, numpy.sin(3 * x + s)).pvalue
stats.gaussian_kde(YY[0].T, weights=xs + 1).logpdf(h)
'''.strip().splitlines()

def statistics():
    """Distributions and functions of samples; what holds parameters is differentiated once, as twice takes seconds."""
    for text in CALLS + ONCE:
        yield Sample(text, POINTS, twice=text not in ONCE, exact=1e-11, smooth=1e-5,
                     without=('long', 'complex', 'numpy.longdouble'))

GENERATORS = [statistics]
