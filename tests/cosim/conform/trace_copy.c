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

static const struct record_hidden profile[] = {RECORD_HIDDEN_P0, RECORD_HIDDEN_P1, RECORD_HIDDEN_P2};

static int fail(const char *why) {
  fprintf(stderr, "trace_copy: %s\n", why);
  return 1;
}

/* Without a clock, how far ahead it is comes from the first issue. */
static uint64_t ahead(const char *path) {
  char error[256];
  struct retire_record r;
  struct trace_reader *t = trace_open(path, error, sizeof error);
  uint64_t clock = 0;
  for (enum trace_item item; t != NULL && (item = trace_next(t, &r)) != TRACE_DONE && item != TRACE_ERROR;) {
    if (item != TRACE_RECORD || r.kind != RECORD_ISSUE) continue;
    clock = r.u.issue.clock - r.cycle;
    break;
  }
  trace_free(t);
  return clock;
}

static bool give(struct heddle_tracefile *out, struct retire_record *r) {
  if (r->kind == RECORD_OPERANDS_MEMORY && !record_shows(out->core.hidden, RECORD_OPERANDS_MEMORY))
    r->kind = RECORD_OPERANDS;
  return !record_shows(out->core.hidden, (enum record_kind)r->kind) || heddle_tracefile_record(out, r);
}

static bool copy(struct trace_reader *in, struct heddle_tracefile *out) {
  struct retire_record r;
  for (;;) {
    const enum trace_item item = trace_next(in, &r);
    uint64_t bytes;
    const uint8_t *memory = trace_memory(in, &bytes);
    if (item == TRACE_DONE) return true;
    if (item == TRACE_ERROR) return false;
    if (item == TRACE_LAUNCH && !heddle_tracefile_launch(out)) return false;
    if (item == TRACE_RECORD && !give(out, &r)) return false;
    if (item == TRACE_END && (!heddle_tracefile_memory(out, 0, memory, bytes) || !heddle_tracefile_end(out, r.cycle)))
      return false;
  }
}

int main(int argc, char **argv) {
  char error[256] = "no memory";
  struct heddle_tracefile out;
  if (argc != 3 && argc != 4) return fail("usage: trace_copy FROM TO [PROFILE]");
  struct trace_reader *in = trace_open(argv[1], error, sizeof error);
  if (in == NULL) return fail(error);
  if (!heddle_tracefile_open(&out, fopen(argv[1], "rb"), fopen(argv[2], "wb"))) return fail(out.wrong);
  if (argc == 4 && argv[3][0] != '\0') {
    const struct record_hidden h = profile[(unsigned)argv[3][1] % 3], was = out.core.hidden; /* "P0": '0' is 48 */
    out.core.hidden = (struct record_hidden){was.kinds | h.kinds, was.options | h.options};
    if (record_shows_field(was, RECORD_OPTION_ISSUE_CLOCK) && !record_shows_field(h, RECORD_OPTION_ISSUE_CLOCK))
      out.core.clock_ahead = ahead(argv[1]);
  }
  if (!heddle_tracefile_begin(&out)) return fail(out.wrong);
  const bool copied = copy(in, &out), closed = heddle_tracefile_close(&out);
  if (!copied || !closed) return fail(out.wrong != NULL ? out.wrong : trace_error(in));
  trace_free(in);
  return 0;
}
