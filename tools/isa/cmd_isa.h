/* SPDX-License-Identifier: Apache-2.0
 *
 * The subcommands of `heddle isa`. The work is the generator's (isa/gen). */
#ifndef HEDDLE_CMD_ISA_H
#define HEDDLE_CMD_ISA_H

#include "option.h"
#include "spec.h"
#include "tool.h"

/* argv[0] is the name; TOOL_USAGE for arguments and descriptions that are wrong. */
int isa_lint(int argc, char **argv);
int isa_report(int argc, char **argv);
int isa_doc(int argc, char **argv);
int isa_map(int argc, char **argv);

/* A checked description, or NULL: the complaint is on stderr. spec_free it. */
struct spec *isa_load(const char *path);

/* Options of a subcommand with one FILE.isa: each takes a value, but "encodings". False: usage, told. */
struct isa_options {
  const char *file, *out, *json, *svg;
  bool encodings;
};
bool isa_take_options(int argc, char **argv, const char *allowed, struct isa_options *o);

/* `path` for writing, or stdout when NULL; NULL with a complaint. isa_close says false when writing failed. */
FILE *isa_open(const char *path);
bool isa_close(FILE *f, const char *path);

#endif
