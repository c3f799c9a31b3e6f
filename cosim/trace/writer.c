/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a trace.
 */
#include <errno.h>
#include <stdlib.h>

#include "cosim/trace/wire.h"
#include "base/file.h"
#include "base/options.h"

struct heddle_trace_writer {
  FILE *f;
  struct heddle_trace_header header;
  uint64_t sum, records, launches, cycle, memory_base, memory_bytes;
  bool open, failed; /* open: inside a launch */
  bool stream;       /* it has bytes in place of records; these are counted */
};

static bool write_raw(struct heddle_trace_writer *w, const void *p, size_t n) {
  w->sum = trace_sum(w->sum, p, n);
  if (n != 0 && fwrite(p, 1, n, w->f) != n) w->failed = true;
  return !w->failed;
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

static struct heddle_trace_writer *create_writer(const char *path, const struct heddle_trace_header *h, bool stream,
                                                 char *err, size_t err_bytes) {
  struct heddle_trace_header own;
  if (!options_take(&own, sizeof own, h)) {
    snprintf(err, err_bytes, "a header " OPTIONS_FOREIGN);
    return NULL;
  }
  struct heddle_trace_writer *w = calloc(1, sizeof *w);
  if (w == NULL) return NULL;
  w->f = file_create(path);
  if (w->f == NULL) {
    snprintf(err, err_bytes, "%s: %s", path, strerror(errno));
    free(w);
    return NULL;
  }
  w->header = own;
  w->stream = stream;
  w->sum = TRACE_SUM_START;
  uint8_t buf[512];
  struct wire o = {buf, buf + sizeof buf, false};
  put_header(&o, &own);
  (void)(write_raw(w, stream ? TRACE_MAGIC_STREAM : TRACE_MAGIC, 8) &&
         section(w, TAG_HEADER, buf, (size_t)(o.at - buf)));
  return w;
}

struct heddle_trace_writer *heddle_trace_create(const char *path, const struct heddle_trace_header *h, char *err,
                                                size_t err_bytes) {
  return create_writer(path, h, false, err, err_bytes);
}
struct heddle_trace_writer *heddle_trace_create_stream(const char *path, const struct heddle_trace_header *h, char *err,
                                                       size_t err_bytes) {
  return create_writer(path, h, true, err, err_bytes);
}

static bool memory_pieces(struct heddle_trace_writer *w, uint8_t tag, const uint8_t *memory) {
  static const uint8_t zeros[TRACE_PIECE];
  uint8_t buf[8 + TRACE_PIECE];
  for (uint64_t at = 0; at < w->memory_bytes && !w->failed; at += TRACE_PIECE) {
    const size_t n = w->memory_bytes - at < TRACE_PIECE ? (size_t)(w->memory_bytes - at) : TRACE_PIECE;
    if (memcmp(memory + at, zeros, n) == 0) continue;
    struct wire o = {buf, buf + sizeof buf, false};
    wire_put(&o, at, 8);
    wire_bytes(&o, memory + at, n);
    (void)section(w, tag, buf, 8 + n);
  }
  return !w->failed;
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

bool heddle_trace_launch(struct heddle_trace_writer *w, const struct heddle_launch *given, uint64_t base,
                         const uint8_t *memory, uint64_t bytes) {
  struct heddle_launch own;
  const struct heddle_launch *l = &own;
  if (!options_take(&own, sizeof own, given)) return !(w->failed = true);
  if (w->open || l->regions > 16) w->failed = true;
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
  return memory_pieces(w, TAG_MEMORY, memory) && section(w, TAG_GO, NULL, 0);
}

bool heddle_trace_record(struct heddle_trace_writer *w, const struct heddle_retire_record *r) {
  uint8_t buf[HEDDLE_TRACE_RECORD_MAX];
  const size_t n = heddle_trace_encode(r, &w->header, w->cycle, buf);
  w->cycle = r->cycle;
  w->records++;
  return n != 0 && w->open && !w->stream && section(w, TAG_RECORD, buf, n);
}

bool heddle_trace_stream(struct heddle_trace_writer *w, const uint8_t *p, size_t n) {
  if (!w->open || !w->stream) w->failed = true;
  w->records += n;
  for (size_t at = 0, part; at < n && !w->failed; at += part) {
    part = n - at < TRACE_PART ? n - at : TRACE_PART;
    (void)section(w, TAG_STREAM, p + at, part);
  }
  return !w->failed;
}

bool heddle_trace_launch_end(struct heddle_trace_writer *w, const uint8_t *memory, uint64_t cycle) {
  uint8_t buf[8];
  struct wire o = {buf, buf + sizeof buf, false};
  wire_put(&o, cycle, 8);
  if (!w->open) w->failed = true;
  w->open = false;
  return memory_pieces(w, TAG_FINAL, memory) && section(w, TAG_END, buf, sizeof buf);
}

bool heddle_trace_close(struct heddle_trace_writer *w) {
  if (w == NULL) return false;
  uint8_t buf[24];
  struct wire o = {buf, buf + sizeof buf, false};
  wire_put(&o, w->launches, 8);
  wire_put(&o, w->records, 8);
  wire_put(&o, w->sum, 8);
  if (!w->open && !w->failed) (void)section(w, TAG_FOOTER, buf, sizeof buf);
  const bool ok = !w->open && !w->failed;
  const bool closed = fclose(w->f) == 0;
  free(w);
  return ok && closed;
}
