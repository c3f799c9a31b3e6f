/* SPDX-License-Identifier: Apache-2.0
 *
 * Folding.
 */
#include <glob.h>
#include "tests/compiler/graph/ir_warp.h"
#include "tests/compiler/lower/lowered.h"
#include "tests/silicon/form_file.h"
#include "tests/test.h"

/* Folding: single rewritings by hand; every PTX operation of tests/silicon on constants against what the GPU returned;
 * divisions by constants against C. */

/* ---- by hand: statements, and the graph after folding ---- */

static void folds_to(const char *body, const char *wanted) {
  char text[2000];
  struct lowered l;
  snprintf(text, sizeof text, "%s%s%s", OPEN, body, CLOSE);
  if (!lowered(&l, text, false)) fail_msg("%s: %s", body, l.p.messages ? l.p.message[0].text : "no message");
  ir_to_ssa(l.f);
  ir_fold(l.f);
  ir_dead(l.f);
  assert_null(ir_check(l.f, true));
  char *got = normalised(l.f, false);
  if (strcmp(got, wanted) != 0) fail_msg("%s\n  is     %s\n  wanted %s", body, got, wanted);
  free(got);
  lowered_free(&l);
}

#define IN "ld.global.b32 %r1, [0]; ld.global.b32 %r2, [4]; ld.global.b32 %r3, [8]; "
#define LOADED "r1 = ld.global.b32 [0x0]; r2 = ld.global.b32 [0x4]; r3 = ld.global.b32 [0x8]; "
#define IN1 "ld.global.b32 %r1, [0]; "
#define LOADED1 "r1 = ld.global.b32 [0x0]; "
#define IN2 "ld.global.b32 %r1, [0]; ld.global.b32 %r2, [4]; "
#define LOADED2 "r1 = ld.global.b32 [0x0]; r2 = ld.global.b32 [0x4]; "
#define WIDE "ld.global.b64 %d1, [0]; "
#define WIDELOADED "d1 = ld.global.b64 [0x0]; "
#define OUT " st.global.b32 [16], %r0;"
#define OUTD " st.global.b64 [16], %d0;"

static void integers(void **state) {
  (void)state;
  folds_to("mov.u32 %r1, 5; add.u32 %r0, %r1, 7;" OUT, "st.global.b32 [0x10], 0xc; exit");
  folds_to(IN1 "add.u32 %r0, %r1, 0;" OUT, LOADED1 "st.global.b32 [0x10], r1; exit");
  folds_to(IN1 "sub.u32 %r2, %r1, 3; add.u32 %r0, %r2, 5;" OUT,
           LOADED1 "r0 = add.u32 r1, 0x2; st.global.b32 [0x10], r0; exit");
  folds_to(IN "mul.lo.u32 %r4, %r1, %r2; add.u32 %r0, %r4, %r3;" OUT,
           LOADED "r0 = mad.u32 r1, r2, r3; st.global.b32 [0x10], r0; exit");
  folds_to(IN "mul.lo.u32 %r4, %r1, %r2; add.u32 %r0, %r4, %r3; st.global.b32 [20], %r4;" OUT, /* wanted by itself */
           LOADED "r4 = mul.u32 r1, r2; r0 = add.u32 r3, r4; st.global.b32 [0x14], r4; st.global.b32 [0x10], r0; exit");
  folds_to(WIDE "mul.lo.u64 %d0, %d1, 8;" OUTD, WIDELOADED "d0 = shl.b64 d1, 0x3; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "shl.b32 %r2, %r1, 3; shl.b32 %r0, %r2, 4;" OUT,
           LOADED1 "r0 = shl.b32 r1, 0x7; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "shr.u32 %r0, %r1, 40;" OUT, "st.global.b32 [0x10], 0x0; exit");
  folds_to(IN1 "rem.u32 %r0, %r1, 16;" OUT, LOADED1 "r0 = and.b32 r1, 0xf; st.global.b32 [0x10], r0; exit");
}

static void wide(void **state) {
  (void)state;
  folds_to(IN2 "cvt.s64.s32 %d1, %r1; cvt.s64.s32 %d2, %r2; mul.lo.s64 %d0, %d1, %d2;" OUTD,
           LOADED2 "d0 = mulwide.s32 r1, r2; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.u64.u32 %d1, %r1; shl.b64 %d0, %d1, 2;" OUTD,
           LOADED1 "d0 = mulwide.u32 r1, 0x4; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE IN1 "mul.wide.s32 %d2, %r1, 4; add.s64 %d0, %d1, %d2;" OUTD,
           WIDELOADED LOADED1 "d0 = madwide.s32 r1, 0x4, d1; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.s64.s32 %d1, %r1; cvt.u32.u64 %r0, %d1;" OUT, LOADED1 "st.global.b32 [0x10], r1; exit");
  /* (x << 32) >> 30 of a sum: four times the low word of it */
  folds_to(WIDE "ld.global.b64 %d2, [8]; add.s64 %d3, %d1, %d2; shl.b64 %d4, %d3, 32; shr.s64 %d0, %d4, 30;" OUTD,
           WIDELOADED "d2 = ld.global.b64 [0x8]; d1 = cvt.u32.u64 d1; d2 = cvt.u32.u64 d2; d3 = add.u32 d1, d2; "
                      "d0 = mulwide.s32 d3, 0x4; st.global.b64 [0x10], d0; exit");
}

/* The low word of a number, written as a mask; a mask that keeps more is a mask. */
static void masked(void **state) {
  (void)state;
  folds_to(WIDE "and.b64 %d0, %d1, 0xffffffff;" OUTD,
           WIDELOADED "t0 = cvt.u32.u64 d1; d0 = cvt.u64.u32 t0; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE "and.b64 %d0, %d1, 0x1ffffffff;" OUTD,
           WIDELOADED "d0 = and.b64 d1, 0x1ffffffff; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE "shl.b64 %d2, %d1, 2; and.b64 %d0, %d2, 0x3fffffffc;" OUTD,
           WIDELOADED "t0 = cvt.u32.u64 d1; d0 = mulwide.u32 t0, 0x4; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE "shl.b64 %d2, %d1, 2; and.b64 %d0, %d2, 0x7fffffffc;" OUTD,
           WIDELOADED "d2 = shl.b64 d1, 0x2; d0 = and.b64 d2, 0x7fffffffc; st.global.b64 [0x10], d0; exit");
  folds_to(WIDE "shl.b64 %d2, %d1, 4; and.b64 %d0, %d2, 0x10ffff0;" OUTD,
           WIDELOADED "d1 = cvt.u32.u64 d1; d2 = shl.b32 d1, 0x4; t0 = and.b32 d2, 0x10ffff0; d0 = cvt.u64.u32 t0; "
                      "st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.u64.u32 %d1, %r1; shr.s64 %d0, %d1, 5;" OUTD,
           LOADED1 "t0 = shr.u32 r1, 0x5; d0 = cvt.u64.u32 t0; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.s64.s32 %d1, %r1; shr.s64 %d0, %d1, 40;" OUTD,
           LOADED1 "t0 = shr.s32 r1, 0x1f; d0 = cvt.s64.s32 t0; st.global.b64 [0x10], d0; exit");
  folds_to(IN1 "cvt.s64.s32 %d1, %r1; shr.u64 %d0, %d1, 5;" OUTD,
           LOADED1 "d1 = cvt.s64.s32 r1; d0 = shr.u64 d1, 0x5; st.global.b64 [0x10], d0; exit");
}

static void logic(void **state) {
  (void)state;
  folds_to(IN "and.b32 %r4, %r1, %r2; or.b32 %r0, %r4, %r3;" OUT,
           LOADED "r0 = lop3.b32 r3, r1, r2, 0xf8; st.global.b32 [0x10], r0; exit");
  folds_to(IN "xor.b32 %r4, %r1, %r2; xor.b32 %r0, %r4, %r1;" OUT,
           "r2 = ld.global.b32 [0x4]; st.global.b32 [0x10], r2; exit");
  folds_to(IN2 "not.b32 %r4, %r2; and.b32 %r0, %r4, %r1;" OUT,
           LOADED2 "r0 = lop3.b32 r1, r2, 0x0, 0x30; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "and.b32 %r2, %r1, 0xff; and.b32 %r0, %r2, 0x3c;" OUT,
           LOADED1 "r0 = and.b32 r1, 0x3c; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "xor.b32 %r0, %r1, 0xffffffff;" OUT, LOADED1 "r0 = not.b32 r1; st.global.b32 [0x10], r0; exit");
}

static void choices(void **state) {
  (void)state;
  folds_to(IN2 "setp.lt.s32 %p1, %r1, %r2; selp.b32 %r0, %r1, %r2, %p1;" OUT,
           LOADED2 "r0 = min.s32 r1, r2; st.global.b32 [0x10], r0; exit");
  folds_to(IN2
           "setp.lt.s32 %p1, %r1, %r2; selp.u32 %r3, 1, 0, %p1; setp.ne.u32 %p2, %r3, 0; selp.b32 %r0, 7, 9, %p2;" OUT,
           LOADED2 "p1 = setp.lt.s32 r1, r2; r0 = selp.b32 0x7, 0x9, p1; st.global.b32 [0x10], r0; exit");
  folds_to(IN2 "setp.lt.s32 %p1, %r1, %r2; not.pred %p2, %p1; selp.b32 %r0, 7, 9, %p2;" OUT,
           LOADED2 "p2 = setp.ge.s32 r1, r2; r0 = selp.b32 0x7, 0x9, p2; st.global.b32 [0x10], r0; exit");
  folds_to(IN
           "setp.lt.s32 %p1, %r1, %r2; setp.eq.u32 %p2, %r3, 4; and.pred %p3, %p1, %p2; selp.b32 %r0, 7, 9, %p3;" OUT,
           LOADED "p1 = setp.lt.s32 r1, r2; p3 = setp.eq.and.u32 r3, 0x4, p1; r0 = selp.b32 0x7, 0x9, p3; "
                  "st.global.b32 [0x10], r0; exit");
  /* for equality alone, where nobody else reads the sum */
  folds_to(IN1 "add.u32 %r2, %r1, -3; setp.eq.u32 %p1, %r2, 2; selp.b32 %r0, 7, 9, %p1;" OUT,
           LOADED1 "p1 = setp.eq.u32 r1, 0x5; r0 = selp.b32 0x7, 0x9, p1; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "add.u32 %r2, %r1, -3; setp.lt.u32 %p1, %r2, 2; selp.b32 %r0, 7, 9, %p1;" OUT,
           LOADED1 "r2 = add.u32 r1, 0xfffffffd; p1 = setp.lt.u32 r2, 0x2; r0 = selp.b32 0x7, 0x9, p1; st.global.b32 "
                   "[0x10], r0; exit");
  folds_to(IN1 "add.u32 %r2, %r1, -3; setp.eq.u32 %p1, %r2, 2; selp.b32 %r0, %r2, 9, %p1;" OUT,
           LOADED1 "r2 = add.u32 r1, 0xfffffffd; p1 = setp.eq.u32 r2, 0x2; r0 = selp.b32 r2, 0x9, p1; st.global.b32 "
                   "[0x10], r0; exit");
  folds_to(IN1 "cvt.s64.s32 %d1, %r1; setp.lt.s64 %p1, %d1, 5; selp.b32 %r0, 7, 9, %p1;" OUT,
           LOADED1 "p1 = setp.lt.s32 r1, 0x5; r0 = selp.b32 0x7, 0x9, p1; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "mov.u32 %r2, 3; setp.gt.u32 %p1, %r2, 2; @%p1 bra A; add.u32 %r1, %r1, 1; A: mov.u32 %r0, %r1;" OUT,
           LOADED1 "st.global.b32 [0x10], r1; exit");
}

static void addresses(void **state) {
  (void)state;
  folds_to(WIDE "add.s64 %d2, %d1, 100; ld.global.b32 %r0, [%d2+20];" OUT,
           WIDELOADED "r0 = ld.global.b32 [d1+120]; st.global.b32 [0x10], r0; exit");
  folds_to(WIDE "add.s64 %d2, %d1, 0x7fffffff; ld.global.b32 %r0, [%d2];" OUT, /* more than an offset holds */
           WIDELOADED "d2 = add.s64 d1, 0x7fffffff; r0 = ld.global.b32 [d2]; st.global.b32 [0x10], r0; exit");
  folds_to(
      ".shared .b8 a[64]; .shared .b8 b[64]; ld.shared.b32 %r1, [a]; mov.u64 %d1, b; mul.wide.u32 %d2, %r1, 4; "
      "add.s64 %d3, %d1, %d2; ld.shared.b32 %r0, [%d3+8];" OUT,
      "r1 = ld.shared.b32 [0x0]; d2 = mul.u32 r1, 0x4; r0 = ld.shared.b32 [d2+72]; st.global.b32 [0x10], r0; exit");
  folds_to(".shared .b8 a[64]; cvta.shared.u64 %d1, a; mul.wide.u32 %d2, %r1, 4; add.s64 %d3, %d1, %d2; ld.b32 %r0, "
           "[%d3+8];" OUT,
           "t0 = undef.b32; t1 = mul.u32 t0, 0x4; r0 = ld.shared.b32 [t1+8]; st.global.b32 [0x10], r0; exit");
  /* Of shared memory, whose addresses have 32 bits: the constant of an index is an offset; of global memory it is not.
   */
  folds_to(IN1 "add.u32 %r2, %r1, 16; mul.wide.u32 %d1, %r2, 4; ld.shared.b32 %r0, [%d1+8];" OUT,
           LOADED1 "t0 = mul.u32 r1, 0x4; r0 = ld.shared.b32 [t0+72]; st.global.b32 [0x10], r0; exit");
  folds_to(IN2 "add.u32 %r3, %r1, -3; mad.lo.u32 %r4, %r3, 12, %r2; ld.shared.b32 %r0, [%r4];" OUT,
           LOADED2 "t0 = mad.u32 r1, 0xc, r2; r0 = ld.shared.b32 [t0-36]; st.global.b32 [0x10], r0; exit");
  folds_to(IN1 "add.u32 %r2, %r1, 16; mul.wide.u32 %d1, %r2, 4; ld.global.b32 %r0, [%d1+8];" OUT,
           LOADED1 "r2 = add.u32 r1, 0x10; d1 = mulwide.u32 r2, 0x4; r0 = ld.global.b32 [d1+8]; "
                   "st.global.b32 [0x10], r0; exit");
  folds_to("ld.global.u8 %r0, [8]; and.b32 %r0, %r0, 255;" OUT,
           "r0 = ld.global.u8 [0x8]; st.global.b32 [0x10], r0; exit");
}

/* Every PTX operation of tests/silicon, its operands made constants: what folds must be what the GPU returned. The same
 * operations, not folded, judge the interpreter of these tests. */

enum { COUNT = 2048, SAMPLES = 256 };

struct operand { /* of a form: its numbers */
  bool is_there;
  unsigned width; /* bytes */
  uint8_t *raw;
};

/* ".reg .s32 a;" says what `a` is. */
static bool type_of(const char *text, char name, char *family, unsigned *width) {
  char kind[8];
  for (const char *at = text; (at = strstr(at, ".reg .")) != NULL; at++) {
    char letter;
    if (sscanf(at, ".reg .%1[bsuf]%u %c;", kind, width, &letter) != 3 || letter != name) continue;
    *family = kind[0] == 'f' ? 'f' : 'i';
    return true;
  }
  return false;
}

static struct operand operand_of(const char *text, unsigned slot) {
  struct operand o = {0};
  char path[400], family;
  unsigned bits;
  if (!type_of(text, (char)('a' + slot), &family, &bits)) return o;
  snprintf(path, sizeof path, SILICON_DIR "/ops/%c%u.%u.bin", family, bits, slot);
  o.is_there = true;
  o.width = bits / 8;
  o.raw = form_file_bytes(path, (size_t)COUNT * o.width);
  return o;
}

static uint64_t number(const struct operand *o, unsigned k) {
  uint64_t x = 0;
  memcpy(&x, o->raw + k * o->width, o->width);
  return x;
}

struct form {
  const char *path;
  char *text;
  struct operand in[3], gold;
  unsigned folded, ran;
};

/* The loads of the operands become constants. Returns the store of the result. */
static struct ir_insn *put_constants(const struct form *t, struct ir_function *f, unsigned k) {
  struct ir_insn *store = NULL;
  unsigned slot = 0;
  for (struct ir_insn *i = f->first->first; i; i = i->next) {
    if (i->op == IR_ST) store = i;
    if (i->op != IR_LD) continue;
    while (!t->in[slot].is_there) slot++;
    ir_change(i, IR_COPY, t->in[slot].width == 8 ? PTX_B64 : PTX_B32);
    i->src[0] = ir_bits(number(&t->in[slot++], k));
  }
  assert_non_null(store);
  return store;
}

static void judge(const struct form *t, unsigned k, uint64_t got, const char *who) {
  uint64_t wanted = number(&t->gold, k), mask = t->gold.width == 8 ? UINT64_MAX : UINT32_MAX;
  if ((got & mask) != wanted)
    fail_msg("%s, element %u: %s says %llx, silicon %llx", t->path, k, who, (unsigned long long)(got & mask),
             (unsigned long long)wanted);
}

/* The interpreter on the constants, as far as it knows the operations. Halves are not its business. */
static void run(struct form *t, const struct ir_function *f, struct ir_insn *store, unsigned k) {
  struct ir_warp *r = calloc(1, sizeof *r);
  const struct ir_operand at = store->src[0];
  store->src[0] = ir_bits(64);
  r->f = f;
  r->lanes = 1;
  r->seed = k;
  r->steps_most = 1000;
  if (!ir_warp_run(r)) {
    uint64_t got = 0;
    memcpy(&got, r->global + 64 + store->memory.offset, t->gold.width);
    judge(t, k, got, "the interpreter");
    t->ran++;
  }
  store->src[0] = at;
  free(r);
}

static bool is_real(const struct form *t) {
  return strstr(t->text, ".f32") || strstr(t->text, ".f64") || strstr(t->text, ".f16");
}

static bool is_half(const struct form *t) {
  return strstr(t->text, ".f16") != NULL;
}

static void element(struct form *t, unsigned k) {
  struct lowered l;
  assert_non_null(lowered(&l, t->text, false));
  ir_to_ssa(l.f);
  struct ir_insn *store = put_constants(t, l.f, k);
  if (!is_half(t)) run(t, l.f, store, k);
  ir_fold(l.f);
  const char *wrong = ir_check(l.f, true);
  if (wrong) fail_msg("%s: %s", t->path, wrong);
  if (store->src[1].kind == IR_CONST) {
    judge(t, k, store->src[1].bits, "folding");
    t->folded++;
  }
  lowered_free(&l);
}

/* What depends on other lanes. */
static bool is_warp_wide(const char *path) {
  static const char *const words[] = {"/shfl.", "/vote.", "/match.", "/redux.", "/activemask."};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strstr(path, words[k])) return true;
  return false;
}

static void forms(void **state) {
  (void)state;
  unsigned always = 0, interpreted = 0;
  glob_t g;
  assert_int_equal(glob(OPS_DIR "/*.ptx", 0, NULL, &g), 0);
  for (size_t n = 0; n < g.gl_pathc; n++) {
    struct form t = {.path = g.gl_pathv[n]};
    char path[400], family;
    if (is_warp_wide(t.path)) continue;
    t.text = form_file_text(t.path);
    for (unsigned s = 0; s < 3; s++) t.in[s] = operand_of(t.text, s);
    unsigned bits;
    assert_true(type_of(t.text, 'd', &family, &bits));
    t.gold = (struct operand){.is_there = true, .width = bits / 8};
    snprintf(path, sizeof path, "%.*s.gold.bin", (int)(strlen(t.path) - 4), t.path);
    t.gold.raw = form_file_bytes(path, (size_t)COUNT * t.gold.width);
    for (unsigned k = 0; k < SAMPLES; k++) element(&t, (unsigned)(n + k * 8) % COUNT);
    always += t.folded == SAMPLES;
    interpreted += t.ran == SAMPLES;
    if (t.folded < SAMPLES && !is_real(&t)) print_message("%s: %u of %d\n", t.path, t.folded, SAMPLES);
    for (unsigned s = 0; s < 3; s++) free(t.in[s].raw);
    free(t.gold.raw);
    free(t.text);
  }
  globfree(&g);
  print_message("always folded: %u, interpreted: %u\n", always, interpreted);
  assert_true(always > 150 && interpreted > 290);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(integers), cmocka_unit_test(wide),    cmocka_unit_test(masked),
                                     cmocka_unit_test(logic),    cmocka_unit_test(choices), cmocka_unit_test(addresses),
                                     cmocka_unit_test(forms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
