/* SPDX-License-Identifier: Apache-2.0
 * Views of a wave: groups of signals and their short names. All paths into the RTL in this folder are in tables of
 * rows; tests/waves holds each against a wave. */
#ifndef HEDDLE_WAVES_WAVES_H
#define HEDDLE_WAVES_WAVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/config.h>

enum wave_format { WAVE_BIT, WAVE_HEX, WAVE_DECIMAL, WAVE_ASSEMBLY };

/* The drawer of the view, in the order of the calls. Groups are nested; `open`: its rows are shown. */
struct wave_sink {
  void *ctx;
  void (*begin)(void *ctx, const char *title, bool open);
  void (*signal)(void *ctx, enum wave_format format, const char *label, const char *path);
  void (*end)(void *ctx, const char *title, bool open);
};

/* Draws a view of a machine of this configuration. Paths are whole, with their ranges: "a.b.c[7:0]". */
typedef void wave_draw(const struct heddle_config *config, const struct wave_sink *sink);

/* The first view, without a name, shows what the retire port shows; the others what one part of the machine does. */
struct wave_view {
  const char *name;
  wave_draw *draw;
};
#define WAVE_VIEWS 5
extern const struct wave_view wave_views[WAVE_VIEWS];

wave_draw wave_scheduling, wave_divergence, wave_operands, wave_memory;

/* Views beside a wave: GTKWave opened where something happens, with short names and assembly. */

/* Where the view opens, in cycles of the simulation. */
struct wave_place {
  uint64_t first_issue; /* of the launch; 0: nothing issued */
  uint64_t difference;  /* the first one; 0: there is none */
};

/* Writes WAVE.gtkw, WAVE.NAME.gtkw of each other view (waves.h), and WAVE.filter (which turns instruction words into
 * assembly; it starts `heddle`, the program that calls this). The view opens a little before the difference, which is
 * marked, or else before the first instruction. False: a file cannot be written; `err` then says which, and why. */
bool wave_save(const char *wave, const struct heddle_config *config, struct wave_place place, char *err,
               size_t err_bytes);

/* For Surfer, with instruction decoders for 64 bits of a word: a mapping from each word of a program to its text,
 * which has all 128. */

/* Writes WAVE.surfer: for the program with this code, each word as the retire port shows it. False: it cannot be
 * written; `err` has the cause. */
bool wave_save_words(const char *wave, const uint8_t *code, uint32_t code_bytes, char *err, size_t err_bytes);

#endif
