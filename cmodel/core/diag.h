/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside core/ only: the words of a failure.
 */
#ifndef HEDDLE_CORE_DIAG_H
#define HEDDLE_CORE_DIAG_H

#include "cmodel/core/state.h"

/* Keep the words of a failure; returns s. */
enum heddle_status model_fail(struct heddle_model *m, enum heddle_status s, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "block (1,0,0) warp 2 seq 17 pc 0x00000110 FFMA": where a warp stands. */
const char *warp_where(const struct heddle_model *m, const struct warp *w, char *text, size_t room);
/* A failure of one warp: the words, then a line that says where its lanes are. */
enum heddle_status fail_with_warp(struct heddle_model *m, enum heddle_status s, const struct warp *w, const char *fmt,
                                  ...) __attribute__((format(printf, 4, 5)));
/* A failure that all warps have a part in: the words, then a line for each live warp, who waits where for what.
 * `doing`: what its active lanes do ("run"). */
enum heddle_status fail_with_warps(struct heddle_model *m, enum heddle_status s, const char *doing, const char *fmt,
                                   ...) __attribute__((format(printf, 4, 5)));

#endif
