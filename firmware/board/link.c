/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands of the link, each with its answer over a line that loses bytes. */
#include "link.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include "firmware/board/link_internal.h"

uint64_t link_now_ms(const struct board_link *l) {
  if (l->o.now_ms) return l->o.now_ms(l->o.ctx);
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

static enum board_status link_fail(struct board_link *l, enum board_status s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(l->message, sizeof l->message, format, args);
  va_end(args);
  return s;
}

/* ---- what comes */

static void take_trace(struct board_link *l, const struct frame *f) {
  if (f->n == 0) {
    l->traffic.strange++;
    return;
  }
  const bool gap = !l->trace_known || f->seq != l->heddle_trace_next;
  l->traffic.trace_gaps += gap;
  l->traffic.trace_bytes += f->n - 1;
  l->heddle_trace_next = f->seq + 1;
  l->trace_known = true;
  if (l->o.trace) l->o.trace(l->o.ctx, f->payload + 1, f->n - 1, gap || (f->payload[0] & 1));
}

static void take_answer(struct board_link *l, const struct frame *f) {
  if (f->seq != l->seq || f->n == 0 || l->answered) {
    l->traffic.strange++;
    return;
  }
  memcpy(l->answer, f->payload, f->n);
  l->answer_bytes = f->n;
  l->answered = true;
}

static void take_bytes(struct board_link *l, const uint8_t *bytes, size_t n) {
  struct frame f;
  l->traffic.received += n;
  for (size_t i = 0; i < n; i++) {
    if (!frame_read(&l->reader, bytes[i], &f)) continue;
    if (f.channel == FRAME_TRACE)
      take_trace(l, &f);
    else if (f.channel == FRAME_COMMANDS)
      take_answer(l, &f);
    else
      l->traffic.strange++;
  }
  l->traffic.bad = l->reader.bad;
}

static enum board_status closed(struct board_link *l, const char *doing) {
  return link_fail(l, BOARD_CLOSED, "the line is gone while %s: %s", doing,
                   errno ? strerror(errno) : "the other end has closed it");
}

/* Some bytes, if there are any. */
static enum board_status drain(struct board_link *l) {
  uint8_t bytes[4096];
  errno = 0;
  const ssize_t n = read(l->o.fd, bytes, sizeof bytes);
  if (n > 0) take_bytes(l, bytes, (size_t)n);
  if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))) return BOARD_OK;
  return closed(l, "reading");
}

/* Until something can be done with the descriptor, or `until`. */
static enum board_status wait_ready(struct board_link *l, short events, uint64_t until, short *what) {
  struct pollfd p = {.fd = l->o.fd, .events = events};
  const uint64_t now = link_now_ms(l);
  errno = 0;
  const uint64_t left = now >= until ? 0 : until - now, slice = l->o.now_ms ? 1 : 60000; /* that clock may be faster */
  const int n = poll(&p, 1, (int)(left < slice ? left : slice));
  *what = n > 0 ? p.revents : 0;
  if (n < 0 && errno != EINTR) return closed(l, "waiting");
  if (*what & POLLNVAL) return closed(l, "waiting");
  return BOARD_OK;
}

enum board_status link_receive(struct board_link *l, uint64_t until, bool for_answer) {
  do {
    short what;
    enum board_status s = wait_ready(l, POLLIN, until, &what);
    if (s == BOARD_OK && what) s = drain(l);
    if (s != BOARD_OK) return s;
  } while (!(for_answer && l->answered) && link_now_ms(l) < until);
  return BOARD_OK;
}

/* ---- what goes */

/* Without SIGPIPE, which would end the host, where the line is a socket; a serial device raises none. */
static ssize_t write_quietly(int fd, const uint8_t *bytes, size_t n) {
  const ssize_t sent = send(fd, bytes, n, MSG_NOSIGNAL);
  return sent < 0 && errno == ENOTSOCK ? write(fd, bytes, n) : sent;
}

/* Reading beside: a board that cannot send its trace would not take commands for ever. */
static enum board_status send_all(struct board_link *l, const uint8_t *wire, size_t n, uint64_t until) {
  for (size_t at = 0; at < n;) {
    short what;
    enum board_status s = wait_ready(l, POLLIN | POLLOUT, until, &what);
    if (s == BOARD_OK && (what & (POLLIN | POLLHUP | POLLERR))) s = drain(l);
    if (s != BOARD_OK) return s;
    if (what & POLLOUT) {
      errno = 0;
      const ssize_t wrote = write_quietly(l->o.fd, wire + at, n - at);
      if (wrote < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR) return closed(l, "writing");
      if (wrote > 0) at += (size_t)wrote, l->traffic.sent += (size_t)wrote;
    }
    if (link_now_ms(l) >= until) return BOARD_OK; /* the next try begins with an END */
  }
  return BOARD_OK;
}

static const char *const command_name[] = {"?",        "IDENTIFY",  "ECHO",  "READ_REG", "WRITE_REG",
                                           "READ_MEM", "WRITE_MEM", "RESET", "COUNTERS", "TRACE_MODE"};

static enum board_status judge_answer(struct board_link *l, const uint8_t *p, size_t want) {
  const char *name = command_name[p[0]];
  const unsigned state = l->answer[0];
  switch (state) {
  case ANSWER_OK:
    if (l->answer_bytes - 1 == want) return BOARD_OK;
    return link_fail(l, BOARD_FOREIGN, "%s was answered with %zu bytes, not %zu", name, l->answer_bytes - 1, want);
  case ANSWER_BUS_ERROR:
    return link_fail(l, BOARD_BUS, "%s: the bus answered with an error", name);
  case ANSWER_NO_ANSWER:
    return link_fail(l, BOARD_DEAD, "%s: the bus does not answer; reset the board", name);
  default:
    return link_fail(l, BOARD_REFUSED, "%s was refused as %s (state %u)", name,
                     state == ANSWER_UNKNOWN ? "unknown" : "malformed", state);
  }
}

enum board_status link_transact(struct board_link *l, const uint8_t *p, size_t n, size_t want) {
  uint8_t wire[FRAME_WIRE];
  const uint64_t bad = l->traffic.bad, received = l->traffic.received;
  l->seq++;
  l->traffic.commands++;
  l->answered = false;
  const size_t bytes = frame_encode(FRAME_COMMANDS, l->seq, p, n, wire);
  for (uint32_t i = 0; i < l->o.tries && !l->answered; i++) {
    const uint64_t until = link_now_ms(l) + l->o.try_ms;
    l->traffic.repeats += i > 0;
    enum board_status s = send_all(l, wire, bytes, until);
    if (s == BOARD_OK) s = link_receive(l, until, true);
    if (s != BOARD_OK) return s;
  }
  if (l->answered) return judge_answer(l, p, want);
  return link_fail(l, BOARD_TIMEOUT,
                   "no answer to %s (sequence %u) in %u tries of %u ms; %llu bytes came, %llu frames were damaged",
                   command_name[p[0]], l->seq, l->o.tries, l->o.try_ms,
                   (unsigned long long)(l->traffic.received - received), (unsigned long long)(l->traffic.bad - bad));
}

/* ---- the commands */

enum { TRY_MS = 250, TRIES = 8, AGAIN_MS = 5 };

const char *board_status_text(enum board_status s) {
  static const char *const text[] = {"ok",        "no answer",       "the line is gone", "refused",
                                     "bus error", "the bus is dead", "no link of ours",  "trace lost"};
  return (unsigned)s < sizeof text / sizeof *text ? text[s] : "?";
}

/* Where the numbers of this session start: an answer that still is on its way to an earlier one is none of ours. */
static uint32_t first_seq(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  return (uint32_t)((uint64_t)t.tv_sec * 1000003u + (uint64_t)t.tv_nsec + (uint64_t)getpid() * 7919u);
}

struct board_link *board_link_new(const struct board_link_options *o) {
  struct board_link *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  l->o = *o;
  if (l->o.try_ms == 0) l->o.try_ms = TRY_MS;
  if (l->o.tries == 0) l->o.tries = TRIES;
  l->seq = first_seq();
  const int flags = fcntl(o->fd, F_GETFL);
  if (flags >= 0) (void)fcntl(o->fd, F_SETFL, flags | O_NONBLOCK);
  return l;
}

void board_link_free(struct board_link *l) {
  free(l);
}

const char *board_link_message(const struct board_link *l) {
  return l->message;
}

struct board_traffic board_link_traffic(const struct board_link *l) {
  return l->traffic;
}

enum board_status board_link_identify(struct board_link *l, struct board_identity *id) {
  const uint8_t p = COMMAND_IDENTIFY;
  const enum board_status s = link_transact(l, &p, 1, LINK_INFO);
  const uint8_t *b = l->answer + 1;
  if (s != BOARD_OK) return s;
  if (memcmp(b, "HLNK", 4) != 0 || b[4] != LINK_VERSION)
    return link_fail(l, BOARD_FOREIGN, "%.4s version %u answers, not HLNK version %u", (const char *)b, b[4],
                     (unsigned)LINK_VERSION);
  *id = (struct board_identity){.ready = b[5] & 1,
                                .failed = b[5] >> 1 & 1,
                                .dead = b[5] >> 2 & 1,
                                .feed = (enum board_feed)(b[5] >> 4),
                                .clock_hz = frame_u32(b + 8),
                                .memory_base = frame_u64(b + 12),
                                .memory_bytes = frame_u64(b + 20),
                                .board = frame_u32(b + 28)};
  return BOARD_OK;
}

enum board_status board_link_wait_ready(struct board_link *l, uint32_t ms, struct board_identity *id) {
  const uint64_t until = link_now_ms(l) + ms;
  for (;;) {
    enum board_status s = board_link_identify(l, id);
    if (s != BOARD_OK || id->ready) return s;
    if (id->failed) return link_fail(l, BOARD_DEAD, "memory could not be initialised");
    if (link_now_ms(l) >= until) return link_fail(l, BOARD_TIMEOUT, "memory is not ready after %u ms", ms);
    if ((s = board_link_poll(l, AGAIN_MS)) != BOARD_OK) return s;
  }
}

enum board_status board_link_echo(struct board_link *l, const uint8_t *bytes, size_t n) {
  uint8_t p[1 + FRAME_DATA] = {COMMAND_ECHO};
  if (n > FRAME_DATA) return link_fail(l, BOARD_REFUSED, "an echo has %d bytes at most", FRAME_DATA);
  if (n > 0) memcpy(p + 1, bytes, n);
  const enum board_status s = link_transact(l, p, n + 1, n);
  if (s == BOARD_OK && n > 0 && memcmp(l->answer + 1, bytes, n) != 0)
    return link_fail(l, BOARD_FOREIGN, "an echo of %zu bytes came back changed", n);
  return s;
}

enum board_status board_link_read32(struct board_link *l, uint32_t reg, uint32_t *value) {
  uint8_t p[3] = {COMMAND_READ_REG};
  frame_put(p + 1, reg, 2);
  const enum board_status s = link_transact(l, p, sizeof p, 4);
  if (s == BOARD_OK) *value = frame_u32(l->answer + 1);
  return s;
}

enum board_status board_link_write32(struct board_link *l, uint32_t reg, uint32_t value) {
  uint8_t p[7] = {COMMAND_WRITE_REG};
  frame_put(p + 1, reg, 2);
  frame_put(p + 3, value, 4);
  return link_transact(l, p, sizeof p, 0);
}

enum board_status board_link_read(struct board_link *l, uint64_t addr, void *data, uint64_t bytes) {
  uint8_t p[8] = {COMMAND_READ_MEM}, *to = data;
  while (bytes > 0) {
    const size_t n = bytes < FRAME_DATA ? (size_t)bytes : FRAME_DATA;
    frame_put(p + 1, addr, 5);
    frame_put(p + 6, n, 2);
    const enum board_status s = link_transact(l, p, sizeof p, n);
    if (s != BOARD_OK) return s;
    memcpy(to, l->answer + 1, n);
    addr += n, to += n, bytes -= n;
  }
  return BOARD_OK;
}

enum board_status board_link_write(struct board_link *l, uint64_t addr, const void *data, uint64_t bytes) {
  uint8_t p[FRAME_PAYLOAD] = {COMMAND_WRITE_MEM};
  const uint8_t *from = data;
  while (bytes > 0) {
    const size_t n = bytes < FRAME_DATA ? (size_t)bytes : FRAME_DATA;
    frame_put(p + 1, addr, 5);
    memcpy(p + 6, from, n);
    const enum board_status s = link_transact(l, p, 6 + n, 0);
    if (s != BOARD_OK) return s;
    addr += n, from += n, bytes -= n;
  }
  return BOARD_OK;
}

enum board_status board_link_reset(struct board_link *l) {
  const uint8_t p = COMMAND_RESET;
  const enum board_status s = link_transact(l, &p, 1, 0);
  if (s == BOARD_OK) l->heddle_trace_next = 0, l->trace_known = true;
  return s;
}

enum board_status board_link_trace_mode(struct board_link *l, enum board_trace_mode mode) {
  const uint8_t p[2] = {COMMAND_TRACE_MODE, (uint8_t)mode};
  const enum board_status s = link_transact(l, p, sizeof p, 0);
  if (s == BOARD_OK) l->heddle_trace_next = 0, l->trace_known = true;
  return s;
}

enum board_status board_link_counters(struct board_link *l, struct board_counters *c) {
  const uint8_t p = COMMAND_COUNTERS;
  const enum board_status s = link_transact(l, &p, 1, LINK_INFO);
  const uint8_t *b = l->answer + 1;
  if (s != BOARD_OK) return s;
  *c = (struct board_counters){.bad = frame_u32(b),
                               .busy = frame_u32(b + 4),
                               .repeated = frame_u32(b + 8),
                               .refused = frame_u32(b + 12),
                               .done = frame_u32(b + 16),
                               .trace_frames = frame_u32(b + 20),
                               .trace_empty = b[24] & 1};
  return BOARD_OK;
}

enum board_status board_link_poll(struct board_link *l, uint32_t ms) {
  return link_receive(l, link_now_ms(l) + ms, false);
}

/* A frame that the board had begun when it counted goes before the answer, so that what was counted has come or is
 * lost. */
enum board_status board_link_trace_end(struct board_link *l, uint32_t ms) {
  const uint64_t until = link_now_ms(l) + ms;
  struct board_counters c;
  enum board_status s;
  while ((s = board_link_counters(l, &c)) == BOARD_OK && !c.trace_empty) {
    if (link_now_ms(l) >= until) return link_fail(l, BOARD_TIMEOUT, "the board still has trace after %u ms", ms);
    if ((s = board_link_poll(l, AGAIN_MS)) != BOARD_OK) return s;
  }
  if (s != BOARD_OK) return s;
  const uint32_t came = l->trace_known ? l->heddle_trace_next : 0;
  if (came != c.trace_frames)
    return link_fail(l, BOARD_LOST, "the board sent %u frames of trace, the last that came is the %uth", c.trace_frames,
                     came);
  return BOARD_OK;
}
