/* SPDX-License-Identifier: Apache-2.0
 * One case of a kernel of firmware/kernels, and what the RTL lacks for it. */
#include "kernel_run.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/isa.h>
#include "run/programs/source.h"
#include "run/sanitize/findings.h"

/* Words that the RTL does not know, by name. */

enum { NAME_MAX_BYTES = 64, NAMES_MAX = 256 };

/* "[B------:R-:W0:-:S04] @P0 LDG.E R2, [R4] ;" -> "LDG.E" */
static void mnemonic(struct heddle_isa_word w, char name[NAME_MAX_BYTES]) {
  char text[256];
  heddle_disassemble(w, 0, text, sizeof text);
  const char *at = text;
  if (*at == '[') at = strchr(at, ']') ? strchr(at, ']') + 1 : at;
  at += strspn(at, " ");
  if (*at == '@') at += strcspn(at, " ");
  at += strspn(at, " ");
  snprintf(name, NAME_MAX_BYTES, "%.*s", (int)strcspn(at, " ;"), at);
}

static bool is_known(char seen[][NAME_MAX_BYTES], unsigned n, const char *name) {
  for (unsigned i = 0; i < n; i++)
    if (strcmp(seen[i], name) == 0) return true;
  return false;
}

static int by_mnemonic(const void *a, const void *b) {
  return strcmp(a, b);
}

static void join_names(char seen[][NAME_MAX_BYTES], unsigned n, char *text, size_t size) {
  size_t used = 0;
  text[0] = '\0';
  for (unsigned i = 0; i < n; i++) {
    const size_t more = strlen(seen[i]) + 2;
    if (used + more + sizeof ", ..." > size) {
      snprintf(text + used, size - used, ", ...");
      return;
    }
    used += (size_t)snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", seen[i]);
  }
}

unsigned rtl_lack(const struct heddle_program *p, uint32_t units, char *text, size_t size) {
  char seen[NAMES_MAX][NAME_MAX_BYTES], name[NAME_MAX_BYTES];
  unsigned n = 0;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    struct heddle_isa_dec d;
    const struct heddle_isa_word w = heddle_program_word(p, pc);
    if (!heddle_isa_decode(w, &d) || heddle_isa_in_machine(&d, units)) continue;
    mnemonic(w, name);
    if (n == NAMES_MAX || is_known(seen, n, name)) continue;
    memcpy(seen[n++], name, sizeof name);
  }
  qsort(seen, n, sizeof *seen, by_mnemonic);
  join_names(seen, n, text, size);
  return n;
}

/* Cases of kernels on a runner. */

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

bool kernel_lacks(const struct heddle_machine *m, const struct heddle_program *p, const struct kernel_case *c,
                  char *text, size_t n) {
  struct heddle_lack list[HEDDLE_LACKS_MAX];
  text[0] = '\0';
  for (unsigned i = 0; i < c->launches && text[0] == '\0'; i++) {
    const uint32_t *b = c->launch[i].block, threads = b[0] * b[1] * b[2];
    struct job j = {0};
    char why[512];
    if (kernel_job(&j, p, c, i, NULL, why, sizeof why) &&
        heddle_machine_lacks(m, p, j.kernel, threads, j.launch.shared_bytes, list) > 0)
      heddle_lack_text(m, p, j.kernel, list, text, n);
    job_clear(&j);
  }
  return text[0] != '\0';
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

static void say_result(const struct run_result *r, unsigned number, char *why, size_t n) {
  if (r->status == RUN_TRAP)
    snprintf(why, n, "launch %u: trap %s at pc 0x%04x, block %u,%u,%u warp %u lanes 0x%08x address 0x%llx", number,
             heddle_cause_name(r->trap.cause), r->trap.pc, r->trap.ctaid[0], r->trap.ctaid[1], r->trap.ctaid[2],
             r->trap.warp_in_block, r->trap.lanes, (unsigned long long)r->trap.addr);
  else
    snprintf(why, n, "launch %u: %s: %.300s", number, run_status_name(r->status), r->message);
}

struct running {
  const struct heddle_program *p;
  const struct kernel_case *c;
  uint8_t *const *now;
  uint8_t *globals; /* one instance for all launches */
  kernel_execute execute;
  void *ctx;
};

/* What a launch leaves goes back to `now`, and to `globals` what it leaves in module variables. */
static bool run_one_launch(struct running *x, unsigned number, char *why, size_t n) {
  const struct kernel_launch *l = &x->c->launch[number];
  struct job j = {0};
  snprintf(why, n, "out of memory");
  uint8_t *image = kernel_job(&j, x->p, x->c, number, x->now, why, n) ? malloc(j.mem_bytes) : NULL;
  if (image && number > 0 && j.global) memcpy(j.global, x->globals, x->p->global_bytes);
  const bool ok = image && x->execute(x->ctx, number, &j, image, why, n);
  for (unsigned i = 0; i < l->args && ok; i++)
    if (l->arg[i].kind == KERNEL_ARG_BUFFER)
      memcpy(x->now[l->arg[i].buffer], image + (j.addr[i] - j.mem_base), x->c->buffer[l->arg[i].buffer].bytes);
  if (ok && j.global) memcpy(x->globals, image + (j.global_addr - j.mem_base), x->p->global_bytes);
  free(image);
  job_clear(&j);
  return ok;
}

static bool launches(struct running *x, char *why, size_t n) {
  x->globals = malloc((size_t)x->p->global_bytes + 1);
  bool ok = x->globals != NULL;
  if (!ok) snprintf(why, n, "out of memory");
  for (unsigned i = 0; i < x->c->launches && ok; i++) ok = run_one_launch(x, i, why, n);
  free(x->globals);
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

bool kernel_case_run(const struct heddle_program *p, const struct kernel_case *c, kernel_execute execute, void *ctx,
                     char *why, size_t n) {
  uint8_t *now[KERNEL_BUFFERS] = {0};
  struct running x = {.p = p, .c = c, .now = now, .execute = execute, .ctx = ctx};
  bool ok = true;
  for (unsigned i = 0; i < c->buffers; i++) {
    now[i] = malloc(c->buffer[i].bytes);
    ok = ok && now[i];
    if (now[i]) memcpy(now[i], c->buffer[i].init, c->buffer[i].bytes);
  }
  if (!ok) snprintf(why, n, "out of memory");
  ok = ok && launches(&x, why, n) && matches(c, now, why, n);
  for (unsigned i = 0; i < c->buffers; i++) free(now[i]);
  return ok;
}

/* ---- on a runner */

struct on_runner {
  struct runner *r;
  struct kernel_totals *t;
};

static bool on_runner(void *ctx, unsigned number, const struct job *j, uint8_t *image, char *why, size_t n) {
  const struct on_runner *o = ctx;
  struct run_result result = {0};
  runner_run(o->r, j, image, &result);
  if (result.report) fputs(result.report, stderr);
  if (result.findings) findings_print(stderr, result.findings);
  const bool ok = result.status == RUN_OK;
  if (!ok) say_result(&result, number, why, n);
  o->t->diagnosis = result.diagnosis;
  add_result(o->t, &result);
  run_result_clear(&result);
  return ok;
}

bool kernel_launches(struct runner *r, const struct heddle_program *p, const struct kernel_case *c,
                     uint8_t *const now[], struct kernel_totals *t, char *why, size_t n) {
  struct on_runner o = {r, t};
  struct running x = {.p = p, .c = c, .now = now, .execute = on_runner, .ctx = &o};
  return launches(&x, why, n);
}

bool kernel_run(struct runner *r, const struct heddle_program *p, const struct kernel_case *c, struct kernel_totals *t,
                char *why, size_t n) {
  struct on_runner o = {r, t};
  return kernel_case_run(p, c, on_runner, &o, why, n);
}
