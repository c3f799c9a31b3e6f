/* SPDX-License-Identifier: Apache-2.0
 *
 * The launches of a trace, one after the other: run, and compare what they leave.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lab/verify/oracle/threads/internal.h"

#define STEPS_USUAL (UINT64_C(1) << 32)

const char *threads_twist_name(enum threads_twist t) {
  static const char *const name[THREADS_TWISTS] = {
      [THREADS_AS_IT_IS] = "none",           [THREADS_RELEASE_EARLY] = "release-early",
      [THREADS_BREAK_STAYS] = "break-stays", [THREADS_EXIT_STAYS] = "exit-stays",
      [THREADS_CALL_FALLS] = "call-falls",   [THREADS_GUARD_VOTES] = "guard-votes",
      [THREADS_SHFL_HEARS] = "shfl-hears",   [THREADS_LOWEST_STORES] = "lowest-stores",
      [THREADS_SYNC_PASSES] = "sync-passes", [THREADS_YIELD_HOLDS] = "yield-holds",
      [THREADS_BAR_PASSES] = "bar-passes"};
  return (unsigned)t < THREADS_TWISTS ? name[t] : "?";
}

bool threads_wrong(struct machine *m, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  const int n = snprintf(m->r->what, sizeof m->r->what, "launch %llu: ", (unsigned long long)m->r->launches);
  (void)vsnprintf(m->r->what + n, sizeof m->r->what - (size_t)n, format, ap);
  va_end(ap);
  m->r->outcome = THREADS_OTHER;
  return false;
}

bool threads_trap(struct machine *m, const char *why, uint32_t pc) {
  m->trapped = true;
  return threads_wrong(m, "block (%u,%u,%u) traps at pc 0x%x: %s", m->ctaid[0], m->ctaid[1], m->ctaid[2], pc, why);
}

static void free_launch(struct machine *m) {
  for (unsigned k = 0; k < m->warps; k++)
    for (unsigned l = 0; l < LANES; l++) free(m->warp[k].t[l].local);
  free(m->warp);
  free(m->code);
  free(m->memory);
  free(m->shared);
  m->warp = NULL;
  m->code = NULL;
  m->memory = m->shared = NULL;
  m->warps = 0;
}

static bool launch_no_memory(struct machine *m) {
  m->r->outcome = THREADS_TOO_LONG;
  (void)snprintf(m->r->what, sizeof m->r->what, "no memory for the launch");
  return false;
}

/* Room for a block of it; the launch is run when its end is read. */
static bool prepare_launch(struct machine *m, struct heddle_trace_reader *t) {
  free_launch(m);
  m->l = heddle_trace_launched(t);
  const uint8_t *memory = heddle_trace_memory(t, &m->bytes);
  m->base = heddle_trace_memory_base(t);
  const uint32_t *b = m->l->block;
  const uint64_t plane = (uint64_t)b[0] * b[1];
  m->r->launches++;
  if (plane == 0 || plane > 1024 || b[2] == 0 || plane * b[2] > 1024 || m->l->regs > 255)
    return threads_wrong(m, "a block of %u x %u x %u threads, %u registers", b[0], b[1], b[2], m->l->regs);
  m->warps = ((unsigned)plane * b[2] + LANES - 1) / LANES;
  m->warp = calloc(m->warps, sizeof *m->warp);
  if (m->warp == NULL) m->warps = 0;
  m->code = calloc(m->l->code_bytes / ISA_STEP, sizeof *m->code);
  m->memory = malloc((size_t)m->bytes + 1);
  m->shared = malloc((size_t)m->l->shared_bytes + 1);
  if (m->warp == NULL || m->code == NULL || m->memory == NULL || m->shared == NULL) return launch_no_memory(m);
  memcpy(m->memory, memory, (size_t)m->bytes);
  m->trapped = false;
  m->steps = 0;
  m->most = m->o->steps != 0 ? m->o->steps : STEPS_USUAL;
  return true;
}

static bool compare_bytes(struct machine *m, const struct heddle_trace_reader *t) {
  uint64_t bytes, at = 0;
  const uint8_t *memory = heddle_trace_memory(t, &bytes);
  while (at < bytes && m->memory[at] == memory[at]) at++;
  m->r->bytes += bytes;
  if (at == bytes) return true;
  return threads_wrong(m, "byte 0x%llx is 0x%02x, in the trace 0x%02x", (unsigned long long)(m->base + at),
                       m->memory[at], memory[at]);
}

static bool run_and_compare(struct machine *m, const struct heddle_trace_reader *t, bool traps) {
  if (traps) {
    m->r->traps++;
    return true;
  }
  const bool ran = threads_grid(m);
  m->r->steps += m->steps;
  if (!ran && m->r->outcome == THREADS_TOO_LONG)
    (void)snprintf(m->r->what, sizeof m->r->what, "launch %llu takes more than %llu thread instructions (--steps)",
                   (unsigned long long)m->r->launches, (unsigned long long)m->most);
  return ran && compare_bytes(m, t);
}

static bool run_trace(struct machine *m, struct heddle_trace_reader *t) {
  struct heddle_retire_record rec;
  bool traps = false;
  for (bool ok = true; ok;) {
    switch (heddle_trace_next(t, &rec)) {
    case HEDDLE_TRACE_LAUNCH:
      ok = prepare_launch(m, t);
      traps = false;
      break;
    case HEDDLE_TRACE_RECORD:
      traps = traps || rec.kind == HEDDLE_RECORD_TRAP;
      break;
    case HEDDLE_TRACE_END:
      ok = run_and_compare(m, t, traps);
      break;
    case HEDDLE_TRACE_DONE:
      return true;
    case HEDDLE_TRACE_ERROR:
      m->r->outcome = THREADS_REFUSED;
      (void)snprintf(m->r->what, sizeof m->r->what, "%s", heddle_trace_error(t));
      return false;
    }
  }
  return false;
}

enum threads_outcome threads_check(const char *path, const struct threads_options *o, struct threads_result *r) {
  memset(r, 0, sizeof *r);
  r->outcome = THREADS_REFUSED;
  struct heddle_trace_reader *t = heddle_trace_open(path, r->what, sizeof r->what);
  if (t == NULL) return r->outcome;
  struct machine m = {.o = o, .r = r, .h = heddle_trace_read_header(t), .dice = o->seed};
  r->outcome = THREADS_SAME;
  r->what[0] = '\0';
  (void)run_trace(&m, t);
  free_launch(&m);
  heddle_trace_free(t);
  return r->outcome;
}
