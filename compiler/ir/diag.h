/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages of the compiler, and the exit when it stops. The driver owns the struct:
 *
 *   struct ptx_diag d;
 *   ptx_diag_init(&d, file, options->message, options->ctx);
 *   if (setjmp(d.exit) == 0) { ... the stages ... } else { ... ptx_fatal was called, with a message ... }
 */
#ifndef HEDDLE_PTX_DIAG_H
#define HEDDLE_PTX_DIAG_H

#include <setjmp.h>

#include "compiler/ir/ast.h"
#include <heddle/program.h>

enum { PTX_ERRORS_MAX = 20, PTX_WARNINGS_MAX = 100 }; /* reported; more are counted */

struct ptx_diag {
  const char *file;
  void (*message)(void *ctx, const struct heddle_message *m); /* or NULL */
  void *ctx;
  unsigned errors, warnings;
  bool no_memory; /* was the end */
  jmp_buf exit;   /* where ptx_fatal goes; set by the driver before the first stage */
};

void ptx_diag_init(struct ptx_diag *d, const char *file, void (*message)(void *ctx, const struct heddle_message *m),
                   void *ctx);

/* Receiver of a full arena (arena.c); ptx_parse sets it. An arena that is full before is a broken invariant. */
void ptx_arena_report(struct ptx_arena *a, struct ptx_diag *d);
size_t ptx_arena_taken(const struct ptx_arena *a); /* bytes, of ptx_arena_new's limit */

#endif
