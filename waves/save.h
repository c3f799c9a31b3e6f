/* SPDX-License-Identifier: Apache-2.0
 *
 * FILE.gtkw beside a wave FILE. */
#ifndef HEDDLE_WAVE_SAVE_H
#define HEDDLE_WAVE_SAVE_H

#include <stdbool.h>
#include <stdint.h>

#include "heddle/config.h"

/* Writes WAVE.gtkw and WAVE.filter (shows instruction words as assembly). `cycle` is where the view opens; 0 = start.
 */
bool wave_save(const char *wave, const struct heddle_config *config, uint64_t cycle);

#endif
