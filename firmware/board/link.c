/* SPDX-License-Identifier: Apache-2.0
 * The commands of the link. */
#include "link.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "firmware/board/link_internal.h"

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
