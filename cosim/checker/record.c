/* SPDX-License-Identifier: Apache-2.0
 *
 * Retire records as text.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <heddle/record.h>
#include "base/text.h"

const char *heddle_record_kind_name(uint32_t kind) {
  static const char *const name[HEDDLE_RECORD_KINDS] = {[HEDDLE_RECORD_BLOCK_START] = "block start",
                                                        [HEDDLE_RECORD_WARP_START] = "warp start",
                                                        [HEDDLE_RECORD_GLOBAL] = "global",
                                                        [HEDDLE_RECORD_FILL] = "fill",
                                                        [HEDDLE_RECORD_PAGES] = "pages",
                                                        [HEDDLE_RECORD_ACK] = "ack",
                                                        [HEDDLE_RECORD_DROP] = "drop",
                                                        [HEDDLE_RECORD_MERGE] = "merge",
                                                        [HEDDLE_RECORD_HIT] = "hit",
                                                        [HEDDLE_RECORD_FENCE] = "fence",
                                                        [HEDDLE_RECORD_SHARED] = "shared",
                                                        [HEDDLE_RECORD_WRITE] = "write",
                                                        [HEDDLE_RECORD_PREDICATE] = "predicate",
                                                        [HEDDLE_RECORD_OPERANDS] = "operands",
                                                        [HEDDLE_RECORD_OPERANDS_MEMORY] = "operands (memory)",
                                                        [HEDDLE_RECORD_BARRIER] = "barrier",
                                                        [HEDDLE_RECORD_ISSUE] = "issue",
                                                        [HEDDLE_RECORD_UNIFORM_READ] = "uniform read",
                                                        [HEDDLE_RECORD_UNIFORM_WRITE] = "uniform write",
                                                        [HEDDLE_RECORD_TRAP] = "trap",
                                                        [HEDDLE_RECORD_BLOCK_END] = "block end"};
  return HEDDLE_RECORD_IS_KIND(kind) ? name[kind] : "?";
}

const struct heddle_record_id *heddle_record_id_of(const struct heddle_retire_record *r) {
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_WARP_START:
    return &r->u.warp_start.id;
  case HEDDLE_RECORD_GLOBAL:
    return &r->u.global.id;
  case HEDDLE_RECORD_ACK:
    return &r->u.ack.id;
  case HEDDLE_RECORD_DROP: /* of an access or a fence */
    return r->u.drop.cause <= HEDDLE_RECORD_DROP_EMPTYING ? &r->u.drop.id : NULL;
  case HEDDLE_RECORD_MERGE:
  case HEDDLE_RECORD_HIT:
    return &r->u.merge.id;
  case HEDDLE_RECORD_FENCE:
    return &r->u.fence.id;
  case HEDDLE_RECORD_SHARED:
    return &r->u.shared.id;
  case HEDDLE_RECORD_WRITE:
    return &r->u.write.id;
  case HEDDLE_RECORD_PREDICATE:
    return &r->u.predicate.id;
  case HEDDLE_RECORD_OPERANDS:
  case HEDDLE_RECORD_OPERANDS_MEMORY:
    return &r->u.operands.id;
  case HEDDLE_RECORD_ISSUE:
    return &r->u.issue.id;
  case HEDDLE_RECORD_UNIFORM_READ:
    return &r->u.uniform_read.id;
  case HEDDLE_RECORD_UNIFORM_WRITE:
    return &r->u.uniform_write.id;
  case HEDDLE_RECORD_TRAP:
    return &r->u.trap.id;
  case HEDDLE_RECORD_BLOCK_START:
  case HEDDLE_RECORD_FILL:
  case HEDDLE_RECORD_PAGES:
  case HEDDLE_RECORD_BARRIER:
  case HEDDLE_RECORD_BLOCK_END:
  case HEDDLE_RECORD_KINDS:
    break;
  }
  return NULL;
}

unsigned heddle_record_sm(const struct heddle_retire_record *r) {
  const struct heddle_record_id *id = heddle_record_id_of(r);
  if (id != NULL) return id->sm;
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_BLOCK_START:
    return r->u.block_start.sm;
  case HEDDLE_RECORD_FILL:
    return r->u.fill.sm;
  case HEDDLE_RECORD_DROP:
    return r->u.drop.id.sm;
  case HEDDLE_RECORD_BARRIER:
    return r->u.barrier.sm;
  case HEDDLE_RECORD_BLOCK_END:
    return r->u.block_end.sm;
  default:
    return 0;
  }
}

static void put_row(struct text_room *t, const uint32_t *data, uint32_t mask, unsigned lanes) {
  for (unsigned i = 0; i < lanes && i < HEDDLE_RECORD_LANES; i++) {
    if ((mask >> i & 1u) != 0)
      text_print(t, " %08x", data[i]);
    else
      text_print(t, " --------");
  }
}

static void put_bytes(struct text_room *t, const uint8_t *p) {
  for (unsigned i = 0; i < HEDDLE_RECORD_SECTOR; i++) text_print(t, "%s%02x", i % 4 == 0 ? " " : "", p[i]);
}

static void put_shared(struct text_room *t, const struct heddle_record_shared *s) {
  text_print(t, " %s lanes 0x%08x",
             s->access == HEDDLE_RECORD_LOAD    ? "load"
             : s->access == HEDDLE_RECORD_STORE ? "store"
                                                : "atomic",
             s->lanes);
  for (unsigned b = 0; b < HEDDLE_RECORD_BANKS; b++)
    if ((s->bank_en >> b & 1u) != 0)
      text_print(t, " [bank %u row %u strobe %x w %08x r %08x]", b, s->row[b], s->wstrb[b], s->wdata[b], s->rdata[b]);
}

static void put_operands(struct text_room *t, const struct heddle_record_operands *o, unsigned lanes) {
  text_print(t, " beat %u mask 0x%x", o->beat, o->mask);
  for (unsigned k = 0; k < HEDDLE_RECORD_ROWS; k++) {
    if (((unsigned)o->used >> k & 1u) == 0) continue;
    text_print(t, " | %u:", o->index[k]);
    put_row(t, o->data[k], o->mask, lanes);
  }
}

static void put_predicate(struct text_room *t, const struct heddle_record_predicate *p) {
  text_print(t, " beat %u", p->beat);
  for (unsigned k = 0; k < HEDDLE_RECORD_PREDICATES; k++)
    if (((unsigned)p->used >> k & 1u) != 0)
      text_print(t, " P%u=0x%x mask 0x%x", p->value[k].index, p->value[k].data, p->value[k].mask);
}

static void put_uniform_read(struct text_room *t, const struct heddle_record_uniform_read *u) {
  static const char *const word[HEDDLE_RECORD_UNIFORM] = {"a", "b", "c", "c.1"};
  for (unsigned k = 0; k < HEDDLE_RECORD_UNIFORM; k++)
    if (((unsigned)u->used >> k & 1u) != 0) text_print(t, " %s=%08x", word[k], u->data[k]);
}

static void put_uniform_write(struct text_room *t, const struct heddle_record_uniform_write *u) {
  for (unsigned k = 0; k < HEDDLE_RECORD_RESULT; k++)
    if (((unsigned)u->used >> k & 1u) != 0) text_print(t, " UR%u=%08x", u->rd + k, u->data[k]);
  for (unsigned p = 0; p < 8; p++)
    if (((unsigned)u->pred >> p & 1u) != 0) text_print(t, " UP%u=%u", p, (unsigned)u->value >> p & 1u);
}

/* A field that the device shows. */
static void put_shown(struct text_room *t, struct heddle_record_hidden h, enum heddle_record_option field,
                      const char *name, uint64_t v) {
  if (heddle_record_shows_field(h, field)) text_print(t, " %s %llu", name, (unsigned long long)v);
}

static void put_issue(struct text_room *t, const struct heddle_record_issue *r, struct heddle_record_hidden h) {
  text_print(t, " pc 0x%x word %016llx_%016llx active 0x%08x exec 0x%08x", r->pc, (unsigned long long)r->word[1],
             (unsigned long long)r->word[0], r->active, r->exec);
  if (heddle_record_shows_field(h, HEDDLE_RECORD_OPTION_ISSUE_PS))
    text_print(t, " ps 0x%x 0x%x 0x%x", r->ps[0], r->ps[1], r->ps[2]);
  if (heddle_record_shows_field(h, HEDDLE_RECORD_OPTION_ISSUE_DHASH))
    text_print(t, " hash %016llx", (unsigned long long)r->dhash);
  put_shown(t, h, HEDDLE_RECORD_OPTION_ISSUE_CLOCK, "clock", r->clock);
}

static void put_write(struct text_room *t, const struct heddle_record_write *r, unsigned lanes,
                      struct heddle_record_hidden h) {
  text_print(t, " R%u beat %u", r->rd, r->beat);
  put_shown(t, h, HEDDLE_RECORD_OPTION_WRITE_PORT, "port", r->port);
  put_shown(t, h, HEDDLE_RECORD_OPTION_WRITE_BANK, "bank", r->bank);
  put_shown(t, h, HEDDLE_RECORD_OPTION_WRITE_ROW, "row", r->row);
  text_print(t, " mask 0x%x:", r->mask);
  put_row(t, r->data, r->mask, lanes);
}

static void put_fill(struct text_room *t, const struct heddle_record_fill *f, struct heddle_record_hidden h) {
  text_print(t, " number %u sector 0x%llx%s", f->number, (unsigned long long)f->sector,
             f->is_local != 0 ? " local" : "");
  put_shown(t, h, HEDDLE_RECORD_OPTION_GLOBAL_BANK, "bank", f->bank);
  put_shown(t, h, HEDDLE_RECORD_OPTION_GLOBAL_STAMP, "stamp", f->stamp);
}

static void put_pages(struct text_room *t, const struct heddle_record_pages *p) {
  static const char *const what[HEDDLE_RECORD_PAGES_DO] = {
      "walk begins", "walk for a write begins", "SMs forget",  "that is over", "REPLAY",
      "FAIL",        "walk ends in error",      "launch walks"};
  text_print(t, " %s: page 0x%llx space %u number %u all %u", p->what < HEDDLE_RECORD_PAGES_DO ? what[p->what] : "?",
             (unsigned long long)p->page, p->space, p->number, p->all);
}

static void put_drop(struct text_room *t, const struct heddle_record_drop *d) {
  static const char *const why[HEDDLE_RECORD_CAUSES] = {"a store",    "an atomic", "a strong load", "a fence",
                                                        "CCTL.IVALL", "a launch",  "replaced",      "an error"};
  if (d->all != 0)
    text_print(t, " everything");
  else
    text_print(t, "%s line 0x%llx sectors 0x%x lanes 0x%08x", d->is_local != 0 ? " local" : "",
               (unsigned long long)d->line, d->sectors, d->lanes);
  text_print(t, ": %s", d->cause < HEDDLE_RECORD_CAUSES ? why[d->cause] : "?");
}

/* merge, hit: of each sector the fill that brings it. */
static void put_reads(struct text_room *t, const struct heddle_record_merge *m) {
  text_print(t, " %s line 0x%llx lanes 0x%08x", m->access == HEDDLE_RECORD_LOCAL_LOAD ? "local" : "global",
             (unsigned long long)m->line, m->lanes);
  for (unsigned s = 0; s < HEDDLE_RECORD_LINE; s++)
    if (((unsigned)m->used >> s & 1u) != 0) text_print(t, " sector %u of fill %u", s, m->number[s]);
}

static void put_fence(struct text_room *t, const struct heddle_record_fence *f) {
  static const char *const scope[HEDDLE_RECORD_SCOPES] = {"CTA", "GPU", "an emptying"};
  text_print(t, " %s", f->scope < HEDDLE_RECORD_SCOPES ? scope[f->scope] : "?");
}

static void put_body(struct text_room *t, const struct heddle_retire_record *r, unsigned lanes,
                     struct heddle_record_hidden h) {
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_BLOCK_START:
    text_print(t, " slot %u (%u,%u,%u) warps 0x%llx shared 0x%x", r->u.block_start.bslot, r->u.block_start.ctaid[0],
               r->u.block_start.ctaid[1], r->u.block_start.ctaid[2], (unsigned long long)r->u.block_start.warps,
               r->u.block_start.shared_base);
    return;
  case HEDDLE_RECORD_WARP_START:
    text_print(t, " block slot %u registers from %u", r->u.warp_start.bslot, r->u.warp_start.reg_base);
    return;
  case HEDDLE_RECORD_GLOBAL:
    text_print(t, " %s lanes 0x%08x sector 0x%llx strobe 0x%08x w",
               r->u.global.access == HEDDLE_RECORD_LOAD          ? "load"
               : r->u.global.access == HEDDLE_RECORD_STORE       ? "store"
               : r->u.global.access == HEDDLE_RECORD_LOCAL_LOAD  ? "local load"
               : r->u.global.access == HEDDLE_RECORD_LOCAL_STORE ? "local store"
                                                                 : "atomic",
               r->u.global.lanes, (unsigned long long)r->u.global.sector, r->u.global.wstrb);
    put_bytes(t, r->u.global.wdata);
    text_print(t, " r");
    put_bytes(t, r->u.global.rdata);
    put_shown(t, h, HEDDLE_RECORD_OPTION_GLOBAL_BANK, "bank", r->u.global.bank);
    put_shown(t, h, HEDDLE_RECORD_OPTION_GLOBAL_STAMP, "stamp", r->u.global.stamp);
    return;
  case HEDDLE_RECORD_FILL:
    put_fill(t, &r->u.fill, h);
    return;
  case HEDDLE_RECORD_PAGES:
    put_pages(t, &r->u.pages);
    return;
  case HEDDLE_RECORD_ACK:
    text_print(t, " line 0x%llx lanes 0x%08x", (unsigned long long)r->u.ack.line, r->u.ack.lanes);
    return;
  case HEDDLE_RECORD_DROP:
    put_drop(t, &r->u.drop);
    return;
  case HEDDLE_RECORD_MERGE:
  case HEDDLE_RECORD_HIT:
    put_reads(t, &r->u.merge);
    return;
  case HEDDLE_RECORD_FENCE:
    put_fence(t, &r->u.fence);
    return;
  case HEDDLE_RECORD_SHARED:
    put_shared(t, &r->u.shared);
    return;
  case HEDDLE_RECORD_WRITE:
    put_write(t, &r->u.write, lanes, h);
    return;
  case HEDDLE_RECORD_PREDICATE:
    put_predicate(t, &r->u.predicate);
    return;
  case HEDDLE_RECORD_OPERANDS:
  case HEDDLE_RECORD_OPERANDS_MEMORY:
    put_operands(t, &r->u.operands, lanes);
    return;
  case HEDDLE_RECORD_BARRIER:
    text_print(t, " block slot %u barrier %u", r->u.barrier.bslot, r->u.barrier.id);
    return;
  case HEDDLE_RECORD_ISSUE:
    put_issue(t, &r->u.issue, h);
    return;
  case HEDDLE_RECORD_UNIFORM_READ:
    put_uniform_read(t, &r->u.uniform_read);
    return;
  case HEDDLE_RECORD_UNIFORM_WRITE:
    put_uniform_write(t, &r->u.uniform_write);
    return;
  case HEDDLE_RECORD_TRAP:
    text_print(t, " cause %u pc 0x%x lanes 0x%08x addr 0x%llx", r->u.trap.cause, r->u.trap.pc, r->u.trap.lanes,
               (unsigned long long)r->u.trap.addr);
    return;
  case HEDDLE_RECORD_BLOCK_END:
    text_print(t, " slot %u", r->u.block_end.bslot);
    return;
  case HEDDLE_RECORD_KINDS:
    return;
  }
}

void heddle_record_text(const struct heddle_retire_record *r, unsigned lanes, struct heddle_record_hidden hidden,
                        char *buf, size_t bytes) {
  if (bytes == 0) return;
  struct text_room t = {buf, bytes, 0};
  buf[0] = '\0';
  text_print(&t, "%s", heddle_record_kind_name(r->kind));
  const struct heddle_record_id *id = heddle_record_id_of(r);
  if (id != NULL) text_print(&t, " warp slot %u gen %u seq %u", id->slot, id->gen, id->seq);
  put_body(&t, r, lanes, hidden);
}
