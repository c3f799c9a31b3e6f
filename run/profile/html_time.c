/* SPDX-License-Identifier: Apache-2.0
 * profile.html: resident warps by class over time, and blocks. */
#include "run/profile/html.h"

#include <inttypes.h>

/* The drawing: its area for curves, in units of the picture. */
enum { LEFT = 52, RIGHT = 988, TOP = 12, BOTTOM = 232, SMALL_TOP = 262, SMALL_BOTTOM = 322, HIGH = 352 };

static double x_of(const struct profiler *p, uint64_t time) {
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
    fprintf(f, "%.1f %.1fL%.1f %.1fL", x_of(p, i * p->width), y, x_of(p, (i + 1) * p->width), y);
  }
  for (size_t i = n; i-- > 0;) {
    const double y = BOTTOM - unit * under(p, i, class);
    fprintf(f, "%.1f %.1fL%.1f %.1f%s", x_of(p, (i + 1) * p->width), y, x_of(p, i * p->width), y, i != 0 ? "L" : "Z");
  }
  fprintf(f, "\"><title>%s</title></path>\n", profile_words[class].title);
}

static void axes(FILE *f, const struct profiler *p, double most) {
  for (unsigned i = 0; i <= 4; i++) {
    const double y = BOTTOM - (BOTTOM - TOP) * i / 4.0;
    const uint64_t time = p->end * i / 4;
    fprintf(f,
            "<line class=\"grid\" x1=\"%d\" x2=\"%d\" y1=\"%.1f\" y2=\"%.1f\"/><text x=\"%d\" y=\"%.1f\" "
            "text-anchor=\"end\">%.3g</text>\n",
            LEFT, RIGHT, y, y, LEFT - 6, y + 4, most * i / 4);
    fprintf(f, "<text x=\"%.1f\" y=\"%d\" text-anchor=\"%s\">", x_of(p, time), HIGH - 8,
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
    fprintf(f, "%.1f %.1fL%.1f %.1f%s", x_of(p, i * p->width), y, x_of(p, (i + 1) * p->width), y, i + 1 < n ? "L" : "");
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
    axes(f, p, most);
    for (unsigned c = 0; c < HEDDLE_COUNTERS; c++) area(f, p, c, most);
    blocks(f, p);
  }
  fputs("</svg>\n<p>", f);
  for (unsigned c = 0; c < HEDDLE_COUNTERS; c++)
    fprintf(f, "<span class=\"key k%u\"></span>%s&#160;&#160; ", c, profile_words[c].title);
  fputs("</p></section>\n", f);
}
