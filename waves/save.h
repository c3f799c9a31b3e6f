/* SPDX-License-Identifier: Apache-2.0
 *
 * Views beside a wave: GTKWave opened where something happens, with short names and assembly. */
#ifndef HEDDLE_WAVES_SAVE_H
#define HEDDLE_WAVES_SAVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/config.h>

/* Where the view opens, in cycles of the simulation. */
struct wave_place {
  uint64_t first_issue; /* of the launch; 0: nothing issued */
  uint64_t difference;  /* the first one; 0: there is none */
};

/* Writes WAVE.gtkw, WAVE.NAME.gtkw of each other view (view.h), and WAVE.filter (which turns instruction words into
 * assembly; it starts `heddle`, the program that calls this). The view opens a little before the difference, which is
 * marked, or else before the first instruction. False: a file cannot be written; `err` then says which, and why. */
bool wave_save(const char *wave, const struct heddle_config *config, struct wave_place place, char *err,
               size_t err_bytes);

#endif
