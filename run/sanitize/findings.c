/* SPDX-License-Identifier: Apache-2.0
 *
 * Findings: collecting, sorting, waiving them. */
#include "base/array.h"
#include "run/sanitize/findings.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/explain.h>
#include "run/job/job.h"
#include "run/command/tool.h"

const char *const sanitize_check_name[SANITIZE_CHECKS] = {"race", "memory", "init", "sync"};

struct findings *findings_new(const struct job *job) {
  struct findings *f = calloc(1, sizeof *f);
  if (f) f->job = job;
  return f;
}

void findings_free(struct findings *f) {
  if (!f) return;
  free(f->finding);
  free(f);
}

static bool is_of(const struct finding *x, enum sanitize_check check, uint32_t pc, uint32_t other) {
  return x->check == check && x->at[0].pc == pc && x->at[1].pc == other;
}

/* The same one comes often: the last one is looked at first. */
static struct finding *find_finding(struct findings *f, enum sanitize_check check, uint32_t pc, uint32_t other) {
  if (f->last < f->count && is_of(&f->finding[f->last], check, pc, other)) return &f->finding[f->last];
  for (f->last = 0; f->last < f->count; f->last++)
    if (is_of(&f->finding[f->last], check, pc, other)) return &f->finding[f->last];
  return NULL;
}

struct finding *findings_add(struct findings *f, enum sanitize_check check, uint32_t pc, uint32_t other, bool *is_new) {
  struct finding *x = find_finding(f, check, pc, other);
  *is_new = x == NULL;
  if (!x) {
    if (!array_room(&f->finding, &f->room, f->count + 1, sizeof *f->finding)) {
      f->lost = true;
      return NULL;
    }
    x = &f->finding[f->count++];
    *x = (struct finding){.check = check, .at = {{.pc = pc}, {.pc = other}}, .places = 1};
  }
  x->count++;
  return x;
}

void finding_put(struct finding_place *p, const struct heddle_actor *by, uint32_t lanes, const char *does) {
  *p = (struct finding_place){.does = does, .pc = by->pc, .warp = by->warp, .lanes = lanes};
  memcpy(p->ctaid, by->ctaid, sizeof p->ctaid);
}

/* "FILE:LINE", else "pc 0x0040". */
static const char *finding_where(const struct findings *f, uint32_t pc, char *text, size_t size) {
  const char *file;
  unsigned line;
  if (heddle_program_line(f->job->program, pc, &file, &line))
    snprintf(text, size, "%s:%u", file, line);
  else
    snprintf(text, size, "pc 0x%04x", pc);
  return text;
}

/* ---- one for each pair of lines */

static int compare_places(const struct findings *f, uint32_t a, uint32_t b) {
  const char *file[2] = {"", ""};
  unsigned line[2] = {0, 0};
  const bool known[2] = {heddle_program_line(f->job->program, a, &file[0], &line[0]),
                         heddle_program_line(f->job->program, b, &file[1], &line[1])};
  if (!known[0] || !known[1]) return known[0] != known[1] ? known[1] - known[0] : (a > b) - (a < b);
  const int files = strcmp(file[0], file[1]);
  return files != 0 ? files : (line[0] > line[1]) - (line[0] < line[1]);
}

/* The place that comes first in the source, and the other one. */
static void in_order(const struct findings *f, const struct finding *x, uint32_t pc[2]) {
  const bool turned = x->places == 2 && compare_places(f, x->at[0].pc, x->at[1].pc) > 0;
  pc[0] = x->at[turned].pc;
  pc[1] = x->at[x->places == 2 ? !turned : 0].pc;
}

static int compare_findings(const struct findings *f, const struct finding *a, const struct finding *b) {
  uint32_t x[2], y[2];
  if (a->check != b->check) return a->check < b->check ? -1 : 1;
  in_order(f, a, x);
  in_order(f, b, y);
  const int first = compare_places(f, x[0], y[0]);
  return first != 0 ? first : compare_places(f, x[1], y[1]);
}

/* An insertion sort: findings are few, and those of equal places keep their order. */
void findings_settle(struct findings *f) {
  size_t kept = 0;
  for (size_t i = 0; i < f->count; i++) {
    const struct finding x = f->finding[i];
    size_t at = kept;
    while (at > 0 && compare_findings(f, &f->finding[at - 1], &x) > 0) at--;
    if (at > 0 && compare_findings(f, &f->finding[at - 1], &x) == 0) {
      f->finding[at - 1].count += x.count;
      f->finding[at - 1].same_value = f->finding[at - 1].same_value && x.same_value;
      continue;
    }
    memmove(&f->finding[at + 1], &f->finding[at], (kept - at) * sizeof x);
    f->finding[at] = x;
    kept++;
  }
  f->count = kept;
}

/* ---- waivers */

/* "tiles.cu#12", without the folder: it differs from machine to machine. */
static void name_place(const struct findings *f, uint32_t pc, char *text, size_t size) {
  const char *file;
  unsigned line;
  if (!heddle_program_line(f->job->program, pc, &file, &line)) {
    snprintf(text, size, "pc#0x%x", pc);
    return;
  }
  const char *slash = strrchr(file, '/');
  snprintf(text, size, "%.30s#%u", slash ? slash + 1 : file, line);
}

static void signature(const struct findings *f, const struct finding *x, char text[SIGNATURE_BYTES]) {
  struct signature s = {0};
  uint32_t pc[2];
  char first[46], second[46];
  in_order(f, x, pc);
  name_place(f, pc[0], first, sizeof first);
  name_place(f, pc[1], second, sizeof second);
  snprintf(s.kind, sizeof s.kind, "%s", sanitize_check_name[x->check]);
  snprintf(s.what, sizeof s.what, "%s%s%s", first, x->places == 2 ? "/" : "", x->places == 2 ? second : "");
  (void)signature_text(&s, text);
}

void findings_waive(struct findings *f, struct waivers *w) {
  size_t kept = 0;
  for (size_t i = 0; i < f->count; i++) {
    char name[SIGNATURE_BYTES], line[700];
    signature(f, &f->finding[i], name);
    const struct waiver *known = waivers_match(w, name);
    if (known) {
      finding_line(f, &f->finding[i], line, sizeof line);
      waiver_tell(known, line);
      f->waived++;
    } else {
      f->finding[kept++] = f->finding[i];
    }
  }
  f->count = kept;
}

/* ---- words */

static void thread_of(const struct findings *f, const struct finding_place *p, uint32_t thread[3]) {
  const uint32_t *block = f->job->launch.block;
  const uint32_t t = p->warp * 32 + (p->lanes != 0 ? (uint32_t)__builtin_ctz(p->lanes) : 0);
  thread[0] = t % block[0];
  thread[1] = t / block[0] % block[1];
  thread[2] = t / block[0] / block[1];
}

void finding_line(const struct findings *f, const struct finding *x, char *text, size_t size) {
  char first[300], second[300];
  const char *times = x->count == 1 ? "once" : "times";
  char count[32] = "";
  if (x->count != 1) snprintf(count, sizeof count, "%llu ", (unsigned long long)x->count);
  finding_where(f, x->at[0].pc, first, sizeof first);
  finding_where(f, x->at[1].pc, second, sizeof second);
  snprintf(text, size, "%s: %s at %s%s%s%s%s: %s%s (%s%s)", sanitize_check_name[x->check], x->at[0].does, first,
           x->places == 2 ? ", " : "", x->places == 2 ? x->at[1].does : "", x->places == 2 ? " at " : "",
           x->places == 2 ? second : "", x->what, x->same_value ? ", both store the same value" : "", count, times);
}

static void print_place(FILE *to, const struct findings *f, const struct finding_place *p) {
  char where[400];
  uint32_t t[3];
  thread_of(f, p, t);
  heddle_explain_pc(f->job->program, p->pc, where, sizeof where);
  fprintf(to, "  %-9s %s\n", p->does, where);
  if (p->lanes == 0) return;
  fprintf(to, "  by        block (%u,%u,%u) warp %u lanes 0x%08x, first thread (%u,%u,%u)\n", p->ctaid[0], p->ctaid[1],
          p->ctaid[2], p->warp, p->lanes, t[0], t[1], t[2]);
}

static void print_one(FILE *to, const struct findings *f, const struct finding *x) {
  char line[900], name[SIGNATURE_BYTES];
  finding_line(f, x, line, sizeof line);
  const bool colour = to == stderr && tool_color();
  fprintf(to, "%s%s%s\n", colour ? "\033[1m" : "", line, colour ? "\033[0m" : "");
  for (unsigned k = 0; k < x->places; k++) print_place(to, f, &x->at[k]);
  if (x->has_address) fprintf(to, "  address   0x%llx of %s memory\n", (unsigned long long)x->address, x->space);
  if (x->more[0]) fprintf(to, "  %-9s %s\n", x->check == SANITIZE_RACE ? "wanted" : "because", x->more);
  signature(f, x, name);
  fprintf(to, "  signature %s\n", name);
}

void findings_print(FILE *to, const struct findings *f) {
  for (size_t i = 0; i < f->count; i++) print_one(to, f, &f->finding[i]);
  if (f->lost) fprintf(to, "the sanitizer ran out of memory: there may be more\n");
}

static json_t *place_json(const struct findings *f, const struct finding_place *p) {
  const char *file;
  unsigned line;
  char text[400];
  uint32_t t[3];
  json_t *j = json_pack("{s:s, s:I}", "does", p->does, "pc", (json_int_t)p->pc);
  heddle_explain_pc(f->job->program, p->pc, text, sizeof text);
  const char *colon = strstr(text, "pc 0x");
  (void)json_object_set_new(j, "instruction", json_string(colon ? colon : text));
  if (heddle_program_line(f->job->program, p->pc, &file, &line)) {
    (void)json_object_set_new(j, "file", json_string(file));
    (void)json_object_set_new(j, "line", json_integer(line));
  }
  if (p->lanes == 0) return j;
  thread_of(f, p, t);
  (void)json_object_set_new(j, "block", json_pack("[iii]", (int)p->ctaid[0], (int)p->ctaid[1], (int)p->ctaid[2]));
  (void)json_object_set_new(j, "warp", json_integer((json_int_t)p->warp));
  (void)json_object_set_new(j, "lanes", json_integer((json_int_t)p->lanes));
  (void)json_object_set_new(j, "thread", json_pack("[iii]", (int)t[0], (int)t[1], (int)t[2]));
  return j;
}

json_t *findings_json(const struct findings *f) {
  json_t *all = json_array();
  for (size_t i = 0; i < f->count; i++) {
    const struct finding *x = &f->finding[i];
    char name[SIGNATURE_BYTES];
    signature(f, x, name);
    json_t *j = json_pack("{s:s, s:s, s:s, s:I}", "check", sanitize_check_name[x->check], "what", x->what, "signature",
                          name, "count", (json_int_t)x->count);
    json_t *places = json_array();
    for (unsigned k = 0; k < x->places; k++) (void)json_array_append_new(places, place_json(f, &x->at[k]));
    (void)json_object_set_new(j, "places", places);
    if (x->more[0]) (void)json_object_set_new(j, "because", json_string(x->more));
    if (x->check == SANITIZE_RACE) (void)json_object_set_new(j, "same_value", json_boolean(x->same_value));
    if (x->has_address) {
      (void)json_object_set_new(j, "space", json_string(x->space));
      (void)json_object_set_new(j, "address", json_sprintf("0x%llx", (unsigned long long)x->address));
    }
    (void)json_array_append_new(all, j);
  }
  return json_pack("{s:o, s:I, s:b}", "findings", all, "waived", (json_int_t)f->waived, "incomplete", (int)f->lost);
}
