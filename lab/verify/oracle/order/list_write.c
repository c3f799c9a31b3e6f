/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace as a list: order_list.h.
 */
#include "lab/verify/oracle/order/cache.h"
#include "lab/verify/oracle/order/order_list.h"
#include <inttypes.h>
#include <stdlib.h>

enum { NUMBERS = 128, STAMPS = 64 }; /* of an instruction, of a record */

struct list_out {
  FILE *f;
  uint32_t came[HEDDLE_RECORD_WARPS][BARRIERS]; /* seq with which a warp slot came to a barrier */
  uint32_t released;                            /* instances of barriers so far */
  bool too_long;                                /* a number in program order was too large */
};

bool order_write_open(struct order *o) {
  if (o->o->write_list == NULL) return true;
  if (o->sms > 1) {
    o->r->outcome = ORDER_REFUSED;
    (void)snprintf(o->r->what, sizeof o->r->what, "%s: a trace of %u SMs, with records that have no moments in common",
                   o->path, o->sms);
    return false;
  }
  if (o->cache != NULL && !order_promises(o)) {
    o->r->outcome = ORDER_REFUSED;
    (void)snprintf(o->r->what, sizeof o->r->what,
                   "%s: its cache does not promise that no load joins what is closed: a load through it has no moment "
                   "that a list could name (docs/order-list.md)",
                   o->path);
    return false;
  }
  o->out = calloc(1, sizeof *o->out);
  if (o->out == NULL) return order_too_much(o, "no memory");
  o->out->f = fopen(o->o->write_list, "w");
  if (o->out->f != NULL) {
    (void)fprintf(o->out->f,
                  "heddle-order-list 1\n# from a retire trace: a thread is a warp\n"
                  "stamps total\ngranule 32\nscopes %s\n",
                  o->cache != NULL ? "cta gpu" : "gpu");
    return true;
  }
  o->r->outcome = ORDER_REFUSED;
  (void)snprintf(o->r->what, sizeof o->r->what, "%s: cannot be written", o->o->write_list);
  return false;
}

bool order_write_close(struct order *o) {
  if (o->out == NULL) return true;
  FILE *f = o->out->f;
  const bool too_long = o->out->too_long;
  bool ok = !too_long && (f == NULL || !ferror(f));
  if (f != NULL && fclose(f) != 0) ok = false;
  free(o->out);
  o->out = NULL;
  if (ok) return true;
  o->r->outcome = ORDER_REFUSED;
  (void)snprintf(o->r->what, sizeof o->r->what, "%s: %s", o->o->write_list,
                 too_long ? "a warp has 2^25 instructions or more: its list has no numbers for them"
                          : "not all could be written");
  return false;
}

static FILE *open_list(const struct order *o) {
  return o->out != NULL && o->r->launches == 1 ? o->out->f : NULL;
}

/* In program order: the n-th of an instruction. */
static uint32_t program_number(struct order *o, uint32_t seq, uint32_t n) {
  if (seq >= UINT32_MAX / NUMBERS) o->out->too_long = true;
  return seq * NUMBERS + n;
}

static void put_hex_value(FILE *f, const uint8_t *p, unsigned n) {
  (void)fprintf(f, " 0x");
  for (unsigned k = n; k-- > 0;) (void)fprintf(f, "%02x", p[k]);
}

void order_write_warp(struct order *o, const struct warp *w) {
  FILE *f = open_list(o);
  if (f != NULL) (void)fprintf(f, "thread %" PRIu32 " block %" PRIu32 "\n", w->life, order_block_of(o, w)->number);
}

static void write_memory_line(const struct order *o, const struct location *l, const char *word, const uint8_t *bytes) {
  FILE *f = open_list(o);
  const uint64_t at = l->at * PLACE_BYTES;
  if (f == NULL || l->space != ISA_SPACE_GLOBAL || at + PLACE_BYTES <= o->base || at >= o->base + o->bytes) return;
  const uint64_t first = at > o->base ? at : o->base;
  const uint64_t end = at + PLACE_BYTES < o->base + o->bytes ? at + PLACE_BYTES : o->base + o->bytes;
  (void)fprintf(f, "%s 0x%" PRIx64 " %u", word, first, (unsigned)(end - first));
  put_hex_value(f, bytes + (first - o->base), (unsigned)(end - first));
  (void)fprintf(f, "\n");
}

void order_write_start(struct order *o, const struct location *l) {
  write_memory_line(o, l, "memory", o->initial);
}

void order_write_end(struct order *o) {
  FILE *f = open_list(o);
  uint64_t bytes;
  const uint8_t *last = heddle_trace_memory(o->t, &bytes);
  if (f == NULL) return;
  for (size_t k = 0; bytes == o->bytes && k < o->locations; k++) write_memory_line(o, &o->location[k], "final", last);
  (void)fprintf(f, "end\n");
}

void order_write_access(struct order *o, const struct warp *w, const struct insn *i, const struct part *p,
                        unsigned lane, const uint8_t *saw, const uint8_t *left) {
  static const char *const space[] = {[ISA_SPACE_SHARED] = "shared:", [ISA_SPACE_LOCAL] = "local:"};
  FILE *f = open_list(o);
  uint64_t record = o->r->records;
  if (f == NULL || (o->cache != NULL && p->loc->space == ISA_SPACE_LOCAL)) return;
  if (o->cache != NULL && p->loc->space == ISA_SPACE_GLOBAL) record = i->cache.record[lane];
  (void)fprintf(f, "%s %" PRIu32 " %" PRIu32 " %s0x%" PRIx64 " %u",
                saw == NULL    ? "store"
                : left == NULL ? "load"
                               : "atomic",
                w->life, program_number(o, i->seq, p->word * LANES + lane),
                p->loc->space == ISA_SPACE_GLOBAL ? "" : space[p->loc->space], p->loc->at * PLACE_BYTES + p->at[lane],
                p->bytes);
  if (saw != NULL) put_hex_value(f, saw, p->bytes);
  if (left != NULL) put_hex_value(f, left, p->bytes);
  (void)fprintf(f, " at %" PRIu64 "\n", record * STAMPS + lane);
}

void order_write_fence(struct order *o, const struct warp *w, const struct fence *fence,
                       enum heddle_record_scope scope) {
  FILE *f = open_list(o);
  if (f != NULL && scope != HEDDLE_RECORD_SCOPE_EMPTYING)
    (void)fprintf(f, "fence %" PRIu32 " %" PRIu32 " sc %s at %" PRIu64 "\n", w->life, program_number(o, fence->seq, 0),
                  scope == HEDDLE_RECORD_SCOPE_CTA ? "cta" : "gpu", o->r->records * STAMPS);
}

void order_write_arrival(struct order *o, unsigned slot, unsigned id, uint32_t seq) {
  if (o->out != NULL) o->out->came[slot][id] = seq;
}

void order_write_barrier(struct order *o, const struct heddle_record_barrier *r, unsigned need) {
  FILE *f = open_list(o);
  if (f == NULL || need == 0) return;
  const struct block *b = &o->block[r->bslot];
  const struct meeting *m = &b->bar[r->id];
  for (uint64_t rest = m->came; rest != 0; rest &= rest - 1) {
    const unsigned slot = (unsigned)__builtin_ctzll(rest);
    (void)fprintf(f, "barrier %" PRIu32 " %" PRIu32 " %" PRIu32 " %" PRIu32 " %u %s%s\n", o->warp[slot].life,
                  program_number(o, o->out->came[slot][r->id], 1), b->number * BARRIERS + r->id, o->out->released, need,
                  o->cache != NULL ? "cta" : "gpu", (m->waits >> slot & 1u) != 0 ? "" : " arrive");
  }
  o->out->released++;
}
