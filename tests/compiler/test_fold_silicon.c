/* SPDX-License-Identifier: Apache-2.0
 *
 * Every PTX operation of tests/silicon, its operands made constants: what folds must be what the GPU returned. The same
 * operations, not folded, judge the interpreter of these tests.
 */
#include <glob.h>

#include "tests/test.h"
#include "tests/compiler/lowered.h"

#include "tests/compiler/ir_warp.h"

#include "tests/silicon/form_file.h"

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
  const struct CMUnitTest tests[] = {cmocka_unit_test(forms)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
