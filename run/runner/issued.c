/* SPDX-License-Identifier: Apache-2.0
 * What has issued, and what of it worked on loaded values. */
#include "issued.h"

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

void issued_add(const struct run_options *o, const struct job *job, const struct heddle_model *m,
                struct run_result *out) {
  const struct heddle_program *p = job->program;
  if (!o->issued || !m) return;
  if (!out->issued) out->issued = calloc((size_t)p->code_bytes / ISA_STEP + 1, 1);
  for (uint32_t pc = 0; out->issued && pc < p->code_bytes; pc = heddle_program_next(p, pc))
    out->issued[pc / ISA_STEP] |= heddle_model_issued(m, pc);
}

bool issued_form(struct heddle_isa_word word, char name[FORM_NAME]) {
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
