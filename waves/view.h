/* SPDX-License-Identifier: Apache-2.0
 *
 * What a wave shows first: the groups of signals and their short names. All paths into the RTL that
 * this folder knows stand in view.c; tests/waves holds each against a wave. */
#ifndef HEDDLE_WAVES_VIEW_H
#define HEDDLE_WAVES_VIEW_H

#include <stdbool.h>

#include "heddle/config.h"

enum wave_format { WAVE_BIT, WAVE_HEX, WAVE_DECIMAL, WAVE_ASSEMBLY };

/* Who draws the view, in the order of the calls. Groups lie inside each other; `open`: its rows are seen. */
struct wave_sink {
  void *ctx;
  void (*begin)(void *ctx, const char *title, bool open);
  void (*signal)(void *ctx, enum wave_format format, const char *label, const char *path);
  void (*end)(void *ctx, const char *title, bool open);
};

/* The view of a machine of this configuration. Paths are whole, with their ranges: "a.b.c[7:0]". */
void wave_view(const struct heddle_config *config, const struct wave_sink *sink);

#endif
