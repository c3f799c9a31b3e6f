/* SPDX-License-Identifier: Apache-2.0
 *
 * A recorded trace against the model.
 */
#include <string.h>

#include "internal.h"

/* A trace does not show how long whoever took it held the retire port: nobody can say that a warp waits too long. */
#define FOREVER (UINT64_MAX / 2)

struct replay {
  struct trace_reader *t;
  const struct trace_header *h;
  struct checker_config cfg;
  struct heddle_model *model;
  struct checker *checker;
  struct record_trap trap; /* the last one shown; judged already */
  struct session_result *r;
  FILE *sink;
};

static enum session_outcome say(struct replay *p, enum session_outcome o, const char *what, const char *detail) {
  snprintf(p->r->message, sizeof p->r->message, "%s%s", what, detail);
  return o;
}

static void drop(struct replay *p) {
  checker_free(p->checker);
  heddle_model_free(p->model);
  p->checker = NULL;
  p->model = NULL;
}

static enum session_outcome begin(struct replay *p, const uint8_t *code, uint32_t code_bytes) {
  drop(p);
  const struct heddle_launch *l = trace_launched(p->t);
  if (code != NULL && (l->code_bytes != code_bytes || memcmp(l->code, code, code_bytes) != 0))
    return say(p, SESSION_REFUSED, "the trace is of another program", "");
  uint64_t bytes;
  const uint8_t *memory = trace_memory(p->t, &bytes);
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = trace_memory_base(p->t),
                                         .bytes = bytes,
                                         .warp_slots = p->h->warp_slots,
                                         .block_slots = p->h->block_slots,
                                         .sm = p->h->sm,
                                         .sms = p->h->sms,
                                         .divergence = p->h->its ? HEDDLE_ITS : HEDDLE_STACK};
  p->model = heddle_model_new(&mc);
  if (p->model == NULL) return say(p, SESSION_FAILED, "no memory for the model", "");
  memcpy(heddle_model_memory(p->model), memory, bytes);
  if (heddle_model_launch(p->model, l) != HEDDLE_OK)
    return say(p, SESSION_REFUSED, "the model refuses the launch: ", heddle_model_diag(p->model));
  p->checker = checker_new(p->model, l, &p->cfg);
  return p->checker != NULL ? SESSION_OK : say(p, SESSION_FAILED, "no memory for the checker", "");
}

static enum session_outcome difference(struct replay *p) {
  p->r->difference = *checker_first(p->checker);
  p->r->checked = *checker_statistics(p->checker);
  if (p->sink != NULL) checker_report_text(p->checker, p->sink);
  if (p->r->difference.kind == CHECKER_UNDEFINED_READ)
    return say(p, SESSION_UNDEFINED, "the program: ", p->r->difference.note);
  return say(p, SESSION_DIFFERENCE, checker_kind_name(p->r->difference.kind), "");
}

/* What memory answered no model knows: the record tells of such a trap. */
static enum session_outcome trapped(struct replay *p) {
  struct heddle_trap *t = &p->r->trap;
  const struct record_trap *shown = &p->trap;
  *t = *heddle_model_trap(p->model);
  if (t->cause == HEDDLE_TRAP_NONE)
    *t = (struct heddle_trap){.cause = (enum heddle_cause)shown->cause,
                              .seq = shown->id.seq,
                              .pc = shown->pc,
                              .lanes = shown->lanes,
                              .addr = shown->addr};
  snprintf(p->r->message, sizeof p->r->message, "trap %s at pc 0x%x", heddle_cause_name(t->cause), t->pc);
  return SESSION_TRAPPED;
}

static enum session_outcome end(struct replay *p, uint64_t cycle) {
  uint64_t bytes;
  const uint8_t *memory = trace_memory(p->t, &bytes);
  if (!checker_finish(p->checker, cycle) || !checker_memory(p->checker, trace_memory_base(p->t), memory, bytes))
    return difference(p);
  p->r->checked = *checker_statistics(p->checker);
  p->r->insns += p->r->checked.retired;
  return checker_trapped(p->checker) ? trapped(p) : SESSION_OK;
}

static enum session_outcome replay(struct replay *p, const uint8_t *code, uint32_t code_bytes) {
  struct retire_record rec;
  enum session_outcome last = SESSION_OK;
  for (;;) {
    enum session_outcome o = SESSION_OK;
    switch (trace_next(p->t, &rec)) {
    case TRACE_LAUNCH:
      o = begin(p, code, code_bytes);
      break;
    case TRACE_RECORD:
      if (!checker_record(p->checker, &rec)) o = difference(p);
      if (rec.kind == RECORD_TRAP) p->trap = rec.u.trap;
      break;
    case TRACE_END:
      o = last = end(p, rec.cycle);
      break;
    case TRACE_DONE:
      return last;
    case TRACE_ERROR:
      return say(p, SESSION_FAILED, "trace: ", trace_error(p->t));
    }
    if (o != SESSION_OK && o != SESSION_TRAPPED) return o;
  }
}

enum session_outcome session_check_trace(const char *path, const uint8_t *code, uint32_t code_bytes,
                                         checker_disasm_fn disasm, void *disasm_ctx, struct session_result *r,
                                         FILE *sink) {
  struct replay p = {.r = r, .sink = sink};
  memset(r, 0, sizeof *r);
  r->difference.kind = CHECKER_NONE;
  p.t = trace_open(path, r->message, sizeof r->message);
  if (p.t == NULL) return r->outcome = SESSION_FAILED;
  p.h = trace_read_header(p.t);
  p.cfg = (struct checker_config){.sm = p.h->sm,
                                  .lanes = p.h->lanes,
                                  .warp_slots = p.h->warp_slots,
                                  .block_slots = p.h->block_slots,
                                  .shared_bytes = p.h->shared_bytes,
                                  .scoreboard = p.h->scoreboard,
                                  .its = p.h->its,
                                  .bus_errors = p.h->bus_errors,
                                  .read_age = p.h->read_age,
                                  .pred_age = p.h->pred_age,
                                  .patience_issue = FOREVER,
                                  .patience_warp = FOREVER,
                                  .disasm = disasm,
                                  .disasm_ctx = disasm_ctx};
  checker_machine(&p.cfg, p.h->config);
  r->outcome = replay(&p, code, code_bytes);
  drop(&p);
  trace_free(p.t);
  return r->outcome;
}
