/* SPDX-License-Identifier: Apache-2.0
 *
 * What the SM drives: beats, requests, and that it takes an answer.
 */
#include <stdio.h>
#include <string.h>

#include "cosim/port/l1_internal.h"

static bool broken(struct l1 *c, unsigned tag, const char *what) {
  if (c->error[0] == 0)
    snprintf(c->error, sizeof c->error, "cycle %llu: SM %u: tag %u: %s", (unsigned long long)c->cycle, c->o.sm, tag,
             what);
  return false;
}

/* The rest of the channel's rules is the memory's to check, of requests that come to it. */
static bool check_request(struct l1 *c, const struct heddle_line_port_request *r) {
  unsigned stored = 0;
  for (unsigned s = 0; s < SECTORS; s++)
    if (sector_strobes(c->gathered.strb, s) != 0) stored |= 1u << s;
  if (r->tag >= c->o.tags) return broken(c, r->tag, "there is no such tag");
  if (c->access[r->tag].where != FREE) return broken(c, r->tag, "its request has not ended");
  if (r->kind > HEDDLE_LINE_PORT_FETCH || r->sectors == 0 || r->sectors > 15)
    return broken(c, r->tag, "a kind or sectors that there are none of");
  if (r->kind == HEDDLE_LINE_PORT_STORE && (c->gathered.atom || stored != r->sectors))
    return broken(c, r->tag, "a store to other sectors than its beats");
  if (r->slot >= L1_MAX_SLOTS) return broken(c, r->tag, "there is no such warp slot");
  return true;
}

static void take_answer(struct l1 *c) {
  if (!c->out.answer_valid || !c->in.answer_ready) return;
  c->out.answer_valid = false;
  c->moved = c->cycle;
  if (!c->out.answer.done) return;
  struct access *e = &c->access[c->out.answer.tag];
  e->where = FREE;
  c->busy--;
  c->room++;
  if (e->r.kind == HEDDLE_LINE_PORT_ATOM) c->room_atoms++;
}

static void widen_strobes(struct heddle_line_port_write *w) {
  for (unsigned i = 0; i < HEDDLE_LINE_PORT_MAX_BYTES; i += 4)
    if ((w->strb[i / 64] >> i % 64 & 15u) != 0) w->strb[i / 64] |= UINT64_C(15) << i % 64;
}

static void first_wins(const struct l1 *c, struct heddle_line_port_write *w) {
  for (unsigned i = 0; i < c->bytes; i++) {
    const unsigned at = w->beat * c->bytes + i;
    if ((c->gathered.strb[at / 64] >> at % 64 & 1u) != 0) w->strb[i / 64] &= ~(UINT64_C(1) << i % 64);
  }
}

static void take_write(struct l1 *c) {
  struct heddle_line_port_write *w = &c->in.write;
  if (w->lane >= LANES || w->place >= WORDS || (w->atom ? w->piece * c->bytes >= 16 : w->beat >= c->beats)) {
    (void)broken(c, 0, "a beat of a place that there is none of");
    return;
  }
  if (bug(c, BUG_STROBES_WIDE) && !w->atom) widen_strobes(w);
  if (bug(c, BUG_MERGE_LOST) && !w->atom) first_wins(c, w);
  line_port_gather(&c->gathered, w, c->bytes);
}

static void take_request(struct l1 *c) {
  const struct heddle_line_port_request *r = &c->in.request;
  if (check_request(c, r)) {
    struct access *e = &c->access[r->tag];
    memset(e, 0, sizeof *e);
    e->where = QUEUED;
    e->r = *r;
    e->w = c->gathered;
    c->queue.item[c->queue.count++] = r->tag;
    c->busy++;
    c->moved = c->cycle;
  }
  memset(&c->gathered, 0, sizeof c->gathered);
}

void l1_take(struct l1 *c) {
  take_answer(c);
  if (c->in.write_valid) take_write(c);
  if (c->in.request_valid) take_request(c);
}
