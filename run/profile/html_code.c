/* SPDX-License-Identifier: Apache-2.0
 * profile.html: the hottest lines, and source beside instructions. */
#include "run/profile/html.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>

#define HOTTEST 10u
#define AROUND 3u /* lines shown before and behind those that were charged */

struct code {
  const struct profiler *p;
  struct source_text *source;
  struct hot *line, *insn; /* owned; lines by their cycles, instructions by pc */
  size_t lines, insns;
  double all, most_line, most_insn;
};

/* A line's mark: its file's number and its own, so that ids are short. */
static unsigned number_of_file(const struct code *c, const char *file) {
  const struct heddle_program *g = c->p->job->program;
  for (uint32_t i = 0; i < g->sources; i++)
    if (g->source[i] == file) return i;
  return 0;
}

static void put_text(FILE *f, const char *text) {
  fputs("<td class=\"code\">", f);
  for (; *text != '\0'; text++) {
    const char one[2] = {*text, '\0'};
    if (*text == '\t')
      fputs("    ", f);
    else if ((unsigned char)*text >= 32)
      html_put(f, one);
  }
  fputs("</td>", f);
}

static void hottest(FILE *f, const struct code *c) {
  fputs(
      "<section id=\"lines\"><h2>Hottest lines</h2>\n<div class=\"scroll\"><table><thead><tr><th "
      "scope=\"col\">Line</th>"
      "<th scope=\"col\" class=\"n\">Warp cycles</th><th scope=\"col\" class=\"n\">Share</th><th scope=\"col\">Classes"
      "</th><th scope=\"col\">Main wait</th><th scope=\"col\">Source</th></tr></thead>\n<tbody>\n",
      f);
  for (size_t i = 0; i < c->lines && i < HOTTEST; i++) {
    const struct hot *h = &c->line[i];
    const char *slash = h->line != 0 ? strrchr(h->file, '/') : NULL;
    const unsigned worst = html_worst(&h->charge);
    const char *text = source_text_line(c->source, h->file, h->line);
    fputs("<tr class=\"t\"><th scope=\"row\">", f);
    if (h->line != 0) {
      fprintf(f, "<a href=\"#s%u-%u\">", number_of_file(c, h->file), h->line);
      html_put(f, slash != NULL ? slash + 1 : h->file);
      fprintf(f, ":%u</a>", h->line);
    } else {
      fputs("not known", f);
    }
    fputs("</th><td class=\"n\">", f);
    html_number(f, h->cycles);
    fputs("</td><td class=\"n\">", f);
    html_share(f, (double)h->cycles, c->all);
    fputs("</td><td>", f);
    html_classes(f, &h->charge, (double)h->cycles);
    fprintf(f, "</td><td class=\"w\"><span class=\"key k%u\"></span>%s ", worst, profile_words[worst].title);
    html_share(f, (double)h->charge.cycles[worst], (double)h->cycles);
    fputs("</td>", f);
    put_text(f, text != NULL ? text + strspn(text, " \t") : "");
    fputs("</tr>\n", f);
  }
  fputs("</tbody></table></div></section>\n", f);
}

static const struct hot *charged_line(const struct code *c, const char *file, unsigned line) {
  for (size_t i = 0; i < c->lines; i++)
    if (c->line[i].line == line && c->line[i].file == file) return &c->line[i];
  return NULL;
}

static void source_row(FILE *f, const struct code *c, const char *file, unsigned line) {
  const struct hot *h = charged_line(c, file, line);
  const char *text = source_text_line(c->source, file, line);
  const unsigned k = number_of_file(c, file);
  fprintf(f, "<tr id=\"s%u-%u\" data-l=\"%u-%u\"%s><td class=\"n\">%u</td><td class=\"n\">", k, line, k, line,
          h == NULL ? " class=\"cold\"" : "", line);
  if (h != NULL) html_share(f, (double)h->cycles, c->all);
  fputs("</td><td>", f);
  if (h != NULL) html_classes(f, &h->charge, c->most_line);
  fputs("</td>", f);
  put_text(f, text != NULL ? text : "");
  fputs("</tr>\n", f);
}

/* From a little before the first line that was charged to a little behind the last one; without the file's text only
 * those that were. */
static void source_file(FILE *f, const struct code *c, const char *file) {
  unsigned first = 0, last = 0;
  for (size_t i = 0; i < c->lines; i++) {
    if (c->line[i].line == 0 || c->line[i].file != file) continue;
    if (first == 0 || c->line[i].line < first) first = c->line[i].line;
    if (c->line[i].line > last) last = c->line[i].line;
  }
  if (first == 0) return;
  const bool text = source_text_line(c->source, file, first) != NULL;
  if (text) first = first > AROUND ? first - AROUND : 1;
  fputs("<h3>", f);
  html_put(f, file);
  fputs("</h3>\n<table><thead><tr><th scope=\"col\" class=\"n\">Line</th><th scope=\"col\" class=\"n\">Share</th><th "
        "scope=\"col\">Classes</th><th scope=\"col\">Source</th></tr></thead>\n<tbody>\n",
        f);
  for (unsigned line = first; line <= last + (text ? AROUND : 0); line++) {
    const bool there = text && source_text_line(c->source, file, line) != NULL;
    if (there || charged_line(c, file, line) != NULL) source_row(f, c, file, line);
  }
  fputs("</tbody></table>\n", f);
}

static void insn_row(FILE *f, const struct code *c, uint32_t pc, const struct hot *h) {
  char text[PROFILE_TEXT];
  const char *file;
  unsigned line;
  const bool known = heddle_program_line(c->p->job->program, pc, &file, &line);
  (void)heddle_disassemble_at(c->p->job->program, pc, text, sizeof text);
  fputs("<tr", f);
  if (known) fprintf(f, " data-l=\"%u-%u\"", number_of_file(c, file), line);
  fprintf(f, "%s><td class=\"n code\">%04" PRIx32 "</td><td class=\"n\">", h == NULL ? " class=\"cold\"" : "", pc);
  if (known) fprintf(f, "<a href=\"#s%u-%u\">%u</a>", number_of_file(c, file), line, line);
  fputs("</td><td class=\"n\">", f);
  if (h != NULL) html_number(f, h->charge.cycles[HEDDLE_COUNTER_ISSUED]);
  fputs("</td><td class=\"n\">", f);
  if (h != NULL) html_share(f, (double)h->cycles, c->all);
  fputs("</td><td>", f);
  if (h != NULL) html_classes(f, &h->charge, c->most_insn);
  fputs("</td>", f);
  put_text(f, text);
  fputs("</tr>\n", f);
}

/* All between the first instruction that was charged and the last one. */
static void instructions(FILE *f, const struct code *c) {
  fputs("<div class=\"pane\" tabindex=\"0\"><h3>Instructions</h3>\n<table><thead><tr><th scope=\"col\" "
        "class=\"n\">pc</th><th "
        "scope=\"col\" class=\"n\">Line</th><th scope=\"col\" class=\"n\">Issued</th><th scope=\"col\" "
        "class=\"n\">Share</th>"
        "<th scope=\"col\">Classes</th><th scope=\"col\">Instruction</th></tr></thead>\n<tbody>\n",
        f);
  size_t next = 0;
  for (uint32_t pc = c->insns != 0 ? c->insn[0].pc : 0; next < c->insns; pc += ISA_STEP) {
    const struct hot *h = c->insn[next].pc == pc ? &c->insn[next++] : NULL;
    if (h != NULL || c->p->place[pc / ISA_STEP].legal) insn_row(f, c, pc, h);
  }
  fputs("</tbody></table></div>\n", f);
}

void html_code(FILE *f, const struct profiler *p) {
  struct charge all;
  struct code c = {.p = p, .source = source_text_open()};
  const struct heddle_program *g = p->job->program;
  charge_of_all(p, &all);
  c.all = (double)charge_cycles(&all);
  c.line = charge_lines(p, &c.lines);
  c.insn = charge_instructions(p, true, &c.insns);
  c.most_line = c.lines != 0 ? (double)c.line[0].cycles : 1;
  for (size_t i = 0; i < c.insns; i++)
    if ((double)c.insn[i].cycles > c.most_insn) c.most_insn = (double)c.insn[i].cycles;
  hottest(f, &c);
  fputs("<section id=\"code\"><h2>Source and instructions</h2>\n<p>Bars are as long as the cycles are many, beside the "
        "hottest. Point at a row, and what belongs to it lights up; click to find it on the other side.</p>\n"
        "<div class=\"two\">\n<div class=\"pane\" tabindex=\"0\">\n",
        f);
  for (uint32_t i = 0; i < g->sources; i++) source_file(f, &c, g->source[i]);
  if (g->sources == 0) fputs("<p>The program says nothing of its lines.</p>\n", f);
  fputs("</div>\n", f);
  instructions(f, &c);
  fputs("</div></section>\n", f);
  source_text_free(c.source);
  free(c.line);
  free(c.insn);
}
