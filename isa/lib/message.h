/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of a call that fails, into the caller's message. */
#ifndef HEDDLE_MESSAGE_H
#define HEDDLE_MESSAGE_H

#include "base/text.h"

#include <heddle/error.h>

#include <stdio.h>

/* No failure yet. `m` may be NULL. */
static inline void message_clear(struct heddle_message *m) {
  if (m) *m = (struct heddle_message){0};
}

/* return message_fail(m, HEDDLE_ERROR_FILE, path, "cannot be read: %s", strerror(errno));
 * `m` may be NULL, `file` too. Returns `e`. */
__attribute__((format(printf, 4, 5))) static inline enum heddle_error
message_fail(struct heddle_message *m, enum heddle_error e, const char *file, const char *format, ...) {
  if (!m) return e;
  *m = (struct heddle_message){0};
  if (file) snprintf(m->file, sizeof m->file, "%s", file);
  va_list ap;
  va_start(ap, format);
  message_text(m->text, sizeof m->text, format, ap);
  va_end(ap);
  return e;
}

#endif
