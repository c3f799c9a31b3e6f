/* SPDX-License-Identifier: Apache-2.0
 * Lines of source files, by the names that the program has of them; each file is read once. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/file.h"
#include "run/profile/internal.h"

#define SOURCE_BYTES_MOST (16u << 20)

struct source_file {
  const char *name; /* as the program has it */
  char *text;       /* NULL: it cannot be read; owned. Ends of lines are 0 */
  char **line;      /* owned */
  size_t lines;
};

struct source_text {
  struct source_file *of;
  size_t n, room;
};

struct source_text *source_text_open(void) {
  return calloc(1, sizeof(struct source_text));
}

static void split_lines(struct source_file *s) {
  size_t room = 1;
  for (const char *c = s->text; *c != '\0'; c++) room += *c == '\n';
  s->line = calloc(room, sizeof *s->line);
  for (char *at = s->text; s->line != NULL && at != NULL && *at != '\0';) {
    s->line[s->lines++] = at;
    at = strchr(at, '\n');
    if (at != NULL) *at++ = '\0';
  }
}

static struct source_file *find_source(struct source_text *s, const char *file) {
  for (size_t i = 0; i < s->n; i++)
    if (strcmp(s->of[i].name, file) == 0) return &s->of[i];
  if (!array_room(&s->of, &s->room, s->n + 1, sizeof *s->of)) return NULL;
  size_t size;
  struct source_file *f = &s->of[s->n++];
  *f = (struct source_file){.name = file, .text = file_read_first(file, SOURCE_BYTES_MOST, &size)};
  if (f->text != NULL) split_lines(f);
  return f;
}

const char *source_text_line(struct source_text *s, const char *file, unsigned line) {
  const struct source_file *f = s != NULL && file != NULL && line != 0 ? find_source(s, file) : NULL;
  return f != NULL && line <= f->lines ? f->line[line - 1] : NULL;
}

void source_text_free(struct source_text *s) {
  for (size_t i = 0; s != NULL && i < s->n; i++) {
    free(s->of[i].line);
    free(s->of[i].text);
  }
  if (s != NULL) free(s->of);
  free(s);
}
