/* SPDX-License-Identifier: Apache-2.0
 * A test in the assembly of Heddle: what isa/doc/15-memory-model.md says PTX becomes, written by hand, so that it
 * judges the compiler, too.
 *
 * R0 lane, R5 instance in the warp (of threads in one warp), R1 warp, R2 block of the group, R3 group, R4 instance, R10
 * mem, R12 + 2k address of location k, R26 out, R28 thread of the test, R30 + r register r, R50 to R53 values, R54 how
 * often it has gone round, R56 word at which threads wait for each other, R58 how many must have come, R59 chance, R60
 * not 0 in the second launch. With names: R8 an address by the other name, which lies R61 times R62 bytes behind the
 * thread's own, or is that.
 */
#include "lab/verify/litmus/src/litmus_test.h"

#define LOC(k) (12u + 2u * (k))
#define REG(r) (30u + (unsigned)(r))
#define OTHER 8u

struct how {
  unsigned narrow;
  bool names; /* memory has two */
};

static void put_asm_line(FILE *to, const char *text) {
  (void)fprintf(to, "        %s ;\n", text);
}

static const char *strength_suffix(const struct test_insn *i) {
  static const char *const word[] = {".STRONG.CTA", ".STRONG.GPU", ".STRONG.SYS"};
  return i->sem == SEM_WEAK ? "" : word[i->scope];
}

static void membar(uint8_t scope, FILE *to) {
  static const char *const word[] = {"CTA", "GPU", "SYS"};
  if (scope != MAPPING_NONE) (void)fprintf(to, "        MEMBAR.%s ;\n", word[scope]);
}

/* R50 = what is written. */
static void put_asm_value(const struct test_insn *i, FILE *to) {
  if (i->from != NO_REG) {
    (void)fprintf(to, "        MOV R50, R%u ;\n", REG(i->from));
  } else if (i->hangs != NO_REG) { /* 0 that the compiler of a value does not know to be 0 */
    (void)fprintf(to, "        LOP3.LUT R50, R%u, c[0x0][zero], RZ, 0xc0 ;\n", REG(i->hangs));
    (void)fprintf(to, "        IADD3 R50, R50, 0x%x, RZ ;\n", i->value);
  } else {
    (void)fprintf(to, "        MOV R50, 0x%x ;\n", i->value);
  }
}

static void atom(const struct test *t, const struct test_insn *i, unsigned address, FILE *to) {
  static const char *const word[] = {"EXCH", "ADD", "CAS"};
  const bool shared = t->shared[i->loc];
  const unsigned result = i->reg == NO_REG ? 255 : REG(i->reg);
  char rd[8];
  (void)snprintf(rd, sizeof rd, result == 255 ? "RZ" : "R%u", result);
  if (i->atom == ATOM_CAS) (void)fprintf(to, "        MOV R51, 0x%x ;\n", i->compare);
  (void)fprintf(to, "        %s.%s%s %s, [R%u], %s ;\n", shared ? "ATOMS" : "ATOMG.E", word[i->atom],
                shared ? "" : strength_suffix(i), rd, address, i->atom == ATOM_CAS ? "R51, R50" : "R50");
}

/* address: the register that has that of its location. */
static void put_asm_insn(const struct test *t, unsigned thread, unsigned narrow, const struct test_insn *i,
                         unsigned address, FILE *to) {
  const bool shared = t->shared[i->loc];
  if (i->kind == TEST_FENCE) {
    membar(mapping_behind(i, narrow), to);
    return;
  }
  if (i->kind == TEST_BAR) {
    (void)fprintf(to, "        BAR.%s 0x%x, 0x%x ;\n", i->arrives ? "ARV" : "SYNC", i->barrier,
                  32 * emit_comers(t, thread, i->barrier));
    return;
  }
  membar(mapping_before(i), to);
  if (i->kind != TEST_LOAD) put_asm_value(i, to);
  if (i->kind == TEST_LOAD)
    (void)fprintf(to, "        %s%s R%u, [R%u] ;\n", shared ? "LDS" : "LDG.E", shared ? "" : strength_suffix(i),
                  REG(i->reg), address);
  else if (i->kind == TEST_STORE)
    (void)fprintf(to, "        %s%s [R%u], R50 ;\n", shared ? "STS" : "STG.E", shared ? "" : strength_suffix(i),
                  address);
  else
    atom(t, i, address, to);
  membar(mapping_behind(i, narrow), to);
}

/* Instance and thread of the test; lanes that are neither end. */
static void who(const struct test *t, FILE *to) {
  put_asm_line(to, "S2R R0, SR_TID.X");
  put_asm_line(to, "S2R R1, SR_TID.Y");
  put_asm_line(to, "S2R R2, SR_CTAID.X");
  put_asm_line(to, "S2R R3, SR_CTAID.Y");
  if (!emit_by_lane(t)) {
    put_asm_line(to, "IMAD R4, R3, 0x20, R0");
    put_asm_line(to, "SHF.L.U32 R28, R2, 0x4, RZ");
    put_asm_line(to, "IADD3 R28, R28, R1, RZ"); /* 16 * block + warp */
    return;
  }
  (void)fprintf(to, "        MOV R28, R0 ;\n        MOV R5, RZ ;\n");
  for (unsigned k = 1; k <= 32u / t->threads; k++) { /* lane = threads * instance + thread */
    (void)fprintf(to, "        ISETP.GE.U32.AND P0, PT, R0, 0x%x, PT ;\n", k * t->threads);
    (void)fprintf(to, "@P0     IADD3 R28, R28, -0x%x, RZ ;\n@P0     IADD3 R5, R5, 0x1, RZ ;\n", t->threads);
  }
  (void)fprintf(to, "        IMAD R4, R3, 0x%x, R5 ;\n", 32u / t->threads);
  (void)fprintf(to, "        ISETP.GE.U32.AND P0, PT, R5, 0x%x, PT ;\n@P0     EXIT ;\n", 32u / t->threads);
}

static void addresses(const struct test *t, FILE *to) {
  put_asm_line(to, "MOV R10, c[0x0][mem]");
  put_asm_line(to, "MOV R11, c[0x0][mem+4]");
  put_asm_line(to, "MOV R6, c[0x0][stride]");
  put_asm_line(to, "IMAD.WIDE.U32 R10, R4, R6, R10");
  put_asm_line(to, "MOV R6, c[0x0][step]");
  for (unsigned k = 0; k < t->locs; k++) {
    if (t->shared[k]) {
      (void)fprintf(to, "        SHF.L.U32 R%u, R%u, 0x2, RZ ;\n        IADD3 R%u, R%u, words+0x%x, RZ ;\n", LOC(k),
                    emit_by_lane(t) ? 5u : 0u, LOC(k), LOC(k), 128 * k);
      continue;
    }
    (void)fprintf(to, "        MOV R7, 0x%x ;\n        IMAD.WIDE.U32 R%u, R7, R6, R10 ;\n", k, LOC(k));
  }
  put_asm_line(to, "MOV R26, c[0x0][out]");
  put_asm_line(to, "MOV R27, c[0x0][out+4]");
  (void)fprintf(to, "        MOV R6, 0x%x ;\n", 4 * emit_first_register(t, t->threads));
  put_asm_line(to, "IMAD.WIDE.U32 R26, R4, R6, R26");
}

/* Shared memory begins with nothing: all threads write, then all of the block go on; lanes of one warp are together.
 * Whoever still reads what the last time left is waited for. */
static void shared_contents(const struct test *t, FILE *to) {
  const bool waits = emit_shared(t) && !emit_by_lane(t);
  if (waits) put_asm_line(to, "BAR.SYNC 0xe");
  for (unsigned k = 0; k < t->locs; k++)
    if (t->shared[k]) (void)fprintf(to, "        MOV R50, 0x%x ;\n        STS [R%u], R50 ;\n", t->first[k], LOC(k));
  if (waits) put_asm_line(to, "BAR.SYNC 0xf");
}

/* Where the threads are: which SM. */
static void where(const struct test *t, FILE *to) {
  put_asm_line(to, "S2R R53, SR_SMID");
  put_asm_line(to, "MOV R50, c[0x0][place]");
  put_asm_line(to, "MOV R51, c[0x0][place+4]");
  put_asm_line(to, "SHF.L.U32 R52, R3, 0x7, RZ");
  put_asm_line(to, "IADD3 R52, R52, R28, RZ");
  put_asm_line(to, "MOV R7, 0x4");
  put_asm_line(to, "IMAD.WIDE.U32 R50, R52, R7, R50");
  if (test_has(t, TEST_LAUNCH)) {
    put_asm_line(to, "LDG.E.STRONG.GPU R60, [R50]");
    put_asm_line(to, "IADD3 R53, R53, 0x1, RZ");
  }
  put_asm_line(to, "STG.E [R50], R53");
}

/* R56: the group's own line; R58: nobody has come, or all that came in the first launch. */
static void meeting(const struct test *t, FILE *to) {
  put_asm_line(to, "MOV R56, c[0x0][sync]");
  put_asm_line(to, "MOV R57, c[0x0][sync+4]");
  put_asm_line(to, "MOV R7, 0x80");
  put_asm_line(to, "IMAD.WIDE.U32 R56, R3, R7, R56");
  put_asm_line(to, "MOV R58, RZ");
  put_asm_line(to, "MOV R54, RZ");
  if (!test_has(t, TEST_LAUNCH)) return;
  put_asm_line(to, "MOV R52, c[0x0][together]");
  put_asm_line(to, "MOV R53, c[0x0][times]");
  put_asm_line(to, "ISETP.NE.U32.AND P6, PT, R60, RZ, PT");
  (void)fprintf(to, "@P6     IMAD R58, R52, R53, RZ ;\n");
}

static void times_and_xor(uint32_t factor, unsigned shift, FILE *to) {
  (void)fprintf(to, "        MOV R6, 0x%x ;\n        IMAD R59, R59, R6, RZ ;\n", factor);
  (void)fprintf(to, "        SHF.R.U32.HI R52, RZ, 0x%x, R59 ;\n        LOP3.LUT R59, R59, R52, RZ, 0x3c ;\n", shift);
}

/* R59: of this launch, round, group and thread. */
static void chance(unsigned k, FILE *to) {
  put_asm_line(to, "MOV R59, c[0x0][chance]");
  put_asm_line(to, "IADD3 R59, R59, R54, RZ");
  times_and_xor(0x9e3779b1, 15, to);
  put_asm_line(to, "IADD3 R59, R59, R3, RZ");
  times_and_xor(0x2c1b3c6d, 13, to);
  (void)fprintf(to, "        IADD3 R59, R59, 0x%x, RZ ;\n", k);
  times_and_xor(0x297a2d39, 15, to);
}

/* Some locations are read first, so that the cache holds copies: nothing forbids a read more, and what it sees is
 * nobody's outcome. Then all threads of the group meet, where they can be there together; then each begins some time
 * later. */
static void put_asm_start(const struct test *t, unsigned k, FILE *to) {
  chance(k, to);
  put_asm_line(to, "LOP3.LUT R53, R59, c[0x0][warm], RZ, 0xc0");
  for (unsigned l = 0; l < t->locs; l++) {
    if (t->shared[l]) continue;
    (void)fprintf(to, "        LOP3.LUT R52, R53, 0x%x, RZ, 0xc0 ;\n", 1u << l);
    put_asm_line(to, "ISETP.NE.U32.AND P6, PT, R52, RZ, PT");
    (void)fprintf(to, "@P6     LDG.E R52, [R%u] ;\n", LOC(l));
  }
  if (!emit_by_lane(t)) {
    put_asm_line(to, "MOV R53, c[0x0][together]");
    put_asm_line(to, "IADD3 R58, R58, R53, RZ");
    put_asm_line(to, "ISETP.EQ.U32.AND P6, PT, R53, RZ, PT");
    (void)fprintf(to, "        MOV R53, 0x1 ;\n        MEMBAR.CTA ;\n@P6     BRA m%u ;\n", k);
    put_asm_line(to, "ISETP.EQ.U32.AND P6, PT, R0, RZ, PT");
    (void)fprintf(to, "@P6     RED.E.ADD.STRONG.GPU [R56], R53 ;\ns%u:\n", k);
    put_asm_line(to, "LDG.E.STRONG.GPU R52, [R56]");
    put_asm_line(to, "ISETP.LT.U32.AND P6, PT, R52, R58, PT");
    (void)fprintf(to, "@P6     BRA s%u ;\nm%u:\n", k, k);
  }
  put_asm_line(to, "SHF.R.U32.HI R52, RZ, 0x18, R59"); /* one time in two at once */
  put_asm_line(to, "LOP3.LUT R53, R52, 0x80, RZ, 0xc0");
  put_asm_line(to, "LOP3.LUT R52, R52, c[0x0][skew], RZ, 0xc0");
  put_asm_line(to, "ISETP.EQ.U32.AND P6, PT, R53, RZ, PT");
  put_asm_line(to, "SEL R52, RZ, R52, P6");
  (void)fprintf(to, "w%u:\n        ISETP.NE.U32.AND P6, PT, R52, RZ, PT ;\n@P6     IADD3 R52, R52, -0x1, RZ ;\n", k);
  (void)fprintf(to, "@P6     BRA w%u ;\n", k);
}

/* To the next instances. */
static void put_asm_advance(const struct test *t, FILE *to) {
  put_asm_line(to, "MOV R7, 0x1");
  put_asm_line(to, "MOV R6, c[0x0][ahead]");
  for (unsigned k = 0; k < t->locs; k++)
    if (!t->shared[k]) (void)fprintf(to, "        IMAD.WIDE.U32 R%u, R7, R6, R%u ;\n", LOC(k), LOC(k));
  put_asm_line(to, "MOV R6, c[0x0][forth]");
  put_asm_line(to, "IMAD.WIDE.U32 R26, R7, R6, R26");
  put_asm_line(to, "IADD3 R54, R54, 0x1, RZ");
  put_asm_line(to, "MOV R52, c[0x0][times]");
  put_asm_line(to, "ISETP.LT.U32.AND P6, PT, R54, R52, PT");
  (void)fprintf(to, "@P6     BRA again ;\n");
  put_asm_line(to, "EXIT");
}

static void declared(const struct test *t, bool names, FILE *to) {
  static const char *const wide[] = {"mem", "out", "sync", "place"}, *const word[] = {"stride", "step",     "zero",
                                                                                      "skew",   "warm",     "chance",
                                                                                      "times",  "together", "ahead",
                                                                                      "forth"};
  (void)fprintf(to, "// %s\n.kernel " EMIT_KERNEL "\n", t->name);
  for (unsigned k = 0; k < sizeof wide / sizeof *wide; k++) (void)fprintf(to, ".param u64 %s\n", wide[k]);
  for (unsigned k = 0; k < sizeof word / sizeof *word; k++) (void)fprintf(to, ".param u32 %s\n", word[k]);
  if (names) (void)fprintf(to, ".param u32 alias\n.param u32 change\n");
  if (emit_shared(t)) (void)fprintf(to, ".shared words 0x%x\n", 128 * t->locs);
}

/* Threads of odd numbers, whose predicates stand: other addresses of the same places. */
static void second_names(const struct test *t, FILE *to) {
  put_asm_line(to, "MOV R6, c[0x0][alias]");
  put_asm_line(to, "MOV R61, c[0x0][change]");
  put_asm_line(to, "MOV R62, 0x1000");
  for (unsigned k = 1; k < t->threads; k += 2) {
    (void)fprintf(to, "@P%u     IADD3 R61, -R61, RZ, RZ ;\n", k);
    for (unsigned l = 0; l < t->locs; l++)
      if (!t->shared[l]) (void)fprintf(to, "@P%u     IMAD.WIDE.U32 R%u, R62, R6, R%u ;\n", k, LOC(l), LOC(l));
  }
}

/* Of instruction j the register with the address of its location: every second access of a thread changes the name. */
static unsigned address_of(const struct test *t, const struct test_thread *of, unsigned j, bool names, FILE *to) {
  const struct test_insn *i = &of->insn[j];
  unsigned before = 0;
  for (unsigned k = 0; k < j; k++) before += test_accesses(&of->insn[k]);
  if (!names || !test_accesses(i) || t->shared[i->loc] || before % 2 == 0) return LOC(i->loc);
  (void)fprintf(to, "        IMAD.WIDE R%u, R61, R62, R%u ;\n", OTHER, LOC(i->loc));
  return OTHER;
}

/* Instructions of thread k from one on, to another; as number `at` of what begins. */
static void put_asm_part(const struct test *t, unsigned k, unsigned at, struct how how, unsigned from, unsigned end,
                         FILE *to) {
  const struct test_thread *of = &t->thread[k];
  put_asm_start(t, at, to);
  for (unsigned j = from; j < end; j++)
    put_asm_insn(t, k, how.narrow, &of->insn[j], address_of(t, of, j, how.names, to), to);
  for (unsigned r = 0; r < t->thread[k].regs; r++)
    (void)fprintf(to, "        STG.E [R26+0x%x], R%u ;\n", 4 * (emit_first_register(t, k) + r), REG(r));
  put_asm_line(to, "BRA join");
}

static void thread(const struct test *t, unsigned k, struct how how, FILE *to) {
  const struct test_thread *of = &t->thread[k];
  const unsigned first = test_first_launch(of);
  (void)fprintf(to, "p%u:\n", k);
  if (test_has(t, TEST_LAUNCH)) {
    put_asm_line(to, "ISETP.NE.U32.AND P6, PT, R60, RZ, PT");
    (void)fprintf(to, "@P6     BRA p%u ;\n", k + TEST_THREADS);
    for (unsigned r = 0; r < of->regs; r++) (void)fprintf(to, "        MOV R%u, RZ ;\n", REG(r));
  }
  put_asm_part(t, k, k, how, 0, first, to);
  if (!test_has(t, TEST_LAUNCH)) return;
  (void)fprintf(to, "p%u:\n", k + TEST_THREADS);
  for (unsigned r = 0; r < of->regs; r++)
    (void)fprintf(to, "        LDG.E R%u, [R26+0x%x] ;\n", REG(r), 4 * (emit_first_register(t, k) + r));
  put_asm_part(t, k, k + TEST_THREADS, how, first + 1, of->insns, to);
}

void emit_assembly_as(const struct test *t, unsigned narrow, bool names, FILE *to) {
  declared(t, names, to);
  who(t, to);
  addresses(t, to);
  where(t, to);
  meeting(t, to);
  for (unsigned k = 0; k < t->threads; k++) {
    const unsigned number = emit_by_lane(t) ? k : 16u * t->thread[k].cta + t->thread[k].warp;
    (void)fprintf(to, "        ISETP.EQ.U32.AND P%u, PT, R28, 0x%x, PT ;\n", k, number);
  }
  if (names) second_names(t, to);
  if (!emit_by_lane(t)) { /* warps that are no thread of it end; lanes have */
    for (unsigned k = 0; k < t->threads; k++) (void)fprintf(to, "@P%u     BRA again ;\n", k);
    put_asm_line(to, "EXIT");
  }
  (void)fprintf(to, "again:\n");
  shared_contents(t, to);
  put_asm_line(to, "BSSY B0, join");
  for (unsigned k = 0; k < t->threads; k++) (void)fprintf(to, "@P%u     BRA p%u ;\n", k, k);
  for (unsigned k = 0; k < t->threads; k++) thread(t, k, (struct how){narrow, names}, to);
  (void)fprintf(to, "join:\n        BSYNC B0 ;\n");
  put_asm_advance(t, to);
  (void)fprintf(to, ".end\n");
}

void emit_assembly(const struct test *t, FILE *to) {
  emit_assembly_as(t, 0, false, to);
}
