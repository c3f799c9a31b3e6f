/* SPDX-License-Identifier: Apache-2.0
 *
 * A trace from its first record to its last, and what broke, in words.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "lab/verify/oracle/order/cache.h"
#include "lab/verify/oracle/order/order_list.h"

/* What broke, in words. */

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

static void order_word_text(const struct order *o, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  struct heddle_isa_dec d;
  if (o->o->disassemble != NULL)
    o->o->disassemble(o->o->ctx, w, pc, buf, bytes);
  else
    (void)snprintf(buf, bytes, "%s", heddle_isa_decode(w, &d) ? heddle_isa_op_name((enum heddle_isa_op)d.op) : "?");
  buf[strcspn(buf, ";\n")] = '\0';
  for (size_t n = strlen(buf); n > 0 && buf[n - 1] == ' '; n--) buf[n - 1] = '\0';
}

static void order_life_text(const struct order *o, uint32_t life, char *buf, size_t bytes) {
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

/* A trace from its first record to its last. */

#define ACCESSES_USUAL (UINT64_C(1) << 22)
#define EVENTS_USUAL (UINT64_C(1) << 20)  /* of a list */
#define ACCESSES_MOST (UINT64_C(1) << 30) /* indices are 32 bits */

static void forget_launch(struct order *o) {
  order_warps_clear(o);
  order_cache_clear(o);
  free(o->places.slot);
  free(o->newest.slot);
  o->places = o->newest = (struct map){.slot = NULL};
  free(o->initial);
  o->initial = NULL;
  o->accesses = o->locations = 0;
  o->blocks = 0;
  o->trapped = false;
  o->cause = 0;
}

static bool begin_launch(struct order *o) {
  forget_launch(o);
  const uint8_t *memory = heddle_trace_memory(o->t, &o->bytes);
  o->base = heddle_trace_memory_base(o->t);
  o->launch = heddle_trace_launched(o->t);
  o->initial = malloc((size_t)o->bytes + 1);
  if (o->initial == NULL) return order_too_much(o, "no memory for the contents of memory");
  memcpy(o->initial, memory, (size_t)o->bytes);
  o->r->launches++;
  return true;
}

static bool cache_record(struct order *o, const struct heddle_retire_record *r) {
  if (o->cache == NULL) return order_broken(o, ORDER_RECORD, "a record of a cache, in a trace of a core that has none");
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_FILL:
    return order_on_fill(o, &r->u.fill);
  case HEDDLE_RECORD_HIT:
    return order_on_hit(o, &r->u.merge);
  case HEDDLE_RECORD_MERGE:
    return order_on_merge(o, &r->u.merge);
  case HEDDLE_RECORD_DROP:
    return order_on_drop(o, &r->u.drop);
  case HEDDLE_RECORD_ACK:
    return order_on_ack(o, &r->u.ack);
  default:
    return order_on_fence(o, &r->u.fence);
  }
}

static bool apply_record(struct order *o, const struct heddle_retire_record *r) {
  o->cycle = r->cycle;
  o->r->records++;
  switch ((enum heddle_record_kind)r->kind) {
  case HEDDLE_RECORD_BLOCK_START:
    return order_on_block_start(o, &r->u.block_start);
  case HEDDLE_RECORD_WARP_START:
    return order_on_warp_start(o, &r->u.warp_start);
  case HEDDLE_RECORD_GLOBAL:
    return order_on_global(o, &r->u.global);
  case HEDDLE_RECORD_SHARED:
    return order_on_shared(o, &r->u.shared);
  case HEDDLE_RECORD_WRITE:
    return order_on_write(o, &r->u.write);
  case HEDDLE_RECORD_PREDICATE:
    return order_on_predicate(o, &r->u.predicate);
  case HEDDLE_RECORD_OPERANDS: /* collected operands come with the others where they have no record of their own */
    return heddle_record_shows(o->h->hidden, HEDDLE_RECORD_OPERANDS_MEMORY) || order_on_operands(o, &r->u.operands);
  case HEDDLE_RECORD_OPERANDS_MEMORY:
    return order_on_operands(o, &r->u.operands);
  case HEDDLE_RECORD_BARRIER:
    return order_on_barrier(o, &r->u.barrier);
  case HEDDLE_RECORD_ISSUE:
    return order_on_issue(o, &r->u.issue);
  case HEDDLE_RECORD_TRAP:
    return order_on_trap(o, &r->u.trap);
  case HEDDLE_RECORD_BLOCK_END:
    return order_on_block_end(o, &r->u.block_end);
  case HEDDLE_RECORD_FILL:
  case HEDDLE_RECORD_HIT:
  case HEDDLE_RECORD_MERGE:
  case HEDDLE_RECORD_DROP:
  case HEDDLE_RECORD_ACK:
  case HEDDLE_RECORD_FENCE:
    return cache_record(o, r);
  default:
    return true;
  }
}

/* The whole of memory: what the writes left, elsewhere what was there at the start. */
static bool compare_memory(struct order *o) {
  uint64_t bytes;
  const uint8_t *memory = heddle_trace_memory(o->t, &bytes);
  for (size_t k = 0; k < o->locations; k++) {
    const struct location *l = &o->location[k];
    for (unsigned n = 0; l->space == ISA_SPACE_GLOBAL && n < PLACE_BYTES; n++) {
      const uint64_t at = l->at * PLACE_BYTES + n;
      if (at >= o->base && at - o->base < o->bytes) o->initial[at - o->base] = l->bytes[n];
    }
  }
  o->r->judged[ORDER_MEMORY]++;
  o->r->bytes_final += o->bytes;
  if (bytes == o->bytes && memcmp(o->initial, memory, (size_t)bytes) == 0) return true;
  uint64_t at = 0;
  while (at < bytes && at < o->bytes && o->initial[at] == memory[at]) at++;
  const uint64_t *index = map_at(&o->places, (uint64_t)ISA_SPACE_GLOBAL << 32, (o->base + at) / PLACE_BYTES, NOBODY);
  if (index != NULL && *index != NOBODY && o->location[*index].write != NOBODY)
    order_step_access(o, &o->access[o->location[*index].write], "is the latest write at that sector");
  return order_broken(o, ORDER_MEMORY,
                      "at the end byte 0x%llx holds 0x%02x; the latest write, or the start, left 0x%02x",
                      (unsigned long long)(o->base + at), memory[at], o->initial[at]);
}

static bool finish_launch(struct order *o) {
  order_write_end(o);
  return order_warps_end(o) && (o->cause == 10 || (order_cache_end(o) && compare_memory(o)));
}

/* What is broken is told; the list that is written is to show all of it. */
static bool goes_on(const struct order *o) {
  return o->out != NULL && o->r->outcome == ORDER_BROKEN;
}

static bool judge_launches(struct order *o) {
  struct heddle_retire_record rec;
  for (bool ok = true; ok;) {
    switch (heddle_trace_next(o->t, &rec)) {
    case HEDDLE_TRACE_LAUNCH:
      ok = begin_launch(o);
      break;
    case HEDDLE_TRACE_RECORD:
      ok = apply_record(o, &rec) || goes_on(o);
      break;
    case HEDDLE_TRACE_END:
      ok = finish_launch(o) || goes_on(o);
      break;
    case HEDDLE_TRACE_DONE:
      return true;
    case HEDDLE_TRACE_ERROR:
      o->r->outcome = ORDER_REFUSED;
      (void)snprintf(o->r->what, sizeof o->r->what, "%s: %s", o->path, heddle_trace_error(o->t));
      return false;
    }
  }
  return false;
}

/* The first line says so. */
static bool is_list(const char *path) {
  char start[sizeof LIST_FIRST_WORD - 1];
  FILE *f = fopen(path, "rb");
  if (f == NULL) return false;
  const bool is = fread(start, 1, sizeof start, f) == sizeof start && memcmp(start, LIST_FIRST_WORD, sizeof start) == 0;
  (void)fclose(f);
  return is;
}

static void free_order(struct order *o) {
  forget_launch(o);
  while (o->spare != NULL) {
    struct insn *i = o->spare;
    o->spare = i->next;
    free(i);
  }
  order_cache_free(o);
  free(o->registers);
  free(o->warp);
  free(o->block);
  free(o->gen);
  free(o->life);
  free(o->access);
  free(o->location);
  heddle_trace_free(o->t);
  free(o);
}

static void judge_trace(struct order *o) {
  o->r->outcome = ORDER_REFUSED;
  struct heddle_message msg;
  const enum heddle_error e = heddle_trace_open(o->path, &o->t, &msg);
  (void)snprintf(o->r->what, sizeof o->r->what, "%s", msg.text);
  if (e != HEDDLE_SUCCESS) return;
  o->h = heddle_trace_read_header(o->t);
  if (o->h->reorder != 0) {
    (void)snprintf(o->r->what, sizeof o->r->what,
                   "%s: its SMs and banks have clocks of their own: the places of its records are no moments", o->path);
    return;
  }
  if (!order_warps_new(o)) return;
  o->r->profile = heddle_record_profile_name(o->h->hidden);
  heddle_record_hidden_text(o->h->hidden, o->r->hidden, sizeof o->r->hidden);
  o->r->outcome = ORDER_HOLDS;
  o->r->what[0] = '\0';
  (void)(order_registers_new(o) && order_cache_new(o) && order_write_open(o) && judge_launches(o));
  (void)order_write_close(o);
}

static void judge_list(struct order *o) {
  o->r->list = true;
  o->r->outcome = ORDER_HOLDS;
  o->r->what[0] = '\0';
  if (o->o->write_list == NULL) {
    (void)order_list(o);
    return;
  }
  o->r->outcome = ORDER_REFUSED;
  (void)snprintf(o->r->what, sizeof o->r->what, "%s is a list already: --write-list takes a trace", o->path);
}

static enum order_outcome judge_source(FILE *f, const char *path, bool list, const struct order_options *options,
                                       struct order_result *r) {
  const uint64_t usual = list ? EVENTS_USUAL : ACCESSES_USUAL,
                 most = options->accesses == 0 ? usual : options->accesses;
  struct order *o = calloc(1, sizeof *o);
  memset(r, 0, sizeof *r);
  r->outcome = ORDER_TOO_MUCH;
  (void)snprintf(r->what, sizeof r->what, "no memory");
  if (o == NULL) return r->outcome;
  o->o = options;
  o->path = path;
  o->from = f;
  o->r = r;
  o->most = most < ACCESSES_MOST ? most : ACCESSES_MOST;
  (list ? judge_list : judge_trace)(o);
  free_order(o);
  return r->outcome;
}

enum order_outcome order_check(const char *path, const struct order_options *options, struct order_result *r) {
  return judge_source(NULL, path, is_list(path), options, r);
}

enum order_outcome order_check_list(FILE *f, const char *name, const struct order_options *options,
                                    struct order_result *r) {
  return judge_source(f, name, true, options, r);
}
