/* SPDX-License-Identifier: Apache-2.0
 * Which line of its source a place in a PTX text is of. */
#include "lines.h"

#include <string.h>

#include <heddle/program.h>
#include "base/array.h"

struct file {
  uint64_t number;
  const char *name;
};

struct loc { /* from here on; line 0: its own in the PTX */
  struct ptx_pos at;
  uint32_t line;
  uint64_t file;
  bool begins; /* the function */
};

struct ptx_lines {
  struct ptx_arena *arena;
  const struct ptx_module *module;
  struct file *file;
  struct loc *loc;
  uint32_t files, locs, files_room, locs_room;
  bool beginning; /* the last word that was put is of such a one */
};

struct ptx_lines *ptx_lines_new(const struct ptx_module *m) {
  struct ptx_lines *x = ptx_alloc(m->arena, sizeof *x);
  x->arena = m->arena;
  x->module = m;
  return x;
}

/* Room for one more. */
static void *grow_list(struct ptx_lines *x, void *list, uint32_t used, uint32_t *room, size_t each) {
  if (used < *room) return list;
  *room = *room ? 2 * *room : 16;
  void *more = ptx_alloc(x->arena, *room * each);
  if (used) memcpy(more, list, used * each);
  return more;
}

void ptx_lines_file(struct ptx_module *m, uint64_t number, const char *name) {
  struct ptx_lines *x = m->lines;
  if (x->files == HEDDLE_SOURCES_MAX - 1) return; /* lines of more are told as those of the PTX */
  x->file = grow_list(x, x->file, x->files, &x->files_room, sizeof *x->file);
  x->file[x->files++] = (struct file){number, name};
}

static void add_loc(struct ptx_lines *x, struct loc l) {
  x->loc = grow_list(x, x->loc, x->locs, &x->locs_room, sizeof *x->loc);
  x->loc[x->locs++] = l;
}

void ptx_lines_loc(struct ptx_module *m, struct ptx_pos at, uint64_t file, uint64_t line, bool begins) {
  const struct loc l = {.at = at, .file = file, .line = (uint32_t)line, .begins = begins};
  if (line > 0 && line <= INT32_MAX) add_loc(m->lines, l);
}

void ptx_lines_forget(struct ptx_module *m, struct ptx_pos at) {
  add_loc(m->lines, (struct loc){.at = at});
}

static bool is_before(struct ptx_pos a, struct ptx_pos b) {
  return a.line != b.line ? a.line < b.line : a.column < b.column;
}

static const struct loc *find_loc(const struct ptx_lines *x, struct ptx_pos pos) {
  uint32_t low = 0, high = x->locs;
  while (low < high) { /* those before `low` are not behind pos */
    const uint32_t middle = low + (high - low) / 2;
    if (is_before(pos, x->loc[middle].at))
      high = middle;
    else
      low = middle + 1;
  }
  if (low > 0 && x->loc[low - 1].line > 0) return &x->loc[low - 1];
  return low > 0 && low < x->locs && x->loc[low].line > 0 ? &x->loc[low] : NULL; /* in front of its function's first */
}

static const char *source_name(const struct ptx_lines *x, uint64_t number) {
  for (uint32_t i = x->files; i-- > 0;)
    if (x->file[i].number == number) return x->file[i].name;
  return NULL;
}

/* Its place among the program's files, of which there are few; -1: no room. */
static int source_of(struct heddle_program *p, const char *name) {
  const uint32_t last = p->lines > 0 ? p->line[p->lines - 1].source : 0;
  if (last < p->sources && strcmp(p->source[last], name) == 0) return (int)last;
  for (uint32_t i = 0; i < p->sources; i++)
    if (strcmp(p->source[i], name) == 0) return (int)i;
  return heddle_program_add_source(p, name);
}

bool ptx_lines_files(const struct ptx_lines *x, struct heddle_program *p) {
  const char *name = "";
  for (uint64_t n = 1; name && n < HEDDLE_SOURCES_MAX; n++) {
    name = source_name(x, n);
    if (name && heddle_program_add_source(p, name) < 0) return false;
  }
  return true;
}

/* One more row of the line that the last one is of. */
static bool add_row(struct heddle_program *p, uint32_t pc) {
  if (!array_room(&p->line, &p->lines_room, p->lines + 1, sizeof *p->line)) return false;
  p->line[p->lines] = p->line[p->lines - 1];
  p->line[p->lines++].pc = pc;
  return true;
}

bool ptx_lines_put(struct ptx_lines *x, struct heddle_program *p, uint32_t pc, struct ptx_pos pos) {
  const struct loc *l = find_loc(x, pos);
  const char *name = l ? source_name(x, l->file) : NULL;
  const int source = source_of(p, name ? name : x->module->file);
  const uint32_t before = p->lines;
  if (source < 0 || !heddle_program_add_line(p, pc, (uint32_t)source, name ? l->line : pos.line)) return false;
  const bool again = x->beginning && l && !l->begins && p->lines == before && p->line[before - 1].pc < pc;
  x->beginning = l && l->begins;
  return !again || add_row(p, pc);
}
