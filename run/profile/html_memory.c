/* SPDX-License-Identifier: Apache-2.0
 * profile.html: what instructions did in memory. */
#include "run/profile/html.h"

#include <inttypes.h>
#include <stdlib.h>

#include <heddle/asm.h>

static void put_cell(FILE *f, uint64_t n) {
  fputs("<td class=\"n\">", f);
  html_number(f, n);
  fputs("</td>", f);
}

static void ratio(FILE *f, uint64_t a, uint64_t b) {
  if (b != 0)
    fprintf(f, "<td class=\"n\">%.2f</td>", (double)a / (double)b);
  else
    fputs("<td class=\"n\">–</td>", f);
}

static void name(FILE *f, const struct profiler *p, const struct hot *h) {
  char text[PROFILE_TEXT];
  (void)heddle_disassemble_at(p->job->program, h->pc, text, sizeof text);
  fprintf(f, "<tr class=\"t\"><td class=\"n\">%04" PRIx32 "</td><td class=\"n\">", h->pc);
  if (h->line != 0) fprintf(f, "%u", h->line);
  fputs("</td><td class=\"code\">", f);
  html_put(f, text);
  fputs("</td>", f);
}

static void global(FILE *f, const struct profiler *p, const struct hot *h, size_t n, bool cache) {
  fprintf(
      f,
      "<div class=\"pane\" tabindex=\"0\"><table><caption>Global and local memory: a sector is 32 bytes, a line 128. "
      "Ideal: if the "
      "lanes lay side by side.</caption>\n<thead><tr><th scope=\"col\" class=\"n\">pc</th><th scope=\"col\" "
      "class=\"n\">Line</th><th scope=\"col\">Instruction</th><th scope=\"col\" class=\"n\">Requests</th><th "
      "scope=\"col\" class=\"n\">Lines each</th><th scope=\"col\" class=\"n\">Sectors each</th><th scope=\"col\" "
      "class=\"n\">Ideal</th><th scope=\"col\" class=\"n\">Sectors too many</th>%s<th scope=\"col\" class=\"n\">Latency"
      "</th></tr></thead>\n<tbody>\n",
      cache ? "<th scope=\"col\" class=\"n\">Hits</th>" : "");
  for (size_t i = 0; i < n; i++) {
    const struct charge *c = &h[i].charge;
    if (c->requests == 0) continue;
    name(f, p, &h[i]);
    put_cell(f, c->requests);
    ratio(f, c->lines, c->requests);
    ratio(f, c->sectors, c->requests);
    ratio(f, c->ideal, c->requests);
    put_cell(f, c->sectors - c->ideal);
    if (cache) {
      fputs("<td class=\"n\">", f);
      if (c->through != 0) html_share(f, (double)(c->through - c->missed), (double)c->through);
      fputs("</td>", f);
    }
    fprintf(f, "<td class=\"n\">%.0f</td></tr>\n", (double)c->in_flight / (double)c->requests);
  }
  fputs("</tbody></table></div>\n", f);
}

static void shared(FILE *f, const struct profiler *p, const struct hot *h, size_t n) {
  fprintf(f,
          "<div class=\"pane\" tabindex=\"0\"><table><caption>Shared memory: %u banks. Ideal: passes if no lanes "
          "wanted different "
          "words of one; a pass serves up to %u lanes.</caption>\n<thead><tr><th scope=\"col\" class=\"n\">pc</th><th "
          "scope=\"col\" "
          "class=\"n\">Line</th>"
          "<th scope=\"col\">Instruction</th><th scope=\"col\" class=\"n\">Passes</th><th scope=\"col\" "
          "class=\"n\">Ideal</th>"
          "<th scope=\"col\" class=\"n\">Conflicts</th></tr></thead>\n<tbody>\n",
          p->machine->shared_banks, p->machine->shared_lanes);
  for (size_t i = 0; i < n; i++) {
    const struct charge *c = &h[i].charge;
    if (c->passes == 0) continue;
    name(f, p, &h[i]);
    put_cell(f, c->passes);
    put_cell(f, c->passes_ideal);
    put_cell(f, c->passes - c->passes_ideal);
    fputs("</tr>\n", f);
  }
  fputs("</tbody></table></div>\n", f);
}

void html_memory(FILE *f, const struct profiler *p) {
  size_t n;
  struct charge all;
  struct hot *h = charge_instructions(p, true, &n);
  charge_of_all(p, &all);
  fputs("<section id=\"memory\"><h2>Memory</h2>\n<p>From the records of the retire port. Latency: cycles from an "
        "instruction's issue to its last record.",
        f);
  if (p->machine->l1_bytes == 0) fputs(" This machine has no cache for loads.", f);
  if (p->machine->l2_bytes != 0) fputs(" What the cache that SMs share holds, no record tells.", f);
  fputs("</p>\n", f);
  if (all.requests != 0) global(f, p, h, n, all.through != 0);
  if (all.passes != 0) shared(f, p, h, n);
  if (all.requests + all.passes == 0) fputs("<p>Nothing was accessed.</p>\n", f);
  fputs("</section>\n", f);
  free(h);
}
