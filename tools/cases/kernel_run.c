/* SPDX-License-Identifier: Apache-2.0
 * Cases of kernels on a runner. */
#include "kernel_run.h"

#include <stdlib.h>
#include <string.h>

#include "source.h"

struct heddle_program *kernel_program(const char *dir, const struct kernel_info *k, enum kernel_form form,
                                      const struct source_options *o) {
  char file[128], path[4352];
  struct heddle_message m;
  kernel_file(k, form, file, sizeof file);
  snprintf(path, sizeof path, "%s/%s", dir, file);
  struct heddle_program *p = source_load_with(path, o, &m);
  if (!p) tool_message(NULL, &m);
  return p;
}

bool kernel_job(struct job *j, const struct heddle_program *p, const struct kernel_case *c, unsigned number,
                uint8_t *const now[], char *why, size_t n) {
  const struct kernel_launch *l = &c->launch[number];
  bool ok = true;
  for (unsigned i = 0; i < l->args && ok; i++) {
    const struct kernel_arg *a = &l->arg[i];
    const struct kernel_buffer *b = &c->buffer[a->buffer];
    if (a->kind == KERNEL_ARG_BUFFER)
      ok = job_add_buffer(j, now ? now[a->buffer] : b->init, b->bytes, !b->read_only);
    else if (a->kind == KERNEL_ARG_LOCAL)
      ok = job_add_local(j, a->bytes);
    else
      ok = job_add_scalar(j, a->scalar, a->bytes);
  }
  return ok && job_build(j, p, l->entry, l->grid, l->block, why, n);
}

static void add_result(struct kernel_totals *t, const struct run_result *r) {
  t->launches++;
  t->retired += r->retired;
  t->cycles += r->cycles;
  t->checked += r->stats.retired;
  t->lanes += r->stats.lanes_compared;
  t->performs += r->stats.performs;
  t->divergent += r->stats.divergent_branches;
  t->barriers += r->stats.barrier_waits;
  t->differences += r->stats.differences;
  for (unsigned i = 0; i < 8; i++) t->axi[i] += r->axi[i];
  for (unsigned i = 0; i < RUN_COUNTERS; i++) t->counter[i] += r->counter[i];
}

static void say(const struct run_result *r, unsigned number, char *why, size_t n) {
  if (r->status == RUN_TRAP)
    snprintf(why, n, "launch %u: trap %s at pc 0x%04x, block %u,%u,%u warp %u lanes 0x%08x address 0x%llx", number,
             heddle_cause_name(r->trap.cause), r->trap.pc, r->trap.ctaid[0], r->trap.ctaid[1], r->trap.ctaid[2],
             r->trap.warp_in_block, r->trap.lanes, (unsigned long long)r->trap.addr);
  else
    snprintf(why, n, "launch %u: %s: %.300s", number, run_status_name(r->status), r->message);
}

/* One launch; what it leaves goes back to `now`, and to `globals` what it leaves in module variables. */
static bool launch(struct runner *r, const struct heddle_program *p, const struct kernel_case *c, unsigned number,
                   uint8_t *const now[], uint8_t *globals, struct kernel_totals *t, char *why, size_t n) {
  const struct kernel_launch *l = &c->launch[number];
  struct job j = {0};
  struct run_result result = {0};
  snprintf(why, n, "out of memory");
  uint8_t *image = kernel_job(&j, p, c, number, now, why, n) ? malloc(j.mem_bytes) : NULL;
  bool ok = false;
  if (image) {
    if (number > 0 && j.global) memcpy(j.global, globals, p->global_bytes);
    runner_run(r, &j, image, &result);
    if (result.report) fputs(result.report, stderr);
    ok = result.status == RUN_OK;
    if (!ok) say(&result, number, why, n);
    t->end = run_end_of(&result);
    add_result(t, &result);
  }
  for (unsigned i = 0; i < l->args && ok; i++)
    if (l->arg[i].kind == KERNEL_ARG_BUFFER)
      memcpy(now[l->arg[i].buffer], image + (j.addr[i] - j.mem_base), c->buffer[l->arg[i].buffer].bytes);
  if (ok && j.global) memcpy(globals, image + (j.global_addr - j.mem_base), p->global_bytes);
  free(image);
  run_result_clear(&result);
  job_clear(&j);
  return ok;
}

static bool matches(const struct kernel_case *c, uint8_t *const now[], char *why, size_t n) {
  for (unsigned i = 0; i < c->buffers; i++) {
    size_t at;
    if (kernel_matches(&c->buffer[i], now[i], &at)) continue;
    snprintf(why, n, "buffer %u differs from the host's result at byte %zu", i, at);
    return false;
  }
  return true;
}

bool kernel_launches(struct runner *r, const struct heddle_program *p, const struct kernel_case *c,
                     uint8_t *const now[], struct kernel_totals *t, char *why, size_t n) {
  uint8_t *globals = malloc((size_t)p->global_bytes + 1); /* one instance for all launches */
  bool ok = globals != NULL;
  if (!ok) snprintf(why, n, "out of memory");
  for (unsigned i = 0; i < c->launches && ok; i++) ok = launch(r, p, c, i, now, globals, t, why, n);
  free(globals);
  return ok;
}

bool kernel_run(struct runner *r, const struct heddle_program *p, const struct kernel_case *c, struct kernel_totals *t,
                char *why, size_t n) {
  uint8_t *now[KERNEL_BUFFERS] = {0};
  bool ok = true;
  for (unsigned i = 0; i < c->buffers; i++) {
    now[i] = malloc(c->buffer[i].bytes);
    if (now[i])
      memcpy(now[i], c->buffer[i].init, c->buffer[i].bytes);
    else
      ok = false;
  }
  if (!ok) snprintf(why, n, "out of memory");
  ok = ok && kernel_launches(r, p, c, now, t, why, n) && matches(c, now, why, n);
  for (unsigned i = 0; i < c->buffers; i++) free(now[i]);
  return ok;
}
