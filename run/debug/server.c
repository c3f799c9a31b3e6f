/* SPDX-License-Identifier: Apache-2.0
 * The server for gdb: packets for registers and memory, those that let a launch go on, and which is answered by what.
 */
#include "server.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/debug/server_internal.h"

/* Packets for registers and memory. */

static bool server_send(struct server *s, const struct packet *p) {
  char *frame = malloc(PACKET_MAX + 8);
  const bool ok = frame && s->c.send(s->c.ctx, frame, packet_frame(p, frame));
  free(frame);
  if (!ok) s->state = SERVER_LEFT;
  return ok;
}

/* To gdb's console. */
static void server_print(struct server *s, const char *text) {
  const size_t piece = PACKET_MAX / 4;
  struct packet *p = malloc(sizeof *p);
  for (size_t n = strlen(text), k; p && n > 0; text += k, n -= k) {
    k = n < piece ? n : piece;
    packet_clear(p);
    packet_put(p, "O");
    packet_hex(p, text, k);
    if (!server_send(s, p)) break;
  }
  free(p);
}

/* The thread that is asked for, else the first; false: no warp lives. */
static bool server_thread(const struct server *s, uint64_t thread, unsigned *w, unsigned *lane) {
  if (thread != 0 && target_find(s->t, thread, w, lane)) return true;
  const uint64_t first = target_first(s->t);
  return first != 0 && target_find(s->t, first, w, lane);
}

static void put_register(struct server *s, unsigned w, unsigned lane, unsigned number, unsigned bytes) {
  uint8_t value[TARGET_REGISTER_BYTES] = {0};
  const bool known = target_read(s->t, w, lane, number, value) == TARGET_KNOWN;
  if (known) packet_hex(&s->out, value, bytes);
  for (unsigned i = 0; i < bytes && !known; i++) packet_put(&s->out, "xx");
}

static void answer_registers(struct server *s, const char *text) {
  struct target_register r;
  unsigned w, lane;
  (void)text;
  if (!server_thread(s, s->general, &w, &lane)) {
    packet_put(&s->out, "E01");
    return;
  }
  for (unsigned i = 0; target_register(s->t, i, &r); i++) put_register(s, w, lane, i, r.bytes);
}

static void answer_register(struct server *s, const char *text) {
  uint64_t number;
  struct target_register r;
  unsigned w, lane;
  if (!packet_number(&text, &number) || number > UINT16_MAX || !target_register(s->t, (unsigned)number, &r) ||
      !server_thread(s, s->general, &w, &lane))
    packet_put(&s->out, "E01");
  else
    put_register(s, w, lane, (unsigned)number, r.bytes);
}

/* "1f=00000000" */
static void answer_write_register(struct server *s, const char *text) {
  uint64_t number;
  struct target_register r;
  uint8_t value[TARGET_REGISTER_BYTES] = {0};
  unsigned w, lane;
  bool good = packet_number(&text, &number) && *text++ == '=' && number <= UINT16_MAX;
  good = good && target_register(s->t, (unsigned)number, &r) && packet_unhex(&text, value, r.bytes) &&
         server_thread(s, s->general, &w, &lane) && target_write(s->t, w, lane, (unsigned)number, value);
  if (good) s->t->others = (struct target_others){0}; /* somebody has seen the stop */
  packet_put(&s->out, "%s", good ? "OK" : "E01");
}

/* "ADDR,BYTES" */
static bool read_range(const char **text, uint64_t *address, uint64_t *bytes) {
  return packet_number(text, address) && *(*text)++ == ',' && packet_number(text, bytes) && *bytes <= PACKET_MAX / 2;
}

static void answer_memory(struct server *s, const char *text) {
  uint64_t address, bytes;
  uint8_t b[PACKET_MAX / 2];
  unsigned w = UINT32_MAX, lane = 0; /* global memory is there without a warp */
  (void)server_thread(s, s->general, &w, &lane);
  const size_t n = read_range(&text, &address, &bytes) ? target_look(s->t, w, lane, address, b, (size_t)bytes) : 0;
  if (n > 0)
    packet_hex(&s->out, b, n);
  else
    packet_put(&s->out, "E01");
}

/* "ADDR,BYTES:DATA" */
static void answer_write_memory(struct server *s, const char *text) {
  uint64_t address, bytes;
  uint8_t b[PACKET_MAX / 2];
  unsigned w = UINT32_MAX, lane = 0;
  (void)server_thread(s, s->general, &w, &lane);
  const bool good = read_range(&text, &address, &bytes) && *text++ == ':' && packet_unhex(&text, b, (size_t)bytes) &&
                    (bytes == 0 || target_put(s->t, w, lane, address, b, (size_t)bytes));
  if (good) s->t->others = (struct target_others){0}; /* somebody has seen the stop */
  packet_put(&s->out, "%s", good ? "OK" : "E01");
}

/* Packets that let a launch go on, and that say where it stops. */

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

static void answer_stop(struct server *s, const char *text) {
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

static void answer_vcont(struct server *s, const char *text) {
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

static void answer_back(struct server *s, const char *text) {
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

static void answer_set(struct server *s, const char *text) {
  change_stop(s, text, true);
}

/* ---- server.c */
static void answer_clear(struct server *s, const char *text) {
  change_stop(s, text, false);
}

/* Which packet is answered by what. A packet that is not known is answered by nothing, as the protocol wants it. */

struct server *server_new(const struct server_config *c) {
  struct server *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  s->c = *c;
  s->t = c->target;
  s->last = (struct target_stop){.why = TARGET_STEPPED, .thread = target_first(s->t)};
  s->program = description_program(s->t->job, &s->program_size);
  if (s->program) return s;
  free(s);
  return NULL;
}

void server_free(struct server *s) {
  if (!s) return;
  free(s->registers);
  free(s->threads);
  free(s->program);
  free(s);
}

/* The thread that is asked for, else the first; false: no warp lives. */
/* ---- small ones ---- */

static void ok(struct server *s, bool good) {
  packet_put(&s->out, "%s", good ? "OK" : "E01");
}

static void supported(struct server *s, const char *text) {
  (void)text;
  packet_put(&s->out,
             "PacketSize=%x;QStartNoAckMode+;qXfer:features:read+;qXfer:threads:read+;qXfer:exec-file:read+;"
             "vContSupported+;ReverseStep+;ReverseContinue+;"
             "ConditionalBreakpoints+",
             PACKET_MAX);
}

static void no_ack(struct server *s, const char *text) {
  (void)text;
  s->no_ack = true;
  ok(s, true);
}

static void nothing(struct server *s, const char *text) {
  (void)s;
  (void)text;
}

static void current(struct server *s, const char *text) {
  (void)text;
  packet_put(&s->out, "QC%" PRIx64, s->last.thread);
}

static void attached(struct server *s, const char *text) {
  (void)text;
  packet_put(&s->out, "0"); /* the launch ends with gdb */
}

static void actions(struct server *s, const char *text) {
  (void)text;
  packet_put(&s->out, "vCont;c;C;s;S;r");
}

static void leave_debugger(struct server *s, const char *text) {
  (void)text;
  ok(s, true);
  s->state = SERVER_LEFT;
}

/* "g1f", "c0", "c-1": 0 is any, -1 all. */
static void choose_thread(struct server *s, const char *text) {
  uint64_t thread = 0;
  const char *number = text[0] ? text + 1 : text;
  const bool all = strcmp(number, "-1") == 0;
  if ((text[0] != 'g' && text[0] != 'c') || (!all && !packet_number(&number, &thread))) {
    ok(s, false);
    return;
  }
  if (text[0] == 'g')
    s->general = thread;
  else
    s->control = thread;
  ok(s, true);
}

/* gdb asks before a person chooses the thread. */
static void lives(struct server *s, const char *text) {
  uint64_t thread;
  unsigned w, lane;
  const bool alive = packet_number(&text, &thread) && target_find(s->t, thread, &w, &lane);
  if (alive) s->t->focus = thread;
  ok(s, alive);
}

static void command(struct server *s, const char *text) {
  char line[256] = "";
  char *answer = NULL;
  size_t size = 0;
  unsigned w = UINT32_MAX, lane = 0;
  const size_t n = strlen(text) / 2;
  FILE *f = open_memstream(&answer, &size);
  const bool good = f && n < sizeof line && packet_unhex(&text, (uint8_t *)line, n);
  (void)server_thread(s, s->general, &w, &lane);
  if (good) monitor_run(s->t, w, lane, s->c.report, line, f);
  if (f && fclose(f) == 0 && good && size > 0) server_print(s, answer);
  free(answer);
  ok(s, good);
}

/* ---- all */

static const struct {
  const char *name; /* what the packet begins with */
  void (*answer)(struct server *s, const char *text);
} answers[] = {
    {"qSupported", supported},    {"QStartNoAckMode", no_ack}, {"qXfer:", answer_object},  {"vFile:", answer_file},
    {"qRcmd,", command},          {"vCont?", actions},         {"vCont;", answer_vcont},   {"vKill", leave_debugger},
    {"qAttached", attached},      {"?", answer_stop},          {"H", choose_thread},       {"T", lives},
    {"bs", answer_back},          {"bc", answer_back},         {"g", answer_registers},    {"p", answer_register},
    {"P", answer_write_register}, {"m", answer_memory},        {"M", answer_write_memory}, {"Z", answer_set},
    {"z", answer_clear},          {"D", leave_debugger},       {"k", leave_debugger}};

static void answer_packet(struct server *s, const char *text) {
  packet_clear(&s->out);
  if (strcmp(text, "qC") == 0) {
    current(s, text);
    return;
  }
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
    const size_t n = strlen(answers[i].name);
    if (strncmp(text, answers[i].name, n) != 0) continue;
    answers[i].answer(s, answers[i].answer == answer_back ? text : text + n);
    return;
  }
  nothing(s, text);
}

static void acknowledge(struct server *s, const char *how) {
  if (!s->no_ack && !s->c.send(s->c.ctx, how, 1)) s->state = SERVER_LEFT;
}

enum server_state server_take(struct server *s, const uint8_t *bytes, size_t n) {
  for (size_t i = 0; i < n && s->state == SERVER_OPEN; i++) {
    const enum packet_event e = packet_take(&s->in, bytes[i]);
    if (e == PACKET_BAD) acknowledge(s, "-");
    if (e != PACKET_WHOLE) continue;
    acknowledge(s, "+");
    answer_packet(s, s->in.text);
    if (s->state != SERVER_OPEN || !s->out.full) {
      const enum server_state state = s->state;
      (void)server_send(s, &s->out);
      if (state != SERVER_OPEN) s->state = state;
      continue;
    }
    packet_clear(&s->out);
    ok(s, false);
    (void)server_send(s, &s->out);
  }
  return s->state;
}
