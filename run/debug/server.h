/* SPDX-License-Identifier: Apache-2.0
 *
 * gdb's remote serial protocol over a target: bytes in, bytes out, without sockets. */
#ifndef HEDDLE_DEBUG_SERVER_H
#define HEDDLE_DEBUG_SERVER_H

#include <stdio.h>

#include "run/debug/target.h"

struct server_config {
  struct target *target;
  const char *report;                                   /* of a difference, or NULL */
  bool (*send)(void *ctx, const char *bytes, size_t n); /* false: the connection is closed */
  void *ctx;
};

enum server_state {
  SERVER_OPEN,
  SERVER_ENDED, /* the grid has ended, reported to gdb */
  SERVER_LEFT   /* the connection has ended */
};

struct server;
struct server *server_new(const struct server_config *c); /* NULL: no memory */
void server_free(struct server *s);
/* Input from the line; answers go through `send`. */
enum server_state server_take(struct server *s, const uint8_t *bytes, size_t n);

#endif
