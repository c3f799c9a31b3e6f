/* SPDX-License-Identifier: Apache-2.0
 * heddle ptx --list. */
#ifndef HEDDLE_PTX_LIST_TEXT_H
#define HEDDLE_PTX_LIST_TEXT_H

#include <stdbool.h>

void ptx_list_text(void);             /* on stdout */
bool ptx_list_json(const char *path); /* false: told */

#endif
