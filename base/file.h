/* SPDX-License-Identifier: Apache-2.0
 *
 * Files and descriptors of a library inside a host that may have closed its streams (docs/hosts.md); whole files, and
 * temporary ones. */
#ifndef HEDDLE_FILE_H
#define HEDDLE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* How reading ended; after the two in the middle errno says why. */
enum file_end { FILE_WHOLE, FILE_NOT_OPENED, FILE_NOT_READ, FILE_TOO_LARGE, FILE_NO_MEMORY };
/* All of a file of at most `most` bytes, with a 0 behind them that does not count; the caller frees it. A pipe is read
 * to its end. NULL: `*end` says why, and *size is 0. */
void *file_read(const char *path, size_t most, size_t *size, enum file_end *end);
/* The first `most` bytes of a larger file. */
void *file_read_first(const char *path, size_t most, size_t *size);
/* file_read of one that is open and can be read again: from its start, whatever has been read or written. */
void *file_read_open(int fd, size_t most, size_t *size, enum file_end *end);

/* The same file under a number above 2, closed on exec. Numbers 0 to 2 may be free where the host has closed its
 * streams; its output would go to that file. -1: none is left, or `fd` was -1; errno has the cause, and `fd` is
 * closed. */
int descriptor_apart(int fd);
/* All bytes, a signal between them or not. */
bool descriptor_write(int fd, const void *data, size_t bytes);
bool descriptor_read(int fd, void *data, size_t bytes);
/* fopen(path, "wb") by a number apart. */
FILE *file_create(const char *path);
/* A file without a name; -1: none. Read from its start. */
int file_in_memory(const void *data, size_t bytes);

/* A new file or folder of the user's alone, "$TMPDIR/heddle-NAME-XXXXXX"; in /tmp where TMPDIR is no folder to write
 * in, or is long. The file is empty. False: errno says why. */
enum { TEMPORARY_PATH = 512 };
bool temporary_file(char path[TEMPORARY_PATH], const char *name);
bool temporary_folder(char path[TEMPORARY_PATH], const char *name);
/* Removes it, with all in it. */
void temporary_remove(const char *path);
/* Removes all that there are: for handlers of signals (process_cleans_up). */
void temporary_remove_all(void);
/* They are another process's: for one that fork() has made. */
void temporary_forget_all(void);

#endif
