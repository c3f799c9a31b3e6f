/* SPDX-License-Identifier: Apache-2.0
 *
 * The report for tools that read lcov's tracefiles: a file a group, a line a bin that is asked for. */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

#include "lab/verify/coverage/internal.h"

static bool group_lines(const struct cov *c, const struct cov_exclusions *x, unsigned id, FILE *trace,
                        const char *path) {
  char name[COV_BIN_BYTES];
  FILE *f = fopen(path, "we");
  unsigned line = 0, hit = 0;
  if (f == NULL) return false;
  fprintf(trace, "TN:\nSF:%s\n", path);
  for (uint32_t b = 0; b < c->group[id].bins; b++) {
    if (c->group[id].never[b] != NULL || cov_excluded(x, id, b) != NULL) continue;
    fprintf(f, "%s\n", cov_bin_name(c, id, b, name));
    fprintf(trace, "DA:%u,%" PRIu32 "\n", ++line, c->group[id].count[b]);
    hit += c->group[id].count[b] != 0;
  }
  fprintf(trace, "LF:%u\nLH:%u\nend_of_record\n", line, hit);
  const bool ok = !ferror(f);
  return fclose(f) == 0 && ok;
}

bool cov_report_lcov(const struct cov *c, const struct cov_exclusions *x, const char *path, char *err, size_t n) {
  char at[4096];
  FILE *trace = fopen(path, "we");
  bool ok = trace != NULL && snprintf(at, sizeof at, "%s.bins", path) < (int)sizeof at - 64;
  ok = ok && (mkdir(at, 0777) == 0 || errno == EEXIST);
  for (unsigned id = 0; ok && id < GROUPS; id++)
    ok = snprintf(at, sizeof at, "%s.bins/%s.txt", path, c->group[id].name) < (int)sizeof at &&
         group_lines(c, x, id, trace, at);
  if (!ok) snprintf(err, n, "%s: %s", path, strerror(errno));
  if (trace != NULL && fclose(trace) != 0 && ok) {
    snprintf(err, n, "%s: %s", path, strerror(errno));
    return false;
  }
  return ok;
}
