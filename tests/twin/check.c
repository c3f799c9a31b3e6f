/* SPDX-License-Identifier: Apache-2.0
 * Running a program and comparing what it leaves. */
#include "check.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/ptx.h>

bool expected_make(struct expected *e, const struct twin *t, native_twin native) {
  uint8_t cell[8 * TWIN_CELLS];
  e->out_bytes = (size_t)t->block * t->grid * TWIN_OUT_BYTES;
  e->in = malloc(TWIN_IN_BYTES);
  e->out = calloc(1, e->out_bytes);
  if (!e->in || !e->out) return false;
  twin_input(t, e->in);
  twin_cells(t, cell);
  memcpy(e->acc, cell, sizeof cell);
  native(e->in, e->out, e->acc);
  return true;
}

void expected_free(struct expected *e) {
  free(e->in);
  free(e->out);
}

/* ---- what differs, in words ---- */

static void name_of(const struct twin *t, size_t at, char *text, size_t size) {
  unsigned where = TWIN_OUT_SCRATCH;
  (void)snprintf(text, size, "byte %zu", at);
  if (at < TWIN_OUT_SCRATCH) return;
  for (unsigned c = 0; c < TWIN_CLASSES; c++)
    for (unsigned r = 0; r < t->count[c]; r++) {
      if (!(t->dumped[c] >> r & 1)) continue;
      if (at >= where && at < where + 8) (void)snprintf(text, size, "%%%c%u", twin_classes[c], r);
      where += 8;
    }
}

static uint64_t word(const uint8_t *at) {
  uint64_t v = 0;
  for (unsigned b = 0; b < 8; b++) v |= (uint64_t)at[b] << (8 * b);
  return v;
}

static bool compare(const struct twin *t, const struct expected *e, const uint8_t *out, const uint8_t *acc,
                    struct suite_verdict *v) {
  char name[40];
  for (size_t k = 0; k < e->out_bytes; k += 8) {
    if (memcmp(e->out + k, out + k, 8) == 0) continue;
    name_of(t, k % TWIN_OUT_BYTES, name, sizeof name);
    size_t thread = k / TWIN_OUT_BYTES;
    suite_fail(v, "block %zu thread %zu: %s is %llx, the C twin has %llx", thread / t->block, thread % t->block, name,
               (unsigned long long)word(out + k), (unsigned long long)word(e->out + k));
    return false;
  }
  for (unsigned k = 0; k < TWIN_CELLS; k++) {
    if (memcmp(e->acc + 8 * k, acc + 8 * k, 8) == 0) continue;
    suite_fail(v, "global cell %u is %llx, the C twin has %llx", k, (unsigned long long)word(acc + 8 * k),
               (unsigned long long)word(e->acc + 8 * k));
    return false;
  }
  return true;
}

/* ---- the run ---- */

static void take_message(void *ctx, const struct heddle_message *m) {
  struct suite_verdict *v = ctx;
  if (m->warning) return;
  suite_fail(v, "line %u column %u: %s", m->line, m->column, m->text);
}

static unsigned max_regs(const struct check *c, const struct twin *t) {
  if (c->max_regs) return c->max_regs;
  return c->vary && t->index % 5 == 2 ? 16 + (unsigned)(t->index % 23) : 0;
}

/* Each pass is left out in every so many programs. */
static uint32_t without(const struct check *c, const struct twin *t, enum twin_level level) {
  if (level != TWIN_PART) return 0;
  return c->without ? c->without : UINT32_C(1) << t->index % HEDDLE_PTX_PASSES;
}

void check_level_name(const struct check *c, const struct twin *t, enum twin_level level, char *text, size_t size) {
  int n = snprintf(text, size, level == TWIN_O0 ? "-O0" : "-O2");
  for (unsigned k = 0; k < HEDDLE_PTX_PASSES; k++)
    if (without(c, t, level) >> k & 1 && n > 0 && (size_t)n < size)
      n += snprintf(text + n, size - (size_t)n, " without %s", heddle_ptx_pass_name((enum heddle_ptx_pass)k));
}

static struct heddle_program *compile(const struct check *c, const struct twin *t, enum twin_level level,
                                      struct suite_verdict *v) {
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  if (!to) return NULL;
  twin_write_ptx(t, to);
  (void)fclose(to);
  struct heddle_ptx_options o = {.size = sizeof o,
                                 .level = level != TWIN_O0,
                                 .max_regs = max_regs(c, t),
                                 .message = take_message,
                                 .ctx = v,
                                 .check = true,
                                 .without = without(c, t, level)};
  (void)tool_stalls(c->run.on == ON_MODEL ? NULL : c->run.config_name, o.stall);
  struct heddle_program *p;
  (void)heddle_ptx_compile(text, size, "twin.ptx", &o, &p, NULL, NULL);
  if (!p && v->passed) suite_fail(v, "the compiler gave up without a word");
  free(text);
  return p;
}

static bool run(const struct twin *t, const struct expected *e, const struct heddle_program *p, struct runner *runner,
                struct suite_verdict *v) {
  const uint32_t grid[3] = {t->grid, 1, 1}, block[3] = {t->block, 1, 1};
  struct job job = {0};
  struct run_result r = {0};
  uint8_t cell[8 * TWIN_CELLS];
  char err[400] = "no memory";
  twin_cells(t, cell);
  bool right = job_add_buffer(&job, e->in, TWIN_IN_BYTES, false) && job_add_buffer(&job, NULL, e->out_bytes, true) &&
               job_add_buffer(&job, cell, sizeof cell, true);
  for (unsigned k = 0; k < TWIN_PARAMS; k++) right = right && job_add_scalar(&job, t->param[k], 8);
  right = right && job_build(&job, p, "twin", grid, block, err, sizeof err);
  uint8_t *image = right ? malloc(job.mem_bytes) : NULL;
  if (!image) {
    suite_fail(v, "%s", err);
    job_clear(&job);
    return false;
  }
  runner_run(runner, &job, image, &r);
  uint64_t before = v->retired;
  bool same = !suite_take_result(v, &r, p) &&
              compare(t, e, image + (job.addr[1] - job.mem_base), image + (job.addr[2] - job.mem_base), v);
  v->retired += before;
  run_result_clear(&r);
  job_clear(&job);
  free(image);
  return same;
}

bool check_level(const struct check *c, const struct twin *t, const struct expected *e, enum twin_level level,
                 struct runner *runner, struct suite_verdict *v) {
  struct run_options its = c->run;
  struct runner *own = NULL;
  int status;
  its.its = true;
  if (!its.max_cycles) its.max_cycles = 4000000;
  if (!runner || (c->vary && t->index % 4 == 1)) {
    its.its = c->run.its || (c->vary && t->index % 4 == 1);
    runner = own = runner_new(&its, &status);
  }
  struct heddle_program *p = runner ? compile(c, t, level, v) : NULL;
  bool same = p && run(t, e, p, runner, v);
  heddle_program_free(p);
  if (own) runner_free(own);
  return same;
}

bool check_program(const struct check *c, const struct twin *t, native_twin native, struct runner *runner,
                   struct suite_verdict *v, enum twin_level *level) {
  struct expected e = {0};
  bool same = expected_make(&e, t, native);
  if (!same) suite_fail(v, "no memory");
  for (unsigned k = 0; k < TWIN_LEVELS && same; k++) {
    if (c->level >= 0 && (unsigned)c->level != k) continue;
    if (c->level < 0 && k == TWIN_PART && !c->vary && !c->without) continue;
    *level = (enum twin_level)k;
    same = check_level(c, t, &e, *level, runner, v);
  }
  expected_free(&e);
  return same;
}
