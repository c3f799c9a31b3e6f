/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside attach/, and for session/check.c, which judges the records of a trace through it.
 */
#ifndef HEDDLE_ATTACHED_H
#define HEDDLE_ATTACHED_H

#include <heddle/attach.h>
#include <heddle/checker.h>
#include "cosim/trace/stream.h"
#include <heddle/trace.h>

enum attach_state {
  ATTACH_EMPTY,   /* nothing has been loaded */
  ATTACH_BETWEEN, /* before a launch, or after one */
  ATTACH_RUNNING,
  ATTACH_OVER, /* the file has no launch left */
  ATTACH_WRONG /* nothing more is judged */
};

struct heddle_attach {
  struct heddle_core core;
  char name[64];
  struct heddle_checker_config cfg; /* of its checkers */
  enum attach_state state;
  struct heddle_trace_reader *file;
  struct stream_decoder *stream; /* NULL: none has come */
  bool streamed;                 /* a part of one has come in this launch */
  bool bus_errors;               /* memory may answer with errors, by the file: the addresses are unknown */
  bool refused;                  /* the model refuses the launch */
  bool trapped;                  /* the last launch ended in a trap, on both sides */
  struct heddle_launch launch;
  uint64_t base, bytes;
  struct heddle_model *model;
  struct heddle_checker *checker; /* of the launch that runs, or of the last one */
  enum heddle_verdict_kind wrong;
  struct heddle_verdict total; /* of launches that are over: its numbers */
  char message[256], hidden[256];
  char *report;
};

/* A declaration as this library has it: fields that its caller lacks are 0, and zeros have their defaults. False: no
 * core can be so: `err` has the cause. */
enum heddle_error attach_declared(const struct heddle_core *given, struct heddle_core *own, struct heddle_message *msg);

/* A launch begins, with these contents of memory. */
bool attach_begin(struct heddle_attach *a, const struct heddle_launch *l, uint64_t base, const uint8_t *memory,
                  uint64_t bytes);

/* attach.c: false: no such kind, or too few words for what is there. */
bool attach_unpack(const struct heddle_core *core, unsigned kind, const uint32_t *word, size_t words,
                   struct heddle_retire_record *r);
size_t attach_words(const struct heddle_core *core, unsigned kind);

#endif
