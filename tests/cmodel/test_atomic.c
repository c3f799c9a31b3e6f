/* SPDX-License-Identifier: Apache-2.0
 *
 * Atomics: every operation in global, shared and generic memory, alone and in
 * lockstep, against the table in isa/doc/04-memory.md, one lane after the
 * other; sums of numbers against MPFR.
 */
#include <stdio.h>
#include <string.h>

#include "tests/cmodel/machine.h"
#include "tests/test.h"
#include "tests/cmodel/float_ref.h"
#include "tests/cmodel/rows.h"
#include "tests/cmodel/step.h"

enum kind { ADD, FADD, HADD, MIN, MAX, INC, DEC, AND, OR, XOR, EXCH, CAS };

struct operation {
  const char *name; /* as in the mnemonic */
  enum kind kind;
  unsigned bits;
  bool is_signed, red; /* RED has it too */
};

static const struct operation operations[] = {
    {".ADD", ADD, 32, false, true},     {".ADD.64", ADD, 64, false, true},    {".ADD.F32", FADD, 32, true, true},
    {".ADD.F64", FADD, 64, true, true}, {".ADD.F16X2", HADD, 32, true, true}, {".MIN", MIN, 32, false, true},
    {".MIN.S32", MIN, 32, true, true},  {".MIN.U64", MIN, 64, false, true},   {".MIN.S64", MIN, 64, true, true},
    {".MAX", MAX, 32, false, true},     {".MAX.S32", MAX, 32, true, true},    {".MAX.U64", MAX, 64, false, true},
    {".MAX.S64", MAX, 64, true, true},  {".INC", INC, 32, false, true},       {".DEC", DEC, 32, false, true},
    {".AND", AND, 32, false, true},     {".AND.64", AND, 64, false, true},    {".OR", OR, 32, false, true},
    {".OR.64", OR, 64, false, true},    {".XOR", XOR, 32, false, true},       {".XOR.64", XOR, 64, false, true},
    {".EXCH", EXCH, 32, false, false},  {".EXCH.64", EXCH, 64, false, false}, {".CAS", CAS, 32, false, false},
    {".CAS.64", CAS, 64, false, false}};
#define OPERATIONS (sizeof operations / sizeof operations[0])

/* ---- the table ---- */

static mpfr_t x32, y32, r32, x64, y64, r64, x16, y16, r16;

static uint64_t sum(enum ref_format f, uint64_t a, uint64_t b, mpfr_t x, mpfr_t y, mpfr_t r) {
  if (f == REF_F64) { /* its NaNs keep what they say; b comes first */
    if (ref_is_nan(f, b)) return b | UINT64_C(1) << 51;
    if (ref_is_nan(f, a)) return a | UINT64_C(1) << 51;
  }
  ref_set(x, f, a);
  ref_set(y, f, b);
  const int t = mpfr_add(r, x, y, MPFR_RNDN);
  return ref_bits(r, t, f, MPFR_RNDN, false);
}

static bool below(const struct operation *o, uint64_t a, uint64_t b) {
  if (!o->is_signed) return a < b;
  const uint64_t top = UINT64_C(1) << (o->bits - 1);
  return (a ^ top) < (b ^ top);
}

static uint64_t halves(uint64_t v, uint64_t b) {
  const uint64_t low = sum(REF_F16, v & 0xffff, b & 0xffff, x16, y16, r16);
  return low | sum(REF_F16, v >> 16 & 0xffff, b >> 16 & 0xffff, x16, y16, r16) << 16;
}

static uint64_t reference(const struct operation *o, uint64_t v, uint64_t b, uint64_t c) {
  switch (o->kind) {
  case ADD:
    return v + b;
  case FADD:
    return o->bits == 32 ? sum(REF_F32, v, b, x32, y32, r32) : sum(REF_F64, v, b, x64, y64, r64);
  case HADD:
    return halves(v, b);
  case MIN:
    return below(o, b, v) ? b : v;
  case MAX:
    return below(o, v, b) ? b : v;
  case INC:
    return v >= b ? 0 : v + 1;
  case DEC:
    return v == 0 || v > b ? b : v - 1;
  case AND:
    return v & b;
  case OR:
    return v | b;
  case XOR:
    return v ^ b;
  case EXCH:
    return b;
  default:
    return v == b ? c : v;
  }
}

/* ---- a program: lane i works on place i mod 4 ---- */

#define PLACES 4u
#define AT 0x100 /* the places, eight bytes each */
#define B 0x1000 /* operands and old values of the lanes */
#define C 0x2000
#define OLD 0x3000

enum where { GLOBAL, RED, SHARED, GENERIC_GLOBAL, GENERIC_SHARED, WHERES };

static void program(struct machine *x, const struct operation *o, enum where where) {
  static const char *const form[WHERES] = {"ATOMG.E%s R16, [R6+0x100], R8%s ;\n", "RED.E%s [R6+0x100], R8%s ;\n",
                                           "ATOMS%s R16, [R14], R8%s ;\n", "ATOM.E%s R16, [R6+0x100], R8%s ;\n",
                                           "ATOM.E%s R16, [R14], R8%s ;\n"};
  char text[2048], insn[128];
  (void)snprintf(insn, sizeof insn, form[where], o->name, o->kind == CAS ? ", R10" : "");
  (void)snprintf(text, sizeof text,
                 TEXT_ADDRESS "S2R R0, SR_TID.X ;\n"
                              "IMAD.WIDE.U32 R4, R0, 0x8, R2 ;\n"
                              "LDG.E.64 R8, [R4+0x1000] ;\n"
                              "LDG.E.64 R10, [R4+0x2000] ;\n"
                              "LOP3.LUT R1, R0, 0x3, RZ, 0xc0 ;\n"
                              "IMAD.WIDE.U32 R6, R1, 0x8, R2 ;\n"
                              "IMAD R14, R1, 0x8, RZ ;\n"
                              "MOV R15, 0x1000000 ;\n" /* generic: shared */
                              "LDG.E.64 R12, [R6+0x100] ;\n"
                              "STS.64 [R14], R12 ;\n"
                              "MOV R16, RZ ;\n"
                              "MOV R17, RZ ;\n"
                              "%s"
                              "LDS.64 R12, [R14] ;\n"
                              "STG.E.64 [R4+0x3000], R16 ;\n"
                              "STG.E.64 [R6+0x200], R12 ;\n"
                              "EXIT ;\n",
                 insn);
  machine_text(x, text);
}

static uint64_t mem64(struct machine *x, uint64_t offset) {
  return mem32(x, offset) | (uint64_t)mem32(x, offset + 4) << 32;
}

static void set_mem64(struct machine *x, uint64_t offset, uint64_t v) {
  set_mem32(x, offset, (uint32_t)v);
  set_mem32(x, offset + 4, (uint32_t)(v >> 32));
}

static uint64_t number(enum ref_format f, uint64_t *seed) {
  uint64_t v[3];
  unsigned edges;
  const uint64_t *edge = ref_edges(f, &edges);
  if (rnd32(seed) % 8 == 0) return edge[rnd32(seed) % edges];
  ref_random3(f, seed, v);
  return v[rnd32(seed) % 3];
}

static uint64_t operand(const struct operation *o, uint64_t *seed) {
  if (o->kind == FADD) return number(o->bits == 32 ? REF_F32 : REF_F64, seed);
  if (o->kind == HADD) {
    const uint64_t low = number(REF_F16, seed);
    return low | number(REF_F16, seed) << 16;
  }
  const uint64_t any = splitmix64(seed), small = splitmix64(seed) % 5;
  const uint64_t u = rnd32(seed) % 2 == 0 ? small : any;
  return (rnd32(seed) % 8 == 0 ? ~u : u) >> (64 - o->bits);
}

/* Everything issued, each access performed at once. */
static void run_lockstep(struct machine *x) {
  static struct heddle_performed p;
  machine_lockstep(x);
  do {
    steps(x, 1);
    if (e.mem_lanes != 0) EXPECT(x, HEDDLE_SUCCESS, heddle_perform(x->model, 0, e.seq, e.mem_lanes, &p));
  } while (!e.warp_ended);
}

static void fill(struct machine *x, const struct operation *o, uint64_t *seed) {
  for (unsigned i = 0; i < 32; i++) {
    const uint64_t b = operand(o, seed);
    set_mem64(x, B + 8 * i, b);
    set_mem64(x, C + 8 * i, operand(o, seed));
    if (i < PLACES) set_mem64(x, AT + 8 * i, rnd32(seed) % 2 == 0 ? b : operand(o, seed));
  }
}

static void try(const struct operation *o, enum where where, uint64_t *seed, bool alone) {
  const uint64_t mask = o->bits == 32 ? UINT32_MAX : UINT64_MAX;
  uint64_t v[PLACES], upper[PLACES], old[32];
  struct machine x;
  machine_init(&x);
  x.launch.shared_bytes = 32;
  program(&x, o, where);
  fill(&x, o, seed);
  for (unsigned k = 0; k < PLACES; k++) {
    v[k] = mem64(&x, AT + 8 * k) & mask;
    upper[k] = mem64(&x, AT + 8 * k) & ~mask;
  }
  for (unsigned i = 0; i < 32; i++) {
    uint64_t *place = &v[i % PLACES];
    old[i] = where == RED ? 0 : *place;
    *place = reference(o, *place, mem64(&x, B + 8 * i) & mask, mem64(&x, C + 8 * i) & mask) & mask;
  }
  if (alone)
    EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  else
    run_lockstep(&x);
  const bool shared = where == SHARED || where == GENERIC_SHARED;
  for (unsigned i = 0; i < 32; i++)
    if (mem64(&x, OLD + 8 * i) != old[i])
      fail_msg("%s where %u lane %u: old value %016llx, want %016llx", o->name, where, i,
               (unsigned long long)mem64(&x, OLD + 8 * i), (unsigned long long)old[i]);
  for (unsigned k = 0; k < PLACES; k++) {
    const uint64_t got = mem64(&x, shared ? 0x200 + 8 * k : AT + 8 * k);
    if (got != (v[k] | upper[k]))
      fail_msg("%s where %u place %u: %016llx, want %016llx", o->name, where, k, (unsigned long long)got,
               (unsigned long long)(v[k] | upper[k]));
  }
  machine_free(&x);
}

static void each_operation(void **state) {
  (void)state;
  uint64_t seed = 21;
  for (unsigned n = 0; n < OPERATIONS; n++)
    for (unsigned where = 0; where < WHERES; where++)
      for (unsigned round = 0; round < 16 && (where != RED || operations[n].red); round++)
        try(&operations[n], (enum where)where, &seed, round % 2 == 0);
}

/* ---- by hand ---- */

static uint32_t once(const char *name, uint32_t v, uint32_t b, uint32_t c) {
  char text[512];
  struct machine x;
  machine_init(&x);
  (void)snprintf(
      text, sizeof text,
      TEXT_ADDRESS TEXT_LANES_BELOW(0x1) "MOV R4, 0x%x ;\nMOV R6, 0x%x ;\n@P0 ATOMG.E%s R8, [R2], R4%s ;\nEXIT ;\n", b,
      c, name, strcmp(name, ".CAS") == 0 ? ", R6" : "");
  machine_text(&x, text);
  set_mem32(&x, 0, v);
  EXPECT(&x, HEDDLE_SUCCESS, machine_run(&x));
  const uint32_t after = mem32(&x, 0);
  machine_free(&x);
  return after;
}

static void by_hand(void **state) {
  (void)state;
  assert_int_equal(once(".INC", 5, 5, 0), 0);
  assert_int_equal(once(".INC", 4, 5, 0), 5);
  assert_int_equal(once(".INC", 0xffffffffu, 0xffffffffu, 0), 0);
  assert_int_equal(once(".DEC", 0, 9, 0), 9);
  assert_int_equal(once(".DEC", 10, 9, 0), 9);
  assert_int_equal(once(".DEC", 9, 9, 0), 8);
  assert_int_equal(once(".MIN.S32", 0x80000000u, 1, 0), 0x80000000u);
  assert_int_equal(once(".MIN", 0x80000000u, 1, 0), 1);
  assert_int_equal(once(".MAX.S32", 0x80000000u, 1, 0), 1);
  assert_int_equal(once(".CAS", 7, 7, 3), 3);
  assert_int_equal(once(".CAS", 7, 8, 3), 7);
  assert_int_equal(once(".ADD.F32", 0x3f800000, 0xbf800000u, 0), 0); /* 1 - 1 = +0 */
  assert_int_equal(once(".ADD.F32", 0x80000000u, 0x80000000u, 0), 0x80000000u);
  assert_int_equal(once(".ADD.F32", 0x00000001, 0x00000001, 0), 2); /* subnormals stay */
  assert_int_equal(once(".ADD.F32", 0x7f800001, 0x3f800000, 0), 0x7fffffff);
  assert_int_equal(once(".ADD.F32", 0x7f800000, 0xff800000u, 0), 0x7fffffff);
  assert_int_equal(once(".ADD.F16X2", 0x7bff3c00, 0x4c003c00, 0), 0x7c004000); /* 65504 + 16, 1 + 1 */
  assert_int_equal(once(".ADD.F16X2", 0x7bff0000, 0x4bff0000, 0), 0x7bff0000); /* 65504 + 15.99 */
  assert_int_equal(once(".ADD.F16X2", 0x00018000u, 0x00018000u, 0), 0x00028000u);
  assert_int_equal(once(".ADD.F16X2", 0x7e01fc00u, 0x3c007c00, 0), 0x7fff7fff);
}

/* ---- faults: none of the lanes has an effect ---- */

struct fault {
  const char *insn;
  enum heddle_cause cause;
  uint32_t lanes;
  uint64_t addr;
};

static void faults(void **state) {
  (void)state;
  static const struct fault f[] = {
      {"ATOMG.E.ADD.64 R8, [R4+0x4], R4", HEDDLE_TRAP_MISALIGNED, ~0u, MEM_BASE + 4},
      {"ATOMG.E.ADD R8, [R4+0x2], R4", HEDDLE_TRAP_MISALIGNED, ~0u, MEM_BASE + 2},
      {"ATOMG.E.CAS.64 R8, [R4+0x8004], R4, R4", HEDDLE_TRAP_MISALIGNED, ~0u, MEM_BASE + 0x8004},
      {"ATOMG.E.EXCH R8, [R4+0x7f80], R4", HEDDLE_TRAP_WRITE_PROTECTED, 0xffff0000u, MEM_BASE + 0x8000},
      {"RED.E.XOR [R4+0x7f80], R4", HEDDLE_TRAP_WRITE_PROTECTED, 0xffff0000u, MEM_BASE + 0x8000},
      {"ATOM.E.AND R8, [R4+0x8f80], R4", HEDDLE_TRAP_WRITE_PROTECTED, ~0u, MEM_BASE + 0x8f80},
      {"ATOM.E.OR R8, [R4+0x8ff8], R4", HEDDLE_TRAP_WRITE_PROTECTED, ~0u, MEM_BASE + 0x8ff8},
      {"ATOMS.MAX.U64 R8, [R6+0x4], R4", HEDDLE_TRAP_MISALIGNED, ~0u, 4},
      {"ATOMS.INC R8, [R6+0x80], R4", HEDDLE_TRAP_OUT_OF_RANGE, 0xffff0000u, 0x100},
      {"ATOMS.CAS R8, [R6+0x80], R4, R4", HEDDLE_TRAP_OUT_OF_RANGE, 0xffff0000u, 0x100},
      {"ATOM.E.CAS R8, [R6+0x80], R4, R4", HEDDLE_TRAP_OUT_OF_RANGE, 0xffff0000u, UINT64_C(1) << 56 | 0x100},
      {"ATOM.E.ADD R8, [R10], R4", HEDDLE_TRAP_OUT_OF_RANGE, ~0u, UINT64_C(2) << 56}, /* local: no atomics */
      {"ATOM.E.ADD R8, [R10+0x2], R4", HEDDLE_TRAP_MISALIGNED, ~0u, UINT64_C(2) << 56 | 2},
  };
  for (unsigned n = 0; n < 2 * sizeof f / sizeof f[0]; n++) {
    const struct fault *t = &f[n / 2];
    char text[512];
    struct machine x;
    machine_init(&x);
    x.launch.shared_bytes = 0x100;
    x.launch.local_bytes = 0x100;
    x.launch.regions = 2;
    x.launch.region[0] = (struct heddle_region){MEM_BASE, MEM_BASE + 0x8000, true};
    x.launch.region[1] = (struct heddle_region){MEM_BASE + 0x8000, MEM_BASE + 0x9000, false};
    (void)snprintf(text, sizeof text,
                   TEXT_ADDRESS "S2R R0, SR_TID.X ;\nIMAD.WIDE.U32 R4, R0, 0x8, R2 ;\nIMAD R6, R0, 0x8, RZ ;\n"
                                "MOV R7, 0x1000000 ;\nMOV R10, RZ ;\nMOV R11, 0x2000000 ;\n%s ;\nEXIT ;\n",
                   t->insn);
    machine_text(&x, text);
    if (n % 2 == 0) {
      EXPECT(&x, HEDDLE_ERROR_TRAPPED, machine_run(&x));
    } else {
      machine_lockstep(&x);
      steps(&x, 9);
      assert_true(e.traps);
    }
    expect_trap(&x, t->cause, 0x80, t->lanes, t->addr);
    for (unsigned i = 0; i < 0x9000; i += 4) assert_int_equal(mem32(&x, i), 0);
    machine_free(&x);
  }
}

/* An atomic reads. */
static void undefined(void **state) {
  (void)state;
  struct machine x;
  machine_init(&x);
  x.launch.shared_bytes = 0x100;
  machine_text(&x, "S2R R0, SR_LANEID ;\nIMAD R2, R0, 0x8, RZ ;\nSTS [R2], R0 ;\nATOMS.ADD R4, [R2], R0 ;\n"
                   "ATOMS.EXCH.64 R4, [R2], R2 ;\n");
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "R3 (operand b)"));
  machine_text(&x, "S2R R0, SR_LANEID ;\nIMAD R2, R0, 0x8, RZ ;\nSTS [R2], R0 ;\nMOV R3, RZ ;\n"
                   "ATOMS.EXCH.64 R4, [R2], R2 ;\nEXIT ;\n");
  EXPECT(&x, HEDDLE_ERROR_UNDEFINED, machine_run(&x));
  assert_non_null(strstr(heddle_model_diag(x.model), "shared bytes at 0x0 (lanes 0xffffffff)"));
  machine_free(&x);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_operation),
      cmocka_unit_test(by_hand),
      cmocka_unit_test(faults),
      cmocka_unit_test(undefined),
  };
  ref_init(x32, REF_F32), ref_init(y32, REF_F32), ref_init(r32, REF_F32);
  ref_init(x64, REF_F64), ref_init(y64, REF_F64), ref_init(r64, REF_F64);
  ref_init(x16, REF_F16), ref_init(y16, REF_F16), ref_init(r16, REF_F16);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
