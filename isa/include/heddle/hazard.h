/* SPDX-License-Identifier: Apache-2.0
 *
 * Hazards: the places of results, their readers and writers, and latencies. */
#ifndef HEDDLE_HAZARD_H
#define HEDDLE_HAZARD_H

#include <heddle/api.h>
#include <heddle/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

/* R, UR, P, UP as one number. The last of each file (RZ, PT ...) is never waited for. */
enum {
  HEDDLE_HAZARD_R = 0,
  HEDDLE_HAZARD_UR = 256,
  HEDDLE_HAZARD_P = 512,
  HEDDLE_HAZARD_UP = 520,
  HEDDLE_HAZARD_PLACES = 528
};
#define HEDDLE_HAZARD_COUNTERS 6u
/* Chosen for groups of asynchronous copies (LDGDEPBAR), and where there are any for nothing else. */
#define HEDDLE_HAZARD_GROUPS 5u

/* Counts to schedule for; what is left open (0) is assumed: 15, or 6 and 12 for the half and uni units. */
HEDDLE_API void heddle_hazard_fill_stalls(const uint8_t given[8], uint8_t stall[8]);

/* Called for every place that an instruction reads or writes. */
typedef void (*heddle_hazard_fn)(void *ctx, unsigned place);
HEDDLE_API void heddle_hazard_each_source(const struct heddle_isa_dec *d, heddle_hazard_fn fn,
                                          void *ctx); /* guard included */
HEDDLE_API void heddle_hazard_each_reg_result(const struct heddle_isa_dec *d, heddle_hazard_fn fn, void *ctx);
HEDDLE_API void heddle_hazard_each_pred_result(const struct heddle_isa_dec *d, heddle_hazard_fn fn, void *ctx);
HEDDLE_API bool heddle_hazard_has_result(const struct heddle_isa_dec *d); /* any of both */

/* Cycles from an instruction of a fixed-latency unit (or of the control unit) to the first one that may use its
 * register or predicate; `stall` by enum heddle_stall. */
HEDDLE_API int heddle_hazard_latency(const uint8_t stall[8], const struct heddle_isa_dec *d, bool pred);

#ifdef __cplusplus
}
#endif

#endif
