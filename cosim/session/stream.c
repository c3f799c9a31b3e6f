/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device sends of a launch as a board would, kept in a file that can be judged later.
 */
#include <heddle/config.h>
#include "cosim/trace/stream.h"
#include "cosim/session/internal.h"

bool stream_file_open(struct heddle_session *s, const struct heddle_trace_header *h, char *err, size_t err_bytes) {
  if (s->cfg.stream == NULL) return true;
  if (!heddle_dut_has_stream(s->device)) {
    snprintf(err, err_bytes, "%s sends no stream; devices of variant stream or digest do: --config tiny_stream",
             s->cfg.config);
    return false;
  }
  struct heddle_trace_header own = *h;
  const struct heddle_config *m = session_machine(s); /* the variant is the same machine */
  if (m != NULL) {
    snprintf(own.config, sizeof own.config, "%s", m->name);
    own.config_hash = m->hash;
  }
  own.hidden = HEDDLE_RECORD_HIDDEN_P1;
  own.clock_ahead = -STREAM_CLOCK_BEHIND;
  s->stream = heddle_trace_create_stream(s->cfg.stream, &own, err, err_bytes);
  return s->stream != NULL;
}

bool stream_file_begin(struct heddle_session *s) {
  size_t n;
  if (s->stream == NULL) return true;
  (void)heddle_dut_stream(s->device, &n); /* of the launch before nothing is left */
  s->stream_open = true;
  return heddle_trace_launch(s->stream, &s->launch, s->cfg.memory_base, s->memory, s->cfg.memory_bytes);
}

/* What has been sent so far: a long launch would fill memory. */
bool stream_file_take(struct heddle_session *s) {
  size_t n;
  if (!s->stream_open) return true;
  const uint8_t *p = heddle_dut_stream(s->device, &n);
  return n == 0 || heddle_trace_stream(s->stream, p, n);
}

/* The core has ended, the link goes on until it has nothing more. */
bool stream_file_end(struct heddle_session *s) {
  if (!s->stream_open) return true;
  s->stream_open = false;
  const uint64_t quiet = SESSION_QUIET + 4u * (uint64_t)s->cfg.stream_gap;
  size_t n = 1;
  bool ok = true;
  while (ok && n != 0) {
    for (uint64_t done = 0; done < quiet && heddle_dut_failure(s->device) == NULL;) {
      const uint64_t step = session_step(s, quiet - done);
      heddle_dut_records_clear(s->device);
      done += step != 0 ? step : quiet;
    }
    const uint8_t *p = heddle_dut_stream(s->device, &n);
    ok = n == 0 || heddle_trace_stream(s->stream, p, n);
  }
  return ok && heddle_trace_launch_end(s->stream, s->memory, 0);
}
