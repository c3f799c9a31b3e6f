/* SPDX-License-Identifier: Apache-2.0
 * The tables of heddle study divergence, as Markdown. */
#include "lab/study/divergence_study.h"

#include <inttypes.h>
#include <string.h>

#include <heddle/asm.h>

uint64_t divergence_slots(const struct studied *s, enum rule r) {
  const struct divergence *d = &s->d;
  if (r == RULE_ITS && d->run[1].launches != 0) return d->run[1].issues;
  return d->slots[r].issues;
}

uint64_t divergence_mimd(const struct studied *s) {
  return (s->d.work.all + LANES - 1) / LANES;
}

struct branch_sum divergence_branch_sum(const struct studied *s) {
  struct branch_sum sum = {0};
  for (uint32_t w = 0; w < s->d.words; w++) {
    sum.branches += s->d.branch[w].diverged != 0;
    sum.diverged += s->d.branch[w].diverged;
  }
  return sum;
}

const char *divergence_line(const struct studied *s, uint32_t word, char *buf, size_t size) {
  const char *file;
  unsigned line;
  buf[0] = '\0';
  if (s->program == NULL || !heddle_program_line(s->program, word * ISA_STEP, &file, &line)) return buf;
  const char *base = strrchr(file, '/');
  snprintf(buf, size, "%s:%u", base != NULL ? base + 1 : file, line);
  return buf;
}

static void write_slots_cell(FILE *f, const struct slots *s, uint64_t issues) {
  fprintf(f, " %" PRIu64 " | %.1f |", issues, s->issues != 0 ? (double)s->lanes / (double)s->issues : 0);
}

static void write_study_row(FILE *f, const struct studied *s) {
  const struct branch_sum b = divergence_branch_sum(s);
  const struct divergence *d = &s->d;
  const bool differ = d->run[1].launches != 0 && !divergence_same_threads(d);
  fprintf(f, "| %s%s%s%s | %u | %" PRIu64 " |", s->name, d->work.across != 0 ? " \\*" : "", d->apart != 0 ? " †" : "",
          differ ? " ‡" : "", b.branches, b.diverged);
  for (unsigned r = 0; r < RULES; r++) write_slots_cell(f, &d->slots[r], divergence_slots(s, (enum rule)r));
  fprintf(f, " %" PRIu64 " |\n", divergence_mimd(s));
}

static void remark(FILE *f, const struct study *s, bool (*is)(const struct studied *s), const char *text) {
  for (size_t k = 0; k < s->n; k++)
    if (s->of[k].lacks[0] == '\0' && is(&s->of[k])) {
      fprintf(f, "\n%s\n", text);
      return;
    }
}

static bool is_across(const struct studied *s) {
  return s->d.work.across != 0;
}
static bool is_apart(const struct studied *s) {
  return s->d.apart != 0;
}
static bool is_other(const struct studied *s) {
  return s->d.run[1].launches != 0 && !divergence_same_threads(&s->d);
}

void divergence_table(FILE *f, const struct study *s) {
  fputs("| kernel | branches | diverged | `stack` | lanes | `its` | lanes | DWF | lanes | DWF, own lane | lanes | TBC "
        "| lanes | MIMD |\n|---|---|---|---|---|---|---|---|---|---|---|---|---|---|\n",
        f);
  for (size_t k = 0; k < s->n; k++)
    if (s->of[k].lacks[0] == '\0') write_study_row(f, &s->of[k]);
  remark(f, s, is_across,
         "\\* Lanes see each other's values (shuffles, votes, matrices): warps that are formed anew would break it.");
  remark(f, s, is_apart, "† A part of a block comes to a barrier while compaction holds the rest back.");
  remark(f, s, is_other, "‡ Threads did not do the same in the two runs (the order of atomics): `its` is of its own.");
  for (size_t k = 0; k < s->n; k++)
    if (s->of[k].lacks[0] != '\0') fprintf(f, "\n%s is not among them: %s\n", s->of[k].name, s->of[k].lacks);
}

static void branch_row(FILE *f, const struct studied *s, uint32_t word) {
  const struct branch *b = &s->d.branch[word];
  const uint32_t pc = word * ISA_STEP;
  char text[256], line[256];
  const double times = (double)b->diverged, slots = (double)b->within.issues;
  struct heddle_isa_word w;
  uint32_t bytes;
  (void)heddle_isa_fetch(s->code, pc, &w, &bytes);
  heddle_disassemble(w, pc + bytes - ISA_WORD_BYTES, text, sizeof text); /* targets count from the next word */
  fprintf(f, "| %s | 0x%04x | %s | `%s` | %" PRIu64 " | %" PRIu64 " | %.1f | %.1f | %" PRIu64 " | %.0f %% |\n", s->name,
          pc, divergence_line(s, word, line, sizeof line), text, b->executed, b->diverged, (double)b->taken / times,
          (double)b->passed / times, b->within.issues,
          b->within.issues != 0 ? 100.0 * (double)b->within.lanes / LANES / slots : 0);
}

void divergence_branches(FILE *f, const struct study *s) {
  fputs(
      "| kernel | PC | line | branch | executed | diverged | lanes that take it | others | slots apart | lanes in use "
      "|\n|---|---|---|---|---|---|---|---|---|---|\n",
      f);
  for (size_t k = 0; k < s->n; k++)
    for (uint32_t w = 0; w < s->of[k].d.words; w++)
      if (s->of[k].d.branch[w].diverged != 0) branch_row(f, &s->of[k], w);
}
