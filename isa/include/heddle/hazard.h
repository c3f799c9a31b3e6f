/* SPDX-License-Identifier: Apache-2.0
 *
 * What must be awaited: the places in which results lie, who reads and writes them, and how long it takes. */
#ifndef HEDDLE_HAZARD_H
#define HEDDLE_HAZARD_H

#include <heddle/api.h>
#include <heddle/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* R, UR, P, UP as one number. The last of each file (RZ, PT ...) is never waited for. */
enum { HAZARD_R = 0, HAZARD_UR = 256, HAZARD_P = 512, HAZARD_UP = 520, HAZARD_PLACES = 528 };
#define HAZARD_COUNTERS 6u
/* Chosen for groups of asynchronous copies (LDGDEPBAR), and where there are any for nothing else. */
#define HAZARD_GROUPS 5u

/* Counts to schedule for; what is left open (0) is assumed: 15, or 6 and 12 for the half and uni units. */
HEDDLE_API void hazard_fill_stalls(const uint8_t given[8], uint8_t stall[8]) HEDDLE_SYMBOL(hazard_fill_stalls);

/* Called for every place that an instruction reads or writes. */
typedef void (*hazard_fn)(void *ctx, unsigned place);
HEDDLE_API void hazard_each_source(const struct isa_dec *d, hazard_fn fn, void *ctx)
    HEDDLE_SYMBOL(hazard_each_source); /* guard included */
HEDDLE_API void hazard_each_reg_result(const struct isa_dec *d, hazard_fn fn, void *ctx)
    HEDDLE_SYMBOL(hazard_each_reg_result);
HEDDLE_API void hazard_each_pred_result(const struct isa_dec *d, hazard_fn fn, void *ctx)
    HEDDLE_SYMBOL(hazard_each_pred_result);
HEDDLE_API bool hazard_has_result(const struct isa_dec *d) HEDDLE_SYMBOL(hazard_has_result); /* any of both */

/* Cycles from an instruction of a fixed-latency unit (or of the control unit) to the first one that may use its
 * register or predicate; `stall` by enum heddle_stall. */
HEDDLE_API int hazard_latency(const uint8_t stall[8], const struct isa_dec *d, bool pred) HEDDLE_SYMBOL(hazard_latency);

#ifdef __cplusplus
}
#endif

#endif
