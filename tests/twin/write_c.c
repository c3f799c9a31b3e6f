/* SPDX-License-Identifier: Apache-2.0
 * A random program as C: block after block, all threads of a block at once. */
#include "tests/twin/write.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The names of T_u8, L_u8, N_u8 ...: bits and sign, bytes and sign, bytes. */
static const char prelude[] =
    "#define T_u8 8, false\n#define T_s8 8, true\n#define T_u16 16, false\n#define T_s16 16, true\n"
    "#define T_u32 32, false\n#define T_s32 32, true\n#define T_u64 64, false\n#define T_s64 64, true\n"
    "#define L_u8 1, false\n#define L_s8 1, true\n#define L_b8 1, false\n#define L_u16 2, false\n#define L_s16 2, "
    "true\n"
    "#define L_b16 2, false\n#define L_u32 4, false\n#define L_s32 4, true\n#define L_b32 4, false\n#define L_u64 8, "
    "false\n"
    "#define L_s64 8, true\n#define L_b64 8, false\n"
    "#define N_u8 1\n#define N_s8 1\n#define N_b8 1\n#define N_u16 2\n#define N_s16 2\n#define N_b16 2\n#define N_u32 "
    "4\n"
    "#define N_s32 4\n#define N_b32 4\n#define N_u64 8\n#define N_s64 8\n#define N_b64 8\n"
    "#define S_u32 false\n#define S_s32 true\n"
    "#define EACH(who) for (unsigned i = 0; i < BLOCK; i++) for (struct regs *q = &thread[i]; q && who[i]; q = NULL)\n";

void twin_write_c_head(FILE *to) {
  fprintf(to, "#include \"ops.h\"\n#include <string.h>\n%s", prelude);
}

static void declare(const struct cw *w) {
  static const char *const type[TWIN_CLASSES] = {"uint16_t", "uint16_t", "uint32_t", "uint32_t", "uint32_t",
                                                 "uint64_t", "uint32_t", "uint64_t", "bool"};
  fprintf(w->to, "struct regs {\n");
  for (unsigned c = 0; c < TWIN_CLASSES; c++)
    fprintf(w->to, "  %s %c[%u];\n", type[c], twin_classes[c], w->t->count[c]);
  fprintf(w->to, "  const uint8_t *in;\n  uint8_t *out, *acc, *slot, *generic, local[%u];\n};\n", TWIN_SLOT);
}

static void bytes(const struct cw *w, const char *name, const uint8_t *v, unsigned n) {
  fprintf(w->to, "static const uint8_t %s[%u] = {", name, n);
  for (unsigned k = 0; k < n; k++) fprintf(w->to, "%s%u", k ? "," : "", v[k]);
  fprintf(w->to, "};\n");
}

static void derive(const struct cw *w, const uint8_t *count) {
  unsigned r = count[twin_class('r')], d = count[twin_class('d')];
  for (unsigned k = 0; k < count[twin_class('h')]; k++) fprintf(w->to, "  q->h[%u] = (uint16_t)q->r[%u];\n", k, k % r);
  for (unsigned k = 0; k < count[twin_class('n')]; k++) fprintf(w->to, "  q->n[%u] = q->r[%u] & 63;\n", k, (k + 1) % r);
  for (unsigned k = 0; k < count[twin_class('p')]; k++)
    fprintf(w->to, "  q->p[%u] = (int32_t)q->r[%u] %s %u;\n", k, k % r, k & 1 ? ">" : "<", 3 * k);
  if (!w->in_function) return;
  for (unsigned k = 1; k < count[twin_class('f')]; k++) fprintf(w->to, "  q->f[%u] = q->r[%u];\n", k, k % r);
  for (unsigned k = 0; k < count[twin_class('g')]; k++) fprintf(w->to, "  q->g[%u] = q->d[%u];\n", k, k % d);
  for (unsigned k = 0; k < count[twin_class('e')]; k++) fprintf(w->to, "  q->e[%u] = q->h[%u];\n", k, k);
  for (unsigned k = 0; k < count[twin_class('x')]; k++) fprintf(w->to, "  q->x[%u] = q->r[%u];\n", k, k % r);
}

static void function(const struct cw *w, unsigned f) {
  static const char *const result[] = {"uint32_t", "uint64_t", "uint32_t"}, letter[] = {'r', 'd', 'f'};
  const uint8_t *count = w->t->fcount;
  unsigned d = count[twin_class('d')];
  fprintf(w->to, "static %s fn%u(const struct regs *from, uint32_t p0, uint64_t p1, uint32_t p2, uint8_t *p3) {\n",
          result[f], f);
  fprintf(w->to, "  struct regs own, *q = &own;\n  q->in = from->in;\n  q->acc = from->acc;\n  q->generic = p3;\n"
                 "  q->r[0] = p0;\n  q->d[0] = p1;\n  q->f[0] = p2;\n");
  for (unsigned k = 1; k < count[twin_class('r')]; k++)
    fprintf(w->to, "  q->r[%u] = q->r[%u] * 0x%xu + %u;\n", k, k - 1, TWIN_STEP, k);
  for (unsigned k = 1; k < d; k++) fprintf(w->to, "  q->d[%u] = q->d[%u] * 0x%xu + %u;\n", k, k - 1, TWIN_STEP, k);
  for (unsigned k = 0; k < TWIN_SLOT; k += 8) fprintf(w->to, "  store(q->local + %u, 8, q->d[%u]);\n", k, k / 8 % d);
  derive(w, count);
  twin_c_list(w, w->t->function[f], -1);
  fprintf(w->to, "  R:\n  return q->%c[0];\n}\n", letter[f]);
}

static void first(const struct cw *w) {
  unsigned d = w->t->count[twin_class('d')];
  fprintf(w->to, "static void first(struct regs *q, uint32_t number) {\n  const uint8_t *from;\n");
  for (unsigned k = 0; k < TWIN_STARTS; k++) {
    const struct twin_start *s = &twin_starts[k];
    fprintf(w->to, "  from = q->in + (number * %u & %u) + %u;\n", s->factor, 1024 - s->bytes, s->offset);
    fprintf(w->to, "  for (unsigned k = 0; k < %u; k++) q->%c[k] = (%s)load(from + %u * k, %u, false);\n",
            w->t->count[twin_class(s->cls)], s->cls,
            s->bytes == 2   ? "uint16_t"
            : s->bytes == 4 ? "uint32_t"
                            : "uint64_t",
            s->bytes, s->bytes);
  }
  for (unsigned k = 0; k < TWIN_SLOT; k += 8)
    fprintf(w->to, "  store(q->local + %u, 8, q->d[%u]);\n  store(q->slot + %u, 8, q->d[%u]);\n", k, k / 8 % d, k,
            (k / 8 + 1) % d);
  derive(w, w->t->count);
  fprintf(w->to, "}\n");
}

static void last(const struct cw *w) {
  unsigned at = TWIN_OUT_SCRATCH;
  fprintf(w->to, "static void last(struct regs *q) {\n  (void)q;\n");
  for (unsigned c = 0; c < TWIN_CLASSES; c++)
    for (unsigned r = 0; r < w->t->count[c] && at < TWIN_OUT_BYTES; r++) {
      static const uint8_t size[TWIN_CLASSES] = {2, 2, 4, 4, 4, 8, 4, 8, 4};
      if (!(w->t->dumped[c] >> r & 1)) continue;
      fprintf(w->to, "  store(q->out + %u, %u, q->%c[%u]);\n", at, size[c], twin_classes[c], r);
      at += 8;
    }
  fprintf(w->to, "}\n");
}

static void kernel(const struct cw *w, const char *name) {
  uint8_t cell[TWIN_CELLS * 8];
  twin_cells(w->t, cell);
  bytes(w, "first_cells", cell, sizeof cell);
  fprintf(w->to, "void %s(const uint8_t *in, uint8_t *out, uint8_t *acc);\n", name);
  fprintf(w->to, "void %s(const uint8_t *in, uint8_t *out, uint8_t *acc) {\n", name);
  fprintf(w->to,
          "  static struct regs thread[BLOCK];\n  static struct twin_lanes lanes, *x = &lanes;\n"
          "  static uint8_t shared[BLOCK * %u + %u];\n  static bool act[12][TWIN_THREADS];\n  uint8_t *cells = shared "
          "+ BLOCK * %u;\n",
          TWIN_SLOT, 8 * TWIN_CELLS, TWIN_SLOT);
  fprintf(w->to,
          "  (void)cells;\n  x->n = BLOCK;\n  for (uint32_t b = 0; b < %u; b++) {\n  memcpy(cells, first_cells, sizeof "
          "first_cells);\n",
          w->t->grid);
  fprintf(w->to,
          "  for (unsigned i = 0; i < BLOCK; i++) {\n    struct regs *q = &thread[i];\n    uint32_t number = b * BLOCK "
          "+ i;\n"
          "    q->in = in;\n    q->acc = acc;\n    q->out = out + number * %u;\n    q->slot = shared + i * %u;\n"
          "    act[0][i] = true;\n    first(q, number);\n  }\n",
          TWIN_OUT_BYTES, TWIN_SLOT);
  twin_c_list(w, w->t->body, 0);
  fprintf(w->to, "  EACH(act[0]) last(q);\n  }\n}\n");
}

void twin_write_c(const struct twin *t, const char *name, const char *wrong, FILE *to) {
  struct cw w = {.to = to, .t = t, .wrong = wrong, .in_function = true};
  uint8_t param[8 * TWIN_PARAMS];
  for (unsigned k = 0; k < sizeof param; k++) param[k] = (uint8_t)(t->param[k / 8] >> (8 * (k % 8)));
  fprintf(to, "/* program %" PRIu64 " of seed %" PRIu64 " */\n#define BLOCK %u\n", t->index, t->seed, t->block);
  declare(&w);
  bytes(&w, "constants", t->constant, TWIN_CONST);
  bytes(&w, "parameters", param, sizeof param);
  for (unsigned f = 0; f < TWIN_FUNCTIONS; f++) function(&w, f);
  w.in_function = false;
  first(&w);
  last(&w);
  kernel(&w, name);
}
