/* SPDX-License-Identifier: Apache-2.0
 *
 * Launches of a board that sends digests (docs/digest-format.md): their bytes go to the judge of cosim/digest, which
 * speaks when a launch has ended; and what it says in the words of every board's verdict.
 */
#ifndef HEDDLE_BOARD_DIGEST_H
#define HEDDLE_BOARD_DIGEST_H

#include <jansson.h>

#include <heddle/attach.h>
#include <heddle/config.h>
#include <heddle/digest.h>

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
/* Of all launches; texts until the next call. */
void board_digest_verdict(struct board_digest *d, struct heddle_verdict *v);
/* As heddle check FILE --json has it, with `name` for the file; the caller's. */
json_t *board_digest_json(const struct board_digest *d, const char *name);

#endif
