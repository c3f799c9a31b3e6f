/* SPDX-License-Identifier: Apache-2.0
 *
 * Reading line-oriented text that may be hostile: sizes are bounded, every
 * complaint carries file and line, nothing is printed here. The ISA file and
 * the configuration files are both read through this.
 */
#ifndef HEDDLE_GEN_TEXT_H
#define HEDDLE_GEN_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
  TEXT_FILE_MAX = 1 << 20, /* bytes of one file */
  TEXT_LINE_MAX = 4096,    /* bytes of one line */
  TEXT_WORDS_MAX = 256,    /* words of one line */
  TEXT_NAME_MAX = 32,      /* a name with its NUL */
  TEXT_PATH_MAX = 512      /* a path with its NUL */
};

/* Where something was declared. `file` lives as long as its owner says. */
struct pos {
  const char *file;
  unsigned line;
};

/* The first complaint; later ones are dropped, since they often follow from it. */
struct diag {
  bool failed;
  char text[1024]; /* "FILE:LINE: error: ..." */
};

/* Record a complaint and return false, so that callers can `return diag_fail(...)`. */
bool diag_fail(struct diag *d, struct pos at, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* One line split into words. A word in double quotes is one word without its quotes. */
struct line {
  struct pos at;
  unsigned n;
  const char *word[TEXT_WORDS_MAX];
  bool quoted[TEXT_WORDS_MAX];
  char buf[TEXT_LINE_MAX];
};

/* Whole file as a NUL-terminated string (the caller frees it), or NULL with a complaint. */
char *text_read(const char *path, struct pos at, struct diag *d);

/* Cut the next line off *cursor into words; `#` outside quotes starts a comment.
 * False at the end of the text (d->failed clear) or on a complaint. */
bool text_line(const char **cursor, struct line *l, struct diag *d);

/* Unsigned number, decimal or 0x hexadecimal, nothing around it. */
bool text_number(const char *s, uint64_t *out);

/* True for a letter or underscore followed by letters, digits, '_' and '.', short enough. */
bool text_is_name(const char *s);

/* FNV-1a, 64 bits. Start with TEXT_HASH_START. */
#define TEXT_HASH_START 0xcbf29ce484222325u
uint64_t text_hash(uint64_t h, const char *s);

/* Open DIR/NAME for writing; NULL with a complaint. */
FILE *text_create(const char *dir, const char *name, struct diag *d);

/* Close and notice a full disk. */
bool text_close(FILE *f, const char *name, struct diag *d);

#endif
