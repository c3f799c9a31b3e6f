/* SPDX-License-Identifier: Apache-2.0
 *
 * What heddle study divergence has found: JSON, a picture, tables.
 */
#include <inttypes.h>
#include <string.h>

#include <heddle/asm.h>
#include "lab/study/study_divergence.h"
#include "run/command/json_out.h"
#include "run/command/tool.h"
#include "run/runner/conclude.h"

static const char *divergence_line(const struct studied *s, uint32_t word, char *buf, size_t size);

static struct branch_sum divergence_branch_sum(const struct studied *s);

static uint64_t divergence_slots(const struct studied *s, enum rule r);

/* heddle study divergence --json. */

static json_t *slots(const struct slots *s, uint64_t issues) {
  return json_pack("{s:I, s:I}", "slots", (json_int_t)issues, "lanes", (json_int_t)s->lanes);
}

static json_t *branch_json(const struct studied *s, uint32_t word) {
  const struct branch *b = &s->d.branch[word];
  char line[256];
  return json_pack("{s:i, s:s, s:I, s:I, s:I, s:I, s:o}", "pc", (int)(word * ISA_STEP), "line",
                   divergence_line(s, word, line, sizeof line), "executed", (json_int_t)b->executed, "diverged",
                   (json_int_t)b->diverged, "lanes_taken", (json_int_t)b->taken, "lanes_passed", (json_int_t)b->passed,
                   "apart", slots(&b->within, b->within.issues));
}

static json_t *machine(const struct divergence *d) {
  json_t *j = json_object();
  for (unsigned its = 0; its < 2; its++)
    if (d->run[its].launches != 0)
      (void)json_object_set_new(j, its ? "its" : "stack", json_integer((json_int_t)d->run[its].issues));
  return j;
}

static json_t *studied_json(const struct studied *s) {
  const struct divergence *d = &s->d;
  if (s->lacks[0] != '\0') return json_pack("{s:s, s:s}", "kernel", s->name, "lacking", s->lacks);
  json_t *list = json_array();
  for (uint32_t w = 0; w < d->words; w++)
    if (d->branch[w].diverged != 0) (void)json_array_append_new(list, branch_json(s, w));
  json_t *j =
      json_pack("{s:s, s:I, s:o, s:b, s:I, s:I, s:I, s:o}", "kernel", s->name, "launches",
                (json_int_t)(d->run[0].launches + d->run[1].launches), "retired", machine(d), "same_threads",
                d->run[1].launches == 0 || divergence_same_threads(d), "thread_instructions", (json_int_t)d->work.all,
                "across_lanes", (json_int_t)d->work.across, "barriers_apart", (json_int_t)d->apart, "branches", list);
  for (unsigned r = 0; r < RULES; r++)
    (void)json_object_set_new(j, rule_name((enum rule)r), slots(&d->slots[r], divergence_slots(s, (enum rule)r)));
  return j;
}

json_t *divergence_json(const struct divergence_request *q, const struct study *s) {
  json_t *root = result_header(&q->run), *list = json_array();
  for (size_t k = 0; k < s->n; k++) (void)json_array_append_new(list, studied_json(&s->of[k]));
  (void)json_object_set_new(root, "study", json_string("divergence"));
  (void)json_object_set_new(root, "policy", json_string(q->how.formation.policy == POLICY_PC ? "pc" : "majority"));
  (void)json_object_set_new(root, "join", json_string(q->how.formation.any ? "any" : "last"));
  (void)json_object_set_new(root, "pool", json_integer(q->how.formation.warps));
  (void)json_object_set_new(root, "kernels", list);
  return root;
}

/* The picture of heddle study divergence: slots of each rule, as a share of those under `stack`. */

static bool drawn(const struct studied *s) {
  return s->lacks[0] == '\0' && divergence_branch_sum(s).branches != 0;
}

static void plot_slots(FILE *f, const struct study *s) {
  fputs("$slots << END\n", f);
  for (size_t k = 0; k < s->n; k++) {
    const struct studied *one = &s->of[k];
    if (!drawn(one)) continue;
    const double stack = (double)divergence_slots(one, RULE_STACK);
    fprintf(f, "\"%s\"", one->name);
    for (unsigned r = RULE_ITS; r < RULES; r++)
      fprintf(f, " %.6f", (double)divergence_slots(one, (enum rule)r) / stack);
    fprintf(f, " %.6f\n", (double)one->d.work.all / LANES / stack);
  }
  fputs("END\n", f);
}

static void script(FILE *f, const char *picture, const struct study *s) {
  fputs("set terminal pngcairo size 1500,620 font 'DejaVu Sans,12' background rgb 'white'\nset output ", f);
  picture_path(f, picture);
  fputs("\nset title 'Issue slots as a share of those under the divergence unit stack'\n"
        "set style data histograms\nset style histogram clustered gap 1\nset style fill solid border rgb 'white'\n"
        "set grid y lc rgb '#d8d8d8' lt 1\nset border 3\nset tics nomirror out\nset xtics rotate by -30 noenhanced\n"
        "set yrange [0:*]\nset ylabel 'issue slots, stack = 1'\nset key outside right top Left reverse\n",
        f);
  plot_slots(f, s);
  fputs("plot $slots using 2:xtic(1) title 'its' lc rgb '#999999', '' using 3 title 'DWF' lc rgb '#0072b2', "
        "'' using 4 title 'DWF, own lane' lc rgb '#56b4e9', '' using 5 title 'TBC' lc rgb '#d55e00', "
        "'' using 6 title 'MIMD' lc rgb '#009e73', 1 with lines lc rgb '#444444' dt 2 notitle\nset output\n",
        f);
}

int divergence_plot(const char *picture, const struct study *s) {
  bool any = false;
  for (size_t k = 0; k < s->n; k++) any = any || drawn(&s->of[k]);
  if (!any) {
    tool_log("no picture: nothing diverged");
    return TOOL_OK;
  }
  FILE *f = tmpfile();
  if (f == NULL) {
    tool_error("-o: no temporary file");
    return TOOL_USAGE;
  }
  script(f, picture, s);
  const bool ok = picture_gnuplot(f);
  if (!ok) tool_error("%s: gnuplot could not write it", picture);
  fclose(f);
  return ok ? TOOL_OK : TOOL_USAGE;
}

/* The tables of heddle study divergence, as Markdown. */

static uint64_t divergence_slots(const struct studied *s, enum rule r) {
  const struct divergence *d = &s->d;
  if (r == RULE_ITS && d->run[1].launches != 0) return d->run[1].issues;
  return d->slots[r].issues;
}

/* slots, rounded up */
static uint64_t divergence_mimd(const struct studied *s) {
  return (s->d.work.all + LANES - 1) / LANES;
}

static struct branch_sum divergence_branch_sum(const struct studied *s) {
  struct branch_sum sum = {0};
  for (uint32_t w = 0; w < s->d.words; w++) {
    sum.branches += s->d.branch[w].diverged != 0;
    sum.diverged += s->d.branch[w].diverged;
  }
  return sum;
}

/* "mandelbrot.ptx:31", or "" where nobody knows. */
static const char *divergence_line(const struct studied *s, uint32_t word, char *buf, size_t size) {
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
         "\\* Lanes see each other's values (shuffles, votes, matrices): warps that are formed again would break it.");
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
