/* SPDX-License-Identifier: Apache-2.0
 * The programs of heddle bench rate are what their rows say: proven control codes, the banks and chains that are asked
 * for, bodies that fit the instruction cache. And what a file with figures of silicon may hold. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "lab/bench/bench_rate.h"
#include <heddle/asm.h>
#include <heddle/lint.h>

static struct heddle_program *assemble(const struct heddle_config *c, const struct rate_shape *s, unsigned units) {
  size_t size = 0;
  struct heddle_asm_options o = {.size = sizeof o, .message = tool_message, .long_words = true};
  char *text = rate_text(c, s, units, &size);
  assert_non_null(text);
  assert_true(tool_stalls(c->name, o.stall));
  struct heddle_program *p;
  assert_int_equal(heddle_assemble(text, size, "rate", &o, &p), HEDDLE_SUCCESS);
  free(text);
  return p;
}

static unsigned conflicts_most(enum rate_body body) {
  return body == RATE_FFMA ? 2 : body == RATE_LDS ? HEDDLE_LANES : 1;
}

static unsigned conflicts_least(enum rate_body body) {
  return body == RATE_LDS || body == RATE_STS ? 1 : 0;
}

/* Calls `f` for every program that there is of a configuration. */
static void each(const struct heddle_config *c,
                 void (*f)(const struct heddle_config *c, const struct rate_shape *s, const struct heddle_program *p)) {
  static const unsigned chains[] = {1, 2, 3, 4, 6, 8};
  unsigned there = 0;
  for (unsigned b = 0; b < RATE_BODIES; b++)
    for (unsigned k = conflicts_least((enum rate_body)b); k <= conflicts_most((enum rate_body)b); k = k > 0 ? 2 * k : 1)
      for (size_t i = 0; i < sizeof chains / sizeof *chains; i++) {
        const struct rate_shape s = {(enum rate_body)b, chains[i], c->warps, k};
        if ((b == RATE_MIXED && chains[i] != 8) || !rate_there(c, s.body)) continue;
        struct heddle_program *p = assemble(c, &s, rate_units(c, s.body));
        f(c, &s, p);
        heddle_program_free(p);
        there++;
      }
  assert_true(there >= 6 * RATE_LDG);
}

static void each_config(void (*f)(const struct heddle_config *c, const struct rate_shape *s,
                                  const struct heddle_program *p)) {
  for (size_t i = 0; i < heddle_config_count(); i++) each(heddle_config_at(i), f);
}

/* The control codes that say "at once" are as short as they may be, and no shorter. */
static void proven(const struct heddle_config *c, const struct rate_shape *s, const struct heddle_program *p) {
  const enum heddle_lint_verdict v =
      heddle_lint(p, &(struct heddle_lint_options){.size = sizeof(struct heddle_lint_options)}, NULL);
  if (v != HEDDLE_LINT_PROVEN) fail_msg("%s: body %d of %u chains: not proven", c->name, (int)s->body, s->chains);
}

static void test_proven(void **state) {
  (void)state;
  each_config(proven);
}

/* In lists of rows; the loop begins where the branch at its end leads. */
static void fits(const struct heddle_config *c, const struct rate_shape *s, const struct heddle_program *p) {
  unsigned words = 0, of_loop = 0;
  bool taken = false;
  for (uint32_t pc = p->code_bytes; pc > 0; pc = heddle_isa_before(p->code, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, heddle_isa_before(p->code, pc)), &d));
    words++;
    if (d.op == ISA_OP_BRA && !taken) {
      of_loop = (unsigned)(-heddle_isa_get_signed(d.word, ISA_F_REL)) / ISA_WORD_BYTES;
      taken = true;
    }
  }
  assert_true(taken && of_loop < words);
  assert_true(of_loop * ISA_WORD_BYTES <= c->icache_bytes);
  assert_true(of_loop > rate_units(c, s->body));
  assert_true(p->kernel[0].regs * c->warps <= c->regs);
  assert_true(p->kernel[0].shared_bytes <= c->shared_bytes);
}

static void test_fits(void **state) {
  (void)state;
  each_config(fits);
}

/* Registers of an instruction that lie in the bank of another of its registers. */
static unsigned conflicts(const struct heddle_config *c, const struct heddle_isa_dec *d) {
  unsigned used[8] = {0}, n = 0;
  for (unsigned i = 0; i < 3; i++)
    if (d->src[i].kind == ISA_REG && d->src[i].reg != ISA_RZ) n += used[d->src[i].reg % c->banks]++ > 0;
  return n;
}

/* Every FFMA has as many conflicts as it should; a chain goes on after as many of them as there are chains. */
static void banks(const struct heddle_config *c, const struct rate_shape *s, const struct heddle_program *p) {
  uint8_t last[RATE_UNITS_MAX];
  unsigned n = 0;
  if (s->body != RATE_FFMA) return;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
    if (d.op != ISA_OP_FFMA) continue;
    assert_int_equal(conflicts(c, &d), s->conflicts);
    assert_int_equal(d.rd, d.src[2].reg);
    for (unsigned k = 1; k < s->chains && k <= n; k++) assert_int_not_equal(d.rd, last[n - k]);
    if (n >= s->chains) assert_int_equal(d.rd, last[n - s->chains]);
    if (s->conflicts > 0 && n > 0) assert_int_equal(d.rd % c->banks, last[0] % c->banks);
    last[n++] = d.rd;
  }
  assert_int_equal(n, rate_units(c, s->body));
}

static void test_banks(void **state) {
  (void)state;
  each_config(banks);
}

/* Of the two pipes' results none shares a bank. */
static void halves(const struct heddle_config *c, const struct rate_shape *s, const struct heddle_program *p) {
  unsigned written[2] = {0}, body = 0;
  if (s->body != RATE_MIXED) return;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
    if (d.rd == 0 || (d.op != ISA_OP_FFMA && d.op != ISA_OP_IADD3)) continue;
    assert_int_equal(d.op, body++ % 2 == 0 ? ISA_OP_FFMA : ISA_OP_IADD3);
    assert_int_equal(conflicts(c, &d), 0);
    written[d.op == ISA_OP_FFMA] |= 1u << d.rd % c->banks;
  }
  assert_int_equal(body, rate_units(c, s->body));
  assert_int_equal(written[0] & written[1], 0);
}

static void test_halves(void **state) {
  (void)state;
  each_config(halves);
}

/* The mnemonic of a form up to its first dot or space is that of an instruction's name. */
static bool is(const struct heddle_isa_dec *d, const char *text) {
  const char *name = heddle_isa_op_name((enum heddle_isa_op)d->op);
  const size_t n = strcspn(text, ". ");
  return strncmp(name, text, n) == 0 && (name[n] == '.' || name[n] == '\0');
}

/* A form's body is its units, each in the machine; a chain's unit waits for the counter that the one before raised. */
static void of_forms(const struct heddle_config *c, const struct rate_shape *s, const struct heddle_program *p) {
  const struct rate_form *form = rate_form(s->body);
  unsigned n = 0;
  if (form == NULL) return;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    assert_true(heddle_isa_decode(heddle_program_word(p, pc), &d));
    assert_true(heddle_isa_in_machine(&d, heddle_config_units(c)));
    const char *text = form->odd != NULL && n % 2 == 1 ? form->odd : form->text;
    if (!is(&d, text) || (n == 0 && d.ctl.wbar == 7 && form->way == RATE_COUNTS)) continue;
    if (form->way == RATE_COUNTS) {
      assert_int_equal(d.ctl.wbar,
                       strstr(form->text, "$d") != NULL ? n % s->chains % 6 : 0); /* $d: one register for each chain */
      assert_int_equal(d.ctl.wait, 1u << d.ctl.wbar);
    }
    n++;
  }
  const unsigned setup = form->start == RATE_AT_LOCAL && form->text[0] == 'S' ? 4 : 0; /* STL before the loop */
  assert_int_equal(n, rate_units(c, s->body) + (form->odd != NULL ? 0 : setup));
}

static void test_forms(void **state) {
  (void)state;
  each_config(of_forms);
  assert_null(rate_form(RATE_FFMA));
  assert_false(rate_there(heddle_config_find("tiny"), RATE_MUFU));
  assert_true(rate_there(heddle_config_find("sm"), RATE_DFMA));
}

/* From issue to issue, by the count alone. */
static unsigned apart(const struct heddle_config *c, unsigned count) {
  return count > c->beats ? count : c->beats;
}

/* A round of chains takes the latency, no cycle more; its instructions but the last come one after the other. */
static void test_stalls(void **state) {
  (void)state;
  for (size_t i = 0; i < heddle_config_count(); i++) {
    const struct heddle_config *c = heddle_config_at(i);
    /* By hand for tiny: seven rows after the first one at four cycles, two to the issue, three to the next first row.
     */
    if (c->row_queues != 0) {
      assert_int_equal(rate_latency(c, RATE_IADD3), 33);
      assert_int_equal(rate_latency(c, RATE_FFMA), 33);
      continue;
    }
    const unsigned alu = apart(c, c->stall_alu_reg), fma = apart(c, c->stall_fma_reg);
    assert_int_equal(rate_latency(c, RATE_IADD3), alu + c->beats * (c->lanes / c->alu_lanes - 1));
    assert_int_equal(rate_latency(c, RATE_FFMA), fma + c->beats * (c->lanes / c->fma_lanes - 1));
    for (unsigned chains = 1; chains <= 8; chains++) {
      const struct rate_shape s = {RATE_FFMA, chains, 1, 0};
      unsigned sum = 0;
      for (unsigned k = 0; k < chains; k++) {
        const unsigned stall = rate_stall(c, &s, 5 * chains + k);
        assert_true(stall >= 1 && (k + 1 == chains || stall <= c->beats));
        sum += stall;
      }
      assert_int_equal(sum, c->stall_fma_reg > chains ? c->stall_fma_reg : chains);
    }
  }
}

/* By hand: two conversions of eight lanes a cycle take four beats of four cycles, 12 of which no count sees; four lanes
 * and one eight of four. One warp's chain waits the six that are counted (tiny: no more than the beats). A multiply-add
 * of four lanes of eight takes four beats of two cycles, and a chain of them waits eight that are counted and four;
 * so an addition of two lanes, four beats of four cycles, and five that are counted and 12. */
static void test_passes(void **state) {
  (void)state;
  struct heddle_config c = *heddle_config_find("fpga");
  const struct rate_shape full = {RATE_F2I_S32_F32, 8, 0, 0};
  c.lanes = 8, c.beats = 4, c.fma_lanes = 8, c.cvt_lanes = 2, c.stall_cvt_reg = 6, c.operand_lines = 1;
  assert_int_equal(rate_passes(&c, RATE_I2F), 4);
  assert_int_equal(rate_passes(&c, RATE_FFMA), 1);
  assert_int_equal(rate_busy(&c, RATE_FFMA), 4);
  assert_true(rate_form_limit(&c, &full) == 16);
  assert_int_equal(rate_latency(&c, RATE_I2F), 18);
  c.lanes = 4, c.beats = 8, c.cvt_lanes = 1, c.stall_cvt_reg = 1;
  assert_true(rate_form_limit(&c, &full) == 32);
  assert_int_equal(rate_latency(&c, RATE_I2F), 32);
  c.lanes = 8, c.beats = 4, c.fma_lanes = 4, c.stall_fma_reg = 8;
  assert_int_equal(rate_busy(&c, RATE_FFMA), 8);
  assert_int_equal(rate_latency(&c, RATE_FFMA), 12);
  c.alu_lanes = 2, c.stall_alu_reg = 5;
  assert_int_equal(rate_busy(&c, RATE_IADD3), 16);
  assert_int_equal(rate_latency(&c, RATE_IADD3), 17);
  assert_int_equal(rate_passes(&c, RATE_MIXED), 4); /* of the slower one */
  c.alu_lanes = 8;
  assert_int_equal(rate_passes(&c, RATE_MIXED), 2);
  c.lanes = 4, c.beats = 8, c.cvt_lanes = 4;
  assert_true(rate_form_limit(&c, &full) == 8);
  assert_int_equal(rate_latency(&c, RATE_I2F), 8);
}

#define HEADER "op,warps,chains,warp_instructions_per_cycle_per_SM\n"

static unsigned parsed(const char *lines, struct rate_point *p) {
  char text[8192];
  assert_true((size_t)snprintf(text, sizeof text, "%s", lines) < sizeof text);
  return rate_silicon_parse(text, "rates.csv", p);
}

static void test_silicon(void **state) {
  struct rate_point p[RATE_SILICON_MAX];
  (void)state;
  assert_int_equal(parsed(HEADER "fma.rn.f32,1,2,0.4705\nfma.rn.f32,32,8,3.8187\n", p), 2);
  assert_true(p[0].warps == 1 && p[0].chains == 2 && p[0].rate == 0.4705 && p[0].law == 0.5);
  assert_true(p[1].warps == 32 && p[1].chains == 8 && p[1].rate == 3.8187 && p[1].law == 4);
  static const char *const bad[] = {"",
                                    HEADER,
                                    "fma.rn.f32,1,2,0.4705\n",
                                    HEADER "mad.lo.s32,1,1,0.2344\n",
                                    HEADER "fma.rn.f32,1,2\n",
                                    HEADER "fma.rn.f32,0,2,0.4\n",
                                    HEADER "fma.rn.f32,1,0,0.4\n",
                                    HEADER "fma.rn.f32,1,2,0.4,5\n",
                                    HEADER "fma.rn.f32,1,2,-0.4\n",
                                    HEADER "fma.rn.f32,1,2,nan\n",
                                    HEADER "fma.rn.f32,1,2,1e9\n",
                                    HEADER "fma.rn.f32,99999999999,2,0.4\n",
                                    HEADER "fma.rn.f32,1,2,0.4\nx\n"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) assert_int_equal(parsed(bad[i], p), 0);
}

/* One line more than there is room for. */
static void test_silicon_many(void **state) {
  struct rate_point p[RATE_SILICON_MAX];
  char text[8192] = HEADER;
  (void)state;
  for (unsigned i = 0; i < RATE_SILICON_MAX; i++) strcat(text, "fma.rn.f32,1,2,0.47\n");
  assert_int_equal(parsed(text, p), RATE_SILICON_MAX);
  strcat(text, "fma.rn.f32,1,2,0.47\n");
  assert_int_equal(parsed(text, p), 0);
}

/* The file of the project: every pair of warps and chains once. */
static void test_silicon_file(void **state) {
  struct rate_point p[RATE_SILICON_MAX];
  (void)state;
  const unsigned n = rate_silicon(p);
  assert_int_equal(n, 16 * 6);
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = 0; k < i; k++) assert_false(p[i].warps == p[k].warps && p[i].chains == p[k].chains);
  for (unsigned i = 0; i < n; i++) assert_true(p[i].rate <= 1.001 * p[i].law);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_proven),       cmocka_unit_test(test_fits),
                                     cmocka_unit_test(test_banks),        cmocka_unit_test(test_halves),
                                     cmocka_unit_test(test_forms),        cmocka_unit_test(test_stalls),
                                     cmocka_unit_test(test_passes),       cmocka_unit_test(test_silicon),
                                     cmocka_unit_test(test_silicon_many), cmocka_unit_test(test_silicon_file)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
