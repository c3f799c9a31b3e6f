/* SPDX-License-Identifier: Apache-2.0
 *
 * Life of an attachment: a core that is declared, a file of launches, a model and a checker for each of them.
 */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include "cosim/attach/attached.h"
#include "base/options.h"

static void disassemble_for_checker(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, buf, bytes);
}

bool attach_wrong(struct heddle_attach *a, enum heddle_verdict_kind kind, const char *fmt, ...) {
  if (a->state == ATTACH_WRONG) return false; /* what came first stays */
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(a->message, sizeof a->message, fmt, ap);
  va_end(ap);
  a->wrong = kind;
  a->state = ATTACH_WRONG;
  return false;
}

/* ---- the core ---- */

static bool power_of_two(uint32_t v) {
  return v != 0 && (v & (v - 1)) == 0;
}

/* NULL: it can be; else what is wrong. */
static const char *why_not(const struct heddle_core *c) {
  if (c->lanes < 4 || c->lanes > HEDDLE_RECORD_LANES || !power_of_two(c->lanes)) return "lanes are 4, 8, 16 or 32";
  if (c->warp_slots == 0 || c->warp_slots > HEDDLE_RECORD_WARPS) return "warp slots are 1 to 64";
  if (c->block_slots == 0 || c->block_slots > HEDDLE_RECORD_WARPS) return "block slots are 1 to 64";
  if (c->partitions > c->warp_slots) return "there are more partitions than warp slots";
  if (c->shared_banks > HEDDLE_RECORD_BANKS || !power_of_two(c->shared_banks) || c->shared_banks < 4)
    return "banks of shared memory are 4, 8, 16 or 32";
  if (c->shared_bytes >= 1u << 24) return "shared memory is less than 16 MiB";
  if (c->register_banks != 0 && (!power_of_two(c->register_banks) || c->register_banks > 256))
    return "register banks are a power of two up to 256";
  if (c->regs > UINT16_MAX + 1u) return "a partition has at most 65,536 warp registers";
  if (c->sms > 256 || c->sm >= c->sms) return "an SM is one of at most 256";
  if (c->shown > HEDDLE_MODEL_SMS || c->shown > c->sms - c->sm)
    return "it shows at most 64 SMs, from its number on, of those that there are";
  if (c->memory_banks > HEDDLE_CHECKER_BANKS_MAX) return "a memory system has at most 16 banks";
  if (c->reorder > HEDDLE_CHECKER_REORDER_MAX) return "at most 65,536 records wait for others";
  if (c->read_age > HEDDLE_RECORD_AGE_MAX || c->pred_age > HEDDLE_RECORD_AGE_MAX) return "ages are at most 14 cycles";
  if (c->cache_sectors > HEDDLE_CHECKER_CACHE_MAX || (c->cache_promises & ~HEDDLE_CHECKER_CACHE_PROMISES) != 0)
    return "a cache has at most 65,536 sectors, and no other promises than docs/visibility.md has";
  if (heddle_record_profile(c->hidden) < 0) return "it does not show all of profile P0 (docs/retire-port.md)";
  return NULL;
}

static void configure(struct heddle_attach *a) {
  const struct heddle_core *c = &a->core;
  a->cfg = (struct heddle_checker_config){.size = sizeof a->cfg,
                                          .sm = c->sm,
                                          .shown = c->shown,
                                          .memory_banks = c->memory_banks,
                                          .reorder = c->reorder,
                                          .lanes = c->lanes,
                                          .warp_slots = c->warp_slots,
                                          .block_slots = c->block_slots,
                                          .shared_bytes = c->shared_bytes,
                                          .scoreboard = c->scoreboard,
                                          .its = c->its,
                                          .read_age = c->read_age,
                                          .pred_age = c->pred_age,
                                          .hidden = c->hidden,
                                          .clock_ahead = c->clock_ahead,
                                          .cache_sectors = c->cache_sectors,
                                          .cache_promises = c->cache_promises,
                                          .partitions = c->partitions,
                                          .regs = c->regs,
                                          .banks = c->register_banks,
                                          .patience_issue = c->patience_issue,
                                          .patience_warp = c->patience_warp,
                                          .disasm = disassemble_for_checker};
}

bool attach_declared(const struct heddle_core *given, struct heddle_core *own, char *err, size_t err_bytes) {
  const char *why = NULL;
  if (given == NULL || given->size < offsetof(struct heddle_core, block_slots) + sizeof given->block_slots)
    why = "its declaration has no size";
  else if (!options_take(own, sizeof *own, given))
    why = "its declaration says what this library does not know: it is of a later release";
  if (why == NULL) {
    if (own->partitions == 0) own->partitions = 1;
    if (own->shared_banks == 0) own->shared_banks = HEDDLE_RECORD_BANKS;
    if (own->shown == 0) own->shown = 1;
    if (own->sms == 0) own->sms = 1;
    why = why_not(own);
  }
  snprintf(err, err_bytes, "%s", why != NULL ? why : "");
  return why == NULL;
}

struct heddle_attach *heddle_attach_new(const struct heddle_core *c, char *err, size_t err_bytes) {
  struct heddle_core own;
  if (!attach_declared(c, &own, err, err_bytes)) return NULL;
  struct heddle_attach *a = calloc(1, sizeof *a);
  snprintf(err, err_bytes, "%s", a == NULL ? "no memory" : "");
  if (a == NULL) return NULL;
  a->core = own;
  snprintf(a->name, sizeof a->name, "%s", own.name != NULL ? own.name : "core");
  a->core.name = a->name;
  heddle_record_hidden_text(own.hidden, a->hidden, sizeof a->hidden);
  configure(a);
  return a;
}

void heddle_attach_free(struct heddle_attach *a) {
  if (a == NULL) return;
  heddle_checker_free(a->checker);
  heddle_model_free(a->model);
  heddle_trace_free(a->file);
  heddle_stream_free(a->stream);
  free(a->report);
  free(a);
}

/* ---- launches ---- */

bool heddle_attach_load(struct heddle_attach *a, const char *path) {
  char err[sizeof a->message];
  if (a->state != ATTACH_EMPTY) return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "a launch file is loaded already");
  a->file = heddle_trace_open(path, err, sizeof err);
  if (a->file == NULL) return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "%s", err);
  a->bus_errors = heddle_trace_read_header(a->file)->bus_errors;
  a->state = ATTACH_BETWEEN;
  return true;
}

/* On to the next launch of the file, and no further. False: none is left, or the file is broken. */
static bool next_launch(struct heddle_attach *a) {
  struct heddle_retire_record r;
  if (a->state == ATTACH_RUNNING)
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "a launch begins while one runs: heddle_attach_memory ends it");
  if (a->state != ATTACH_BETWEEN || a->file == NULL) return false;
  for (;;) {
    const enum heddle_trace_item item = heddle_trace_next(a->file, &r);
    if (item == HEDDLE_TRACE_LAUNCH) return true;
    if (item == HEDDLE_TRACE_ERROR)
      return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "launch file: %s", heddle_trace_error(a->file));
    if (item == HEDDLE_TRACE_DONE) break;
  }
  a->state = ATTACH_OVER;
  return false;
}

/* Code, constants and local memory follow global memory where the file does not say where they lie. */
static void lay_out_memory(struct heddle_launch *l, uint64_t base, uint64_t bytes) {
  uint64_t at = (base + bytes + 511) & ~UINT64_C(511);
  if (l->code_at != 0) return;
  l->code_at = at;
  at += l->code_bytes;
  for (unsigned i = 0; i < 4; i++) {
    l->cbank_at[i] = at = (at + 63) & ~UINT64_C(63);
    at += l->cbank_bytes[i];
  }
  l->local_at = (at + 511) & ~UINT64_C(511);
}

static bool new_model(struct heddle_attach *a) {
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = a->base,
                                         .bytes = a->bytes,
                                         .warp_slots = a->core.warp_slots,
                                         .block_slots = a->core.block_slots,
                                         .sm = a->core.sm,
                                         .sms = a->core.sms,
                                         .shown = a->core.shown,
                                         .divergence = a->core.its ? HEDDLE_ITS : HEDDLE_STACK};
  heddle_checker_free(a->checker);
  heddle_model_free(a->model);
  a->checker = NULL;
  a->model = heddle_model_new(&mc);
  return a->model != NULL;
}

bool attach_begin(struct heddle_attach *a, const struct heddle_launch *l, uint64_t base, const uint8_t *memory,
                  uint64_t bytes) {
  if (!options_take(&a->launch, sizeof a->launch, l))
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "a launch " OPTIONS_FOREIGN);
  a->base = base;
  a->bytes = bytes;
  lay_out_memory(&a->launch, base, bytes);
  if (a->core.units != 0) a->launch.units &= a->core.units;
  a->cfg.bus_errors = a->bus_errors || a->launch.errors.limit != 0;
  a->refused = false;
  if (!new_model(a)) return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "no memory for the model");
  memcpy(heddle_model_memory(a->model), memory, bytes);
  a->refused = heddle_model_launch(a->model, &a->launch) != HEDDLE_OK;
  if (a->refused)
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "the model refuses the launch: %s", heddle_model_diag(a->model));
  a->checker = heddle_checker_new(a->model, &a->launch, &a->cfg);
  if (a->checker == NULL) return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "no memory for the checker");
  a->state = ATTACH_RUNNING;
  a->trapped = false;
  return true;
}

/* What the core's memory must hold of the launch that has begun. */
static bool show(const struct heddle_attach *a, const uint8_t *memory, struct heddle_image *out) {
  const struct heddle_image is = {
      .size = sizeof is, .launch = &a->launch, .base = a->base, .bytes = a->bytes, .memory = memory};
  options_give(out, sizeof is, &is);
  return true;
}

static bool has_room(struct heddle_attach *a, const struct heddle_image *out) {
  return options_sized(out) || attach_wrong(a, HEDDLE_VERDICT_MISUSE, "an image " OPTIONS_FOREIGN);
}

bool heddle_attach_launch(struct heddle_attach *a, struct heddle_image *out) {
  uint64_t bytes;
  if (!has_room(a, out) || !next_launch(a)) return false;
  const uint8_t *memory = heddle_trace_memory(a->file, &bytes);
  if (!attach_begin(a, heddle_trace_launched(a->file), heddle_trace_memory_base(a->file), memory, bytes)) return false;
  return show(a, memory, out);
}

bool heddle_attach_launch_own(struct heddle_attach *a, const struct heddle_launch *l, uint64_t base,
                              const uint8_t *memory, uint64_t bytes, struct heddle_image *out) {
  if (a->state == ATTACH_RUNNING)
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "a launch begins while one runs: heddle_attach_memory ends it");
  if (a->file != NULL)
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "launches come from the file that was loaded, or from the bench");
  if (a->state == ATTACH_WRONG || !has_room(a, out) || !attach_begin(a, l, base, memory, bytes)) return false;
  return show(a, memory, out);
}

bool heddle_attach_skip(struct heddle_attach *a) {
  if (!next_launch(a)) return false;
  a->total.skipped++;
  return true;
}
