/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads a trace with libheddle, and writes it again with the writer that stands by itself (cosim/kit/trace).
 * usage: trace_copy FROM TO [PROFILE]
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/trace.h>
#include "cosim/kit/trace/heddle_trace.h"

static const struct heddle_record_hidden profile[] = {HEDDLE_RECORD_HIDDEN_P0, HEDDLE_RECORD_HIDDEN_P1,
                                                      HEDDLE_RECORD_HIDDEN_P2};

static int fail(const char *why) {
  fprintf(stderr, "trace_copy: %s\n", why);
  return 1;
}

/* Without a clock, how far ahead it is comes from the first issue. */
static uint64_t ahead(const char *path) {
  struct heddle_retire_record r;
  struct heddle_trace_reader *t;
  (void)heddle_trace_open(path, &t, NULL);
  uint64_t clock = 0;
  for (enum heddle_trace_item item;
       t != NULL && (item = heddle_trace_next(t, &r)) != HEDDLE_TRACE_DONE && item != HEDDLE_TRACE_ERROR;) {
    if (item != HEDDLE_TRACE_RECORD || r.kind != HEDDLE_RECORD_ISSUE) continue;
    clock = r.u.issue.clock - r.cycle;
    break;
  }
  heddle_trace_free(t);
  return clock;
}

static bool give(struct heddle_tracefile *out, struct heddle_retire_record *r) {
  if (r->kind == HEDDLE_RECORD_OPERANDS_MEMORY && !heddle_record_shows(out->core.hidden, HEDDLE_RECORD_OPERANDS_MEMORY))
    r->kind = HEDDLE_RECORD_OPERANDS;
  return !heddle_record_shows(out->core.hidden, (enum heddle_record_kind)r->kind) || heddle_tracefile_record(out, r);
}

static bool copy(struct heddle_trace_reader *in, struct heddle_tracefile *out) {
  struct heddle_retire_record r;
  for (;;) {
    const enum heddle_trace_item item = heddle_trace_next(in, &r);
    uint64_t bytes;
    const uint8_t *memory = heddle_trace_memory(in, &bytes);
    if (item == HEDDLE_TRACE_DONE) return true;
    if (item == HEDDLE_TRACE_ERROR) return false;
    if (item == HEDDLE_TRACE_LAUNCH && !heddle_tracefile_launch(out)) return false;
    if (item == HEDDLE_TRACE_RECORD && !give(out, &r)) return false;
    if (item == HEDDLE_TRACE_END &&
        (!heddle_tracefile_memory(out, 0, memory, bytes) || !heddle_tracefile_end(out, r.cycle)))
      return false;
  }
}

int main(int argc, char **argv) {
  struct heddle_message msg;
  struct heddle_tracefile out;
  if (argc != 3 && argc != 4) return fail("usage: trace_copy FROM TO [PROFILE]");
  struct heddle_trace_reader *in;
  if (heddle_trace_open(argv[1], &in, &msg) != HEDDLE_SUCCESS) return fail(msg.text);
  if (!heddle_tracefile_open(&out, fopen(argv[1], "rb"), fopen(argv[2], "wb"))) return fail(out.wrong);
  if (argc == 4 && argv[3][0] != '\0') {
    const struct heddle_record_hidden h = profile[(unsigned)argv[3][1] % 3],
                                      was = out.core.hidden; /* "P0": '0' is 48 */
    out.core.hidden = (struct heddle_record_hidden){was.kinds | h.kinds, was.options | h.options};
    if (heddle_record_shows_field(was, HEDDLE_RECORD_OPTION_ISSUE_CLOCK) &&
        !heddle_record_shows_field(h, HEDDLE_RECORD_OPTION_ISSUE_CLOCK))
      out.core.clock_ahead = ahead(argv[1]);
  }
  if (!heddle_tracefile_begin(&out)) return fail(out.wrong);
  const bool copied = copy(in, &out), closed = heddle_tracefile_close(&out);
  if (!copied || !closed) return fail(out.wrong != NULL ? out.wrong : heddle_trace_error(in));
  heddle_trace_free(in);
  return 0;
}
