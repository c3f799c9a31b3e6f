/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON of commands: one envelope for all of them, also after a failure:
 *   version    of this envelope: 2
 *   command    "run"
 *   heddle     version, commit, isa: of the program that wrote it
 *   status     "ok", "difference" ...: the exit status as a word (tool.h); exit: as a number
 *   errors     error messages, a sentence each
 *   seed       as text, whole; null where nothing is drawn
 *   counters   counts of the whole run: warp instructions, cycles, events; empty without any
 * and beside these the command's own members.
 * It goes to a file, or with "-" to standard output; all other output then goes to standard error, so that a reader
 * finds JSON alone.
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

/* Takes root, a command's own members. The file of --json is written by json_out_finish; another file is written
 * now, without `status` and `exit`. False: it could not be, with a message. */
bool json_out_dump(const char *path, json_t *root);

/* Keeps an error for the envelope; tool_error does. */
void json_out_error(const char *text);

/* At a command's end: writes the file of --json. The exit status, TOOL_USAGE when writing failed. */
int json_out_finish(const char *command, int status);

/* 64 bits as text: readers of JSON have 53. */
json_t *json_out_seed(uint64_t seed);

/* Which program this is, and what is built beside it. */
const char *version_number(void); /* "0.3.0" */
void version_print(FILE *to);     /* what `heddle --version` says */
json_t *version_json(void);       /* version, commit, isa */

#endif
