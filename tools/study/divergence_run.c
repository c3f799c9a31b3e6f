/* SPDX-License-Identifier: Apache-2.0
 * Kernels for the study of divergence: on the model, or on a device with a trace between. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "divergence_study.h"
#include "kernel_run.h"

struct into {
  const struct divergence_request *q;
  struct studied *s;
  bool full;
};

static bool take(void *ctx, const struct streams *s, bool its, char *why, size_t n) {
  const struct into *to = ctx;
  if (to->s->code == NULL) {
    to->s->code_bytes = s->code.words * ISA_WORD_BYTES;
    to->s->code = malloc((size_t)to->s->code_bytes + 1);
    if (to->s->code == NULL) return snprintf(why, n, "no memory"), false;
    memcpy(to->s->code, s->bytes, to->s->code_bytes);
  }
  return divergence_add(&to->s->d, s, its, to->full, &to->q->how, why, n);
}

struct memory {
  uint8_t *at;
  uint64_t base;
};

static void store(void *ctx, uint64_t addr, const void *data, uint64_t bytes) {
  const struct memory *m = ctx;
  memcpy(m->at + (addr - m->base), data, bytes);
}

static unsigned at_most(unsigned n, unsigned most) {
  return n < most ? n : most;
}

/* A launch on a model of its own; `image` receives what it leaves. */
static bool launch_on_model(struct into *to, bool its, const struct job *j, uint8_t *image, char *why, size_t n) {
  struct heddle_machine is;
  run_machine(&to->q->run, &is);
  const struct heddle_model_config c = {.size = sizeof c,
                                        .base = j->mem_base,
                                        .bytes = j->mem_bytes,
                                        .warp_slots = is.warps,
                                        .block_slots = is.blocks,
                                        .divergence = its ? HEDDLE_ITS : HEDDLE_STACK};
  const uint64_t most = to->q->run.max_cycles;
  const struct feed_machine machine = {.warp_slots = at_most(is.warps, RECORD_WARPS),
                                       .block_slots = at_most(is.blocks, RECORD_WARPS),
                                       .its = its,
                                       .most = most != 0 ? most : STUDY_MOST};
  struct heddle_model *m = heddle_model_new(&c);
  if (m == NULL) return snprintf(why, n, "no memory"), false;
  struct memory memory = {heddle_model_memory(m), j->mem_base};
  job_store_inputs(j, store, &memory);
  struct heddle_launch l = j->launch;
  l.units = is.units;
  l.rtl_only = (is.units >> ISA_PART_MODEL & 1) == 0;
  bool ok = heddle_model_launch(m, &l) == HEDDLE_OK;
  if (!ok) snprintf(why, n, "the model: %s", heddle_model_diag(m));
  ok = ok && feed_model(m, &l, &machine, take, to, why, n);
  if (ok) memcpy(image, memory.at, j->mem_bytes);
  heddle_model_free(m);
  return ok;
}

/* Launch `number` of a case; what it leaves goes back to the buffers, and to module variables. */
static bool one_launch(struct into *to, bool its, const struct kernel_case *c, unsigned number, uint8_t *const now[],
                       uint8_t *globals, char *why, size_t n) {
  const struct heddle_program *p = to->s->program;
  struct job j = {0};
  snprintf(why, n, "no memory");
  uint8_t *image = kernel_job(&j, p, c, number, now, why, n) ? malloc(j.mem_bytes) : NULL;
  if (image != NULL && number > 0 && j.global != NULL) memcpy(j.global, globals, p->global_bytes);
  const bool ok = image != NULL && launch_on_model(to, its, &j, image, why, n);
  const struct kernel_launch *l = &c->launch[number];
  for (unsigned i = 0; i < l->args && ok; i++)
    if (l->arg[i].kind == KERNEL_ARG_BUFFER)
      memcpy(now[l->arg[i].buffer], image + (j.addr[i] - j.mem_base), c->buffer[l->arg[i].buffer].bytes);
  if (ok && j.global != NULL) memcpy(globals, image + (j.global_addr - j.mem_base), p->global_bytes);
  free(image);
  job_clear(&j);
  return ok;
}

static bool as_the_host_says(const struct kernel_case *c, uint8_t *const now[], char *why, size_t n) {
  for (unsigned i = 0; i < c->buffers; i++) {
    size_t at;
    if (kernel_matches(&c->buffer[i], now[i], &at)) continue;
    snprintf(why, n, "buffer %u differs from the host's result at byte %zu", i, at);
    return false;
  }
  return true;
}

static bool case_on_model(struct into *to, bool its, const struct kernel_case *c, char *why, size_t n) {
  uint8_t *now[KERNEL_BUFFERS] = {0}, *globals = calloc((size_t)to->s->program->global_bytes + 1, 1);
  bool ok = globals != NULL;
  for (unsigned i = 0; i < c->buffers && ok; i++) {
    now[i] = malloc(c->buffer[i].bytes);
    ok = now[i] != NULL;
    if (ok) memcpy(now[i], c->buffer[i].init, c->buffer[i].bytes);
  }
  if (!ok) snprintf(why, n, "no memory");
  for (unsigned i = 0; i < c->launches && ok; i++) ok = one_launch(to, its, c, i, now, globals, why, n);
  ok = ok && as_the_host_says(c, now, why, n);
  for (unsigned i = 0; i < c->buffers; i++) free(now[i]);
  free(globals);
  return ok;
}

/* On the device, with a trace in a file that is gone afterwards. */
static int case_on_device(struct into *to, bool its, const struct kernel_case *c, bool *ok, char *why, size_t n) {
  const char *dir = getenv("TMPDIR");
  char path[4096];
  struct kernel_totals t = {0};
  struct run_options o = to->q->run;
  int status = TOOL_USAGE;
  snprintf(path, sizeof path, "%.4000s/heddle-study-XXXXXX", dir != NULL ? dir : "/tmp");
  const int fd = mkstemp(path);
  if (fd < 0) {
    tool_error("%s: no temporary file: %s", path, strerror(errno));
    return TOOL_USAGE;
  }
  close(fd);
  o.trace = path;
  o.its = its;
  struct runner *r = runner_new(&o, &status);
  if (r != NULL) {
    status = TOOL_OK;
    *ok = kernel_run(r, to->s->program, c, &t, why, n);
    runner_free(r); /* completes the trace */
    *ok = *ok && feed_trace(path, take, to, why, n);
  }
  unlink(path);
  return status;
}

static int both_units(const struct divergence_request *q, const struct kernel_case *c, struct studied *s, char *why,
                      size_t n, bool *ok) {
  for (unsigned its = 0; its < 2 && *ok; its++) {
    struct into to = {q, s, its == 0};
    if (q->run.on == ON_MODEL) {
      *ok = case_on_model(&to, its != 0, c, why, n);
      continue;
    }
    const int status = case_on_device(&to, its != 0, c, ok, why, n);
    if (status != TOOL_OK) return status;
  }
  *ok = *ok && divergence_agree(&s->d, why, n);
  return TOOL_OK;
}

/* What the machine lacks for a launch of the case, into s->lacks; "" if it has everything. */
static void look_for_lacks(const struct divergence_request *q, const struct kernel_case *c, struct studied *s) {
  struct heddle_machine is;
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  run_machine(&q->run, &is);
  for (unsigned i = 0; i < c->launches && s->lacks[0] == '\0'; i++) {
    const uint32_t *b = c->launch[i].block, threads = b[0] * b[1] * b[2];
    struct job j = {0};
    char why[512];
    if (kernel_job(&j, s->program, c, i, NULL, why, sizeof why) &&
        heddle_machine_lacks(&is, s->program, j.kernel, threads, j.launch.shared_bytes, list) > 0)
      heddle_lack_text(&is, s->program, j.kernel, list, s->lacks, sizeof s->lacks);
    job_clear(&j);
  }
}

int divergence_kernel(const struct divergence_request *q, const struct kernel_info *k, const char *dir,
                      struct studied *s) {
  char why[1024] = "no memory";
  const enum kernel_form form = kernel_has(k, KERNEL_ASM) ? KERNEL_ASM : KERNEL_PTX;
  snprintf(s->name, sizeof s->name, form == KERNEL_ASM ? "%s" : "%s.%s", k->name, kernel_form_name(form));
  struct source_options with = run_source(&q->run);
  with.level = 1;
  s->program = kernel_program(dir, k, form, &with);
  if (s->program == NULL) return TOOL_USAGE;
  struct kernel_case *c = malloc(sizeof *c);
  bool ok = c != NULL && kernel_prepare(k, form, q->run.seed * 1000, (unsigned)q->scale, c);
  int status = TOOL_OK;
  if (ok) {
    look_for_lacks(q, c, s);
    if (s->lacks[0] == '\0') status = both_units(q, c, s, why, sizeof why, &ok);
    kernel_case_clear(c);
  }
  free(c);
  if (status != TOOL_OK || ok) return status;
  tool_error("%s: %s", s->name, why);
  return TOOL_DIFFERENCE;
}

int divergence_trace(const struct divergence_request *q, struct studied *s) {
  char why[1024];
  const char *base = strrchr(q->trace, '/');
  struct into to = {q, s, true};
  snprintf(s->name, sizeof s->name, "%.160s", base != NULL ? base + 1 : q->trace);
  if (feed_trace(q->trace, take, &to, why, sizeof why)) return TOOL_OK;
  tool_error("%s", why);
  return TOOL_USAGE;
}
