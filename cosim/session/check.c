/* SPDX-License-Identifier: Apache-2.0
 *
 * The machine of a session: by its configuration, by what its device says, as a core of somebody else's; a recorded
 * trace against the model.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/options.h"
#include "cosim/attach/attached.h"
#include "cosim/checker/report.h"
#include "cosim/session/internal.h"

/* A core of somebody else's in a session: what it does not show is not judged, and its clock begins with the launch, as
 * do the cycles of its trace. */

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
  return heddle_trace_record(s->trace, &own, NULL) == HEDDLE_SUCCESS;
}

/* What is known of the machine of a session: by its configuration, by what its device says. */

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
  cfg->latency = m->latency_max;
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

/* A recorded trace against the model. */

/* A trace does not show how long whoever took it held the retire port: nobody can say that a warp waits too long. */
#define FOREVER (UINT64_MAX / 2)

struct replay {
  struct heddle_trace_reader *t;
  struct heddle_attach *a;
  struct heddle_record_trap trap; /* the last one shown; judged already */
  struct heddle_session_result *r;
  FILE *sink;
  json_t *report; /* of the first difference */
};

static enum heddle_session_outcome say_outcome(struct replay *p, enum heddle_session_outcome o, const char *what,
                                               const char *detail) {
  snprintf(p->r->message, sizeof p->r->message, "%s%s", what, detail);
  return o;
}

static enum heddle_session_outcome begin_trace_launch(struct replay *p, const uint8_t *code, uint32_t code_bytes) {
  const struct heddle_launch *l = heddle_trace_launched(p->t);
  if (code != NULL && (l->code_bytes != code_bytes || memcmp(l->code, code, code_bytes) != 0))
    return say_outcome(p, HEDDLE_SESSION_REFUSED, "the trace is of another program", "");
  uint64_t bytes;
  const uint8_t *memory = heddle_trace_memory(p->t, &bytes);
  if (attach_begin(p->a, l, heddle_trace_memory_base(p->t), memory, bytes)) return HEDDLE_SESSION_OK;
  return say_outcome(p, p->a->refused ? HEDDLE_SESSION_REFUSED : HEDDLE_SESSION_FAILED, p->a->message, "");
}

static enum heddle_session_outcome difference(struct replay *p) {
  const struct heddle_checker *c = p->a->checker;
  p->r->difference = *heddle_checker_first(c);
  p->r->checked = *heddle_checker_statistics(c);
  if (p->sink != NULL) heddle_checker_report_text(c, p->sink);
  p->report = checker_report_json(c);
  if (p->r->difference.kind == HEDDLE_CHECKER_UNDEFINED_READ)
    return say_outcome(p, HEDDLE_SESSION_UNDEFINED, "the program: ", p->r->difference.note);
  return say_outcome(p, HEDDLE_SESSION_DIFFERENCE, heddle_checker_kind_name(p->r->difference.kind), "");
}

/* What memory answered no model knows: the record tells of such a trap. */
static enum heddle_session_outcome trapped(struct replay *p) {
  struct heddle_trap *t = &p->r->trap;
  const struct heddle_record_trap *shown = &p->trap;
  *t = *heddle_model_trap(p->a->model);
  if (t->cause == HEDDLE_TRAP_NONE)
    *t = (struct heddle_trap){.cause = (enum heddle_cause)shown->cause,
                              .seq = shown->id.seq,
                              .pc = shown->pc,
                              .lanes = shown->lanes,
                              .addr = shown->addr,
                              .sm = shown->id.sm};
  snprintf(p->r->message, sizeof p->r->message, "trap %s at pc 0x%x", heddle_cause_name(t->cause), t->pc);
  return HEDDLE_SESSION_TRAPPED;
}

static enum heddle_session_outcome end_trace_launch(struct replay *p, uint64_t cycle) {
  uint64_t bytes;
  if (!heddle_attach_memory(p->a, cycle, heddle_trace_memory(p->t, &bytes))) return difference(p);
  p->r->checked = *heddle_checker_statistics(p->a->checker);
  p->r->insns += p->r->checked.retired;
  return p->a->trapped ? trapped(p) : HEDDLE_SESSION_OK;
}

static enum heddle_session_outcome replay(struct replay *p, const uint8_t *code, uint32_t code_bytes) {
  struct heddle_retire_record rec;
  enum heddle_session_outcome last = HEDDLE_SESSION_OK;
  for (;;) {
    enum heddle_session_outcome o = HEDDLE_SESSION_OK;
    switch (heddle_trace_next(p->t, &rec)) {
    case HEDDLE_TRACE_LAUNCH:
      o = begin_trace_launch(p, code, code_bytes);
      break;
    case HEDDLE_TRACE_RECORD:
      if (!heddle_attach_record(p->a, &rec)) o = difference(p);
      if (rec.kind == HEDDLE_RECORD_TRAP) p->trap = rec.u.trap;
      break;
    case HEDDLE_TRACE_END:
      o = last = end_trace_launch(p, rec.cycle);
      break;
    case HEDDLE_TRACE_DONE:
      return last;
    case HEDDLE_TRACE_ERROR:
      return say_outcome(p, HEDDLE_SESSION_FAILED, "trace: ", heddle_trace_error(p->t));
    }
    if (o != HEDDLE_SESSION_OK && o != HEDDLE_SESSION_TRAPPED) return o;
  }
}

/* The core that a trace is of. */
static enum heddle_error attach(const struct heddle_trace_header *h, struct heddle_attach **out,
                                struct heddle_message *msg) {
  const struct heddle_core core = {.size = sizeof core,
                                   .name = h->config,
                                   .lanes = h->lanes,
                                   .warp_slots = h->warp_slots,
                                   .block_slots = h->block_slots,
                                   .partitions = h->partitions,
                                   .regs = h->regs,
                                   .shared_bytes = h->shared_bytes,
                                   .register_banks = h->register_banks,
                                   .sm = h->sm,
                                   .sms = h->sms,
                                   .shown = h->shown,
                                   .memory_banks = h->memory_banks,
                                   .reorder = h->reorder,
                                   .hidden = h->hidden,
                                   .read_age = h->read_age,
                                   .pred_age = h->pred_age,
                                   .its = h->its,
                                   .scoreboard = h->scoreboard,
                                   .clock_ahead = h->clock_ahead,
                                   .cache_sectors = h->cache_sectors,
                                   .cache_promises = h->cache_promises,
                                   .patience_issue = FOREVER,
                                   .patience_warp = FOREVER};
  const enum heddle_error e = heddle_attach_new(&core, out, msg);
  struct heddle_attach *a = *out;
  if (e != HEDDLE_SUCCESS) return e;
  a->bus_errors = h->bus_errors;
  a->cfg.partitions = h->partitions;
  if (h->partitions == 0) checker_machine(&a->cfg, h->config); /* nobody has said: its name may tell */
  return e;
}

enum heddle_session_outcome heddle_session_check_trace(const char *path, const uint8_t *code, uint32_t code_bytes,
                                                       heddle_checker_disasm_fn disasm, void *disasm_ctx,
                                                       struct heddle_session_result *r, FILE *sink) {
  struct heddle_session_result own = {.size = sizeof own};
  json_t *report;
  if (!options_sized(r)) return HEDDLE_SESSION_FAILED;
  const enum heddle_session_outcome o =
      session_check_trace_json(path, code, code_bytes, disasm, disasm_ctx, &own, sink, &report);
  options_give(r, sizeof own, &own);
  json_decref(report);
  return o;
}

static json_t *replay_report(struct replay *p) {
  json_t *j = json_pack("{s:s, s:s, s:I}", "outcome", heddle_session_outcome_name(p->r->outcome), "message",
                        p->r->message, "instructions", (json_int_t)p->r->insns);
  (void)json_object_set_new(j, "checker", p->report);
  return j;
}

enum heddle_session_outcome session_check_trace_json(const char *path, const uint8_t *code, uint32_t code_bytes,
                                                     heddle_checker_disasm_fn disasm, void *disasm_ctx,
                                                     struct heddle_session_result *r, FILE *sink, json_t **report) {
  struct replay p = {.r = r, .sink = sink};
  *report = NULL;
  memset(r, 0, sizeof *r);
  r->difference.kind = HEDDLE_CHECKER_NONE;
  r->outcome = HEDDLE_SESSION_FAILED;
  struct heddle_message msg;
  enum heddle_error e = heddle_trace_open(path, &p.t, &msg);
  if (e == HEDDLE_SUCCESS) e = attach(heddle_trace_read_header(p.t), &p.a, &msg);
  snprintf(r->message, sizeof r->message, "%s", msg.text);
  if (e == HEDDLE_SUCCESS) {
    p.a->cfg.disasm = disasm;
    p.a->cfg.disasm_ctx = disasm_ctx;
    r->outcome = replay(&p, code, code_bytes);
  }
  if (p.report != NULL) *report = replay_report(&p);
  heddle_attach_free(p.a);
  heddle_trace_free(p.t);
  return r->outcome;
}
