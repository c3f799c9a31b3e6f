/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM of no RTL at a request channel: random requests that keep the rules, and a judge of all that comes back.
 */
#ifndef TESTS_COSIM_PORT_AGENT_H
#define TESTS_COSIM_PORT_AGENT_H

#include <heddle/line_port.h>

#define AGENT_TAGS 12u
#define AGENT_LINES 8u /* that all fight for; the next as many are read only (fetches), then local, then in error */
#define AGENT_MEMORY ((size_t)4 * AGENT_LINES * HEDDLE_LINE_PORT_LINE)
#define AGENT_BASE 0x10000u
#define AGENT_SMS 2u
#define AGENT_BEATS 160u

struct job {
  bool busy, performed, err;
  struct heddle_line_port_request r;
  uint64_t number; /* in the order of requests */
  uint8_t place[32];
  uint64_t b[32], c[32], old[32];
  uint8_t store[HEDDLE_LINE_PORT_LINE];
  uint64_t strb[2];
  uint8_t want[HEDDLE_LINE_PORT_LINE], got[HEDDLE_LINE_PORT_LINE];
  uint32_t beats;    /* that have come */
  uint32_t answered; /* lanes */
  uint64_t performed_at, last_beat;
};

struct agent {
  struct job job[AGENT_TAGS];
  unsigned credits, atoms, most_credits, most_atoms;
  struct heddle_line_port_write beat[AGENT_BEATS]; /* of the job that is made: still to be sent */
  unsigned beats, sent;
  int making; /* its tag, or -1 */
  bool stood; /* an answer that was not taken */
  struct heddle_line_port_answer standing;
};

struct rig {
  struct heddle_line_port *p;
  struct heddle_line_port_options o;
  uint8_t shadow[AGENT_MEMORY];
  struct agent sm[AGENT_SMS];
  uint64_t rng, requests, ended[4], errs, records, stamp[3 * AGENT_LINES];
  bool draining; /* nothing new */
};

void rig_begin(struct rig *g, const struct heddle_line_port_options *o, uint64_t seed);
void rig_cycle(struct rig *g);
void rig_end(struct rig *g); /* until nothing is in flight; then all contents are compared */

#endif
