/* SPDX-License-Identifier: Apache-2.0
 *
 * A line of a list: its words, where each begins, and complaints that name line and column.
 */
#ifndef ORDER_LIST_LINE_H
#define ORDER_LIST_LINE_H

#include <stdio.h>

#include "lab/verify/oracle/order/internal.h"

enum { LINE_BYTES = 512, LINE_WORDS = 16 };

struct list_line {
  struct order *o;
  FILE *f;
  uint32_t number;
  unsigned words, taken; /* taken: words that have been read */
  unsigned column[LINE_WORDS + 1];
  const char *word[LINE_WORDS + 1]; /* the one behind the last is "" */
  char text[LINE_BYTES];
};

/* The next line with a word in it. False: the end of the file, or refused. */
bool list_line_next(struct list_line *l);
/* Refused: "FILE:LINE:COLUMN: error: ...", the column of word k. Returns false. */
bool list_line_fail(const struct list_line *l, unsigned k, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The next word; NULL: there is none, and that is told: what it should have been. */
const char *list_line_word(struct list_line *l, const char *what);
/* The next word as a number, 0x hexadecimal or decimal, at most `most`. */
bool list_line_number(struct list_line *l, const char *what, uint64_t most, uint64_t *value);
/* ADDRESS BYTES: the space's word before the address. */
bool list_line_place(struct list_line *l, uint8_t *space, uint64_t *at, uint8_t *bytes);
/* The next word as a number of so many bytes, lowest first. */
bool list_line_value(struct list_line *l, const char *what, unsigned bytes, uint8_t *value);
/* No word may be left. */
bool list_line_over(const struct list_line *l);

#endif
