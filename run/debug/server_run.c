/* SPDX-License-Identifier: Apache-2.0
 * Packets that let a launch go on, and that say where it stops. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "run/debug/server_internal.h"

/* Numbers of gdb's own list of signals. */
enum { SIGNAL_INT = 2, SIGNAL_ILL = 4, SIGNAL_TRAP = 5, SIGNAL_ABORT = 6, SIGNAL_BUS = 10, SIGNAL_SEGV = 11 };

static unsigned signal_of(const struct server *s) {
  const struct heddle_trap *t = heddle_model_trap(s->t->m);
  if (s->last.why == TARGET_INTERRUPTED || s->last.why == TARGET_STUCK) return SIGNAL_INT;
  if (s->last.why != TARGET_FAULT) return SIGNAL_TRAP;
  switch (t->cause) {
  case HEDDLE_TRAP_NONE:
    return SIGNAL_ABORT;
  case HEDDLE_TRAP_MISALIGNED:
  case HEDDLE_TRAP_BUS:
    return SIGNAL_BUS;
  case HEDDLE_TRAP_OUT_OF_RANGE:
  case HEDDLE_TRAP_WRITE_PROTECTED:
  case HEDDLE_TRAP_CONST_RANGE:
  case HEDDLE_TRAP_BAD_PC:
  case HEDDLE_TRAP_PAGE:
    return SIGNAL_SEGV;
  case HEDDLE_TRAP_BREAKPOINT:
    return SIGNAL_TRAP;
  default:
    return SIGNAL_ILL;
  }
}

void answer_stop(struct server *s, const char *text) {
  (void)text;
  if (s->last.why == TARGET_ENDED) {
    packet_put(&s->out, "W%02x", s->t->fault[0] ? 1 : 0);
    return;
  }
  packet_put(&s->out, "T%02x", signal_of(s));
  static const char *const watched[] = {"watch", "rwatch", "awatch"}; /* enum target_watched */
  if (s->last.why == TARGET_WATCH) packet_put(&s->out, "%s:%" PRIx64 ";", watched[s->last.kind], s->last.address);
  if (s->last.why == TARGET_BEGINNING) packet_put(&s->out, "replaylog:begin;");
  if (s->last.thread != 0) packet_put(&s->out, "thread:%" PRIx64 ";", s->last.thread);
}

/* What happened, to who waits for it. */
static void tell_stop(struct server *s, struct target_stop stop) {
  char line[4200];
  const bool words = stop.why == TARGET_FAULT || stop.why == TARGET_STUCK || stop.why == TARGET_ENDED;
  s->last = stop;
  s->unseen = true;
  s->general = s->control = stop.thread;
  if (words && s->t->fault[0]) {
    snprintf(line, sizeof line, "%s\n", s->t->fault);
    server_print(s, line);
  }
  answer_stop(s, "");
  if (stop.why == TARGET_ENDED) s->state = SERVER_ENDED;
}

/* The model of a lockstep run stays where it is. */
static bool refuse_frozen(struct server *s) {
  if (s->t->own) return false;
  server_print(s, "the lockstep run has stopped at its difference: its model can be looked at, but goes nowhere\n");
  answer_stop(s, "");
  return true;
}

/* gdb goes on from a stop that it has shown to nobody: is a lane beside it still to be told? */
static bool tell_next(struct server *s, uint64_t thread, bool alone) {
  struct target_stop stop;
  if (!s->unseen) target_keep_breaks(s->t);
  const bool more = s->unseen && target_tell_next(s->t, thread, alone, &stop);
  if (!more) s->t->others = (struct target_others){0};
  if (more) tell_stop(s, stop);
  return more;
}

struct resume {
  bool any, step, others; /* others: there is an action for all threads that were not named */
  uint64_t thread, first, last;
};

/* "c", "C05", "s:1f", "r10,40:1f" up to the next ';'. */
static bool take_action(const char **text, struct resume *r) {
  const char what = *(*text)++;
  uint64_t ignored, thread = 0, first = 0, last = 0;
  if (what == 0 || !strchr("cCsSr", what)) return false;
  if ((what == 'C' || what == 'S') && !packet_number(text, &ignored)) return false;
  if (what == 'r' && (!packet_number(text, &first) || *(*text)++ != ',' || !packet_number(text, &last))) return false;
  const bool all = strncmp(*text, ":-1", 3) == 0;
  if (all) *text += 3;
  if (**text == ':') {
    ++*text;
    if (!packet_number(text, &thread)) return false;
  }
  if (**text != ';' && **text != '\0') return false;
  const bool steps = what == 's' || what == 'S' || what == 'r';
  if (thread == 0 && !steps) r->others = true;
  if (r->step || (thread == 0 && !steps)) return true; /* the first that steps counts */
  r->any = true;
  r->step = steps;
  r->thread = thread;
  r->first = steps ? first : 0;
  r->last = steps ? last : UINT64_MAX; /* one thread alone goes on */
  return true;
}

void answer_vcont(struct server *s, const char *text) {
  struct resume r = {.any = false};
  while (*text) {
    if (!take_action(&text, &r)) {
      packet_put(&s->out, "E01");
      return;
    }
    if (*text == ';') text++;
  }
  if (refuse_frozen(s)) return;
  const uint64_t thread = r.thread != 0 ? r.thread : s->control != 0 ? s->control : target_first(s->t);
  if (tell_next(s, thread, r.step && !r.others && r.last == 0)) return;
  if (!r.any || (r.others && !r.step)) {
    tell_stop(s, target_continue(s->t));
    return;
  }
  if (r.others) s->t->focus = thread; /* alone it steps over a breakpoint that may not be its own */
  tell_stop(s, target_step(s->t, thread, r.others, r.first, r.last));
}

void answer_back(struct server *s, const char *text) {
  if (refuse_frozen(s)) return;
  const uint64_t thread = s->control != 0 ? s->control : s->last.thread;
  if (tell_next(s, thread, text[1] == 's')) return;
  tell_stop(s, target_back(s->t, thread, text[1] == 's'));
}

/* ";X5,0123456789X2,2001" behind an address: conditions, of which any one is enough. False: they are none. */
static bool take_conditions(const char *text, struct target_break *b) {
  uint64_t bytes;
  if (*text == '\0') return true;
  for (++text; *text == 'X';) {
    ++text;
    if (!packet_number(&text, &bytes) || *text++ != ',' || bytes == 0 || bytes > UINT8_MAX) return false;
    if (bytes >= TARGET_CONDITION_BYTES - b->bytes) return false;
    b->condition[b->bytes++] = (uint8_t)bytes;
    if (!packet_unhex(&text, b->condition + b->bytes, (size_t)bytes)) return false;
    b->bytes += (uint32_t)bytes;
  }
  return *text == '\0';
}

static bool change_break(struct server *s, const char *text, uint64_t address, bool set) {
  struct target_break b = {.pc = address};
  return take_conditions(text, &b) && target_break(s->t, &b, set);
}

/* "KIND,ADDR,BYTES": 0, 1 breakpoints; 2 to 4 what is written, read, accessed. */
static void change_stop(struct server *s, const char *text, bool set) {
  uint64_t address, bytes;
  const char kind = *text;
  unsigned w = UINT32_MAX, lane = 0;
  if (kind < '0' || kind > '4') return; /* not known: gdb says so */
  ++text;
  bool good = *text++ == ',' && packet_number(&text, &address) && *text++ == ',' && packet_number(&text, &bytes);
  (void)server_thread(s, s->general, &w, &lane);
  if (good && kind < '2') good = change_break(s, text, address, set);
  if (good && kind >= '2') {
    const struct target_watch place = {.kind = (enum target_watched)(kind - '2'),
                                       .address = address,
                                       .bytes = bytes <= TARGET_WATCH_BYTES ? (size_t)bytes : 0};
    good = target_watch(s->t, w, lane, &place, set);
  }
  packet_put(&s->out, "%s", good ? "OK" : "E01");
}

void answer_set(struct server *s, const char *text) {
  change_stop(s, text, true);
}

void answer_clear(struct server *s, const char *text) {
  change_stop(s, text, false);
}
