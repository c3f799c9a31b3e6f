/* SPDX-License-Identifier: Apache-2.0
 *
 * Graphs and texts through selection and the back end, and run.
 */
#include "select_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include <heddle/ptx.h>
#include "compiler/ir/diag.h"
#include "compiler/ir/mir.h"
#include "tests/test.h"

/* The copies of each warp in the order of their issue, and its groups. */

enum { WARPS = 32, MOST = 4096 };

struct late_warp {
  uint32_t copy[MOST], lanes[MOST], copies, done; /* the first `done` have been performed */
  uint32_t group[MOST], groups;                   /* copies before each */
  bool ended;
};

struct late {
  struct heddle_model *m;
  struct late_warp warp[WARPS];
  unsigned copies;
};

static enum heddle_error copies_until(struct late *l, unsigned w, uint32_t end) {
  static struct heddle_performed p;
  struct late_warp *x = &l->warp[w];
  enum heddle_error s = HEDDLE_SUCCESS;
  for (; s == HEDDLE_SUCCESS && x->done < end; x->done++) {
    s = heddle_perform(l->m, w, x->copy[x->done], x->lanes[x->done], &p);
    if (s == HEDDLE_SUCCESS) s = heddle_perform_store(l->m, w, x->copy[x->done], x->lanes[x->done], &p);
  }
  return s;
}

/* All groups but the last k. */
static enum heddle_error groups_but(struct late *l, unsigned w, unsigned k) {
  const struct late_warp *x = &l->warp[w];
  return x->groups > k ? copies_until(l, w, x->group[x->groups - 1 - k]) : HEDDLE_SUCCESS;
}

static enum heddle_error issued(struct late *l, unsigned w, const struct heddle_effect *e) {
  static struct heddle_performed p;
  struct late_warp *x = &l->warp[w];
  if (e->traps) return HEDDLE_ERROR_TRAPPED;
  if (e->mem_kind == HEDDLE_ACCESS_COPY && e->mem_lanes != 0) {
    if (x->copies == MOST) return HEDDLE_ERROR_LIMIT;
    x->copy[x->copies] = e->seq;
    x->lanes[x->copies++] = e->mem_lanes;
    l->copies++;
    return HEDDLE_SUCCESS;
  }
  if (e->dec.op == ISA_OP_LDGDEPBAR && e->dec.ctl.wbar == HEDDLE_HAZARD_GROUPS) {
    if (x->groups == MOST) return HEDDLE_ERROR_LIMIT;
    x->group[x->groups++] = x->copies;
  }
  if (e->dec.op == ISA_OP_DEPBAR_LE && e->exec != 0 && heddle_isa_get(e->dec.word, ISA_F_SBN) == HEDDLE_HAZARD_GROUPS)
    return groups_but(l, w, (unsigned)heddle_isa_get(e->dec.word, ISA_F_SBK));
  return heddle_perform_whole(l->m, w, e, &p);
}

static enum heddle_error step(struct late *l, unsigned w, unsigned bslot) {
  static struct heddle_effect e;
  enum heddle_error s = heddle_warp_issue(l->m, w, &e);
  if (s == HEDDLE_ERROR_STATE) { /* a fence that waits for copies */
    s = copies_until(l, w, l->warp[w].copies);
    if (s == HEDDLE_SUCCESS) s = heddle_warp_issue(l->m, w, &e);
  }
  if (s == HEDDLE_SUCCESS) s = issued(l, w, &e);
  l->warp[w].ended = s == HEDDLE_SUCCESS && e.warp_ended;
  for (unsigned id = 0; s == HEDDLE_SUCCESS && id < 16 && (e.bar_wait || e.warp_ended); id++)
    (void)heddle_barrier_release(l->m, bslot, id); /* refused where it is not complete */
  return s;
}

static enum heddle_error block(struct late *l, uint32_t n, unsigned warps) {
  uint8_t slot[WARPS];
  for (unsigned w = 0; w < warps; w++) slot[w] = (uint8_t)w;
  memset(l->warp, 0, sizeof l->warp);
  enum heddle_error s = heddle_block_start(l->m, 0, (const uint32_t[3]){n, 0, 0}, slot, warps);
  for (bool moves = true; s == HEDDLE_SUCCESS && moves;) {
    moves = false;
    for (unsigned w = 0; w < warps && s == HEDDLE_SUCCESS; w++) {
      if (l->warp[w].ended || heddle_warp_waiting(l->m, w)) continue;
      moves = true;
      s = step(l, w, 0);
    }
  }
  for (unsigned w = 0; w < warps && s == HEDDLE_SUCCESS; w++) s = copies_until(l, w, l->warp[w].copies);
  return s == HEDDLE_SUCCESS ? heddle_block_end(l->m, 0) : s;
}

enum heddle_error late_run(struct heddle_model *m, const struct heddle_launch *launch, unsigned *copies) {
  static struct late l;
  enum heddle_error s = HEDDLE_SUCCESS;
  l = (struct late){.m = m};
  for (uint32_t n = 0; s == HEDDLE_SUCCESS && n < launch->grid[0]; n++) s = block(&l, n, (launch->block[0] + 31) / 32);
  *copies = l.copies;
  return s == HEDDLE_SUCCESS ? heddle_model_end(m) : s;
}

static void keep_first(void *ctx, const struct heddle_message *m) {
  struct select_made *made = ctx;
  if (made->message[0] == '\0') (void)snprintf(made->message, sizeof made->message, "%s", m->text);
}

static void sound(const struct ir_function *f, const struct mir_function *m, bool allocated, const char *stage) {
  const char *wrong = mir_check(m, allocated);
  if (!wrong) return;
  ir_print(f, stderr);
  mir_print(m, stderr);
  fail_msg("behind %s: %s", stage, wrong);
}

static bool emitted(struct ir_function *f, struct heddle_program *p, bool uniform) {
  const struct heddle_ptx_options o = {.size = sizeof o, .level = 1, .stall = {4, 12, 4, 6, 6, 12}};
  struct heddle_ptx_figures figures = {.name = ""};
  f->whole_machine = uniform;
  struct mir_function *m = mir_select(f);
  if (!m) return false;
  sound(f, m, false, "selection");
  mir_coalesce(m);
  sound(f, m, false, "mir_coalesce");
  if (uniform) {
    mir_uniform(m, true);
    sound(f, m, false, "mir_uniform");
    mir_schedule(m, o.stall, 0);
    sound(f, m, false, "mir_schedule");
  }
  assert_true(mir_allocate(m, 0, &figures));
  sound(f, m, true, "mir_allocate");
  return mir_emit(m, p, &o, &figures);
}

unsigned select_count_uniform(const struct heddle_program *p) {
  unsigned n = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (heddle_isa_decode(heddle_program_word(p, pc), &d)) n += d.unit == ISA_UNIT_UNI;
  }
  return n;
}

static struct select_made make(struct ir_function *f, bool uniform) {
  struct select_made made = {.p = calloc(1, sizeof *made.p)};
  struct ptx_diag d;
  assert_non_null(made.p);
  made.p->isa_hash = heddle_isa_hash();
  ptx_diag_init(&d, "test", keep_first, &made);
  f->diag = &d;
  if (setjmp(d.exit) != 0 || !emitted(f, made.p, uniform)) {
    heddle_program_free(made.p);
    made.p = NULL;
  }
  f->diag = NULL;
  if (made.p) made.uniform = select_count_uniform(made.p);
  return made;
}

struct select_made select_make(struct ir_function *f) {
  return make(f, false);
}

struct select_made select_make_uniform(struct ir_function *f) {
  return make(f, true);
}

static void tell(void *ctx, const struct heddle_message *m) {
  if (!m->warning) print_error("%s:%u:%u: %s\n", (const char *)ctx, m->line, m->column, m->text);
}

struct heddle_program *select_compile(const char *text, unsigned level, const char *name) {
  return select_compile_for(text, level, 0, name);
}

static struct heddle_program *compile(const char *text, unsigned level, enum heddle_ptx_target target, uint32_t units,
                                      const char *name) {
  const struct heddle_ptx_options o = {.size = sizeof o,
                                       .target = target,
                                       .units = units,
                                       .level = level,
                                       .stall = {4, 12, 4, 6, 6, 12},
                                       .message = tell,
                                       .ctx = (void *)(uintptr_t)name,
                                       .check = true};
  struct heddle_program *p;
  if (heddle_ptx_compile(text, strlen(text), name, &o, &p, NULL, NULL) != HEDDLE_SUCCESS)
    fail_msg("%s is refused", name);
  return p;
}

struct heddle_program *select_compile_for(const char *text, unsigned level, uint32_t units, const char *name) {
  return compile(text, level, HEDDLE_PTX_TARGET_RTL, units, name);
}

struct heddle_program *select_compile_whole(const char *text, unsigned level, const char *name) {
  return compile(text, level, HEDDLE_PTX_TARGET_MODEL, 0, name);
}

static void put(uint8_t *to, uint32_t v) {
  for (unsigned k = 0; k < 4; k++) to[k] = (uint8_t)(v >> (8 * k));
}

const char *select_launch(const struct heddle_program *p, const struct select_job *job) {
  static char text[300];
  uint8_t bank[HEDDLE_BANK0_PARAMS + 256] = {0};
  const uint32_t sizes[6] = {job->threads, 1, 1, job->blocks, 1, 1};
  for (unsigned k = 0; k < 6; k++) put(bank + 4 * k, sizes[k]);
  if (job->param) memcpy(bank + HEDDLE_BANK0_PARAMS, job->param, job->param_bytes);
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = job->base,
                                        .bytes = job->bytes,
                                        .warp_slots = 32,
                                        .block_slots = 8,
                                        .divergence = job->unit};
  struct heddle_model *m = heddle_model_new(&c);
  assert_non_null(m);
  memcpy(heddle_model_memory(m), job->global, job->bytes);
  const struct heddle_kernel *k = &p->kernel[0];
  const struct heddle_launch launch = {.size = sizeof launch,
                                       .grid = {job->blocks, 1, 1},
                                       .block = {job->threads, 1, 1},
                                       .entry_pc = k->entry_pc,
                                       .regs = k->regs,
                                       .shared_bytes = k->shared_bytes,
                                       .local_bytes = k->local_bytes,
                                       .code = p->code,
                                       .code_bytes = p->code_bytes,
                                       .cbank = {bank, NULL, NULL, p->konst},
                                       .cbank_bytes = {sizeof bank, 0, 0, p->const_bytes},
                                       .region = {{job->base, job->base + job->bytes, true}},
                                       .regions = 1,
                                       .units = ~0u};
  enum heddle_error s = heddle_model_launch(m, &launch);
  if (s == HEDDLE_SUCCESS) s = job->late ? late_run(m, &launch, job->late) : heddle_model_run(m, 10000000, NULL);
  if (s != HEDDLE_SUCCESS)
    (void)snprintf(text, sizeof text, "status %d: %s (trap %s)", (int)s, heddle_model_diag(m),
                   heddle_cause_name(heddle_model_trap(m)->cause));
  else
    memcpy(job->global, heddle_model_memory(m), job->bytes);
  heddle_model_free(m);
  return s == HEDDLE_SUCCESS ? NULL : text;
}
