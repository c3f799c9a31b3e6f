/* SPDX-License-Identifier: Apache-2.0
 *
 * Boards by name: simulated ones, and those at the other end of a link.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/config.h>
#include <heddle/host_regs.h>
#include <heddle/sim.h>
#include "base/options.h"
#include "cosim/platform/platform.h"
#include "cosim/platform/watch.h"
#include "firmware/board/open.h"
#include "isa/lib/message.h"

struct environment {
  const char *board; /* HEDDLE_BOARD, or NULL. Of the environment: valid until it changes */
  bool has_seed;
  uint64_t seed;                 /* HEDDLE_SEED */
  bool stats;                    /* HEDDLE_STATS asks for them, */
  const char *json;              /* in that file; NULL: on stderr */
  const char *record, *capsules; /* HEDDLE_RECORD, HEDDLE_CAPSULE: folders, or NULL */
  bool zero;                     /* HEDDLE_ERROR_UNDEFINED is zero */
  uint64_t pad;                  /* HEDDLE_PAD, bytes */
  uint64_t limit;                /* HEDDLE_ERROR_LIMIT, cycles or warp instructions; 0: none */
};

/* The environment of a host. */

#define PAD_MOST (1u << 20)

static const char *variable(const char *name) {
  const char *text = getenv(name);
  return text && *text ? text : NULL;
}

/* "12", "0x1f", whole. */
static bool parse_number(const char *text, uint64_t *value) {
  char *end;
  const bool hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
  const char *digits = hex ? text + 2 : text;
  const size_t n = strspn(digits, hex ? "0123456789abcdefABCDEF" : "0123456789");
  errno = 0;
  *value = strtoull(digits, &end, hex ? 16 : 10);
  return n > 0 && digits[n] == '\0' && errno == 0;
}

static bool take_stats(struct environment *e, const char *text) {
  e->stats = strcmp(text, "0") != 0;
  if (strcmp(text, "0") == 0 || strcmp(text, "1") == 0) return true;
  e->json = strncmp(text, "json:", 5) == 0 && text[5] != '\0' ? text + 5 : NULL;
  return e->json != NULL;
}

/* What lets a host go on that leans on luck. */
static enum heddle_error take_relaxations(struct environment *e, struct heddle_message *msg) {
  const char *undefined = variable("HEDDLE_UNDEFINED"), *pad = variable("HEDDLE_PAD");
  e->zero = undefined && strcmp(undefined, "zero") == 0;
  if (undefined && !e->zero && strcmp(undefined, "stop") != 0)
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                        "HEDDLE_UNDEFINED is '%.40s': expected stop (where it decides something) or zero", undefined);
  if (!pad || (parse_number(pad, &e->pad) && e->pad <= PAD_MOST)) return HEDDLE_SUCCESS;
  return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                      "HEDDLE_PAD is '%.40s': expected bytes behind each allocation, at most %u", pad, PAD_MOST);
}

/* A variable that is empty says nothing. INVALID_VALUE: one is malformed, and the message says what it can be. */
static enum heddle_error environment_read(struct environment *e, struct heddle_message *msg) {
  const char *seed = variable("HEDDLE_SEED"), *stats = variable("HEDDLE_STATS"), *limit = variable("HEDDLE_LIMIT");
  *e = (struct environment){.board = variable("HEDDLE_BOARD"),
                            .has_seed = seed != NULL,
                            .record = variable("HEDDLE_RECORD"),
                            .capsules = variable("HEDDLE_CAPSULE")};
  if (seed && !parse_number(seed, &e->seed))
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                        "HEDDLE_SEED is '%.40s': expected a number from 0 to %llu, or 0x and hexadecimal digits", seed,
                        (unsigned long long)UINT64_MAX);
  if (take_relaxations(e, msg) != HEDDLE_SUCCESS) return HEDDLE_ERROR_INVALID_VALUE;
  if (limit && (!parse_number(limit, &e->limit) || e->limit == 0))
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                        "HEDDLE_LIMIT is '%.40s': expected cycles (on the model warp instructions), from 1", limit);
  if (!stats || take_stats(e, stats)) return HEDDLE_SUCCESS;
  return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                      "HEDDLE_STATS is '%.40s': expected 1 (on stderr), json:FILE or 0 (none)", stats);
}

/* The driver's port over a simulated device. */

enum { CYCLES_PER_US = 100, SLEEP_STEP = 4, DRAIN_CYCLES = 20000, DRAIN_STEP = 16 };

static bool read_dut_register(void *self, uint32_t reg, uint32_t *value) {
  return heddle_dut_read32(self, reg, value) && heddle_dut_failure(self) == NULL;
}

static bool write_dut_register(void *self, uint32_t reg, uint32_t value) {
  return heddle_dut_write32(self, reg, value) && heddle_dut_failure(self) == NULL;
}

/* The memory is looked at from behind: what is on its way over AXI must have arrived. */
static bool drained(struct heddle_dut *d) {
  for (unsigned i = 0; i < DRAIN_CYCLES / DRAIN_STEP && !heddle_axi_mem_idle(heddle_dut_memory(d)); i++)
    (void)heddle_dut_step(d, DRAIN_STEP);
  return heddle_axi_mem_idle(heddle_dut_memory(d));
}

/* A grid that runs may never leave AXI idle; what the host reads then it has had flushed, and that has arrived. */
static bool read_dut_memory(void *self, uint64_t addr, void *data, uint64_t bytes) {
  uint32_t status = 0;
  const bool there =
      drained(self) || (read_dut_register(self, HEDDLE_REG_STATUS, &status) && status & HEDDLE_STATUS_RUNNING);
  return there && heddle_dut_memory_load(self, addr, data, bytes);
}

/* A grid that runs may keep AXI busy; it touches nothing of this. */
static bool write_dut_memory(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  return heddle_dut_memory_store(self, addr, data, bytes);
}

/* Or until the interrupt line is high. */
static void wait_for_dut(void *self, uint32_t microseconds) {
  uint64_t left = (uint64_t)microseconds * CYCLES_PER_US;
  for (uint64_t done = 1; left > 0 && done > 0 && !heddle_dut_irq(self); left -= done)
    done = heddle_dut_step(self, left < SLEEP_STEP ? left : SLEEP_STEP);
}

void device_port_bind(struct heddle_dut *d, struct heddle_port *port, uint64_t memory_base, uint64_t memory_bytes) {
  *port = (struct heddle_port){.size = sizeof *port,
                               .self = d,
                               .name = heddle_dut_describe(d)->config,
                               .memory_base = memory_base,
                               .memory_bytes = memory_bytes,
                               .read32 = read_dut_register,
                               .write32 = write_dut_register,
                               .read = read_dut_memory,
                               .write = write_dut_memory,
                               .wait = wait_for_dut,
                               .sleeps = heddle_dut_core(d) == NULL}; /* one of ours: it has the line */
}

/* Boards by name: simulated ones, and those at the other end of a link. */

struct heddle_sim {
  struct heddle_port port;
  struct model_port *model;
  struct lockstep_port *lockstep;
  struct heddle_dut *device;
  struct board board; /* with a link, if it is one */
  struct watch watch;
};

/* What is asked for: options, with what the environment adds. */
struct request {
  const char *name, *devices, *trace;
  uint64_t bytes, seed, limit;
  bool seeded, quiet, zero;
};

/* ---- what there is */

struct naming {
  const char *kind;
  void (*each)(void *ctx, const char *name);
  void *ctx;
};

static void name_one(void *ctx, const char *config) {
  const struct naming *n = ctx;
  char name[320];
  snprintf(name, sizeof name, "%s%s", n->kind, config);
  n->each(n->ctx, name);
}

/* A device without its retire port shows nothing to judge. */
static void name_judged(void *ctx, const char *config) {
  static const char *const blind[] = {"_bare", "_pins"};
  for (size_t i = 0; i < sizeof blind / sizeof *blind; i++) {
    const size_t n = strlen(config), end = strlen(blind[i]);
    if (n > end && strcmp(config + n - end, blind[i]) == 0) return;
  }
  name_one(ctx, config);
}

void heddle_sim_names(const char *devices, void (*each)(void *ctx, const char *name), void *ctx) {
  struct naming n = {.each = each, .ctx = ctx};
  each(ctx, "model");
  n.kind = "rtl:";
  heddle_dut_names(devices, "verilator", name_one, &n);
  n.kind = "lockstep:";
  heddle_dut_names(devices, "verilator", name_judged, &n);
  n.kind = "systemc:";
  heddle_dut_names(devices, "systemc", name_one, &n);
}

uint64_t heddle_sim_memory(const char *name) {
  const bool model = !name || strcmp(name, "model") == 0 || strncmp(name, "model:", 6) == 0;
  return model ? UINT64_C(4) << 30 : PLATFORM_MEMORY_BYTES;
}

static void append_name(void *ctx, const char *name) {
  struct heddle_message *msg = ctx;
  const size_t n = strlen(msg->text);
  snprintf(msg->text + n, sizeof msg->text - n, " %s", name);
}

/* Behind the reason: what can be opened instead. */
static void tell_names(const struct request *q, struct heddle_message *msg) {
  const size_t n = strlen(msg->text);
  snprintf(msg->text + n, sizeof msg->text - n, "; here can be opened:");
  heddle_sim_names(q->devices, append_name, msg);
}

/* ---- opening */

/* What stands behind `kind` in a name, or NULL. */
static const char *after_kind(const char *name, const char *kind) {
  const size_t n = strlen(kind);
  return strncmp(name, kind, n) == 0 ? name + n : NULL;
}

static enum heddle_error open_model(struct heddle_sim *s, const char *config, const struct request *q,
                                    struct heddle_message *msg) {
  const struct model_port_options o = {.config = config, .bytes = q->bytes, .zero = q->zero, .max_insns = q->limit};
  if (config && !heddle_config_find(config)) {
    (void)message_fail(msg, HEDDLE_ERROR_NOT_FOUND, NULL, "no configuration '%s'; there are", config);
    for (size_t i = 0; i < heddle_config_count(); i++) append_name(msg, heddle_config_at(i)->name);
    return HEDDLE_ERROR_NOT_FOUND;
  }
  s->model = model_port_new(&o);
  if (!s->model)
    return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory for a board of %llu bytes",
                        (unsigned long long)q->bytes);
  model_port_bind(s->model, &s->port);
  return HEDDLE_SUCCESS;
}

static enum heddle_error open_device(struct heddle_sim *s, const char *backend, const char *config,
                                     const struct request *q, struct heddle_message *msg) {
  struct heddle_axi_mem_config m = {.size = sizeof m, .base = PLATFORM_MEMORY_BASE, .bytes = q->bytes};
  const struct heddle_dut_options o = {.size = sizeof o, .memory = &m, .seed = q->seed};
  if (q->seeded)
    heddle_axi_mem_adversarial(&m, q->seed);
  else
    heddle_axi_mem_calm(&m);
  const enum heddle_error e = heddle_dut_open(q->devices, backend, config, &o, &s->device, msg);
  if (e == HEDDLE_ERROR_NO_DEVICE) tell_names(q, msg);
  if (e == HEDDLE_SUCCESS) device_port_bind(s->device, &s->port, PLATFORM_MEMORY_BASE, q->bytes);
  return e;
}

/* "NAME" or "NAME@N". */
static bool split_lockstep_name(const char *text, char *config, size_t bytes, uint64_t *first) {
  const char *at = strchr(text, '@');
  const size_t n = at ? (size_t)(at - text) : strlen(text);
  *first = 1;
  if (n == 0 || n >= bytes) return false;
  memcpy(config, text, n);
  config[n] = '\0';
  if (!at) return true;
  *first = strtoull(at + 1, NULL, 10);
  return at[1] != '\0' && strspn(at + 1, "0123456789") == strlen(at + 1) && strlen(at + 1) < 19 && *first > 0;
}

static enum heddle_error open_lockstep(struct heddle_sim *s, const char *text, const struct request *q,
                                       struct heddle_message *msg) {
  char config[64];
  struct lockstep_options o = {.name = q->name,
                               .devices = q->devices,
                               .config = config,
                               .bytes = q->bytes,
                               .seed = q->seed,
                               .limit = q->limit,
                               .quiet = q->quiet,
                               .trace = q->trace};
  if (!split_lockstep_name(text, config, sizeof config, &o.first))
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                        "'%s': expected lockstep:NAME or lockstep:NAME@N, from launch N on (from 1)", q->name);
  const enum heddle_error e = lockstep_port_new(&o, &s->lockstep, msg);
  if (e == HEDDLE_ERROR_NO_DEVICE) tell_names(q, msg);
  if (e == HEDDLE_SUCCESS) lockstep_port_bind(s->lockstep, &s->port);
  return e;
}

static enum heddle_error open_board(struct heddle_sim *s, const char *name, struct heddle_message *msg) {
  if (board_open(name, NULL, NULL, &s->board, msg->text, sizeof msg->text) != BOARD_OK) return HEDDLE_ERROR_NO_DEVICE;
  board_port_bind(s->board.link, &s->board.id, &s->port);
  return HEDDLE_SUCCESS;
}

/* What hardware alone cannot do. */
static enum heddle_error check_possible(const struct request *q, struct heddle_message *msg) {
  const bool model = strcmp(q->name, "model") == 0 || after_kind(q->name, "model:");
  if (q->zero && !model)
    return message_fail(msg, HEDDLE_ERROR_NOT_SUPPORTED, NULL,
                        "HEDDLE_UNDEFINED=zero: on the model alone (%.80s begins with what was there)", q->name);
  if (q->limit > 0 && !model && !after_kind(q->name, "lockstep:"))
    return message_fail(msg, HEDDLE_ERROR_NOT_SUPPORTED, NULL,
                        "HEDDLE_LIMIT: on the model and in lockstep, not on %.80s", q->name);
  return HEDDLE_SUCCESS;
}

static enum heddle_error open_named(struct heddle_sim *s, const struct request *q, struct heddle_message *msg) {
  const char *config;
  if (check_possible(q, msg) != HEDDLE_SUCCESS) return HEDDLE_ERROR_NOT_SUPPORTED;
  if (strcmp(q->name, "model") == 0) return open_model(s, NULL, q, msg);
  if ((config = after_kind(q->name, "model:"))) return open_model(s, config, q, msg);
  if ((config = after_kind(q->name, "rtl:"))) return open_device(s, "verilator", config, q, msg);
  if ((config = after_kind(q->name, "lockstep:"))) return open_lockstep(s, config, q, msg);
  if ((config = after_kind(q->name, "systemc:"))) return open_device(s, "systemc", config, q, msg);
  if ((config = after_kind(q->name, "board:"))) return open_board(s, config, msg);
  (void)message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL,
                     "'%.80s': expected model, model:CONFIG, rtl:NAME, lockstep:NAME, lockstep:NAME@N, systemc:NAME, "
                     "board:tty:PATH[:BAUD] or board:sim:PROGRAM",
                     q->name);
  tell_names(q, msg);
  return HEDDLE_ERROR_INVALID_VALUE;
}

static enum heddle_error open_record(struct heddle_sim *s, const struct request *q, const struct environment *e,
                                     struct heddle_message *msg) {
  const struct record_options o = {.board = q->name,
                                   .seed = q->seed,
                                   .limit = q->limit,
                                   .seeded = q->seeded,
                                   .zero = q->zero,
                                   .quiet = q->quiet,
                                   .dir = e->record,
                                   .capsules = e->capsules};
  if (!e->record && !e->capsules) return HEDDLE_SUCCESS;
  return record_new(&o, &s->port, &s->watch.record, msg);
}

/* What the environment asks for beside a board. */
static enum heddle_error open_watch(struct heddle_sim *s, const struct request *q, const struct environment *e,
                                    struct heddle_message *msg) {
  const enum heddle_error error = open_record(s, q, e, msg);
  if (error != HEDDLE_SUCCESS) return error;
  s->watch.lockstep = s->lockstep;
  s->port.pad = e->pad;
  if (e->pad > 0 && !(s->watch.pads = pads_new(e->pad, &s->port))) return HEDDLE_ERROR_HOST_MEMORY;
  if (s->watch.stats) stats_bind(s->watch.stats, &s->port);
  return watch_bind(&s->watch, &s->port) ? HEDDLE_SUCCESS : HEDDLE_ERROR_HOST_MEMORY;
}

static enum heddle_error open_all(struct heddle_sim *s, const struct request *q, const struct environment *e,
                                  struct heddle_message *msg) {
  enum heddle_error error = HEDDLE_SUCCESS;
  if (e->stats) error = stats_new(q->name, q->seed, e->json, &s->watch.stats, msg);
  if (error == HEDDLE_SUCCESS) error = open_named(s, q, msg);
  return error == HEDDLE_SUCCESS ? open_watch(s, q, e, msg) : error;
}

enum heddle_error heddle_sim_open(const struct heddle_sim_options *given, struct heddle_sim **out,
                                  struct heddle_message *msg) {
  struct heddle_sim_options o;
  struct environment e;
  struct heddle_message own;
  if (!msg) msg = &own;
  message_clear(msg);
  if (!given || !out || !options_take(&o, sizeof o, given) || o.memory_bytes % 256 != 0)
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL, "options of another release, or of odd bytes of memory");
  if (environment_read(&e, msg) != HEDDLE_SUCCESS) return HEDDLE_ERROR_INVALID_VALUE;
  const char *name = o.name && *o.name ? o.name : e.board ? e.board : "model";
  const struct request q = {.name = name,
                            .devices = o.devices,
                            .trace = o.trace,
                            .bytes = o.memory_bytes != 0 ? o.memory_bytes : heddle_sim_memory(name),
                            .seed = e.has_seed ? e.seed : 1,
                            .seeded = e.has_seed,
                            .zero = e.zero,
                            .limit = e.limit,
                            .quiet = o.quiet};
  struct heddle_sim *s = calloc(1, sizeof *s);
  if (!s) return HEDDLE_ERROR_HOST_MEMORY;
  const enum heddle_error error = open_all(s, &q, &e, msg);
  if (error == HEDDLE_SUCCESS) {
    *out = s;
    return error;
  }
  stats_drop(s->watch.stats);
  s->watch.stats = NULL;
  heddle_sim_close(s);
  return error;
}

static void tell_zeroed(const struct heddle_sim *s) {
  const uint64_t n = s->model ? model_port_zeroed(s->model) : 0;
  if (n > 0)
    fprintf(stderr, "heddle: HEDDLE_UNDEFINED=zero: %llu launches depend on values never written\n",
            (unsigned long long)n);
}

void heddle_sim_close(struct heddle_sim *s) {
  if (!s) return;
  (void)fflush(stdout); /* what the host has printed stands before what is said of it */
  watch_close(&s->watch);
  tell_zeroed(s);
  model_port_free(s->model);
  lockstep_port_free(s->lockstep);
  heddle_dut_free(s->device);
  if (s->board.link) (void)board_close(&s->board);
  free(s);
}

const struct heddle_port *heddle_sim_port(const struct heddle_sim *s) {
  return &s->port;
}

const char *heddle_sim_diagnosis(const struct heddle_sim *s) {
  if (s->lockstep) return lockstep_port_diagnosis(s->lockstep);
  return s->model ? model_port_diagnosis(s->model) : "";
}

const struct heddle_checker_difference *heddle_sim_difference(const struct heddle_sim *s) {
  return s->lockstep ? lockstep_port_difference(s->lockstep) : NULL;
}

const struct heddle_undefined *heddle_sim_undefined(const struct heddle_sim *s) {
  if (s->lockstep) return lockstep_port_undefined(s->lockstep);
  return s->model ? model_port_undefined(s->model) : NULL;
}
