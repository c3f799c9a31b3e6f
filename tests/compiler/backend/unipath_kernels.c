/* SPDX-License-Identifier: Apache-2.0 */
#include "unipath_kernels.h"

/* A counter, a bound, a sum that all threads have in common. */
static const char loop_body[] = "mov.u32 %i, 0; mov.u32 %x, 0; mov.u32 %c, %a;\n"
                                "turn: mad.lo.u32 %c, %c, 3, %b; add.u32 %x, %x, %c; xor.b32 %x, %x, %t;\n"
                                "add.u32 %i, %i, 1; setp.lt.u32 %p, %i, %n; @%p bra turn;\n";
static uint32_t loop_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
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
static uint32_t arms_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
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
static uint32_t turns_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
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
static uint32_t ended_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
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
static uint32_t inside_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
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
static uint32_t outside_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
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
static uint32_t wide_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
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
static uint32_t switch_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
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
static uint32_t warp_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
  uint32_t c = p->a * 3 + p->b, d = 1, sum = 0, ballot = 0;
  (void)block;
  for (uint32_t k = t / 32 * 32; k < t / 32 * 32 + 32 && k < p->threads; k++) {
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
static uint32_t poll_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
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
static uint32_t chain_twin(uint32_t t, uint32_t block, const struct unipath_arguments *p) {
  uint32_t x = 0, c = p->b * 9 + p->a, i = 0;
  (void)block;
  do {
    x = (x * 3 + p->a * p->b + 7) ^ t;
  } while (++i < p->n * 50);
  return (c * c * 3 + x) | 1;
}

const struct unipath_kernel unipath_kernel[UNIPATH_KERNELS] = {
    {"loop", loop_body, loop_twin, false, "UISETP"},      {"arms", arms_body, arms_twin, false, "UIMAD"},
    {"turns", turns_body, turns_twin, false, "UIMAD"},    {"ended", ended_body, ended_twin, false, "UIMAD"},
    {"inside", inside_body, inside_twin, false, "UIMAD"}, {"outside", outside_body, outside_twin, false, "UIMAD"},
    {"wide", wide_body, wide_twin, false, "UIADD3.X"},    {"switch", switch_body, switch_twin, false, "ULOP3.LUT"},
    {"warp", warp_body, warp_twin, false, "VOTEU"},       {"poll", poll_body, poll_twin, false, "UIMAD"},
    {"chain", chain_body, chain_twin, true, "UIMAD"}};
