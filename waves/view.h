/* SPDX-License-Identifier: Apache-2.0
 *
 * Views of a wave: groups of signals and their short names. All paths into the RTL that this folder
 * knows stand in tables of rows; tests/waves holds each against a wave. */
#ifndef HEDDLE_WAVES_VIEW_H
#define HEDDLE_WAVES_VIEW_H

#include <stdbool.h>

#include <heddle/config.h>

enum wave_format { WAVE_BIT, WAVE_HEX, WAVE_DECIMAL, WAVE_ASSEMBLY };

/* Who draws the view, in the order of the calls. Groups lie inside each other; `open`: its rows are seen. */
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

#endif
