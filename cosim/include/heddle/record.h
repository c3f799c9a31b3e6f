/* SPDX-License-Identifier: Apache-2.0
 *
 * Retire records: the retire port of rtl/README.md as C structs, one for each record kind. The structs are generated
 * from cosim/retire/retire.records, which says what each field means.
 *
 * Layout is fixed and independent of the configuration: rows have room for 32 lanes, and a beat of a
 * machine with L lanes fills the first L entries (mask bit i = entry i = lane beat*L + i). Entries beyond
 * are undefined, and so are rows whose bit in `used` or `bank_en` is 0. Numbers are raw bits, addresses bytes unless
 * said. A pass of shared memory is told by 32 banks, whatever the machine has: word w in bank w mod 32, row w / 32.
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

#define RECORD_WARPS 64u /* warp slots that a record can name */
/* The largest read_age and pred_age (checker.h) that a machine can have. A result is shown after the operands that it
 * was made of, and a dependent instruction comes 15 cycles, the longest stall count, after it at the latest: so it is
 * shown to read 14 cycles after the result, or sooner. */
#define RECORD_AGE_MAX 14u
/* A cache (docs/visibility.md): how many sectors it may have, and what of its design it promises, a bit each: nobody
 * joins what is closed; a warp issues nothing before its fence is done (else none of its accesses passes before). */
#define CHECKER_CACHE_MAX (1u << 16)
#define CHECKER_CACHE_CLOSES 1u
#define CHECKER_CACHE_STOPS 2u
#define CHECKER_CACHE_PROMISES (CHECKER_CACHE_CLOSES | CHECKER_CACHE_STOPS)
#define CHECKER_BANKS_MAX 16u          /* banks of a memory system */
#define CHECKER_REORDER_MAX (1u << 16) /* records of several SMs and banks that wait for others */
#define RECORD_SLOTS RECORD_WORDS      /* operand words of an instruction */

/* Of `drop`, why; of `fence`, what it is (docs/visibility.md). */
enum record_cause {
  RECORD_DROP_STORE,
  RECORD_DROP_ATOMIC,
  RECORD_DROP_STRONG,
  RECORD_DROP_FENCE,
  RECORD_DROP_EMPTYING,
  RECORD_DROP_LAUNCH,
  RECORD_DROP_REPLACED,
  RECORD_DROP_ERROR
};
enum record_scope { RECORD_SCOPE_CTA, RECORD_SCOPE_GPU, RECORD_SCOPE_EMPTYING };

enum record_access { RECORD_LOAD, RECORD_STORE, RECORD_ATOMIC, RECORD_LOCAL_LOAD, RECORD_LOCAL_STORE };

/* "issue", "write", ...; "?" for a kind out of range. */
HEDDLE_API const char *record_kind_name(uint32_t kind) HEDDLE_SYMBOL(record_kind_name);

/* The warp instruction a record belongs to; NULL for block and barrier records. */
HEDDLE_API const struct record_id *record_id_of(const struct retire_record *r) HEDDLE_SYMBOL(record_id_of);

/* Number of the SM that it is of; 0 for a kind out of range. */
HEDDLE_API unsigned record_sm(const struct retire_record *r) HEDDLE_SYMBOL(record_sm);

/* ---- what a device does not show (docs/retire-port.md) ---- */

static inline bool record_shows(struct record_hidden h, enum record_kind kind) {
  return ((uint64_t)h.kinds >> kind & 1u) == 0; /* kinds from 32 on, of units that few have, are not hidden */
}
static inline bool record_shows_field(struct record_hidden h, enum record_option field) {
  return (h.options >> field & 1u) == 0;
}
/* The highest profile of which it shows everything: 0 to 2; -1: not even P0, which cannot be judged. */
HEDDLE_API int record_profile(struct record_hidden h) HEDDLE_SYMBOL(record_profile);
/* "P1"; "none" below P0. */
HEDDLE_API const char *record_profile_name(struct record_hidden h) HEDDLE_SYMBOL(record_profile_name);
/* Kinds and fields that it does not show, "predicate, operands, issue.ps"; "" if it shows all. Cut to `bytes`. */
HEDDLE_API void record_hidden_text(struct record_hidden h, char *buf, size_t bytes) HEDDLE_SYMBOL(record_hidden_text);

/* One line of text (no newline) of at most `bytes` characters, always terminated. `lanes` of the machine; fields that
 * it hides are left out. */
HEDDLE_API void record_text(const struct retire_record *r, unsigned lanes, struct record_hidden hidden, char *buf,
                            size_t bytes) HEDDLE_SYMBOL(record_text);

#ifdef __cplusplus
}
#endif

#endif
