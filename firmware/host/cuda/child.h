/* SPDX-License-Identifier: Apache-2.0
 * heddle-nvcc as a child, in a folder of its own. */
#ifndef HEDDLE_CUDA_CHILD_H
#define HEDDLE_CUDA_CHILD_H

#include <stdio.h>

char *child_folder(void);        /* a new one; NULL: none can be made */
void child_remove(char *folder); /* with all in it; frees the name */
/* A file below the folder, written anew; folders between are made. */
FILE *child_file(const char *folder, const char *name);
char *child_text(const char *folder, const char *name); /* all of it, to be freed; NULL: not there */
/* Runs heddle-nvcc there; words[0] is replaced, NULL ends them; *said is what it says, to be freed, or NULL. Its exit
 * status, or -1: it did not run. */
int child_run(const char *folder, const char **words, char **said);

#endif
