/* SPDX-License-Identifier: Apache-2.0
 *
 * The generated table behind config.h.
 */
#ifndef HEDDLE_CONFIG_INTERNAL_H
#define HEDDLE_CONFIG_INTERNAL_H

#include <heddle/config.h>

extern const struct heddle_config heddle_config_table[];
extern const size_t heddle_config_table_size;

#endif
