/* SPDX-License-Identifier: Apache-2.0
 * Room between local arrays. A line is enough to know an alloca; its size is LLVM's to say, as an expression. */
#include "local_gap.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_OPAQUE = 15, NAME_MAX_SHOWN = 60 };

struct function {
  char name[512]; /* "": none, or one whose local memory is not known */
  bool in_entry;  /* static variables are declared in its first block */
  unsigned parts, arrays;
};

struct gaps {
  unsigned gap, arrays; /* of all functions */
  FILE *text;           /* what becomes of it; tables at its end */
  FILE *numbers, *names, *tables;
  char *text_at, *numbers_at, *names_at, *tables_at;
  size_t text_size, numbers_size, names_size, tables_size, name_bytes;
  struct function f;
};

static bool has_opaque_pointers(const char *text) {
  const char *version = strstr(text, "clang version ");
  return version && strtoul(version + 14, NULL, 10) >= FIRST_OPAQUE;
}

/* "define ... @NAME(" */
static void begin_function(struct gaps *g, const char *line) {
  const char *at = strchr(line, '@');
  const size_t n = at ? strcspn(at + 1, "(\n\"") : 0;
  g->f = (struct function){.in_entry = true};
  if (at && at[1 + n] == '(' && n < sizeof g->f.name) memcpy(g->f.name, at + 1, n);
  if (fseek(g->numbers, 0, SEEK_SET) != 0 || fseek(g->names, 0, SEEK_SET) != 0) g->f.name[0] = '\0'; /* no room then */
  g->name_bytes = 0;
}

/* The table of the function, if it has arrays: see compiler/lower/lower_layout.c. */
static void end_function(struct gaps *g) {
  fflush(g->numbers);
  fflush(g->names);
  if (g->f.name[0] && g->f.arrays > 0)
    fprintf(g->tables,
            "@heddle_locals_%s = addrspace(1) constant <{ i64, [%u x i64], [%zu x i8] }> "
            "<{ i64 %u, [%u x i64] [%.*s], [%zu x i8] c\"%.*s\" }>\n",
            g->f.name, 3 * g->f.parts, g->name_bytes, g->f.parts, 3 * g->f.parts, (int)ftell(g->numbers), g->numbers_at,
            g->name_bytes, (int)ftell(g->names), g->names_at);
  g->f = (struct function){.parts = 0};
}

/* A name of C, or nothing where LLVM's own is none; without what inlining put behind it. */
static void put_name(struct gaps *g, const char *name) {
  size_t n = 0;
  while (n < NAME_MAX_SHOWN && (isalnum((unsigned char)name[n]) || name[n] == '_')) n++;
  if (isdigit((unsigned char)name[0])) n = 0;
  fprintf(g->names, "%.*s\\00", (int)n, name);
  g->name_bytes += n + 1;
}

/* Length of a type; 0: something stands behind it but an alignment, so that it is no variable of fixed size. */
static size_t type_length(const char *type) {
  int depth = 0;
  size_t n = 0;
  for (; type[n] && type[n] != '\n' && (depth > 0 || type[n] != ','); n++)
    depth += (strchr("[{(<", type[n]) != NULL) - (strchr("]})>", type[n]) != NULL);
  return strncmp(type + n, ", align ", 8) == 0 ? n : 0;
}

/* Where the type of an alloca begins, "  %NAME = alloca TYPE, align N"; NULL: the line is none. */
static const char *alloca_type(const char *line, size_t length) {
  static const char word[] = "= alloca ";
  const char *equals = memchr(line, '=', length);
  return equals && strncmp(equals, word, sizeof word - 1) == 0 ? equals + sizeof word - 1 : NULL;
}

static bool put_alloca(struct gaps *g, const char *line, const char *type, size_t length) {
  const size_t n = type_length(type);
  const char *behind = type + n;
  const unsigned long align = n ? strtoul(behind + 8, NULL, 10) : 0;
  if (align == 0 || strncmp(line, "  %", 3) != 0) {
    g->f.name[0] = '\0';
    return false;
  }
  const bool array = strchr("[{<%", type[0]) != NULL;
  if (array)
    fprintf(g->text, "%.*s{ %.*s, [%u x i8] }%.*s", (int)(type - line), line, (int)n, type, g->gap,
            (int)(length - (size_t)(behind - line)), behind);
  fprintf(g->numbers, "%si64 ptrtoint (ptr getelementptr (%.*s, ptr null, i32 1) to i64), ", g->f.parts ? ", " : "",
          (int)n, type);
  if (array)
    fprintf(g->numbers, "i64 ptrtoint (ptr getelementptr ({ %.*s, [%u x i8] }, ptr null, i32 1) to i64), i64 %lu",
            (int)n, type, g->gap, align);
  else
    fprintf(g->numbers, "i64 ptrtoint (ptr getelementptr (%.*s, ptr null, i32 1) to i64), i64 %lu", (int)n, type,
            align);
  put_name(g, line + 3);
  g->f.parts++;
  g->f.arrays += array;
  g->arrays += array;
  return array;
}

/* A label ends the first block. */
static bool is_label(const char *line, size_t length) {
  return length > 1 && line[0] != ' ' && line[0] != ';' && memchr(line, ':', length) != NULL;
}

static void put_ir_line(struct gaps *g, const char *line, size_t length, bool first) {
  const char *type = g->f.in_entry ? alloca_type(line, length) : NULL;
  if (strncmp(line, "define ", 7) == 0) begin_function(g, line);
  if (g->f.in_entry && !first && is_label(line, length)) g->f.in_entry = false;
  if (line[0] == '}') end_function(g);
  if (!type || !put_alloca(g, line, type, length)) fwrite(line, 1, length, g->text);
}

static bool open_all(struct gaps *g) {
  g->text = open_memstream(&g->text_at, &g->text_size);
  g->numbers = open_memstream(&g->numbers_at, &g->numbers_size);
  g->names = open_memstream(&g->names_at, &g->names_size);
  g->tables = open_memstream(&g->tables_at, &g->tables_size);
  return g->text && g->numbers && g->names && g->tables;
}

/* False: something did not fit into memory. */
static bool close_all(struct gaps *g) {
  FILE *const all[] = {g->text, g->numbers, g->names, g->tables};
  bool well = true;
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) well = all[i] && fclose(all[i]) == 0 && well;
  return well;
}

char *local_gaps(const char *text, unsigned gap) {
  struct gaps g = {.gap = gap};
  if (!has_opaque_pointers(text)) return NULL;
  bool well = open_all(&g), first = false; /* first: the line behind a "define" may be its first label */
  for (const char *line = text; well && *line;) {
    const size_t length = strcspn(line, "\n") + (strchr(line, '\n') != NULL);
    put_ir_line(&g, line, length, first);
    first = strncmp(line, "define ", 7) == 0;
    line += length;
  }
  if (well) {
    fflush(g.tables);
    fwrite(g.tables_at, 1, (size_t)ftell(g.tables), g.text);
  }
  well = close_all(&g) && well && g.arrays > 0;
  free(g.numbers_at);
  free(g.names_at);
  free(g.tables_at);
  if (well) return g.text_at;
  free(g.text_at);
  return NULL;
}
