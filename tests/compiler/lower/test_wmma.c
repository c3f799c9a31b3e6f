/* SPDX-License-Identifier: Apache-2.0
 *
 * wmma: matrices of small integers from memory to memory, in every shape, layout and type, against a plain
 * multiplication; with strides, in the three spaces, by one of two warps. Nothing else in memory may change.
 * And sums of F16 and F32 mixed against what an NVIDIA H200 returned (tests/silicon/mma/wmma_*.bin).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/compiler/select/select_run.h"
#include "tests/compiler/select/select_text.h"
#include "tests/test.h"
#include "tests/silicon/form_file.h"

enum { BYTES = 8192, AT_A = 0, AT_B = 2560, AT_C = 5120, AT_D = 6656, FRAGMENT = 8 };

struct format {
  const char *word;
  uint8_t bytes;
  unsigned fraction, bias; /* 0, 0: integers */
};
static const struct format f16 = {"f16", 2, 10, 15}, bf16 = {"bf16", 2, 7, 127}, tf32 = {"tf32", 4, 23, 127},
                           f32 = {"f32", 4, 23, 127}, f64 = {"f64", 8, 52, 1023}, s8 = {"s8", 1, 0, 0},
                           u8 = {"u8", 1, 0, 0}, s32 = {"s32", 4, 0, 0};

struct kind {
  const struct format *ab, *c, *d;
  int least, most;
  const char *types; /* of wmma.mma */
};
static const struct kind kinds[] = {{&f16, &f32, &f32, -100, 100, "f32.f32"},
                                    {&f16, &f16, &f16, -6, 6, "f16.f16"},
                                    {&f16, &f16, &f32, -100, 100, "f32.f16"},
                                    {&f16, &f32, &f16, -6, 6, "f16.f32"},
                                    {&bf16, &f32, &f32, -100, 100, "f32.bf16.bf16.f32"},
                                    {&s8, &s32, &s32, -128, 127, "s32.s8.s8.s32"},
                                    {&u8, &s32, &s32, 0, 255, "s32.u8.u8.s32.satfinite"},
                                    {&tf32, &f32, &f32, -99, 99, "f32.tf32.tf32.f32"},
                                    {&f64, &f64, &f64, -99, 99, "f64.f64.f64.f64"}};

struct shape {
  unsigned m, n, k;
  /* registers of A, B by bytes of an element: 1, 2, 4, 8; of F16 it is always 8 */
  unsigned a[9], b[9];
};
static const struct shape shapes[] = {{16, 16, 16, {[1] = 2, [2] = 4}, {[1] = 2, [2] = 4}},
                                      {32, 8, 16, {[1] = 4, [2] = 8}, {[1] = 1, [2] = 2}},
                                      {8, 32, 16, {[1] = 1, [2] = 2}, {[1] = 4, [2] = 8}},
                                      {16, 16, 8, {[4] = 4}, {[4] = 4}},
                                      {8, 8, 4, {[8] = 1}, {[8] = 1}}};

static uint64_t encoded(int64_t v, const struct format *f) {
  const unsigned bits = 8u * f->bytes;
  if (f->bias == 0) return (uint64_t)v & ((UINT64_C(1) << bits) - 1);
  if (v == 0) return 0;
  uint64_t n = (uint64_t)(v < 0 ? -v : v);
  unsigned top = 0;
  while (n >> (top + 1)) top++;
  n = (n ^ UINT64_C(1) << top) << (f->fraction - top);
  return (uint64_t)(v < 0) << (bits - 1) | (uint64_t)(f->bias + top) << f->fraction | n;
}

/* ---- a matrix in memory ---- */

struct matrix {
  unsigned at, rows, columns, stride; /* stride in elements; as laid out */
  bool row, said;                     /* is the stride an operand? */
  const struct format *f;
};

static struct matrix matrix_of(unsigned at, unsigned rows, unsigned columns, bool row, bool said,
                               const struct format *f) {
  struct matrix m = {at, rows, columns, row ? columns : rows, row, said, f};
  if (said) m.stride += 16u / f->bytes; /* 16 bytes further */
  return m;
}

static void put(uint8_t *memory, const struct matrix *m, unsigned i, unsigned j, int64_t v) {
  const uint64_t bits = encoded(v, m->f);
  uint8_t *to = memory + m->at + (size_t)(m->row ? i * m->stride + j : j * m->stride + i) * m->f->bytes;
  for (unsigned k = 0; k < m->f->bytes; k++) to[k] = (uint8_t)(bits >> (8 * k));
}

struct job {
  const struct shape *s;
  const struct kind *q;
  struct matrix a, b, c, d;
  unsigned space, level; /* global, generic, shared */
};

static void fill(const struct job *t, uint64_t seed, uint8_t *before, uint8_t *after) {
  int a[32][16], b[16][32];
  for (unsigned k = 0; k < BYTES; k++) before[k] = some_byte(k);
  for (unsigned k = 0; k < t->s->k; k++) {
    for (unsigned i = 0; i < t->s->m; i++, seed = seed * 25214903917 + 11)
      put(before, &t->a, i, k, a[i][k] = t->q->least + (int)(seed >> 20 & 0xffff) % (t->q->most - t->q->least + 1));
    for (unsigned j = 0; j < t->s->n; j++, seed = seed * 25214903917 + 11)
      put(before, &t->b, k, j, b[k][j] = t->q->least + (int)(seed >> 20 & 0xffff) % (t->q->most - t->q->least + 1));
  }
  for (unsigned i = 0; i < t->s->m; i++)
    for (unsigned j = 0; j < t->s->n; j++) put(before, &t->c, i, j, (int)(i * 3 + j) - 40);
  memcpy(after, before, BYTES);
  for (unsigned i = 0; i < t->s->m; i++)
    for (unsigned j = 0; j < t->s->n; j++) {
      int64_t sum = (int)(i * 3 + j) - 40;
      for (unsigned k = 0; k < t->s->k; k++) sum += a[i][k] * b[k][j];
      put(after, &t->d, i, j, sum);
    }
}

/* ---- the kernel ---- */

static void list(struct text *t, char name, unsigned n) {
  for (unsigned k = 0; k < n; k++) say(t, "%s%%%c%u", k ? "," : "{", name, k);
  say(t, "}");
}

static unsigned registers(const struct job *t, char part) {
  if (part == 'c' || part == 'd') {
    const unsigned bytes = (part == 'c' ? t->c : t->d).f->bytes;
    return bytes == 2 ? 4 : bytes == 8 ? 2 : 8;
  }
  if (t->q->ab == &f16) return FRAGMENT;
  return part == 'a' ? t->s->a[t->q->ab->bytes] : t->s->b[t->q->ab->bytes];
}

static const char *layout(const struct matrix *m) {
  return m->row ? "row" : "col";
}

static void transfer(struct text *t, const struct job *j, char part, const struct matrix *m) {
  static const char *const spaces[] = {".global", "", ".shared"};
  say(t, "wmma.%s.%c.sync.aligned.%s.m%un%uk%u%s.%s ", part == 'd' ? "store" : "load", part, layout(m), j->s->m,
      j->s->n, j->s->k, spaces[j->space], m->f->word);
  if (part == 'd') say(t, "[%%at+%u], ", m->at);
  list(t, part, registers(j, part));
  if (part != 'd') say(t, ", [%%at+%u]", m->at);
  if (m->said && m->row)
    say(t, ", %u", m->stride);
  else if (m->said)
    say(t, ", %%stride%c", part);
  say(t, ";\n");
}

static void kernel(struct text *t, const struct job *j) {
  const unsigned each = j->q->ab->bytes == 8 ? 64 : 32;
  say(t, ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 base) {\n"
         ".reg .pred %%p<3>; .reg .b32 %%r<8>, %%stridea, %%strideb, %%stridec, %%strided; .reg .b64 %%at, %%base, "
         "%%x<3>, %%y<3>;\n.shared .align 32 .b8 there[8192];\n");
  say(t, ".reg .b%u %%a<8>, %%b<8>, %%c<8>, %%d<8>;\n", each);
  say(t, "mov.u32 %%stridea, %u; mov.u32 %%strideb, %u; mov.u32 %%stridec, %u; mov.u32 %%strided, %u;\n", j->a.stride,
      j->b.stride, j->c.stride, j->d.stride);
  say(t, "ld.param.u64 %%base, [base]; mov.u32 %%r0, %%tid.x; mad.wide.u32 %%x0, %%r0, 128, %%base;\n"
         "mov.u64 %%y0, there; mad.wide.u32 %%y0, %%r0, 128, %%y0; mov.u32 %%r1, 0;\n"
         "IN: ld.global.u64 %%x1, [%%x0]; st.shared.u64 [%%y0], %%x1; add.u64 %%x0, %%x0, 8; add.u64 %%y0, %%y0, 8;\n"
         "add.u32 %%r1, %%r1, 1; setp.lt.u32 %%p1, %%r1, 16; @%%p1 bra IN;\nbar.sync 0;\n");
  say(t, "%s\nsetp.lt.u32 %%p2, %%r0, 32; @%%p2 bra OUT;\n",
      j->space == 2 ? "mov.u64 %at, there;" : "mov.u64 %at, %base;");
  transfer(t, j, 'a', &j->a);
  transfer(t, j, 'b', &j->b);
  transfer(t, j, 'c', &j->c);
  say(t, "wmma.mma.sync.aligned.%s.%s.m%un%uk%u.%s ", layout(&j->a), layout(&j->b), j->s->m, j->s->n, j->s->k,
      j->q->types);
  for (const char *p = "dabc"; *p; p++) {
    list(t, *p, registers(j, *p));
    say(t, "%s", p[1] ? ", " : ";\n");
  }
  transfer(t, j, 'd', &j->d);
  say(t, "OUT: bar.sync 0;\n");
  if (j->space == 2)
    say(t, "AGAIN: sub.u64 %%x0, %%x0, 8; sub.u64 %%y0, %%y0, 8; ld.shared.u64 %%x1, [%%y0]; st.global.u64 [%%x0], "
           "%%x1;\nsub.u32 %%r1, %%r1, 1; setp.gt.u32 %%p1, %%r1, 0; @%%p1 bra AGAIN;\n");
  say(t, "ret; }\n");
}

/* memory: before, and after it */
static void launch(const struct job *j, enum heddle_divergence unit, uint8_t memory[BYTES], const uint8_t want[BYTES]) {
  struct text t = {{0}};
  uint8_t param[8];
  kernel(&t, j);
  for (unsigned k = 0; k < 8; k++) param[k] = (uint8_t)(BASE >> (8 * k));
  struct heddle_program *p = select_compile(t.s, j->level, t.s);
  const struct select_job job = {.base = BASE,
                                 .global = memory,
                                 .bytes = BYTES,
                                 .blocks = 1,
                                 .threads = THREADS,
                                 .param = param,
                                 .param_bytes = sizeof param,
                                 .unit = unit};
  const char *wrong = select_launch(p, &job);
  heddle_program_free(p);
  if (wrong) fail_msg("%s\n%s", wrong, t.s);
  for (unsigned k = 0; k < BYTES; k++)
    if (memory[k] != want[k]) fail_msg("byte %u is %x, not %x\n%s", k, memory[k], want[k], t.s);
}

static void run(const struct job *j, uint64_t seed) {
  static uint8_t memory[BYTES], want[BYTES];
  fill(j, seed, memory, want);
  launch(j, seed & 1 ? HEDDLE_ITS : HEDDLE_STACK, memory, want);
}

static void one(const struct kind *q, const struct shape *s, unsigned k) {
  const bool layouts[4] = {k & 1, k >> 1 & 1, k >> 2 & 1, k >> 3 & 1};
  run(&(struct job){.s = s,
                    .q = q,
                    .a = matrix_of(AT_A, s->m, s->k, layouts[0], (k % 3) != 0, q->ab),
                    .b = matrix_of(AT_B, s->k, s->n, layouts[1], (k % 3) != 1, q->ab),
                    .c = matrix_of(AT_C, s->m, s->n, layouts[2], (k % 5) != 0, q->c),
                    .d = matrix_of(AT_D, s->m, s->n, layouts[3], (k % 5) != 1, q->d),
                    .space = k % 7 % 3,
                    .level = k % 11 % 2},
      k * 7919 + 1);
}

static void products(void **state) {
  unsigned done = 0;
  (void)state;
  for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++)
    for (unsigned m = 0; m < sizeof shapes / sizeof *shapes; m++)
      for (unsigned k = 0; k < 48 && shapes[m].a[kinds[n].ab->bytes]; k++, done++) one(&kinds[n], &shapes[m], k);
  print_message("%u products\n", done);
  assert_int_equal(done, (7 * 3 + 2) * 48);
}

/* ---- silicon: m16n16k16; records A by rows, B by columns, C, D by rows ---- */

static const struct kind *kind_named(const char *types) {
  for (unsigned n = 0; n < sizeof kinds / sizeof *kinds; n++)
    if (strcmp(kinds[n].types, types) == 0) return &kinds[n];
  fail_msg("no kind %s", types);
  return NULL;
}

static void tiles(const char *types, const char *file) {
  enum { TILES = 64, SIDE = 16, HALVES = SIDE * SIDE * 2 };
  static uint8_t memory[BYTES], want[BYTES];
  const struct kind *q = kind_named(types);
  const struct job j = {.s = &shapes[0],
                        .q = q,
                        .a = matrix_of(AT_A, SIDE, SIDE, true, false, q->ab),
                        .b = matrix_of(AT_B, SIDE, SIDE, false, false, q->ab),
                        .c = matrix_of(AT_C, SIDE, SIDE, true, false, q->c),
                        .d = matrix_of(AT_D, SIDE, SIDE, true, false, q->d),
                        .level = 1};
  char path[512];
  (void)snprintf(path, sizeof path, SILICON_DIR "/mma/%s", file);
  FILE *f = form_file_open(path);
  for (unsigned n = 0; n < TILES; n++) {
    for (unsigned k = 0; k < BYTES; k++) memory[k] = some_byte(k);
    assert_int_equal(fread(memory + AT_A, HALVES, 1, f), 1);
    assert_int_equal(fread(memory + AT_B, HALVES, 1, f), 1);
    assert_int_equal(fread(memory + AT_C, SIDE * SIDE * q->c->bytes, 1, f), 1);
    memcpy(want, memory, BYTES);
    assert_int_equal(fread(want + AT_D, SIDE * SIDE * q->d->bytes, 1, f), 1);
    launch(&j, HEDDLE_STACK, memory, want);
  }
  assert_int_equal(fgetc(f), EOF);
  (void)fclose(f);
}

static void mixed_sums_of_silicon(void **state) {
  (void)state;
  tiles("f16.f32", "wmma_f16_f32.bin");
  tiles("f32.f16", "wmma_f32_f16.bin");
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(products), cmocka_unit_test(mixed_sums_of_silicon)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
