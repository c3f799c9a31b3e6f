/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device of variant `cover` counted of its queues: a file of Verilator's, untrusted. A line is
 * "C 'KEY^BVALUE^AKEY^BVALUE ...' COUNT", ^A and ^B the characters 1 and 2; keys `o` (the name of the cover point) and
 * `h` (the path of its instance) are what is looked at. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "internal.h"

enum { POINT_BYTES = 4096, POINTS_MOST = 10000000 };

/* The value of a key, or NULL; it ends at a character 1 or at the quote. */
static const char *value_of(const char *point, const char *key, size_t *bytes) {
  char mark[8];
  snprintf(mark, sizeof mark, "\001%s\002", key);
  const char *at = strstr(point, mark);
  if (at == NULL) return NULL;
  at += strlen(mark);
  *bytes = strcspn(at, "\001'");
  return at;
}

/* "TOP.heddle_gpu.u_sm.u_fetch.u_asks.u_cover": the last two instances before u_cover as "fetch.asks". */
static bool queue_of(const char *path, size_t bytes, unsigned *queue) {
  char text[POINT_BYTES], want[80];
  static const char tail[] = ".u_cover";
  if (bytes >= sizeof text) return false;
  memcpy(text, path, bytes);
  text[bytes] = '\0';
  char *end = strstr(text, tail);
  if (end == NULL) return false;
  *end = '\0';
  for (unsigned q = 0; q < queue_count; q++) {
    const char *dot = strchr(queue_names[q], '.');
    const int n = snprintf(want, sizeof want, ".u_%.*s.u_%s", (int)(dot - queue_names[q]), queue_names[q], dot + 1);
    if ((size_t)n <= strlen(text) && strcmp(text + strlen(text) - (size_t)n, want) == 0) {
      *queue = q;
      return true;
    }
  }
  return false;
}

static bool state_of(const char *name, size_t bytes, unsigned *state) {
  static const char *const states[QUEUE_STATES] = {"empty", "some", "full"};
  for (unsigned s = 0; s < QUEUE_STATES; s++)
    if (strlen(states[s]) == bytes && strncmp(states[s], name, bytes) == 0) {
      *state = s;
      return true;
    }
  return false;
}

static void take_point(struct cov *c, const char *line) {
  size_t name_bytes = 0, path_bytes = 0;
  unsigned queue = 0, state = 0;
  const char *name = value_of(line, "o", &name_bytes), *path = value_of(line, "h", &path_bytes);
  const char *count = strrchr(line, '\'');
  if (name == NULL || path == NULL || count == NULL) return;
  if (!state_of(name, name_bytes, &state) || !queue_of(path, path_bytes, &queue)) return;
  const unsigned long long n = strtoull(count + 1, NULL, 10);
  const uint32_t hits = n < COV_MOST ? (uint32_t)n : COV_MOST;
  bin_add(&c->group[G_QUEUE], bin_of(&c->group[G_QUEUE], (const unsigned[]){queue, state}), hits);
}

bool cov_add_queues(struct cov *c, const char *path, char *err, size_t n) {
  static const char head[] = "# SystemC::Coverage-3";
  char line[POINT_BYTES];
  FILE *f = fopen(path, "re");
  if (f == NULL) {
    snprintf(err, n, "%s: %s", path, strerror(errno));
    return false;
  }
  bool ok = fgets(line, sizeof line, f) != NULL && strncmp(line, head, sizeof head - 1) == 0;
  if (!ok) snprintf(err, n, "%s: no coverage data of Verilator's: it begins with '%s'", path, head);
  for (unsigned points = 0; ok && points < POINTS_MOST && fgets(line, sizeof line, f) != NULL; points++)
    if (line[0] == 'C') take_point(c, line);
  fclose(f);
  return ok;
}
