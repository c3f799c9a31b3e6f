/* SPDX-License-Identifier: Apache-2.0
 *
 * Between board_judge.c, which stands between host and board, and board_launch.c, which makes of what it saw a launch.
 */
#ifndef HEDDLE_BOARD_JUDGED_H
#define HEDDLE_BOARD_JUDGED_H

#include "run/board/board_digest.h"
#include "run/board/board_judge.h"
#include <heddle/config.h>
#include <heddle/host.h>
#include <heddle/trace.h>
#include "firmware/board/open.h"

struct board_judge {
  struct board_judge_options options;
  struct board_link *link;
  struct heddle_port below;            /* the board's */
  const struct heddle_config *machine; /* what the board says it is */
  uint32_t reg[HEDDLE_REG_BYTES / 4];  /* of launch registers: what the host wrote, as far as they keep it */
  uint8_t *image, *known;              /* memory of the board as the host knows it; whether it does, byte by byte */
  uint64_t base, bytes;                /* what of it the launch has: all of its regions */
  struct heddle_host_launch host;      /* the launch, as registers say it */
  bool scoreboard;                     /* of the launches that attach judges */
  bool digests;                        /* that is what the board sends, not the stream */
  struct heddle_attach *attach;        /* of a stream; NULL: nothing was launched */
  struct board_digest *digest;         /* of digests; NULL: nothing was launched */
  struct heddle_trace_writer *file;    /* NULL: there is none, or not yet */
  bool running;                        /* a launch is under way */
  bool fresh;                          /* ... is over: what it could write has been read back */
  bool open;                           /* ... in the file */
  bool wrong;                          /* the verdict stands */
  uint64_t got;
  char broken[300]; /* what keeps it from judging; "": nothing */
  char report[400];
};

bool judged_fail(struct board_judge *j, const char *what); /* false; the first stays */

static inline bool judged_inside(const struct board_judge *j, uint64_t addr, uint64_t bytes) {
  const uint64_t base = j->below.memory_base, all = j->below.memory_bytes;
  return addr >= base && addr - base <= all && bytes <= all - (addr - base);
}
static inline uint8_t *judged_at(const struct board_judge *j, uint64_t addr) {
  return j->image + (addr - j->below.memory_base);
}

/* The configuration that the board is, by its hash; and that something feeds its trace. */
bool judged_machine(struct board_judge *j, const struct board *b, char *why, size_t bytes);
/* START comes next: the launch goes to the checker and to the file. */
bool judged_launch(struct board_judge *j, heddle_host_read shadow);
/* What the grid could write, as the board has it now, into the image. */
bool judged_read_back(struct board_judge *j);

/* Is that a part of what the last launch could write? */
bool judged_was_read(const struct board_judge *j, uint64_t addr, uint64_t bytes);

#endif
