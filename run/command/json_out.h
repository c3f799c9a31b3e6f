/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON that commands write: what they tell, in one envelope that is the same for all of them, also when they failed:
 *   version    of this envelope: 2
 *   command    "run"
 *   heddle     version, commit, isa: which program wrote it
 *   status     "ok", "difference" ...: the exit status as a word (tool.h); exit: as a number
 *   errors     what was said to be wrong, a sentence each
 *   seed       as text, whole; null where nothing is drawn
 *   counters   what was counted of all that ran: warp instructions, cycles, events; empty where nothing was
 * and beside these the command's own members.
 * It goes to a file, or with "-" to standard output; what else would be said there is then said on standard error, so
 * that a reader finds JSON and nothing else.
 */
#ifndef HEDDLE_TOOLS_JSON_OUT_H
#define HEDDLE_TOOLS_JSON_OUT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* The value of --json, as the option is read. From here on json_out_finish writes it, whatever becomes of the
 * command. */
const char *json_out_take(const char *path);

/* Takes root, a command's own members. What goes to the file of --json waits for json_out_finish; another file is
 * written now, without `status` and `exit`. False: it could not be, which has been said. */
bool json_out_dump(const char *path, json_t *root);

/* Keeps an error for the envelope; tool_error does. */
void json_out_error(const char *text);

/* At a command's end: writes what --json asked for. The exit status, TOOL_USAGE when writing failed. */
int json_out_finish(const char *command, int status);

/* 64 bits as text: readers of JSON have 53. */
json_t *json_out_seed(uint64_t seed);

/* Which program this is, and what is built beside it. */
const char *version_number(void); /* "0.3.0" */
void version_print(FILE *to);     /* what `heddle --version` says */
json_t *version_json(void);       /* version, commit, isa */

#endif
