/* SPDX-License-Identifier: Apache-2.0
 *
 * Files of digests (docs/digest-format.md) judged, and what a full stream of the same launch says to them. */
#ifndef HEDDLE_TOOLS_CHECK_DIGEST_H
#define HEDDLE_TOOLS_CHECK_DIGEST_H

#include <jansson.h>

#include <heddle/digest.h>
#include <heddle/session.h>
#include "run/command/tool.h"

/* What the full stream, or a trace, says where digests were wrong. */
enum replay {
  REPLAY_NONE,   /* it was not asked */
  REPLAY_SAME,   /* its first difference lies where a digest was wrong */
  REPLAY_OTHER,  /* ... elsewhere */
  REPLAY_AGREES, /* it has none: not reproduced */
  REPLAY_UNKNOWN /* it could not be judged to its end */
};
const char *replay_name(enum replay r);

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
/* What a full stream says to digests that were wrong. */
void check_digest_replay(struct check_digest *c, const char *full);
/* The command's own members of --json; NULL: no memory. */
json_t *check_digest_json(const struct check_digest *c);
void check_digest_clear(struct check_digest *c);

#endif
