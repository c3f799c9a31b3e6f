/* SPDX-License-Identifier: Apache-2.0
 *
 * Text through the parser, with the messages that came; for the tests of the front end.
 */
#ifndef HEDDLE_TEST_PARSED_H
#define HEDDLE_TEST_PARSED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "compiler/ir/diag.h"

#define HEAD ".version 7.0 .target sm_70 .address_size 64 "
#define KERNEL HEAD ".entry k() {\n" /* what follows is on line 2 */

enum { MESSAGES_MAX = 64 };

struct parsed {
  struct ptx_arena *arena;
  struct ptx_diag diag;
  struct ptx_module *module; /* NULL: refused, or stopped */
  bool gave_up;
  unsigned messages;
  struct heddle_message message[MESSAGES_MAX];
};

static inline void parsed_take(void *ctx, const struct heddle_message *m) {
  struct parsed *p = ctx;
  assert_true(p->messages < MESSAGES_MAX);
  p->message[p->messages++] = *m;
}

static inline struct ptx_module *parsed_more(struct parsed *p, const char *text, size_t size) {
  p->module = NULL;
  if (setjmp(p->diag.exit) == 0)
    p->module = ptx_parse(p->arena, &p->diag, text, size, "test.ptx");
  else
    p->gave_up = true;
  return p->module;
}

static inline struct ptx_module *parsed_bytes(struct parsed *p, const char *text, size_t size, size_t most_bytes) {
  memset(p, 0, sizeof *p);
  p->arena = ptx_arena_new(most_bytes);
  assert_non_null(p->arena);
  ptx_diag_init(&p->diag, "test.ptx", parsed_take, p);
  return parsed_more(p, text, size);
}

static inline struct ptx_module *parsed_text(struct parsed *p, const char *text) {
  struct ptx_module *m = parsed_bytes(p, text, strlen(text), (size_t)256 << 20);
  assert_int_equal(m == NULL, ptx_errors(&p->diag) > 0);
  return m;
}

static inline void parsed_free(struct parsed *p) {
  ptx_arena_free(p->arena);
}

/* The text must be fine, and so must what it prints as, and both must say the same. */
static inline struct ptx_module *parsed_fine(struct parsed *p, const char *text) {
  char *again = NULL;
  size_t size = 0;
  struct ptx_module *first = parsed_text(p, text);
  if (first == NULL) fail_msg("%u:%u: %s\n%s", p->message[0].line, p->message[0].column, p->message[0].text, text);
  FILE *f = open_memstream(&again, &size);
  assert_non_null(f);
  ptx_print(first, f);
  fclose(f);
  struct ptx_module *second = parsed_more(p, again, size);
  if (second == NULL)
    fail_msg("printed: %u:%u: %s\n%s", p->message[0].line, p->message[0].column, p->message[0].text, again);
  const char *what = ptx_differ(first, second);
  if (what != NULL) fail_msg("printed, it differs in %s\n%s", what, again);
  free(again);
  return p->module = first;
}

/* The statements of a kernel with the body `text`. */
static inline struct ptx_statement *parsed_body(struct parsed *p, const char *text) {
  char all[4096];
  snprintf(all, sizeof all, KERNEL "%s\n}\n", text);
  return parsed_fine(p, all)->functions->body->statements;
}

#endif
