/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/isa/lint/campaign/classes.h"
#include <heddle/asm.h>
#include "run/job/job.h"

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
  struct heddle_session *m = heddle_session_open(c, out->why, sizeof out->why);
  if (!m) return;
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
  (void)heddle_session_close(m);
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
