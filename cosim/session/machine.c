/* SPDX-License-Identifier: Apache-2.0
 *
 * What is known of the machine of a session: by its configuration, by what its device says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cosim/session/internal.h"

static const struct heddle_config *machine_named(const char *name) {
  char config[64];
  if (name == NULL) return NULL;
  snprintf(config, sizeof config, "%.*s", (int)strcspn(name, "_"), name);
  const struct heddle_config *m = heddle_config_find(name);
  return m != NULL ? m : heddle_config_find(config);
}

const struct heddle_config *session_machine(const struct heddle_session *s) {
  const bool device = s->cfg.config == NULL && s->device != NULL;
  return machine_named(device ? heddle_dut_describe(s->device)->config : s->cfg.config);
}

void checker_machine(struct heddle_checker_config *cfg, const char *name) {
  const struct heddle_config *m = machine_named(name);
  if (m == NULL) return;
  cfg->writes_back = m->l2_bytes != 0;
  cfg->mmu = m->mmu != 0;
  cfg->banks = m->banks;
  cfg->collectors = m->collectors;
  cfg->partitions = m->partitions;
  cfg->gmem_lines = m->gmem_lines;
  cfg->memory_banks = m->l2_banks;
  cfg->regs = m->regs / m->partitions;
  cfg->latency = m->latency_alu > m->latency_fma ? m->latency_alu : m->latency_fma;
  if (m->latency_cvt > cfg->latency) cfg->latency = m->latency_cvt;
  if (m->latency_half > cfg->latency) cfg->latency = m->latency_half;
}

/* A device of ours shows all that it has, a core of somebody else's one of them. */
unsigned session_shown(const struct heddle_session *s) {
  const unsigned sms = heddle_dut_describe(s->device)->sms;
  return heddle_dut_core(s->device) != NULL || sms == 0 ? 1 : sms;
}

void session_cache(const struct heddle_session *s, uint32_t *sectors, uint32_t *promises) {
  const struct heddle_dut_info *d = heddle_dut_describe(s->device);
  const bool own = s->cfg.cache_sectors != 0;
  *sectors = own ? s->cfg.cache_sectors : d->cache_sectors;
  *promises = own ? s->cfg.cache_promises : d->cache_promises;
  if (s->cfg.l1 == NULL) return;
  *sectors = (uint32_t)strtoul(s->cfg.l1, NULL, 10) / HEDDLE_RECORD_SECTOR; /* as heddle_l1_parse has it: bytes first */
  *promises = HEDDLE_CHECKER_CACHE_CLOSES;                                  /* a channel stops no warp */
}
