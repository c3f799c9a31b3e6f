/* SPDX-License-Identifier: Apache-2.0
 *
 * Between server.c and its answers. */
#ifndef HEDDLE_DEBUG_SERVER_INTERNAL_H
#define HEDDLE_DEBUG_SERVER_INTERNAL_H

#include "run/debug/packet.h"
#include "run/debug/server.h"

struct server {
  struct server_config c;
  struct target *t;
  struct packet_reader in;
  struct packet out;
  bool no_ack;
  uint64_t general; /* the thread whose registers and memory are asked for; 0: any */
  uint64_t control; /* the one that goes backwards */
  enum server_state state;
  struct target_stop last;
  bool unseen; /* gdb has not asked for the threads since then: it may go on without showing the stop to anybody */
  char *registers, *threads; /* owned: descriptions; NULL until asked for */
  size_t registers_size, threads_size;
  uint8_t *program;
  size_t program_size;
};

/* The thread that is asked for, else the first; false: no warp lives. */
bool server_thread(const struct server *s, uint64_t thread, unsigned *w, unsigned *lane);
bool server_send(struct server *s, const struct packet *p);
void server_print(struct server *s, const char *text); /* to gdb's console */

/* Each is given what stands behind the name of its packet, and leaves the answer in s->out. */
/* ---- server_memory.c */
void answer_registers(struct server *s, const char *text);
void answer_register(struct server *s, const char *text);
void answer_write_register(struct server *s, const char *text);
void answer_memory(struct server *s, const char *text);
void answer_write_memory(struct server *s, const char *text);
/* ---- server_run.c */
void answer_stop(struct server *s, const char *text);
void answer_vcont(struct server *s, const char *text);
void answer_back(struct server *s, const char *text);
void answer_set(struct server *s, const char *text);
void answer_clear(struct server *s, const char *text);
/* ---- server_object.c */
void answer_object(struct server *s, const char *text); /* qXfer: */
void answer_file(struct server *s, const char *text);   /* vFile: */

#endif
