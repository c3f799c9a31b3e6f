/* SPDX-License-Identifier: Apache-2.0
 *
 * Writes a folder for `heddle cases`: programs, contents of buffers, cases.json. A file that cannot be written ends the
 * program.
 */
#ifndef HEDDLE_SILICON_CASE_FOLDER_H
#define HEDDLE_SILICON_CASE_FOLDER_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#define CASE_BLOCK 128u /* threads */

struct case_folder {
  char path[1024];
  json_t *cases;
};

/* DIR/NAME, made when it is not there. */
void case_folder_open(struct case_folder *f, const char *dir, const char *name);
/* Writes cases.json. */
void case_folder_close(struct case_folder *f);

/* NAME.s or NAME.ptx. */
void case_source(const struct case_folder *f, const char *name, const char *ending, const char *text);

/* A case of the folder's program FILE and kernel KERNEL: blocks of `threads`. Its arguments are added in order. */
json_t *case_new(struct case_folder *f, const char *name, const char *file, const char *kernel, size_t blocks,
                 unsigned threads);
/* Element types: "u8", "u16", "u32", "u64". */
void case_input(const struct case_folder *f, json_t *c, char slot, const char *type, const void *data, size_t count);
/* It begins as bytes of 0xa5, so that an element without a write is seen, and must end as `gold`. */
void case_output(const struct case_folder *f, json_t *c, char slot, const char *type, const void *gold, size_t count);
void case_no_operand(json_t *c); /* an address without a use */

#endif
