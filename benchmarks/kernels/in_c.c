/* Adjoints written by hand of programs of kernels_programs.py: gcc -O3 -march=native. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

double cheap(double x, long n)
{
    double *tape = malloc(n * sizeof(double)), y = x, by = 1.0;
    for (long i = 0; i < n; i++) { tape[i] = y; y = y * 0.999 + y * y * 1e-4; }
    for (long i = n - 1; i >= 0; i--) by = by * 0.999 + 2e-4 * by * tape[i];
    free(tape);
    return by;
}

double sines(double x, long n)
{
    double *s = malloc(2 * n * sizeof(double)), *c = s + n, y = x, by = 1.0;
    for (long i = 0; i < n; i++) { s[i] = sin(y); c[i] = cos(y); y = s[i] * 0.999 + c[i] * 1e-3; }
    for (long i = n - 1; i >= 0; i--) by = by * (0.999 * c[i] - 1e-3 * s[i]);
    free(s);
    return by;
}

double newton(double x, long n)
{
    long room = 1024, top = 0, *count = malloc(n * sizeof(long));
    double *tape = malloc(room * sizeof(double)), bx = 0.0;
    for (long i = 0; i < n; i++) {
        double a = x * (i + 1), r = a;
        count[i] = 0;
        while (fabs(r * r - a) > 1e-9 * a) {
            if (top == room) tape = realloc(tape, (room *= 2) * sizeof(double));
            tape[top++] = r;
            count[i]++;
            r = 0.5 * (r + a / r);
        }
    }
    for (long i = n - 1; i >= 0; i--) {
        double a = x * (i + 1), br = 1.0, ba = 0.0;
        for (long k = 0; k < count[i]; k++) {
            double r = tape[--top], q = 0.5 * br / r;
            ba += q;
            br = 0.5 * br - q * a / r;
        }
        bx += (ba + br) * (i + 1);
    }
    free(tape);
    free(count);
    return bx;
}

void gmm(const double *alpha, const double *mu, const double *q, const double *l, const double *x, double gamma, long m,
         long n, long k, long d, double *balpha, double *bmu, double *bq, double *bl)
{
    long dl = d * (d - 1) / 2;
    double *beta = malloc(k * sizeof(double)), *v = malloc(k * d * sizeof(double)), *y = malloc(k * d * sizeof(double));
    double *e = malloc(k * d * sizeof(double)), *sum = calloc(k, sizeof(double));
    memset(balpha, 0, k * sizeof(double));
    memset(bmu, 0, k * d * sizeof(double));
    memset(bq, 0, k * d * sizeof(double));
    memset(bl, 0, k * dl * sizeof(double));
    for (long c = 0; c < k; c++)
        for (long j = 0; j < d; j++) { e[c * d + j] = exp(q[c * d + j]); sum[c] += q[c * d + j]; }
    for (long i = 0; i < n; i++) {
        double top = -INFINITY, total = 0.0;
        for (long c = 0; c < k; c++) {
            const double *lc = l + c * dl;
            double *vc = v + c * d, *yc = y + c * d, s = 0.0;
            for (long j = 0; j < d; j++) { vc[j] = x[i * d + j] - mu[c * d + j]; yc[j] = e[c * d + j] * vc[j]; }
            for (long col = 0; col < d; col++)
                for (long row = col + 1; row < d; row++) yc[row] += *lc++ * vc[col];
            for (long j = 0; j < d; j++) s += yc[j] * yc[j];
            beta[c] = alpha[c] + sum[c] - 0.5 * s;
            if (beta[c] > top) top = beta[c];
        }
        for (long c = 0; c < k; c++) total += beta[c] = exp(beta[c] - top);
        for (long c = 0; c < k; c++) {
            double w = beta[c] / total, *vc = v + c * d, *yc = y + c * d;
            const double *lc = l + c * dl;
            double *blc = bl + c * dl;
            balpha[c] += w;
            for (long j = 0; j < d; j++) {
                yc[j] *= -w;
                bq[c * d + j] += w + yc[j] * vc[j] * e[c * d + j];
                bmu[c * d + j] -= yc[j] * e[c * d + j];
            }
            for (long col = 0; col < d; col++) {
                double t = 0.0;
                for (long row = col + 1; row < d; row++) { t += *lc++ * yc[row]; *blc++ += yc[row] * vc[col]; }
                bmu[c * d + col] -= t;
            }
        }
    }
    double top = -INFINITY, total = 0.0;
    for (long c = 0; c < k; c++) if (alpha[c] > top) top = alpha[c];
    for (long c = 0; c < k; c++) total += exp(alpha[c] - top);
    for (long c = 0; c < k; c++) balpha[c] -= n * exp(alpha[c] - top) / total;
    for (long j = 0; j < k * d; j++) bq[j] += m - gamma * gamma * e[j] * e[j];
    for (long j = 0; j < k * dl; j++) bl[j] -= gamma * gamma * l[j];
    free(beta); free(v); free(y); free(e); free(sum);
}
