/* SPDX-License-Identifier: Apache-2.0
 *
 * Configuration files: the built table, and each way to get a file wrong.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/test.h"
#include "isa/configs/gen/cfg.h"
#include <heddle/config.h>
#include <heddle/host_regs.h>
#include <heddle/isa.h>

static const char *const good[] = {"lanes = 8",
                                   "warps = 8",
                                   "regs = 512",
                                   "banks = 4",
                                   "collectors = 3",
                                   "ibuf = 2",
                                   "blocks = 8",
                                   "shared_bytes = 16384",
                                   "icache_bytes = 4096",
                                   "ccache_bytes = 2048",
                                   "axi_bits = 64",
                                   "gmem_lines = 8",
                                   "sched = gto",
                                   "pipes = alu fma cvt",
                                   "latency_alu = 3",
                                   "latency_fma = 6",
                                   "latency_cvt = 4",
                                   "stall_alu_reg = 5",
                                   "stall_alu_pred = 9",
                                   "stall_fma_reg = 8",
                                   "stall_cvt_reg = 6",
                                   "shared_banks = 8",
                                   "partitions = 2",
                                   "lsu_lanes = 16",
                                   "fetch_words = 1",
                                   "sfu_lanes = 0",
                                   "fp64_lanes = 0",
                                   "latency_half = 0",
                                   "stall_half_reg = 0",
                                   "tensor_cycles = 0",
                                   "divergence = stack",
                                   "stall_uni_reg = 0",
                                   "cvt_lanes = 8",
                                   "fma_lanes = 8",
                                   "alu_lanes = 8",
                                   "shared_lanes = 16",
                                   "gmem_slots = 8",
                                   "gmem_atoms = 4",
                                   "icache_misses = 2",
                                   "ccache_misses = 2",
                                   "l1_bytes = 0",
                                   "l1_ways = 0",
                                   "sms = 1",
                                   "l2_bytes = 0",
                                   "l2_ways = 0",
                                   "l2_banks = 1",
                                   "shared_ranks = 0",
                                   "divergence_ranks = 0",
                                   "row_queues = 0",
                                   "launch_queue = 0",
                                   "axi_ports = 1",
                                   "mmu = 0",
                                   "operand_lines = 1"};
enum { GOOD = sizeof good / sizeof *good };

/* A file of these lines (NULL: left out), then `last` if there is one. */
static bool load_lines(const char *const line[GOOD], const char *last, struct cfg *c, struct diag *d) {
  FILE *f = fopen("x.cfg", "w");
  assert_non_null(f);
  for (unsigned i = 0; i < GOOD; i++)
    if (line[i] != NULL) fprintf(f, "%s\n", line[i]);
  if (last != NULL) fprintf(f, "%s\n", last);
  assert_int_equal(fclose(f), 0);
  memset(d, 0, sizeof *d);
  return cfg_load("x.cfg", c, d);
}

/* The good file with line `at` (from 1) replaced; at = 0 appends, NULL leaves the line out. */
static bool load(unsigned at, const char *text, struct cfg *c, struct diag *d) {
  const char *line[GOOD];
  memcpy(line, good, sizeof good);
  if (at > 0) line[at - 1] = text;
  return load_lines(line, at == 0 ? text : NULL, c, d);
}

static void test_good(void **state) {
  (void)state;
  struct cfg c;
  struct diag d;
  assert_true(load(0, "# only a comment", &c, &d));
  assert_string_equal(c.name, "x");
  assert_int_equal(c.value[CFG_REGS], 512);
  assert_int_equal(c.pipes, CFG_PIPE_ALU | CFG_PIPE_FMA | CFG_PIPE_CVT);
  uint64_t hash = c.hash, latency = c.latency_hash;
  assert_true(load(2, "warps = 0x10  # hexadecimal", &c, &d));
  assert_int_equal(c.value[CFG_WARPS], 16);
  assert_true(c.hash != hash && c.latency_hash == latency);
  assert_true(load(15, "latency_alu = 2", &c, &d));
  assert_true(c.hash != hash && c.latency_hash != latency);
  assert_true(load(14, "pipes = cvt alu warp", &c, &d));
  assert_int_equal(c.pipes, CFG_PIPE_ALU | CFG_PIPE_CVT | CFG_PIPE_WARP);
  assert_true(c.hash != hash && c.latency_hash == latency);
  assert_true(load(14, "pipes = alu fma cvt fatom", &c, &d));
  assert_int_equal(c.pipes, CFG_PIPE_ALU | CFG_PIPE_FMA | CFG_PIPE_CVT | CFG_PIPE_FATOM);
  assert_true(c.hash != hash && c.latency_hash == latency);
  assert_true(load(14, "pipes = alu async", &c, &d));
  assert_int_equal(c.pipes, CFG_PIPE_ALU | CFG_PIPE_ASYNC);
  assert_true(c.hash != hash && c.latency_hash == latency);
}

static void test_errors(void **state) {
  (void)state;
  static const struct {
    unsigned at;
    const char *text, *message;
  } cases[] = {
      {1, "lanes = 7", "x.cfg:1: error: lanes = 7 is not a power of two"},
      {1, "lanes = 64", "x.cfg:1: error: lanes = 64 is out of range; use 4 to 32"},
      {2, "warps = 0", "x.cfg:2: error: warps = 0 is out of range; use 1 to 64"},
      {2, "warps = 99999999999999999999", "x.cfg:2: error: 'warps': expected a number"},
      {2, "warps = -1", "x.cfg:2: error: 'warps': expected a number"},
      {2, "warps = 8 9", "x.cfg:2: error: 'warps': expected a number"},
      {2, "warps 8", "x.cfg:2: error: expected 'warps = VALUE' with spaces around the ="},
      {2, "wraps = 8", "x.cfg:2: error: key 'wraps' is unknown; see isa/configs/README.md"},
      {3, "regs = 513", "x.cfg:3: error: regs = 513 is not a multiple of partitions x banks = 8"},
      {2, "warps = 7", "x.cfg:2: error: warps = 7 is not a multiple of partitions = 2"},
      {23, "partitions = 3", "x.cfg:23: error: partitions = 3 is not a power of two"},
      {25, "fetch_words = 3", "x.cfg:25: error: fetch_words = 3 is not a power of two"},
      {25, "fetch_words = 8", "x.cfg:25: error: fetch_words = 8 is out of range; use 1 to 4"},
      {25, "fetch_words = 0", "x.cfg:25: error: fetch_words = 0 is out of range; use 1 to 4"},
      {25, "fetch_words = 2", "x.cfg:25: error: fetch_words = 2 needs ibuf = 4 or more; ibuf is 2"},
      {13, "sched = fifo", "x.cfg:13: error: 'sched': expected one of: " HEDDLE_POLICY_CHOICES},
      {14, "pipes = alu mem",
       "x.cfg:14: error: pipe 'mem' is unknown; use alu, fma, cvt, half, fp64, sfu, warp, uni, tensor, "
       "fatom, async"},
      {14, "pipes = alu sfu", "x.cfg:26: error: sfu_lanes = 0, but 'pipes' names this unit; use 1 to lanes"},
      {14, "pipes = alu fp64", "x.cfg:27: error: fp64_lanes = 0, but 'pipes' names this unit; use 1 to lanes"},
      {26, "sfu_lanes = 2", "x.cfg:26: error: sfu_lanes = 2, but 'pipes' does not name this unit; use 0, or name it"},
      {27, "fp64_lanes = 1", "x.cfg:27: error: fp64_lanes = 1, but 'pipes' does not name this unit; use 0, or name it"},
      {14, "pipes = alu half", "x.cfg:28: error: latency_half = 0, but 'pipes' names half; use 1 or more"},
      {28, "latency_half = 5", "x.cfg:28: error: latency_half = 5, but 'pipes' does not name half; use 0"},
      {29, "stall_half_reg = 7", "x.cfg:29: error: stall_half_reg = 7, but 'pipes' does not name half; use 0"},
      {30, "tensor_cycles = 16",
       "x.cfg:30: error: tensor_cycles = 16, but 'pipes' does not name tensor; use 0, or name it"},
      {14, "pipes = alu tensor", "x.cfg:30: error: tensor_cycles = 0 is too small for tensor in 8 lanes; use 16 to 32"},
      {30, "tensor_cycles = 12", "x.cfg:30: error: tensor_cycles = 12 is not a power of two"},
      {30, "tensor_cycles = 64", "x.cfg:30: error: tensor_cycles = 64 is out of range; use 0 to 32"},
      {14, "pipes = alu uni", "x.cfg:32: error: stall_uni_reg = 0, but 'pipes' names uni; use 1 or more"},
      {32, "stall_uni_reg = 5", "x.cfg:32: error: stall_uni_reg = 5, but 'pipes' does not name uni; use 0"},
      {33, "cvt_lanes = 0", "x.cfg:33: error: cvt_lanes = 0 is out of range; use 1 to 32"},
      {33, "cvt_lanes = 3", "x.cfg:33: error: cvt_lanes = 3 is not a power of two"},
      {33, "cvt_lanes = 16", "x.cfg:33: error: cvt_lanes = 16 is more than lanes = 8"},
      {34, "fma_lanes = 0", "x.cfg:34: error: fma_lanes = 0 is out of range; use 1 to 32"},
      {34, "fma_lanes = 6", "x.cfg:34: error: fma_lanes = 6 is not a power of two"},
      {34, "fma_lanes = 16", "x.cfg:34: error: fma_lanes = 16 is more than lanes = 8"},
      {34, NULL, "x.cfg:52: error: key 'fma_lanes' is missing; add 'fma_lanes = VALUE'"},
      {35, "alu_lanes = 0", "x.cfg:35: error: alu_lanes = 0 is out of range; use 1 to 32"},
      {35, "alu_lanes = 5", "x.cfg:35: error: alu_lanes = 5 is not a power of two"},
      {35, "alu_lanes = 16", "x.cfg:35: error: alu_lanes = 16 is more than lanes = 8"},
      {35, NULL, "x.cfg:52: error: key 'alu_lanes' is missing; add 'alu_lanes = VALUE'"},
      {36, "shared_lanes = 0", "x.cfg:36: error: shared_lanes = 0 is out of range; use 1 to 32"},
      {36, "shared_lanes = 8", "x.cfg:36: error: shared_lanes = 8 is neither 1 nor lsu_lanes = 16"},
      {36, "shared_lanes = 1", "x.cfg:36: error: shared_lanes = 1, but lsu_lanes = 16; use 4 there, or 16 here"},
      {36, NULL, "x.cfg:52: error: key 'shared_lanes' is missing; add 'shared_lanes = VALUE'"},
      {26, "sfu_lanes = 3", "x.cfg:26: error: sfu_lanes = 3 is not a power of two"},
      {26, "sfu_lanes = 64", "x.cfg:26: error: sfu_lanes = 64 is out of range; use 0 to 32"},
      {14, "pipes = alu alu", "x.cfg:14: error: pipe 'alu' is listed twice; remove one"},
      {14, "pipes = fma", "x.cfg:14: error: 'pipes' must contain alu"},
      {18, "stall_alu_reg = 16", "x.cfg:18: error: stall_alu_reg = 16 is out of range; use 1 to 15"},
      {18, "stall_alu_reg = 4",
       "x.cfg:18: error: stall_alu_reg = 4 is too small; the result is there after 5 cycles (README.md)"},
      {19, "stall_alu_pred = 8",
       "x.cfg:19: error: stall_alu_pred = 8 is too small; the result is there after 9 cycles (README.md)"},
      {22, "shared_banks = 2", "x.cfg:22: error: shared_banks = 2 is out of range; use 4 to 32"},
      {24, "lsu_lanes = 12", "x.cfg:24: error: lsu_lanes = 12 is not a power of two"},
      {24, "lsu_lanes = 64", "x.cfg:24: error: lsu_lanes = 64 is out of range; use 4 to 32"},
      {24, NULL, "x.cfg:52: error: key 'lsu_lanes' is missing; add 'lsu_lanes = VALUE'"},
      {22, "shared_banks = 12", "x.cfg:22: error: shared_banks = 12 is not a power of two"},
      {31, "divergence = its", "x.cfg:31: error: 'divergence': expected stack, or stack its"},
      {31, "divergence = stack its its", "x.cfg:31: error: 'divergence': expected stack, or stack its"},
      {31, NULL, "x.cfg:52: error: key 'divergence' is missing; add 'divergence = VALUE'"},
      {42, "l1_ways = 2", "x.cfg:42: error: l1_ways = 2, but l1_bytes = 0; use 0 for both, or for none"},
      {41, "l1_bytes = 1024", "x.cfg:42: error: l1_ways = 0, but l1_bytes = 1024; use 0 for both, or for none"},
      {41, "l1_bytes = 1000", "x.cfg:41: error: l1_bytes = 1000 is not a power of two"},
      {43, "sms = 0", "x.cfg:43: error: sms = 0 is out of range; use 1 to 16"},
      {44, "l2_bytes = 4096", "x.cfg:45: error: l2_ways = 0, but l2_bytes = 4096; use 0 for both, or for none"},
      {46, "l2_banks = 2", "x.cfg:46: error: l2_banks = 2, but l2_bytes = 0; use 1"},
      {16, "latency_fma = 5", "x.cfg:16: error: latency_fma = 5 is no depth of pipe fma; use 6 or 7"},
      {16, "latency_fma = 8", "x.cfg:16: error: latency_fma = 8 is no depth of pipe fma; use 6 or 7"},
      {47, "shared_ranks = 2", "x.cfg:47: error: shared_ranks = 2 is out of range; use 0 to 1"},
      {51, "axi_ports = 2", "x.cfg:51: error: axi_ports = 2, but l2_banks = 1; a port has a bank or more"},
      {51, "axi_ports = 3", "x.cfg:51: error: axi_ports = 3 is not a power of two"},
      {51, "axi_ports = 8", "x.cfg:51: error: axi_ports = 8 is out of range; use 1 to 4"},
      {52, "mmu = 1", "x.cfg:52: error: mmu = 1 needs gmem_slots of 16 or more, two a warp; it is 8"},
      {52, "mmu = 2", "x.cfg:52: error: mmu = 2 is out of range; use 0 to 1"},
      {48, "divergence_ranks = 2", "x.cfg:48: error: divergence_ranks = 2 is out of range; use 0 to 1"},
      {47, NULL, "x.cfg:52: error: key 'shared_ranks' is missing; add 'shared_ranks = VALUE'"},
      {49, "row_queues = 3", "x.cfg:49: error: row_queues = 3 is not a power of two"},
      {53, "operand_lines = 3", "x.cfg:53: error: operand_lines = 3 is out of range; use 1 to 2"},
      {49, "row_queues = 8", "x.cfg:49: error: row_queues = 8 is out of range; use 0 to 4"},
      {49, "row_queues = 2", "x.cfg:49: error: row_queues = 2, but no pipe has fewer lanes than lanes = 8; use 0"},
      {50, "launch_queue = 4", "x.cfg:50: error: launch_queue = 4; use 0 or 8"},
      {0, "lanes = 8", "x.cfg:54: error: key 'lanes' is given twice (first at line 1); remove one"},
      {4, NULL, "x.cfg:52: error: key 'banks' is missing; add 'banks = VALUE'"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct cfg c;
    struct diag d;
    assert_false(load(cases[i].at, cases[i].text, &c, &d));
    assert_string_equal(d.text, cases[i].message);
  }
}

static void put(const char *name, const char *text) {
  FILE *f = fopen(name, "w");
  assert_non_null(f);
  fputs(text, f);
  fclose(f);
}

/* What differs from another file beside it, or from one that does the same; each file has every key once. */
static void test_extends(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } wrong[] = {
      {"extends = x\nlanes = 7\n", "y.cfg:2: error: lanes = 7 is not a power of two"},
      {"extends = x\nlanes = 8\nlanes = 8\n",
       "y.cfg:3: error: key 'lanes' is given twice (first at line 2); remove one"},
      {"lanes = 8\nextends = x\n", "y.cfg:2: error: 'extends' comes before all keys"},
      {"extends = x\nextends = x\n", "y.cfg:2: error: 'extends' comes before all keys"},
      {"extends = ../x\n", "y.cfg:1: error: expected 'extends = NAME', of a file NAME.cfg beside this one"},
      {"extends x\n", "y.cfg:1: error: expected 'extends = NAME', of a file NAME.cfg beside this one"},
      {"extends = y\n", "y.cfg:1: error: extends: 4 files at most, each of another"},
      /* what does not fit is named where it was given last */
      {"extends = x\nsfu_lanes = 2\n",
       "y.cfg:2: error: sfu_lanes = 2, but 'pipes' does not name this unit; use 0, or name it"},
      {"extends = x\npipes = alu sfu\n", "x.cfg:26: error: sfu_lanes = 0, but 'pipes' names this unit; use 1 to lanes"},
  };
  struct cfg base, c;
  struct diag d = {0};
  assert_true(load_lines(good, NULL, &base, &d)); /* x.cfg stays */
  put("y.cfg", "# as x\nextends = x\n");
  put("z.cfg", "extends = y\nwarps = 16\npipes = alu cvt\n");
  assert_true(cfg_load("y.cfg", &c, &d));
  assert_true(c.hash == base.hash && strcmp(c.name, "y") == 0);
  assert_true(cfg_load("./z.cfg", &c, &d));
  assert_int_equal(c.value[CFG_WARPS], 16);
  assert_int_equal(c.value[CFG_LANES], base.value[CFG_LANES]);
  assert_int_equal(c.pipes, CFG_PIPE_ALU | CFG_PIPE_CVT);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    d = (struct diag){0};
    put("y.cfg", wrong[i].text);
    assert_false(cfg_load("y.cfg", &c, &d));
    assert_string_equal(d.text, wrong[i].message);
  }
  d = (struct diag){0};
  put("y.cfg", "extends = none\n");
  assert_false(cfg_load("y.cfg", &c, &d));
  assert_non_null(strstr(d.text, "none.cfg"));
  remove("y.cfg");
  remove("z.cfg");
}

/* Counts stand still while a pipe makes the second pass of a row and those after it: of a latency of 7 with two lanes
 * of eight four are counted, with four lanes six; of ALU's 4 with four lanes three, for registers and predicates. */
static void test_passes(void **state) {
  (void)state;
  static const struct {
    int at[4]; /* these lines, up to a 0, */
    const char *line[4];
    int refused; /* line that is refused, or 0: taken */
    const char *says;
  } steps[] = {
      {{32, 16}, {"cvt_lanes = 2", "latency_cvt = 7"}, 0, NULL},
      {{20}, {"stall_cvt_reg = 5"}, 21, "stall_cvt_reg = 5 is too small; the result is there after 6 cycles"},
      {{20, 32},
       {"stall_cvt_reg = 6", "cvt_lanes = 8"},
       21,
       "stall_cvt_reg = 6 is too small; the result is there after 9 cycles"},
      {{32, 33, 15}, {"cvt_lanes = 2", "fma_lanes = 4", "latency_fma = 7"}, 0, NULL},
      {{19}, {"stall_fma_reg = 7"}, 20, "stall_fma_reg = 7 is too small; the result is there after 8 cycles"},
      {{19, 14, 34}, {"stall_fma_reg = 8", "latency_alu = 4", "alu_lanes = 4"}, 0, NULL},
      {{17}, {"stall_alu_reg = 4"}, 18, "stall_alu_reg = 4 is too small; the result is there after 5 cycles"},
      {{17, 18},
       {"stall_alu_reg = 5", "stall_alu_pred = 8"},
       19,
       "stall_alu_pred = 8 is too small; the result is there after 9 cycles"},
      {{18}, {"stall_alu_pred = 9"}, 0, NULL},
      {{34}, {"alu_lanes = 8"}, 18, "stall_alu_reg = 5 is too small; the result is there after 6 cycles"},
      {{17}, {"stall_alu_reg = 6"}, 19, "stall_alu_pred = 9 is too small; the result is there after 10 cycles"},
  };
  const char *line[GOOD];
  struct cfg c;
  struct diag d;
  memcpy(line, good, sizeof good);
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    for (unsigned k = 0; k < 4 && steps[i].at[k] != 0; k++) line[steps[i].at[k]] = steps[i].line[k];
    char says[160];
    snprintf(says, sizeof says, "x.cfg:%d: error: %s (README.md)", steps[i].refused,
             steps[i].says ? steps[i].says : "");
    assert_int_equal(load_lines(line, NULL, &c, &d), steps[i].refused == 0);
    if (steps[i].refused != 0) assert_string_equal(d.text, says);
  }
}

/* Pipe fma may have a rank more, whatever its passes; what depends on it then waits a cycle longer. */
static void test_ranks(void **state) {
  (void)state;
  const char *line[GOOD];
  struct cfg c;
  struct diag d;
  memcpy(line, good, sizeof good);
  line[15] = "latency_fma = 7";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(
      d.text, "x.cfg:20: error: stall_fma_reg = 8 is too small; the result is there after 9 cycles (README.md)");
  line[19] = "stall_fma_reg = 9";
  assert_true(load_lines(line, NULL, &c, &d));
  line[18] = "stall_alu_pred = 8";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(
      d.text, "x.cfg:19: error: stall_alu_pred = 8 is too small; the result is there after 9 cycles (README.md)");
  line[18] = "stall_alu_pred = 9";
  line[33] = "fma_lanes = 2";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:16: error: latency_fma = 7 is no depth of pipe fma; use 9 or 10");
  line[15] = "latency_fma = 10";
  assert_true(load_lines(line, NULL, &c, &d));
}

/* With row queues counts begin when the last row of an instruction has left its queue, two cycles before the next issue
 * or more: a predicate of LATENCY 4 is there after five, registers of LATENCY 7 after four of four beats. */
static void test_queues(void **state) {
  (void)state;
  const char *line[GOOD];
  struct cfg c;
  struct diag d;
  memcpy(line, good, sizeof good);
  line[33] = "fma_lanes = 4";
  line[34] = "alu_lanes = 4";
  line[14] = "latency_alu = 4";
  line[15] = "latency_fma = 7";
  line[17] = "stall_alu_reg = 1";
  line[18] = "stall_alu_pred = 5";
  line[19] = "stall_fma_reg = 4";
  line[20] = "stall_cvt_reg = 1";
  line[48] = "row_queues = 2";
  assert_true(load_lines(line, NULL, &c, &d));
  assert_int_equal(c.value[CFG_ROW_QUEUES], 2);
  line[18] = "stall_alu_pred = 4";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(
      d.text, "x.cfg:19: error: stall_alu_pred = 4 is too small; the result is there after 5 cycles (README.md)");
  line[18] = "stall_alu_pred = 5";
  line[19] = "stall_fma_reg = 3";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(
      d.text, "x.cfg:20: error: stall_fma_reg = 3 is too small; the result is there after 4 cycles (README.md)");
  line[19] = "stall_fma_reg = 4";
  line[13] = "pipes = alu uni";
  line[31] = "stall_uni_reg = 5";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:49: error: row_queues = 2, but 'pipes' names half or uni; use 0");
}

/* Two lines of operands: counts see nothing of passes; a result of 32/lanes cycles or more needs a count that lets its
 * rows be read before. */
static void test_lines(void **state) {
  (void)state;
  const char *line[GOOD];
  struct cfg c;
  struct diag d;
  memcpy(line, good, sizeof good);
  line[52] = "operand_lines = 2";
  assert_true(load_lines(line, NULL, &c, &d));
  assert_int_equal(c.value[CFG_OPERAND_LINES], 2);
  line[20] = "stall_cvt_reg = 5";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(
      d.text, "x.cfg:21: error: stall_cvt_reg = 5 is too small; the result is there after 6 cycles (README.md)");
  line[20] = "stall_cvt_reg = 6";
  line[19] = "stall_fma_reg = 6";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(
      d.text, "x.cfg:20: error: stall_fma_reg = 6 is too small; the result is there after 7 cycles (README.md)");
  line[19] = "stall_fma_reg = 8";
  line[13] = "pipes = alu uni";
  line[31] = "stall_uni_reg = 5";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:53: error: operand_lines = 2, but 'pipes' names uni; use 1");
}

/* Pipes of one latency are a group, numbered as their first pipes are; with queues each is one. Instructions end one at
 * a time where latencies differ by less than the cycles between two of them, 32 / lanes, on one bus. */
static void test_fixed(void **state) {
  (void)state;
  enum { LINES = 9 };
  static const struct {
    unsigned lanes, queues, latency[CFG_FIXED]; /* of half 0: it is not there; of queues LINES: two lines of operands */
    unsigned pipes, groups, ends, group[CFG_FIXED], leader[CFG_FIXED];
  } cases[] = {
      {8, 0, {3, 6, 4}, 3, 3, 1, {0, 1, 2}, {0, 1, 2}},
      {8, 0, {3, 7, 4}, 3, 3, 3, {0, 1, 2}, {0, 1, 2}}, /* a difference of 4, as often comes an instruction */
      {4, 0, {3, 7, 7}, 3, 2, 1, {0, 1, 1}, {0, 1}},
      {4, 0, {7, 9, 7}, 3, 2, 1, {0, 1, 0}, {0, 1}},
      {4, 2, {7, 9, 7}, 3, 3, 3, {0, 1, 2}, {0, 1, 2}},
      {4, 1, {6, 6, 6}, 3, 3, 3, {0, 1, 2}, {0, 1, 2}},
      {4, LINES, {3, 7, 7}, 3, 3, 3, {0, 1, 2}, {0, 1, 2}},
      {4, LINES, {7, 9, 7}, 3, 2, 2, {0, 1, 0}, {0, 1}},
      {32, 0, {6, 6, 6}, 3, 1, 1, {0, 0, 0}, {0}},
      {32, 0, {6, 6, 5}, 3, 2, 2, {0, 0, 1}, {0, 2}},
      {16, 0, {3, 6, 4, 5}, 4, 4, 4, {0, 1, 2, 3}, {0, 1, 2, 3}},
      {8, 0, {3, 6, 5, 5}, 4, 3, 1, {0, 1, 2, 2}, {0, 1, 2}},
      {8, 0, {3, 6, 5, 6}, 4, 3, 1, {0, 1, 2, 1}, {0, 1, 2}},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    struct cfg c = {.pipes = CFG_PIPE_ALU | (cases[i].latency[3] != 0 ? CFG_PIPE_HALF : 0u)};
    c.value[CFG_LANES] = c.value[CFG_FMA_LANES] = cases[i].lanes;
    c.value[CFG_ALU_LANES] = cases[i].lanes / 2;
    c.value[CFG_CVT_LANES] = cases[i].lanes / 4;
    c.value[CFG_ROW_QUEUES] = cases[i].queues == LINES ? 0 : cases[i].queues;
    c.value[CFG_OPERAND_LINES] = cases[i].queues == LINES ? 2 : 1;
    for (unsigned k = 0; k < CFG_FIXED; k++) c.value[CFG_LATENCY_ALU + k] = cases[i].latency[k];
    const struct cfg_fixed f = cfg_fixed(&c);
    static const unsigned passes[CFG_FIXED] = {2, 1, 4, 1};
    assert_int_equal(f.pipes, cases[i].pipes);
    assert_int_equal(f.groups, cases[i].groups);
    assert_int_equal(f.ends, cases[i].ends);
    for (unsigned p = 0; p < CFG_FIXED; p++) assert_int_equal(f.number[p], p < f.pipes ? p : CFG_FIXED);
    for (unsigned p = 0; p < f.pipes; p++) {
      assert_int_equal(f.group[p], cases[i].group[p]);
      assert_int_equal(f.latency[p], cases[i].latency[p]);
      assert_int_equal(f.passes[p], passes[p]);
    }
    for (unsigned g = 0; g < f.groups; g++) assert_int_equal(f.leader[g], cases[i].leader[g]);
  }
}

/* Predicates of pipe half come with alu's. */
static void test_passes_half(void **state) {
  (void)state;
  const char *line[GOOD];
  struct cfg c;
  struct diag d;
  memcpy(line, good, sizeof good);
  line[13] = "pipes = alu half";
  line[27] = "latency_half = 5";
  line[28] = "stall_half_reg = 7";
  assert_true(load_lines(line, NULL, &c, &d));
  line[34] = "alu_lanes = 4";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:35: error: alu_lanes = 4 is less than lanes = 8, but 'pipes' names half; use 8");
}

/* A matrix instruction has three rows of operands a beat. */
static void test_tensor(void **state) {
  (void)state;
  const char *line[GOOD];
  struct cfg c;
  struct diag d;
  memcpy(line, good, sizeof good);
  line[13] = "pipes = alu tensor";
  line[29] = "tensor_cycles = 16";
  assert_true(load_lines(line, NULL, &c, &d));
  line[4] = "collectors = 2";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:5: error: collectors = 2, but a matrix instruction takes 3; use 3 or more");
}

static void test_cache(void **state) {
  (void)state;
  const char *line[GOOD];
  struct cfg c;
  struct diag d;
  memcpy(line, good, sizeof good);
  line[40] = "l1_bytes = 1024";
  line[41] = "l1_ways = 4";
  assert_true(load_lines(line, NULL, &c, &d));
  line[41] = "l1_ways = 8";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:41: error: l1_bytes = 1024 is too small for l1_ways = 8; use 2048 or more");
  line[41] = "l1_ways = 4";
  line[10] = "axi_bits = 512";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:41: error: l1_bytes = 1024 needs axi_bits of 256 or less; it is 512");
  line[40] = "l1_bytes = 0";
  line[41] = "l1_ways = 0";
  line[43] = "l2_bytes = 4096";
  line[44] = "l2_ways = 4";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:44: error: l2_bytes = 4096 needs axi_bits of 256 or less; it is 512");
  line[10] = "axi_bits = 32";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:44: error: l2_bytes = 4096 needs axi_bits of 64 or more; it is 32");
  line[10] = good[10];
  assert_true(load_lines(line, NULL, &c, &d));
  line[45] = "l2_banks = 8";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:44: error: l2_bytes = 4096 is too small for 8 banks of 4 ways; use 8192 or more");
  line[45] = "l2_banks = 4";
  line[50] = "axi_ports = 4";
  assert_true(load_lines(line, NULL, &c, &d));
  assert_int_equal(c.value[CFG_AXI_PORTS], 4);
  line[45] = "l2_banks = 2";
  assert_false(load_lines(line, NULL, &c, &d));
  assert_string_equal(d.text, "x.cfg:51: error: axi_ports = 4, but l2_banks = 2; a port has a bank or more");
}

static void test_file_name(void **state) {
  (void)state;
  struct cfg c;
  struct diag d = {0};
  assert_false(cfg_load("x.txt", &c, &d));
  assert_string_equal(d.text, "x.txt: error: a configuration file is named NAME.cfg");
  d = (struct diag){0};
  assert_false(cfg_load("absent.cfg", &c, &d));
  assert_non_null(strstr(d.text, "cannot open 'absent.cfg'"));
}

static void test_table(void **state) {
  (void)state;
  assert_true(heddle_config_count() >= 3);
  assert_null(heddle_config_at(heddle_config_count()));
  assert_null(heddle_config_find("no such"));
  for (size_t i = 0; i < heddle_config_count(); i++) {
    const struct heddle_config *c = heddle_config_at(i);
    assert_ptr_equal(heddle_config_find(c->name), c);
    assert_int_equal(c->lanes * c->beats, 32);
    if (i > 0) assert_true(strcmp(heddle_config_at(i - 1)->name, c->name) < 0);
  }
  assert_int_equal(heddle_config_find("tiny")->lanes, 4);
  assert_int_equal(heddle_config_find("tiny")->sched, HEDDLE_POLICY_LRR);
  assert_false(heddle_config_find("tiny")->its);
  assert_true(heddle_config_find("sm")->its);
  assert_int_equal(heddle_config_find("fpga")->warps, 8);
  assert_int_equal(heddle_config_find("wide")->lanes, 32);
  assert_int_equal(heddle_config_find("tiny")->pipes, HEDDLE_PIPE_ALU | HEDDLE_PIPE_FMA | HEDDLE_PIPE_CVT);
  assert_int_equal(heddle_config_find("tiny")->sfu_lanes, 0);
  assert_int_equal(heddle_config_find("wide")->sfu_lanes, 8);
  /* Several SMs, each of the sizes of a machine with one. */
  assert_int_equal(heddle_config_find("sm")->sms, 1);
  assert_int_equal(heddle_config_find("gpu")->sms, 4);
  assert_int_equal(heddle_config_find("quad")->sms, 4);
  assert_int_equal(heddle_config_find("quad")->warps, heddle_config_find("cached")->warps);
  assert_int_equal(heddle_config_find("quad")->l1_bytes, heddle_config_find("cached")->l1_bytes);
  assert_int_equal(heddle_config_find("gpu")->regs, heddle_config_find("sm")->regs);
  assert_int_equal(heddle_config_find("quad")->latency_hash, heddle_config_find("cached")->latency_hash);
  assert_int_equal(heddle_config_find("fpga")->lanes, 4);
  assert_int_equal(heddle_config_find("mid")->lanes, 8);
  assert_int_equal(heddle_config_find("mid")->alu_lanes, 4);
  assert_int_equal(heddle_config_find("wide")->alu_lanes, 32);
  assert_int_equal(heddle_config_find("mid")->fma_lanes, 4);
  assert_int_equal(heddle_config_find("fpga")->cvt_lanes, 1);
  assert_int_equal(heddle_config_find("tiny")->row_queues, 2);
  assert_int_equal(heddle_config_find("mid")->row_queues, 0);
  assert_int_equal(heddle_config_find("tiny")->tensor_cycles, 0);
  assert_int_equal(heddle_config_find("sm")->tensor_cycles, 16);
  assert_int_equal(heddle_config_find("wide")->pipes & HEDDLE_PIPE_SFU, HEDDLE_PIPE_SFU);
  /* The bits are those of the ISA file's units. */
  static const struct {
    unsigned pipe;
    enum heddle_isa_unit unit;
  } bits[] = {{HEDDLE_PIPE_ALU, ISA_UNIT_ALU},       {HEDDLE_PIPE_FMA, ISA_UNIT_FMA},
              {HEDDLE_PIPE_CVT, ISA_UNIT_CVT},       {HEDDLE_PIPE_HALF, ISA_UNIT_HALF},
              {HEDDLE_PIPE_FP64, ISA_UNIT_FP64},     {HEDDLE_PIPE_SFU, ISA_UNIT_SFU},
              {HEDDLE_PIPE_WARP, ISA_UNIT_WARP},     {HEDDLE_PIPE_UNI, ISA_UNIT_UNI},
              {HEDDLE_PIPE_TENSOR, ISA_UNIT_TENSOR}, {HEDDLE_PIPES_ALWAYS, ISA_UNIT_MEM}};
  unsigned all = 0;
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++) {
    const unsigned always = bits[i].pipe == HEDDLE_PIPES_ALWAYS ? 1u << ISA_UNIT_BR : 0;
    assert_int_equal(bits[i].pipe, 1u << bits[i].unit | always);
    all |= bits[i].pipe;
  }
  assert_int_equal(all, (1u << ISA_UNIT_COUNT) - 1);
  /* Adders of atomics, asynchronous copies are no units of it. */
  assert_int_equal(HEDDLE_PIPE_FATOM, 1u << ISA_PART_FATOM);
  assert_int_equal(HEDDLE_PIPE_ASYNC, 1u << ISA_PART_ASYNC);
  assert_true(ISA_UNIT_COUNT <= ISA_PART_ASYNC && ISA_PART_ASYNC < ISA_PART_FATOM);
  assert_int_equal(heddle_config_find("fpga")->pipes & HEDDLE_PIPE_FATOM, HEDDLE_PIPE_FATOM);
  assert_int_equal(heddle_config_units(heddle_config_find("tiny")),
                   HEDDLE_PIPE_ALU | HEDDLE_PIPE_FMA | HEDDLE_PIPE_CVT | 1u << ISA_UNIT_MEM | 1u << ISA_UNIT_BR);
}

/* Units with a latency of their own, by hand. Two beats of four passes each, and 16 cycles. Of FP64 groups of four
 * lanes three cycles each, four groups a beat (sm: two of eight), then three of the product and 12. */
static void test_latencies(void **state) {
  (void)state;
  struct heddle_config c = *heddle_config_find("sm");
  c.lanes = 16, c.beats = 2, c.sfu_lanes = 4, c.fp64_lanes = 8;
  assert_int_equal(heddle_config_sfu_busy(&c), 8);
  assert_int_equal(heddle_config_sfu_latency(&c), 24);
  assert_int_equal(heddle_config_fp64_busy(&c), 12);
  assert_int_equal(heddle_config_fp64_latency(&c), 27);
  c.fp64_lanes = 4;
  assert_int_equal(heddle_config_fp64_busy(&c), 24);
  assert_int_equal(heddle_config_fp64_latency(&c), 39);
  c.sfu_lanes = c.fp64_lanes = 16; /* a pass a beat, but no faster than two and three cycles; a product in one */
  assert_int_equal(heddle_config_sfu_busy(&c), 4);
  assert_int_equal(heddle_config_fp64_busy(&c), 6);
  assert_int_equal(heddle_config_fp64_latency(&c), 6 + 1 + 12);
  c.sfu_lanes = c.fp64_lanes = 0;
  assert_int_equal(heddle_config_sfu_busy(&c) + heddle_config_sfu_latency(&c), 0);
  assert_int_equal(heddle_config_fp64_busy(&c) + heddle_config_fp64_latency(&c), 0);
}

static int enter_scratch(void **state) {
  static char dir[] = "/tmp/heddle-config-XXXXXX";
  *state = mkdtemp(dir);
  return *state == NULL ? -1 : chdir(dir);
}

static int leave_scratch(void **state) {
  (void)unlink("x.cfg");
  if (chdir("/") != 0) return -1;
  return rmdir(*state);
}

/* The manual of keys has a row for each, with its range. */
static void test_manual(void **state) {
  (void)state;
  static char text[65536];
  FILE *f = fopen(ISA_DIR "/configs/README.md", "r");
  assert_non_null(f);
  const size_t n = fread(text, 1, sizeof text - 1, f);
  assert_true(n > 0 && n < sizeof text - 1);
  assert_int_equal(fclose(f), 0);
  for (unsigned k = 0; k < CFG_KEYS; k++) {
    char row[96];
    snprintf(row, sizeof row, "\n| `%s` | %u to %u%s |", cfg_key_names[k], cfg_ranges[k].low, cfg_ranges[k].high,
             cfg_ranges[k].pow2 ? ", 2\u207f" : "");
    if (strstr(text, row) == NULL) fail_msg("isa/configs/README.md has no row that begins %s", row + 1);
  }
  for (unsigned p = 0; p < CFG_PIPES; p++) assert_non_null(strstr(text, cfg_pipe_names[p].name));
  assert_non_null(strstr(text, "\n| `sched` | `gto`, `lrr`, `twolevel` |"));
  assert_non_null(strstr(text, "\n| `divergence` | `stack`, `stack its` |"));
}

int TEST_MAIN(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_good),      cmocka_unit_test(test_errors),  cmocka_unit_test(test_tensor),
      cmocka_unit_test(test_cache),     cmocka_unit_test(test_extends), cmocka_unit_test(test_passes),
      cmocka_unit_test(test_ranks),     cmocka_unit_test(test_queues),  cmocka_unit_test(test_passes_half),
      cmocka_unit_test(test_file_name), cmocka_unit_test(test_table),   cmocka_unit_test(test_latencies),
      cmocka_unit_test(test_lines),     cmocka_unit_test(test_fixed),   cmocka_unit_test(test_manual)};
  return cmocka_run_group_tests(tests, enter_scratch, leave_scratch);
}
