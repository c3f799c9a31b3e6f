/* SPDX-License-Identifier: Apache-2.0
 * Random programs for `its`: whichever paths are chosen, they leave the same memory, launch after launch; and under
 * `stack`, if it can run them. All control instructions come along, also by a part of a warp. */
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/host.h>
#include <heddle/isa_tables.h>
#include <heddle/model.h>
#include "tests/test.h"
#include "lab/verify/random/knobs.h"
#include "lab/verify/random/random_program.h"
#include "base/splitmix64.h"

#define ROOM (UINT64_C(1) << 20) /* of each buffer */
#define BUFFERS 2
#define LIMIT 4000000u

static unsigned programs = 120;
static const char *setting[8]; /* of knobs, after those of set_knobs */
static unsigned settings;
static uint64_t first_seed = 31;
static unsigned whole[ISA_OP_COUNT], part[ISA_OP_COUNT]; /* executed by all live lanes of a warp, by some */

struct subject {
  struct random_program *random;
  struct heddle_program *program;
  const struct random_launch *how; /* the random program's */
  struct heddle_launch launch;
  uint8_t *bank;
};

static void add_buffer(struct subject *s, const struct heddle_kernel *k, unsigned i, size_t bytes, bool writable) {
  const uint64_t at = s->how->base + i * ROOM;
  uint8_t address[8];
  assert_true(bytes <= ROOM);
  for (unsigned b = 0; b < 8; b++) address[b] = (uint8_t)(at >> 8 * b);
  heddle_bank0_param(s->bank, k, i, address);
  s->launch.region[s->launch.regions++] = (struct heddle_region){at, at + bytes, writable};
}

/* Programs whose memory says something: they end without a trap, and read nothing that the machine alone knows, such as
 * clocks, which count what is issued. They have two buffers, no small regions beside. */
static void set_knobs(struct random_knobs *k) {
  char err[200];
  random_knobs_default(k);
  assert_true(random_knobs_set(k, "program.traps=0", err, sizeof err));
  assert_true(random_knobs_set(k, "program.machine=0", err, sizeof err));
  assert_true(random_knobs_set(k, "program.races=0", err, sizeof err));
  assert_true(random_knobs_set(k, "memory.edges=0", err, sizeof err));
  for (unsigned i = 0; i < settings; i++)
    if (!random_knobs_set(k, setting[i], err, sizeof err)) fail_msg("%s", err);
}

static void set_up(struct subject *s, uint64_t index) {
  struct random_knobs knobs;
  set_knobs(&knobs);
  const struct random_limits limits = {.max_threads = 128,
                                       .max_regs = 64,
                                       .max_shared = 8192,
                                       .units = UINT32_MAX, /* what the model alone has, too */
                                       .its = true,
                                       .stall = {4, 4, 4, 4, 6, 12},
                                       .knobs = &knobs};
  const struct heddle_asm_options o = {.size = sizeof o, .stall = {4, 4, 4, 4, 6, 12}};
  memset(s, 0, sizeof *s);
  s->random = random_program_new(first_seed, index, &limits);
  assert_non_null(s->random);
  const char *text = random_program_text(s->random);
  if (heddle_assemble(text, strlen(text), "random", &o, &s->program) != HEDDLE_SUCCESS)
    fail_msg("program %u does not assemble:\n%s", (unsigned)index, text);
  const struct random_launch *l = s->how = random_program_launch(s->random);
  assert_true(l->trap == 0 && !l->order_dependent && l->launches >= 1);
  const struct heddle_kernel *k = heddle_program_kernel(s->program, "fuzz");
  s->launch = (struct heddle_launch){.size = sizeof s->launch,
                                     .entry_pc = k->entry_pc,
                                     .regs = k->regs,
                                     .shared_bytes = k->shared_bytes,
                                     .local_bytes = k->local_bytes,
                                     .code = s->program->code,
                                     .code_bytes = s->program->code_bytes,
                                     .units = UINT32_MAX};
  memcpy(s->launch.grid, l->grid, sizeof l->grid);
  memcpy(s->launch.block, l->block, sizeof l->block);
  s->bank = malloc(heddle_bank0_bytes(k));
  assert_non_null(s->bank);
  heddle_bank0_fill(s->bank, k, l->grid, l->block, 0);
  s->launch.cbank[0] = s->bank;
  s->launch.cbank_bytes[0] = heddle_bank0_bytes(k);
  for (unsigned b = 1; b < 3; b++) {
    s->launch.cbank[b] = l->bank[b];
    s->launch.cbank_bytes[b] = l->bank_bytes[b];
  }
  s->launch.cbank[3] = s->program->konst;
  s->launch.cbank_bytes[3] = s->program->const_bytes;
  add_buffer(s, k, 0, l->out_bytes, true);
  add_buffer(s, k, 1, l->input_bytes, false);
}

static void clear(struct subject *s) {
  free(s->bank);
  heddle_program_free(s->program);
  random_program_free(s->random);
}

static struct heddle_model *start(const struct subject *s, enum heddle_divergence unit) {
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = s->how->base,
                                        .bytes = BUFFERS * ROOM,
                                        .warp_slots = 32,
                                        .block_slots = 8,
                                        .divergence = unit};
  struct heddle_model *m = heddle_model_new(&c);
  assert_non_null(m);
  memcpy(heddle_model_memory(m) + ROOM, s->how->input, s->how->input_bytes);
  return m;
}

static void expect_ok(const struct heddle_model *m, enum heddle_error s, unsigned index) {
  if (s != HEDDLE_SUCCESS) fail_msg("program %u: %s", index, heddle_model_diag(m));
}

/* All launches, as the model orders paths. */
static enum heddle_error run_alone(struct heddle_model *m, const struct subject *s, unsigned index) {
  enum heddle_error end = HEDDLE_SUCCESS;
  for (unsigned i = 0; i < s->how->launches && end == HEDDLE_SUCCESS; i++) {
    expect_ok(m, heddle_model_launch(m, &s->launch), index);
    end = heddle_model_run(m, LIMIT, NULL);
  }
  return end;
}

/* ---- a machine that chooses any path ---- */

static void count(const struct heddle_effect *e, uint32_t exited) {
  if (e->exec == 0) return;
  if ((e->active | exited) == UINT32_MAX)
    whole[e->dec.op]++;
  else
    part[e->dec.op]++;
}

/* One instruction of a warp; one time in `often`, a power of two, of the path that some lane is in. */
static void issue(struct heddle_model *m, unsigned w, unsigned index, uint64_t *rng, unsigned often) {
  static struct heddle_effect e;
  static struct heddle_performed done;
  struct heddle_standing now;
  assert_true(heddle_warp_standing(m, w, &now));
  const uint64_t r = splitmix64(rng);
  if ((r >> 32 & (often - 1)) == 0) (void)heddle_warp_choose(m, w, (unsigned)(r % 32)); /* parked or gone: as it was */
  expect_ok(m, heddle_warp_issue(m, w, &e), index);
  if (e.traps) fail_msg("program %u: %s", index, heddle_model_diag(m));
  count(&e, now.exited);
  for (unsigned id = 0; id < 16 && e.dec.unit == ISA_UNIT_BR; id++)
    (void)heddle_barrier_release(m, 0, id); /* refused while it is not complete */
  expect_ok(m, heddle_perform_whole(m, w, &e, &done), index);
}

/* A round: each warp that can has one instruction. False: all have ended. */
static bool round_of(struct heddle_model *m, unsigned warps, unsigned index, uint64_t *rng, unsigned often) {
  bool alive = false;
  for (unsigned w = 0; w < warps; w++) {
    struct heddle_standing now;
    if (!heddle_warp_standing(m, w, &now) || now.ended) continue;
    alive = true;
    if (!now.waiting) issue(m, w, index, rng, often);
  }
  return alive;
}

static void block(struct heddle_model *m, const uint32_t id[3], unsigned warps, unsigned index, uint64_t *rng,
                  unsigned often) {
  const uint8_t slot[32] = {0, 1, 2, 3};
  unsigned rounds = 0;
  expect_ok(m, heddle_block_start(m, 0, id, slot, warps), index);
  while (round_of(m, warps, index, rng, often))
    if (rounds++ > LIMIT) fail_msg("program %u does not end", index);
  expect_ok(m, heddle_block_end(m, 0), index);
}

static void grid(struct heddle_model *m, const struct subject *s, unsigned index, uint64_t *rng, unsigned often) {
  const uint32_t *b = s->launch.block, *g = s->launch.grid;
  const unsigned warps = (b[0] * b[1] * b[2] + 31) / 32;
  assert_true(warps <= 4);
  expect_ok(m, heddle_model_launch(m, &s->launch), index);
  for (uint32_t i = 0; i < g[0] * g[1] * g[2]; i++) {
    const uint32_t id[3] = {i % g[0], i / g[0] % g[1], i / g[0] / g[1]};
    block(m, id, warps, index, rng, often);
  }
  assert_true(heddle_grid_done(m));
}

static struct heddle_model *judged(const struct subject *s, unsigned index, unsigned often) {
  struct heddle_model *m = start(s, HEDDLE_ITS);
  uint64_t rng = index + often;
  for (unsigned i = 0; i < s->how->launches; i++) grid(m, s, index, &rng, often);
  return m;
}

static void same_memory(struct heddle_model *a, struct heddle_model *b, unsigned index, const char *what) {
  if (memcmp(heddle_model_memory(a), heddle_model_memory(b), BUFFERS * ROOM) != 0)
    fail_msg("program %u leaves other memory %s", index, what);
}

static void any_choice_leaves_the_same(void **state) {
  (void)state;
  unsigned under_stack = 0, again = 0;
  for (unsigned i = 0; i < programs; i++) {
    struct subject s;
    set_up(&s, i);
    struct heddle_model *alone = start(&s, HEDDLE_ITS);
    expect_ok(alone, run_alone(alone, &s, i), i);
    again += s.how->launches > 1;
    for (unsigned often = 2; often <= 4; often *= 2) {
      struct heddle_model *m = judged(&s, i, often);
      same_memory(alone, m, i, "with paths chosen at random");
      heddle_model_free(m);
    }
    struct heddle_model *stack = start(&s, HEDDLE_STACK);
    if (run_alone(stack, &s, i) == HEDDLE_SUCCESS) { /* else it waits for ever, or arms meet at two places */
      same_memory(alone, stack, i, "under stack");
      under_stack++;
    }
    heddle_model_free(stack);
    heddle_model_free(alone);
    clear(&s);
  }
  assert_in_range(under_stack, programs / 10, programs - programs / 10);
  if (settings == 0) assert_true(again > 0); /* programs with several launches were among them */
}

/* Counted by the test above. */
static void all_control_comes_along(void **state) {
  (void)state;
  static const enum heddle_isa_op split[] = {ISA_OP_BRA,      ISA_OP_JMP,       ISA_OP_BRX,   ISA_OP_CALL_REL,
                                             ISA_OP_CALL_ABS, ISA_OP_RET,       ISA_OP_BSSY,  ISA_OP_BSYNC,
                                             ISA_OP_BREAK,    ISA_OP_EXIT,      ISA_OP_YIELD, ISA_OP_NANOSLEEP,
                                             ISA_OP_WARPSYNC, ISA_OP_DEPBAR_LE, ISA_OP_KILL};
  for (unsigned op = 0; op < ISA_OP_COUNT; op++)
    if (heddle_isa_instr_info((enum heddle_isa_op)op)->unit == ISA_UNIT_BR && op != ISA_OP_BPT_TRAP &&
        whole[op] + part[op] == 0)
      fail_msg("%s is never executed", heddle_isa_op_name((enum heddle_isa_op)op));
  for (unsigned i = 0; i < sizeof split / sizeof *split; i++)
    if (part[split[i]] == 0) fail_msg("%s: never by a part of a warp", heddle_isa_op_name(split[i]));
}

/* Counted by the test above, too. */
static void copies_come_along(void **state) {
  (void)state;
  static const enum heddle_isa_op copies[] = {ISA_OP_LDGSTS_E, ISA_OP_LDGDEPBAR};
  for (unsigned i = 0; i < 2; i++)
    if (whole[copies[i]] == 0 || part[copies[i]] == 0) fail_msg("%s: hardly ever", heddle_isa_op_name(copies[i]));
}

/* Arguments: how many programs, the seed, knobs NAME=VALUE. */
int TEST_MAIN(int argc, char **argv) {
  if (argc > 1) programs = (unsigned)strtoul(argv[1], NULL, 0);
  if (argc > 2) first_seed = strtoull(argv[2], NULL, 0);
  for (int i = 3; i < argc && settings < sizeof setting / sizeof *setting; i++) setting[settings++] = argv[i];
  const struct CMUnitTest tests[] = {cmocka_unit_test(any_choice_leaves_the_same),
                                     cmocka_unit_test(all_control_comes_along), cmocka_unit_test(copies_come_along)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
