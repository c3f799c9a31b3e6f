/* SPDX-License-Identifier: Apache-2.0
 * One command and its answer over a line that loses bytes. */
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
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

enum board_status link_fail(struct board_link *l, enum board_status s, const char *format, ...) {
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
