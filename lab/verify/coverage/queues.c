/* SPDX-License-Identifier: Apache-2.0
 *
 * What a device of variant `cover` counted of its queues: a file of Verilator's, untrusted. A line is
 * "C 'KEY^BVALUE^AKEY^BVALUE ...' COUNT", ^A and ^B the characters 1 and 2; keys `o` (the name of the cover point) and
 * `h` (the path of its instance) are what is looked at. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "lab/verify/coverage/internal.h"

static bool has_groups(const struct heddle_config *c) {
  return c->fetch_words > 1;
}
static bool has_sfu(const struct heddle_config *c) {
  return (c->pipes & HEDDLE_PIPE_SFU) != 0;
}
static bool has_fp64(const struct heddle_config *c) {
  return (c->pipes & HEDDLE_PIPE_FP64) != 0;
}
static bool has_tensor(const struct heddle_config *c) {
  return (c->pipes & HEDDLE_PIPE_TENSOR) != 0;
}
static bool has_units(const struct heddle_config *c) {
  return has_sfu(c) || has_fp64(c) || has_tensor(c) || (c->pipes & HEDDLE_PIPE_WARP) != 0;
}

const struct queue queue_table[] = {
    {"fetch.held", ".u_group.gen_groups.u_held", has_groups},
    {"icache.parked", ".u_icache.u_cache.u_parked", NULL},
    {"icache.lines", ".u_icache.u_cache.u_misses", NULL},
    {"ccache.parked", ".u_ccache.u_cache.u_parked", NULL},
    {"ccache.lines", ".u_ccache.u_cache.u_misses", NULL},
    {"memory.ops", ".u_mem_queue.u_ops", NULL},
    {"memory.rows", ".u_operand.u_mem_queue", NULL},
    {"units.ops", ".gen_units.u_queue.u_ops", has_units},
    {"units.rows", ".gen_units.u_queue", has_units},
    {"sfu.side", ".gen_sfu.u_unit.u_side", has_sfu},
    {"fp64.info", ".gen_fp64.u_unit.u_info", has_fp64},
    {"mma.info", ".gen_tensor.u_unit.u_info", has_tensor},
    {"mma.rows", ".gen_tensor.u_unit.u_rows.u_rows", has_tensor},
    {"lsu.pairs", ".u_lsu.u_shared.u_pairs", NULL},
    {"track.order", ".u_track.u_order", NULL},
    {"line.tags", ".u_global.u_tags", NULL},
    {"line.answers", ".u_gather.u_waits", NULL},
    {"order.entries", ".u_order.u_credit.u_entries", NULL},
    {"order.atoms", ".u_order.u_credit.u_slots", NULL},
    {"order.waiting", ".u_order.u_table.u_waiting", NULL},
    {"order.ended", ".u_order.u_read.u_ended", NULL},
    {"order.start", ".u_order.u_read.u_start", NULL},
    {"order.write", ".u_order.u_write.u_next", NULL},
    {"order.written", ".u_order.u_write.u_written", NULL},
    {"ibuf.warps", ".u_front.u_ibuf", NULL},
    {"dep.counters", ".u_issue.u_dep", NULL},
    {"axi.ar", ".u_order.u_read.u_ar", NULL},
    {"axi.aw", ".u_order.u_write.u_aw", NULL},
    {"axi.w", ".u_order.u_write.u_w", NULL},
};
const unsigned queue_count = sizeof queue_table / sizeof *queue_table;

enum { POINT_BYTES = 4096, POINTS_MOST = 10000000 };

/* The value of a key, or NULL; it ends at a character 1 or at the quote. */
static const char *key_value(const char *point, const char *key, size_t *bytes) {
  char mark[8];
  snprintf(mark, sizeof mark, "\001%s\002", key);
  const char *at = strstr(point, mark);
  if (at == NULL) return NULL;
  at += strlen(mark);
  *bytes = strcspn(at, "\001'");
  return at;
}

/* "heddle.heddle_gpu.u_order.u_read.u_ar.u_cover.full": the machine's queue whose path ends before u_cover. */
static bool queue_of(const struct menu *m, const char *path, size_t bytes, unsigned *queue) {
  char text[POINT_BYTES];
  if (bytes >= sizeof text) return false;
  memcpy(text, path, bytes);
  text[bytes] = '\0';
  const char *end = strstr(text, ".u_cover.");
  for (unsigned q = 0; end != NULL && q < m->queues; q++) {
    const char *want = queue_table[m->queue[q]].path;
    const size_t n = strlen(want);
    if ((size_t)(end - text) < n || strncmp(end - n, want, n) != 0) continue;
    *queue = q;
    return true;
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
  const char *name = key_value(line, "o", &name_bytes), *path = key_value(line, "h", &path_bytes);
  const char *count = strrchr(line, '\'');
  if (name == NULL || path == NULL || count == NULL) return;
  if (!state_of(name, name_bytes, &state) || !queue_of(&c->menu, path, path_bytes, &queue)) return;
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
