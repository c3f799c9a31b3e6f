/* SPDX-License-Identifier: Apache-2.0
 * The picture of heddle bench rate --little: gnuplot reads a script with the points in it. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench_rate.h"
#include "data.h"

/* What an H200 returned (tests/silicon/README.md): rates.csv, FFMA of one SM, which has four schedulers. */
#define SILICON "silicon/rates.csv"
#define SILICON_BYTES_MAX 65536u
#define SILICON_POINTS_MAX 256u
#define SILICON_LATENCY 4u
#define SILICON_SCHEDULERS 4u

/* In the new process: gnuplot with `script` as its input, or just its version. Never returns. */
static void become(FILE *script) {
  const int nowhere = open("/dev/null", O_RDWR), in = script != NULL ? fileno(script) : nowhere;
  const bool quiet = script != NULL || (dup2(nowhere, 1) == 1 && dup2(nowhere, 2) == 2);
  if (quiet && dup2(in, 0) == 0) execlp("gnuplot", "gnuplot", script != NULL ? "-" : "--version", (char *)NULL);
  _exit(127);
}

static bool gnuplot(FILE *script) {
  int status = -1;
  if (script != NULL && (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0)) return false;
  const pid_t pid = fork();
  if (pid == 0) become(script);
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* The points of rates.csv as lines "warps chains rate": a header, then "fma.rn.f32,WARPS,CHAINS,RATE". */
static bool copy_silicon(FILE *to, char *text, const char *path) {
  unsigned line = 1, points = 0;
  char *rest = NULL, *l = strtok_r(text, "\n", &rest);
  for (l = l != NULL ? strtok_r(NULL, "\n", &rest) : NULL; l != NULL; l = strtok_r(NULL, "\n", &rest)) {
    unsigned warps, chains;
    double rate;
    int end = 0;
    line++;
    const bool read = sscanf(l, "fma.rn.f32,%4u,%4u,%8lf%n", &warps, &chains, &rate, &end) == 3 && l[end] == '\0';
    if (!read || warps == 0 || chains == 0 || !(rate > 0) || ++points > SILICON_POINTS_MAX) {
      tool_error("%s:%u: expected fma.rn.f32,WARPS,CHAINS,RATE, at most %u of them", path, line, SILICON_POINTS_MAX);
      return false;
    }
    fprintf(to, "%u %u %.6f\n", warps, chains, rate);
  }
  if (points == 0) tool_error("%s: no points", path);
  return points > 0;
}

static bool add_silicon(FILE *to) {
  char path[4352];
  size_t size;
  if (!data_path(SILICON, path, sizeof path)) return false;
  uint8_t *bytes = tool_read_file(path, SILICON_BYTES_MAX, &size);
  char *text = bytes != NULL ? strndup((const char *)bytes, size) : NULL;
  fputs("$silicon << END\n", to);
  const bool ok = text != NULL && copy_silicon(to, text, path);
  fputs("END\n", to);
  free(text);
  free(bytes);
  return ok;
}

/* 'text' for gnuplot: a quote inside is doubled. */
static void quoted(FILE *f, const char *text) {
  fputc('\'', f);
  for (; *text != '\0'; text++) {
    if (*text == '\'') fputc('\'', f);
    fputc(*text, f);
  }
  fputc('\'', f);
}

static void head(FILE *f, const char *picture) {
  fputs("set terminal pngcairo size 1500,680 font 'DejaVu Sans,13' background rgb 'white'\nset output ", f);
  quoted(f, picture);
  fputs("\nset multiplot\n"
        "set logscale xy 2\nset grid lc rgb '#dddddd' lw 1\nset border lw 1.2\nset tics nomirror out\n"
        "set key bottom right Left reverse samplen 1.5 spacing 1.15 box lc rgb '#bbbbbb' opaque\n"
        "set xlabel 'independent FFMA under way: warps × chains of each'\n"
        "array colour[6] = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9']\n"
        "array sign[6] = [7, 5, 9, 13, 11, 15]\narray chains[6] = [1, 2, 3, 4, 6, 8]\n"
        "name(i) = sprintf('%d chain%s a warp', chains[i], chains[i] > 1 ? 's' : '')\n"
        "least(a, b) = a < b ? a : b\n",
        f);
}

struct panel {
  const char *place, *points, *even; /* even: which points are drawn filled */
  unsigned latency, most;            /* most: the largest warps x chains */
  double peak;
};

static void draw(FILE *f, const struct panel *p) {
  fprintf(f,
          "%s\nset xrange [0.85:%.0f]\nset yrange [%.6f:%.6f]\nlaw(x) = least(x / %u.0, %.6f)\n"
          "even(w) = %s\nset samples 2000\n"
          "plot law(x) with lines lw 2.5 lc rgb '#444444' title 'law: min(warps × chains / %u, %.4g)', \\\n"
          "  for [i=1:6] %s using ($2 == chains[i] && even($1) ? $1 * $2 : NaN):3 with points pt sign[i] ps 1.3 "
          "lc rgb colour[i] title name(i)",
          p->place, 1.25 * p->most, 0.7 * p->peak / p->latency / (p->peak > 1 ? p->peak : 1), 1.5 * p->peak, p->latency,
          p->peak, p->even, p->latency, p->peak, p->points);
}

/* Panel left: this machine. */
static void own(FILE *f, const struct rate_request *q, const struct rate_point *p, unsigned n) {
  const struct heddle_config *c = q->run.config;
  unsigned most = 0;
  fputs("$own << END\n", f);
  for (unsigned i = 0; i < n; i++) {
    fprintf(f, "%u %u %.6f\n", p[i].warps, p[i].chains, p[i].rate);
    if (p[i].warps * p[i].chains > most) most = p[i].warps * p[i].chains;
  }
  fprintf(f,
          "END\nset title 'Heddle, configuration %s, one SM: latency %u cycles, peak 1 in %u cycle%s'\n"
          "set ylabel 'warp instructions a cycle'\nset origin 0,0\nset size 0.5,1\n",
          c->name, rate_latency(c, RATE_FFMA), c->beats, c->beats > 1 ? "s" : "");
  draw(f, &(struct panel){"set format y '%.4g'", "$own", "1", rate_latency(c, RATE_FFMA), most, 1.0 / c->beats});
  fputc('\n', f);
}

/* Panel right. Where four schedulers get different numbers of warps, the one that has most is waited for. */
static bool silicon(FILE *f) {
  if (!add_silicon(f)) return false;
  fprintf(f,
          "set title 'NVIDIA H200, one SM: latency %u cycles, peak %u a cycle (four schedulers)'\n"
          "set origin 0.5,0\nset size 0.5,1\n",
          SILICON_LATENCY, SILICON_SCHEDULERS);
  char even[64];
  snprintf(even, sizeof even, "(w < %u || int(w) %% %u == 0)", SILICON_SCHEDULERS, SILICON_SCHEDULERS);
  draw(f, &(struct panel){"set format y '%.4g'", "$silicon", even, SILICON_LATENCY, 256, SILICON_SCHEDULERS});
  fputs(
      ", \\\n  for [i=1:6] $silicon using ($2 == chains[i] && !even($1) ? $1 * $2 : NaN):3 with points pt sign[i] - 1 "
      "ps 1.1 lc rgb colour[i] notitle, \\\n"
      "  NaN with points pt 6 lc rgb '#444444' title 'hollow: warps not shared evenly'\n",
      f);
  return true;
}

int rate_plot_ready(void) {
  char path[4352];
  if (!gnuplot(NULL)) {
    tool_error("--picture: gnuplot does not run; scripts/setup.sh installs it (Debian: gnuplot-nox)");
    return TOOL_MISSING;
  }
  return data_path(SILICON, path, sizeof path) ? TOOL_OK : TOOL_MISSING;
}

int rate_plot(const struct rate_request *q, const struct rate_point *p, unsigned points) {
  FILE *script = tmpfile();
  if (script == NULL) {
    tool_error("--picture: no temporary file: %s", strerror(errno));
    return TOOL_USAGE;
  }
  head(script, q->picture);
  own(script, q, p, points);
  bool ok = silicon(script);
  fputs("unset multiplot\nset output\n", script);
  if (ok) {
    ok = gnuplot(script) && access(q->picture, R_OK) == 0;
    if (!ok) tool_error("%s: gnuplot could not write it", q->picture);
  }
  fclose(script);
  return ok ? TOOL_OK : TOOL_USAGE;
}
