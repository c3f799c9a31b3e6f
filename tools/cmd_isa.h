/* SPDX-License-Identifier: Apache-2.0
 *
 * The subcommands of `heddle isa`. The work is the generator's (isa/gen). */
#ifndef HEDDLE_CMD_ISA_H
#define HEDDLE_CMD_ISA_H

#include "run/command/option.h"
#include "isa/gen/spec.h"
#include "run/command/tool.h"

/* argv[0] is the name; TOOL_USAGE for arguments and descriptions that are wrong. */
int isa_lint(int argc, char **argv);
int isa_report(int argc, char **argv);
int isa_doc(int argc, char **argv);
int isa_map(int argc, char **argv);
int isa_try(int argc, char **argv);
int isa_short(int argc, char **argv);

/* A checked description, or NULL: the complaint is on stderr. spec_free it. */
struct spec *isa_load(const char *path);

/* Options of a subcommand with `least` to `most` FILE.isa: `allowed` are the values of its own. False: usage, told. */
struct isa_options {
  const char *const *file;
  unsigned files;
  const char *out, *json, *svg, *tree, *cache, *config, *depth;
  unsigned jobs, patterns, codes;
  bool encodings, no_synth;
};
bool isa_take_options(int argc, char **argv, const char *allowed, unsigned most, struct isa_options *o);

/* Several encodings beside each other (compare.h); `json`: as of json_out_take, or NULL. */
struct compare_request;
int isa_compare(const struct compare_request *q, const char *json);

/* `path` for writing, or stdout when NULL; NULL with a complaint. isa_close says false when writing failed. */
FILE *isa_open(const char *path);
bool isa_close(FILE *f, const char *path);

#endif
