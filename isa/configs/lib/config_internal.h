/* SPDX-License-Identifier: Apache-2.0
 *
 * The generated table behind config.h, and what `heddle` alone may add to it.
 */
#ifndef HEDDLE_CONFIG_INTERNAL_H
#define HEDDLE_CONFIG_INTERNAL_H

#include <heddle/config.h>

extern const struct heddle_config heddle_config_table[];
extern const size_t heddle_config_table_size;

/* One more, with a new name: another project's machine, which is then found like ours. Copied but for the name.
 * False: the name is taken, or there are too many. For a program, before it starts threads: the installed library
 * does not export it, so its table never changes. */
bool heddle_config_add(const struct heddle_config *c);

#endif
