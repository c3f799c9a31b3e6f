/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a trace, record by record.
 */
#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>

#include <heddle/retire_fields.h>
#include "base/file.h"
#include "base/options.h"
#include "cosim/trace/wire.h"
#include "isa/lib/message.h"

/* One record as bytes: kind, version, size of its body, cycle as a difference, then its numbers in the order of
 * cosim/retire/retire.records; rows only as long as the machine has lanes, and only those that are there; of fields
 * those that its port shows. One walk over one table serves both directions, so that writer and reader cannot disagree
 * about the layout. */

_Static_assert(HEDDLE_TRACE_RECORD_MAX >= sizeof(struct heddle_retire_record) + 16,
               "room for the longest record and its head");
_Static_assert(sizeof record_layouts / sizeof *record_layouts == HEDDLE_RECORD_KINDS, "each kind has a layout");

struct walk {
  struct wire w;
  bool write;
  unsigned lanes;
  struct heddle_record_hidden hidden;
};

static void walk_number(struct walk *k, uint8_t *field, unsigned bytes) {
  uint64_t v = 0;
  if (k->write) {
    memcpy(&v, field, bytes); /* little-endian hosts; the header is refused elsewhere */
    wire_put(&k->w, v, bytes);
  } else {
    v = wire_get(&k->w, bytes);
    memcpy(field, &v, bytes);
  }
}

/* `columns` numbers of one row. */
static void walk_row(struct walk *k, const struct heddle_record_field *f, uint8_t *at, unsigned columns) {
  if (f->step != f->bytes) {
    for (unsigned i = 0; i < columns; i++) walk_number(k, at + i * f->step, f->bytes);
  } else if (k->write) {
    wire_bytes(&k->w, at, (size_t)columns * f->bytes);
  } else {
    wire_take(&k->w, at, (size_t)columns * f->bytes);
  }
}

static void field(struct walk *k, const struct heddle_record_field *f, uint8_t *body) {
  uint64_t there = ~UINT64_C(0);
  if (f->option >= 0 && !heddle_record_shows_field(k->hidden, (enum heddle_record_option)f->option)) return;
  if (f->when_bytes != 0) {
    there = 0;
    memcpy(&there, body + f->when, f->when_bytes);
  }
  const unsigned columns = f->dim == HEDDLE_RECORD_DIM_LANES ? k->lanes : f->columns;
  for (unsigned i = 0; i < f->rows; i++)
    if (f->when_bytes == 0 || (there >> i & 1u) != 0) walk_row(k, f, body + f->offset + i * f->row_step, columns);
}

static void walk_body(struct walk *k, struct heddle_retire_record *r) {
  const struct heddle_record_layout *l = &record_layouts[r->kind];
  for (unsigned i = 0; i < l->fields; i++) field(k, &record_fields[l->first + i], (uint8_t *)&r->u);
}

size_t heddle_trace_encode(const struct heddle_retire_record *r, const struct heddle_trace_header *h,
                           uint64_t last_cycle, uint8_t *buf) {
  struct heddle_retire_record copy = *r;
  struct walk k = {{buf, buf + HEDDLE_TRACE_RECORD_MAX, false}, true, h->lanes, h->hidden};
  if (!HEDDLE_RECORD_IS_KIND(r->kind) || h->lanes > HEDDLE_RECORD_LANES ||
      !heddle_record_shows(h->hidden, (enum heddle_record_kind)r->kind))
    return 0;
  wire_put(&k.w, r->kind, 1);
  wire_put(&k.w, HEDDLE_RECORD_VERSION, 1);
  uint8_t *const size = k.w.at;
  wire_put(&k.w, 0, 2);
  wire_put(&k.w, r->cycle - last_cycle, 8);
  const uint8_t *const body = k.w.at;
  walk_body(&k, &copy);
  const size_t n = (size_t)(k.w.at - body);
  size[0] = (uint8_t)n;
  size[1] = (uint8_t)(n >> 8);
  return k.w.bad ? 0 : (size_t)(k.w.at - buf);
}

/* A record of another version, or of a kind that came later, is refused by name; so is one of a kind that the machine
 * is said not to show. */
static enum heddle_error record_known(unsigned kind, unsigned version, struct heddle_record_hidden h,
                                      struct heddle_message *msg) {
  const enum heddle_error e = HEDDLE_ERROR_INVALID_VALUE;
  for (const struct heddle_record_reserved *x = heddle_record_reserved; x->name != NULL; x++)
    if (kind == x->kind)
      return message_fail(msg, e, NULL, "is of kind %u, '%s', which is kept for later", kind, x->name);
  if (!HEDDLE_RECORD_IS_KIND(kind)) return message_fail(msg, e, NULL, "is of kind %u, which is not known here", kind);
  const char *name = record_layouts[kind].name;
  if (!heddle_record_shows(h, (enum heddle_record_kind)kind))
    return message_fail(msg, e, NULL, "is '%s', which the machine is said not to show", name);
  if (version == HEDDLE_RECORD_VERSION) return HEDDLE_SUCCESS;
  return message_fail(msg, e, NULL, "is '%s' of version %u; known here is version %u", name, version,
                      HEDDLE_RECORD_VERSION);
}

enum heddle_error heddle_trace_decode(const uint8_t *buf, size_t size, const struct heddle_trace_header *h,
                                      uint64_t last_cycle, struct heddle_retire_record *r, struct heddle_message *msg) {
  const enum heddle_error e = HEDDLE_ERROR_INVALID_VALUE;
  uint8_t copy[HEDDLE_TRACE_RECORD_MAX];
  memset(r, 0, sizeof *r);
  message_clear(msg);
  if (size > sizeof copy || h->lanes > HEDDLE_RECORD_LANES) return message_fail(msg, e, NULL, "has %zu bytes", size);
  memcpy(copy, buf, size);
  struct walk k = {{copy, copy + size, false}, false, h->lanes, h->hidden};
  const unsigned kind = (unsigned)wire_get(&k.w, 1), version = (unsigned)wire_get(&k.w, 1);
  if (k.w.bad) return message_fail(msg, e, NULL, "has no head");
  if (record_known(kind, version, h->hidden, msg) != HEDDLE_SUCCESS) return e;
  const size_t bytes = (size_t)wire_get(&k.w, 2);
  r->kind = kind;
  r->cycle = last_cycle + wire_get(&k.w, 8);
  if (k.w.bad || bytes != (size_t)(k.w.end - k.w.at))
    return message_fail(msg, e, NULL, "is '%s', with a wrong size", record_layouts[kind].name);
  walk_body(&k, r);
  if (!k.w.bad && k.w.at == k.w.end) return HEDDLE_SUCCESS;
  return message_fail(msg, e, NULL, "is '%s' of %zu bytes, which is not what its fields need",
                      record_layouts[kind].name, bytes);
}

/* Writing a trace. */

struct heddle_trace_writer {
  FILE *f;
  struct heddle_trace_header header;
  uint64_t sum, records, launches, cycle, memory_base, memory_bytes;
  enum heddle_error error; /* the first one, which stays; why */
  const char *why;
  bool open;   /* inside a launch */
  bool stream; /* it has bytes in place of records; these are counted */
};

static void fail_writer(struct heddle_trace_writer *w, enum heddle_error e, const char *why) {
  if (w->error != HEDDLE_SUCCESS) return;
  w->error = e;
  w->why = why;
}

/* What a call of the writer returns. */
static enum heddle_error tell_writer(const struct heddle_trace_writer *w, struct heddle_message *msg) {
  message_clear(msg);
  return w->error == HEDDLE_SUCCESS ? w->error : message_fail(msg, w->error, NULL, "%s", w->why);
}

static bool write_raw(struct heddle_trace_writer *w, const void *p, size_t n) {
  w->sum = trace_sum(w->sum, p, n);
  if (n != 0 && fwrite(p, 1, n, w->f) != n) fail_writer(w, HEDDLE_ERROR_FILE, "the trace cannot be written");
  return w->error == HEDDLE_SUCCESS;
}

static bool section(struct heddle_trace_writer *w, uint8_t tag, const void *p, size_t n) {
  const uint8_t head[5] = {tag, (uint8_t)n, (uint8_t)(n >> 8), (uint8_t)(n >> 16), (uint8_t)(n >> 24)};
  return write_raw(w, head, sizeof head) && write_raw(w, p, n);
}

static void put_header(struct wire *o, const struct heddle_trace_header *h) {
  wire_put(o, TRACE_VERSION, 4);
  wire_put(o, h->isa_hash, 8);
  wire_put(o, h->config_hash, 8);
  wire_bytes(o, h->config, sizeof h->config);
  wire_bytes(o, h->command, sizeof h->command);
  wire_put(o, h->sm, 4);
  wire_put(o, h->sms != 0 ? h->sms : 1, 4);
  wire_put(o, h->lanes, 4);
  wire_put(o, h->warp_slots, 4);
  wire_put(o, h->block_slots, 4);
  wire_put(o, h->shared_bytes, 4);
  wire_put(o, (h->scoreboard ? 1u : 0u) | (h->its ? 2u : 0u), 1);
  wire_put(o, h->bus_errors, 1);
  wire_put(o, h->read_age, 1);
  wire_put(o, h->pred_age, 1);
  wire_put(o, h->partitions, 4);
  wire_put(o, h->regs, 4);
  wire_put(o, h->register_banks, 4);
  wire_put(o, h->hidden.kinds, 4);
  wire_put(o, h->hidden.options, 4);
  wire_put(o, h->clock_ahead, 8);
  wire_put(o, h->cache_sectors, 4);
  wire_put(o, h->cache_promises, 4);
  wire_put(o, h->shown != 0 ? h->shown : 1, 4);
  wire_put(o, h->memory_banks, 4);
  wire_put(o, h->reorder, 4);
}

static enum heddle_error create_writer(const char *path, const struct heddle_trace_header *h, bool stream,
                                       struct heddle_trace_writer **out, struct heddle_message *msg) {
  struct heddle_trace_header own;
  *out = NULL;
  message_clear(msg);
  if (!options_take(&own, sizeof own, h))
    return message_fail(msg, HEDDLE_ERROR_INVALID_VALUE, NULL, "a header " OPTIONS_FOREIGN);
  struct heddle_trace_writer *w = calloc(1, sizeof *w);
  if (w == NULL) return message_fail(msg, HEDDLE_ERROR_HOST_MEMORY, NULL, "no memory");
  w->f = file_create(path);
  if (w->f == NULL) {
    free(w);
    return message_fail(msg, HEDDLE_ERROR_FILE, NULL, "%s: %s", path, strerror(errno));
  }
  w->header = own;
  w->stream = stream;
  w->sum = TRACE_SUM_START;
  uint8_t buf[512];
  struct wire o = {buf, buf + sizeof buf, false};
  put_header(&o, &own);
  (void)(write_raw(w, stream ? TRACE_MAGIC_STREAM : TRACE_MAGIC, 8) &&
         section(w, TAG_HEADER, buf, (size_t)(o.at - buf)));
  *out = w;
  return HEDDLE_SUCCESS;
}

enum heddle_error heddle_trace_create(const char *path, const struct heddle_trace_header *h,
                                      struct heddle_trace_writer **out, struct heddle_message *msg) {
  return create_writer(path, h, false, out, msg);
}
enum heddle_error heddle_trace_create_stream(const char *path, const struct heddle_trace_header *h,
                                             struct heddle_trace_writer **out, struct heddle_message *msg) {
  return create_writer(path, h, true, out, msg);
}

static void put_memory(struct heddle_trace_writer *w, uint8_t tag, const uint8_t *memory) {
  static const uint8_t zeros[TRACE_PIECE];
  uint8_t buf[8 + TRACE_PIECE];
  for (uint64_t at = 0; at < w->memory_bytes && w->error == HEDDLE_SUCCESS; at += TRACE_PIECE) {
    const size_t n = w->memory_bytes - at < TRACE_PIECE ? (size_t)(w->memory_bytes - at) : TRACE_PIECE;
    if (memcmp(memory + at, zeros, n) == 0) continue;
    struct wire o = {buf, buf + sizeof buf, false};
    wire_put(&o, at, 8);
    wire_bytes(&o, memory + at, n);
    (void)section(w, tag, buf, 8 + n);
  }
}

static void put_launch(struct wire *o, const struct heddle_trace_writer *w, const struct heddle_launch *l) {
  for (unsigned i = 0; i < 3; i++) wire_put(o, l->grid[i], 4);
  for (unsigned i = 0; i < 3; i++) wire_put(o, l->block[i], 4);
  wire_put(o, l->entry_pc, 4);
  wire_put(o, l->regs, 4);
  wire_put(o, l->shared_bytes, 4);
  wire_put(o, l->local_bytes, 4);
  wire_put(o, l->units, 4);
  wire_put(o, l->code_bytes, 4);
  for (unsigned i = 0; i < 4; i++) wire_put(o, l->cbank_bytes[i], 4);
  wire_put(o, w->memory_base, 8);
  wire_put(o, w->memory_bytes, 8);
  wire_put(o, l->regions, 1);
  for (unsigned i = 0; i < l->regions && i < 16; i++) {
    wire_put(o, l->region[i].base, 8);
    wire_put(o, l->region[i].limit, 8);
    wire_put(o, l->region[i].writable, 1);
  }
  wire_put(o, l->errors.base, 8);
  wire_put(o, l->errors.limit, 8);
  wire_put(o, l->code_at, 8);
  for (unsigned i = 0; i < 4; i++) wire_put(o, l->cbank_at[i], 8);
  wire_put(o, l->local_at, 8);
}

enum heddle_error heddle_trace_launch(struct heddle_trace_writer *w, const struct heddle_launch *given, uint64_t base,
                                      const uint8_t *memory, uint64_t bytes, struct heddle_message *msg) {
  struct heddle_launch own;
  const struct heddle_launch *l = &own;
  if (!options_take(&own, sizeof own, given)) {
    fail_writer(w, HEDDLE_ERROR_INVALID_VALUE, "a launch " OPTIONS_FOREIGN);
    return tell_writer(w, msg);
  }
  if (w->open) fail_writer(w, HEDDLE_ERROR_STATE, "a launch begins in the trace while one is open");
  if (l->regions > 16) fail_writer(w, HEDDLE_ERROR_INVALID_VALUE, "a launch of more than 16 regions");
  w->open = true;
  w->launches++;
  w->cycle = 0;
  w->memory_base = base;
  w->memory_bytes = bytes;
  uint8_t buf[1024];
  struct wire o = {buf, buf + sizeof buf, false};
  put_launch(&o, w, l);
  (void)section(w, TAG_LAUNCH, buf, (size_t)(o.at - buf));
  (void)section(w, TAG_CODE, l->code, l->code_bytes);
  for (unsigned i = 0; i < 4; i++)
    if (l->cbank_bytes[i] != 0) (void)section(w, TAG_BANK, l->cbank[i], l->cbank_bytes[i]);
  put_memory(w, TAG_MEMORY, memory);
  (void)section(w, TAG_GO, NULL, 0);
  return tell_writer(w, msg);
}

enum heddle_error heddle_trace_record(struct heddle_trace_writer *w, const struct heddle_retire_record *r,
                                      struct heddle_message *msg) {
  uint8_t buf[HEDDLE_TRACE_RECORD_MAX];
  const size_t n = heddle_trace_encode(r, &w->header, w->cycle, buf);
  w->cycle = r->cycle;
  w->records++;
  if (n == 0) fail_writer(w, HEDDLE_ERROR_INVALID_VALUE, "a record that no trace has");
  if (!w->open || w->stream) fail_writer(w, HEDDLE_ERROR_STATE, "a record where the trace has none");
  if (w->error == HEDDLE_SUCCESS) (void)section(w, TAG_RECORD, buf, n);
  return tell_writer(w, msg);
}

enum heddle_error heddle_trace_stream(struct heddle_trace_writer *w, const uint8_t *p, size_t n,
                                      struct heddle_message *msg) {
  if (!w->open || !w->stream) fail_writer(w, HEDDLE_ERROR_STATE, "bytes of a stream where the trace has none");
  w->records += n;
  for (size_t at = 0, part; at < n && w->error == HEDDLE_SUCCESS; at += part) {
    part = n - at < TRACE_PART ? n - at : TRACE_PART;
    (void)section(w, TAG_STREAM, p + at, part);
  }
  return tell_writer(w, msg);
}

enum heddle_error heddle_trace_launch_end(struct heddle_trace_writer *w, const uint8_t *memory, uint64_t cycle,
                                          struct heddle_message *msg) {
  uint8_t buf[8];
  struct wire o = {buf, buf + sizeof buf, false};
  wire_put(&o, cycle, 8);
  if (!w->open) fail_writer(w, HEDDLE_ERROR_STATE, "a launch ends in the trace while none is open");
  w->open = false;
  put_memory(w, TAG_FINAL, memory);
  (void)section(w, TAG_END, buf, sizeof buf);
  return tell_writer(w, msg);
}

enum heddle_error heddle_trace_close(struct heddle_trace_writer *w, struct heddle_message *msg) {
  message_clear(msg);
  if (w == NULL) return HEDDLE_SUCCESS;
  uint8_t buf[24];
  struct wire o = {buf, buf + sizeof buf, false};
  wire_put(&o, w->launches, 8);
  wire_put(&o, w->records, 8);
  wire_put(&o, w->sum, 8);
  if (w->open) fail_writer(w, HEDDLE_ERROR_STATE, "the trace is closed while a launch is open");
  if (w->error == HEDDLE_SUCCESS) (void)section(w, TAG_FOOTER, buf, sizeof buf);
  if (fclose(w->f) != 0) fail_writer(w, HEDDLE_ERROR_FILE, "the trace cannot be written");
  const enum heddle_error e = tell_writer(w, msg);
  free(w);
  return e;
}
