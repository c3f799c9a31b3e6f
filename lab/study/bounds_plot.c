/* SPDX-License-Identifier: Apache-2.0
 * The picture of heddle study bounds: the roofline with each kernel on it, and how near each comes to its two bounds.
 */
#include "run/profile/bounds.h"

#include "run/command/tool.h"

static bool drawn(const struct bounded *b) {
  return b->lacks[0] == '\0' && b->cycles != 0 && b->bytes != 0;
}

static void points(FILE *f, const struct bounds *s) {
  fputs("$roof << END\n", f);
  for (size_t k = 0; k < s->n; k++) {
    const struct bounded *b = &s->of[k];
    if (!drawn(b)) continue;
    fprintf(f, "\"%s\" %.6f %.6f\n", b->name, (double)b->lanes / (double)b->bytes,
            (double)b->lanes / (double)b->cycles);
  }
  fputs("END\n$shares << END\n", f);
  for (size_t k = 0; k < s->n; k++) {
    const struct bounded *b = &s->of[k];
    if (!drawn(b)) continue;
    const enum bound holds = bounds_holds(b);
    fprintf(f, "\"%s (%s)\" %.6f %.6f\n", b->name, bound_name(holds), b->bound[holds] / (double)b->cycles,
            b->bound[BOUND_LATENCY] / (double)b->cycles);
  }
  fputs("END\n", f);
}

static void script(FILE *f, const char *picture, const struct heddle_config *m, const struct bounds *s) {
  const double peak = (double)m->lanes * m->partitions, wide = m->axi_ports * m->axi_bits / 8.0;
  fputs("set terminal pngcairo size 1500,1150 font 'DejaVu Sans,12' background rgb 'white' noenhanced\nset output ", f);
  picture_path(f, picture);
  fputs("\nset multiplot layout 2,1\nset grid lc rgb '#d8d8d8' lt 1\nset border 3\nset tics nomirror out\n", f);
  points(f, s);
  fprintf(f,
          "set title 'Roofline of %s: lanes that execute, over bytes on AXI'\nset logscale xy 2\n"
          "set xlabel 'lane instructions a byte'\nset ylabel 'lane instructions a cycle'\nset key left top\n"
          "set xrange [0.015625:1024]\nset yrange [0.25:%g]\n"
          "plot (x * %g < %g ? x * %g : %g) lc rgb '#d55e00' lw 2 title 'R and W full, or all lanes', "
          "(x * %g < %g ? x * %g : %g) lc rgb '#999999' dt 2 title 'one of them', "
          "$roof using 2:3 with points pt 7 lc rgb '#0072b2' notitle, "
          "'' using 2:3:1 with labels offset 0.6,0.6 left font ',10' notitle\n",
          m->name, peak * 2, 2 * wide, peak, 2 * wide, peak, wide, peak, wide, peak);
  fputs("unset logscale\nset autoscale\nunset xlabel\nset title 'What each kernel takes, as the share that its bounds "
        "are of it'\nset style data histograms\nset style histogram clustered gap 1\nset style fill solid border rgb "
        "'white'\nset xtics rotate by -35\nset yrange [0:*]\nset ylabel 'bound / cycles'\nset key outside top center "
        "horizontal\n"
        "plot $shares using 2:xtic(1) title 'throughput: what is counted' lc rgb '#0072b2', '' using 3 title "
        "'latency: a block alone' lc rgb '#56b4e9', 1 with lines lc rgb '#444444' dt 2 notitle\nunset multiplot\n"
        "set output\n",
        f);
}

int bounds_plot(const char *picture, const struct heddle_config *m, const struct bounds *s) {
  bool any = false;
  for (size_t k = 0; k < s->n; k++) any = any || drawn(&s->of[k]);
  if (!any) {
    tool_log("no picture: no kernel ran");
    return TOOL_OK;
  }
  FILE *f = tmpfile();
  if (f == NULL) {
    tool_error("-o: no temporary file");
    return TOOL_USAGE;
  }
  script(f, picture, m, s);
  const bool ok = picture_gnuplot(f);
  if (!ok) tool_error("%s: gnuplot could not write it", picture);
  fclose(f);
  return ok ? TOOL_OK : TOOL_USAGE;
}
