/* SPDX-License-Identifier: Apache-2.0
 *
 * A core of somebody else's in a session: what it does not show is not judged, and its clock begins with the launch, as
 * do the cycles of its trace.
 */
#include "cosim/session/internal.h"

void core_checker(const struct heddle_session *s, struct heddle_checker_config *cfg) {
  const struct heddle_core *c = heddle_dut_core(s->device);
  cfg->hidden = c->hidden;
  cfg->clock_ahead = c->clock_ahead - s->first_cycle;
  cfg->scoreboard = cfg->scoreboard || c->scoreboard;
  cfg->partitions = c->partitions;
  cfg->regs = c->regs;
  cfg->banks = c->register_banks;
  cfg->cache_sectors = c->cache_sectors;
  cfg->cache_promises = c->cache_promises;
  if (cfg->patience_issue == 0) cfg->patience_issue = c->patience_issue;
  if (cfg->patience_warp == 0) cfg->patience_warp = c->patience_warp;
}

void core_trace_header(const struct heddle_session *s, struct heddle_trace_header *h) {
  const struct heddle_core *c = heddle_dut_core(s->device);
  h->partitions = c->partitions;
  h->regs = c->regs;
  h->register_banks = c->register_banks;
  h->hidden = c->hidden;
  h->clock_ahead = c->clock_ahead;
  h->cache_sectors = c->cache_sectors;
  h->cache_promises = c->cache_promises;
  h->scoreboard = h->scoreboard || c->scoreboard;
}

bool core_trace_record(struct heddle_session *s, const struct heddle_retire_record *r) {
  struct heddle_retire_record own = *r;
  own.cycle -= s->first_cycle;
  return heddle_trace_record(s->trace, &own);
}
