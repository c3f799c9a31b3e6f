/* SPDX-License-Identifier: Apache-2.0
 * Which packet is answered by what. A packet that is not known is answered by nothing, as the protocol wants it. */
#include "server.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "run/debug/description.h"
#include "run/debug/monitor.h"
#include "run/debug/server_internal.h"

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

bool server_send(struct server *s, const struct packet *p) {
  char *frame = malloc(PACKET_MAX + 8);
  const bool ok = frame && s->c.send(s->c.ctx, frame, packet_frame(p, frame));
  free(frame);
  if (!ok) s->state = SERVER_LEFT;
  return ok;
}

void server_print(struct server *s, const char *text) {
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

bool server_thread(const struct server *s, uint64_t thread, unsigned *w, unsigned *lane) {
  if (thread != 0 && target_find(s->t, thread, w, lane)) return true;
  const uint64_t first = target_first(s->t);
  return first != 0 && target_find(s->t, first, w, lane);
}

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
