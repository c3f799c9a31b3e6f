/* SPDX-License-Identifier: Apache-2.0
 * Digests (docs/digest-format.md): files of them judged, and the launches of a board that sends them. */
#ifndef HEDDLE_RUN_BOARD_DIGEST_H
#define HEDDLE_RUN_BOARD_DIGEST_H

#include <jansson.h>

#include <heddle/attach.h>
#include <heddle/config.h>
#include <heddle/digest.h>
#include <heddle/session.h>
#include "run/command/tool.h"

/* Result of the full stream, or a trace, where digests were wrong. */
enum replay {
  REPLAY_NONE,   /* not run */
  REPLAY_SAME,   /* its first difference is in a window with a wrong digest */
  REPLAY_OTHER,  /* ... elsewhere */
  REPLAY_AGREES, /* it has none: not reproduced */
  REPLAY_UNKNOWN /* it could not be judged to its end */
};

struct check_digest {
  const char *file, *replay;            /* a full stream or trace, or NULL */
  const struct heddle_program *program; /* may be NULL */
  struct heddle_digest_file digest;
  enum replay verdict;
  struct heddle_session_result full;
  json_t *full_report;
};

/* Judges c->file, and c->replay where that was wrong; reports go to stderr, results to stdout. The exit status. */
int check_digest(struct check_digest *c);
/* Compares a full stream with the wrong digests. */
void check_digest_replay(struct check_digest *c, const char *full);
/* The command's own members of --json; NULL: no memory. */
json_t *check_digest_json(const struct check_digest *c);
void check_digest_clear(struct check_digest *c);

/* Launches of a board that sends digests: their bytes go to the judge of cosim/digest, which reports at the end of a
 * launch. The report is in the words of every board's verdict. */

struct board_digest {
  struct heddle_digest_launches *launches;
  const char *machine;
  FILE *table; /* writes `text` */
  char *text;
  size_t bytes;
  char *report; /* of the last verdict */
};

struct board_digest *board_digest_new(const struct heddle_config *machine); /* NULL: no memory */
void board_digest_free(struct board_digest *d);
/* All launches; texts until the next call. */
void board_digest_verdict(struct board_digest *d, struct heddle_verdict *v);
/* As heddle check FILE --json has it, with `name` for the file; the caller's. */
json_t *board_digest_json(const struct board_digest *d, const char *name);

#endif
