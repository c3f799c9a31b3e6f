/* SPDX-License-Identifier: Apache-2.0
 * profile.html: its sections with curves and tables: time, memory, the roofline. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include <heddle/asm.h>
#include "base/text.h"
#include "run/profile/internal.h"

/* profile.html: resident warps by class over time, and blocks. */

/* The drawing: its area for curves, in units of the picture. */
enum { LEFT = 52, RIGHT = 988, TOP = 12, BOTTOM = 232, SMALL_TOP = 262, SMALL_BOTTOM = 322, HIGH = 352 };

static double time_x(const struct profiler *p, uint64_t time) {
  return LEFT + (RIGHT - LEFT) * (double)(time < p->end ? time : p->end) / (double)(p->end != 0 ? p->end : 1);
}

/* Cycles of an interval: the last one may be cut. */
static double span(const struct profiler *p, size_t i) {
  const uint64_t from = i * p->width, to = from + p->width < p->end ? from + p->width : p->end;
  return to > from ? (double)(to - from) : 1;
}

/* Warps of the classes below `below`, in interval i. */
static double under(const struct profiler *p, size_t i, unsigned below) {
  uint64_t sum = 0;
  for (unsigned c = 0; c < below; c++) sum += p->bucket[i].cycles[c];
  return (double)sum / span(p, i);
}

static void area(FILE *f, const struct profiler *p, unsigned class, double most) {
  const size_t n = time_buckets(p);
  const double unit = (BOTTOM - TOP) / most;
  fprintf(f, "<path class=\"f%u\" d=\"M", class);
  for (size_t i = 0; i < n; i++) {
    const double y = BOTTOM - unit * under(p, i, class + 1);
    fprintf(f, "%.1f %.1fL%.1f %.1fL", time_x(p, i * p->width), y, time_x(p, (i + 1) * p->width), y);
  }
  for (size_t i = n; i-- > 0;) {
    const double y = BOTTOM - unit * under(p, i, class);
    fprintf(f, "%.1f %.1fL%.1f %.1f%s", time_x(p, (i + 1) * p->width), y, time_x(p, i * p->width), y,
            i != 0 ? "L" : "Z");
  }
  fprintf(f, "\"><title>%s</title></path>\n", profile_words[class].title);
}

static void put_time_axes(FILE *f, const struct profiler *p, double most) {
  for (unsigned i = 0; i <= 4; i++) {
    const double y = BOTTOM - (BOTTOM - TOP) * i / 4.0;
    const uint64_t time = p->end * i / 4;
    fprintf(f,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.3g</text>\n",
            LEFT, RIGHT, y, y, LEFT - 6, y + 4, most * i / 4);
    fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">", time_x(p, time), HIGH - 8,
            i == 0   ? "start"
            : i == 4 ? "end"
                     : "middle");
    html_number(f, time);
    fputs(i == 4 ? " cycles</text>\n" : "</text>\n", f);
  }
}

static void blocks(FILE *f, const struct profiler *p) {
  const size_t n = time_buckets(p);
  double most = 1;
  for (size_t i = 0; i < n; i++) {
    const double there = (double)p->bucket[i].blocks / span(p, i);
    if (there > most) most = there;
  }
  fprintf(f,
          "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%.3g</text><text x=\"%d\" y=\"%d\">blocks</text>\n"
          "<path class=\"line\" d=\"M%d %dL",
          LEFT - 6, SMALL_TOP + 4, most, LEFT, SMALL_TOP - 6, LEFT, SMALL_BOTTOM);
  for (size_t i = 0; i < n; i++) {
    const double y = SMALL_BOTTOM - (SMALL_BOTTOM - SMALL_TOP) * (double)p->bucket[i].blocks / span(p, i) / most;
    fprintf(f, "%.1f %.1fL%.1f %.1f%s", time_x(p, i * p->width), y, time_x(p, (i + 1) * p->width), y,
            i + 1 < n ? "L" : "");
  }
  fprintf(f, "L%d %dZ\"/>\n", RIGHT, SMALL_BOTTOM);
}

void html_time(FILE *f, const struct profiler *p) {
  const size_t n = time_buckets(p);
  double most = 1;
  fprintf(f,
          "<section id=\"time\"><h2>Over time</h2>\n<p>Resident warps by class, and blocks, in intervals of %" PRIu64
          " cycles; the machine has %u places for warps.</p>\n",
          p->width, p->warps * p->sms);
  for (size_t i = 0; i < n; i++)
    if (under(p, i, HEDDLE_COUNTERS) > most) most = under(p, i, HEDDLE_COUNTERS);
  fprintf(f,
          "<svg viewBox=\"0 0 1000 %d\" role=\"img\"><title>Resident warps by class, and blocks, over time</title>\n",
          HIGH);
  if (n != 0) {
    put_time_axes(f, p, most);
    for (unsigned c = 0; c < HEDDLE_COUNTERS; c++) area(f, p, c, most);
    blocks(f, p);
  }
  fputs("</svg>\n<p>", f);
  for (unsigned c = 0; c < HEDDLE_COUNTERS; c++)
    fprintf(f, "<span class=\"key k%u\"></span>%s&#160;&#160; ", c, profile_words[c].title);
  fputs("</p></section>\n", f);
}

/* profile.html: what instructions did in memory. */

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
      "Ideal: with the lanes side by side.</caption>\n<thead><tr><th scope=\"col\" class=\"n\">pc</th><th "
      "scope=\"col\" "
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
  if (p->machine->l2_bytes != 0) fputs(" Records do not show what the cache that SMs share holds.", f);
  fputs("</p>\n", f);
  if (all.requests != 0) global(f, p, h, n, all.through != 0);
  if (all.passes != 0) shared(f, p, h, n);
  if (all.requests + all.passes == 0) fputs("<p>Nothing was accessed.</p>\n", f);
  fputs("</section>\n", f);
  free(h);
}

/* profile.html: the roofline, and the bounds of throughput, latency and concurrency. */

enum { ROOF_LEFT = 60, ROOF_RIGHT = 690, ROOF_TOP = 16, ROOF_BOTTOM = 300, ROOF_HIGH = 340 };

/* Both axes in powers of two. */
struct axes {
  double x0, x1, y0, y1;
};

static double x_of(const struct axes *a, double x) {
  return ROOF_LEFT + (ROOF_RIGHT - ROOF_LEFT) * (log2(x) - a->x0) / (a->x1 - a->x0);
}
static double y_of(const struct axes *a, double y) {
  return ROOF_BOTTOM - (ROOF_BOTTOM - ROOF_TOP) * (log2(y) - a->y0) / (a->y1 - a->y0);
}

static struct axes axes_of(const struct roofline *r, double intensity) {
  const double rate = r->work / r->cycles;
  double peak = rate, low = rate;
  for (unsigned i = 0; i < r->roofs; i++) peak = r->roof[i].peak > peak ? r->roof[i].peak : peak;
  const double ridge = peak / r->bandwidth;
  struct axes a;
  a.x0 = floor(log2(fmin(intensity, ridge))) - 2;
  a.x1 = ceil(log2(fmax(intensity, ridge))) + 2;
  low = fmin(low, r->bandwidth * exp2(a.x0));
  a.y0 = floor(log2(low)) - 1;
  a.y1 = ceil(log2(peak)) + 1;
  return a;
}

static void put_grid(FILE *f, const struct axes *a, const char *work) {
  const int x_step = a->x1 - a->x0 > 10 ? 2 : 1, y_step = a->y1 - a->y0 > 10 ? 2 : 1;
  for (int k = (int)a->x0; k <= (int)a->x1; k += x_step)
    fprintf(f,
            "<line class=\"grid\" x1=\"%.1f\" x2=\"%.1f\" y1=\"%d\" y2=\"%d\"/><text x=\"%.1f\" y=\"%d\" "
            "text-anchor=\"middle\">%.4g</text>\n",
            x_of(a, exp2(k)), x_of(a, exp2(k)), ROOF_TOP, ROOF_BOTTOM, x_of(a, exp2(k)), ROOF_BOTTOM + 16, exp2(k));
  for (int k = (int)a->y0; k <= (int)a->y1; k += y_step)
    fprintf(f,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.4g</text>\n",
            ROOF_LEFT, ROOF_RIGHT, y_of(a, exp2(k)), y_of(a, exp2(k)), ROOF_LEFT - 6, y_of(a, exp2(k)) + 4, exp2(k));
  fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s a byte</text><text x=\"%d\" y=\"%d\">%s a cycle</text>\n",
          ROOF_RIGHT, ROOF_HIGH - 6, work, ROOF_LEFT, ROOF_TOP - 4, work);
}

static void put_roof(FILE *f, const struct axes *a, const struct roofline *r, const struct roof *roof) {
  const double ridge = roof->peak / r->bandwidth, from = exp2(a->x0);
  fprintf(f,
          "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fL%d %.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s: "
          "%.4g a cycle</text>\n",
          x_of(a, from), y_of(a, from * r->bandwidth), x_of(a, ridge), y_of(a, roof->peak), ROOF_RIGHT,
          y_of(a, roof->peak), ROOF_RIGHT - 6, y_of(a, roof->peak) - 6, roof->name, roof->peak);
}

static void put_picture(FILE *f, const struct profiler *p, const struct roofline *r) {
  const char *work = r->flops ? "flops" : "lane instructions";
  const double intensity = r->bytes > 0 ? r->work / r->bytes : 0, rate = r->work / r->cycles;
  if (intensity <= 0) {
    fputs("<p>No bytes went over the bus to memory, or nothing was computed: there is no point to draw.</p>\n", f);
    return;
  }
  const struct axes a = axes_of(r, intensity);
  fprintf(f, "<svg viewBox=\"0 0 720 %d\" role=\"img\"><title>Roofline: %.3g %s a byte, %.3g a cycle</title>\n",
          ROOF_HIGH, intensity, work, rate);
  put_grid(f, &a, work);
  for (unsigned i = 0; i < r->roofs; i++) put_roof(f, &a, r, &r->roof[i]);
  fprintf(f, "<circle class=\"dot\" cx=\"%.1f\" cy=\"%.1f\" r=\"7\"/><text class=\"name\" x=\"%.1f\" y=\"%.1f\"%s>",
          x_of(&a, intensity), y_of(&a, rate), x_of(&a, intensity) + (x_of(&a, intensity) > 420 ? -12 : 12),
          y_of(&a, rate) + 4, x_of(&a, intensity) > 420 ? " text-anchor=\"end\"" : "");
  html_put(f, p->job->kernel->name);
  fprintf(f, ": %.3g a cycle</text>\n</svg>\n", rate);
}

static void put_bounds(FILE *f, const struct roofline *r) {
  const enum bound holds = bounds_holds(&r->bounded);
  fputs(
      "<table><caption>Cycles of each part, if it never waited, as a share of those that were taken</caption>\n<thead>"
      "<tr><th scope=\"col\">Bound</th><th scope=\"col\" class=\"n\">Cycles</th><th scope=\"col\" "
      "class=\"n\">Share</th><th "
      "scope=\"col\"></th></tr></thead>\n<tbody>\n",
      f);
  for (unsigned i = 0; i < BOUNDS; i++) {
    const double b = r->bounded.bound[i];
    if (b <= 0) continue;
    fprintf(f, "<tr><th scope=\"row\">%s%s</th><td class=\"n\">", bound_name((enum bound)i),
            i == holds ? " (busiest)" : "");
    html_number(f, (uint64_t)(b + 0.5));
    fputs("</td><td class=\"n\">", f);
    html_share(f, b, r->cycles);
    fprintf(f,
            "</td><td><span class=\"bar\" aria-hidden=\"true\"><i class=\"%s\" "
            "style=\"width:%.1f%%\"></i></span></td></tr>\n",
            i == BOUND_LATENCY ? "k2" : "k6", fmin(100, 100 * b / r->cycles));
  }
  fputs("</tbody></table>\n", f);
}

static void put_little(FILE *f, const struct profiler *p, const struct roofline *r) {
  const double row = p->machine->axi_ports * p->machine->axi_bits / 8.0;
  fprintf(f,
          "<table><caption>Concurrency, by Little's law: what is under way is rate times latency</caption>\n<tbody>\n"
          "<tr><th scope=\"row\">Cycles from issue to issue of a warp</th><td class=\"n\">%.1f</td></tr>\n"
          "<tr><th scope=\"row\">… of these not spent waiting for others</th><td class=\"n\">%.1f</td></tr>\n"
          "<tr><th scope=\"row\">Warps resident, on average</th><td class=\"n\">%.1f</td></tr>\n"
          "<tr><th scope=\"row\">Warps that would keep <i>%s</i> busy</th><td class=\"n\">%.1f</td></tr>\n"
          "<tr><th scope=\"row\">Latency of an access to memory, in cycles</th><td class=\"n\">%.0f</td></tr>\n"
          "<tr><th scope=\"row\">Accesses under way, on average</th><td class=\"n\">%.2f</td></tr>\n"
          "<tr><th scope=\"row\">… that would fill a channel of %.0f bytes a cycle</th><td class=\"n\">%.2f</td></tr>\n"
          "<tr><th scope=\"row\">Bytes over the bus to memory a cycle</th><td class=\"n\">%.2f</td></tr>\n"
          "</tbody></table>\n",
          r->interval, r->own, r->warps, bound_name(bounds_holds(&r->bounded)), r->warps_wanted, r->latency,
          r->in_flight, row, r->in_flight_wanted, r->bytes / r->cycles);
}

void html_roofline(FILE *f, const struct profiler *p, const struct roofline *r) {
  fputs("<section id=\"roof\"><h2>Roofline and bounds</h2>\n<p>Throughput: the busiest part. <i>latency</i>: the "
        "cycles if no "
        "warp had delayed another, with the warps that were there. Near neither: warps that wait together.</p>\n"
        "<div class=\"two\"><div>\n",
        f);
  put_picture(f, p, r);
  put_little(f, p, r);
  fputs("</div><div>\n", f);
  put_bounds(f, r);
  fputs("</div></div></section>\n", f);
}
