/* SPDX-License-Identifier: Apache-2.0
 *
 * A core of somebody else's: from the words of its port to records, launch by launch, judged as they come.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/record_banks.h>
#include <heddle/retire_fields.h>
#include "base/options.h"
#include "cosim/attach/attached.h"
#include "cosim/checker/report.h"
#include "cosim/trace/stream.h"
#include "isa/lib/message.h"

/* From the words of a port to the C struct: the layout of cosim/retire/README.md, by the table that was made of it.
 * What lies before the first array whose size a machine chooses is as in C; those arrays follow, in the machine's
 * sizes. */

static unsigned dim_size(const struct heddle_core *core, int dim, unsigned otherwise) {
  return dim == HEDDLE_RECORD_DIM_LANES ? core->lanes : dim == HEDDLE_RECORD_DIM_BANKS ? core->shared_banks : otherwise;
}

static bool sized(const struct heddle_record_field *f) {
  return f->dim == HEDDLE_RECORD_DIM_LANES || f->outer == HEDDLE_RECORD_DIM_LANES ||
         f->outer == HEDDLE_RECORD_DIM_BANKS;
}

/* Rows and columns of a sized array at the port. */
static unsigned field_rows(const struct heddle_core *core, const struct heddle_record_field *f) {
  return f->rows == 1 ? 1 : dim_size(core, f->outer, f->rows);
}

static unsigned columns_of(const struct heddle_core *core, const struct heddle_record_field *f) {
  return dim_size(core, f->dim, f->columns);
}

size_t attach_words(const struct heddle_core *core, unsigned kind) {
  if (!HEDDLE_RECORD_IS_KIND(kind)) return 0;
  const struct heddle_record_layout *l = &record_layouts[kind];
  size_t bytes = l->head;
  for (unsigned i = 0; i < l->fields; i++) {
    const struct heddle_record_field *f = &record_fields[l->first + i];
    if (sized(f)) bytes += (size_t)field_rows(core, f) * columns_of(core, f) * f->bytes;
  }
  return bytes / 4;
}

/* Bytes [at, at + n) of the words; what is not there is 0. Little-endian, as the trace is. */
static void copy_word_bytes(uint8_t *to, const uint32_t *word, size_t words, size_t at, size_t n) {
  const size_t have = words * 4;
  memset(to, 0, n);
  if (at < have) memcpy(to, (const uint8_t *)word + at, n < have - at ? n : have - at);
}

bool attach_unpack(const struct heddle_core *core, unsigned kind, const uint32_t *word, size_t words,
                   struct heddle_retire_record *r) {
  memset(r, 0, sizeof *r);
  r->kind = kind;
  if (!HEDDLE_RECORD_IS_KIND(kind) || words > attach_words(core, kind)) return false;
  const struct heddle_record_layout *l = &record_layouts[kind];
  size_t at = l->head;
  copy_word_bytes((uint8_t *)&r->u, word, words, 0, at);
  for (unsigned i = 0; i < l->fields; i++) {
    const struct heddle_record_field *f = &record_fields[l->first + i];
    if (!sized(f)) continue;
    const size_t row = (size_t)columns_of(core, f) * f->bytes;
    for (unsigned k = 0; k < field_rows(core, f); k++, at += row)
      copy_word_bytes((uint8_t *)&r->u + f->offset + k * f->row_step, word, words, at, row);
  }
  if (kind == HEDDLE_RECORD_SHARED) heddle_record_spread_banks(&r->u.shared, core->shared_banks);
  return true;
}

/* Life of an attachment: a core that is declared, a file of launches, a model and a checker for each of them. */

static void disassemble_for_checker(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, buf, bytes);
}

/* What is wrong, and nothing is judged any more; always false. */
static bool attach_wrong(struct heddle_attach *a, enum heddle_verdict_kind kind, const char *fmt, ...) {
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

enum heddle_error attach_declared(const struct heddle_core *given, struct heddle_core *own,
                                  struct heddle_message *msg) {
  const char *why = NULL;
  if (given == NULL || given->size < offsetof(struct heddle_core, block_slots) + sizeof given->block_slots)
    why = "its declaration has no size";
  else if (!options_take(own, sizeof *own, given))
    why = "its declaration has fields that this library lacks: it is of a later release";
  if (why == NULL) {
    if (own->partitions == 0) own->partitions = 1;
    if (own->shared_banks == 0) own->shared_banks = HEDDLE_RECORD_BANKS;
    if (own->shown == 0) own->shown = 1;
    if (own->sms == 0) own->sms = 1;
    why = why_not(own);
  }
  message_clear(msg);
  return why != NULL ? message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL, "%s", why) : HEDDLE_SUCCESS;
}

enum heddle_error heddle_attach_new(const struct heddle_core *c, struct heddle_attach **out,
                                    struct heddle_message *msg) {
  struct heddle_core own;
  *out = NULL;
  const enum heddle_error e = attach_declared(c, &own, msg);
  if (e != HEDDLE_SUCCESS) return e;
  struct heddle_attach *a = *out = calloc(1, sizeof *a);
  if (a == NULL) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory");
  a->core = own;
  snprintf(a->name, sizeof a->name, "%s", own.name != NULL ? own.name : "core");
  a->core.name = a->name;
  heddle_record_hidden_text(own.hidden, a->hidden, sizeof a->hidden);
  configure(a);
  return HEDDLE_SUCCESS;
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

enum heddle_error heddle_attach_load(struct heddle_attach *a, const char *path, struct heddle_message *msg) {
  struct heddle_message own;
  if (msg == NULL) msg = &own;
  const enum heddle_error e = a->state == ATTACH_EMPTY
                                  ? heddle_trace_open(path, &a->file, msg)
                                  : message_fail(msg, HEDDLE_ERROR_STATE, NULL, "a launch file is loaded already");
  if (e != HEDDLE_SUCCESS) {
    (void)attach_wrong(a, HEDDLE_VERDICT_MISUSE, "%s", msg->text);
    return e;
  }
  a->bus_errors = heddle_trace_read_header(a->file)->bus_errors;
  a->state = ATTACH_BETWEEN;
  return e;
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
  a->refused = heddle_model_launch(a->model, &a->launch) != HEDDLE_SUCCESS;
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

/* A core that sends a stream, judged while it runs. */

static bool lost(struct heddle_attach *a) {
  char text[200];
  heddle_stream_text(a->stream, text, sizeof text);
  return attach_wrong(a, HEDDLE_VERDICT_UNFINISHED, "the stream is %s", text);
}

/* Of another machine no record is read. */
static bool of_this_core(const struct heddle_attach *a) {
  const struct stream_state *s = heddle_stream_look(a->stream);
  return !s->begun || (s->lanes == a->core.lanes && s->warps == a->core.warp_slots && s->blocks == a->core.block_slots);
}

bool heddle_attach_stream(struct heddle_attach *a, const uint8_t *bytes, size_t n) {
  struct heddle_retire_record r;
  if (a->state != ATTACH_RUNNING)
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "a part of a stream comes while no launch runs");
  if (a->stream == NULL && (a->stream = heddle_stream_new()) == NULL)
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "no memory");
  if (!a->streamed) heddle_stream_launch(a->stream);
  a->streamed = true;
  for (size_t at = 0; at < n;) {
    at += heddle_stream_give(a->stream, bytes + at, n - at);
    if (heddle_stream_look(a->stream)->lost) return lost(a);
    if (!of_this_core(a)) return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "the stream is of another machine");
    while (heddle_stream_next(a->stream, &r))
      if (!heddle_attach_record(a, &r)) return false;
    if (heddle_stream_look(a->stream)->lost) return lost(a);
  }
  return true;
}

bool heddle_attach_stream_ended(const struct heddle_attach *a) {
  if (a->state != ATTACH_RUNNING) return true;
  return a->streamed && heddle_stream_look(a->stream)->ended;
}

/* attach.c: the launch is over. False: its stream was not whole. */
static bool attach_stream_whole(struct heddle_attach *a) {
  if (!a->streamed) return true;
  a->streamed = false;
  heddle_stream_over(a->stream);
  return !heddle_stream_look(a->stream)->lost || lost(a);
}

/* Records, time, and memory at the end. */

static bool running(struct heddle_attach *a, const char *what) {
  return a->state == ATTACH_RUNNING || attach_wrong(a, HEDDLE_VERDICT_MISUSE, "%s comes while no launch runs", what);
}

static bool differs(struct heddle_attach *a) {
  const struct heddle_checker_difference *d = heddle_checker_first(a->checker);
  const bool program = d->kind == HEDDLE_CHECKER_UNDEFINED_READ;
  return attach_wrong(a, program ? HEDDLE_VERDICT_PROGRAM : HEDDLE_VERDICT_DIFFERENCE, "%s",
                      heddle_checker_kind_name(d->kind));
}

bool heddle_attach_record(struct heddle_attach *a, const struct heddle_retire_record *r) {
  return running(a, "a record") && (heddle_checker_record(a->checker, r) || differs(a));
}

bool heddle_attach_port(struct heddle_attach *a, uint64_t cycle, unsigned kind, const uint32_t *word, size_t words) {
  struct heddle_retire_record r;
  if (!running(a, "a record")) return false;
  if (!attach_unpack(&a->core, kind, word, words, &r))
    return attach_wrong(a, HEDDLE_VERDICT_MISUSE, "a record of kind %u in %zu words: %s", kind, words,
                        HEDDLE_RECORD_IS_KIND(kind) ? "more than it has at this core's port" : "there is no such kind");
  r.cycle = cycle;
  return heddle_attach_record(a, &r);
}

size_t heddle_attach_port_words(const struct heddle_attach *a, unsigned kind) {
  return attach_words(&a->core, kind);
}

bool heddle_attach_step(struct heddle_attach *a, uint64_t cycle) {
  if (!running(a, "a step")) return false;
  if (!heddle_checker_look(a->checker, cycle)) return differs(a);
  return !heddle_checker_deadlock(a->checker) ||
         attach_wrong(a, HEDDLE_VERDICT_PROGRAM, "deadlock: all warps wait at barriers that not enough will reach");
}

bool heddle_attach_ended(const struct heddle_attach *a) {
  return a->state == ATTACH_RUNNING && (heddle_checker_done(a->checker) || heddle_checker_trapped(a->checker));
}

static void add_statistics(struct heddle_attach *a) {
  const struct heddle_checker_stats *s = heddle_checker_statistics(a->checker);
  a->total.launches++;
  a->total.records += s->records;
  a->total.issued += s->issued;
  a->total.retired += s->retired;
  a->total.lanes_compared += s->lanes_compared;
  a->total.performs += s->performs;
}

bool heddle_attach_memory(struct heddle_attach *a, uint64_t cycle, const uint8_t *memory) {
  const bool streamed = a->streamed;
  if (!running(a, "memory") || !attach_stream_whole(a)) return false;
  if (streamed) cycle = heddle_stream_look(a->stream)->end_cycle;
  if (!heddle_checker_finish(a->checker, cycle) || !heddle_checker_memory(a->checker, a->base, memory, a->bytes))
    return differs(a);
  a->trapped = heddle_checker_trapped(a->checker);
  add_statistics(a);
  a->state = ATTACH_BETWEEN;
  return true;
}

/* What came of it, in the same words for every entry. */

static enum heddle_verdict_kind verdict_kind(const struct heddle_attach *a) {
  if (a->state == ATTACH_WRONG) return a->wrong;
  const bool over = a->state == ATTACH_OVER || (a->state == ATTACH_BETWEEN && a->file == NULL);
  return over && a->total.launches != 0 ? HEDDLE_VERDICT_OK : HEDDLE_VERDICT_UNFINISHED;
}

static bool has_difference(const struct heddle_attach *a) {
  return a->checker != NULL && heddle_checker_first(a->checker)->kind != HEDDLE_CHECKER_NONE;
}

static void print_end(const struct heddle_attach *a, enum heddle_verdict_kind kind, FILE *f) {
  const struct heddle_verdict *t = &a->total;
  static const char *const word[] = {"ok", "difference", "program", "unfinished", "misuse"};
  fprintf(f, "%s: %s", a->name, word[kind]);
  if (kind == HEDDLE_VERDICT_UNFINISHED && a->state != ATTACH_WRONG)
    fprintf(f, ": %s",
            a->state == ATTACH_RUNNING ? "a launch was not judged to its end"
            : a->state == ATTACH_EMPTY ? "nothing was launched"
                                       : "launches of the file are left");
  if (kind != HEDDLE_VERDICT_OK && a->message[0] != '\0') fprintf(f, ": %s", a->message);
  fprintf(f,
          "\n  %" PRIu64 " launch(es), %" PRIu64 " records, %" PRIu64 " warp instructions, %" PRIu64
          " lanes compared, %" PRIu64 " accesses\n",
          t->launches, t->records, t->retired, t->lanes_compared, t->performs);
  if (t->skipped != 0) fprintf(f, "  %" PRIu64 " launch(es) skipped: not judged\n", t->skipped);
  fprintf(f, "  profile %s", heddle_record_profile_name(a->core.hidden));
  fprintf(f, a->hidden[0] != '\0' ? "; not judged: %s\n" : "\n", a->hidden);
}

static char *attach_report(const struct heddle_attach *a, enum heddle_verdict_kind kind) {
  char *text = NULL;
  size_t bytes;
  FILE *f = open_memstream(&text, &bytes);
  if (f == NULL) return NULL;
  if (has_difference(a))
    heddle_checker_report_text(a->checker, f);
  else if (a->state == ATTACH_WRONG && a->checker != NULL && a->wrong == HEDDLE_VERDICT_PROGRAM)
    heddle_checker_waiting_text(a->checker, f);
  print_end(a, kind, f);
  return fclose(f) == 0 ? text : NULL;
}

void heddle_attach_verdict_sized(struct heddle_attach *a, struct heddle_verdict *out, size_t bytes) {
  struct heddle_verdict v = a->total;
  v.kind = verdict_kind(a);
  free(a->report);
  a->report = attach_report(a, v.kind);
  v.profile = heddle_record_profile_name(a->core.hidden);
  v.not_judged = a->hidden;
  v.difference = has_difference(a) ? heddle_checker_kind_name(heddle_checker_first(a->checker)->kind) : "";
  v.report = a->report != NULL ? a->report : "no memory for a report\n";
  memcpy(out, &v, bytes < sizeof v ? bytes : sizeof v);
}

char *heddle_attach_verdict_json(struct heddle_attach *a) {
  if (!has_difference(a)) return NULL;
  json_t *j = checker_report_json(a->checker);
  char *text = j != NULL ? json_dumps(j, JSON_INDENT(2)) : NULL;
  json_decref(j);
  return text;
}
