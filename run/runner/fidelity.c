/* SPDX-License-Identifier: Apache-2.0
 * Which instruction forms a run has executed, and what silicon said of them. */
#include "fidelity.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <heddle/asm.h>
#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include <heddle/program.h>
#include "run/command/tool.h"

/* What has issued, and what of it worked on loaded values. */

void issued_add(const struct run_options *o, const struct job *job, const struct heddle_model *m,
                struct run_result *out) {
  const struct heddle_program *p = job->program;
  if (!o->issued || !m) return;
  if (!out->issued) out->issued = calloc((size_t)p->code_bytes / ISA_STEP + 1, 1);
  for (uint32_t pc = 0; out->issued && pc < p->code_bytes; pc = heddle_program_next(p, pc))
    out->issued[pc / ISA_STEP] |= heddle_model_issued(m, pc);
}

/* The form of a word; false: it is no instruction. */
static bool issued_form(struct heddle_isa_word word, char name[FORM_NAME]) {
  struct heddle_isa_dec d;
  char text[256];
  if (!heddle_isa_decode(word, &d)) return false;
  heddle_disassemble(word, 0, text, sizeof text);
  const char *from = text;
  if (*from == '@') from += strcspn(from, " ") + strspn(from + strcspn(from, " "), " ");
  (void)snprintf(name, FORM_NAME, "%.*s/%s", (int)strcspn(from, " ;"), from,
                 heddle_isa_encoding_info((enum heddle_isa_enc)d.enc)->format);
  return true;
}

/* ---- through which instructions loaded values pass */

/* Per step of the code: the places that hold such values before it, and whether it works on one. */
struct flow {
  const struct heddle_program *p;
  const uint8_t *issued;
  uint8_t (*before)[HEDDLE_HAZARD_PLACES];
  bool *works;
  uint8_t now[HEDDLE_HAZARD_PLACES];
  bool reads, changed;
};

static void look_at_place(void *ctx, unsigned place) {
  struct flow *f = ctx;
  f->reads |= f->now[place] != 0;
}

static void set_place(void *ctx, unsigned place) {
  struct flow *f = ctx;
  f->now[place] = f->reads;
}

static void add_to_place(void *ctx, unsigned place) {
  struct flow *f = ctx;
  f->now[place] |= f->reads;
}

static void hand_on_loads(struct flow *f, int64_t pc) {
  if (pc < 0 || pc >= f->p->code_bytes) return;
  uint8_t *to = f->before[pc / ISA_STEP];
  for (unsigned i = 0; i < HEDDLE_HAZARD_PLACES; i++) {
    f->changed |= f->now[i] > to[i];
    to[i] |= f->now[i];
  }
}

static bool loads(const struct heddle_isa_dec *d) {
  const struct heddle_isa_instr *i = heddle_isa_instr_info((enum heddle_isa_op)d->op);
  return i->space != ISA_SPACE_CONST && (i->access == ISA_ACCESS_LOAD || i->access == ISA_ACCESS_ATOM);
}

static void follow_instruction(struct flow *f, uint32_t pc) {
  struct heddle_isa_dec d;
  int64_t target;
  if (!f->issued[pc / ISA_STEP] || !heddle_isa_decode(heddle_program_word(f->p, pc), &d)) return;
  const uint32_t next = heddle_program_next(f->p, pc);
  const bool always = d.guard.index == ISA_PT;
  memcpy(f->now, f->before[pc / ISA_STEP], sizeof f->now);
  f->reads = loads(&d);
  heddle_hazard_each_source(&d, look_at_place, f);
  f->works[pc / ISA_STEP] = f->reads;
  heddle_hazard_each_reg_result(&d, always ? set_place : add_to_place, f);
  heddle_hazard_each_pred_result(&d, always ? set_place : add_to_place, f);
  if (heddle_isa_flow_passes(&d) || heddle_isa_flow_of(&d) == ISA_FLOW_CALL) hand_on_loads(f, next);
  if (heddle_isa_flow_target(&d, next, &target)) hand_on_loads(f, target);
}

/* Of each step whether it works on loaded values; NULL: no memory. Caller frees. */
static bool *working(const struct heddle_program *p, const uint8_t *issued) {
  const size_t steps = (size_t)p->code_bytes / ISA_STEP + 1;
  struct flow f = {.p = p, .issued = issued, .changed = true};
  f.works = calloc(steps, sizeof *f.works);
  f.before = calloc(steps, sizeof *f.before);
  while (f.works && f.before && f.changed) {
    f.changed = false;
    for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc)) follow_instruction(&f, pc);
  }
  if (!f.before) {
    free(f.works);
    f.works = NULL;
  }
  free(f.before);
  return f.works;
}

static bool append_text(const char *file, const char *text, size_t n) {
  const int fd = open(file, O_WRONLY | O_APPEND | O_CREAT, 0666);
  const bool ok = fd >= 0 && write(fd, text, n) == (ssize_t)n;
  if (!ok) tool_error("%s: %s", file, strerror(errno));
  if (fd >= 0) (void)close(fd);
  return ok;
}

bool issued_compared(const char *file, const struct heddle_program *p, const struct run_result *r, const char *how,
                     uint64_t inputs, const char *name) {
  char *text = NULL, form[FORM_NAME], line[FORM_NAME + 2];
  size_t n = 0;
  bool *works = r->issued ? working(p, r->issued) : NULL;
  FILE *f = works ? open_memstream(&text, &n) : NULL;
  if (f) fputc('\n', f); /* so that each line begins behind one */
  for (uint32_t pc = 0; f && pc < p->code_bytes; pc = heddle_program_next(p, pc)) {
    if (!works[pc / ISA_STEP] || !issued_form(heddle_program_word(p, pc), form)) continue;
    (void)fflush(f);
    (void)snprintf(line, sizeof line, "\n%s\t", form);
    if (!text || !strstr(text, line)) fprintf(f, "%s\t%s\t%" PRIu64 "\t%s\n", form, how, inputs, name);
  }
  const bool ok = f && fclose(f) == 0 && append_text(file, text + 1, n - 1);
  free(text);
  free(works);
  return ok;
}

/* What silicon said of the forms that a run has executed. */

enum verdict { COMPARED, DIFFERS, NEVER, VERDICTS };
static const char *const verdict_name[VERDICTS] = {"compared", "differs", "never"};

struct form {
  char name[FORM_NAME];
  uint64_t inputs;       /* of cases that are equal */
  unsigned equal, other; /* cases; other: not as silicon has them, or only within a bound */
  char first_other[80];  /* one of those */
};

struct fidelity {
  char device[64];
  struct form *form; /* by name */
  size_t forms;
};

/* A form is blamed for a case that differs only if no case with it is equal: in a case lie several. */
static enum verdict verdict_of_form(const struct form *f) {
  return f->equal > 0 ? COMPARED : f->other > 0 ? DIFFERS : NEVER;
}

static int by_form_name(const void *a, const void *b) {
  return strcmp(((const struct form *)a)->name, ((const struct form *)b)->name);
}

/* Each form that has issued, once. */
static bool collect_forms(struct fidelity *f, const struct heddle_program *p, const struct run_result *r) {
  size_t n = 0;
  f->form = calloc((size_t)p->code_bytes / ISA_STEP + 1, sizeof *f->form);
  if (!f->form || !r->issued) return false;
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc))
    if (r->issued[pc / ISA_STEP] && issued_form(heddle_program_word(p, pc), f->form[n].name)) n++;
  qsort(f->form, n, sizeof *f->form, by_form_name);
  for (size_t i = 0; i < n; i++)
    if (f->forms == 0 || by_form_name(&f->form[f->forms - 1], &f->form[i]) != 0) f->form[f->forms++] = f->form[i];
  return true;
}

/* FORM HOW INPUTS CASE, apart by tabs. */
static bool take_measured(struct fidelity *f, const char *line) {
  struct form key;
  char how[8], name[80];
  uint64_t inputs;
  _Static_assert(FORM_NAME == 96, "as read here");
  if (sscanf(line, "%95[^\t]\t%7[a-z]\t%" SCNu64 "\t%79[^\n]", key.name, how, &inputs, name) != 4) return false;
  struct form *of = bsearch(&key, f->form, f->forms, sizeof *f->form, by_form_name);
  if (!of) return true;
  if (strcmp(how, "equal") == 0) {
    of->equal++;
    of->inputs += inputs;
  } else if (of->other++ == 0) {
    memcpy(of->first_other, name, sizeof name);
  }
  return true;
}

static bool look_up(struct fidelity *f) {
  char path[4096], line[400];
  if (!data_path("silicon/compared.txt", path, sizeof path)) return false;
  FILE *from = fopen(path, "r");
  bool ok = from && fscanf(from, "# %63[^\n]\n", f->device) == 1;
  while (ok && fgets(line, sizeof line, from)) ok = take_measured(f, line);
  if (!ok) tool_error("%s: is not what 'heddle ops --compared' writes", path);
  if (from) (void)fclose(from);
  return ok;
}

bool fidelity_there(void) {
  char path[4096];
  if (data_has("silicon/compared.txt", path, sizeof path)) return true;
  tool_error("--fidelity: no silicon/compared.txt: 'cmake --build BUILD --target silicon_compared' makes it; "
             "HEDDLE_DATA can name another folder");
  return false;
}

struct fidelity *fidelity_new(const struct heddle_program *p, const struct run_result *r) {
  struct fidelity *f = calloc(1, sizeof *f);
  if (f && collect_forms(f, p, r) && look_up(f)) return f;
  fidelity_free(f);
  return NULL;
}

void fidelity_free(struct fidelity *f) {
  if (!f) return;
  free(f->form);
  free(f);
}

struct sums {
  unsigned of[VERDICTS];
  uint64_t inputs;
};

static struct sums sums(const struct fidelity *f) {
  struct sums s = {{0}, 0};
  for (size_t i = 0; i < f->forms; i++) {
    s.of[verdict_of_form(&f->form[i])]++;
    s.inputs += f->form[i].inputs;
  }
  return s;
}

/* Those of one verdict, in brackets; nothing where there is none. */
static void print_names(const struct fidelity *f, enum verdict v, FILE *to) {
  const char *before = " (";
  for (size_t i = 0; i < f->forms; i++) {
    if (verdict_of_form(&f->form[i]) != v) continue;
    fprintf(to, "%s%s", before, f->form[i].name);
    before = ", ";
  }
  if (before[0] == ',') fputc(')', to);
}

void fidelity_print(const struct fidelity *f, FILE *to) {
  const struct sums s = sums(f);
  fprintf(to, "fidelity: %zu forms executed: %u compared with an %s on %" PRIu64 " inputs, %u known to differ",
          f->forms, s.of[COMPARED], f->device, s.inputs, s.of[DIFFERS]);
  print_names(f, DIFFERS, to);
  fprintf(to, ", %u never compared", s.of[NEVER]);
  print_names(f, NEVER, to);
  fputc('\n', to);
  for (size_t i = 0; i < f->forms; i++) {
    const struct form *x = &f->form[i];
    fprintf(to, "  %-8s %-*s", verdict_name[verdict_of_form(x)], verdict_of_form(x) == NEVER ? 0 : 32, x->name);
    if (verdict_of_form(x) == COMPARED) fprintf(to, " %9" PRIu64 " inputs, %4u cases", x->inputs, x->equal);
    if (verdict_of_form(x) == DIFFERS) fprintf(to, " none of %u cases is equal, %s", x->other, x->first_other);
    fputc('\n', to);
  }
}

json_t *fidelity_json(const struct fidelity *f) {
  const struct sums s = sums(f);
  json_t *list = json_array();
  for (size_t i = 0; i < f->forms; i++) {
    const struct form *x = &f->form[i];
    (void)json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:i, s:i}", "form", x->name, "verdict",
                                                verdict_name[verdict_of_form(x)], "inputs", (json_int_t)x->inputs,
                                                "equal", (int)x->equal, "differing", (int)x->other));
  }
  return json_pack("{s:s, s:i, s:i, s:i, s:i, s:I, s:o}", "device", f->device, "executed", (int)f->forms, "compared",
                   (int)s.of[COMPARED], "differ", (int)s.of[DIFFERS], "never", (int)s.of[NEVER], "inputs",
                   (json_int_t)s.inputs, "forms", list);
}
