/* SPDX-License-Identifier: Apache-2.0
 *
 * How the blocks of a grid are spread over the machine, by the records of its retire port, in lockstep: blocks of one,
 * two and three warps, limited by slots, registers and shared memory, on each of its SMs. usage: cosim_spread_test
 * CONFIG
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdio.h>
#include <string.h>

#include "cosim/kit/conform/fake.h"
#include <heddle/config.h>
#include "tests/cosim/lockstep_rig.h"

static const struct heddle_config *machine;
enum { BLOCKS_MOST = 64, PARTITIONS_MOST = 8, SMS_MOST = 8 };

/* What is resident in an SM, block by block. */
struct of_sm {
  uint64_t warps[BLOCKS_MOST]; /* of each block slot; 0: it is free */
  unsigned started, resident, most;
  unsigned uneven;  /* how far two partitions were apart, in warps, before any block had ended */
  unsigned at_once; /* blocks that began before any had ended */
  bool ended;       /* a block has */
  uint64_t ever;    /* slots that were taken */
};

struct spread {
  struct of_sm sm[SMS_MOST];
};

static void count(struct of_sm *s) {
  unsigned held[PARTITIONS_MOST] = {0}, most = 0, least = UINT32_MAX;
  for (unsigned b = 0; b < machine->blocks; b++)
    for (uint64_t rest = s->warps[b]; rest != 0; rest &= rest - 1)
      held[(unsigned)__builtin_ctzll(rest) % machine->partitions]++;
  for (unsigned p = 0; p < machine->partitions; p++) {
    most = held[p] > most ? held[p] : most;
    least = held[p] < least ? held[p] : least;
  }
  if (!s->ended && most - least > s->uneven) s->uneven = most - least;
}

static void look(void *ctx, const struct heddle_model *m, const struct heddle_launch *l,
                 const struct heddle_retire_record *r) {
  struct spread *all = ctx;
  (void)m;
  (void)l;
  if (r != NULL && r->kind == HEDDLE_RECORD_BLOCK_START) {
    struct of_sm *s = &all->sm[r->u.block_start.sm];
    s->warps[r->u.block_start.bslot] = r->u.block_start.warps;
    s->ever |= r->u.block_start.warps;
    s->started++;
    s->at_once += !s->ended;
    if (++s->resident > s->most) s->most = s->resident;
    count(s);
  }
  if (r != NULL && r->kind == HEDDLE_RECORD_BLOCK_END) {
    struct of_sm *s = &all->sm[r->u.block_end.sm];
    s->warps[r->u.block_end.bslot] = 0;
    s->resident--;
    s->ended = true;
  }
}

/* Warps that stay until all that find room have been started. */
static void run(struct spread *s, unsigned blocks, unsigned warps, unsigned regs, unsigned shared) {
  struct heddle_message msg;
  char text[512];
  struct fake_program p;
  struct heddle_session_result r = {.size = sizeof r};
  struct heddle_session_config c = rig_base(HEDDLE_SESSION_LOCKSTEP, 1);
  *s = (struct spread){0};
  c.adversarial = false;
  c.observe = look;
  c.observe_ctx = s;
  (void)snprintf(text, sizeof text,
                 ".kernel stay\n.regs %u\n.shared room %u\n"
                 "        MOV R0, 0x20 ;\n"
                 "again:  IADD3 R0, R0, -0x1, RZ ;\n"
                 "        ISETP.NE.AND P0, PT, R0, RZ, PT ;\n"
                 "@P0     BRA again ;\n"
                 "        EXIT ;\n.end\n",
                 regs, shared);
  fake_assemble(&p, text, blocks, 32 * warps);
  struct heddle_session *session;
  if (heddle_session_open(&c, &session, &msg) != HEDDLE_SUCCESS) fail_msg("%s", msg.text);
  rig_expect(HEDDLE_SESSION_OK, heddle_session_run(session, &p.launch, &r), &r);
  assert_int_equal(heddle_session_close(session, NULL), HEDDLE_SUCCESS);
  fake_program_free(&p);
}

/* So many blocks are there at a time, in each SM, as soon as they can be; and until then partitions take warps in
 * turns. */
static void expect(unsigned warps, unsigned places, unsigned regs, unsigned room, unsigned shared) {
  const unsigned by_warps = places * machine->partitions / warps;
  const unsigned most = by_warps < room ? by_warps : room, blocks = 2 * most * machine->sms + 1;
  struct spread all;
  unsigned started = 0;
  if (most == 0) return;
  run(&all, blocks, warps, regs, shared);
  for (const struct of_sm *s = all.sm; s < all.sm + machine->sms; s++) {
    started += s->started;
    assert_int_equal(s->resident, 0);
    assert_int_equal(s->most, most);
    assert_int_equal(s->at_once, most);
    assert_in_range(s->uneven, 0, 1);
    if (most * warps == machine->warps) assert_int_equal(__builtin_popcountll(s->ever), machine->warps);
  }
  assert_int_equal(started, blocks);
}

/* Blocks of one warp take every warp slot of a machine that has a block slot for each. */
static void test_slots(void **state) {
  (void)state;
  for (unsigned warps = 1; warps <= 3; warps++)
    expect(warps, machine->warps / machine->partitions, 8, machine->blocks, 16);
}

/* Registers leave three places in each partition; shared memory leaves three blocks. */
static void test_limits(void **state) {
  (void)state;
  const unsigned mine = machine->regs / machine->partitions, regs = mine / 3 < 255 ? mine / 3 : 255;
  const unsigned slots = machine->warps / machine->partitions, places = mine / regs < slots ? mine / regs : slots;
  for (unsigned warps = 1; warps <= 3; warps++) {
    expect(warps, places, regs, machine->blocks, 16);
    expect(warps, slots, 8, 3, machine->shared_bytes / 3 / 128 * 128);
  }
}

int main(int argc, char **argv) {
  const struct CMUnitTest all[] = {cmocka_unit_test(test_slots), cmocka_unit_test(test_limits)};
  if (argc != 2) return 2;
  rig_machine = argv[1];
  machine = heddle_config_find(rig_machine);
  if (machine == NULL || machine->blocks > BLOCKS_MOST || machine->partitions > PARTITIONS_MOST ||
      machine->sms > SMS_MOST)
    return 2;
  return cmocka_run_group_tests(all, NULL, NULL);
}
