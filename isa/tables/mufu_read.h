/* SPDX-License-Identifier: Apache-2.0
 *
 * One table of the special functions: a file of comments (#) and rows of three decimal numbers with commas between
 * them.
 */
#ifndef MUFU_READ_H
#define MUFU_READ_H

#define MUFU_ROWS_MAX 256u
#define MUFU_COLUMNS 3u

struct mufu_table {
  char name[32]; /* the file's, without folder and ending */
  unsigned rows;
  long cell[MUFU_ROWS_MAX][MUFU_COLUMNS]; /* C0 (not negative, 31 bits), C1 (18 bits), C2 (15 bits) */
};

/* 0, or -1 after a message on standard error that names file and line. */
int mufu_read(const char *path, struct mufu_table *t);

#endif
