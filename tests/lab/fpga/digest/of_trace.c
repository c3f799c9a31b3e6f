/* SPDX-License-Identifier: Apache-2.0
 *
 * digest_of_trace TRACE FILE [SEED]: what the core of a recorded trace would have told as digests. By SEED (not 0)
 * results are told late, and time is cut more often than it must be.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/lab/fpga/digest/encode.h"
#include <heddle/trace.h>

static int fail(const char *what, const char *why) {
  fprintf(stderr, "%s: %s\n", what, why);
  return 2;
}

struct work {
  struct heddle_trace_reader *in;
  struct heddle_trace_writer *out;
  struct encode_config cfg;
  struct encoder *launch;
  uint32_t number; /* of the next frame */
  uint64_t entries;
};

static bool end(struct work *w) {
  struct encode_bytes b = {0};
  size_t n;
  uint64_t bytes;
  const struct heddle_digest_entry *e = encode_entries(w->launch, &n);
  encode_bytes(&w->cfg, e, n, &w->number, &b);
  w->entries += n;
  const bool ok = heddle_trace_stream(w->out, b.at, b.n, NULL) == HEDDLE_SUCCESS &&
                  heddle_trace_launch_end(w->out, heddle_trace_memory(w->in, &bytes), 0, NULL) == HEDDLE_SUCCESS;
  if (!encode_whole_lines(w->launch)) fprintf(stderr, "a line was accessed with another warp in between\n");
  if (!encode_in_order(w->launch)) fprintf(stderr, "accesses of a warp were performed out of order\n");
  free(b.at);
  encode_free(w->launch);
  w->launch = NULL;
  return ok;
}

static bool begin(struct work *w) {
  uint64_t bytes;
  const uint8_t *memory = heddle_trace_memory(w->in, &bytes);
  w->launch = encode_new(&w->cfg);
  return heddle_trace_launch(w->out, heddle_trace_launched(w->in), heddle_trace_memory_base(w->in), memory, bytes,
                             NULL) == HEDDLE_SUCCESS;
}

static bool convert(struct work *w) {
  struct heddle_retire_record r;
  for (;;) {
    switch (heddle_trace_next(w->in, &r)) {
    case HEDDLE_TRACE_LAUNCH:
      if (!begin(w)) return false;
      break;
    case HEDDLE_TRACE_RECORD:
      encode_record(w->launch, &r);
      break;
    case HEDDLE_TRACE_END:
      if (!end(w)) return false;
      break;
    case HEDDLE_TRACE_DONE:
      return true;
    case HEDDLE_TRACE_ERROR:
      fprintf(stderr, "%s\n", heddle_trace_error(w->in));
      return false;
    }
  }
}

int main(int argc, char **argv) {
  struct heddle_message msg;
  struct work w = {0};
  if (argc != 3 && argc != 4) return fail("usage", "digest_of_trace TRACE FILE [SEED]");
  if (heddle_trace_open(argv[1], &w.in, &msg) != HEDDLE_SUCCESS) return fail(argv[1], msg.text);
  const struct heddle_trace_header *h = heddle_trace_read_header(w.in);
  const uint64_t seed = argc == 4 ? strtoull(argv[3], NULL, 0) : 0;
  w.cfg = (struct encode_config){.lanes = h->lanes,
                                 .warps = h->warp_slots,
                                 .blocks = h->block_slots,
                                 .banks = 4,
                                 .seed = seed,
                                 .late = seed != 0 ? 16 : 0,
                                 .cuts = seed != 0 ? 16 : 0};
  if (heddle_trace_create_stream(argv[2], h, &w.out, &msg) != HEDDLE_SUCCESS) return fail(argv[2], msg.text);
  const bool ok = convert(&w);
  if (w.launch != NULL) encode_free(w.launch);
  heddle_trace_free(w.in);
  const bool closed = heddle_trace_close(w.out, NULL) == HEDDLE_SUCCESS;
  return ok && closed ? 0 : fail(argv[2], "not complete");
}
