/* SPDX-License-Identifier: Apache-2.0
 * The launches of a board, judged while they run. It is a port of the driver's over the port of the board: what a host
 * writes through it is noted down, so that at START it knows the launch as the board does; what comes of the trace goes
 * to the checker, and to a file, if there is one; when the host reads that the grid is over, the rest of the stream is
 * taken, and memory that the grid could write is read back and compared, too. A board that sends digests is judged
 * then, when a launch has ended.
 *
 * Nothing here is taken from the board into the model but memory that the host never wrote, read before START. */
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

/* What is judged begins: launches through `port`, until board_judge_end. `options` is copied. False: why in `why`: the
 * bit file sends neither stream nor digests, or of a machine that is not known. */
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
/* Of all launches since board_judge_begin; texts until the next call. */
void board_judge_verdict(struct board_judge *j, struct heddle_verdict *v);
/* The difference by cosim/schema/difference.json, NULL if there is none, or of digests; the caller's. */
json_t *board_judge_json(struct board_judge *j);
/* What was found of digests, as heddle check --json has it; NULL: it was a stream, or nothing. The caller's. */
json_t *board_judge_digests(const struct board_judge *j);
/* enum tool_exit of a verdict: a stream that was not whole is no pass, and no difference. */
int board_judge_exit(enum heddle_verdict_kind kind);
/* A verdict in a word. */
const char *board_judge_word(enum heddle_verdict_kind kind);

/* Waiting for a grid on a board: no longer than somebody is willing to, and not after the verdict stands. */

struct board_patience {
  const char *name; /* of what runs, for people */
  struct board_link *link;
  uint64_t seconds;          /* of a launch */
  struct board_judge *judge; /* NULL: nobody judges */
  bool given_up, stalled;    /* so it ended: after that time, or (stalled) since nothing came any more */
};

/* How long it takes; all zero at first. */
struct board_progress {
  bool begun;
  uint64_t since, told;
};
/* Seconds since the first call. Now and then they are told on stderr, with what has been judged; most 0: no limit. */
uint64_t board_progress(struct board_progress *p, const char *name, uint64_t most, const struct board_judge *judge);

/* As heddle_synchronize. Where it is not waited for any longer the grid is stopped: HEDDLE_ERROR_TIMEOUT, or, where the
 * verdict stands, HEDDLE_ERROR_TRAPPED without a trap. What takes long is told on stderr, now and then. */
enum heddle_error board_wait(struct heddle_context *c, struct board_patience *p);

#endif
