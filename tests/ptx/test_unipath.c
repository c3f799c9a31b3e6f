/* SPDX-License-Identifier: Apache-2.0
 *
 * The uniform datapath: small kernels in which a register of the warp could be written by one path while another still
 * reads it, run on the model with either divergence unit, against the same in C. With everything on the datapath that
 * can go there, with what is worth while, and for the RTL, which must not see any of it.
 *
 * A kernel k(out, a, b, n) leaves one word for each thread; %t is its number in the block, %a %b %n the parameters.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "heddle/lint.h"
#include "ptx.h"
#include "select_run.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>

enum { THREADS_MAX = 96, BLOCKS = 3 };

struct arguments {
  uint32_t a, b, n;
};

struct kernel {
  const char *name, *body; /* the result is in %x at the label "done" */
  uint32_t (*twin)(uint32_t t, uint32_t block, const struct arguments *p);
  bool its_only;
  const char *has; /* an instruction that must be there when everything goes over; NULL: none of the datapath */
};

/* ---- the kernels ---- */

/* A counter, a bound, a sum that all threads have in common. */
static const char loop_body[] = "mov.u32 %i, 0; mov.u32 %x, 0; mov.u32 %c, %a;\n"
                                "turn: mad.lo.u32 %c, %c, 3, %b; add.u32 %x, %x, %c; xor.b32 %x, %x, %t;\n"
                                "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra turn;\n";
static uint32_t loop_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t x = 0, c = p->a, i = 0;
  (void)block;
  do {
    c = c * 3 + p->b;
    x = (x + c) ^ t;
  } while (++i < p->n);
  return x;
}

/* Written in one arm, while the other arm still reads what was there before; and behind both. */
static const char arms_body[] =
    "mad.lo.u32 %c, %a, %b, 7; and.b32 %y, %t, 1; setp.eq.u32 %p, %y, 0;\n"
    "mov.u32 %x, %t; @%p bra even;\n"
    "mad.lo.u32 %d, %a, 5, %b; mad.lo.u32 %e, %b, 9, %a; mul.lo.u32 %d, %d, %e;\n"
    "activemask.b32 %y; st.volatile.global.u32 [%at], %d; ld.volatile.global.u32 %y, [%at];\n"
    "add.u32 %x, %x, %y; bra.uni join;\n"
    "even: add.u32 %x, %x, %c; st.volatile.global.u32 [%at], %x;\n"
    "join: mad.lo.u32 %d, %c, 3, %b; add.u32 %x, %x, %d;\n";
static uint32_t arms_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t c = p->a * p->b + 7, x = t;
  (void)block;
  x += t & 1 ? (p->a * 5 + p->b) * (p->b * 9 + p->a) : c;
  return x + c * 3 + p->b;
}

/* Threads leave the circle in different turns: the counter and what comes of it are each thread's own. */
static const char turns_body[] = "and.b32 %y, %t, 7; mov.u32 %i, 0; mov.u32 %c, %a; mov.u32 %x, 0;\n"
                                 "turn: mad.lo.u32 %c, %c, 5, %b; add.u32 %x, %x, %c; add.u32 %i, %i, 1;\n"
                                 "setp.le.u32 %p, %i, %y; @%p bra turn;\n"
                                 "mad.lo.u32 %d, %a, %b, 1; add.u32 %x, %x, %c; add.u32 %x, %x, %d;\n"
                                 "add.u32 %x, %x, %i;\n";
static uint32_t turns_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t c = p->a, x = 0, i = 0;
  (void)block;
  do {
    c = c * 5 + p->b;
    x += c;
  } while (++i <= (t & 7));
  return x + c + p->a * p->b + 1 + i;
}

/* Some threads end before the others go on together. */
static const char ended_body[] = "mad.lo.u32 %c, %a, 11, %b; add.u32 %x, %c, %t; st.global.u32 [%at], %x;\n"
                                 "and.b32 %y, %t, 3; setp.eq.u32 %p, %y, 2; @%p bra gone;\n"
                                 "mov.u32 %i, 0;\n"
                                 "turn: mad.lo.u32 %c, %c, 3, 1; add.u32 %x, %x, %c; add.u32 %i, %i, 1;\n"
                                 "setp.lt.u32 %p, %i, %n; @%p bra turn; bra.uni done;\n"
                                 "gone: ret;\n";
static uint32_t ended_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t c = p->a * 11 + p->b, x = c + t, i = 0;
  (void)block;
  if ((t & 3) == 2) return x;
  do {
    c = c * 3 + 1;
    x += c;
  } while (++i < p->n);
  return x;
}

/* A branch that all threads take alike inside one that parts them: what is written there is not the warp's. */
static const char inside_body[] = "mov.u32 %c, %a; and.b32 %y, %t, 1; setp.eq.u32 %p, %y, 0; setp.lt.u32 %q, %a, %b;\n"
                                  "@%p bra even;\n"
                                  "@%q bra less; add.u32 %c, %c, 100; bra.uni join;\n"
                                  "less: mul.lo.u32 %c, %c, 17; bar.warp.sync 0xaaaaaaaa; bra.uni join;\n"
                                  "even: @%q bra more; mul.lo.u32 %c, %c, 13; bar.warp.sync 0x55555555; bra.uni join;\n"
                                  "more: add.u32 %c, %c, 1000;\n"
                                  "join: mad.lo.u32 %x, %c, 3, %t; mad.lo.u32 %d, %a, 7, %b; xor.b32 %x, %x, %d;\n";
static uint32_t inside_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t c = p->a;
  (void)block;
  if (t & 1)
    c = p->a < p->b ? c * 17 : c + 100;
  else
    c = p->a < p->b ? c + 1000 : c * 13;
  return (c * 3 + t) ^ (p->a * 7 + p->b);
}

/* The other way round: the warp goes one way as a whole, and writes there. */
static const char outside_body[] = "setp.lt.u32 %q, %a, %b; mov.u32 %x, %t; @%q bra less;\n"
                                   "mad.lo.u32 %c, %a, 3, %n; add.u32 %d, %c, %b; bra.uni join;\n"
                                   "less: mad.lo.u32 %c, %b, 5, %n; mul.lo.u32 %d, %c, %c;\n"
                                   "join: and.b32 %y, %t, 4; setp.eq.u32 %p, %y, 0; @%p add.u32 %x, %x, %c;\n"
                                   "@!%p add.u32 %x, %x, %d; mad.lo.u32 %x, %c, %d, %x;\n";
static uint32_t outside_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t c, d;
  (void)block;
  if (p->a < p->b) {
    c = p->b * 5 + p->n;
    d = c * c;
  } else {
    c = p->a * 3 + p->n;
    d = c + p->b;
  }
  return c * d + t + (t & 4 ? d : c);
}

/* 64 bits: carries and comparisons of both words; the number of the block. */
static const char wide_body[] =
    "cvt.u64.u32 %la, %a; cvt.u64.u32 %lb, %b; shl.b64 %la, %la, 31; mul.lo.u64 %lb, %lb, %la;\n"
    "mov.u32 %i, %ctaid.x; cvt.u64.u32 %lc, %i; mov.u32 %i, 0;\n"
    "turn: add.u64 %lc, %lc, %lb; xor.b64 %lc, %lc, %la; setp.lt.u64 %q, %lc, %lb;\n"
    "@%q add.u64 %lc, %lc, 12345678901; add.u32 %i, %i, 1; setp.ne.u32 %p, %i, %n;\n"
    "@%p bra turn;\n"
    "cvt.u32.u64 %c, %lc; shr.u64 %lc, %lc, 32; cvt.u32.u64 %d, %lc; xor.b32 %x, %c, %t;\n"
    "add.u32 %x, %x, %d;\n";
static uint32_t wide_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint64_t a = (uint64_t)p->a << 31, b = p->b * a, c = block;
  uint32_t i = 0;
  do {
    c = (c + b) ^ a;
    if (c < b) c += UINT64_C(12345678901);
  } while (++i != p->n);
  return ((uint32_t)c ^ t) + (uint32_t)(c >> 32);
}

/* A switch on which nobody parts, and one on which they do. */
static const char switch_body[] =
    "rem.u32 %y, %n, 5; mov.u32 %c, %a; table: .branchtargets s0, s1, s2, s3, s4; brx.idx %y, table;\n"
    "s0: add.u32 %c, %c, 1; bra.uni over; s1: mul.lo.u32 %c, %c, 3; bra.uni over; s2: xor.b32 %c, %c, %b;\n"
    "bra.uni over; s3: sub.u32 %c, %b, %c; bra.uni over; s4: shl.b32 %c, %c, 3;\n"
    "over: rem.u32 %y, %t, 5; mov.u32 %d, %c; other: .branchtargets t0, t1, t2, t3, t4; brx.idx %y, other;\n"
    "t0: add.u32 %d, %c, 1; bra.uni last; t1: mul.lo.u32 %d, %c, 3; bra.uni last; t2: xor.b32 %d, %c, %b;\n"
    "bra.uni last; t3: sub.u32 %d, %b, %c; bra.uni last; t4: shl.b32 %d, %c, 3;\n"
    "last: mad.lo.u32 %x, %d, 3, %c; mad.lo.u32 %c, %c, 7, %n; add.u32 %x, %x, %c;\n";
static uint32_t way(uint32_t k, uint32_t c, uint32_t b) {
  return k == 0 ? c + 1 : k == 1 ? c * 3 : k == 2 ? c ^ b : k == 3 ? b - c : c << 3;
}
static uint32_t switch_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t c = way(p->n % 5, p->a, p->b), d = way(t % 5, c, p->b);
  (void)block;
  return d * 3 + c + c * 7 + p->n;
}

/* A reduction and a vote while others of the warp's numbers live; both in an arm that the whole warp takes. */
static const char warp_body[] = "mad.lo.u32 %c, %a, 3, %b; setp.ne.u32 %q, %n, 0; mov.u32 %d, 1; mov.u32 %x, %t;\n"
                                "@!%q bra join; activemask.b32 %y; redux.sync.add.u32 %d, %t, 0xffffffff;\n"
                                "setp.gt.u32 %p, %t, 16; vote.sync.ballot.b32 %e, %p, 0xffffffff; and.b32 %e, %e, %y;\n"
                                "mad.lo.u32 %d, %d, 5, %c; add.u32 %d, %d, %e;\n"
                                "join: add.u32 %x, %x, %d; mad.lo.u32 %x, %x, 3, %c;\n";
static uint32_t threads; /* of a block: what a warp has in common depends on it */
static uint32_t warp_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t c = p->a * 3 + p->b, d = 1, sum = 0, ballot = 0;
  (void)block;
  for (uint32_t k = t / 32 * 32; k < t / 32 * 32 + 32 && k < threads; k++) {
    sum += k;
    ballot |= (uint32_t)(k > 16) << (k % 32);
  }
  if (p->n) d = sum * 5 + c + ballot;
  return (t + d) * 3 + c;
}

/* A loop that waits for memory in front of everything: from there on nobody knows who is where (its). */
static const char poll_body[] = "mad.lo.u32 %c, %a, 3, %b; mov.u32 %i, 0;\n"
                                "wait: ld.volatile.global.u32 %y, [%at]; setp.ne.u32 %p, %y, 0;\n"
                                "add.u32 %i, %i, 1; @%p bra wait;\n"
                                "mad.lo.u32 %d, %c, 5, %i; and.b32 %y, %t, 1; setp.eq.u32 %p, %y, 0; @%p bra even;\n"
                                "mad.lo.u32 %d, %d, 7, %a; \n"
                                "even: add.u32 %x, %d, %c;\n";
static uint32_t poll_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t c = p->a * 3 + p->b, d = c * 5 + 1;
  (void)block;
  return (t & 1 ? d * 7 + p->a : d) + c;
}

/* Each thread waits for the one before it: they come by one by one, the first are behind the loop and write %c while
 * others are still in it and read %d. */
static const char chain_body[] = "mul.lo.u32 %e, %n, 50; setp.eq.u32 %q, %t, 0; @%q bra go;\n"
                                 "wait: ld.volatile.global.u32 %y, [%at+-4]; setp.eq.u32 %p, %y, 0; @%p bra wait;\n"
                                 "go: st.volatile.global.u32 [%at], 1; mov.u32 %i, 0; mov.u32 %x, 0;\n"
                                 "mad.lo.u32 %d, %a, %b, 7;\n"
                                 "turn: mad.lo.u32 %x, %x, 3, %d; xor.b32 %x, %x, %t;\n"
                                 "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %e; @%p bra turn;\n"
                                 "mad.lo.u32 %c, %b, 9, %a; mul.lo.u32 %c, %c, %c; mad.lo.u32 %x, %c, 3, %x;\n"
                                 "or.b32 %x, %x, 1;\n";
static uint32_t chain_twin(uint32_t t, uint32_t block, const struct arguments *p) {
  uint32_t x = 0, c = p->b * 9 + p->a, i = 0;
  (void)block;
  do {
    x = (x * 3 + p->a * p->b + 7) ^ t;
  } while (++i < p->n * 50);
  return (c * c * 3 + x) | 1;
}

static const struct kernel kernels[] = {
    {"loop", loop_body, loop_twin, false, "UISETP"},      {"arms", arms_body, arms_twin, false, "UIMAD"},
    {"turns", turns_body, turns_twin, false, "UIMAD"},    {"ended", ended_body, ended_twin, false, "UIMAD"},
    {"inside", inside_body, inside_twin, false, "UIMAD"}, {"outside", outside_body, outside_twin, false, "UIMAD"},
    {"wide", wide_body, wide_twin, false, "UIADD3.X"},    {"switch", switch_body, switch_twin, false, "ULOP3.LUT"},
    {"warp", warp_body, warp_twin, false, "VOTEU"},       {"poll", poll_body, poll_twin, false, "UIMAD"},
    {"chain", chain_body, chain_twin, true, "UIMAD"}};

/* ---- running them ---- */

static void show(void *ctx, const struct heddle_message *m) {
  if (!m->warning) print_error("%s: %u:%u: %s\n", (const char *)ctx, m->line, m->column, m->text);
}

static struct heddle_program *compile_text(const char *text, const char *name, enum ptx_target target, bool all) {
  const struct ptx_options o = {.target = target,
                                .level = 1,
                                .stall = {4, 12, 4, 6, 6, 12},
                                .message = show,
                                .ctx = (void *)(uintptr_t)name,
                                .all_uniform = all,
                                .check = true};
  struct heddle_program *p = ptx_compile(text, strlen(text), name, &o, NULL, NULL);
  if (!p) fail_msg("%s is refused", name);
  struct lint_options lint = {0};
  struct lint_totals totals;
  if (heddle_lint(p, &lint, &totals) != LINT_PROVEN) fail_msg("%s: %u findings", name, totals.findings);
  return p;
}

static struct heddle_program *compile(const struct kernel *k, enum ptx_target target, bool all) {
  static const char frame[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 a, .param .u32 b, "
      ".param .u32 n)\n{\n.reg .pred %%p, %%q; .reg .b32 %%t, %%a, %%b, %%n, %%i, %%x, %%y, %%c, %%d, %%e, %%w;\n"
      ".reg .b64 %%at, %%o, %%la, %%lb, %%lc;\n"
      "mov.u32 %%t, %%tid.x; mov.u32 %%w, %%ctaid.x; mov.u32 %%x, %%ntid.x; mad.lo.u32 %%w, %%w, %%x, %%t;\n"
      "ld.param.u64 %%at, [out]; mul.wide.u32 %%o, %%w, 4; add.u64 %%at, %%at, %%o;\n"
      "ld.param.u32 %%a, [a]; ld.param.u32 %%b, [b]; ld.param.u32 %%n, [n];\n%s"
      "done: st.global.u32 [%%at], %%x; ret;\n}\n";
  char text[4096];
  (void)snprintf(text, sizeof text, frame, k->body);
  return compile_text(text, k->name, target, all);
}

static unsigned count(const struct heddle_program *p, const char *name) {
  unsigned n = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc += ISA_WORD_BYTES) {
    struct isa_dec d;
    if (isa_decode(heddle_program_word(p, pc), &d)) n += strcmp(isa_op_name((enum isa_op)d.op), name) == 0;
  }
  return n;
}

static void put(uint8_t *to, uint32_t v) {
  for (unsigned k = 0; k < 4; k++) to[k] = (uint8_t)(v >> (8 * k));
}

static void run(const struct heddle_program *p, const struct kernel *k, const struct arguments *a, uint32_t n,
                enum heddle_divergence unit, const char *what) {
  uint32_t memory[THREADS_MAX * BLOCKS] = {0};
  uint8_t param[20] = {0};
  put(param + 8, a->a);
  put(param + 12, a->b);
  put(param + 16, a->n);
  const struct select_job job = {.global = (uint8_t *)memory,
                                 .bytes = sizeof memory,
                                 .blocks = BLOCKS,
                                 .threads = n,
                                 .param = param,
                                 .param_bytes = sizeof param,
                                 .unit = unit};
  const char *wrong = select_launch(p, &job);
  if (wrong) fail_msg("%s, %s, unit %d, %u threads: %s", k->name, what, (int)unit, n, wrong);
  threads = n;
  for (uint32_t w = 0; w < n * BLOCKS; w++) {
    const uint32_t want = k->twin(w % n, w / n, a);
    if (memory[w] != want)
      fail_msg("%s, %s, unit %d, %u threads, a %u, b %u, n %u: thread %u of block %u has 0x%x, not 0x%x", k->name, what,
               (int)unit, n, a->a, a->b, a->n, w % n, w / n, memory[w], want);
  }
}

static void run_all(const struct heddle_program *p, const struct kernel *k, const char *what) {
  static const struct arguments arguments[] = {{3, 5, 4}, {0xfffffff1, 77, 9}, {1000, 12, 1}, {5, 0x80000000, 7}};
  static const uint32_t sizes[] = {32, 96, 45, 7};
  for (unsigned s = 0; s < 4; s++)
    for (unsigned n = 0; n < 4; n++) {
      if (!k->its_only) run(p, k, &arguments[n], sizes[s], HEDDLE_STACK, what);
      run(p, k, &arguments[n], sizes[s], HEDDLE_ITS, what);
    }
}

static void paths(void **state) {
  (void)state;
  for (unsigned n = 0; n < sizeof kernels / sizeof *kernels; n++) {
    const struct kernel *k = &kernels[n];
    struct heddle_program *all = compile(k, PTX_TARGET_MODEL, true), *some = compile(k, PTX_TARGET_MODEL, false);
    struct heddle_program *rtl = compile(k, PTX_TARGET_RTL, true);
    if (count(all, k->has) == 0) fail_msg("%s has no %s", k->name, k->has);
    run_all(all, k, "everything");
    run_all(some, k, "what is worth while");
    run_all(rtl, k, "rtl");
    heddle_program_free(all);
    heddle_program_free(some);
    heddle_program_free(rtl);
  }
}

/* As long as the RTL lacks the datapath, programs for it have none of it. */
static void rtl_has_none(void **state) {
  (void)state;
  for (unsigned n = 0; n < sizeof kernels / sizeof *kernels; n++) {
    struct heddle_program *p = compile(&kernels[n], PTX_TARGET_RTL, true);
    for (uint32_t pc = 0; pc < p->code_bytes; pc += ISA_WORD_BYTES) {
      struct isa_dec d;
      assert_true(isa_decode(heddle_program_word(p, pc), &d));
      if (d.unit == ISA_UNIT_UNI) assert_true(isa_in_rtl(&d));
    }
    heddle_program_free(p);
  }
}

/* ---- what is written where ---- */

/* Within `from` .. `to` (the first BSSY, the first BSYNC), no uniform register is written. */
static void nothing_apart(void **state) {
  (void)state;
  static const char *const parting[] = {"arms", "turns", "inside"};
  for (unsigned n = 0; n < sizeof kernels / sizeof *kernels; n++)
    for (unsigned k = 0; k < 3; k++) {
      bool apart = false, seen = false;
      if (strcmp(kernels[n].name, parting[k]) != 0) continue;
      struct heddle_program *p = compile(&kernels[n], PTX_TARGET_MODEL, true);
      for (uint32_t pc = 0; pc < p->code_bytes; pc += ISA_WORD_BYTES) {
        struct isa_dec d;
        assert_true(isa_decode(heddle_program_word(p, pc), &d));
        if (d.op == ISA_OP_BSSY) apart = seen = true;
        if (apart && d.unit == ISA_UNIT_UNI) fail_msg("%s: pc 0x%x", kernels[n].name, pc);
        if (d.op == ISA_OP_BSYNC) apart = false;
      }
      assert_true(seen);
      heddle_program_free(p);
    }
}

/* A loop with a sum of what the warp has in common and of what it has not: the former leaves the general registers. */
static void worth_while(void **state) {
  (void)state;
  char text[16384];
  size_t at = (size_t)snprintf(
      text, sizeof text,
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 n)\n{\n"
      ".reg .pred %%p; .reg .b32 %%t, %%n, %%i, %%x, %%c; .reg .b64 %%at;\n"
      "mov.u32 %%t, %%tid.x; ld.param.u64 %%at, [out]; ld.param.u32 %%n, [n]; mul.lo.u32 %%n, %%n, %%n;\n"
      "mov.u32 %%i, 0; mov.u32 %%x, %%t;\nturn:\n");
  for (unsigned k = 0; k < 24; k++)
    at += (size_t)snprintf(text + at, sizeof text - at, "mad.lo.u32 %%x, %%x, %%x, %%t; add.u32 %%x, %%x, %%i;\n");
  (void)snprintf(text + at, sizeof text - at,
                 "add.u32 %%i, %%i, 1; setp.lt.u32 %%p, %%i, %%n; @%%p bra turn;\n"
                 "st.global.u32 [%%at], %%x; ret;\n}\n");
  struct heddle_program *with = compile_text(text, "worth", PTX_TARGET_MODEL, false);
  struct heddle_program *without = compile_text(text, "worth", PTX_TARGET_RTL, false);
  assert_true(count(with, "UISETP") == 1 && count(with, "UP2P") == 1 && count(with, "UIADD3") == 1);
  assert_true(count(with, "ULDC") >= 1 && count(with, "UIMAD") == 1);
  assert_true(with->kernel[0].regs < without->kernel[0].regs);
  heddle_program_free(with);
  heddle_program_free(without);
}

/* What every reader would have to bring back stays. */
static void not_worth_while(void **state) {
  (void)state;
  static const char text[] =
      ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
      ".reg .pred %p; .reg .b32 %t, %i, %x; .reg .b64 %at;\n"
      "ld.param.u64 %at, [out]; mov.u32 %t, %ctaid.x; mov.u32 %i, 0; mov.u32 %x, 0;\n"
      "turn: st.global.u32 [%at], %t; st.global.u32 [%at+4], %t; atom.global.add.u32 %x, [%at+8], %t;\n"
      "add.u32 %i, %i, %x; setp.lt.u32 %p, %i, 77; @%p bra turn; ret;\n}\n";
  struct heddle_program *p = compile_text(text, "not worth", PTX_TARGET_MODEL, false);
  assert_int_equal(select_count_uniform(p), 0);
  heddle_program_free(p);
}

/* More than there are registers for, constants and values, all alive round a loop. */
static void crowded(void **state) {
  (void)state;
  enum { MANY = 150 };
  char *text = malloc(1 << 16);
  size_t at = 0, room = 1 << 16;
  at +=
      (size_t)snprintf(text + at, room - at,
                       ".version 7.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out, .param .u32 "
                       "a, .param .u32 b, .param .u32 n)\n{\n.reg .pred %%p, %%q<%d>; .reg .b32 %%t, %%x, %%i, %%n, "
                       "%%a<%d>; .reg .b64 %%at, %%o;\n",
                       MANY, MANY);
  at += (size_t)snprintf(text + at, room - at,
                         "mov.u32 %%t, %%tid.x; mov.u32 %%i, %%ctaid.x; mov.u32 %%x, %%ntid.x; mad.lo.u32 %%i, %%i, "
                         "%%x, %%t;\nld.param.u64 %%at, [out]; mul.wide.u32 %%o, %%i, 4; add.u64 %%at, %%at, %%o;\n"
                         "ld.param.u32 %%a0, [a]; ld.param.u32 %%a1, [b]; ld.param.u32 %%n, [n];\n");
  for (unsigned k = 2; k < MANY; k++)
    at += (size_t)snprintf(text + at, room - at, "mad.lo.u32 %%a%u, %%a%u, %u, %%a%u; setp.lt.u32 %%q%u, %%a%u, %%n;\n",
                           k, k - 1, 2 * k + 1, k - 2, k, k);
  at += (size_t)snprintf(text + at, room - at, "mov.u32 %%x, %%t; mov.u32 %%i, 0;\nturn:\n");
  for (unsigned k = 2; k < MANY; k++)
    at += (size_t)snprintf(text + at, room - at, "add.u32 %%x, %%x, %%a%u; @%%q%u xor.b32 %%x, %%x, %u;\n", k, k, k);
  (void)snprintf(text + at, room - at,
                 "add.u32 %%i, %%i, 1; setp.lt.u32 %%p, %%i, %%n; @%%p bra turn; st.global.u32 [%%at], %%x; ret;\n}\n");
  for (unsigned all = 0; all < 2; all++) {
    struct heddle_program *p = compile_text(text, "crowded", PTX_TARGET_MODEL, all);
    struct heddle_program *q = compile_text(text, "crowded", PTX_TARGET_RTL, all);
    uint32_t got[2][32] = {{0}};
    uint8_t param[20] = {0};
    put(param + 8, 1234567);
    put(param + 12, 987);
    put(param + 16, 3000000000u);
    param[16] = 5, param[19] = 0, param[17] = param[18] = 0;
    assert_true(select_count_uniform(p) > 20);
    for (unsigned n = 0; n < 2; n++) {
      const struct select_job job = {.global = (uint8_t *)got[n],
                                     .bytes = sizeof got[n],
                                     .blocks = 1,
                                     .threads = 32,
                                     .param = param,
                                     .param_bytes = sizeof param};
      const char *wrong = select_launch(n ? q : p, &job);
      if (wrong) fail_msg("crowded: %s", wrong);
    }
    assert_memory_equal(got[0], got[1], sizeof got[0]);
    heddle_program_free(p);
    heddle_program_free(q);
  }
  free(text);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(paths),           cmocka_unit_test(rtl_has_none),
                                     cmocka_unit_test(nothing_apart),   cmocka_unit_test(worth_while),
                                     cmocka_unit_test(not_worth_while), cmocka_unit_test(crowded)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
