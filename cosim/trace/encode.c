/* SPDX-License-Identifier: Apache-2.0
 *
 * One record as bytes: rows only as long as the machine has lanes, cycles as differences.
 * One walk serves both directions, so that writer and reader cannot disagree about the layout.
 */
#include "wire.h"

struct walk {
  struct wire w;
  bool write;
};

static void number(struct walk *k, void *field, unsigned field_bytes, unsigned wire_size) {
  uint64_t v = 0;
  if (k->write) {
    memcpy(&v, field, field_bytes); /* little-endian hosts; the header is refused elsewhere */
    wire_put(&k->w, v, wire_size);
  } else {
    v = wire_get(&k->w, wire_size);
    memcpy(field, &v, field_bytes);
  }
}

static void bytes(struct walk *k, void *p, size_t n) {
  if (k->write)
    wire_bytes(&k->w, p, n);
  else
    wire_take(&k->w, p, n);
}

#define NUM(f) number(k, &(f), sizeof(f), sizeof(f))

static void walk_id(struct walk *k, struct record_id *id) {
  NUM(id->slot);
  NUM(id->gen);
  NUM(id->seq);
}

static void walk_operands(struct walk *k, struct record_operands *o, unsigned lanes) {
  walk_id(k, &o->id);
  NUM(o->beat);
  NUM(o->used);
  NUM(o->mask);
  for (unsigned s = 0; s < RECORD_SLOTS; s++)
    if (((unsigned)o->used >> s & 1u) != 0) bytes(k, o->data[s], lanes * sizeof o->data[s][0]);
}

static void walk_shared(struct walk *k, struct record_shared *s) {
  walk_id(k, &s->id);
  NUM(s->access);
  NUM(s->lanes);
  NUM(s->bank_en);
  for (unsigned b = 0; b < RECORD_BANKS; b++) {
    if ((s->bank_en >> b & 1u) == 0) continue;
    NUM(s->row[b]);
    NUM(s->wstrb[b]);
    NUM(s->wdata[b]);
    NUM(s->rdata[b]);
  }
}

static void walk_issue(struct walk *k, struct record_issue *i) {
  walk_id(k, &i->id);
  NUM(i->pc);
  NUM(i->lo);
  NUM(i->hi);
  NUM(i->active);
  NUM(i->exec);
  for (unsigned p = 0; p < 3; p++) NUM(i->ps[p]);
  NUM(i->dhash);
}

static void walk_access(struct walk *k, struct record_global *g) {
  walk_id(k, &g->id);
  NUM(g->access);
  NUM(g->lanes);
  NUM(g->wstrb);
  NUM(g->sector);
  bytes(k, g->wdata, RECORD_SECTOR);
  bytes(k, g->rdata, RECORD_SECTOR);
}

static void walk_write(struct walk *k, struct record_write *w, unsigned lanes) {
  walk_id(k, &w->id);
  NUM(w->bank);
  NUM(w->rd);
  NUM(w->beat);
  NUM(w->mask);
  bytes(k, w->data, lanes * sizeof w->data[0]);
}

static void walk_predicate(struct walk *k, struct record_predicate *p) {
  walk_id(k, &p->id);
  NUM(p->beat);
  NUM(p->pd0);
  NUM(p->pd1);
  NUM(p->mask);
  NUM(p->d0);
  NUM(p->d1);
}

static void walk_block_start(struct walk *k, struct record_block_start *b) {
  NUM(b->bslot);
  for (unsigned i = 0; i < 3; i++) NUM(b->ctaid[i]);
  NUM(b->warps);
  NUM(b->shared_base);
}

static void walk_trap(struct walk *k, struct record_trap *t) {
  NUM(t->cause);
  walk_id(k, &t->id);
  NUM(t->pc);
  NUM(t->lanes);
  NUM(t->addr);
}

static void walk_body(struct walk *k, struct retire_record *r, unsigned lanes) {
  switch ((enum record_kind)r->kind) {
  case RECORD_BLOCK_START:
    walk_block_start(k, &r->u.block_start);
    return;
  case RECORD_GLOBAL:
    walk_access(k, &r->u.global);
    return;
  case RECORD_SHARED:
    walk_shared(k, &r->u.shared);
    return;
  case RECORD_WRITE:
    walk_write(k, &r->u.write, lanes);
    return;
  case RECORD_PREDICATE:
    walk_predicate(k, &r->u.predicate);
    return;
  case RECORD_OPERANDS:
  case RECORD_OPERANDS_MEMORY:
    walk_operands(k, &r->u.operands, lanes);
    return;
  case RECORD_BARRIER:
    NUM(r->u.barrier.bslot);
    NUM(r->u.barrier.id);
    return;
  case RECORD_ISSUE:
    walk_issue(k, &r->u.issue);
    return;
  case RECORD_TRAP:
    walk_trap(k, &r->u.trap);
    return;
  case RECORD_BLOCK_END:
    NUM(r->u.block_end.bslot);
    return;
  case RECORD_KINDS:
    break;
  }
  k->w.bad = true;
}

size_t trace_encode(const struct retire_record *r, unsigned lanes, uint64_t last_cycle, uint8_t *buf) {
  struct retire_record copy = *r;
  struct walk k = {{buf, buf + TRACE_RECORD_MAX, false}, true};
  wire_put(&k.w, r->kind, 1);
  wire_put(&k.w, r->cycle - last_cycle, 8);
  walk_body(&k, &copy, lanes);
  return k.w.bad ? 0 : (size_t)(k.w.at - buf);
}

bool trace_decode(const uint8_t *buf, size_t size, unsigned lanes, uint64_t last_cycle, struct retire_record *r) {
  uint8_t copy[TRACE_RECORD_MAX];
  if (size > sizeof copy || lanes > RECORD_LANES) return false;
  memcpy(copy, buf, size);
  struct walk k = {{copy, copy + size, false}, false};
  memset(r, 0, sizeof *r);
  r->kind = (uint32_t)wire_get(&k.w, 1);
  r->cycle = last_cycle + wire_get(&k.w, 8);
  walk_body(&k, r, lanes);
  return !k.w.bad && k.w.at == k.w.end;
}
