/* SPDX-License-Identifier: Apache-2.0
 *
 * A core that sends a stream, judged while it runs.
 */
#include "cosim/attach/attached.h"
#include "cosim/trace/stream.h"

static bool lost(struct heddle_attach *a) {
  char text[200];
  heddle_stream_text(a->stream, text, sizeof text);
  return attach_wrong(a, HEDDLE_VERDICT_UNFINISHED, "the stream is %s", text);
}

/* Of another machine no record is read. */
static bool of_this_core(const struct heddle_attach *a) {
  const struct stream_state *s = heddle_stream_look(a->stream);
  return !s->begun || (s->lanes == a->core.lanes && s->warps == a->core.warp_slots && s->blocks == a->core.block_slots);
}

bool heddle_attach_stream(struct heddle_attach *a, const uint8_t *bytes, size_t n) {
  struct heddle_retire_record r;
  if (a->state != ATTACH_RUNNING)
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "a part of a stream comes while no launch runs");
  if (a->stream == NULL && (a->stream = heddle_stream_new()) == NULL)
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "no memory");
  if (!a->streamed) heddle_stream_launch(a->stream);
  a->streamed = true;
  for (size_t at = 0; at < n;) {
    at += heddle_stream_give(a->stream, bytes + at, n - at);
    if (heddle_stream_look(a->stream)->lost) return lost(a);
    if (!of_this_core(a)) return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "the stream is of another machine");
    while (heddle_stream_next(a->stream, &r))
      if (!heddle_attach_record(a, &r)) return false;
    if (heddle_stream_look(a->stream)->lost) return lost(a);
  }
  return true;
}

bool heddle_attach_stream_ended(const struct heddle_attach *a) {
  if (a->state != ATTACH_RUNNING) return true;
  return a->streamed && heddle_stream_look(a->stream)->ended;
}

bool attach_stream_whole(struct heddle_attach *a) {
  if (!a->streamed) return true;
  a->streamed = false;
  heddle_stream_over(a->stream);
  return !heddle_stream_look(a->stream)->lost || lost(a);
}
