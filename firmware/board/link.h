/* SPDX-License-Identifier: Apache-2.0
 *
 * The host's end of the link to a board (lab/fpga/board/link/README.md), over a file descriptor: a tty, a pty, a
 * socket. A command goes out, its answer comes back; what is lost or damaged on the way is sent again and executed
 * once. Every call ends after tries * try_ms at most. Not for several threads at once. */
#ifndef BOARD_LINK_H
#define BOARD_LINK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum board_status {
  BOARD_OK,
  BOARD_TIMEOUT, /* no answer to any try */
  BOARD_CLOSED,  /* the other end is gone, or the descriptor failed */
  BOARD_REFUSED, /* the board rejects the command as unknown or malformed */
  BOARD_BUS,     /* a bus answered with an error */
  BOARD_DEAD,    /* a bus has not answered: nothing but a reset helps */
  BOARD_FOREIGN, /* what answers is no link of this version */
  BOARD_LOST     /* bytes of the trace are missing at its end */
};
const char *board_status_text(enum board_status s);

/* Bytes of the trace as they left the board, in order; lost_before: some are missing before the first of these. */
typedef void board_trace_fn(void *ctx, const uint8_t *bytes, size_t n, bool lost_before);

struct board_link_options {
  int fd;                /* borrowed; made non-blocking */
  uint32_t try_ms;       /* how long an answer may take; 0: 250 */
  uint32_t tries;        /* 0: 8 */
  board_trace_fn *trace; /* NULL: no watcher */
  void *ctx;
  /* Milliseconds of a clock of the caller's, as of a simulation; NULL: the host's. */
  uint64_t (*now_ms)(void *ctx);
};

/* Source of the board's trace, by its bit file: readers of the bytes need it. */
enum board_feed {
  BOARD_FEED_NONE,
  BOARD_FEED_STREAM, /* what the core retires: docs/stream-format.md */
  BOARD_FEED_DIGEST  /* digests of it: docs/digest-format.md */
};

enum board_trace_mode {
  BOARD_TRACE_OFF,    /* as after a reset: the core waits for nothing, and nothing comes */
  BOARD_TRACE_HELD,   /* everything comes: the core waits where the line is slower */
  BOARD_TRACE_DROPPED /* the core waits for nothing; what finds no room is lost, and said to be */
};

struct board_identity {
  bool ready;  /* memory has been initialised */
  bool failed; /* ... or could not be */
  bool dead;   /* a bus does not answer */
  enum board_feed feed;
  uint32_t clock_hz, board;
  uint64_t memory_base, memory_bytes;
};

struct board_counters {
  uint32_t bad, busy;    /* frames that the board dropped: damaged; while a command was executed */
  uint32_t repeated;     /* commands answered again */
  uint32_t refused;      /* unknown or malformed */
  uint32_t done;         /* executed */
  uint32_t trace_frames; /* sent since the last reset */
  bool trace_empty;      /* no byte of the trace waits on the board's side of the link */
};

/* Events on this side of the line. */
struct board_traffic {
  uint64_t sent, received; /* bytes */
  uint64_t commands;       /* each counted once */
  uint64_t repeats;        /* ... sent again */
  uint64_t bad;            /* frames that came damaged */
  uint64_t strange;        /* answers without a request */
  uint64_t trace_bytes, trace_gaps;
};

struct board_link;
struct board_link *board_link_new(const struct board_link_options *o); /* NULL: no memory */
void board_link_free(struct board_link *l);                            /* leaves the descriptor open */
const char *board_link_message(const struct board_link *l);            /* of the last call that failed */
struct board_traffic board_link_traffic(const struct board_link *l);

enum board_status board_link_identify(struct board_link *l, struct board_identity *id);
/* Until memory is ready: BOARD_TIMEOUT after so many milliseconds, BOARD_DEAD if it cannot be. */
enum board_status board_link_wait_ready(struct board_link *l, uint32_t ms, struct board_identity *id);
enum board_status board_link_echo(struct board_link *l, const uint8_t *bytes, size_t n); /* n: at most FRAME_DATA */
enum board_status board_link_read32(struct board_link *l, uint32_t reg, uint32_t *value);
enum board_status board_link_write32(struct board_link *l, uint32_t reg, uint32_t value);
/* Any address, any number of bytes. A write that failed may have been done in part. */
enum board_status board_link_read(struct board_link *l, uint64_t addr, void *data, uint64_t bytes);
enum board_status board_link_write(struct board_link *l, uint64_t addr, const void *data, uint64_t bytes);
/* Resets all behind the link, with the trace; memory is initialised again, its content is undefined. */
enum board_status board_link_reset(struct board_link *l);
enum board_status board_link_counters(struct board_link *l, struct board_counters *c);
/* Restarts the source of the trace in this mode; its numbers and those of the trace's frames begin at 0. Between
 * launches. Unsent data is dropped; until this returns, parts of it may still come. */
enum board_status board_link_trace_mode(struct board_link *l, enum board_trace_mode mode);
/* Take what has come of the trace, for so many milliseconds. */
enum board_status board_link_poll(struct board_link *l, uint32_t ms);
/* Until the board holds no more of the trace, and all frames that it sent since the reset have come. */
enum board_status board_link_trace_end(struct board_link *l, uint32_t ms);

/* Open a serial device with 8 data bits, no parity, no flow control. -1: *message says why. */
int board_tty_open(const char *path, uint32_t baud, char *message, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
