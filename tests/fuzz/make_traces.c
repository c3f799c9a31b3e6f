/* SPDX-License-Identifier: Apache-2.0
 *
 * Seeds for the reader of traces: runs of small programs on the checker tests' stand-in for the hardware.
 * usage: fuzz_make_traces DIR
 */
#include <stdio.h>
#include <stdlib.h>

#include "cosim/kit/conform/fake.h"
#include <heddle/trace.h>
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/set.h"

static uint8_t before[FAKE_BYTES], after[FAKE_BYTES];

static void fail(const char *what) {
  fprintf(stderr, "fuzz_make_traces: %s\n", what);
  exit(1);
}

/* Memory that the run never touches becomes zeros, which a trace leaves out: seeds are to be small. */
static void forget_untouched(const struct stream *s) {
  enum { PIECE = 4096 };
  bool touched[FAKE_BYTES / PIECE] = {false};
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_GLOBAL) continue;
    const uint64_t at = s->r[i].u.global.sector * HEDDLE_RECORD_SECTOR - FAKE_BASE;
    if (at < FAKE_BYTES) touched[at / PIECE] = true;
  }
  for (size_t i = 0; i < FAKE_BYTES; i++)
    if (!touched[i / PIECE]) before[i] = after[i] = 0;
}

static void run(struct heddle_trace_writer *w, const char *text, const struct fake_config *machine, unsigned blocks,
                struct heddle_record_hidden hidden) {
  struct fake_program p;
  struct stream s = {0};
  fake_assemble(&p, text, blocks, 64);
  fake_run(&p, machine, &s, after);
  fake_fill(before);
  forget_untouched(&s);
  if (heddle_trace_launch(w, &p.launch, FAKE_BASE, before, FAKE_BYTES, NULL) != HEDDLE_SUCCESS)
    fail("cannot write the launch");
  uint64_t noise = 1;
  conform_hide(&s, hidden, &noise);
  for (size_t i = 0; i < s.n; i++)
    if (heddle_trace_record(w, &s.r[i], NULL) != HEDDLE_SUCCESS) fail("cannot write a record");
  if (heddle_trace_launch_end(w, after, s.n > 0 ? s.r[s.n - 1].cycle : 0, NULL) != HEDDLE_SUCCESS)
    fail("cannot write the end");
  stream_free(&s);
  fake_program_free(&p);
}

static void make(const char *dir, const char *name, const char *text, unsigned lanes, unsigned blocks,
                 unsigned launches, struct heddle_record_hidden hidden) {
  struct heddle_message msg;
  char path[1024];
  const struct fake_config machine = {lanes, 16, 3, 4, 0};
  const struct heddle_trace_header h = {.size = sizeof h,
                                        .isa_hash = heddle_isa_hash(),
                                        .lanes = lanes,
                                        .warp_slots = machine.warp_slots,
                                        .block_slots = machine.block_slots,
                                        .shared_bytes = 8192,
                                        .hidden = hidden,
                                        .clock_ahead = 1000,
                                        .config = "fuzz",
                                        .command = "none"};
  snprintf(path, sizeof path, "%s/%s.trace", dir, name);
  struct heddle_trace_writer *w;
  if (heddle_trace_create(path, &h, &w, &msg) != HEDDLE_SUCCESS) fail(msg.text);
  for (unsigned i = 0; i < launches; i++) run(w, text, &machine, blocks, hidden);
  if (heddle_trace_close(w, NULL) != HEDDLE_SUCCESS) fail("cannot close the trace");
}

/* What a profile shows, and what lies between: one field, one kind less. */
static const struct {
  const char *name;
  struct heddle_record_hidden hidden;
} shows[] = {{"p0", HEDDLE_RECORD_HIDDEN_P0},
             {"p1", HEDDLE_RECORD_HIDDEN_P1},
             {"p2", HEDDLE_RECORD_HIDDEN_P2},
             {"no_stamp", {0, 1u << HEDDLE_RECORD_OPTION_GLOBAL_STAMP}},
             {"no_predicate", {1u << HEDDLE_RECORD_PREDICATE, 0}}};

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  char name[64];
  for (size_t k = 0; k < sizeof shows / sizeof *shows; k++) {
    const struct heddle_record_hidden h = shows[k].hidden;
    snprintf(name, sizeof name, "mix_%s", shows[k].name);
    make(argv[1], name, program_mix, 8, 1, 1, h);
    snprintf(name, sizeof name, "uniform_%s", shows[k].name);
    make(argv[1], name, program_uniform, 16, 1, 1, h);
    snprintf(name, sizeof name, "local_%s", shows[k].name);
    make(argv[1], name, program_local, 32, 1, 1, h);
    snprintf(name, sizeof name, "address_%s", shows[k].name);
    make(argv[1], name, program_address, 8, 1, 2, h);
  }
  make(argv[1], "mix", program_mix, 32, 1, 1, shows[2].hidden);
  make(argv[1], "illegal", program_illegal, 16, 1, 1, shows[2].hidden);
  make(argv[1], "target", program_target, 4, 1, 1, shows[2].hidden);
  return 0;
}
