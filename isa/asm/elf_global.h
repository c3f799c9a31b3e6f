/* SPDX-License-Identifier: Apache-2.0
 *
 * Module variables in a program file. */
#ifndef HEDDLE_ELF_GLOBAL_H
#define HEDDLE_ELF_GLOBAL_H

#include <gelf.h>

#include <heddle/program.h>

struct global_parts { /* as found in the file, unchecked; NULL, 0: not there */
  Elf *elf;
  Elf_Data *bytes, *address, *sym;
  uint64_t zero;           /* bytes of .global.zero */
  size_t index, str_index; /* sections: .global, names of symbols */
};

/* False and msg->text filled when something is out of bounds. */
bool elf_read_globals(const struct global_parts *g, struct heddle_program *p, struct heddle_message *msg);

#endif
