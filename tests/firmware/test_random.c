/* SPDX-License-Identifier: Apache-2.0
 * Random programs: repeatable, within their limits, legal, and shrinkable. */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/isa_tables.h>
#include <heddle/model.h>
#include "tests/test.h"
#include "lab/verify/random/knobs.h"
#include "lab/verify/random/random_program.h"

/* Registers for four warps of 62. */
static const struct random_limits limits = {
    .max_threads = 96, .max_regs = 64, .max_shared = 4096, .warp_regs = 250, .stall = {4, 4, 4, 4, 6, 12}};

/* As `limits`; `k` says how many percent are meant to trap, and how many read what the machine alone knows. */
static struct random_limits limits_with(struct random_knobs *k, unsigned traps, unsigned machine) {
  struct random_limits l = limits;
  random_knobs_default(k);
  k->value[KNOB_PROGRAM_TRAPS].low = k->value[KNOB_PROGRAM_TRAPS].high = traps;
  k->value[KNOB_PROGRAM_MACHINE].low = k->value[KNOB_PROGRAM_MACHINE].high = machine;
  k->value[KNOB_PROGRAM_RACES].low = k->value[KNOB_PROGRAM_RACES].high = 0;
  l.knobs = k;
  return l;
}

static char *text_of(uint64_t seed, uint64_t index) {
  struct random_program *p = random_program_new(seed, index, &limits);
  assert_non_null(p);
  char *text = strdup(random_program_text(p));
  random_program_free(p);
  return text;
}

static void the_same_number_is_the_same_program(void **state) {
  (void)state;
  for (uint64_t i = 0; i < 20; i++) {
    char *a = text_of(7, i), *other = text_of(7, i + 1), *b = text_of(7, i), *c = text_of(8, i);
    if (strcmp(a, b) != 0)
      fail_msg("program %llu differs from itself", (unsigned long long)i); /* whatever was made in between */
    if (strcmp(a, other) == 0 || strcmp(a, c) == 0) fail_msg("program %llu equals another one", (unsigned long long)i);
    free(a);
    free(b);
    free(c);
    free(other);
  }
}

static struct heddle_program *assemble(struct random_program *p) {
  const char *text = random_program_text(p);
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {4, 4, 4, 4, 6, 12}};
  struct heddle_program *q;
  if (heddle_assemble(text, strlen(text), "random", &o, &q) != HEDDLE_SUCCESS) fail_msg("does not assemble:\n%s", text);
  return q;
}

/* What it points to is there, and its numbers are those of the knobs. */
static void launch_is_whole(const struct random_launch *l) {
  struct random_knobs k;
  random_knobs_default(&k);
  const uint64_t blocks = (uint64_t)l->grid[0] * l->grid[1] * l->grid[2];
  const uint64_t warps = (l->block[0] * l->block[1] * l->block[2] + 31) / 32;
  assert_in_range(blocks, 1, 48);
  if (blocks > k.value[KNOB_GRID_BLOCKS].high) assert_in_range(blocks * warps, 1, 48); /* program.brief, grid.fills */
  assert_in_range(l->block[2], 1, 64);                                                 /* isa/doc/06-abi.md */
  assert_in_range(l->launches, k.value[KNOB_LAUNCHES].low, k.value[KNOB_LAUNCHES].high);
  assert_true(l->out_bytes > 0 && l->input_bytes > 0 && l->input != NULL);
  assert_true(l->base % 4096 == 0 && l->base + l->out_bytes + l->input_bytes < UINT64_C(1) << 40);
  for (unsigned b = 0; b < 4; b++) assert_int_equal(l->bank[b] != NULL, l->bank_bytes[b] > 0);
  assert_true(l->bank[0] == NULL && l->bank[3] == NULL); /* the program's own */
  assert_true(l->trap == 0 || l->launches == 1);
}

static void programs_keep_their_limits(void **state) {
  (void)state;
  unsigned most_regs = 0, most_shared = 0;
  for (uint64_t i = 0; i < 200; i++) {
    struct random_program *p = random_program_new(21, i, &limits);
    assert_non_null(p);
    const struct random_launch *l = random_program_launch(p);
    const uint64_t threads = (uint64_t)l->block[0] * l->block[1] * l->block[2];
    assert_in_range(threads, 1, limits.max_threads);
    launch_is_whole(l);
    struct heddle_program *q = assemble(p);
    const struct heddle_kernel *k = heddle_program_kernel(q, "fuzz");
    assert_non_null(k);
    assert_true(k->regs <= limits.max_regs);
    assert_true((threads + 31) / 32 * k->regs <= limits.warp_regs);
    most_regs = k->regs > most_regs ? k->regs : most_regs;
    most_shared = k->shared_bytes > most_shared ? k->shared_bytes : most_shared;
    assert_true(k->shared_bytes <= limits.max_shared);
    heddle_program_free(q);
    random_program_free(p);
  }
  assert_true(most_regs > 60 && most_shared > limits.max_shared / 2); /* also more than needed (occupancy.limited) */
}

/* Every word is one that the hardware knows too; but for one, or a pair, in a program that is meant to trap by it. Such
 * a program spells its word: it stands for nothing, or asks for more registers than there are. */
static void words_are_for_both_sides(void **state) {
  (void)state;
  struct random_knobs k;
  const struct random_limits l = limits_with(&k, 30, 6);
  unsigned illegal = 0, beyond = 0;
  k.value[KNOB_OCCUPANCY_LIMITED].low = k.value[KNOB_OCCUPANCY_LIMITED].high = 100; /* registers are counted */
  for (uint64_t i = 0; i < 300; i++) {
    struct random_program *p = random_program_new(22, i, &l);
    struct heddle_program *q = assemble(p);
    unsigned unknown = 0;
    for (uint32_t pc = 0; pc < q->code_bytes; pc = heddle_program_next(q, pc)) {
      struct heddle_isa_dec d;
      if (heddle_isa_decode(heddle_program_word(q, pc), &d))
        assert_true(heddle_isa_in_rtl(&d));
      else
        unknown++;
    }
    const bool spelt = strstr(random_program_text(p), ".word") != NULL;
    assert_int_equal(spelt, random_program_launch(p)->trap == HEDDLE_TRAP_ILLEGAL);
    assert_true(unknown == 0 || spelt);
    assert_true(unknown <= 1 || (ISA_STEP != ISA_WORD_BYTES && unknown == 2)); /* a pair */
    illegal += unknown > 0;
    beyond += spelt && unknown == 0;
    heddle_program_free(q);
    random_program_free(p);
  }
  assert_in_range(illegal, 1, 299);
  assert_in_range(beyond, ISA_STEP == ISA_WORD_BYTES, 299);
}

/* The knobs decide, and the launch says, what its memory is good for. */
static void launches_say_what_can_be_compared(void **state) {
  (void)state;
  for (unsigned percent = 0; percent <= 100; percent += 100)
    for (uint64_t i = 0; i < 50; i++) {
      struct random_knobs k;
      struct random_limits l = limits_with(&k, percent, 100 - percent);
      struct random_program *p = random_program_new(26, i, &l);
      assert_int_equal(random_program_launch(p)->trap != HEDDLE_TRAP_NONE, percent == 100);
      assert_int_equal(random_program_launch(p)->order_dependent, percent == 0);
      random_program_free(p);
    }
}

/* The knob decides; the program is the same with and without. */
static void a_host_is_apart_from_the_program(void **state) {
  (void)state;
  static const char *const setting[] = {"program.host=0", "program.host=100", "program.host=15"};
  unsigned busy[3] = {0};
  for (uint64_t i = 0; i < 200; i++) {
    char *text = NULL;
    uint64_t seed = 0;
    for (unsigned k = 0; k < 3; k++) {
      struct random_knobs knobs;
      char err[100];
      struct random_limits l = limits_with(&knobs, 6, 6);
      assert_true(random_knobs_set(&knobs, setting[k], err, sizeof err));
      struct random_program *p = random_program_new(27, i, &l);
      const uint64_t host = random_program_launch(p)->host;
      busy[k] += host != 0;
      if (k == 1) seed = host;
      if (k == 2) assert_true(host == 0 || host == seed);
      if (k == 0) text = strdup(random_program_text(p));
      assert_string_equal(text, random_program_text(p));
      random_program_free(p);
    }
    free(text);
  }
  assert_int_equal(busy[0], 0);
  assert_int_equal(busy[1], 200);
  assert_in_range(busy[2], 10, 60);
}

/* What hardly any program would do by chance, each in some of the first 2,000 as they come: told by how it is
 * written. */
#if ISA_STEP == 8
#define ASTRAY "0x4" /* no PC */
#else
#define ASTRAY "0x8"
#endif
static const struct {
  const char *what;
  unsigned trap; /* enum heddle_cause; 0: any program */
  const char *text;
} seldom[] = {
    {"rows of matrices by a part of a warp", HEDDLE_TRAP_DIVERGENCE, "\n@P6 LDSM.16"},
    {"matrices by a part of a warp", HEDDLE_TRAP_DIVERGENCE, "BRA torn_"},
    {"targets beyond the code, another one in each lane", HEDDLE_TRAP_BAD_PC, "\n@P6 IMAD R36, R5, 0x"},
    {"misaligned targets, another one in each lane", HEDDLE_TRAP_BAD_PC, "\n@P6 LOP3.LUT R36, R36, " ASTRAY ", RZ"},
    {"targets with an upper half, another one in each lane", HEDDLE_TRAP_BAD_PC, "\n@P6 IADD3 R37, R5, 0x1"},
    {"a constant in error, those of later lanes not", HEDDLE_TRAP_BUS, "LOP3.LUT R36, R5, 0x1, RZ, 0xc0 ;\nIMAD"},
    {"a kernel of 255 registers", 0, ".regs 255\n"},
    {"products of matrices less themselves", 0, " 0x80000000, RZ, 0x3c ;\nQMMA.16832.F32"},
    {"a pair that ends behind its bank", HEDDLE_TRAP_CONST_RANGE, "\nDADD R"}};

static void what_is_seldom_is_drawn(void **state) {
  (void)state;
  enum { KINDS = sizeof seldom / sizeof *seldom };
  unsigned seen[KINDS] = {0}, queued = 0, both[2] = {0};
  const struct random_limits with = {.max_threads = 128, .max_regs = 255, .max_shared = 8192, .warp_regs = 256};
  for (uint64_t i = 0; i < 8000; i++) {
    struct random_program *p = random_program_new(3, i, &with);
    const char *text = random_program_text(p);
    const unsigned trap = random_program_launch(p)->trap;
    for (unsigned k = 0; k < KINDS; k++)
      seen[k] += (seldom[k].trap == 0 || seldom[k].trap == trap) && strstr(text, seldom[k].text) != NULL;
    const bool of_memory = trap >= HEDDLE_TRAP_MISALIGNED && trap <= HEDDLE_TRAP_WRITE_PROTECTED;
    const bool of_control = trap >= HEDDLE_TRAP_DIVERGENCE && trap <= HEDDLE_TRAP_BARRIER;
    both[0] += of_memory && (strstr(text, "BPT.TRAP") != NULL || strstr(text, "JMP " ASTRAY " ;") != NULL);
    both[1] += of_control && (strstr(text, "[RZ-0x4]") != NULL || strstr(text, "JMP " ASTRAY " ;") != NULL);
    queued += trap == HEDDLE_TRAP_BUS && strstr(text, "STG.E.128") != NULL;
    random_program_free(p);
  }
  for (unsigned k = 0; k < KINDS; k++)
    if (seen[k] == 0) fail_msg("%s: in no program", seldom[k].what);
  assert_true(queued > 0);                 /* a bus error before many accesses */
  assert_true(both[0] > 0 && both[1] > 0); /* traps of memory, then of control; of control, then any */
}

/* Units that the machine lacks are not asked for; those that it has are. */
static void words_are_for_the_machine(void **state) {
  (void)state;
  static const uint32_t without = UINT32_MAX & ~(1u << ISA_UNIT_SFU | 1u << ISA_PART_ASYNC | 1u << ISA_PART_FATOM);
  unsigned special[2] = {0, 0}, sums[2] = {0, 0};
  for (unsigned has = 0; has < 2; has++)
    for (uint64_t i = 0; i < 50; i++) {
      struct random_knobs k;
      struct random_limits l = limits_with(&k, 0, 6); /* without illegal words */
      l.units = has ? 0 : without;
      struct random_program *p = random_program_new(24, i, &l);
      struct heddle_program *q = assemble(p);
      for (uint32_t pc = 0; pc < q->code_bytes; pc = heddle_program_next(q, pc)) {
        struct heddle_isa_dec d;
        assert_true(heddle_isa_decode(heddle_program_word(q, pc), &d));
        special[has] += d.unit == ISA_UNIT_SFU;
        sums[has] += heddle_isa_adds_floats(&d);
        if (!has) assert_true(heddle_isa_in_machine(&d, without));
      }
      heddle_program_free(q);
      random_program_free(p);
    }
  assert_int_equal(special[0], 0);
  assert_true(special[1] > 0);
  assert_int_equal(sums[0], 0);
  assert_true(sums[1] > 0);
}

/* Copies, groups and waits for them are drawn where the machine has them; of machines that nobody named the RTL says.
 */
static void copies_are_drawn(void **state) {
  (void)state;
  static const uint32_t units[3] = {0, UINT32_MAX & ~(1u << ISA_PART_ASYNC), UINT32_MAX};
  for (unsigned n = 0; n < 3; n++) {
    unsigned seen[ISA_OP_COUNT] = {0}, sizes[8] = {0}, left[64] = {0};
    for (uint64_t i = 0; i < 100; i++) {
      struct random_knobs k;
      struct random_limits l = limits_with(&k, 0, 6); /* without illegal words */
      l.units = units[n];
      k.value[KNOB_PROGRAM_RACES].low = k.value[KNOB_PROGRAM_RACES].high = 50;
      struct random_program *p = random_program_new(26, i, &l);
      struct heddle_program *q = assemble(p);
      for (uint32_t pc = 0; pc < q->code_bytes; pc = heddle_program_next(q, pc)) {
        struct heddle_isa_dec d;
        assert_true(heddle_isa_decode(heddle_program_word(q, pc), &d));
        seen[d.op]++;
        if (d.op == ISA_OP_LDGSTS_E) sizes[heddle_isa_get(d.word, ISA_F_CSIZE)]++;
        if (d.op == ISA_OP_DEPBAR_LE && heddle_isa_get(d.word, ISA_F_SBN) == 5)
          left[heddle_isa_get(d.word, ISA_F_SBK)]++;
      }
      heddle_program_free(q);
      random_program_free(p);
    }
    const bool wanted = n == 2 || (n == 0 && !heddle_isa_instr_info(ISA_OP_LDGSTS_E)->only_model);
    assert_int_equal(seen[ISA_OP_LDGSTS_E] > 100, wanted);
    assert_int_equal(seen[ISA_OP_LDGDEPBAR] > 50, wanted);
    if (!wanted) continue;
    assert_true(sizes[ISA_CSIZE_32] > 0 && sizes[ISA_CSIZE_64] > 0 && sizes[ISA_CSIZE_128] > 0);
    for (unsigned k = 0; k < 4; k++) assert_true(left[k] > 0);
  }
}

static bool of_matrices(const struct heddle_isa_dec *d) {
  return d->unit == ISA_UNIT_TENSOR || d->op == ISA_OP_LDSM_16;
}

/* Each instruction that wants all 32 lanes is drawn, and none where a warp has fewer. */
static void matrices_in_whole_warps(void **state) {
  (void)state;
  struct random_knobs k;
  const struct random_limits with = limits_with(&k, 0, 6); /* without illegal words */
  unsigned seen[ISA_OP_COUNT] = {0}, torn = 0;
  for (uint64_t i = 0; i < 400; i++) {
    struct random_program *p = random_program_new(25, i, &with);
    const struct random_launch *l = random_program_launch(p);
    const bool whole = l->block[0] * l->block[1] * l->block[2] % 32 == 0;
    struct heddle_program *q = assemble(p);
    for (uint32_t pc = 0; pc < q->code_bytes; pc = heddle_program_next(q, pc)) {
      struct heddle_isa_dec d;
      assert_true(heddle_isa_decode(heddle_program_word(q, pc), &d));
      if (!of_matrices(&d)) continue;
      seen[d.op] += whole;
      torn += !whole;
    }
    heddle_program_free(q);
    random_program_free(p);
  }
  assert_int_equal(torn, 0);
  for (unsigned op = 0; op < ISA_OP_COUNT; op++)
    if (heddle_isa_instr_info((enum heddle_isa_op)op)->unit == ISA_UNIT_TENSOR) assert_true(seen[op] > 0);
  assert_true(seen[ISA_OP_LDSM_16] > 0);
}

/* Leaving out any one node gives a program that still assembles, and is smaller; putting it back restores it. */
static void nodes_can_be_left_out(void **state) {
  (void)state;
  struct random_program *p = random_program_new(23, 4, &limits);
  char *whole = strdup(random_program_text(p));
  const unsigned n = random_program_nodes(p), size = random_program_size(p);
  unsigned smaller = 0;
  assert_true(n > 10);
  for (unsigned i = 0; i < n; i++) {
    if (!random_program_has(p, i)) continue;
    random_program_remove(p, i, true);
    assert_true(random_program_size(p) <= size); /* an empty arm takes nothing with it */
    smaller += random_program_size(p) < size;
    heddle_program_free(assemble(p));
    random_program_remove(p, i, false);
    assert_int_equal(strcmp(random_program_text(p), whole), 0);
  }
  assert_true(smaller > n / 2);
  for (unsigned i = 0; i < n; i++) random_program_remove(p, i, true);
  assert_int_equal(random_program_size(p), 0);
  heddle_program_free(assemble(p));
  free(whole);
  random_program_free(p);
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_same_number_is_the_same_program),
                                     cmocka_unit_test(programs_keep_their_limits),
                                     cmocka_unit_test(words_are_for_both_sides),
                                     cmocka_unit_test(launches_say_what_can_be_compared),
                                     cmocka_unit_test(a_host_is_apart_from_the_program),
                                     cmocka_unit_test(what_is_seldom_is_drawn),
                                     cmocka_unit_test(words_are_for_the_machine),
                                     cmocka_unit_test(copies_are_drawn),
                                     cmocka_unit_test(matrices_in_whole_warps),
                                     cmocka_unit_test(nodes_can_be_left_out)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
