/* SPDX-License-Identifier: Apache-2.0
 * The corpus: every PTX file of the tree's kernels and of the compiler's tests, compiled. */
#include <stdlib.h>
#include <string.h>

#include "run/compare/compare.h"
#include <heddle/ptx.h>
#include "firmware/kernels/kernels.h"
#include "run/job/case_data.h"
#include "run/command/tool.h"

enum { TEXT_MAX = 64 << 20, FILES_MAX = 1024 };

/* Folders of the tree, and what programs from there are called. */
static const struct {
  const char *folder, *name;
} folders[] = {{"firmware/kernels", "kernels"},
               {"tests/compiler/calls", "tests/calls"},
               {"tests/compiler/globals", "tests/globals"},
               {"tests/compiler/lines", "tests/lines"},
               {"tests/silicon/kernels", "silicon"}};
enum { FOLDERS = sizeof folders / sizeof *folders };

static void keep_first(void *ctx, const struct heddle_message *m) {
  char *why = ctx;
  if (!m->warning && why[0] == '\0')
    (void)snprintf(why, sizeof((struct compare_program *)0)->why, "line %u: %s", m->line, m->text);
}

static void add_figures(struct compare_program *p, const struct heddle_ptx_figures *f, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (f[i].registers > p->registers) p->registers = f[i].registers;
    p->spilled_values += f[i].spilled_values;
    p->spill_loads += f[i].spill_loads;
    p->spill_stores += f[i].spill_stores;
    p->stall_cycles += f[i].stall_cycles;
  }
}

static struct heddle_program *compile_ptx_file(const char *folder, const char *file, unsigned max_regs,
                                               struct compare_program *p) {
  struct heddle_ptx_options o = {.size = sizeof o,
                                 .target = HEDDLE_PTX_TARGET_RTL,
                                 .level = 1,
                                 .max_regs = max_regs,
                                 .fp64_latency = tool_fp64_latency(NULL),
                                 .message = keep_first,
                                 .ctx = p->why};
  struct heddle_ptx_figures *figures = NULL;
  char why[256];
  size_t size, kernels = 0;
  uint8_t *text = case_data_read(folder, file, TEXT_MAX, &size, why, sizeof why);
  if (!text) tool_error("%s", why);
  if (!text || !tool_stalls(NULL, o.stall)) {
    free(text);
    return NULL;
  }
  struct heddle_program *code;
  (void)heddle_ptx_compile((const char *)text, size, p->name, &o, &code, &figures, &kernels);
  if (code) add_figures(p, figures, kernels);
  free(figures);
  free(text);
  return code;
}

/* Turns know places of ISA_STEP; from here on they are instructions, one behind the other. How often each was executed,
 * over all launches. */
static uint64_t count_runs(struct compare_program *p, const uint32_t *number, uint64_t *runs) {
  uint64_t all = 0;
  for (unsigned l = 0; l < p->launches; l++)
    for (unsigned w = 0; w < p->launch[l].warps; w++)
      for (size_t i = 0; i < p->launch[l].slot[w].n; i++) {
        uint32_t *insn = &p->launch[l].slot[w].insn[i];
        *insn = number[*insn];
        runs[*insn]++, all++;
      }
  return all;
}

static bool add_words(struct compare_programs *s, struct compare_program *p, const struct heddle_program *code) {
  struct diag d = {0};
  const size_t places = code->code_bytes / ISA_STEP;
  uint32_t n = 0, *number = calloc(places + 1, sizeof *number);
  u128 *bits = calloc(places + 1, sizeof *bits);
  uint64_t *runs = calloc(places + 1, sizeof *runs);
  bool ok = bits && runs && number;
  for (uint32_t pc = 0; ok && pc < code->code_bytes; pc = heddle_program_next(code, pc)) {
    const struct heddle_isa_word w = heddle_program_word(code, pc);
    number[pc / ISA_STEP] = n;
    bits[n++] = (u128)w.hi << 64 | w.lo;
  }
  if (ok) {
    p->words = n;
    p->runs = count_runs(p, number, runs);
    p->at = s->corpus.programs;
    ok = corpus_add(&s->corpus, p->name, bits, runs, n, &d);
    if (!ok) tool_error("%s", d.text);
  }
  free(bits);
  free(runs);
  free(number);
  return ok;
}

static const struct kernel_info *kernel_of(const char *file, bool kernels) {
  char name[128];
  if (!kernels) return NULL;
  (void)snprintf(name, sizeof name, "%.*s", (int)(strlen(file) - 4), file);
  const struct kernel_info *k = kernel_find(name);
  return k && kernel_has(k, KERNEL_PTX) ? k : NULL;
}

static bool one_file(struct comparison *c, struct compare_programs *s, unsigned folder, const char *file) {
  char path[4096];
  struct compare_program *p = &s->program[s->programs++];
  (void)snprintf(p->name, sizeof p->name, "%s/%s", folders[folder].name, file);
  (void)snprintf(path, sizeof path, "%s/%s", c->q.tree, folders[folder].folder);
  const struct kernel_info *k = kernel_of(file, folder == 0);
  p->kernel = k != NULL;
  struct heddle_program *code = compile_ptx_file(path, file, s->max_regs, p);
  if (!code) return p->why[0] != '\0'; /* what the compiler refuses is left out, and told */
  const bool ok = (!k || compare_run_kernel(c, p, code, k)) && add_words(s, p, code);
  heddle_program_free(code);
  return ok;
}

static bool compile_folders(struct comparison *c, struct compare_programs *s) {
  bool ok = true;
  for (unsigned f = 0; ok && f < FOLDERS; f++) {
    char folder[4096], why[256], *name[FILES_MAX];
    (void)snprintf(folder, sizeof folder, "%s/%s", c->q.tree, folders[f].folder);
    const size_t n = case_data_list(folder, ".ptx", name, FILES_MAX, why, sizeof why);
    ok = n > 0;
    if (!ok) tool_error("%s; --tree names the folder of the sources", why);
    struct compare_program *more = realloc(s->program, (s->programs + n + 1) * sizeof *more);
    if (more) memset(more + s->programs, 0, (n + 1) * sizeof *more);
    if (more) s->program = more;
    ok = ok && more;
    for (size_t i = 0; i < n; i++) {
      ok = ok && one_file(c, s, f, name[i]);
      free(name[i]);
    }
  }
  return ok;
}

const struct compare_programs *compare_programs(struct comparison *c, unsigned max_regs) {
  for (unsigned i = 0; i < c->program_sets; i++)
    if (c->programs[i].max_regs == max_regs) return &c->programs[i];
  struct compare_programs *s = &c->programs[c->program_sets++];
  s->max_regs = max_regs;
  corpus_init(&s->corpus, c->own);
  return compile_folders(c, s) ? s : NULL;
}

void compare_programs_clear(struct compare_programs *p) {
  for (size_t i = 0; i < p->programs; i++)
    for (unsigned l = 0; l < p->program[i].launches; l++) turns_clear(&p->program[i].launch[l]);
  free(p->program);
  corpus_clear(&p->corpus);
  *p = (struct compare_programs){0};
}
