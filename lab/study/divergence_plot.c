/* SPDX-License-Identifier: Apache-2.0
 * The picture of heddle study divergence: slots of each rule, as a share of those under `stack`. */
#include "lab/study/divergence_study.h"

#include "run/command/tool.h"

static bool drawn(const struct studied *s) {
  return s->lacks[0] == '\0' && divergence_branch_sum(s).branches != 0;
}

static void plot_slots(FILE *f, const struct study *s) {
  fputs("$slots << END\n", f);
  for (size_t k = 0; k < s->n; k++) {
    const struct studied *one = &s->of[k];
    if (!drawn(one)) continue;
    const double stack = (double)divergence_slots(one, RULE_STACK);
    fprintf(f, "\"%s\"", one->name);
    for (unsigned r = RULE_ITS; r < RULES; r++)
      fprintf(f, " %.6f", (double)divergence_slots(one, (enum rule)r) / stack);
    fprintf(f, " %.6f\n", (double)one->d.work.all / LANES / stack);
  }
  fputs("END\n", f);
}

static void script(FILE *f, const char *picture, const struct study *s) {
  fputs("set terminal pngcairo size 1500,620 font 'DejaVu Sans,12' background rgb 'white'\nset output ", f);
  picture_path(f, picture);
  fputs("\nset title 'Issue slots as a share of those under the divergence unit stack'\n"
        "set style data histograms\nset style histogram clustered gap 1\nset style fill solid border rgb 'white'\n"
        "set grid y lc rgb '#d8d8d8' lt 1\nset border 3\nset tics nomirror out\nset xtics rotate by -30 noenhanced\n"
        "set yrange [0:*]\nset ylabel 'issue slots, stack = 1'\nset key outside right top Left reverse\n",
        f);
  plot_slots(f, s);
  fputs("plot $slots using 2:xtic(1) title 'its' lc rgb '#999999', '' using 3 title 'DWF' lc rgb '#0072b2', "
        "'' using 4 title 'DWF, own lane' lc rgb '#56b4e9', '' using 5 title 'TBC' lc rgb '#d55e00', "
        "'' using 6 title 'MIMD' lc rgb '#009e73', 1 with lines lc rgb '#444444' dt 2 notitle\nset output\n",
        f);
}

int divergence_plot(const char *picture, const struct study *s) {
  bool any = false;
  for (size_t k = 0; k < s->n; k++) any = any || drawn(&s->of[k]);
  if (!any) {
    tool_log("no picture: nothing diverged");
    return TOOL_OK;
  }
  FILE *f = tmpfile();
  if (f == NULL) {
    tool_error("-o: no temporary file");
    return TOOL_USAGE;
  }
  script(f, picture, s);
  const bool ok = picture_gnuplot(f);
  if (!ok) tool_error("%s: gnuplot could not write it", picture);
  fclose(f);
  return ok ? TOOL_OK : TOOL_USAGE;
}
