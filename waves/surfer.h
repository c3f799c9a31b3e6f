/* SPDX-License-Identifier: Apache-2.0
 *
 * For Surfer, whose decoders of instructions are given 64 bits of a word: a mapping from each word of a program to its
 * text, which has all 128. */
#ifndef HEDDLE_WAVES_SURFER_H
#define HEDDLE_WAVES_SURFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Writes WAVE.surfer: of the program whose code it is, each word as the retire port shows it. False: it cannot be
 * written; `err` says why. */
bool wave_save_words(const char *wave, const uint8_t *code, uint32_t code_bytes, char *err, size_t err_bytes);

#endif
