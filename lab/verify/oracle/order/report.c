/* SPDX-License-Identifier: Apache-2.0
 *
 * What broke, in words.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lab/verify/oracle/order/order_list.h"

const char *order_axiom_name(enum order_axiom a) {
  static const char *const name[ORDER_AXIOMS] = {[ORDER_AXIOM_NONE] = "none",
                                                 [ORDER_READS_FROM] = "reads-from",
                                                 [ORDER_ATOMICITY] = "atomicity",
                                                 [ORDER_STORED] = "stored",
                                                 [ORDER_RESULT] = "result",
                                                 [ORDER_PROGRAM] = "program-order",
                                                 [ORDER_FENCE] = "fence",
                                                 [ORDER_BARRIER] = "barrier",
                                                 [ORDER_ONCE] = "once",
                                                 [ORDER_PLACE] = "place",
                                                 [ORDER_TOGETHER] = "together",
                                                 [ORDER_BLOCK] = "block",
                                                 [ORDER_TRAP] = "trap",
                                                 [ORDER_MEMORY] = "memory",
                                                 [ORDER_STAMP] = "stamp",
                                                 [ORDER_RECORD] = "record",
                                                 [ORDER_VISIBILITY] = "visibility",
                                                 [ORDER_BACKWARDS] = "backwards",
                                                 [ORDER_DROPPED] = "dropped",
                                                 [ORDER_FILL] = "fill",
                                                 [ORDER_ACKNOWLEDGED] = "acknowledged"};
  return (unsigned)a < ORDER_AXIOMS ? name[a] : "?";
}

bool order_broken(struct order *o, enum order_axiom a, const char *format, ...) {
  if (o->r->outcome == ORDER_BROKEN) return o->out != NULL;
  va_list ap;
  va_start(ap, format);
  (void)vsnprintf(o->r->what, sizeof o->r->what, format, ap);
  va_end(ap);
  o->r->outcome = ORDER_BROKEN;
  o->r->axiom = a;
  o->r->cycle = o->cycle;
  return o->out != NULL; /* the list goes on with what comes later */
}

bool order_too_much(struct order *o, const char *what) {
  (void)snprintf(o->r->what, sizeof o->r->what, "%s", what);
  o->r->outcome = ORDER_TOO_MUCH;
  return false;
}

void order_word_text(const struct order *o, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  struct heddle_isa_dec d;
  if (o->o->disassemble != NULL)
    o->o->disassemble(o->o->ctx, w, pc, buf, bytes);
  else
    (void)snprintf(buf, bytes, "%s", heddle_isa_decode(w, &d) ? heddle_isa_op_name((enum heddle_isa_op)d.op) : "?");
  buf[strcspn(buf, ";\n")] = '\0';
  for (size_t n = strlen(buf); n > 0 && buf[n - 1] == ' '; n--) buf[n - 1] = '\0';
}

void order_life_text(const struct order *o, uint32_t life, char *buf, size_t bytes) {
  const struct life *l = &o->life[life];
  const int n = snprintf(buf, bytes, "warp %u of block (%u,%u,%u) in slot %u", l->index, l->ctaid[0], l->ctaid[1],
                         l->ctaid[2], l->slot);
  if (o->sms > 1 && n > 0 && (size_t)n < bytes) (void)snprintf(buf + n, bytes - (size_t)n, " of SM %u", l->sm);
}

void order_location_text(const struct order *o, const struct location *l, unsigned byte, char *buf, size_t bytes) {
  static const char *const space[] = {
      [ISA_SPACE_GLOBAL] = "global", [ISA_SPACE_SHARED] = "shared", [ISA_SPACE_LOCAL] = "local"};
  if (l->space == ISA_SPACE_LOCAL && o->list == NULL)
    (void)snprintf(buf, bytes, "local byte 0x%llx of lane %u", (unsigned long long)(l->at / 4 * 4 + byte % 4),
                   (unsigned)(l->at % 4 * 8 + byte / 4));
  else
    (void)snprintf(buf, bytes, "%s byte 0x%llx", space[l->space], (unsigned long long)(l->at * PLACE_BYTES + byte));
}

static struct order_step *next_step(struct order *o, const char *then) {
  if (o->r->steps == ORDER_STEPS || o->r->outcome == ORDER_BROKEN) return NULL;
  struct order_step *s = &o->r->step[o->r->steps++];
  (void)snprintf(s->then, sizeof s->then, "%s", then);
  return s;
}

void order_step_text(struct order *o, const char *then, const char *format, ...) {
  struct order_step *s = next_step(o, then);
  if (s == NULL) return;
  va_list ap;
  va_start(ap, format);
  (void)vsnprintf(s->who, sizeof s->who, format, ap);
  va_end(ap);
}

static void hex_text(const uint8_t *p, unsigned n, char *buf) {
  for (unsigned k = 0; k < n; k++) (void)snprintf(buf + 2 * k, 3, "%02x", p[n - 1 - k]);
}

/* "atomic of 4 bytes at global 0x100, 0x00000001 -> 0x00000002" */
static void list_access_text(const struct list_event *e, char *buf, size_t bytes) {
  static const char *const name[] = {[LIST_LOAD] = "load", [LIST_STORE] = "store", [LIST_ATOMIC] = "atomic"};
  char saw[2 * LIST_BYTES + 1] = "", left[2 * LIST_BYTES + 1] = "";
  hex_text(e->kind == LIST_STORE ? e->left : e->saw, e->bytes, saw);
  if (e->kind == LIST_ATOMIC) hex_text(e->left, e->bytes, left);
  (void)snprintf(buf, bytes, "%s of %u bytes at %s 0x%llx, 0x%s%s%s", name[e->kind], e->bytes,
                 e->space == ISA_SPACE_SHARED  ? "shared"
                 : e->space == ISA_SPACE_LOCAL ? "local"
                                               : "global",
                 (unsigned long long)e->at, saw, left[0] != '\0' ? " -> 0x" : "", left);
}

void list_event_text(const struct list *l, uint32_t event, char *buf, size_t bytes) {
  char what[240] = "fence";
  if (event >= l->events) {
    const struct list_barrier *b = &l->barrier[event - l->events];
    (void)snprintf(buf, bytes, "barrier %u, instance %u, of line %u", b->id, b->number, b->line);
    return;
  }
  const struct list_event *e = &l->event[event];
  if (e->kind == LIST_FINAL) {
    char saw[2 * LIST_BYTES + 1];
    hex_text(e->saw, e->bytes, saw);
    (void)snprintf(buf, bytes, "line %u: the host at the end, 0x%s at global 0x%llx", e->line, saw,
                   (unsigned long long)e->at);
    return;
  }
  if (e->kind == LIST_BARRIER) (void)snprintf(what, sizeof what, "barrier");
  if (list_accesses(e)) list_access_text(e, what, sizeof what);
  (void)snprintf(buf, bytes, "line %u: thread %u of block %u, number %u, %s", e->line, l->thread[e->thread].number,
                 l->thread[e->thread].block, e->order, what);
}

void order_step_access(struct order *o, const struct access *a, const char *then) {
  char who[80], word[96], place[64];
  if (a->event != NOBODY) {
    char event[240];
    list_event_text(o->list, a->event, event, sizeof event);
    order_step_text(o, then, "%s", event);
    return;
  }
  order_life_text(o, a->life, who, sizeof who);
  order_word_text(o, a->word, a->pc, word, sizeof word);
  order_location_text(o, &o->location[a->location], 0, place, sizeof place);
  order_step_text(o, then, "%s, seq %u pc 0x%x %s, lanes 0x%08x, performed at %s in cycle %llu", who, a->seq, a->pc,
                  word, a->lanes, place, (unsigned long long)a->cycle);
}

void order_step_insn(struct order *o, const struct warp *w, const struct insn *i, uint32_t lanes, const char *then) {
  char who[80], word[96];
  order_life_text(o, w->life, who, sizeof who);
  order_word_text(o, i->word, i->pc, word, sizeof word);
  order_step_text(o, then, "%s, seq %u pc 0x%x %s, lanes 0x%08x, now in cycle %llu", who, i->seq, i->pc, word, lanes,
                  (unsigned long long)o->cycle);
}

void order_step_fence(struct order *o, const struct warp *w, const struct fence *f, const char *then) {
  char who[80], word[96];
  order_life_text(o, w->life, who, sizeof who);
  order_word_text(o, f->word, f->pc, word, sizeof word);
  order_step_text(o, then, "%s, seq %u pc 0x%x %s, took effect in cycle %llu", who, f->seq, f->pc, word,
                  (unsigned long long)f->cycle);
}
