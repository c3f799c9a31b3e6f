/* SPDX-License-Identifier: Apache-2.0
 *
 * Retire records: the retire port of rtl/README.md as C structs, one for each record kind. The structs are generated
 * from cosim/retire/retire.records, which defines each field.
 *
 * Layout is fixed and independent of the configuration: rows have room for 32 lanes. A beat of a machine with L lanes
 * fills the first L entries (mask bit i = entry i = lane beat*L + i). Entries beyond are undefined, and so are rows
 * with a 0 in `used` or `bank_en`. Numbers are raw bits, addresses bytes unless said. A pass of shared memory has 32
 * banks, whatever the machine has: word w in bank w mod 32, row w / 32.
 */
#ifndef HEDDLE_RECORD_H
#define HEDDLE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <heddle/api.h>
#include <heddle/retire_records.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_RECORD_WARPS 64u /* warp slots that a record can name */
/* The largest read_age and pred_age (checker.h) that a machine can have. A result is shown after its operands, and a
 * dependent instruction comes at most 15 cycles after it, the longest stall count. So its read is shown 14 cycles
 * after the result, or sooner. */
#define HEDDLE_RECORD_AGE_MAX 14u
/* A cache (docs/visibility.md): its number of sectors at most, and the promises of its design, a bit each. No load
 * joins a closed sector; a warp issues nothing before its fence is done (else none of its accesses passes before). */
#define HEDDLE_CHECKER_CACHE_MAX (1u << 16)
#define HEDDLE_CHECKER_CACHE_CLOSES 1u
#define HEDDLE_CHECKER_CACHE_STOPS 2u
#define HEDDLE_CHECKER_CACHE_PROMISES (HEDDLE_CHECKER_CACHE_CLOSES | HEDDLE_CHECKER_CACHE_STOPS)
#define HEDDLE_CHECKER_BANKS_MAX 16u            /* banks of a memory system */
#define HEDDLE_CHECKER_REORDER_MAX (1u << 16)   /* records of several SMs and banks that wait for others */
#define HEDDLE_RECORD_SLOTS HEDDLE_RECORD_WORDS /* operand words of an instruction */

/* Cause of `drop`; kind of `fence` (docs/visibility.md). */
enum heddle_record_cause {
  HEDDLE_RECORD_DROP_STORE,
  HEDDLE_RECORD_DROP_ATOMIC,
  HEDDLE_RECORD_DROP_STRONG,
  HEDDLE_RECORD_DROP_FENCE,
  HEDDLE_RECORD_DROP_EMPTYING,
  HEDDLE_RECORD_DROP_LAUNCH,
  HEDDLE_RECORD_DROP_REPLACED,
  HEDDLE_RECORD_DROP_ERROR
};
enum heddle_record_scope { HEDDLE_RECORD_SCOPE_CTA, HEDDLE_RECORD_SCOPE_GPU, HEDDLE_RECORD_SCOPE_EMPTYING };

/* Events of translation in `pages`. */
enum heddle_record_pages_what {
  HEDDLE_RECORD_PAGES_READ, /* a walk begins */
  HEDDLE_RECORD_PAGES_WRITE,
  HEDDLE_RECORD_PAGES_FORGET,
  HEDDLE_RECORD_PAGES_FORGOTTEN,
  HEDDLE_RECORD_PAGES_REPLAY,
  HEDDLE_RECORD_PAGES_FAIL,
  HEDDLE_RECORD_PAGES_ERROR,
  HEDDLE_RECORD_PAGES_LAUNCH /* before the first walk of a launch */
};

enum heddle_record_access {
  HEDDLE_RECORD_LOAD,
  HEDDLE_RECORD_STORE,
  HEDDLE_RECORD_ATOMIC,
  HEDDLE_RECORD_LOCAL_LOAD,
  HEDDLE_RECORD_LOCAL_STORE
};

/* "issue", "write", ...; "?" for a kind out of range. */
HEDDLE_API const char *heddle_record_kind_name(uint32_t kind);

/* The warp instruction a record belongs to; NULL for block and barrier records. */
HEDDLE_API const struct heddle_record_id *heddle_record_id_of(const struct heddle_retire_record *r);

/* Number of the SM that it is of; 0 for a kind out of range. */
HEDDLE_API unsigned heddle_record_sm(const struct heddle_retire_record *r);

/* ---- what a device does not show (docs/retire-port.md) ---- */

static inline bool heddle_record_shows(struct heddle_record_hidden h, enum heddle_record_kind kind) {
  return ((uint64_t)h.kinds >> kind & 1u) == 0; /* kinds from 32 on, of units that few have, are not hidden */
}
static inline bool heddle_record_shows_field(struct heddle_record_hidden h, enum heddle_record_option field) {
  return (h.options >> field & 1u) == 0;
}
/* The highest profile of which it shows everything: 0 to 2; -1: not even P0, which cannot be judged. */
HEDDLE_API int heddle_record_profile(struct heddle_record_hidden h);
/* "P1"; "none" below P0. */
HEDDLE_API const char *heddle_record_profile_name(struct heddle_record_hidden h);
/* Kinds and fields that it does not show, "predicate, operands, issue.ps"; "" if it shows all. Cut to `bytes`. */
HEDDLE_API void heddle_record_hidden_text(struct heddle_record_hidden h, char *buf, size_t bytes);

/* One line of text (no newline) of at most `bytes` characters, always terminated. `lanes` of the machine; fields that
 * it hides are left out. */
HEDDLE_API void heddle_record_text(const struct heddle_retire_record *r, unsigned lanes,
                                   struct heddle_record_hidden hidden, char *buf, size_t bytes);

#ifdef __cplusplus
}
#endif

#endif
