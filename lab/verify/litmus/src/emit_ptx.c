/* SPDX-License-Identifier: Apache-2.0
 *
 * A test in PTX, and where its threads are in a kernel.
 */
#include "lab/verify/litmus/src/litmus_test.h"

/* Where the threads of a test are in its kernel. */

static bool same_warp(const struct test *t, unsigned a, unsigned b) {
  return t->thread[a].cta == t->thread[b].cta && t->thread[a].warp == t->thread[b].warp;
}

bool emit_by_lane(const struct test *t) {
  for (unsigned k = 1; k < t->threads; k++)
    if (same_warp(t, 0, k)) return true;
  return false;
}

bool emit_shared(const struct test *t) {
  for (unsigned k = 0; k < t->locs; k++)
    if (t->shared[k]) return true;
  return false;
}

/* of a block: the most of all */
static unsigned emit_warps(const struct test *t) {
  unsigned most = 0;
  for (unsigned k = 0; k < t->threads; k++)
    if (t->thread[k].warp + 1u > most) most = t->thread[k].warp + 1u;
  return most;
}

unsigned emit_comers(const struct test *t, unsigned thread, unsigned barrier) {
  unsigned n = 0;
  for (unsigned k = 0; k < t->threads; k++) {
    bool comes = false;
    for (unsigned j = 0; t->thread[k].cta == t->thread[thread].cta && j < t->thread[k].insns; j++)
      comes |= t->thread[k].insn[j].kind == TEST_BAR && t->thread[k].insn[j].barrier == barrier;
    n += comes;
  }
  return n;
}

unsigned emit_first_register(const struct test *t, unsigned thread) {
  unsigned n = 0;
  for (unsigned k = 0; k < thread; k++) n += t->thread[k].regs;
  return n;
}

const char *emit_shape(const struct test *t, unsigned groups, struct emit_shape *s) {
  const bool lanes = emit_by_lane(t);
  unsigned ctas = 0, shared = 0, barriers = 0;
  for (unsigned k = 0; k < t->threads; k++) {
    if (t->thread[k].cta + 1u > ctas) ctas = t->thread[k].cta + 1u;
    for (unsigned j = 0; j < t->thread[k].insns; j++) barriers += t->thread[k].insn[j].kind == TEST_BAR;
    for (unsigned j = 0; j < k; j++)
      if (same_warp(t, j, k) != lanes) return "its threads are neither all in one warp nor all in their own";
  }
  for (unsigned k = 0; k < t->locs; k++) shared += t->shared[k];
  if (lanes && barriers != 0) return "lanes of one warp cannot come to a barrier by themselves";
  if (shared != 0 && ctas != 1) return "shared memory is one block's";
  if (shared + barriers != 0 && test_has(t, TEST_LAUNCH))
    return "no launch keeps shared memory, or the state of a barrier";
  *s = (struct emit_shape){.grid = {ctas, groups, 1},
                           .block = {32, lanes ? 1 : emit_warps(t), 1},
                           .per_group = lanes ? 32u / t->threads : 32u,
                           .registers = emit_first_register(t, t->threads)};
  return NULL;
}

/* A test in PTX: its own instructions, as they stand. */

static const char *const scope_word[] = {"cta", "gpu", "sys"};
static const char *const sem_word[] = {"weak", "relaxed", "acquire", "release", "acq_rel", "sc"};
static const char *const atom_word[] = {"exch.b32", "add.u32", "cas.b32"};

/* ".relaxed.gpu", ".weak" */
static void put_ptx_order(const struct test_insn *i, FILE *to) {
  (void)fprintf(to, ".%s", sem_word[i->sem]);
  if (i->sem != SEM_WEAK) (void)fprintf(to, ".%s", scope_word[i->scope]);
}

static void declared(const struct test *t, bool names, FILE *to) {
  (void)fprintf(to, "// %s\n.version 8.0\n.target sm_80\n.address_size 64\n\n", t->name);
  (void)fprintf(to,
                ".visible .entry " EMIT_KERNEL
                "(.param .u64 mem, .param .u64 out, .param .u32 stride, .param .u32 step, .param .u32 zero, "
                ".param .u32 skew, .param .u32 warm%s)\n{\n",
                names ? ", .param .u32 alias" : "");
  (void)fprintf(to, "  .reg .pred %%p<8>;\n  .reg .b32 %%n<16>, %%v<4>;\n  .reg .b64 %%m<4>, %%x<%u>;\n", t->locs);
  for (unsigned k = 0; k < t->threads; k++)
    if (t->thread[k].regs != 0) (void)fprintf(to, "  .reg .b32 %%t%u_<%u>;\n", k, t->thread[k].regs);
  (void)fprintf(to, "  .local .align 4 .b8 unread[4];\n");
  for (unsigned k = 0; k < t->locs; k++)
    if (t->shared[k]) (void)fprintf(to, "  .shared .align 4 .b8 words%u[128];\n", k);
  (void)fprintf(to, "  .reg .b32 %%s<%u>;\n", t->locs);
}

/* n0 lane, n1 warp, n2 block, n3 group, n4 instance, n5 thread of the test, n6 instance in the warp. */
static void who(const struct test *t, FILE *to) {
  (void)fprintf(to, "  mov.u32 %%n0, %%tid.x;\n  mov.u32 %%n1, %%tid.y;\n  mov.u32 %%n2, %%ctaid.x;\n"
                    "  mov.u32 %%n3, %%ctaid.y;\n");
  if (!emit_by_lane(t)) {
    (void)fprintf(to,
                  "  mov.u32 %%n6, %%n0;\n  mad.lo.u32 %%n4, %%n3, 32, %%n0;\n  mad.lo.u32 %%n5, %%n2, 16, %%n1;\n");
    return;
  }
  (void)fprintf(to, "  div.u32 %%n6, %%n0, %u;\n  rem.u32 %%n5, %%n0, %u;\n", t->threads, t->threads);
  (void)fprintf(to, "  mad.lo.u32 %%n4, %%n3, %u, %%n6;\n", 32u / t->threads);
  (void)fprintf(to, "  setp.ge.u32 %%p0, %%n6, %u;\n  @%%p0 bra END;\n", 32u / t->threads);
}

static void addresses(const struct test *t, FILE *to) {
  bool shared = false;
  (void)fprintf(to, "  ld.param.u64 %%m0, [mem];\n  cvta.to.global.u64 %%m0, %%m0;\n  ld.param.u64 %%m1, [out];\n"
                    "  cvta.to.global.u64 %%m1, %%m1;\n  ld.param.u32 %%n7, [stride];\n  ld.param.u32 %%n8, [step];\n"
                    "  ld.param.u32 %%n9, [zero];\n  mad.wide.u32 %%m0, %%n4, %%n7, %%m0;\n");
  (void)fprintf(to, "  mad.wide.u32 %%m1, %%n4, %u, %%m1;\n", 4 * emit_first_register(t, t->threads));
  for (unsigned k = 0; k < t->locs; k++) {
    if (!t->shared[k]) {
      (void)fprintf(to, "  mad.wide.u32 %%x%u, %%n8, %u, %%m0;\n", k, k);
      continue;
    }
    shared = true;
    (void)fprintf(to, "  mov.u32 %%s%u, words%u;\n  mad.lo.u32 %%s%u, %%n6, 4, %%s%u;\n", k, k, k, k);
    (void)fprintf(to, "  mov.u32 %%v0, %u;\n  st.shared.u32 [%%s%u], %%v0;\n", t->first[k], k);
  }
  if (shared) (void)fprintf(to, emit_by_lane(t) ? "  bar.warp.sync 0xffffffff;\n" : "  bar.sync 15;\n");
}

static void put_ptx_value(const struct test_insn *i, unsigned thread, FILE *to) {
  if (i->from != NO_REG)
    (void)fprintf(to, "  mov.u32 %%v0, %%t%u_%d;\n", thread, i->from);
  else if (i->hangs != NO_REG)
    (void)fprintf(to, "  and.b32 %%v0, %%t%u_%d, %%n9;\n  add.u32 %%v0, %%v0, %u;\n", thread, i->hangs, i->value);
  else
    (void)fprintf(to, "  mov.u32 %%v0, %u;\n", i->value);
}

static void put_ptx_address(const struct test *t, const struct test_insn *i, FILE *to) {
  (void)fprintf(to, t->shared[i->loc] ? "[%%s%u]" : "[%%x%u]", i->loc);
}

static void put_ptx_access(const struct test *t, unsigned thread, const struct test_insn *i, FILE *to) {
  static const char *const word[] = {"ld", "st", "atom"};
  const char *space = t->shared[i->loc] ? "shared" : "global";
  const bool red = i->kind == TEST_ATOM && i->reg == NO_REG;
  if (i->kind != TEST_LOAD) put_ptx_value(i, thread, to);
  if (i->kind == TEST_ATOM && i->atom == ATOM_CAS) (void)fprintf(to, "  mov.u32 %%v1, %u;\n", i->compare);
  (void)fprintf(to, "  %s", red ? "red" : word[i->kind]);
  put_ptx_order(i, to);
  (void)fprintf(to, ".%s.%s ", space, i->kind == TEST_ATOM ? atom_word[i->atom] : "u32");
  if (i->reg != NO_REG) (void)fprintf(to, "%%t%u_%d, ", thread, i->reg);
  put_ptx_address(t, i, to);
  if (i->kind == TEST_ATOM && i->atom == ATOM_CAS)
    (void)fprintf(to, ", %%v1, %%v0;\n");
  else
    (void)fprintf(to, i->kind == TEST_LOAD ? ";\n" : ", %%v0;\n");
}

static void put_ptx_insn(const struct test *t, unsigned thread, const struct test_insn *i, FILE *to) {
  if (test_accesses(i)) {
    put_ptx_access(t, thread, i, to);
  } else if (i->kind == TEST_FENCE) {
    (void)fprintf(to, "  fence.%s.%s;\n", sem_word[i->sem], scope_word[i->scope]);
  } else {
    (void)fprintf(to, "  bar.%s %u, %u;\n", i->arrives ? "arrive" : "sync", i->barrier,
                  32 * emit_comers(t, thread, i->barrier));
  }
}

/* As in assembly. What a warm start reads must be used, or the compiler leaves it out: it is stored where nobody looks.
 */
static void put_ptx_start(const struct test *t, unsigned k, FILE *to) {
  (void)fprintf(to, "  ld.param.u32 %%n10, [skew];\n  bfe.u32 %%n10, %%n10, %u, 8;\nWAIT%u:\n", 8 * (k % 4), k);
  (void)fprintf(to, "  setp.ne.u32 %%p7, %%n10, 0;\n  @%%p7 sub.u32 %%n10, %%n10, 1;\n  @%%p7 bra WAIT%u;\n", k);
  (void)fprintf(to, "  ld.param.u32 %%n11, [warm];\n  setp.eq.u32 %%p7, %%n11, 0;\n  @%%p7 bra COLD%u;\n", k);
  for (unsigned l = 0; l < t->locs; l++)
    if (!t->shared[l]) (void)fprintf(to, "  ld.weak.global.u32 %%n12, [%%x%u];\n  st.local.u32 [unread], %%n12;\n", l);
  (void)fprintf(to, "COLD%u:\n", k);
}

/* Of a thread of an odd number: other addresses of the same places. */
static void second_names(const struct test *t, FILE *to) {
  (void)fprintf(to, "  ld.param.u32 %%n13, [alias];\n");
  for (unsigned l = 0; l < t->locs; l++)
    if (!t->shared[l]) (void)fprintf(to, "  mad.wide.u32 %%x%u, %%n13, 4096, %%x%u;\n", l, l);
}

void emit_ptx_as(const struct test *t, bool names, FILE *to) {
  declared(t, names, to);
  who(t, to);
  addresses(t, to);
  for (unsigned k = 0; k < t->threads; k++) {
    const unsigned number = emit_by_lane(t) ? k : 16u * t->thread[k].cta + t->thread[k].warp;
    (void)fprintf(to, "  setp.eq.u32 %%p%u, %%n5, %u;\n  @%%p%u bra THREAD%u;\n", k, number, k, k);
  }
  (void)fprintf(to, "  bra END;\n");
  for (unsigned k = 0; k < t->threads; k++) {
    (void)fprintf(to, "THREAD%u:\n", k);
    if (names && k % 2 != 0) second_names(t, to);
    put_ptx_start(t, k, to);
    for (unsigned j = 0; j < t->thread[k].insns; j++) put_ptx_insn(t, k, &t->thread[k].insn[j], to);
    for (unsigned r = 0; r < t->thread[k].regs; r++)
      (void)fprintf(to, "  st.global.u32 [%%m1+%u], %%t%u_%u;\n", 4 * (emit_first_register(t, k) + r), k, r);
    (void)fprintf(to, "  bra END;\n");
  }
  (void)fprintf(to, "END:\n  ret;\n}\n");
}

void emit_ptx(const struct test *t, FILE *to) {
  emit_ptx_as(t, false, to);
}
