/* SPDX-License-Identifier: Apache-2.0
 *
 * The records in a frame of a stream: nibbles, of which words are made by what stood in their context before. The table
 * is generated from cosim/retire/retire.records, as the RTL's is (lab/fpga/board/stream/stream_code.sv is the other
 * side).
 */
#include <string.h>

#include <heddle/record_banks.h>
#include "cosim/trace/stream_internal.h"

/* As stream_pkg.sv has them. */
enum code { SAME1, SAME2, SAME4, STEP, ZERO, TURN, U4, D4, U8, D8, U16, S16, D16, H16, U24, RAW };
enum { CODE_TIME = 14, CODE_LAST = 15, GAP_LONG = 15, KEY_LOW = 4, KEY_BITS = 7 };

void words_begin(struct stream_words *w, uint64_t cycle) {
  memset(w->prev, 0, sizeof w->prev);
  memset(w->step, 0, sizeof w->step);
  w->cycle = cycle;
  w->left = 0;
  w->open = false;
}

void words_frame(struct stream_words *w, const uint8_t *p, size_t n) {
  w->at = p;
  w->left = 2 * n;
  w->high = false;
  w->open = true;
}

static bool nibble(struct stream_words *w, unsigned *v) {
  if (w->left == 0) return false;
  *v = w->high ? *w->at >> 4 : *w->at & 15u;
  if (w->high) w->at++;
  w->high = !w->high;
  w->left--;
  return true;
}

/* The lowest comes first. */
static bool nibbles(struct stream_words *w, unsigned n, uint32_t *v) {
  *v = 0;
  for (unsigned i = 0; i < n; i++) {
    unsigned x;
    if (!nibble(w, &x)) return false;
    *v |= x << 4 * i;
  }
  return true;
}

static uint32_t sign_extended(uint32_t v, unsigned bits) {
  const uint32_t sign = UINT32_C(1) << (bits - 1);
  return (v ^ sign) - sign;
}

/* One word of what is expected at `c`. `same`: words that are still to be the same. */
static bool decode_word(struct stream_words *w, unsigned c, unsigned *same, uint32_t *out) {
  static const uint8_t follow[16] = {0, 0, 0, 0, 0, 0, 1, 1, 2, 2, 4, 4, 4, 4, 6, 8};
  const uint32_t prev = w->prev[c];
  uint32_t v = prev, data;
  if (*same > 0) {
    --*same;
  } else {
    unsigned code;
    if (!nibble(w, &code) || !nibbles(w, follow[code], &data)) return false;
    switch ((enum code)code) {
    case SAME1:
      break;
    case SAME2:
      *same = 1;
      break;
    case SAME4:
      *same = 3;
      break;
    case STEP:
      v = prev + w->step[c];
      break;
    case ZERO:
      v = 0;
      break;
    case TURN:
      v = (prev << 1 | (prev >> (w->lanes - 1) & 1u)) & (UINT32_MAX >> (32 - w->lanes));
      break;
    case D4:
      v = prev + sign_extended(data, 4);
      break;
    case D8:
      v = prev + sign_extended(data, 8);
      break;
    case D16:
      v = prev + sign_extended(data, 16);
      break;
    case S16:
      v = sign_extended(data, 16);
      break;
    case H16:
      v = data << 16;
      break;
    default:
      v = data;
      break;
    }
  }
  /* Only the contexts of their own have a step. */
  w->step[c] = c < STREAM_KEYS ? 0 : v - prev;
  w->prev[c] = v;
  *out = v;
  return true;
}

static uint64_t field_at(const uint8_t *body, unsigned offset, unsigned bytes) {
  uint64_t v = 0;
  memcpy(&v, body + offset, bytes);
  return v;
}

static unsigned part_size(const struct stream_words *w, int dim, unsigned fixed, unsigned per) {
  if (dim < 0) return fixed;
  return (dim == HEDDLE_RECORD_DIM_LANES ? w->lanes : w->banks) / per;
}

static unsigned context_of(const struct heddle_stream_part *p, const uint8_t *body, unsigned row, unsigned column) {
  if (p->of_bytes != 0) {
    const unsigned key = (unsigned)(field_at(body, p->of, p->of_bytes) >> KEY_LOW) & ((1u << KEY_BITS) - 1);
    return 4 * key + column % 4;
  }
  const unsigned by = p->by == HEDDLE_STREAM_BY_COLUMN ? column : p->by == HEDDLE_STREAM_BY_ROW ? row : 0;
  return STREAM_KEYS + p->context + by;
}

static bool decode_part(struct stream_words *w, const struct heddle_stream_part *p, uint8_t *body, unsigned *same) {
  const unsigned rows = part_size(w, p->row_dim, p->rows, 1);
  const unsigned columns = part_size(w, p->column_dim, p->columns, (unsigned)p->per);
  const uint64_t when = p->when_bytes != 0 ? field_at(body, p->when, p->when_bytes) : UINT64_MAX;
  const uint64_t lanes = p->lanes_bytes != 0 ? field_at(body, p->lanes, p->lanes_bytes) : UINT64_MAX;
  for (unsigned i = 0; i < rows; i++)
    for (unsigned k = 0; k < columns; k++) {
      uint32_t v;
      if ((when >> i & 1u) == 0 || (lanes >> k & 1u) == 0) continue;
      if (!decode_word(w, context_of(p, body, i, k), same, &v)) return false;
      memcpy(body + p->offset + i * p->row_step + 4 * k, &v, 4);
    }
  return true;
}

/* As records have it: 32 banks, and zero where none is accessed. */
static void pass_of(struct heddle_record_shared *r, unsigned banks) {
  heddle_record_spread_banks(r, banks);
  for (unsigned i = 0; i < HEDDLE_RECORD_BANKS; i++) {
    if ((r->bank_en >> i & 1u) != 0) continue;
    r->row[i] = 0;
    r->wstrb[i] = 0;
    r->wdata[i] = r->rdata[i] = 0;
  }
}

static bool gap(struct stream_words *w, uint32_t *cycles) {
  unsigned v;
  if (!nibble(w, &v)) return false;
  *cycles = v;
  return v != GAP_LONG || nibbles(w, 8, cycles);
}

bool words_next(struct stream_words *w, struct heddle_retire_record *r, const char **why) {
  unsigned code, same = 0, rest;
  uint32_t cycles;
  do {
    if (!w->open) return false;
    *why = "a frame that ends inside a record";
    if (!nibble(w, &code)) return false;
    if (code == CODE_LAST) {
      const bool clean = w->left == 0 || (w->left == 1 && nibble(w, &rest) && rest == 0);
      w->open = false;
      *why = clean ? NULL : "something behind the end of a frame";
      return false;
    }
    if (!gap(w, &cycles)) return false;
    w->cycle += cycles;
  } while (code == CODE_TIME);
  *why = "a record of no kind";
  if (code >= HEDDLE_STREAM_KINDS) return false;
  const struct heddle_stream_kind *k = &stream_kinds[code];
  memset(r, 0, sizeof *r);
  r->kind = k->kind;
  r->cycle = w->cycle;
  *why = "a frame that ends inside a record";
  for (unsigned i = 0; i < k->parts; i++)
    if (!decode_part(w, &stream_parts[k->first + i], (uint8_t *)&r->u, &same)) return false;
  *why = "a record with more words than it has";
  if (same != 0) return false;
  if (r->kind == HEDDLE_RECORD_SHARED) pass_of(&r->u.shared, w->banks);
  *why = NULL;
  return true;
}
