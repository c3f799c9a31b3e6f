/* SPDX-License-Identifier: Apache-2.0
 *
 * A target behind a socket, for one gdb. */
#ifndef HEDDLE_DEBUG_SERVE_H
#define HEDDLE_DEBUG_SERVE_H

#include <sys/types.h>

#include "run/debug/server.h"

/* "PORT" of this machine, or "unix:PATH". A socket that listens; -1: message on stderr. */
int serve_listen(const char *where);
/* Until gdb goes or the grid ends. gdb: a child that is to come, or 0; SERVER_OPEN: nobody came. */
enum server_state serve(int listening, pid_t gdb, struct target *t, const char *report);

#endif
