/* SPDX-License-Identifier: Apache-2.0
 *
 * Messages: counted, bounded, passed on.
 */
#include "diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"

void ptx_diag_init(struct ptx_diag *d, const char *file, void (*message)(void *ctx, const struct heddle_message *m),
                   void *ctx) {
  memset(d, 0, sizeof *d);
  d->file = file;
  d->message = message;
  d->ctx = ctx;
}

static void send_message(const struct ptx_diag *d, struct ptx_pos at, bool warning, const char *format, va_list ap) {
  struct heddle_message m = {.line = at.line, .column = at.column, .warning = warning};
  if (d->message == NULL) return;
  snprintf(m.file, sizeof m.file, "%s", d->file != NULL ? d->file : "");
  message_text(m.text, sizeof m.text, format, ap);
  d->message(d->ctx, &m);
}

static void tell_text(const struct ptx_diag *d, struct ptx_pos at, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  send_message(d, at, false, format, ap);
  va_end(ap);
}

void ptx_error(struct ptx_diag *d, struct ptx_pos at, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  if (d->errors < PTX_ERRORS_MAX) send_message(d, at, false, format, ap);
  va_end(ap);
  d->errors++;
  if (d->errors == PTX_ERRORS_MAX) tell_text(d, at, "%d errors; there may be more", PTX_ERRORS_MAX);
}

void ptx_warning(struct ptx_diag *d, struct ptx_pos at, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  if (d->warnings < PTX_WARNINGS_MAX) send_message(d, at, true, format, ap);
  va_end(ap);
  d->warnings++;
}

unsigned ptx_errors(const struct ptx_diag *d) {
  return d->errors;
}

/* Always told, however many were before: it is the reason for the end. */
void ptx_fatal(struct ptx_diag *d, struct ptx_pos at, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  send_message(d, at, false, format, ap);
  va_end(ap);
  d->errors++;
  longjmp(d->exit, 1);
}
