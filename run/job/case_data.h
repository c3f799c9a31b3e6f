/* SPDX-License-Identifier: Apache-2.0
 *
 * Files beside a list of cases or forms: each is loose in the folder, or in the folder's archive, DIR/data.zip,
 * which scripts/data_archive.py makes. One reader for all such folders. */
#ifndef HEDDLE_CASE_DATA_H
#define HEDDLE_CASE_DATA_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CASE_DATA_ARCHIVE "data.zip"
#define CASE_DATA_MOST ((size_t)1 << 30) /* bytes of a file, and of an archive */

/* All of DIR/NAME or, where there is no such file, of the entry NAME of the archive; its length goes to *bytes. NULL
 * with words in `why` where NAME leaves the folder, is in neither, has more than `most` bytes (CASE_DATA_MOST at the
 * most), or where the archive is damaged. A zero byte follows the data. Caller frees. */
uint8_t *case_data_read(const char *dir, const char *name, size_t most, size_t *bytes, char *why, size_t size);

/* The same of a path, DIR/NAME with NAME behind the last slash. */
uint8_t *case_data_read_path(const char *path, size_t most, size_t *bytes, char *why, size_t size);

/* Names that case_data_read takes and that end in `suffix`, `most` at the most: how many. Those without a folder come
 * first, each kind in order. 0 with words in `why`: none, or an error. The caller frees each. */
size_t case_data_list(const char *dir, const char *suffix, char **name, size_t most, char *why, size_t size);

#ifdef __cplusplus
}
#endif
#endif
