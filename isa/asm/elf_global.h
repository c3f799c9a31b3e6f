/* SPDX-License-Identifier: Apache-2.0
 *
 * Module variables in a program file. */
#ifndef HEDDLE_ELF_GLOBAL_H
#define HEDDLE_ELF_GLOBAL_H

#include <gelf.h>
#include <string.h>

#include <heddle/program.h>

/* Names of a file, each with a NUL behind it: the program's own copy. */
struct elf_strings {
  const char *text;
  size_t bytes;
};

/* The one that begins at byte `at`, of at most `most` characters; NULL: none does. */
static inline const char *elf_name(const struct elf_strings *s, size_t at, size_t most) {
  if (at >= s->bytes) return NULL;
  const size_t left = s->bytes - at; /* of the last one the NUL is behind the file's bytes */
  return strnlen(s->text + at, left) <= most ? s->text + at : NULL;
}

struct global_parts { /* as found in the file, unchecked; NULL, 0: not there */
  Elf_Data *bytes, *address, *sym;
  uint64_t zero; /* bytes of .global.zero */
  size_t index;  /* section .global */
  const struct elf_strings *names;
};

/* False and msg->text filled when something is out of bounds. */
bool elf_read_globals(const struct global_parts *g, struct heddle_program *p, struct heddle_message *msg);

#endif
