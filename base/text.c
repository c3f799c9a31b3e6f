/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

bool text_add(struct text *t, const char *from, size_t bytes) {
  if (bytes > SIZE_MAX / 4 || t->bytes > SIZE_MAX / 4 || !array_room(&t->at, &t->room, t->bytes + bytes + 1, 1))
    return false;
  if (bytes > 0) memcpy(t->at + t->bytes, from, bytes);
  t->bytes += bytes;
  t->at[t->bytes] = '\0';
  return true;
}

bool text_put(struct text *t, const char *words) {
  return text_add(t, words, strlen(words));
}

void text_free(struct text *t) {
  free(t->at);
  *t = (struct text){.at = NULL};
}

void text_print(struct text_room *t, const char *format, ...) {
  va_list ap;
  if (t->size == 0) return;
  va_start(ap, format);
  const int n = vsnprintf(t->at + t->used, t->size - t->used, format, ap);
  va_end(ap);
  if (n > 0) t->used += (size_t)n;
  if (t->used >= t->size) t->used = t->size - 1;
}

enum { MESSAGE_WORD_MAX = 96, MESSAGE_HEAD = 60, MESSAGE_TAIL = 33, MESSAGE_WHOLE = 16384 };

void message_text(char *to, size_t size, const char *format, va_list ap) {
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

void html_put(FILE *f, const char *text) {
  for (; *text != '\0'; text++) {
    const char *as = *text == '<'   ? "&lt;"
                     : *text == '>' ? "&gt;"
                     : *text == '&' ? "&amp;"
                     : *text == '"' ? "&quot;"
                                    : NULL;
    if (as != NULL)
      fputs(as, f);
    else
      fputc(*text, f);
  }
}
