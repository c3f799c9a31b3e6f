/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole files for tests; data are loose or in the archive of their folder (run/job/case_data.h). A file that cannot be
 * read fails the running test.
 */
#ifndef HEDDLE_SILICON_FORM_FILE_H
#define HEDDLE_SILICON_FORM_FILE_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#ifndef SILICON_DIR
#define SILICON_DIR "tests/silicon"
#endif

char *form_file_text(const char *path);                  /* ends with a zero; free it */
uint8_t *form_file_bytes(const char *path, size_t size); /* exactly `size` bytes; free it */
FILE *form_file_open(const char *path);                  /* to read it from its start; close it */

#endif
