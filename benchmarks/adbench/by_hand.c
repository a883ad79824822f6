/* Derivatives written by hand, for comparison with those of loops.py: gcc -O3 -march=native. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double sigmoid(double z) { return 1.0 / (1.0 + exp(-z)); }

/* The gradient of the loss of a diagonal LSTM. bmain: 2L x 4b, bextra: 3 x b. */
void lstm(const double *main_, const double *extra, const double *state, const double *sequence, long L, long b, long c,
          double *bmain, double *bextra)
{
    long T = c - 1, per = L * b;
    double *kept = malloc(T * per * 8 * sizeof(double)), *h = malloc(2 * per * sizeof(double)), *s = h + per;
    double *u = malloc(T * b * sizeof(double)), *y = malloc(b * sizeof(double)), *p = malloc(T * b * sizeof(double));
    for (long j = 0; j < L; j++)
        for (long i = 0; i < b; i++) { h[j * b + i] = state[2 * j * b + i]; s[j * b + i] = state[(2 * j + 1) * b + i]; }
    for (long t = 0; t < T; t++) {
        double *ut = u + t * b;
        for (long i = 0; i < b; i++) ut[i] = sequence[t * b + i] * extra[i];
        for (long j = 0; j < L; j++) {
            const double *w = main_ + 2 * j * 4 * b, *v = w + 4 * b;
            for (long i = 0; i < b; i++) {
                long k = j * b + i;
                double *q = kept + (t * per + k) * 8;
                double f = sigmoid(ut[i] * w[i] + v[i]), g = sigmoid(h[k] * w[b + i] + v[b + i]);
                double o = sigmoid(ut[i] * w[2 * b + i] + v[2 * b + i]), a = tanh(h[k] * w[3 * b + i] + v[3 * b + i]);
                q[0] = f; q[1] = g; q[2] = o; q[3] = a; q[4] = s[k]; q[5] = h[k]; q[6] = ut[i];
                s[k] = s[k] * f + g * a;
                q[7] = tanh(s[k]);
                h[k] = o * q[7];
                ut[i] = h[k];
            }
        }
        double sum = 2.0;
        for (long i = 0; i < b; i++) sum += y[i] = exp(ut[i] * extra[b + i] + extra[2 * b + i]);
        for (long i = 0; i < b; i++) p[t * b + i] = y[i] / sum;
    }
    memset(bmain, 0, 8 * per * sizeof(double));
    memset(bextra, 0, 3 * b * sizeof(double));
    double *bh = calloc(2 * per, sizeof(double)), *bs = bh + per, *bu = y, scale = -1.0 / (b * T);
    for (long t = T - 1; t >= 0; t--) {
        double ones = 0.0;
        for (long i = 0; i < b; i++) ones += sequence[(t + 1) * b + i];
        for (long i = 0; i < b; i++) {
            double by = scale * (sequence[(t + 1) * b + i] - ones * p[t * b + i]);
            bextra[b + i] += by * u[t * b + i];
            bextra[2 * b + i] += by;
            bu[i] = by * extra[b + i];
        }
        for (long j = L - 1; j >= 0; j--) {
            const double *w = main_ + 2 * j * 4 * b;
            double *bw = bmain + 2 * j * 4 * b, *bv = bw + 4 * b;
            for (long i = 0; i < b; i++) {
                long k = j * b + i;
                const double *q = kept + (t * per + k) * 8;
                double f = q[0], g = q[1], o = q[2], a = q[3], top = bh[k] + bu[i];
                double bo = top * q[7] * o * (1 - o), bst = bs[k] + top * o * (1 - q[7] * q[7]);
                double bf = bst * q[4] * f * (1 - f), bg = bst * a * g * (1 - g), ba = bst * g * (1 - a * a);
                bs[k] = bst * f;
                bw[i] += bf * q[6]; bw[b + i] += bg * q[5]; bw[2 * b + i] += bo * q[6]; bw[3 * b + i] += ba * q[5];
                bv[i] += bf; bv[b + i] += bg; bv[2 * b + i] += bo; bv[3 * b + i] += ba;
                bh[k] = bg * w[b + i] + ba * w[3 * b + i];
                bu[i] = bf * w[i] + bo * w[2 * b + i];
            }
        }
        for (long i = 0; i < b; i++) bextra[i] += bu[i] * sequence[t * b + i];
    }
    free(kept); free(h); free(u); free(y); free(p); free(bh);
}

/* Two rows of the Jacobian of one observation: derivatives by the camera (11), the point (3), the weight. */
static void observation(const double *cam, const double *x, double weight, const double *feature, double *row)
{
    double X0 = x[0] - cam[3], X1 = x[1] - cam[4], X2 = x[2] - cam[5];
    double squared = cam[0] * cam[0] + cam[1] * cam[1] + cam[2] * cam[2];
    double theta = sqrt(squared), c = cos(theta), s = sin(theta), w0 = 0, w1 = 0, w2 = 0, Y0, Y1, Y2, dot = 0;
    if (squared == 0.0) {
        Y0 = X0 + cam[1] * X2 - cam[2] * X1; Y1 = X1 + cam[2] * X0 - cam[0] * X2; Y2 = X2 + cam[0] * X1 - cam[1] * X0;
    } else {
        w0 = cam[0] / theta; w1 = cam[1] / theta; w2 = cam[2] / theta;
        dot = w0 * X0 + w1 * X1 + w2 * X2;
        Y0 = X0 * c + (w1 * X2 - w2 * X1) * s + w0 * dot * (1 - c);
        Y1 = X1 * c + (w2 * X0 - w0 * X2) * s + w1 * dot * (1 - c);
        Y2 = X2 * c + (w0 * X1 - w1 * X0) * s + w2 * dot * (1 - c);
    }
    double P0 = Y0 / Y2, P1 = Y1 / Y2, q = P0 * P0 + P1 * P1, L = 1 + cam[9] * q + cam[10] * q * q;
    double radial = cam[6] * L, slope = cam[6] * (cam[9] + 2 * cam[10] * q);
    for (int k = 0; k < 2; k++) {
        double P = k ? P1 : P0, *out = row + 15 * k, b = weight;
        double bq = b * P * slope, bP0 = 2 * bq * P0 + (k ? 0 : b * radial), bP1 = 2 * bq * P1 + (k ? b * radial : 0);
        double bY0 = bP0 / Y2, bY1 = bP1 / Y2, bY2 = -(bP0 * P0 + bP1 * P1) / Y2, bX0, bX1, bX2;
        if (squared == 0.0) {
            bX0 = bY0 + cam[2] * bY1 - cam[1] * bY2; bX1 = bY1 - cam[2] * bY0 + cam[0] * bY2; bX2 = bY2 + cam[1] * bY0 - cam[0] * bY1;
            out[0] = X1 * bY2 - X2 * bY1; out[1] = X2 * bY0 - X0 * bY2; out[2] = X0 * bY1 - X1 * bY0;
        } else {
            double wb = w0 * bY0 + w1 * bY1 + w2 * bY2, bdot = wb * (1 - c), bw0, bw1, bw2;
            double cross = (w1 * X2 - w2 * X1) * bY0 + (w2 * X0 - w0 * X2) * bY1 + (w0 * X1 - w1 * X0) * bY2;
            double btheta = -s * (X0 * bY0 + X1 * bY1 + X2 * bY2) + c * cross + s * dot * wb;
            bX0 = c * bY0 + s * (w2 * bY1 - w1 * bY2) + w0 * bdot;
            bX1 = c * bY1 + s * (w0 * bY2 - w2 * bY0) + w1 * bdot;
            bX2 = c * bY2 + s * (w1 * bY0 - w0 * bY1) + w2 * bdot;
            bw0 = s * (X1 * bY2 - X2 * bY1) + dot * (1 - c) * bY0 + bdot * X0;
            bw1 = s * (X2 * bY0 - X0 * bY2) + dot * (1 - c) * bY1 + bdot * X1;
            bw2 = s * (X0 * bY1 - X1 * bY0) + dot * (1 - c) * bY2 + bdot * X2;
            btheta -= (bw0 * w0 + bw1 * w1 + bw2 * w2) / theta;
            out[0] = bw0 / theta + btheta * w0; out[1] = bw1 / theta + btheta * w1; out[2] = bw2 / theta + btheta * w2;
        }
        out[3] = -bX0; out[4] = -bX1; out[5] = -bX2;
        out[6] = b * P * L; out[7] = k ? 0 : b; out[8] = k ? b : 0;
        out[9] = b * P * cam[6] * q; out[10] = b * P * cam[6] * q * q;
        out[11] = bX0; out[12] = bX1; out[13] = bX2;
        out[14] = radial * P + cam[7 + k] - feature[k];
    }
}

void ba(const double *cameras, const double *points, const double *weights, const double *features, const long *of_camera,
        const long *of_point, long n, long m, long p, long *rows, long *columns, double *values)
{
    rows[0] = 0;
    for (long i = 0; i < p; i++) {
        long cam = of_camera[i], point = of_point[i];
        observation(cameras + 11 * cam, points + 3 * point, weights[i], features + 2 * i, values + 30 * i);
        for (long k = 0; k < 2; k++) {
            long at = 30 * i + 15 * k;
            for (long j = 0; j < 11; j++) columns[at + j] = 11 * cam + j;
            for (long j = 0; j < 3; j++) columns[at + 11 + j] = 11 * n + 3 * point + j;
            columns[at + 14] = 11 * n + 3 * m + i;
            rows[2 * i + k + 1] = at + 15;
        }
        columns[30 * p + i] = 11 * n + 3 * m + i;
        values[30 * p + i] = -2 * weights[i];
        rows[2 * p + i + 1] = 30 * p + i + 1;
    }
}

/* c = a b for transformations of 3 rows; those of the model have 4, of which the last is 0 0 0 1; `last` is that of b. */
static void product(const double *a, const double *b, double last, double *c)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            c[4 * i + j] = a[4 * i] * b[j] + a[4 * i + 1] * b[4 + j] + a[4 * i + 2] * b[8 + j] + (j == 3 ? last * a[4 * i + 3] : 0);
}

static void add(const double *a, double *b) { for (int i = 0; i < 12; i++) b[i] += a[i]; }

/* Where vertices are before the hand is turned as a whole, or how they move: blends of transformations of the bones. */
static void skin(const double *transforms, const double *weights, const double *positions, long B, long V, int mirrored, double *out)
{
    for (long v = 0; v < V; v++) {
        double blend[12] = {0};
        for (long b = 0; b < B; b++)
            for (int i = 0; i < 12; i++) blend[i] += weights[v * B + b] * transforms[12 * b + i];
        for (int i = 0; i < 3; i++) {
            const double *m = blend + 4 * i, *p = positions + 4 * v;
            out[3 * v + i] = m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + m[3];
        }
        if (mirrored) out[3 * v] = -out[3 * v];
    }
}

/* The Jacobian of hand tracking: a row for each distance, by `us` of its point (if C is 3) and by theta. */
void hand(const double *theta, const double *us, const long *corners, const double *points, const long *parents,
          const double *relatives, const double *inverses, const double *positions, const double *weights, int mirrored,
          long B, long V, long N, long C, double *J)
{
    long first = C == 3 ? 2 : 0, columns = first + 26;
    double *turns = calloc(B * 12 * 7, 8), *relative = turns + 12 * B, *absolute = relative + 12 * B, *transforms = absolute + 12 * B;
    double *dturn = transforms + 12 * B, *dabsolute = dturn + 12 * B, *dtransforms = dabsolute + 12 * B;
    double *at = malloc(6 * V * 8), *moved = at + 3 * V, G[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, dG[3][9] = {{0}};
    for (long b = 0; b < B; b++) turns[12 * b] = turns[12 * b + 5] = turns[12 * b + 10] = 1;
    for (int pass = -1; pass < 20; pass++) {                        /* first the values, then one angle of a finger after the other */
        double *T = pass < 0 ? turns : dturn;
        if (pass >= 0) memset(dturn, 0, 12 * B * 8);
        for (int f = 0; f < 5; f++)
            for (int joint = 0; joint < 3; joint++) {
                int ax = 4 * f + (joint ? joint + 1 : 0), az = joint ? -1 : 4 * f + 1;
                double tx = theta[6 + ax], tz = joint ? 0 : theta[6 + az], *t = T + 12 * (2 + 4 * f + joint);
                double cx = cos(tx), sx = sin(tx), cz = cos(tz), sz = sin(tz);
                if (pass < 0) { t[0] = cz; t[1] = -sz * cx; t[2] = sz * sx; t[4] = sz; t[5] = cz * cx; t[6] = -cz * sx; t[9] = sx; t[10] = cx; }
                else if (pass == ax) { t[1] = sz * sx; t[2] = sz * cx; t[5] = -cz * sx; t[6] = -cz * cx; t[9] = cx; t[10] = -sx; }
                else if (pass == az) { t[0] = -sz; t[1] = -cz * cx; t[2] = cz * sx; t[4] = cz; t[5] = -sz * cx; t[6] = sz * sx; }
            }
        for (long b = 0; b < B; b++) {
            double step[12], more[12], *a = pass < 0 ? absolute + 12 * b : dabsolute + 12 * b;
            product(relatives + 16 * b, T + 12 * b, pass < 0, step);
            if (pass < 0) memcpy(relative + 12 * b, step, sizeof step);
            if (parents[b] < 0) memcpy(a, step, sizeof step);
            else {
                product(absolute + 12 * parents[b], step, pass < 0, a);
                if (pass >= 0) { product(dabsolute + 12 * parents[b], relative + 12 * b, 1, more); add(more, a); }
            }
            product(a, inverses + 16 * b, 1, (pass < 0 ? transforms : dtransforms) + 12 * b);
        }
        skin(pass < 0 ? transforms : dtransforms, weights, positions, B, V, mirrored, pass < 0 ? at : moved);
        if (pass < 0) {
            double norm = sqrt(theta[0] * theta[0] + theta[1] * theta[1] + theta[2] * theta[2]);
            if (norm >= 1e-4) {
                double s = sin(norm), c = cos(norm), w[3] = {theta[0] / norm, theta[1] / norm, theta[2] / norm};
                double K[9] = {0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0};
                for (int i = 0; i < 9; i++) G[i] = w[i / 3] * w[i % 3] * (1 - c) + (i % 4 ? 0 : c) + s * K[i];
                for (int k = 0; k < 3; k++) {
                    double dw[3];
                    for (int i = 0; i < 3; i++) dw[i] = ((i == k) - w[i] * w[k]) / norm;
                    double dK[9] = {0, -dw[2], dw[1], dw[2], 0, -dw[0], -dw[1], dw[0], 0};
                    for (int i = 0; i < 9; i++)
                        dG[k][i] = (dw[i / 3] * w[i % 3] + w[i / 3] * dw[i % 3]) * (1 - c) + w[i / 3] * w[i % 3] * s * w[k]
                                   - (i % 4 ? 0 : s * w[k]) + c * w[k] * K[i] + s * dK[i];
                }
            }
        }
        for (long n = 0; n < N; n++) {
            double u[3] = {C == 3 ? us[2 * n] : 1, C == 3 ? us[2 * n + 1] : 0, 0}, p[3] = {0}, *row = J + 3 * n * columns;
            u[2] = 1 - u[0] - u[1];
            const double *all = pass < 0 ? at : moved;
            for (int k = 0; k < C; k++)
                for (int i = 0; i < 3; i++) p[i] += u[k] * all[3 * corners[C * n + k] + i];
            for (int i = 0; i < 3; i++, row += columns) {
                if (pass >= 0) { row[first + 6 + pass] = -(G[3 * i] * p[0] + G[3 * i + 1] * p[1] + G[3 * i + 2] * p[2]); continue; }
                for (int k = 0; k < 3; k++) row[first + k] = -(dG[k][3 * i] * p[0] + dG[k][3 * i + 1] * p[1] + dG[k][3 * i + 2] * p[2]);
                for (int k = 0; k < 3; k++) row[first + 3 + k] = -(i == k);
                for (int m = 0; m < first; m++) {
                    const double *one = at + 3 * corners[3 * n + m], *rest = at + 3 * corners[3 * n + 2];
                    row[m] = -(G[3 * i] * (one[0] - rest[0]) + G[3 * i + 1] * (one[1] - rest[1]) + G[3 * i + 2] * (one[2] - rest[2]));
                }
            }
        }
    }
    free(turns); free(at);
}
