/* SPDX-License-Identifier: Apache-2.0
 * Streams of heddle bench rate: global memory 128 bits a lane at a time, beside what the channels of AXI can carry.
 *
 * A warp keeps several quads of registers in turn, a dependency counter for each. What a unit stores was loaded when
 * the loop last came by that quad, so loads and stores are under way at all times; each unit has addresses of its own.
 */
#include <math.h>

#include "lab/bench/bench_rate.h"

#define FIRST 8u /* R8: the first quad */
#define NONE 7u
#define ACCESS 512u /* bytes of a warp */

static const struct rate_stream streams[RATE_BODIES] = {
    [RATE_READ] = {1, 0, 6, 1}, [RATE_WRITE] = {0, 1, 1, 1}, [RATE_COPY] = {1, 1, 6, 2}, [RATE_ADD] = {2, 1, 4, 7}};

const struct rate_stream *rate_stream(enum rate_body body) {
  return streams[body].insns != 0 ? &streams[body] : NULL;
}

unsigned rate_stream_bytes(const struct rate_shape *s, unsigned units) {
  const struct rate_stream *t = rate_stream(s->body);
  return (t->loads + t->stores) * units * s->warps * ACCESS;
}

double rate_stream_share(const struct heddle_config *c, unsigned accesses, double cycles) {
  return accesses * ACCESS / (cycles * c->axi_ports * c->axi_bits / 8);
}

/* An SM's channel to memory is as wide as one port. */
double rate_stream_limit(const struct heddle_config *c, enum rate_body body) {
  const struct rate_stream *t = rate_stream(body);
  return (t->loads > t->stores ? t->loads : t->stores) * ACCESS * 8.0 / c->axi_bits;
}

void rate_stream_unit(FILE *f, const struct heddle_config *c, const struct rate_shape *s, unsigned i, unsigned units) {
  const struct rate_stream *t = rate_stream(s->body);
  const unsigned k = i % t->quads, quads = t->loads > 1 ? t->loads : 1, r = FIRST + 4 * k * quads,
                 area = units * s->warps * ACCESS, at = i * s->warps * ACCESS;
  for (unsigned j = 0; s->body == RATE_ADD && j < 4; j++) { /* waits for both quads once */
    rate_code(f, j == 0 ? k : NONE, NONE, j < 3 ? 1 : c->stall_fma_reg);
    fprintf(f, "FADD R%u, R%u, R%u ;\n  ", r + j, r + j, r + 4 + j);
  }
  if (t->stores != 0) {
    rate_code(f, s->body == RATE_COPY ? k : NONE, NONE, 1);
    fprintf(f, "STG.E.128 [R2+0x%x], R%u ;\n", t->loads * area + at, r);
  }
  for (unsigned j = 0; j < t->loads; j++) {
    rate_code(f, t->stores == 0 ? k : NONE, k, 1);
    fprintf(f, "LDG.E.128 R%u, [R2+0x%x] ;\n", r + 4 * j, j * area + at);
  }
}
