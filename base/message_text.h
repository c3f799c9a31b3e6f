/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of a message that names things: names of C++ templates have thousands of characters, and what is wrong
 * stands behind them.
 */
#ifndef HEDDLE_MESSAGE_TEXT_H
#define HEDDLE_MESSAGE_TEXT_H

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MESSAGE_WORD_MAX = 96, MESSAGE_HEAD = 60, MESSAGE_TAIL = 33, MESSAGE_WHOLE = 16384 };

/* As vsnprintf, but of a word of more than 96 characters the middle is "...". */
static inline void message_text(char *to, size_t size, const char *format, va_list ap) {
  char whole[MESSAGE_WHOLE];
  size_t used = 0;
  if (vsnprintf(whole, sizeof whole, format, ap) < 0) whole[0] = '\0';
  for (const char *at = whole; *at != '\0' && used + 1 < size;) {
    const size_t word = strcspn(at, " ");
    const size_t all = word + (at[word] != '\0');
    const int n = word > MESSAGE_WORD_MAX ? snprintf(to + used, size - used, "%.*s...%.*s", MESSAGE_HEAD, at,
                                                     (int)(MESSAGE_TAIL + all - word), at + word - MESSAGE_TAIL)
                                          : snprintf(to + used, size - used, "%.*s", (int)all, at);
    used += n > 0 ? (size_t)n : 0;
    at += all;
  }
  if (used == 0 && size > 0) to[0] = '\0';
}

#endif
