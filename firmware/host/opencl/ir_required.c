/* SPDX-License-Identifier: Apache-2.0
 * Of
 *   define ... spir_kernel void @rows(...) ... !reqd_work_group_size !10 {
 *   !0 = !{ptr @rows, !"kernel", i32 1}
 *   !10 = !{i32 32, i32 4, i32 1}
 * the second line becomes !0 = !{ptr @rows, !"kernel", i32 1, !"reqntidx", i32 32, !"reqntidy", i32 4, ...}. */
#define _GNU_SOURCE /* memmem */
#include "ir_required.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 4096, WORDS = 160 };

static const char *line_end(const char *line) {
  const char *end = strchr(line, '\n');
  return end ? end : line + strlen(line);
}

/* Of a line that defines such a kernel, its name and its sizes. */
static bool required(const char *ir, const char *line, char name[NAME], int size[3]) {
  static const char tag[] = "!reqd_work_group_size !";
  char begin[40];
  if (strncmp(line, "define ", 7) != 0) return false;
  const size_t length = (size_t)(line_end(line) - line);
  const char *at = memchr(line, '@', length), *t = memmem(line, length, tag, strlen(tag));
  if (!at || !t || at > t) return false;
  snprintf(name, NAME, "%.*s", (int)strcspn(at, "("), at);
  snprintf(begin, sizeof begin, "\n!%lu = !{", strtoul(t + strlen(tag), NULL, 10));
  const char *list = strstr(ir, begin);
  return list && sscanf(list + strlen(begin), "i32 %d, i32 %d, i32 %d}", &size[0], &size[1], &size[2]) == 3 &&
         size[0] > 0 && size[1] > 0 && size[2] > 0;
}

/* Where the annotation that it is a kernel ends; 0: there is none, or it says its sizes already. */
static size_t annotation(const char *ir, const char *name) {
  char kernel[NAME + 32];
  snprintf(kernel, sizeof kernel, " %s, !\"kernel\", i32 1}", name);
  const char *at = strstr(ir, kernel);
  return at ? (size_t)(at - ir) + strlen(kernel) - 1 : 0;
}

static char *insert_words(char *ir, size_t at, const char *words) {
  const size_t bytes = strlen(ir) + 1, more = strlen(words);
  char *longer = realloc(ir, bytes + more);
  if (!longer) {
    free(ir);
    return NULL;
  }
  memmove(longer + at + more, longer + at, bytes - at);
  for (size_t i = 0; i < more; i++) longer[at + i] = words[i];
  return longer;
}

char *ir_required(char *ir) {
  char name[NAME], words[WORDS];
  int size[3];
  for (size_t line = 0; ir && ir[line] != '\0';) {
    const size_t at = required(ir, ir + line, name, size) ? annotation(ir, name) : 0;
    const size_t length = (size_t)(line_end(ir + line) - (ir + line)), next = line + length + (ir[line + length] != 0);
    if (at > 0) {
      snprintf(words, sizeof words, ", !\"reqntidx\", i32 %d, !\"reqntidy\", i32 %d, !\"reqntidz\", i32 %d", size[0],
               size[1], size[2]);
      ir = insert_words(ir, at, words);
    }
    line = at > 0 && at < next ? next + strlen(words) : next;
  }
  return ir;
}
