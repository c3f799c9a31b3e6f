/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
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
