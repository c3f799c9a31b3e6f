/* SPDX-License-Identifier: Apache-2.0
 * The directed streams, by the knobs that weigh them. */
#include "node.h"
#include "streams.h"

const struct stream random_streams[] = {
    {KNOB_STREAM_FLOW, NULL, stream_flow, 70},
    {KNOB_STREAM_HAZARD, hazard_fits, stream_hazard, 13},
};
const unsigned random_streams_count = sizeof random_streams / sizeof *random_streams;

bool random_stream_fits(const struct random_program *p, const struct stream *s) {
  return !s->fits || s->fits(p);
}
