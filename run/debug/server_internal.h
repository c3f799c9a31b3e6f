/* SPDX-License-Identifier: Apache-2.0
 * Between server.c and its answers. */
#ifndef HEDDLE_DEBUG_SERVER_INTERNAL_H
#define HEDDLE_DEBUG_SERVER_INTERNAL_H

#include <stdio.h>

#include "base/array.h"
#include "run/debug/packet.h"
#include "run/debug/server.h"
#include "run/debug/target.h"

struct server {
  struct server_config c;
  struct target *t;
  struct packet_reader in;
  struct packet out;
  bool no_ack;
  uint64_t general; /* thread of register and memory requests; 0: any */
  uint64_t control; /* the one that goes backwards */
  enum server_state state;
  struct target_stop last;
  bool unseen;               /* gdb has not read the threads since then: it may go on without showing the stop */
  char *registers, *threads; /* owned: descriptions; NULL until they are read */
  size_t registers_size, threads_size;
  uint8_t *program;
  size_t program_size;
};

/* Each is given the text behind the name of its packet, and puts the answer into s->out. */
/* ---- server_object.c */
void answer_object(struct server *s, const char *text); /* qXfer: */
void answer_file(struct server *s, const char *text);   /* vFile: */

/* program.c: the program as ELF for an architecture that gdb has: code, names, lines, and unwinding that finds no
 * caller of a kernel. */
uint8_t *description_program(const struct job *j, size_t *size);

/* names.c: to a program's .debug_info, .debug_abbrev and .debug_macinfo; nothing where there is no .debug_info. OpenCL
 * C is called C in it. */
void names_add(const struct heddle_program *p, struct bytes *info, struct bytes *abbrev, struct bytes *macros);

/* Requests without a packet of gdb's, "monitor COMMAND": the answer to `line`, about the thread in warp slot w;
 * `report`: of a difference, or NULL. */
void monitor_run(const struct target *t, unsigned w, unsigned lane, const char *report, const char *line, FILE *out);

#endif
