/* SPDX-License-Identifier: Apache-2.0
 * What an NVIDIA H200 returned for the experiment of heddle bench rate --little. */
#include <stdlib.h>
#include <string.h>

#include "lab/bench/bench_rate.h"
#include "run/command/tool.h"

#define FILE_BYTES_MAX 65536u
static const char header[] = "op,warps,chains,warp_instructions_per_cycle_per_SM";

static double smaller_rate(double a, double b) {
  return a < b ? a : b;
}

static bool parse_line(const char *line, struct rate_point *p) {
  int end = 0;
  const bool read = sscanf(line, "fma.rn.f32,%3u,%3u,%8lf%n", &p->warps, &p->chains, &p->rate, &end) == 3;
  if (!read || line[end] != '\0' || p->warps == 0 || p->chains == 0 || !(p->rate > 0 && p->rate < 100)) return false;
  p->law = smaller_rate((double)p->warps * p->chains / RATE_SILICON_LATENCY, RATE_SILICON_PEAK);
  return true;
}

unsigned rate_silicon_parse(char *text, const char *path, struct rate_point p[RATE_SILICON_MAX]) {
  unsigned n = 0, line = 1;
  char *rest = NULL, *l = strtok_r(text, "\n", &rest);
  bool ok = l != NULL && strcmp(l, header) == 0;
  while (ok && (l = strtok_r(NULL, "\n", &rest)) != NULL) {
    line++;
    ok = n < RATE_SILICON_MAX && parse_line(l, &p[n]);
    n += ok;
  }
  if (ok && n > 0) return n;
  tool_error("%s:%u: expected '%s', then 1 to %u lines fma.rn.f32,WARPS,CHAINS,RATE", path, line, header,
             RATE_SILICON_MAX);
  return 0;
}

unsigned rate_silicon(struct rate_point p[RATE_SILICON_MAX]) {
  char path[4352];
  size_t size;
  if (!data_path("silicon/rates.csv", path, sizeof path)) return 0;
  uint8_t *bytes = tool_read_file(path, FILE_BYTES_MAX, &size);
  char *text = bytes != NULL ? strndup((const char *)bytes, size) : NULL;
  const unsigned n = text != NULL ? rate_silicon_parse(text, path, p) : 0;
  free(text);
  free(bytes);
  return n;
}
