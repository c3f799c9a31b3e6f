/* SPDX-License-Identifier: Apache-2.0
 *
 * docs/trace-format.md, in C99.
 */
#include "heddle_trace.h"

#include <string.h>

#include <heddle/retire_fields.h>

#define HEADER_BYTES 384u
#define SECTION_MAX (17u << 20)
#define RECORD_MAX 1024u

static bool say_wrong(struct heddle_tracefile *t, const char *why) {
  if (t->wrong == NULL) t->wrong = why;
  return false;
}

/* ---- bytes ---- */

static uint64_t get_le(const uint8_t *p, unsigned n) {
  uint64_t v = 0;
  for (unsigned i = n; i-- > 0;) v = v << 8 | p[i];
  return v;
}

static uint8_t *put_le(uint8_t *p, uint64_t v, unsigned n) {
  for (unsigned i = 0; i < n; i++) p[i] = (uint8_t)(v >> 8 * i);
  return p + n;
}

/* Of a run of bytes: its whole words of eight bytes, then what is left byte by byte. */
static uint64_t checksum(uint64_t sum, const uint8_t *p, size_t n) {
  const uint64_t factor = 0x100000001b3ull;
  for (; n >= 8; p += 8, n -= 8) {
    sum = (sum ^ get_le(p, 8)) * factor;
    sum ^= sum >> 29;
  }
  for (; n > 0; p++, n--) sum = (sum ^ *p) * factor;
  return sum;
}

static bool put_raw(struct heddle_tracefile *t, const void *p, size_t n) {
  if (t->wrong != NULL) return false;
  t->sum = checksum(t->sum, p, n);
  return n == 0 || fwrite(p, 1, n, t->to) == n || say_wrong(t, "the trace cannot be written");
}

static bool put_head(struct heddle_tracefile *t, char tag, uint32_t n) {
  uint8_t bytes[5] = {(uint8_t)tag};
  put_le(bytes + 1, n, 4);
  return put_raw(t, bytes, sizeof bytes);
}

static bool section(struct heddle_tracefile *t, char tag, const void *p, size_t n) {
  return put_head(t, tag, (uint32_t)n) && put_raw(t, p, n);
}

/* ---- the launch file ---- */

static bool take_input(struct heddle_tracefile *t, void *p, size_t n) {
  return fread(p, 1, n, t->from) == n || say_wrong(t, "the launch file ends too soon");
}

static bool take_head(struct heddle_tracefile *t, char *tag, uint32_t *n) {
  uint8_t bytes[5];
  if (!take_input(t, bytes, sizeof bytes)) return false;
  *tag = (char)bytes[0];
  *n = (uint32_t)get_le(bytes + 1, 4);
  return *n <= SECTION_MAX || say_wrong(t, "the launch file has a section that is too long");
}

/* A payload, into the trace or nowhere; in parts of whole words, so that the checksum is that of one run. */
static bool pass_payload(struct heddle_tracefile *t, uint32_t n, bool copy) {
  while (n > 0) {
    const uint32_t part = n < sizeof t->buf ? n : (uint32_t)sizeof t->buf;
    if (!take_input(t, t->buf, part) || (copy && !put_raw(t, t->buf, part))) return false;
    n -= part;
  }
  return true;
}

static bool read_launch_header(struct heddle_tracefile *t) {
  struct heddle_tracefile_core *c = &t->core;
  char tag;
  uint32_t n;
  const uint8_t *p = t->buf;
  if (!take_input(t, t->buf, 8) || memcmp(t->buf, "HDLTRACE", 8) != 0)
    return say_wrong(t, "the launch file is no trace");
  if (!take_head(t, &tag, &n)) return false;
  if (tag != 'H' || n != HEADER_BYTES) return say_wrong(t, "the launch file has a header of another version");
  if (!take_input(t, t->buf, n)) return false;
  if (get_le(p, 4) != HEDDLE_TRACE_VERSION) return say_wrong(t, "the launch file is of another version");
  c->isa_hash = get_le(p + 4, 8), c->config_hash = get_le(p + 12, 8);
  memcpy(c->config, p + 20, sizeof c->config);
  memcpy(c->command, p + 52, sizeof c->command);
  c->sm = (uint32_t)get_le(p + 308, 4), c->sms = (uint32_t)get_le(p + 312, 4);
  c->lanes = (uint32_t)get_le(p + 316, 4);
  c->warp_slots = (uint32_t)get_le(p + 320, 4), c->block_slots = (uint32_t)get_le(p + 324, 4);
  c->shared_bytes = (uint32_t)get_le(p + 328, 4);
  c->scoreboard = (p[332] & 1) != 0, c->its = (p[332] & 2) != 0, c->bus_errors = p[333] != 0;
  c->read_age = p[334], c->pred_age = p[335];
  c->partitions = (uint32_t)get_le(p + 336, 4), c->regs = (uint32_t)get_le(p + 340, 4);
  c->register_banks = (uint32_t)get_le(p + 344, 4);
  c->hidden.kinds = (uint32_t)get_le(p + 348, 4), c->hidden.options = (uint32_t)get_le(p + 352, 4);
  c->clock_ahead = get_le(p + 356, 8);
  c->cache_sectors = (uint32_t)get_le(p + 364, 4), c->cache_promises = (uint32_t)get_le(p + 368, 4);
  c->shown = (uint32_t)get_le(p + 372, 4), c->memory_banks = (uint32_t)get_le(p + 376, 4);
  c->reorder = (uint32_t)get_le(p + 380, 4);
  return true;
}

bool heddle_tracefile_open(struct heddle_tracefile *t, FILE *from, FILE *to) {
  memset(t, 0, sizeof *t);
  t->from = from;
  t->to = to;
  t->sum = 0xcbf29ce484222325ull;
  if (from == NULL) return say_wrong(t, "no launch file");
  if (to == NULL) return say_wrong(t, "no file for the trace");
  return read_launch_header(t);
}

/* ---- the trace ---- */

bool heddle_tracefile_begin(struct heddle_tracefile *t) {
  const struct heddle_tracefile_core *c = &t->core;
  uint8_t *p = t->buf;
  p = put_le(p, HEDDLE_TRACE_VERSION, 4);
  p = put_le(put_le(p, c->isa_hash, 8), c->config_hash, 8);
  memcpy(p, c->config, sizeof c->config);
  memcpy(p + sizeof c->config, c->command, sizeof c->command);
  p += sizeof c->config + sizeof c->command;
  p = put_le(put_le(p, c->sm, 4), c->sms != 0 ? c->sms : 1, 4);
  p = put_le(put_le(put_le(p, c->lanes, 4), c->warp_slots, 4), c->block_slots, 4);
  p = put_le(p, c->shared_bytes, 4);
  p = put_le(p, (c->scoreboard ? 1u : 0u) | (c->its ? 2u : 0u), 1);
  p = put_le(put_le(put_le(p, c->bus_errors, 1), c->read_age, 1), c->pred_age, 1);
  p = put_le(put_le(put_le(p, c->partitions, 4), c->regs, 4), c->register_banks, 4);
  p = put_le(put_le(p, c->hidden.kinds, 4), c->hidden.options, 4);
  p = put_le(put_le(put_le(p, c->clock_ahead, 8), c->cache_sectors, 4), c->cache_promises, 4);
  p = put_le(put_le(put_le(p, c->shown != 0 ? c->shown : 1, 4), c->memory_banks, 4), c->reorder, 4);
  return put_raw(t, "HDLTRACE", 8) && section(t, 'H', t->buf, (size_t)(p - t->buf));
}

/* From 'L' to 'G'. The size of memory stands in the launch section, 72 bytes from its start. */
static bool copy_launch(struct heddle_tracefile *t, uint32_t n) {
  char tag = 'L';
  uint8_t start[80];
  if (n < sizeof start || !take_input(t, start, sizeof start))
    return say_wrong(t, "a launch section that is too short");
  t->memory_bytes = get_le(start + 72, 8);
  if (!put_head(t, tag, n) || !put_raw(t, start, sizeof start) || !pass_payload(t, n - (uint32_t)sizeof start, true))
    return false;
  while (tag != 'G') {
    if (!take_head(t, &tag, &n)) return false;
    if (strchr("CBMG", tag) == NULL || tag == '\0') return say_wrong(t, "a section in the wrong place");
    if (!put_head(t, tag, n) || !pass_payload(t, n, true)) return false;
  }
  return true;
}

bool heddle_tracefile_launch(struct heddle_tracefile *t) {
  char tag = 0;
  uint32_t n;
  if (t->wrong != NULL) return false;
  if (t->open) return say_wrong(t, "a launch has not been ended");
  for (;;) {
    if (!take_head(t, &tag, &n)) return false;
    if (tag == 'Z') return false;
    if (tag == 'L') break;
    if (!pass_payload(t, n, false)) return false;
  }
  t->open = true;
  t->launches++;
  t->cycle = 0;
  return copy_launch(t, n);
}

/* ---- records ---- */

static uint64_t field_number(const uint8_t *p, unsigned bytes) {
  uint8_t v8;
  uint16_t v16;
  uint32_t v32;
  uint64_t v64;
  switch (bytes) {
  case 1:
    return memcpy(&v8, p, 1), v8;
  case 2:
    return memcpy(&v16, p, 2), v16;
  case 4:
    return memcpy(&v32, p, 4), v32;
  default:
    return memcpy(&v64, p, 8), v64;
  }
}

static uint8_t *put_field(uint8_t *to, const struct heddle_record_field *f, const uint8_t *body, unsigned lanes) {
  const unsigned columns = f->dim == HEDDLE_RECORD_DIM_LANES ? lanes : f->columns;
  const uint64_t there = f->when_bytes == 0 ? ~(uint64_t)0 : field_number(body + f->when, f->when_bytes);
  for (unsigned row = 0; row < f->rows; row++)
    for (unsigned i = 0; i < columns && (there >> row & 1u) != 0; i++)
      to = put_le(to, field_number(body + f->offset + row * f->row_step + i * f->step, f->bytes), f->bytes);
  return to;
}

bool heddle_tracefile_record(struct heddle_tracefile *t, const struct heddle_retire_record *r) {
  uint8_t bytes[RECORD_MAX], *to = bytes + 12;
  const struct heddle_tracefile_core *c = &t->core;
  if (t->wrong != NULL) return false;
  if (!t->open) return say_wrong(t, "a record outside of a launch");
  if (!HEDDLE_RECORD_IS_KIND(r->kind) || ((uint64_t)c->hidden.kinds >> r->kind & 1u) != 0)
    return say_wrong(t, "a record of a kind that is not known, or said not to be shown");
  if (r->cycle < t->cycle) return say_wrong(t, "a record of a cycle before that of the last one");
  if (c->lanes > HEDDLE_RECORD_LANES) return say_wrong(t, "too many lanes");
  const struct heddle_record_layout *l = &record_layouts[r->kind];
  for (unsigned i = l->first; i < (unsigned)l->first + l->fields; i++) {
    const struct heddle_record_field *f = &record_fields[i];
    if (f->option >= 0 && (c->hidden.options >> f->option & 1u) != 0) continue;
    to = put_field(to, f, (const uint8_t *)&r->u, c->lanes);
  }
  bytes[0] = (uint8_t)r->kind;
  bytes[1] = (uint8_t)HEDDLE_RECORD_VERSION;
  put_le(bytes + 2, (uint64_t)(to - bytes - 12), 2);
  put_le(bytes + 4, r->cycle - t->cycle, 8);
  t->cycle = r->cycle;
  t->records++;
  return section(t, 'R', bytes, (size_t)(to - bytes));
}

static bool all_zero(const uint8_t *p, size_t n) {
  while (n > 0 && p[n - 1] == 0) n--;
  return n == 0;
}

bool heddle_tracefile_memory(struct heddle_tracefile *t, uint64_t at, const void *bytes, uint64_t n) {
  const uint8_t *p = bytes;
  if (t->wrong != NULL) return false;
  if (!t->open || at % HEDDLE_TRACE_PIECE != 0 || at > t->memory_bytes || n > t->memory_bytes - at)
    return say_wrong(t, "memory that is elsewhere");
  for (uint64_t k = 0; k < n; k += HEDDLE_TRACE_PIECE) {
    const size_t part = n - k < HEDDLE_TRACE_PIECE ? (size_t)(n - k) : HEDDLE_TRACE_PIECE;
    uint8_t where[8];
    if (all_zero(p + k, part)) continue;
    put_le(where, at + k, 8); /* eight bytes: what follows is still one run for the checksum */
    if (!put_head(t, 'F', (uint32_t)(8 + part)) || !put_raw(t, where, 8) || !put_raw(t, p + k, part)) return false;
  }
  return true;
}

bool heddle_tracefile_end(struct heddle_tracefile *t, uint64_t cycle) {
  uint8_t bytes[8];
  if (t->wrong != NULL) return false;
  if (!t->open || cycle < t->cycle) return say_wrong(t, "an end in the wrong place");
  t->open = false;
  put_le(bytes, cycle, 8);
  return section(t, 'E', bytes, 8);
}

bool heddle_tracefile_close(struct heddle_tracefile *t) {
  uint8_t bytes[24];
  if (t->open) (void)say_wrong(t, "a launch has not been ended");
  put_le(put_le(put_le(bytes, t->launches, 8), t->records, 8), t->sum, 8);
  bool ok = t->wrong == NULL && section(t, 'Z', bytes, 24);
  if (t->from != NULL) fclose(t->from);
  if (t->to != NULL && fclose(t->to) != 0) ok = say_wrong(t, "the trace cannot be written");
  return ok;
}
