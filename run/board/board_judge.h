/* SPDX-License-Identifier: Apache-2.0
 * Judge of a board's launches while they run. It is a port of the driver, on top of the board's port. The host's writes
 * through it are recorded, so at START it has the board's launch; the trace goes to the checker, and to a file, if
 * there is one.
 * When the host reads the end of the grid, the rest of the stream is taken, and memory that the grid could write is
 * read back and compared. A board with digests is judged at the end of a launch.
 *
 * The model takes nothing from the board but memory that the host never wrote, read before START. */
#ifndef HEDDLE_BOARD_JUDGE_H
#define HEDDLE_BOARD_JUDGE_H

#include <jansson.h>

#include <heddle/attach.h>
#include <heddle/driver.h>
#include <heddle/port.h>
#include "firmware/board/open.h"

struct board_judge_options {
  bool drop;           /* the core does not wait for the line */
  const char *file;    /* gets the stream, for `heddle check`; NULL: none */
  const char *command; /* what repeats this run, for the file; NULL: nothing does */
};

struct board_judge;
struct board_judge *board_judge_new(void); /* NULL: no memory. It may judge one board */
void board_judge_free(struct board_judge *j);

/* The board_trace_fn of its link; ctx is the judge. */
void board_judge_bytes(void *judge, const uint8_t *bytes, size_t n, bool lost_before);

/* Begins: launches through `port` are judged until board_judge_end. `options` is copied. False, with the cause in
 * `why`: the bit file sends neither stream nor digests, or is of an unknown machine. */
bool board_judge_begin(struct board_judge *j, struct board *b, const struct board_judge_options *options,
                       struct heddle_port *port, char *why, size_t bytes);
/* The stream is off again, and the file complete. False: it could not be written. */
bool board_judge_end(struct board_judge *j);

/* Something is wrong already: a launch that runs need not be waited for. */
bool board_judge_wrong(const struct board_judge *j);
/* Nothing has come for long, and the grid is not over: a deadlock on both sides is the verdict. */
void board_judge_stalled(struct board_judge *j);
/* Bytes of the trace since board_judge_begin. */
uint64_t board_judge_got(const struct board_judge *j);
/* All launches since board_judge_begin; texts until the next call. */
void board_judge_verdict(struct board_judge *j, struct heddle_verdict *v);
/* The difference by cosim/schema/difference.json, NULL if there is none, or of digests; the caller's. */
json_t *board_judge_json(struct board_judge *j);
/* Result of the digests, as in heddle check --json; NULL: a stream, or no launch. The caller's. */
json_t *board_judge_digests(const struct board_judge *j);
/* enum tool_exit of a verdict: a stream that was not whole is no pass, and no difference. */
int board_judge_exit(enum heddle_verdict_kind kind);
/* A verdict in a word. */
const char *board_judge_word(enum heddle_verdict_kind kind);

/* Wait for a grid on a board: until a time limit, or the verdict. */

struct board_patience {
  const char *name; /* of what runs, for people */
  struct board_link *link;
  uint64_t seconds;          /* of a launch */
  struct board_judge *judge; /* NULL: no judge */
  bool given_up, stalled;    /* so it ended: after that time, or (stalled) since nothing came any more */
};

/* How long it takes; all zero at first. */
struct board_progress {
  bool begun;
  uint64_t since, told;
};
/* Seconds since the first call. Reports them on stderr at times, with the judged part; most 0: no limit. */
uint64_t board_progress(struct board_progress *p, const char *name, uint64_t most, const struct board_judge *judge);

/* As heddle_synchronize. When waiting ends the grid is stopped: HEDDLE_ERROR_TIMEOUT, or, after a verdict,
 * HEDDLE_ERROR_TRAPPED without a trap. A long wait is reported on stderr at times. */
enum heddle_error board_wait(struct heddle_context *c, struct board_patience *p);

#endif
