/* SPDX-License-Identifier: Apache-2.0
 * The directed streams, by the knobs that weigh them. */
#include "lab/verify/random/node.h"
#include "lab/verify/random/streams.h"

const struct stream random_streams[] = {
    {KNOB_STREAM_FLOW, NULL, stream_flow, 70},
    {KNOB_STREAM_HAZARD, hazard_fits, stream_hazard, 22},
    {KNOB_STREAM_BARRIER, several_warps_stay, stream_barrier, 10},
    {KNOB_STREAM_TALK, several_warps_stay, stream_talk, 25},
    {KNOB_STREAM_CROWD, NULL, stream_crowd, 40},
    {KNOB_STREAM_CONSTANT, constant_fits, stream_constant, 12},
    {KNOB_STREAM_ADDRESS, NULL, stream_address, 30},
    {KNOB_STREAM_NUMBER, NULL, stream_number, 13},
    {KNOB_STREAM_AHEAD, ahead_fits, stream_ahead, 15},
    {KNOB_STREAM_LOCAL, local_fits, stream_local, 30},
    {KNOB_STREAM_EDGE, NULL, stream_edge, 40},
    {KNOB_STREAM_RELATION, NULL, stream_relation, 26},
    {KNOB_STREAM_REUSE, NULL, stream_reuse, 22},
    {KNOB_STREAM_DEPART, depart_fits, stream_depart, 4},
    {KNOB_STREAM_RELEASE, NULL, stream_release, 50},
    {KNOB_STREAM_SHARE, share_fits, stream_share, 40},
};
const unsigned random_streams_count = sizeof random_streams / sizeof *random_streams;

const struct stream random_trap = {KNOB_PROGRAM_TRAPS, NULL, stream_trap, 8};

bool several_warps_stay(const struct random_program *p) {
  return random_warps(p) > 1 && !p->leaves;
}

bool random_stream_fits(const struct random_program *p, const struct stream *s) {
  return !s->fits || s->fits(p);
}
