/* SPDX-License-Identifier: Apache-2.0
 * profile.html: the page, its summary and its classes. */
#include "run/profile/html.h"

#include <inttypes.h>

#include "run/job/counters.h"

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

void html_classes(FILE *f, const struct charge *c, double whole) {
  fputs("<span class=\"bar\" aria-hidden=\"true\">", f);
  for (unsigned i = 0; i < HEDDLE_COUNTERS; i++) {
    const double share = whole > 0 ? 100 * (double)c->cycles[i] / whole : 0;
    if (share < 0.05) continue;
    fprintf(f, "<i class=\"k%u\" style=\"width:%.2f%%\" title=\"%s %.1f %%\"></i>", i, share, profile_words[i].title,
            share);
  }
  fputs("</span>", f);
}

unsigned html_worst(const struct charge *c) {
  unsigned worst = HEDDLE_COUNTER_NOT_SELECTED;
  for (unsigned i = 1; i < HEDDLE_COUNTERS; i++)
    if (c->cycles[i] > c->cycles[worst]) worst = i;
  return worst;
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
