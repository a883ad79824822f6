/* A stack of blocks, as that of Tapenade: a new block when the last is full, kept when it is left. */
#include <stdlib.h>
#include <string.h>

#define BLOCK 65536

typedef struct Block { struct Block *before, *after; char contents[BLOCK]; } Block;

static Block *block = NULL;
static long used = BLOCK;

static void push_bytes(const void *x, long size)
{
    while (size > 0) {
        if (used == BLOCK) {
            if (block == NULL || block->after == NULL) {
                Block *made = malloc(sizeof(Block));
                made->before = block;
                made->after = NULL;
                if (block) block->after = made;
                block = made;
            } else block = block->after;
            used = 0;
        }
        long part = size < BLOCK - used ? size : BLOCK - used;
        memcpy(block->contents + used, x, part);
        used += part; size -= part; x = (const char *)x + part;
    }
}

static void pop_bytes(void *x, long size)
{
    while (size > 0) {
        if (used == 0) { block = block->before; used = BLOCK; }
        long part = size < used ? size : used;
        used -= part; size -= part;
        memcpy((char *)x + size, block->contents + used, part);
    }
}

void push_real(double x)
{
    if (BLOCK - used >= (long)sizeof x) { memcpy(block->contents + used, &x, sizeof x); used += sizeof x; }
    else push_bytes(&x, sizeof x);
}

double pop_real(void)
{
    double x;
    if (used >= (long)sizeof x) { used -= sizeof x; memcpy(&x, block->contents + used, sizeof x); }
    else pop_bytes(&x, sizeof x);
    return x;
}

void push_integer(long k)
{
    if (BLOCK - used >= (long)sizeof k) { memcpy(block->contents + used, &k, sizeof k); used += sizeof k; }
    else push_bytes(&k, sizeof k);
}

long pop_integer(void)
{
    long k;
    if (used >= (long)sizeof k) { used -= sizeof k; memcpy(&k, block->contents + used, sizeof k); }
    else pop_bytes(&k, sizeof k);
    return k;
}

void push_array(const double *x, long n) { push_bytes(x, n * sizeof(double)); }
void pop_array(double *x, long n) { pop_bytes(x, n * sizeof(double)); }
