/* SPDX-License-Identifier: Apache-2.0
 * profile.html: the roofline, and the bounds of throughput, latency and concurrency. */
#include "run/profile/html.h"

#include <math.h>

enum { LEFT = 60, RIGHT = 690, TOP = 16, BOTTOM = 300, HIGH = 340 };

/* Both axes in powers of two. */
struct axes {
  double x0, x1, y0, y1;
};

static double x_of(const struct axes *a, double x) {
  return LEFT + (RIGHT - LEFT) * (log2(x) - a->x0) / (a->x1 - a->x0);
}
static double y_of(const struct axes *a, double y) {
  return BOTTOM - (BOTTOM - TOP) * (log2(y) - a->y0) / (a->y1 - a->y0);
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
            x_of(a, exp2(k)), x_of(a, exp2(k)), TOP, BOTTOM, x_of(a, exp2(k)), BOTTOM + 16, exp2(k));
  for (int k = (int)a->y0; k <= (int)a->y1; k += y_step)
    fprintf(f,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.4g</text>\n",
            LEFT, RIGHT, y_of(a, exp2(k)), y_of(a, exp2(k)), LEFT - 6, y_of(a, exp2(k)) + 4, exp2(k));
  fprintf(f, "<text x=\"%d\" y=\"%d\" text-anchor=\"end\">%s a byte</text><text x=\"%d\" y=\"%d\">%s a cycle</text>\n",
          RIGHT, HIGH - 6, work, LEFT, TOP - 4, work);
}

static void put_roof(FILE *f, const struct axes *a, const struct roofline *r, const struct roof *roof) {
  const double ridge = roof->peak / r->bandwidth, from = exp2(a->x0);
  fprintf(f,
          "<path class=\"roof\" d=\"M%.1f %.1fL%.1f %.1fL%d %.1f\"/><text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s: "
          "%.4g a cycle</text>\n",
          x_of(a, from), y_of(a, from * r->bandwidth), x_of(a, ridge), y_of(a, roof->peak), RIGHT, y_of(a, roof->peak),
          RIGHT - 6, y_of(a, roof->peak) - 6, roof->name, roof->peak);
}

static void put_picture(FILE *f, const struct profiler *p, const struct roofline *r) {
  const char *work = r->flops ? "flops" : "lane instructions";
  const double intensity = r->bytes > 0 ? r->work / r->bytes : 0, rate = r->work / r->cycles;
  if (intensity <= 0) {
    fputs("<p>No bytes went over the bus to memory, or nothing was computed: there is no point to draw.</p>\n", f);
    return;
  }
  const struct axes a = axes_of(r, intensity);
  fprintf(f, "<svg viewBox=\"0 0 720 %d\" role=\"img\"><title>Roofline: %.3g %s a byte, %.3g a cycle</title>\n", HIGH,
          intensity, work, rate);
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
        "warp had stood in another's way, with the warps that were there. Near neither: warps that wait together.</p>\n"
        "<div class=\"two\"><div>\n",
        f);
  put_picture(f, p, r);
  put_little(f, p, r);
  fputs("</div><div>\n", f);
  put_bounds(f, r);
  fputs("</div></div></section>\n", f);
}
