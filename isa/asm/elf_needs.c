/* SPDX-License-Identifier: Apache-2.0
 * What a kernel needs, as a note: three words, then names of units, so that bits may move. */
#include "elf_needs.h"

#include <string.h>

#include "isa/asm/elf_note.h"
#include <heddle/needs.h>

enum { UNIFORM_MOST = 63 }; /* UR0 to UR62 */

void elf_needs_write(struct bytes *notes, const struct heddle_program *p, const struct heddle_kernel *k,
                     uint32_t symbol) {
  struct heddle_needs needs;
  char names[NEEDS_TEXT_MAX];
  uint8_t head[12 + 8] = {0}, fixed[NEEDS_W_FIXED * 4], padding[4] = {0};
  notes->bad = notes->bad || !heddle_kernel_needs(p, k, &needs);
  if (notes->bad) return;
  heddle_needs_text(needs.units, names, sizeof names);
  const uint32_t text = (uint32_t)strlen(names) + 1, filled = (text + 3) / 4 * 4;
  put_u32(head, (uint32_t)sizeof NOTE_OWNER);
  put_u32(head + 4, NEEDS_W_FIXED * 4u + filled);
  put_u32(head + 8, NOTE_TYPE_NEEDS);
  memcpy(head + 12, NOTE_OWNER, sizeof NOTE_OWNER);
  put_u32(fixed + 4 * NEEDS_W_VERSION, NEEDS_VERSION);
  put_u32(fixed + 4 * NEEDS_W_SYMBOL, symbol);
  put_u32(fixed + 4 * NEEDS_W_UNIFORM, needs.uniform_regs);
  bytes_add(notes, head, sizeof head);
  bytes_add(notes, fixed, sizeof fixed);
  bytes_add(notes, names, text);
  bytes_add(notes, padding, filled - text);
}

static uint32_t get_u32(const uint8_t *b) {
  return (uint32_t)b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

const char *elf_needs_read(struct heddle_kernel *k, const uint8_t *desc, size_t size) {
  const char *names = (const char *)desc + NEEDS_W_FIXED * 4u;
  const size_t room = size - NEEDS_W_FIXED * 4u; /* the caller has looked: it is not less */
  struct heddle_needs n = {.uniform_regs = get_u32(desc + 4 * NEEDS_W_UNIFORM)};
  if (k->noted) return "two notes of what it needs";
  if (n.uniform_regs > UNIFORM_MOST) return "more uniform registers than there are";
  if (room == 0 || room > NEEDS_TEXT_MAX || !memchr(names, 0, room)) return "names of units do not end";
  if (!heddle_needs_parse(names, &n.units)) return "a name of a unit is unknown, or stands twice";
  k->needs = n;
  k->noted = true;
  return NULL;
}
