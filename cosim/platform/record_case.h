/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside cosim/platform: a launch as a case of a list (docs/hosts.md), and the files beside it. */
#ifndef HEDDLE_PLATFORM_RECORD_CASE_H
#define HEDDLE_PLATFORM_RECORD_CASE_H

#include <stdio.h>

#include <jansson.h>

#include <heddle/port.h>

/* What the launch says: name, kernel, sizes, arguments. Without its program and memory. NULL: no memory. */
json_t *record_case(const struct heddle_seen_launch *l, uint64_t number);

/* `bytes` into DIR/NAME, where NAME, 64 bytes, is made of what they are and `end`; what is there already stays. */
bool record_file(const char *dir, const void *data, size_t bytes, const char *end, char *name);
/* The program's own file, as ELF. */
bool record_program(const char *dir, const struct heddle_program *p, char *name);

/* DIR/cases.json with one case more at its end; the file is whole after each. */
FILE *record_list_open(const char *dir);
bool record_list_add(FILE *list, const json_t *one, bool first);

#endif
