/* SPDX-License-Identifier: Apache-2.0 */
#include "heddle/config.h"

#include <string.h>

#include "config_internal.h"

size_t heddle_config_count(void) {
  return heddle_config_table_size;
}

const struct heddle_config *heddle_config_at(size_t i) {
  return i < heddle_config_table_size ? &heddle_config_table[i] : NULL;
}

const struct heddle_config *heddle_config_find(const char *name) {
  for (size_t i = 0; i < heddle_config_table_size; i++)
    if (strcmp(heddle_config_table[i].name, name) == 0) return &heddle_config_table[i];
  return NULL;
}
