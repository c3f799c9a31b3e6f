/* SPDX-License-Identifier: Apache-2.0
 * Which line of which file each word of a program was made from, and how that orders it. */
#include <string.h>

#include "base/array.h"
#include <heddle/program.h>

int heddle_program_add_source(struct heddle_program *p, const char *file) {
  if (p->sources >= HEDDLE_SOURCES_MAX) return -1;
  if (!array_room(&p->source, &p->sources_room, p->sources + 1, sizeof *p->source)) return -1;
  char *copy = strdup(file);
  if (!copy) return -1;
  p->source[p->sources] = copy;
  return (int)p->sources++;
}

/* The words from pc on; what began at the same place is forgotten. */
bool heddle_program_add_line(struct heddle_program *p, uint32_t pc, uint32_t source, unsigned line) {
  if (p->lines > 0 && p->line[p->lines - 1].pc == pc) p->lines--;
  const struct heddle_line *last = p->lines > 0 ? &p->line[p->lines - 1] : NULL;
  if (last && last->source == source && last->line == line) return true;
  if (!array_room(&p->line, &p->lines_room, p->lines + 1, sizeof *p->line)) return false;
  p->line[p->lines++] = (struct heddle_line){.pc = pc, .source = source, .line = line};
  return true;
}

void heddle_program_drop_lines(struct heddle_program *p) {
  for (uint32_t i = 0; i < p->sources; i++) free(p->source[i]);
  p->sources = p->lines = 0;
}

void heddle_program_drop_orders(struct heddle_program *p) {
  p->ordered = false;
  p->orders = 0;
}

bool heddle_program_line(const struct heddle_program *p, uint32_t pc, const char **file, unsigned *line) {
  uint32_t low = 0, high = p->lines;
  while (low < high) { /* rows before `low` begin at or before pc */
    const uint32_t middle = low + (high - low) / 2;
    if (p->line[middle].pc <= pc)
      low = middle + 1;
    else
      high = middle;
  }
  if (low == 0 || p->line[low - 1].line == 0 || pc >= p->code_bytes) return false;
  *file = p->source[p->line[low - 1].source];
  *line = p->line[low - 1].line;
  return true;
}

bool heddle_program_add_order(struct heddle_program *p, uint32_t pc, enum heddle_order kind) {
  if (!array_room(&p->order, &p->orders_room, p->orders + 1, sizeof *p->order)) return false;
  p->order[p->orders++] = (struct heddle_order_note){.pc = pc, .kind = (uint8_t)kind};
  return true;
}

enum heddle_order heddle_program_order(const struct heddle_program *p, uint32_t pc) {
  size_t low = 0, high = p->orders;
  while (low < high) { /* notes before `low` are of words before pc */
    const size_t middle = low + (high - low) / 2;
    if (p->order[middle].pc < pc)
      low = middle + 1;
    else
      high = middle;
  }
  return low < p->orders && p->order[low].pc == pc ? (enum heddle_order)p->order[low].kind : HEDDLE_ORDER_WORD;
}
