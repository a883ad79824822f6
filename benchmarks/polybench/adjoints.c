/* Adjoints written by hand, for comparison with derivatives of the kernels: gcc -O3 -march=native.

Each function runs its kernel on arrays that are copies, and makes the gradient of the sum of squares of what that computes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOR(i, from, to) for (long i = (from); i < (to); i++)
#define DOWN(i, from, to) for (long i = (to) - 1; i >= (from); i--)
#define A(i, j) a[(i) * n + (j)]
#define B(i, j) b[(i) * n + (j)]

static double dot(const double *x, const double *y, long n)
{
    double s = 0.0;
    FOR(i, 0, n) s += x[i] * y[i];
    return s;
}

static void twice(const double *a, double *b, long n) { FOR(i, 0, n) b[i] = 2.0 * a[i]; }

void cholesky(double *a, double *b, long n)
{
    FOR(i, 0, n) {
        FOR(j, 0, i) A(i, j) = (A(i, j) - dot(&A(i, 0), &A(j, 0), j)) / A(j, j);
        A(i, i) = sqrt(A(i, i) - dot(&A(i, 0), &A(i, 0), i));
    }
    twice(a, b, n * n);
    DOWN(i, 0, n) {
        double g = B(i, i) /= 2.0 * A(i, i);
        FOR(k, 0, i) B(i, k) -= 2.0 * g * A(i, k);
        DOWN(j, 0, i) {
            double g = B(i, j) /= A(j, j);
            B(j, j) -= g * A(i, j);
            FOR(k, 0, j) B(i, k) -= g * A(j, k);
            FOR(k, 0, j) B(j, k) -= g * A(i, k);
        }
    }
}

void lu(double *a, double *b, long n)
{
    FOR(i, 0, n) {
        FOR(j, 0, i) {
            FOR(k, 0, j) A(i, j) -= A(i, k) * A(k, j);
            A(i, j) /= A(j, j);
        }
        FOR(j, i, n) FOR(k, 0, i) A(i, j) -= A(i, k) * A(k, j);
    }
    twice(a, b, n * n);
    DOWN(i, 0, n) {
        DOWN(j, i, n) FOR(k, 0, i) {
            B(i, k) -= B(i, j) * A(k, j);
            B(k, j) -= B(i, j) * A(i, k);
        }
        DOWN(j, 0, i) {
            B(i, j) /= A(j, j);
            B(j, j) -= B(i, j) * A(i, j);
            FOR(k, 0, j) {
                B(i, k) -= B(i, j) * A(k, j);
                B(k, j) -= B(i, j) * A(i, k);
            }
        }
    }
}

void trisolv(const double *a, double *x, const double *b, double *ba, double *bb, long n)
{
    FOR(i, 0, n) x[i] = (b[i] - dot(&A(i, 0), x, i)) / A(i, i);
    memset(ba, 0, n * n * sizeof(double));
    double *bx = malloc(n * sizeof(double));
    twice(x, bx, n);
    DOWN(i, 0, n) {
        double g = bx[i] / A(i, i);
        bb[i] = g;
        ba[i * n + i] = -g * x[i];
        FOR(j, 0, i) ba[i * n + j] = -g * x[j];
        FOR(j, 0, i) bx[j] -= g * A(i, j);
    }
    free(bx);
}

void durbin(const double *r, double *br, long n)
{
    double *y = calloc(4 * n, sizeof(double)), *z = y + n, *by = y + 2 * n, *alphas = y + 3 * n;
    double *old = malloc(n * (n + 1) / 2 * sizeof(double)), *betas = malloc(n * sizeof(double)), alpha = -r[0], beta = 1.0;
    y[0] = alphas[0] = alpha;
    betas[0] = beta;
    FOR(k, 1, n) {
        double s = r[k], *o = old + k * (k - 1) / 2;
        FOR(i, 0, k) s += r[k - 1 - i] * y[i];
        beta *= 1.0 - alpha * alpha;
        alpha = -s / beta;
        betas[k] = beta;
        alphas[k] = alpha;
        memcpy(o, y, k * sizeof(double));
        FOR(i, 0, k) y[i] += alpha * o[k - 1 - i];
        y[k] = alpha;
    }
    memset(br, 0, n * sizeof(double));
    twice(y, by, n);
    double balpha = 0.0, bbeta = 0.0;
    DOWN(k, 1, n) {
        double *o = old + k * (k - 1) / 2, g = by[k] + balpha;
        FOR(i, 0, k) g += by[i] * o[k - 1 - i];
        FOR(i, 0, k) z[i] = by[i] + alphas[k] * by[k - 1 - i];
        memcpy(by, z, k * sizeof(double));
        double t = -g / betas[k];
        bbeta += t * alphas[k];
        br[k] += t;
        FOR(i, 0, k) br[k - 1 - i] += t * o[i];
        FOR(i, 0, k) by[i] += t * r[k - 1 - i];
        balpha = -2.0 * alphas[k - 1] * betas[k - 1] * bbeta;
        bbeta *= 1.0 - alphas[k - 1] * alphas[k - 1];
    }
    br[0] -= by[0] + balpha;
    free(y); free(old); free(betas);
}

void gramschmidt(double *a, double *b, long m, long n)               /* rows m, columns n; A, Q and R are computed */
{
    double *q = malloc(m * n * sizeof(double)), *r = calloc(n * n, sizeof(double));
    double *kept = malloc(n * n / 2 * m * sizeof(double)), *top = kept;
    double *bq = malloc(m * n * sizeof(double)), *br = malloc(n * n * sizeof(double));
    FOR(k, 0, n) {
        double s = 0.0;
        FOR(i, 0, m) s += A(i, k) * A(i, k);
        r[k * n + k] = s = sqrt(s);
        FOR(i, 0, m) q[i * n + k] = A(i, k) / s;
        FOR(j, k + 1, n) {
            double s = 0.0;
            FOR(i, 0, m) s += q[i * n + k] * (*top++ = A(i, j));
            r[k * n + j] = s;
            FOR(i, 0, m) A(i, j) -= q[i * n + k] * s;
        }
    }
    twice(a, b, m * n);
    twice(q, bq, m * n);
    twice(r, br, n * n);
    DOWN(k, 0, n) {
        DOWN(j, k + 1, n) {
            double s = br[k * n + j];
            top -= m;
            FOR(i, 0, m) s -= B(i, j) * q[i * n + k];
            FOR(i, 0, m) {
                bq[i * n + k] += s * top[i] - B(i, j) * r[k * n + j];
                B(i, j) += s * q[i * n + k];
            }
        }
        double g = br[k * n + k], norm = r[k * n + k];
        FOR(i, 0, m) g -= bq[i * n + k] * q[i * n + k] / norm;
        FOR(i, 0, m) B(i, k) += bq[i * n + k] / norm + g * q[i * n + k];
    }
    free(q); free(r); free(kept); free(bq); free(br);
}

static void half(const double *a, double *b, long n, long m)
{
    FOR(i, 1, n - 1) FOR(j, 1, m - 1)
        b[i * m + j] = 0.2 * (a[i * m + j] + a[i * m + j - 1] + a[i * m + j + 1] + a[(i + 1) * m + j] + a[(i - 1) * m + j]);
}

void jacobi_2d(double *a, double *b, double *ba, double *bb, long n, long m, long steps)
{
    FOR(k, 1, steps) { half(a, b, n, m); half(b, a, n, m); }
    twice(a, ba, n * m);
    twice(b, bb, n * m);
    double *r = calloc(m + 2, sizeof(double)), *t;
    FOR(k, 0, 2 * (steps - 1)) {
        FOR(i, 1, n - 1) {
            FOR(j, 1, m - 1) { r[j + 1] = 0.2 * ba[i * m + j]; ba[i * m + j] = 0.0; }
            FOR(j, 1, m - 1) bb[(i - 1) * m + j] += r[j + 1];
            FOR(j, 1, m - 1) bb[(i + 1) * m + j] += r[j + 1];
            FOR(j, 0, m) bb[i * m + j] += r[j] + r[j + 1] + r[j + 2];
        }
        t = ba; ba = bb; bb = t;
    }
    free(r);
}

void seidel_2d(double *a, double *b, long n, long steps)
{
    FOR(t, 1, steps) FOR(i, 1, n - 1) {
        double *x = a + i * n;
        FOR(j, 1, n - 1)
            x[j] += x[j - n - 1] + x[j - n] + x[j - n + 1] + x[j + 1] + x[j + n - 1] + x[j + n] + x[j + n + 1];
        FOR(j, 1, n - 1) x[j] = (x[j] + x[j - 1]) / 9.0;
    }
    twice(a, b, n * n);
    FOR(t, 1, steps) DOWN(i, 1, n - 1) {
        double *x = b + i * n, *u = x - n, *d = x + n;
        DOWN(j, 1, n - 1) { x[j] /= 9.0; x[j - 1] += x[j]; }
        FOR(j, 1, n - 1) u[j - 1] += x[j];
        FOR(j, 1, n - 1) u[j] += x[j];
        FOR(j, 1, n - 1) u[j + 1] += x[j];
        FOR(j, 1, n - 1) d[j - 1] += x[j];
        FOR(j, 1, n - 1) d[j] += x[j];
        FOR(j, 1, n - 1) d[j + 1] += x[j];
        DOWN(j, 1, n - 1) x[j + 1] += x[j];
    }
}

void spmv(const long *row, const long *col, const double *val, const double *x, double *bval, double *bx, long n)
{
    memset(bx, 0, n * sizeof(double));
    FOR(i, 0, n) {
        double y = 0.0;
        FOR(k, row[i], row[i + 1]) y += val[k] * x[col[k]];
        FOR(k, row[i], row[i + 1]) { bval[k] = 2.0 * y * x[col[k]]; bx[col[k]] += 2.0 * y * val[k]; }
    }
}
