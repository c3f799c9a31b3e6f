/* SPDX-License-Identifier: Apache-2.0
 *
 * Retire records: the retire port of rtl/README.md as C structs, one for each record kind.
 *
 * Layout is fixed and independent of the configuration: rows have room for 32 lanes, and a beat of a
 * machine with L lanes fills the first L entries (mask bit i = entry i = lane beat*L + i). Entries beyond
 * are undefined. Numbers are raw bits, addresses bytes unless said.
 */
#ifndef HEDDLE_RECORD_H
#define HEDDLE_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define RECORD_LANES 32u
#define RECORD_SLOTS 6u   /* operand words: a = 0,1   b = 2..5   c = 4,5 */
#define RECORD_BANKS 32u  /* shared-memory banks */
#define RECORD_SECTOR 32u /* bytes of a global-memory sector */
#define RECORD_WARPS 64u  /* warp slots that a record can name */

/* In the order in which records of one cycle follow each other. */
enum record_kind {
  RECORD_BLOCK_START,
  RECORD_GLOBAL,
  RECORD_SHARED,
  RECORD_WRITE,
  RECORD_PREDICATE,
  RECORD_OPERANDS,        /* general dispatch bus */
  RECORD_OPERANDS_MEMORY, /* dispatch bus of the memory pipe */
  RECORD_BARRIER,
  RECORD_ISSUE,
  RECORD_TRAP,
  RECORD_BLOCK_END,
  RECORD_KINDS
};

/* Who: warp slot, its generation, and the gap-free sequence number of the instruction. */
struct record_id {
  uint8_t slot, gen;
  uint32_t seq;
};

struct record_issue {
  struct record_id id;
  uint32_t pc;
  uint64_t lo, hi; /* the instruction word */
  uint32_t active, exec, ps[3];
  uint64_t dhash;
};

struct record_operands {
  struct record_id id;
  uint8_t beat, used; /* used: bit per operand slot */
  uint32_t mask;
  uint32_t data[RECORD_SLOTS][RECORD_LANES];
};

struct record_write {
  struct record_id id;
  uint8_t bank, rd, beat;
  uint32_t mask;
  uint32_t data[RECORD_LANES];
};

struct record_predicate {
  struct record_id id;
  uint8_t beat, pd0, pd1; /* 7 = none */
  uint32_t mask, d0, d1;
};

enum record_access { RECORD_LOAD, RECORD_STORE, RECORD_ATOMIC };

/* One pass of shared memory. row = word index / 32 in the SM's memory, the block's base included.
 * Atomics: rdata before, wdata after the whole pass. */
struct record_shared {
  struct record_id id;
  uint8_t access; /* enum record_access */
  uint32_t lanes, bank_en;
  uint16_t row[RECORD_BANKS];
  uint8_t wstrb[RECORD_BANKS];
  uint32_t wdata[RECORD_BANKS], rdata[RECORD_BANKS];
};

/* One sector access at the point of order. sector = byte address / 32. */
struct record_global {
  struct record_id id;
  uint8_t access;
  uint32_t lanes, wstrb;
  uint64_t sector;
  uint8_t wdata[RECORD_SECTOR], rdata[RECORD_SECTOR];
};

struct record_barrier {
  uint8_t bslot, id;
};

struct record_block_start {
  uint8_t bslot;
  uint32_t ctaid[3];
  uint64_t warps; /* warp i of the block lives in the slot of the i-th set bit */
  uint32_t shared_base;
};

struct record_block_end {
  uint8_t bslot;
};

struct record_trap {
  uint8_t cause; /* enum heddle_cause */
  struct record_id id;
  uint32_t pc, lanes;
  uint64_t addr;
};

struct retire_record {
  uint32_t kind;  /* enum record_kind */
  uint64_t cycle; /* in which the port showed it */
  union {
    struct record_block_start block_start;
    struct record_global global;
    struct record_shared shared;
    struct record_write write;
    struct record_predicate predicate;
    struct record_operands operands;
    struct record_barrier barrier;
    struct record_issue issue;
    struct record_trap trap;
    struct record_block_end block_end;
  } u;
};

/* "issue", "write", ...; "?" for a kind out of range. */
const char *record_kind_name(uint32_t kind);

/* The warp instruction a record belongs to; NULL for block and barrier records. */
const struct record_id *record_id_of(const struct retire_record *r);

/* One line of text (no newline) of at most `bytes` characters, always terminated. `lanes` of the machine. */
void record_text(const struct retire_record *r, unsigned lanes, char *buf, size_t bytes);

#endif
