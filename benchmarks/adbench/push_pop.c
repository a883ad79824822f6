/* Adjoints in the style of Tapenade (Hascoet and Pascual, ACM TOMS 39(3), 2013), for comparison with those of loops.py.

   Split mode: one sweep forward, one backward, no recomputation of calls. Every value that the backward sweep needs and that
   is overwritten by then is pushed before it is overwritten; intrinsic functions are called again in the backward sweep.
   The stack is one of ad_stack.c, compiled apart from this file as Tapenade's adStack.c is. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

void push_real(double x);
double pop_real(void);
void push_array(const double *x, long n);
void pop_array(double *x, long n);
void push_integer(long k);
long pop_integer(void);

static double sigmoid(double z) { return 1.0 / (1.0 + exp(-z)); }

static double sigmoid_b(double z, double b) { double e = exp(-z); return e * b / ((1.0 + e) * (1.0 + e)); }

/* The diagonal LSTM of ADBench: bmain is 2L x 4b, bextra 3 x b. */
void lstm(const double *main_, const double *extra, const double *state, const double *sequence, long L, long b, long c,
          double *bmain, double *bextra)
{
    double *s = malloc(2 * L * b * sizeof(double)), *u = malloc(b * sizeof(double)), *bs = calloc(2 * L * b, sizeof(double));
    double *bu = calloc(b, sizeof(double)), lse = 0.0, arg = 0.0, f = 0.0, g = 0.0, o = 0.0, a = 0.0;
    memcpy(s, state, 2 * L * b * sizeof(double));
    for (long t = 0; t < c - 1; t++) {
        for (long i = 0; i < b; i++) { push_real(u[i]); u[i] = sequence[t * b + i] * extra[i]; }
        for (long j = 0; j < L; j++) {
            const double *w = main_ + 2 * j * 4 * b, *v = w + 4 * b;
            double *h = s + 2 * j * b, *cell = h + b;
            for (long i = 0; i < b; i++) {
                push_real(arg); arg = u[i] * w[i] + v[i];
                push_real(f); f = sigmoid(arg);
                push_real(arg); arg = h[i] * w[b + i] + v[b + i];
                push_real(g); g = sigmoid(arg);
                push_real(arg); arg = u[i] * w[2 * b + i] + v[2 * b + i];
                push_real(o); o = sigmoid(arg);
                push_real(arg); arg = h[i] * w[3 * b + i] + v[3 * b + i];
                push_real(a); a = tanh(arg);
                push_real(cell[i]); cell[i] = cell[i] * f + g * a;
                push_real(h[i]); h[i] = o * tanh(cell[i]);
                push_real(u[i]); u[i] = h[i];
            }
        }
        push_real(lse);
        lse = 2.0;
        for (long i = 0; i < b; i++) lse += exp(u[i] * extra[b + i] + extra[2 * b + i]);
    }
    memset(bmain, 0, 8 * L * b * sizeof(double));
    memset(bextra, 0, 3 * b * sizeof(double));
    double scale = -1.0 / (b * (c - 1));
    for (long t = c - 2; t >= 0; t--) {
        double blse = 0.0;
        for (long i = 0; i < b; i++) {
            double by = scale * sequence[(t + 1) * b + i];
            blse -= by;
            bextra[b + i] += by * u[i];
            bextra[2 * b + i] += by;
            bu[i] += by * extra[b + i];
        }
        blse /= lse;
        for (long i = b - 1; i >= 0; i--) {
            double by = exp(u[i] * extra[b + i] + extra[2 * b + i]) * blse;
            bextra[b + i] += by * u[i];
            bextra[2 * b + i] += by;
            bu[i] += by * extra[b + i];
        }
        lse = pop_real();
        for (long j = L - 1; j >= 0; j--) {
            const double *w = main_ + 2 * j * 4 * b;
            double *bw = bmain + 2 * j * 4 * b, *bv = bw + 4 * b, *h = s + 2 * j * b, *cell = h + b;
            double *bh = bs + 2 * j * b, *bcell = bh + b;
            for (long i = b - 1; i >= 0; i--) {
                u[i] = pop_real(); bh[i] += bu[i]; bu[i] = 0.0;
                h[i] = pop_real();
                double t2 = tanh(cell[i]), bo = t2 * bh[i];
                bcell[i] += (1.0 - t2 * t2) * o * bh[i]; bh[i] = 0.0;
                cell[i] = pop_real();
                double bf = cell[i] * bcell[i], bg = a * bcell[i], ba = g * bcell[i], barg;
                bcell[i] *= f;
                a = pop_real();
                double t1 = tanh(arg);
                barg = (1.0 - t1 * t1) * ba; arg = pop_real();
                bh[i] += w[3 * b + i] * barg; bw[3 * b + i] += h[i] * barg; bv[3 * b + i] += barg;
                o = pop_real(); barg = sigmoid_b(arg, bo); arg = pop_real();
                bu[i] += w[2 * b + i] * barg; bw[2 * b + i] += u[i] * barg; bv[2 * b + i] += barg;
                g = pop_real(); barg = sigmoid_b(arg, bg); arg = pop_real();
                bh[i] += w[b + i] * barg; bw[b + i] += h[i] * barg; bv[b + i] += barg;
                f = pop_real(); barg = sigmoid_b(arg, bf); arg = pop_real();
                bu[i] += w[i] * barg; bw[i] += u[i] * barg; bv[i] += barg;
            }
        }
        for (long i = b - 1; i >= 0; i--) { u[i] = pop_real(); bextra[i] += sequence[t * b + i] * bu[i]; bu[i] = 0.0; }
    }
    free(s); free(u); free(bs); free(bu);
}

static void log_sum_exp_b(const double *x, double *bx, long n, double b)
{
    double top = x[0], total = 0.0, btop = b, btotal;
    for (long i = 1; i < n; i++) {
        if (x[i] > top) { top = x[i]; push_integer(1); } else push_integer(0);
    }
    for (long i = 0; i < n; i++) total += exp(x[i] - top);
    btotal = b / total;
    for (long i = n - 1; i >= 0; i--) { double be = exp(x[i] - top) * btotal; bx[i] += be; btop -= be; }
    for (long i = n - 1; i >= 1; i--)
        if (pop_integer()) { bx[i] += btop; btop = 0.0; }
    bx[0] += btop;
}

/* The Gaussian mixture of ADBench, without the constant of the prior. */
void gmm(const double *alpha, const double *mu, const double *q, const double *l, const double *x, double gamma, long m,
         long n, long k, long d, double *balpha, double *bmu, double *bq, double *bl)
{
    long dl = d * (d - 1) / 2;
    double *e = malloc(k * d * sizeof(double)), *be = calloc(k * d, sizeof(double)), *start = malloc(k * sizeof(double));
    double *v = calloc(4 * d, sizeof(double)), *y = v + d, *bv = y + d, *by = bv + d;
    double *beta = calloc(2 * k, sizeof(double)), *bbeta = beta + k;
    for (long c = 0; c < k; c++) {
        start[c] = alpha[c];
        for (long j = 0; j < d; j++) { e[c * d + j] = exp(q[c * d + j]); start[c] += q[c * d + j]; }
    }
    for (long i = 0; i < n; i++) {
        for (long c = 0; c < k; c++) {
            const double *lc = l + c * dl;
            push_array(v, d);
            for (long j = 0; j < d; j++) v[j] = x[i * d + j] - mu[c * d + j];
            push_array(y, d);
            for (long j = 0; j < d; j++) y[j] = e[c * d + j] * v[j];
            for (long col = 0; col < d; col++)
                for (long row = col + 1; row < d; row++) y[row] += *lc++ * v[col];
            double squares = 0.0;
            for (long j = 0; j < d; j++) squares += y[j] * y[j];
            push_real(beta[c]);
            beta[c] = start[c] - 0.5 * squares;
        }
    }
    memset(balpha, 0, k * sizeof(double));
    memset(bmu, 0, k * d * sizeof(double));
    memset(bq, 0, k * d * sizeof(double));
    memset(bl, 0, k * dl * sizeof(double));
    for (long c = 0; c < k; c++)
        for (long j = 0; j < d; j++) { bq[c * d + j] += m; be[c * d + j] -= gamma * gamma * e[c * d + j]; }
    for (long j = 0; j < k * dl; j++) bl[j] -= gamma * gamma * l[j];
    log_sum_exp_b(alpha, balpha, k, -(double)n);
    for (long i = n - 1; i >= 0; i--) {
        log_sum_exp_b(beta, bbeta, k, 1.0);
        for (long c = k - 1; c >= 0; c--) {
            const double *lc = l + c * dl + dl;
            double *blc = bl + c * dl + dl;
            beta[c] = pop_real();
            double bsquares = -0.5 * bbeta[c];
            balpha[c] += bbeta[c];
            for (long j = 0; j < d; j++) bq[c * d + j] += bbeta[c];
            bbeta[c] = 0.0;
            for (long j = d - 1; j >= 0; j--) by[j] += 2 * y[j] * bsquares;
            for (long col = d - 1; col >= 0; col--)
                for (long row = d - 1; row > col; row--) { *--blc += v[col] * by[row]; bv[col] += *--lc * by[row]; }
            pop_array(y, d);
            for (long j = d - 1; j >= 0; j--) {
                be[c * d + j] += v[j] * by[j]; bv[j] += e[c * d + j] * by[j]; by[j] = 0.0;
            }
            pop_array(v, d);
            for (long j = d - 1; j >= 0; j--) { bmu[c * d + j] -= bv[j]; bv[j] = 0.0; }
        }
    }
    for (long j = 0; j < k * d; j++) bq[j] += e[j] * be[j];
    free(e); free(be); free(start); free(v); free(beta);
}
