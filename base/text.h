/* SPDX-License-Identifier: Apache-2.0
 *
 * Text that is put together: in memory that grows, or in the caller's room. */
#ifndef HEDDLE_TEXT_H
#define HEDDLE_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Grows; zeroed is empty. `at` is NULL or ends with a 0, which does not count. */
struct text {
  char *at;
  size_t bytes, room;
};
bool text_add(struct text *t, const char *from, size_t bytes); /* false: no memory, and it is as it was */
bool text_put(struct text *t, const char *words);
void text_free(struct text *t);

/* In `size` bytes of the caller's: what does not fit is cut, and a 0 follows (unless there are none). */
struct text_room {
  char *at;
  size_t size, used;
};
void text_print(struct text_room *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* As vsnprintf, but a word of more than 96 characters has "..." in its middle: names of C++ templates have
 * thousands, in front of the message's end. */
void message_text(char *to, size_t size, const char *format, va_list ap);
/* Text inside HTML or SVG: what means something there is written as what it stands for. */
void html_put(FILE *f, const char *text);

#endif
