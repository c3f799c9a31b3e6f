/* SPDX-License-Identifier: Apache-2.0
 * profile.html: the page, how it looks, its summary, and source beside instructions. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "run/job/result.h"
#include "base/text.h"
#include "run/profile/internal.h"

/* How profile.html looks, light and dark, and what a pointer does: a line and its instructions light up together. */

static const char html_style[] =
    ":root{color-scheme:light dark;--bg:#f6f7f9;--card:#fff;--ink:#1c2230;--soft:#5d6675;--edge:#dfe3ea;--mark:#fff3c4;"
    "--accent:#2458c5;--c0:#2f9e6b;--c1:#93c47d;--c2:#d1495b;--c3:#e9a23b;--c4:#16808f;--c5:#7b5ea7;--c6:#3b6fd4;"
    "--c7:#b8622a;--c8:#c77dbb;--c9:#8a919c}\n"
    "@media(prefers-color-scheme:dark){:root{--bg:#12151b;--card:#1a1f28;--ink:#e6e9ef;--soft:#9aa4b5;--edge:#2d3440;"
    "--mark:#4a431f;--accent:#86aef8;--c0:#46b983;--c1:#7fa86d;--c2:#e4687a;--c3:#efb458;--c4:#3aa6b5;--c5:#a48bd0;"
    "--c6:#6b97ec;--c7:#d5834c;--c8:#d79acc;--c9:#7d8592}}\n"
    "*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--ink);font:15px/1.5 system-ui,\"Segoe UI\","
    "Roboto,\"DejaVu Sans\",sans-serif}main{max-width:1440px;margin:0 auto;padding:24px}\n"
    "header h1{font-size:26px;margin:0}header p{margin:4px 0 0;color:var(--soft)}h2{font-size:18px;margin:0 0 4px}"
    "section{background:var(--card);border:1px solid var(--edge);border-radius:10px;padding:18px 20px;margin-top:18px}"
    "section>p{margin:0 0 12px;color:var(--soft);max-width:100ch}\n"
    "nav a{margin-right:14px}a{color:var(--accent);text-decoration:none}a:hover,a:focus{text-decoration:underline}\n"
    ".tiles{display:grid;grid-template-columns:repeat(auto-fit,minmax(170px,1fr));gap:12px;margin-top:18px}"
    ".tiles div{background:var(--card);border:1px solid var(--edge);border-radius:10px;padding:12px 16px}"
    ".tiles b{display:block;font-size:24px;font-weight:600;font-variant-numeric:tabular-nums}"
    ".tiles span{color:var(--soft);font-size:13px}\n"
    "table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}caption{text-align:left;color:var(--"
    "soft);padding-bottom:6px}th{font-weight:600;text-align:left;color:var(--soft);font-size:13px;border-bottom:1px "
    "solid var(--edge)}td,th{padding:4px 10px 4px "
    "0;vertical-align:top}td.n,th.n{text-align:right}td.n,td.w,th{white-space:nowrap}.scroll+.scroll,table+.scroll,svg+"
    "table{margin-top:18px}tr.t td{border-bottom:"
    "1px solid var(--edge)}code,.code{font:13px/1.45 ui-monospace,\"Cascadia Mono\",\"DejaVu Sans Mono\",monospace;"
    "white-space:pre}.scroll{overflow:auto}\n"
    ".bar{display:flex;height:14px;min-width:120px;background:var(--edge);border-radius:3px;overflow:hidden}.bar.big{"
    "height:26px;border-radius:6px;margin:8px 0 14px}.bar i{display:block;height:100%}.key{display:inline-block;width:"
    "11px;height:11px;border-radius:3px;margin-right:7px}\n"
    ".k0{background:var(--c0)}.k1{background:var(--c1)}.k2{background:var(--c2)}.k3{background:var(--c3)}.k4{"
    "background:"
    "var(--c4)}.k5{background:var(--c5)}.k6{background:var(--c6)}.k7{background:var(--c7)}.k8{background:var(--c8)}.k9{"
    "background:var(--c9)}\n"
    ".f0{fill:var(--c0)}.f1{fill:var(--c1)}.f2{fill:var(--c2)}.f3{fill:var(--c3)}.f4{fill:var(--c4)}.f5{fill:var(--c5)}"
    ".f6{fill:var(--c6)}.f7{fill:var(--c7)}.f8{fill:var(--c8)}.f9{fill:var(--c9)}svg{width:100%;height:auto;display:"
    "block}svg text{fill:var(--soft);font-size:12px}svg .line{stroke:var(--accent);fill:var(--edge)}svg "
    ".grid{stroke:var(--edge)}"
    "svg .roof{stroke:var(--c2);stroke-width:2;fill:none}svg .dot{fill:var(--accent)}svg .name{fill:var(--ink);font-"
    "weight:600}\n"
    ".two{display:grid;grid-template-columns:1fr 1fr;gap:18px}@media(max-width:1000px){.two{grid-template-columns:1fr}}"
    ".pane{max-height:640px;overflow:auto;border:1px solid var(--edge);border-radius:8px;padding:0 10px}.pane thead th{"
    "position:sticky;top:0;background:var(--card)}.pane td,.pane th{padding:1px 10px 1px 0}.pane .bar{min-width:90px;"
    "height:12px;margin-top:4px;background:none}.pane tr.cold{color:var(--soft)}tr.on,tr:target{background:var(--mark)}"
    ".pane caption{padding-top:8px}.pane h3{font-size:13px;margin:10px 0 "
    "4px;color:var(--soft)}.good{color:var(--c0);font-weight:600}";

static const char html_script[] =
    "document.querySelectorAll('tr[data-l]').forEach(function(r){"
    "function all(on){document.querySelectorAll('tr[data-l=\"'+r.dataset.l+'\"]').forEach(function(x){"
    "x.classList.toggle('on',on)})}"
    "r.addEventListener('mouseenter',function(){all(true)});r.addEventListener('mouseleave',function(){all(false)});"
    "r.addEventListener('click',function(){document.querySelectorAll('tr[data-l=\"'+r.dataset.l+'\"]').forEach("
    "function(x){if(x.closest('.pane')!==r.closest('.pane'))x.scrollIntoView({block:'nearest'})})})});";

/* the class in which it waits most */
static unsigned html_worst(const struct charge *c) {
  unsigned worst = HEDDLE_COUNTER_NOT_SELECTED;
  for (unsigned i = 1; i < HEDDLE_COUNTERS; i++)
    if (c->cycles[i] > c->cycles[worst]) worst = i;
  return worst;
}

/* a bar of its classes; whole: what 100 % is */
static void html_classes(FILE *f, const struct charge *c, double whole) {
  fputs("<span class=\"bar\" aria-hidden=\"true\">", f);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) {
    const double share = whole > 0 ? 100 * (double)c->cycles[i] / whole : 0;
    if (share < 0.05) continue;
    fprintf(f, "<i class=\"k%u\" style=\"width:%.2f%%\" title=\"%s %.1f %%\"></i>", i, share, profile_words[i].title,
            share);
  }
  fputs("</span>", f);
}

/* profile.html: the hottest lines, and source beside instructions. */

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

static void html_code(FILE *f, const struct profiler *p) {
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

/* profile.html: the page, its summary and its classes. */

void html_number(FILE *f, uint64_t n) {
  char text[24];
  const int digits = snprintf(text, sizeof text, "%" PRIu64, n);
  for (int i = 0; i < digits; i++) {
    if (i != 0 && (digits - i) % 3 == 0) fputc(',', f);
    fputc(text[i], f);
  }
}

void html_share(FILE *f, double part, double whole) {
  fprintf(f, "%.1f&#160;%%", whole > 0 ? 100 * part / whole : 0);
}

static void put_page_head(FILE *f, const struct profiler *p) {
  const struct heddle_launch *l = &p->job->launch;
  fputs(
      "<!DOCTYPE html>\n<html xmlns=\"http://www.w3.org/1999/xhtml\" lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n<title>",
      f);
  html_put(f, p->job->kernel->name);
  fprintf(f, " on %s: profile</title>\n<style>\n%s\n</style>\n</head>\n<body>\n<main>\n<header>\n<h1>",
          p->options->config_name, html_style);
  html_put(f, p->job->kernel->name);
  fprintf(f,
          "</h1>\n<p>%" PRIu32 " × %" PRIu32 " × %" PRIu32 " blocks of %" PRIu32 " × %" PRIu32 " × %" PRIu32
          " threads on <b>%s</b> (%u SM × %u × %u lanes), simulated RTL, %s</p>\n",
          l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1], l->block[2], p->options->config_name, p->sms,
          p->machine->partitions, p->machine->lanes,
          p->options->on == ON_RTL ? "not compared" : "compared with the model instruction by instruction");
  fputs(
      "<nav><a href=\"#classes\">Where cycles went</a><a href=\"#time\">Over time</a><a href=\"#lines\">Hottest "
      "lines</a>"
      "<a href=\"#code\">Source and instructions</a><a href=\"#memory\">Memory</a><a href=\"#roof\">Bounds</a></nav>\n"
      "</header>\n",
      f);
}

static void tiles(FILE *f, const struct profiler *p, const struct charge *all, const struct roofline *r) {
  const unsigned worst = html_worst(all);
  const enum bound holds = bounds_holds(&r->bounded);
  fputs("<div class=\"tiles\">\n<div><b>", f);
  html_number(f, p->cycles);
  fputs("</b><span>cycles</span></div>\n<div><b>", f);
  html_number(f, p->insns);
  fprintf(f,
          "</b><span>warp instructions, %.2f a cycle</span></div>\n<div><b>%.1f of %.0f</b><span>warps resident, on "
          "average</span></div>\n<div><b>",
          (double)p->insns / r->cycles, r->warps, r->slots);
  html_share(f, (double)all->lanes, 32.0 * (double)p->insns);
  fprintf(
      f, "</b><span>of lanes execute</span></div>\n<div><b>%s</b><span>is the main wait: ", profile_words[worst].title);
  html_share(f, (double)all->cycles[worst], (double)charge_cycles(all));
  fprintf(f, " of warp cycles</span></div>\n<div><b>%s</b><span>is the busiest part: ", bound_name(holds));
  html_share(f, r->bounded.bound[holds], r->cycles);
  fputs(" of the time</span></div>\n</div>\n", f);
}

/* That the sums are the counters is asserted before the page is written. */
static void by_sm(FILE *f, const struct profiler *p) {
  struct charge c;
  fputs("<div class=\"scroll\"><table><caption>Charged to instructions, by SM. <span class=\"good\">Each number is "
        "what the "
        "SM's own event counter says.</span></caption>\n<thead><tr><th scope=\"col\">SM</th>",
        f);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++)
    fprintf(f, "<th scope=\"col\" class=\"n\">%s</th>", profile_words[i].title);
  fputs("</tr></thead>\n<tbody>\n", f);
  for (unsigned sm = 0; sm < p->sms; sm++) {
    charge_of_sm(p, sm, &c);
    fprintf(f, "<tr><th scope=\"row\">%u</th>", sm);
    for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) {
      fputs("<td class=\"n\">", f);
      html_number(f, c.cycles[i]);
      fputs("</td>", f);
    }
    fputs("</tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
}

static void classes(FILE *f, const struct profiler *p, const struct charge *all) {
  const uint64_t sum = charge_cycles(all);
  fputs("<section id=\"classes\"><h2>Where the cycles of the warps went</h2>\n<p>In each cycle each resident warp is "
        "in one "
        "class, the first that applies. Cycles before an instruction are charged to it.</p>\n",
        f);
  fputs("<span class=\"bar big\" aria-hidden=\"true\">", f);
  for (unsigned i = 0; i < HEDDLE_COUNTERS && sum != 0; i++)
    fprintf(f, "<i class=\"k%u\" style=\"width:%.2f%%\" title=\"%s\"></i>", i,
            100 * (double)all->cycles[i] / (double)sum, profile_words[i].title);
  fputs("</span>\n<table><thead><tr><th scope=\"col\">Class</th><th scope=\"col\" class=\"n\">Warp cycles</th><th "
        "scope=\"col\" class=\"n\">Share</th><th scope=\"col\">The warp</th><th scope=\"col\">What "
        "helps</th></tr></thead>\n"
        "<tbody>\n",
        f);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) {
    fprintf(f, "<tr class=\"t\"><th scope=\"row\"><span class=\"key k%u\"></span>%s</th><td class=\"n\">", i,
            profile_words[i].title);
    html_number(f, all->cycles[i]);
    fputs("</td><td class=\"n\">", f);
    html_share(f, (double)all->cycles[i], (double)sum);
    fprintf(f, "</td><td>%s</td><td>%s</td></tr>\n", profile_words[i].meaning, profile_words[i].advice);
  }
  fputs("</tbody></table>\n", f);
  by_sm(f, p);
  fputs("</section>\n", f);
}

bool profile_write_html(struct profiler *p, FILE *f) {
  struct charge all;
  struct roofline r;
  charge_of_all(p, &all);
  roofline_of(p, &r);
  put_page_head(f, p);
  tiles(f, p, &all, &r);
  classes(f, p, &all);
  html_time(f, p);
  html_code(f, p);
  html_memory(f, p);
  html_roofline(f, p, &r);
  fprintf(f, "</main>\n<script>%s</script>\n</body>\n</html>\n", html_script);
  return true;
}
