/* SPDX-License-Identifier: Apache-2.0
 *
 * Text as a coverage database. What is refused has words that name file and line; what is taken is the same when it is
 * written and read again, and merging it with itself adds no bin.
 */
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "lab/verify/coverage/cov.h"

static struct cov *again(const struct cov *c) {
  char err[512] = "";
  const char *path = fuzz_path("again");
  FUZZ_CHECK(cov_write(c, path, err, sizeof err), "cannot be written: %s", err);
  struct cov *same = cov_read(path, cov_machine(c), err, sizeof err);
  FUZZ_CHECK(same != NULL, "what was written is refused: %s", err);
  return same;
}

static void check(const struct cov *c, struct cov *same) {
  char err[512] = "";
  FUZZ_CHECK(cov_launches(c) == cov_launches(same) && cov_alone(c) == cov_alone(same), "other counts of launches");
  FUZZ_CHECK(cov_alone(c) <= cov_launches(c), "more launches alone than in all");
  for (unsigned g = 0; g < cov_groups(c); g++)
    for (uint32_t b = 0; b < cov_bins(c, g); b++)
      FUZZ_CHECK(cov_count(c, g, b) == cov_count(same, g, b) && cov_count(c, g, b) <= COV_MOST, "another count");
  FUZZ_CHECK(cov_merge(same, c, err, sizeof err), "does not merge with itself: %s", err);
  for (unsigned g = 0; g < cov_groups(c); g++)
    for (uint32_t b = 0; b < cov_bins(c, g); b++)
      FUZZ_CHECK((cov_count(c, g, b) == 0) == (cov_count(same, g, b) == 0), "a bin more, or less");
}

int fuzz_coverage(const uint8_t *data, size_t size) {
  char err[512] = "";
  const char *path = fuzz_file("database", data, size);
  struct cov *c = cov_read(path, NULL, err, sizeof err);
  FUZZ_CHECK(c != NULL || strstr(err, "/database:") != NULL, "refused without file and line: %s", err);
  if (c == NULL) return 0;
  struct cov *same = again(c);
  check(c, same);
  cov_free(same);
  cov_free(c);
  return 0;
}
