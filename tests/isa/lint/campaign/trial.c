/* SPDX-License-Identifier: Apache-2.0
 *
 * A weaker code tried on the machine: its class, what is made weaker, what came of it.
 */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include "base/splitmix64.h"
#include "run/job/job.h"

static enum hazard_file file_of(const char *place) {
  return place[0] == 'U' ? FILE_UNIFORM : place[0] == 'P' ? FILE_P : FILE_R;
}

static bool covers(const struct heddle_isa_src *s, unsigned reg) {
  return (s->kind == ISA_REG || s->kind == ISA_UREG) && s->reg != ISA_RZ && reg >= s->reg &&
         reg < (unsigned)s->reg + s->words;
}

static enum hazard_use register_use(const struct heddle_isa_dec *d, unsigned reg) {
  const bool memory = d->unit == ISA_UNIT_MEM;
  if (covers(&d->src[0], reg)) return memory ? USE_ADDRESS : d->unit == ISA_UNIT_BR ? USE_TARGET : USE_OPERAND;
  return memory && (covers(&d->src[1], reg) || covers(&d->src[2], reg)) ? USE_DATA : USE_OPERAND;
}

static enum hazard_use use_of(const struct heddle_isa_dec *d, const struct heddle_lint_finding *f) {
  const char *digits = f->place + strspn(f->place, "URP");
  const unsigned n = (unsigned)strtoul(digits, NULL, 10);
  const bool predicate = digits > f->place && digits[-1] == 'P', uniform = f->place[0] == 'U';
  if (f->kind == HEDDLE_LINT_WRITE) return USE_WRITE;
  if (f->kind == HEDDLE_LINT_LEAVE) return USE_LEAVE;
  if (!predicate) return register_use(d, n);
  return d->guard.index == n && d->uniform == uniform ? USE_GUARD : USE_PREDICATE;
}

unsigned class_of(const struct heddle_program *p, const struct heddle_lint_finding *f) {
  struct heddle_isa_dec maker, user;
  if (f->kind == HEDDLE_LINT_DEPBAR) return CLASS_DEPBAR;
  if (f->producer == HEDDLE_LINT_NOWHERE || !heddle_isa_decode(heddle_program_word(p, f->producer), &maker))
    return CLASSES;
  if (!heddle_isa_decode(heddle_program_word(p, f->pc), &user)) return CLASSES;
  return ((unsigned)maker.unit * FILES + file_of(f->place)) * USES + use_of(&user, f);
}

bool class_out_of_reach(unsigned class) {
  const unsigned use = class % USES;
  const enum heddle_isa_unit maker = (enum heddle_isa_unit)(class / USES / FILES);
  if (class >= CLASS_DEPBAR || heddle_isa_unit_is_variable(maker)) return false;
  return use == USE_WRITE || use == USE_LEAVE || (maker == ISA_UNIT_CVT && (use == USE_ADDRESS || use == USE_DATA));
}

void class_name(unsigned class, char *buf, size_t size) {
  static const char *const file[FILES] = {"register", "predicate", "uniform"};
  static const char *const use[USES] = {"operand", "address",   "stored data", "branch target",
                                        "guard",   "predicate", "overwritten", "left behind"};
  if (class == CLASS_DEPBAR)
    snprintf(buf, size, "DEPBAR out of order");
  else
    snprintf(buf, size, "%s %s: %s", heddle_isa_unit_name((enum heddle_isa_unit)(class / USES / FILES)),
             file[class / USES % FILES], use[class % USES]);
}

static bool poison_is(enum heddle_checker_kind k) {
  return k == HEDDLE_CHECKER_POISON_RAW || k == HEDDLE_CHECKER_POISON_WAR || k == HEDDLE_CHECKER_POISON_WAW ||
         k == HEDDLE_CHECKER_POISON_PRED_RAW || k == HEDDLE_CHECKER_POISON_PRED_WAW;
}

bool poison_foretold(const struct heddle_lint_finding *f, const struct heddle_checker_difference *d, bool exactly) {
  const bool write = d->kind == HEDDLE_CHECKER_POISON_WAW || d->kind == HEDDLE_CHECKER_POISON_PRED_WAW;
  if (strcmp(f->place, d->subject) != 0) return false;
  if (f->kind == HEDDLE_LINT_LEAVE) return true; /* wherever the branch led */
  return !exactly || (f->pc == d->pc && (f->kind == HEDDLE_LINT_WRITE) == write);
}

void weakening_each(const struct heddle_program *p, void (*f)(void *ctx, struct heddle_lint_weaker w), void *ctx) {
  for (uint32_t pc = 0; pc + ISA_WORD_BYTES <= p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    if (!heddle_isa_decode(heddle_program_word(p, pc), &d)) continue;
    if (d.ctl.stall > 1) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_STALL, 0});
    if (d.ctl.stall > 2) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_STALL_LEAST, 0});
    for (uint8_t c = 0; c < HEDDLE_HAZARD_COUNTERS; c++)
      if (d.ctl.wait >> c & 1) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WAIT, c});
    if (d.ctl.wbar < HEDDLE_HAZARD_COUNTERS) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_WBAR, d.ctl.wbar});
    if (d.ctl.rbar < HEDDLE_HAZARD_COUNTERS) f(ctx, (struct heddle_lint_weaker){pc, HEDDLE_LINT_RBAR, d.ctl.rbar});
  }
}

struct heddle_isa_word weakening_word(struct heddle_isa_word w, struct heddle_lint_weaker what) {
  switch (what.part) {
  case HEDDLE_LINT_STALL:
    return heddle_isa_put(w, ISA_F_STALL, heddle_isa_get(w, ISA_F_STALL) - 1);
  case HEDDLE_LINT_STALL_LEAST:
    return heddle_isa_put(w, ISA_F_STALL, 1);
  case HEDDLE_LINT_WAIT:
    return heddle_isa_put(w, ISA_F_WAIT, heddle_isa_get(w, ISA_F_WAIT) & ~(UINT64_C(1) << what.counter));
  case HEDDLE_LINT_WBAR:
    return heddle_isa_put(w, ISA_F_WBAR, 7);
  case HEDDLE_LINT_RBAR:
    return heddle_isa_put(w, ISA_F_RBAR, 7);
  }
  return w;
}

void weakening_text(struct heddle_lint_weaker w, char *buf, size_t size) {
  static const char *const part[] = {[HEDDLE_LINT_STALL] = "stall one less",
                                     [HEDDLE_LINT_STALL_LEAST] = "stall 1",
                                     [HEDDLE_LINT_WAIT] = "no wait on SB",
                                     [HEDDLE_LINT_WBAR] = "no write counter SB",
                                     [HEDDLE_LINT_RBAR] = "no read counter SB"};
  if (w.part == HEDDLE_LINT_STALL || w.part == HEDDLE_LINT_STALL_LEAST)
    snprintf(buf, size, "0x%04x %s", w.pc, part[w.part]);
  else
    snprintf(buf, size, "0x%04x %s%u", w.pc, part[w.part], w.counter);
}

void hints_set(struct heddle_program *p, enum hints h, uint64_t seed) {
  for (uint32_t pc = 0; pc + ISA_WORD_BYTES <= p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    struct heddle_isa_word w = heddle_program_word(p, pc);
    if (!heddle_isa_decode(w, &d)) continue;
    const uint64_t r = h == HINTS_RANDOM ? splitmix64(&seed) : h == HINTS_ON ? 15 : 0;
    const enum heddle_isa_field reuse =
        (enum heddle_isa_field)heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->reuse;
    if (reuse != ISA_FIELD_NONE) w = heddle_isa_put(w, reuse, r & 7);
    w = heddle_isa_put(w, ISA_F_YIELD, r >> 3 & 1);
    if (heddle_isa_decode(w, &d)) heddle_isa_word_store(p->code + pc, w);
  }
}

enum { WATCHDOG = 50000 };

const char *trial_end_name(enum trial_end e) {
  static const char *const name[] = {"right", "poison", "differs", "wrong memory", "trap", "stuck", "error"};
  return name[e];
}

static void disassemble(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, buf, bytes);
}

/* Shared memory of local arguments lies behind the kernel's own. */
static bool build(struct job *j, const struct subject *s, const struct kernel_launch *l, uint8_t *const now[],
                  char *why, size_t n) {
  const struct heddle_kernel *k = heddle_program_kernel(s->program, l->entry);
  uint32_t shared = k ? k->shared_bytes : 0;
  bool ok = true;
  for (unsigned i = 0; i < l->args && ok; i++) {
    const struct kernel_arg *a = &l->arg[i];
    const struct kernel_buffer *b = &s->c.buffer[a->buffer];
    if (a->kind == KERNEL_ARG_BUFFER) {
      ok = job_add_buffer(j, now[a->buffer], b->bytes, !b->read_only);
    } else if (a->kind == KERNEL_ARG_LOCAL) {
      shared = (shared + 15) / 16 * 16;
      ok = job_add_scalar(j, shared, 8);
      shared += a->bytes;
    } else {
      ok = job_add_scalar(j, a->scalar, a->bytes);
    }
  }
  ok = ok && job_build(j, s->program, l->entry, l->grid, l->block, why, n);
  j->launch.shared_bytes = shared;
  for (unsigned b = 1; b < 3; b++) {
    j->launch.cbank[b] = s->bank[b];
    j->launch.cbank_bytes[b] = s->bank_bytes[b];
  }
  return ok;
}

static enum trial_end end_of(const struct heddle_session_result *r) {
  switch (r->outcome) {
  case HEDDLE_SESSION_OK:
    return TRIAL_RIGHT;
  case HEDDLE_SESSION_DIFFERENCE:
    return poison_is(r->difference.kind) ? TRIAL_POISON : TRIAL_DIFFERS;
  case HEDDLE_SESSION_TRAPPED:
    return TRIAL_TRAP;
  case HEDDLE_SESSION_LIMIT:
  case HEDDLE_SESSION_HUNG:
    return TRIAL_STUCK;
  case HEDDLE_SESSION_DEVICE:
    return TRIAL_DIFFERS;
  default:
    return TRIAL_ERROR;
  }
}

static struct heddle_session_config machine(const char *config, uint64_t seed, uint64_t limit, uint64_t bytes) {
  return (struct heddle_session_config){.size = sizeof(struct heddle_session_config),
                                        .mode = config ? HEDDLE_SESSION_LOCKSTEP : HEDDLE_SESSION_MODEL,
                                        .config = config,
                                        .seed = seed,
                                        .adversarial = true,
                                        .max_cycles = limit,
                                        .max_insns = limit,
                                        .watchdog = WATCHDOG,
                                        .memory_base = JOB_BASE,
                                        .memory_bytes = bytes,
                                        .disasm = disassemble};
}

/* One launch on a machine of its own; what it leaves goes back to `now`. */
static void launch(const struct subject *s, const struct kernel_launch *l, const struct heddle_session_config *c,
                   const struct job *j, uint8_t *const now[], struct trial *out) {
  struct heddle_session_result r = {.size = sizeof r};
  struct heddle_message msg;
  struct heddle_session *m;
  const enum heddle_error e = heddle_session_open(c, &m, &msg);
  snprintf(out->why, sizeof out->why, "%.250s", msg.text);
  if (e != HEDDLE_SUCCESS) return;
  job_store_inputs(j, heddle_session_memory(m));
  (void)heddle_session_run(m, &j->launch, &r);
  out->end = end_of(&r);
  out->difference = r.difference;
  out->trap = r.trap;
  out->cycles += r.cycles;
  out->insns += r.insns;
  snprintf(out->why, sizeof out->why, "%.250s", r.message);
  for (unsigned i = 0; i < l->args; i++)
    if (l->arg[i].kind == KERNEL_ARG_BUFFER)
      memcpy(now[l->arg[i].buffer], heddle_session_memory(m) + (j->addr[i] - JOB_BASE),
             s->c.buffer[l->arg[i].buffer].bytes);
  (void)heddle_session_close(m, NULL);
}

static void run_all(const struct subject *s, const char *config, uint64_t seed, uint64_t limit, uint8_t *const now[],
                    struct trial *out) {
  for (unsigned i = 0; i < s->c.launches; i++) {
    struct job j = {0};
    out->end = TRIAL_ERROR;
    if (build(&j, s, &s->c.launch[i], now, out->why, sizeof out->why)) {
      const struct heddle_session_config c = machine(config, seed, limit, j.mem_bytes);
      launch(s, &s->c.launch[i], &c, &j, now, out);
    }
    job_clear(&j);
    if (out->end != TRIAL_RIGHT) return;
  }
}

static void compare(const struct subject *s, uint8_t *const now[], struct trial *out) {
  for (unsigned i = 0; i < s->c.buffers; i++) {
    size_t at;
    if (kernel_matches(&s->c.buffer[i], now[i], &at)) continue;
    out->end = TRIAL_WRONG;
    snprintf(out->why, sizeof out->why, "buffer %u differs at byte %zu", i, at);
    return;
  }
}

void trial_run(const struct subject *s, const char *config, uint64_t seed, uint64_t limit, struct kernel_case *keep,
               struct trial *out) {
  uint8_t *now[KERNEL_BUFFERS] = {0};
  bool ok = true;
  *out = (struct trial){.end = TRIAL_ERROR, .why = "no memory"};
  for (unsigned i = 0; i < s->c.buffers; i++) {
    now[i] = malloc(s->c.buffer[i].bytes);
    if (now[i])
      memcpy(now[i], s->c.buffer[i].init, s->c.buffer[i].bytes);
    else
      ok = false;
  }
  if (ok) run_all(s, config, seed, limit, now, out);
  for (unsigned i = 0; i < s->c.buffers && keep && out->end == TRIAL_RIGHT; i++) {
    memcpy(keep->buffer[i].expect, now[i], s->c.buffer[i].bytes);
    if (keep->buffer[i].compare == KERNEL_NEAR) keep->buffer[i].compare = KERNEL_EXACT; /* as the model's own is */
  }
  if (!keep && out->end == TRIAL_RIGHT) compare(s, now, out);
  for (unsigned i = 0; i < s->c.buffers; i++) free(now[i]);
}
