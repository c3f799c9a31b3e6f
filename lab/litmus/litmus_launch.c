/* SPDX-License-Identifier: Apache-2.0
 * One launch of many instances, and how each of them ended. It makes jobs, which then travel like those of `heddle run`
 * (docs/how-a-launch-travels.md, before A 5 or B 5). */
#include "litmus_launch.h"

#include <stdlib.h>

#include <heddle/pages.h>
#include "run/programs/source.h"
#include "run/runner/paged.h"

#define LINE 128u
#define PLACES 512u         /* bytes of a group: which SM its threads are on */
#define NOTHING 0xa5a5a5a5u /* what a register that nobody stores reads as */

/* An odd number of lines from a location to the next: other sets of a cache, other banks. */
static void lay_out_locations(struct litmus_launch *l) {
  const struct test *t = &l->i->test;
  const uint32_t n = l->instances;
  l->stride = l->i->layout == 0 ? 4 : l->i->layout == 1 ? LINE * t->locs : 32;
  l->step = l->i->layout == 0 ? ((4 * n + LINE - 1) / LINE | 1) * LINE : l->i->layout == 1 ? LINE : 4;
  l->bytes = l->i->layout == 0 ? l->step * t->locs : l->stride * n;
}

/* The text of a kernel; NULL: no memory. */
static char *text_of_kernel(const struct litmus_launch *l) {
  const struct litmus_item *i = l->i;
  char *text = NULL;
  size_t bytes;
  FILE *f = open_memstream(&text, &bytes);
  if (f == NULL) return NULL;
  if (i->ptx)
    emit_ptx_as(&i->test, l->alias != 0, f);
  else
    emit_assembly_as(&i->test, i->narrow, l->alias != 0, f);
  if (fclose(f) == 0) return text;
  free(text);
  return NULL;
}

bool launch_load(const struct litmus_request *q, struct litmus_launch *l, struct suite_verdict *v) {
  struct heddle_message m = {0};
  const struct source_options with = run_source(&q->run);
  char *text = text_of_kernel(l);
  if (text != NULL) l->program = (l->i->ptx ? source_compile : source_assemble)(text, l->i->name, &with, &m);
  free(text);
  if (l->program == NULL) suite_fail(v, "%s:%u:%u: %s", m.file, m.line, m.column, m.text);
  return l->program != NULL;
}

static uint8_t *buffer(struct job *j, uint32_t bytes) {
  uint8_t *first = calloc(1, bytes);
  if (first == NULL || !job_add_buffer(j, first, bytes, true)) {
    free(first);
    return NULL;
  }
  j->arg[j->args - 1].owned = first;
  return first;
}

/* In PTX. Byte k: how long thread k waits. */
static uint32_t skew(uint64_t round) {
  return round == 0 ? 0 : (uint32_t)(round * 0x9e3779b9u >> 3) & 0x3f3f3f3fu;
}

#define REGISTERS 64u /* of a thread of the kernel in assembly, or a few less */

/* Can all threads of a group be resident? Blocks start in order, so that then every group comes to be. */
static unsigned threads_together(const struct litmus_request *q, const struct litmus_launch *l) {
  const struct heddle_config *c = q->run.config;
  const unsigned warps = l->shape.block[1], blocks = l->shape.grid[0];
  if (q->run.on == ON_MODEL || l->i->ptx || emit_by_lane(&l->i->test)) return 0;
  unsigned room = c->warps / c->partitions;
  if (c->regs / REGISTERS < room) room = c->regs / REGISTERS;
  room = room * c->partitions / warps;
  return (room < c->blocks ? room : c->blocks) * c->sms < blocks ? 0 : l->i->test.threads;
}

/* In assembly threads change the name from access to access in every second round. */
static bool scalars(struct litmus_launch *l, const uint32_t *word, size_t words, uint64_t round) {
  const uint64_t alias = l->alias / HEDDLE_PAGE_SMALL;
  bool ok = true;
  for (size_t k = 0; ok && k < words; k++) ok = job_add_scalar(&l->job, word[k], 4);
  if (!ok || alias == 0) return ok;
  return job_add_scalar(&l->job, alias, 4) && (l->i->ptx || job_add_scalar(&l->job, round % 2 == 0 ? 0 : alias, 4));
}

static bool parameters(const struct litmus_request *q, struct litmus_launch *l, uint64_t round) {
  struct job *j = &l->job;
  if (l->i->ptx) {
    const uint32_t word[] = {l->stride, l->step, 0, skew(round), round % 2};
    return scalars(l, word, sizeof word / sizeof *word, round);
  }
  const uint32_t regs = l->shape.registers, chance = (uint32_t)(round * 0x10001u + q->run.seed * 0x2545f491u);
  const uint32_t word[] = {l->stride, l->step,  0,           (uint32_t)q->skew,       0xff,
                           chance,    l->times, l->together, l->per_time * l->stride, 4 * regs * l->per_time};
  return buffer(j, LINE * l->shape.grid[1]) != NULL && buffer(j, PLACES * l->shape.grid[1]) != NULL &&
         scalars(l, word, sizeof word / sizeof *word, round);
}

static bool build_launch(const struct litmus_request *q, struct litmus_launch *l, uint64_t round,
                         struct suite_verdict *v) {
  const struct test *t = &l->i->test;
  const uint32_t words = l->instances * (l->shape.registers == 0 ? 1 : l->shape.registers);
  char err[512] = "out of memory";
  uint8_t *mem = buffer(&l->job, l->bytes), *out = buffer(&l->job, 4 * words);
  bool ok = mem != NULL && out != NULL;
  for (uint32_t k = 0; ok && k < l->instances; k++)
    for (uint32_t n = 0; n < t->locs; n++) memcpy(mem + k * l->stride + n * l->step, &t->first[n], 4);
  for (uint32_t k = 0; ok && k < words; k++) memcpy(out + 4 * (size_t)k, &(uint32_t){NOTHING}, 4);
  ok = ok && parameters(q, l, round) &&
       job_build(&l->job, l->program, EMIT_KERNEL, l->shape.grid, l->shape.block, err, sizeof err);
  l->job.alias = l->alias;
  l->job.launches = test_has(t, TEST_LAUNCH) ? 2 : 1;
  l->image = ok ? malloc(l->job.mem_bytes) : NULL;
  if (l->image == NULL) suite_fail(v, "%s", err);
  return l->image != NULL;
}

/* ---- what came ---- */

/* Of an instance: all registers, then all locations; of those in shared memory nothing is known. */
static void outcome_of(const struct litmus_launch *l, uint32_t instance, uint32_t *value) {
  const struct test *t = &l->i->test;
  const unsigned regs = l->shape.registers;
  const uint8_t *mem = l->image + (l->job.addr[0] - l->job.mem_base),
                *out = l->image + (l->job.addr[1] - l->job.mem_base);
  for (unsigned k = 0; k < regs; k++) memcpy(&value[k], out + 4 * ((size_t)instance * regs + k), 4);
  for (unsigned k = 0; k < t->locs; k++) memcpy(&value[regs + k], mem + instance * l->stride + k * l->step, 4);
}

static bool matches_outcome(const struct litmus_launch *l, const uint32_t *got, const uint32_t *allowed) {
  const struct test *t = &l->i->test;
  const unsigned regs = l->shape.registers;
  for (unsigned k = 0; k < regs; k++)
    if (got[k] != allowed[k]) return false;
  for (unsigned k = 0; k < t->locs; k++)
    if (!t->shared[k] && got[regs + k] != allowed[regs + k]) return false;
  return true;
}

/* On how many SMs the threads of an instance were, at most. */
static void places(struct litmus_launch *l) {
  const struct test *t = &l->i->test;
  if (l->i->ptx) return;
  for (unsigned g = 0; g < l->shape.grid[1]; g++) {
    uint32_t seen[TEST_THREADS];
    unsigned n = 0;
    for (unsigned k = 0; k < t->threads; k++) {
      const unsigned at = emit_by_lane(t) ? k : 16u * t->thread[k].cta + t->thread[k].warp;
      unsigned j = 0;
      memcpy(&seen[n], l->image + (l->job.addr[3] - l->job.mem_base) + PLACES * g + 4 * at, 4);
      while (seen[j] != seen[n]) j++;
      n += j == n;
    }
    if (n > l->sms) l->sms = n;
  }
}

/* Adds to the histogram; how many of the instances ended in no allowed way. */
static unsigned tally(const struct litmus_launch *l, const struct outcomes *o, uint32_t *times,
                      uint32_t *forbidden_value) {
  unsigned forbidden = 0;
  for (uint32_t k = 0; k < l->instances; k++) {
    uint32_t got[OUTCOME_MAX] = {0};
    unsigned n = 0;
    outcome_of(l, k, got);
    while (n < o->count && !matches_outcome(l, got, o->value[n])) n++;
    if (n < o->count)
      times[n]++;
    else if (forbidden++ == 0)
      memcpy(forbidden_value, got, sizeof got);
  }
  return forbidden;
}

bool launch_round(const struct litmus_request *q, struct litmus_launch *l, uint64_t round, struct runner *runner,
                  const struct outcomes *o, uint32_t *times, struct suite_verdict *v) {
  uint32_t value[OUTCOME_MAX];
  char text[640];
  bool ok = build_launch(q, l, round, v) && suite_can_run(v, &q->run, &l->job);
  if (ok) {
    struct run_result r = {0};
    runner_run(runner, &l->job, l->image, &r);
    ok = !suite_take_result(v, &r, l->program);
    run_result_clear(&r);
  }
  const unsigned forbidden = ok ? tally(l, o, times, value) : 0;
  if (ok) places(l);
  if (forbidden != 0) {
    litmus_outcome_text(&l->i->test, value, text, sizeof text);
    suite_fail(v, "%u of %u instances of round %u ended as the model forbids, the first: %s", forbidden, l->instances,
               (unsigned)round, text);
  }
  free(l->image);
  l->image = NULL;
  job_clear(&l->job);
  l->job = (struct job){0};
  return ok && forbidden == 0;
}

const char *launch_shape(const struct litmus_request *q, struct litmus_launch *l) {
  const char *why = emit_shape(&l->i->test, (unsigned)q->groups, &l->shape);
  if (why == NULL && l->i->ptx && test_has(&l->i->test, TEST_LAUNCH)) why = "in PTX there is one launch";
  if (why != NULL) return why;
  l->alias = q->run.pages != 0 ? paged_alias(q->run.pages) : 0;
  l->times = l->i->ptx ? 1 : (uint32_t)q->times;
  l->per_time = l->shape.per_group * (uint32_t)q->groups;
  l->instances = l->per_time * l->times;
  l->together = threads_together(q, l);
  lay_out_locations(l);
  return NULL;
}
