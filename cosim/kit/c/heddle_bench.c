/* SPDX-License-Identifier: Apache-2.0 */
#include "heddle_bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define RANGES 6u

struct range {
  uint64_t at, bytes;
  const uint8_t *data;
};

struct heddle_bench {
  struct heddle_attach *a; /* NULL: `err` says why */
  bool misuse;             /* so does it then */
  char err[256], report[512];
  struct heddle_image image;
  struct range range[RANGES];
  unsigned ranges;
  uint8_t *left; /* global memory as the core leaves it */
};

/* ---- a core's declaration ---- */

/* All that a core of this profile may leave out. */
static bool set_profile(struct heddle_core *c, uint64_t profile) {
  const struct heddle_record_hidden of[] = {HEDDLE_RECORD_HIDDEN_P0, HEDDLE_RECORD_HIDDEN_P1, HEDDLE_RECORD_HIDDEN_P2};
  if (profile >= 3) return false;
  c->hidden = of[profile];
  return true;
}

static bool set_size(struct heddle_core *c, const char *key, uint64_t v) {
  const struct {
    const char *key;
    uint32_t *to;
  } numbers[] = {{"lanes", &c->lanes},
                 {"warps", &c->warp_slots},
                 {"blocks", &c->block_slots},
                 {"partitions", &c->partitions},
                 {"regs", &c->regs},
                 {"shared", &c->shared_bytes},
                 {"banks", &c->shared_banks},
                 {"units", &c->units},
                 {"register_banks", &c->register_banks},
                 {"sm", &c->sm},
                 {"sms", &c->sms},
                 {"shown", &c->shown},
                 {"memory_banks", &c->memory_banks},
                 {"reorder", &c->reorder},
                 {"cache", &c->cache_sectors},
                 {"cache_promises", &c->cache_promises}};
  const struct {
    const char *key;
    uint64_t *to;
  } longs[] = {
      {"clock_ahead", &c->clock_ahead}, {"patience_issue", &c->patience_issue}, {"patience_warp", &c->patience_warp}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (strcmp(key, numbers[i].key) == 0) return *numbers[i].to = (uint32_t)v, v <= UINT32_MAX;
  for (size_t i = 0; i < sizeof longs / sizeof *longs; i++)
    if (strcmp(key, longs[i].key) == 0) return *longs[i].to = v, true;
  if (strcmp(key, "read_age") == 0) return c->read_age = (uint8_t)v, v <= 255;
  if (strcmp(key, "pred_age") == 0) return c->pred_age = (uint8_t)v, v <= 255;
  if (strcmp(key, "its") == 0) return c->its = v != 0, v <= 1;
  if (strcmp(key, "scoreboard") == 0) return c->scoreboard = v != 0, v <= 1;
  return strcmp(key, "profile") == 0 && set_profile(c, v);
}

/* Words of `text`, which is changed. */
static bool declare(char *text, struct heddle_core *c, char *err, size_t err_bytes) {
  char *rest = NULL;
  for (char *w = strtok_r(text, " \t\n", &rest); w != NULL; w = strtok_r(NULL, " \t\n", &rest)) {
    char *value = strchr(w, '='), *end = NULL;
    if (value != NULL) *value++ = '\0';
    if (value != NULL && strcmp(w, "name") == 0) {
      c->name = value;
      continue;
    }
    const uint64_t v = value != NULL ? strtoull(value, &end, 0) : 0;
    if (value == NULL || end == value || *end != '\0' || !set_size(c, w, v)) {
      snprintf(err, err_bytes, "a core has no '%.40s=%.40s'", w, value != NULL ? value : "");
      return false;
    }
  }
  return true;
}

struct heddle_bench *bench_open(const char *core, const char *launches) {
  struct heddle_bench *b = calloc(1, sizeof *b);
  struct heddle_core c = {.size = sizeof c};
  char *text = strdup(core);
  if (b != NULL && text != NULL && declare(text, &c, b->err, sizeof b->err)) {
    struct heddle_message msg;
    (void)heddle_attach_new(&c, &b->a, &msg);
    snprintf(b->err, sizeof b->err, "%.255s", msg.text);
  }
  free(text);
  if (b != NULL && b->a != NULL) (void)heddle_attach_load(b->a, launches, NULL);
  return b;
}

void bench_close(struct heddle_bench *b) {
  if (b == NULL) return;
  heddle_attach_free(b->a);
  free(b->left);
  free(b);
}

/* ---- launches ---- */

static void add_load_range(struct heddle_bench *b, uint64_t at, uint64_t bytes, const uint8_t *data) {
  if (bytes != 0) b->range[b->ranges++] = (struct range){at, bytes, data};
}

bool bench_launch(struct heddle_bench *b) {
  b->image = (struct heddle_image){.size = sizeof b->image}; /* of the last launch nothing is borrowed any more */
  b->ranges = 0;
  free(b->left);
  b->left = NULL;
  if (b->a == NULL || !heddle_attach_launch(b->a, &b->image)) return false;
  const struct heddle_launch *l = b->image.launch;
  add_load_range(b, b->image.base, b->image.bytes, b->image.memory);
  add_load_range(b, l->code_at, l->code_bytes, l->code);
  for (unsigned i = 0; i < 4; i++) add_load_range(b, l->cbank_at[i], l->cbank_bytes[i], l->cbank[i]);
  b->left = malloc(b->image.bytes);
  if (b->left == NULL) return false;
  memcpy(b->left, b->image.memory, b->image.bytes);
  return true;
}

bool bench_record(struct heddle_bench *b, unsigned kind, uint64_t cycle, const uint32_t *word, size_t words) {
  if (b->a == NULL || b->misuse) return false;
  const size_t wanted = heddle_attach_port_words(b->a, kind);
  if (words == wanted) return heddle_attach_port(b->a, cycle, kind, word, words);
  b->misuse = true;
  snprintf(b->err, sizeof b->err,
           "a record of kind %u has %zu words, of a core as declared %zu: other sizes than "
           "'heddle kit' was given",
           kind, words, wanted);
  return false;
}

bool bench_step(struct heddle_bench *b, uint64_t cycle) {
  return b->a != NULL && heddle_attach_step(b->a, cycle);
}

bool bench_ended(const struct heddle_bench *b) {
  return b->a != NULL && heddle_attach_ended(b->a);
}

bool bench_memory(struct heddle_bench *b, uint64_t cycle) {
  return b->a != NULL && b->left != NULL && heddle_attach_memory(b->a, cycle, b->left);
}

/* ---- what the launch is ---- */

/* "N_base", "N_limit", "N_writable" */
static uint64_t region_value(const struct heddle_launch *l, const char *name) {
  char *what;
  const unsigned long i = strtoul(name, &what, 10);
  if (i >= l->regions) return 0;
  if (strcmp(what, "_base") == 0) return l->region[i].base;
  if (strcmp(what, "_limit") == 0) return l->region[i].limit;
  return strcmp(what, "_writable") == 0 && l->region[i].writable;
}

uint64_t bench_value(const struct heddle_bench *b, const char *name) {
  const struct heddle_launch *l = b->image.launch;
  if (l == NULL) return 0;
  const struct {
    const char *name;
    uint64_t value;
  } values[] = {{"grid_x", l->grid[0]},          {"grid_y", l->grid[1]},    {"grid_z", l->grid[2]},
                {"block_x", l->block[0]},        {"block_y", l->block[1]},  {"block_z", l->block[2]},
                {"entry_pc", l->entry_pc},       {"regs", l->regs},         {"shared_bytes", l->shared_bytes},
                {"local_bytes", l->local_bytes}, {"local_at", l->local_at}, {"code_at", l->code_at},
                {"code_bytes", l->code_bytes},   {"base", b->image.base},   {"bytes", b->image.bytes},
                {"regions", l->regions}};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++)
    if (strcmp(name, values[i].name) == 0) return values[i].value;
  if (strncmp(name, "region", 6) == 0) return region_value(l, name + 6);
  if (strncmp(name, "cbank", 5) != 0 || name[5] < '0' || name[5] > '3') return 0;
  if (strcmp(name + 6, "_at") == 0) return l->cbank_at[name[5] - '0'];
  return strcmp(name + 6, "_bytes") == 0 ? l->cbank_bytes[name[5] - '0'] : 0;
}

unsigned bench_ranges(const struct heddle_bench *b) {
  return b->ranges;
}

uint64_t bench_range_at(const struct heddle_bench *b, unsigned i) {
  return i < b->ranges ? b->range[i].at : 0;
}

uint64_t bench_range_bytes(const struct heddle_bench *b, unsigned i) {
  return i < b->ranges ? b->range[i].bytes : 0;
}

uint8_t bench_byte(const struct heddle_bench *b, uint64_t addr) {
  for (unsigned i = 0; i < b->ranges; i++)
    if (addr - b->range[i].at < b->range[i].bytes) return b->range[i].data[addr - b->range[i].at];
  return 0;
}

uint32_t bench_word(const struct heddle_bench *b, uint64_t addr) {
  uint32_t v = 0;
  for (unsigned i = 0; i < 4; i++) v |= (uint32_t)bench_byte(b, addr + i) << 8 * i;
  return v;
}

void bench_put(struct heddle_bench *b, uint64_t addr, uint32_t word) {
  for (unsigned i = 0; i < 4 && b->left != NULL; i++)
    if (addr + i - b->image.base < b->image.bytes) b->left[addr + i - b->image.base] = (uint8_t)(word >> 8 * i);
}

/* ---- what came of it ---- */

int bench_verdict(struct heddle_bench *b) {
  struct heddle_verdict v = {.kind = HEDDLE_VERDICT_MISUSE};
  if (b->a != NULL && !b->misuse) heddle_attach_verdict(b->a, &v);
  return (int)v.kind;
}

const char *bench_report(struct heddle_bench *b) {
  struct heddle_verdict v;
  snprintf(b->report, sizeof b->report, "misuse: %s\n", b->err);
  if (b->a == NULL || b->misuse) return b->report;
  heddle_attach_verdict(b->a, &v);
  return v.report;
}
