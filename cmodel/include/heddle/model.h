/* SPDX-License-Identifier: Apache-2.0
 *
 * The reference model: architectural, untimed, no globals, no printing.
 *
 * Two ways to use it:
 *  - alone: heddle_model_run() schedules blocks and warps itself and performs each access at once;
 *  - as the judge of an implementation: the caller says *which* warp issues next, *which* lanes' accesses
 *    are performed now, *which* barrier completed, *which* block starts in which slots; the model computes
 *    every value from its own state. No call takes a data value from outside.
 *
 * Lane values are raw bits. Masks: bit i = lane i. Addresses are bytes.
 */
#ifndef HEDDLE_MODEL_H
#define HEDDLE_MODEL_H

#include <heddle/api.h>
#include <heddle/error.h>
#include <heddle/isa.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_LANES 32u

enum heddle_cause { /* codes of isa/doc/05-barriers-traps.md */
                    HEDDLE_TRAP_NONE,
                    HEDDLE_TRAP_ILLEGAL,
                    HEDDLE_TRAP_BAD_PC,
                    HEDDLE_TRAP_MISALIGNED,
                    HEDDLE_TRAP_OUT_OF_RANGE,
                    HEDDLE_TRAP_WRITE_PROTECTED,
                    HEDDLE_TRAP_CONST_RANGE,
                    HEDDLE_TRAP_DIVERGENCE,
                    HEDDLE_TRAP_DEADLOCK,
                    HEDDLE_TRAP_BARRIER,
                    HEDDLE_TRAP_BUS,
                    HEDDLE_TRAP_BREAKPOINT,
                    HEDDLE_TRAP_PAGE,
                    HEDDLE_CAUSES
};
HEDDLE_API const char *heddle_cause_name(enum heddle_cause c);

/* Results of the model's calls, of enum heddle_error:
 *   SUCCESS
 *   TRAPPED        see heddle_model_trap
 *   LIMIT          the limit of instructions or a deadlock, see heddle_model_run
 *   UNDEFINED      something depends on a value that was never written, see heddle_model_undefined
 *   PENDING        in lockstep: the instruction reads or overwrites a result that has not been performed yet
 *   STATE          the call does not fit the state (warp not live, waiting at a barrier, slot in use ...), see diag
 *   FAULTS         warps wait for pages, see heddle_model_faults
 *   NOT_READY      see heddle_model_go_on
 *   INVALID_VALUE, HOST_MEMORY */

struct heddle_region {
  uint64_t base, limit;
  bool writable;
};

/* Bytes [base, limit) of memory that answer with errors; both 0: none. */
struct heddle_errors {
  uint64_t base, limit;
};

/* Origin of a range of errors. */
enum heddle_errors_in {
  HEDDLE_ERRORS_AT,                              /* address 0 */
  HEDDLE_ERRORS_CODE,                            /* where the code begins */
  HEDDLE_ERRORS_BANK0,                           /* where constant bank 0 begins; of the others + 1 to + 3 */
  HEDDLE_ERRORS_LOCAL = HEDDLE_ERRORS_BANK0 + 4, /* where local memory begins: that of warp slot 0 */
  HEDDLE_ERRORS_IN
};

#define HEDDLE_LINE 64u /* code and constants are read in lines of so many bytes: an error is one of the whole line */

/* Input of a grid. Copied by heddle_model_launch. */
struct heddle_launch {
  size_t size; /* sizeof(struct heddle_launch); of several in an array that of the first */
  uint32_t grid[3], block[3];
  uint32_t entry_pc, regs, shared_bytes;
  const uint8_t *code;
  uint32_t code_bytes;
  const uint8_t *cbank[4];
  uint32_t cbank_bytes[4];
  struct heddle_region region[16];
  unsigned regions;
  uint32_t units;                /* bit per enum heddle_isa_unit, ISA_PART_...: what exists; the rest is illegal */
  bool rtl_only;                 /* words that the RTL does not have yet (heddle_isa_in_rtl) are illegal */
  uint32_t local_bytes;          /* local memory of a thread, a multiple of 16, at most 512 KiB */
  uint64_t code_at, cbank_at[4]; /* addresses of code and banks in memory: used only with errors */
  uint64_t local_at;             /* the same of local memory: a slice of 32 local_bytes for each warp slot */
  struct heddle_errors errors;   /* instructions and constant operands there are bus errors, precise ones. Accesses
                                  * are performed as if there were none: the judge has memory's answers */
  /* In an address space (isa/doc/18-virtual-memory.md); alone on one thread; without `errors`. code_at and cbank_at
   * are virtual, and their memory is read: `code`, `cbank` and the regions are not used. */
  bool pages;
  bool fault_trap;    /* a fault is a trap; else its warp waits: heddle_model_faults */
  uint8_t space;      /* its number: a name, for the model keeps no translation that tables no longer hold */
  uint64_t page_root; /* table of level 3, a multiple of 8192 */
  bool walks_told; /* in lockstep: the caller says when walks make their accesses, and the model sets no A by itself */
};

/* Does the line that holds address `at` answer with an error? */
static inline bool heddle_line_errs(const struct heddle_launch *l, uint64_t at) {
  const uint64_t line = at / HEDDLE_LINE * HEDDLE_LINE;
  return line < l->errors.limit && line + HEDDLE_LINE > l->errors.base;
}

struct heddle_trap {
  enum heddle_cause cause;
  uint32_t ctaid[3], warp_in_block, seq, pc, lanes;
  uint64_t addr;
  uint32_t sm; /* number of the SM on which the warp ran */
  /* page_fault, bus_error and a write_protected page name a line (addr). exact: the lowest of the lanes accesses
   * addr + offset; else the trap comes from a device alone, and the access is in that line. */
  uint32_t offset;
  bool exact;
};

/* HEDDLE_ERROR_UNDEFINED: where. Registers, predicates, shared and local memory begin undefined. Instructions
 * propagate that bit by bit without an end. Uses: an address, a target, a guard, an atomic, operands of BAR.RED or
 * of a barrier's mask, a bit in a writable region at the end of the grid (isa/doc/17-undefined.md). */
struct heddle_undefined {
  uint32_t ctaid[3], warp_in_block, seq, pc, lanes; /* pc UINT32_MAX: at_end, with an unknown store */
  bool has_addr, at_end;                            /* at_end: pc and so on are of the store */
  uint64_t addr;
  char what[80];     /* "R5 (operand a)", "guard P0", "shared bytes at 0x40 ..." */
  char origin[40];   /* the unwritten item: "R5", "shared byte 0x10"; empty: unknown */
  bool loaded;       /* it is memory, and */
  uint32_t first_pc; /* the instruction that loaded it, else the first one that read it */
};

/* Uses that end a run. NOTHING: none; unwritten data is zero, and counts as defined. STORES: those of USES, and a
 * store of undefined bits to global memory, at that store. */
enum heddle_tell { HEDDLE_TELL_USES, HEDDLE_TELL_NOTHING, HEDDLE_TELL_STORES };

struct heddle_model;

/* Which unit carries out divergence (isa/doc/03-divergence.md). */
enum heddle_divergence { HEDDLE_STACK, HEDDLE_ITS };

/* Sizes of a machine. Global memory is one flat allocation [base, base+bytes) of the 40-bit space, zeroed. */
struct heddle_model_config {
  size_t size; /* sizeof(struct heddle_model_config) */
  uint64_t base, bytes;
  unsigned warp_slots, block_slots; /* of an SM: 1 .. 256 warps; 1 or more blocks */
  unsigned sm, sms;                 /* SR_SMID, SR_NSMID: which SM it is, of how many (0 counts as 1) */
  enum heddle_divergence divergence;
  unsigned threads; /* of the host, for heddle_model_run; 0 = 1. Results do not depend on it (core/parallel.c) */
  unsigned shown;   /* SMs that the model has, from number sm on; 0 = 1. Each has so many slots: warp slot s of the k-th
                     * of them is slot k * warp_slots + s in all calls, and likewise its block slots */
  enum heddle_tell tell;
};

#define HEDDLE_MODEL_SMS 64u /* the most that `shown` can be */

/* NULL: no memory, a number out of range, or a size that is none. */
HEDDLE_API struct heddle_model *heddle_model_new(const struct heddle_model_config *c);
HEDDLE_API void heddle_model_free(struct heddle_model *m);
HEDDLE_API uint8_t *heddle_model_memory(struct heddle_model *m); /* for loading inputs and comparing results */
HEDDLE_API void heddle_model_range(const struct heddle_model *m, uint64_t *base, uint64_t *bytes); /* of memory */
HEDDLE_API const char *heddle_model_diag(const struct heddle_model *m); /* words of the last non-OK status */
HEDDLE_API const struct heddle_trap *heddle_model_trap(const struct heddle_model *m);
/* The same of the k-th SM that the model has, from 0: several may have one, and which of them stops the grid is an
 * order. NULL: it has fewer. */
HEDDLE_API const struct heddle_trap *heddle_model_trap_of(const struct heddle_model *m, unsigned k);
HEDDLE_API const struct heddle_undefined *
heddle_model_undefined(const struct heddle_model *m); /* of the last such status */
/* Defined bits of each byte of memory, as bits of 1; NULL: all are. */
HEDDLE_API const uint8_t *heddle_model_defined(const struct heddle_model *m);
/* Has an instruction at `pc` issued since the launch? */
HEDDLE_API bool heddle_model_issued(const struct heddle_model *m, uint32_t pc);
/* In lockstep, when the grid has ended well (heddle_model_run calls it itself): UNDEFINED if the host would read
 * undefined data. */
HEDDLE_API enum heddle_error heddle_model_end(struct heddle_model *m);

/* Regions must be inside the memory. Blocks of an earlier launch are dropped; memory stays as it is. BAD_ARG: an
 * impossible launch, or one of another release. */
HEDDLE_API enum heddle_error heddle_model_launch(struct heddle_model *m, const struct heddle_launch *l);

/* Alone: run the whole grid, once a launch, and again after FAULTS. `max_warp_insns` 0 = no limit. *retired (or NULL)
 * counts warp instructions. LIMIT: the diagnosis has a line for each live warp: lanes that run, wait for their turn,
 * are parked or wait at a barrier, and their places.
 * It begins with "deadlock:" when no warp can ever go on. Then all wait at barriers, or each one spins through
 * states that repeat (masks, paths, barriers, registers, predicates) while memory stays as it is. An example is a
 * lock's holder that waits for the peers that spin on it. The test runs after 65,536 warp instructions and then ever
 * more rarely; a warp that reads the clock never repeats itself. */
HEDDLE_API enum heddle_error heddle_model_run(struct heddle_model *m, uint64_t max_warp_insns, uint64_t *retired);

/* The same in pieces, on one thread, for a host that looks at its grid meanwhile. Each call lets `cycles` pass, of
 * one warp instruction each. The model runs ahead of them by at most HEDDLE_MODEL_AHEAD instructions and a turn of
 * each warp; pieces make no difference to results. GOES_ON: it has not ended; call it again. The limit and *retired
 * count from the launch on. */
#define HEDDLE_MODEL_AHEAD (UINT64_C(1) << 18)
HEDDLE_API enum heddle_error heddle_model_go_on(struct heddle_model *m, uint64_t max_warp_insns, uint64_t cycles,
                                                uint64_t *retired);
/* After GOES_ON: a line for each live warp, as of LIMIT; heddle_model_diag has it, too. */
HEDDLE_API const char *heddle_model_live(struct heddle_model *m);

/* ---- pages ------------------------------------------------------------------------------------- */

enum heddle_page_kind { HEDDLE_PAGE_ABSENT, HEDDLE_PAGE_PROTECTED, HEDDLE_PAGE_MALFORMED, HEDDLE_PAGE_ERROR };
enum heddle_page_use { HEDDLE_PAGE_LOAD, HEDDLE_PAGE_STORE /* atomics, too */, HEDDLE_PAGE_CODE, HEDDLE_PAGE_CONSTANT };

/* A page that warps wait for; kind and use are those of the first of them. */
struct heddle_page_fault {
  uint64_t page; /* its first byte: a multiple of 4096 */
  enum heddle_page_kind kind;
  enum heddle_page_use use;
  uint8_t space;
  unsigned warps;
};

/* A launch without fault_trap, after FAULTS of heddle_model_run (or heddle_model_step): all warps need a page to go
 * on. Up to `room` pages, as they came. Returns how many there are. A waiting instruction has done nothing. The host
 * may now change tables and memory, and call heddle_model_run again, which looks all of them up again (REPLAY).
 * After heddle_model_fail an access without a page is a trap (FAIL). */
HEDDLE_API unsigned heddle_model_faults(const struct heddle_model *m, struct heddle_page_fault *out, unsigned room);
HEDDLE_API void heddle_model_fail(struct heddle_model *m);
/* The host has written these bytes of memory meanwhile: all their bits are defined. */
HEDDLE_API void heddle_model_written(struct heddle_model *m, uint64_t at, uint64_t bytes);

/* ---- lockstep ---------------------------------------------------------------------------------- */

/* A block begins in block slot `bslot`; its warp i lives in warp slot wslot[i]. STATE: a slot in use, a block outside
 * the grid or started before, another number of warps than the block has. */
HEDDLE_API enum heddle_error heddle_block_start(struct heddle_model *m, unsigned bslot, const uint32_t ctaid[3],
                                                const uint8_t *wslot, unsigned warps);
/* The same on the k-th SM that the model has, in slots by its own numbers. */
HEDDLE_API enum heddle_error heddle_block_start_on(struct heddle_model *m, unsigned k, unsigned bslot,
                                                   const uint32_t ctaid[3], const uint8_t *wslot, unsigned warps);
/* STATE: a warp has not ended, or an access is not performed. */
HEDDLE_API enum heddle_error heddle_block_end(struct heddle_model *m, unsigned bslot);

/* Before an issue under `its`: the implementation chose the path that holds `lane` (the lowest one of a record's
 * active mask names it). Mask and PC are the model's own, to be compared. Without this call the model issues for the
 * next path in its own order. Under `stack` there is no choice. STATE: as of heddle_warp_issue; or the lane is
 * parked, has exited, or (`stack`) is not active. */
HEDDLE_API enum heddle_error heddle_warp_choose(struct heddle_model *m, unsigned w, unsigned lane);

/* Kind of access of an instruction. */
enum heddle_access {
  HEDDLE_ACCESS_LOAD,
  HEDDLE_ACCESS_STORE,
  HEDDLE_ACCESS_ATOMIC,    /* with a result */
  HEDDLE_ACCESS_REDUCTION, /* without */
  HEDDLE_ACCESS_COMPARE_SWAP,
  HEDDLE_ACCESS_LOAD_MATRIX, /* LDSM */
  HEDDLE_ACCESS_COPY         /* LDGSTS: a load, then a store to shared memory; heddle_perform_store */
};

/* Facts about the instruction that was just executed: the caller's own copy. Arrays are filled only as far as the
 * counts, masks and flags beside them say. */
struct heddle_effect {
  uint32_t seq, pc, active, exec; /* seq: 0 for the first instruction of a warp in its block. exec of the uniform
                                     datapath: all lanes when its guard is true, whatever `active` is */
  uint64_t dhash;                 /* divergence hash before the instruction */
  struct heddle_isa_dec dec;
  uint32_t ps[3];          /* source predicates after negation, all 32 lanes (raw) */
  uint8_t src_words[3];    /* words of operand a, b, c (0 = none). Also of immediates, constants and RZ: see dec.src */
  uint32_t src[3][4][32];  /* raw operand values before abs/neg: [operand][word][lane] */
  uint32_t src_mask;       /* lanes in which src is meaningful (exec) */
  uint32_t src_unknown[3]; /* of them, by operand: some bit is undefined (src_bits): not to be compared */
  uint32_t rd_unknown[4];  /* the same of rd_value, by word (rd_bits) */
  uint32_t ps_unknown[3], pd_unknown[2], preds_unknown[7]; /* the same of ps, pd_value, preds_value */
  uint8_t rd_words;         /* 0 = nothing will be written: no register result, RZ, or exec = 0 */
  uint32_t rd_value[4][32]; /* in the lanes exec; not when rd_pending */
  bool rd_uniform;          /* rd is a uniform register: rd_value is the same in all 32 lanes */
  bool rd_pending;          /* result arrives by perform (LDC: at issue; BAR.RED.POPC: by heddle_barrier_release) */
  uint8_t pd_written;   /* bit 0: pd0, bit 1: pd1 (not PT, owned, exec not 0). Both the same: only bit 1, which stays */
  uint32_t pd_value[2]; /* in the lanes exec, 0 elsewhere; of uniform predicates (dec.pd_uniform) all ones or 0 */
  uint8_t preds_written; /* R2P, UR2UP: bit i: Pi or UPi, in the lanes preds_lanes[i]; not among pd_written */
  uint32_t preds_lanes[7], preds_value[7];
  uint32_t mem_lanes;     /* lanes with an access that is still to be performed (0 = none: LDC, trapped, behind a
                           * trap) */
  uint8_t mem_space;      /* enum heddle_isa_space (heddle/isa_tables.h) */
  uint8_t mem_kind;       /* enum heddle_access, if it has a space */
  uint8_t mem_bytes;      /* access size */
  uint64_t mem_addr[32];  /* in the lanes exec */
  uint64_t copy_addr[32]; /* of HEDDLE_ACCESS_COPY: where in shared memory; mem_addr is what it loads */
  bool traps;             /* this instruction traps and has its issue record; see heddle_warp_issue */
  uint8_t bar_wait;       /* 1: the warp now waits at bar_id */
  uint8_t bar_id;
  bool bar_pd;     /* BAR.RED: pd0 is written in the lanes exec by heddle_barrier_release; not among pd_written */
  bool warp_ended; /* all lanes exited */
  uint32_t src_bits[3][4][32], rd_bits[4][32]; /* bits of 1 are undefined; only in lanes of src_unknown, rd_unknown */
};

/* The warp in slot `w` issues its next instruction, from the model's own registers.
 *
 * Traps without an issue record: HEDDLE_ERROR_TRAPPED. Only seq, pc, active and dhash are filled; the SM is stopped.
 * Causes 1, 2 at fetch and of JMP, 6 of an operand, 7, 9, 10 of the word or an operand, 11.
 *
 * Traps with an issue record: HEDDLE_SUCCESS and out->traps. An address trap has no effect and lets other issues go on
 * (the hardware stops later), but no younger access of this warp will be performed. A bad register target (2) and a
 * WARPSYNC with a wrong mask (7) have no effect, a deadlock (8) has had its effect. The warp is stuck, and others go on
 * until the hardware has found it. heddle_model_trap describes the first one in issue order.
 *
 * After UNDEFINED, PENDING and STATE nothing has happened. STATE: slot empty, warp ended or waiting, SM stopped; BAR
 * or MEMBAR while accesses of the warp are not performed, or those of copies for which the instruction waits. Under
 * `its` also an instruction that moves lanes while another path has waited for 1,984 of them. */
HEDDLE_API enum heddle_error heddle_warp_issue(struct heddle_model *m, unsigned w, struct heddle_effect *out);

/* The implementation's clock (SR_CLOCKLO, SR_CLOCKHI) at the issues of warp slot `w` from now on; without it a warp's
 * clock is the number of its issues. STATE: an empty slot, or a clock that falls. */
HEDDLE_API enum heddle_error heddle_warp_clock(struct heddle_model *m, unsigned w, uint64_t cycle);

/* Effect of one perform, from the model's own state. */
struct heddle_performed {
  uint32_t lanes;
  uint8_t rd_words;  /* result registers now final in the lanes rd_lanes (loads, atomics; 0: none, or RZ) */
  uint8_t rd_done;   /* word of the register, bit k: rd + k; all but of LDSM, with its registers one by one */
  uint32_t rd_lanes; /* `lanes`; of LDSM all, of each register when the eight rows of its matrix have been read */
  uint32_t rd_value[4][32];
  uint64_t addr[32];
  uint8_t bytes;
  uint8_t old_bytes[32][16]; /* loads, atomics: what each lane read (atomics: before its own update) */
  uint8_t new_bytes[32][16]; /* stores, atomics: what the lane's location holds after this perform */
  bool finished;             /* the instruction has no lane left to perform */
  uint32_t rd_unknown[4];    /* lanes of rd_value, by word, in which some bit is undefined: not to be compared */
  uint32_t bytes_unknown;    /* the same of old_bytes (loads) and new_bytes (stores) */
  uint32_t rd_bits[4][32];   /* bits of 1 are undefined; only in lanes of rd_unknown */
  uint8_t known[32][16];     /* bits of 1 are defined; only in lanes of bytes_unknown */
};
/* Lanes `lanes` of instruction `seq` of warp slot `w` are performed now, together, ascending where order matters.
 *
 * STATE, without any effect:
 *   lanes that do not wait
 *   an older access of the warp to the same sector (shared: any older shared access; local: one of the same lane to
 *     the same bytes) is not performed yet
 *   lanes of the same sector are left behind (shared stores and atomics: a lower lane of the same bytes; in an
 *     address space those of the same virtual line)
 *   the instruction is at or behind an address trap
 *
 * Each lane of a generic access obeys the rules of its space. UNDEFINED, without any effect: an atomic of undefined
 * bytes. */
HEDDLE_API enum heddle_error heddle_perform(struct heddle_model *m, unsigned w, uint32_t seq, uint32_t lanes,
                                            struct heddle_performed *out);

/* The second access of a HEDDLE_ACCESS_COPY, after heddle_perform's: lanes store to shared memory the words that
 * they have loaded. STATE: as above; lanes that do not wait, or have not been loaded. Also if an older shared
 * access of the warp to the same bytes is open, or a lower lane of the same bytes is left behind. No younger access
 * waits for either of the two. */
HEDDLE_API enum heddle_error heddle_perform_store(struct heddle_model *m, unsigned w, uint32_t seq, uint32_t lanes,
                                                  struct heddle_performed *out);

/* All that an instruction which has just issued in slot `w` has to perform, at once; *out is of what came last. */
HEDDLE_API enum heddle_error heddle_perform_whole(struct heddle_model *m, unsigned w,
                                                  const struct heddle_effect *issued, struct heddle_performed *out);

/* Memory has answered the access of these lanes in global memory with an error: it is never performed, and no younger
 * one waits for it. STATE: the instruction has nothing to perform. */
HEDDLE_API enum heddle_error heddle_perform_never(struct heddle_model *m, unsigned w, uint32_t seq, uint32_t lanes);

/* The same as heddle_perform for callers with the addresses from the issue: addr is left alone, and so is old_bytes
 * of plain loads into registers: rd_value has it. */
HEDDLE_API enum heddle_error heddle_perform_values(struct heddle_model *m, unsigned w, uint32_t seq, uint32_t lanes,
                                                   struct heddle_performed *out);

/* ---- lockstep, in an address space (isa/doc/18-virtual-memory.md) ---- */

/* A launch with walks_told. The model sets no A nor D by itself. The caller reports the start of a walk, the
 * performance of each of its accesses, and for each line the walk of its page. Code and constants are read at the
 * address in the tables, when they are needed or a walk has found them, and kept. */

/* A page that a walk has found. */
struct heddle_leaf {
  uint64_t page, at; /* its first byte: in the space, in memory */
  uint64_t bytes;    /* 4096, or 2 MiB */
  bool global;       /* the same in all spaces */
  bool writes;       /* W is set, and D: for stores and atomics, too */
};

enum heddle_walk_state { HEDDLE_WALK_READS, HEDDLE_WALK_SWAPS, HEDDLE_WALK_FOUND, HEDDLE_WALK_FAULT };

struct heddle_walk {
  uint64_t page; /* of 4096 bytes: its first one */
  bool write;    /* for a store or an atomic */
  enum heddle_walk_state state;
  unsigned level;             /* of the entry that it reads or swaps next, else of the last one */
  uint64_t at;                /* the address of the entry */
  uint64_t entry;             /* as it was read last */
  enum heddle_page_kind kind; /* FAULT */
  struct heddle_leaf leaf;    /* FOUND */
};

/* For the page that holds `page`, from the launch's root. */
HEDDLE_API void heddle_walk_begin(const struct heddle_model *m, uint64_t page, bool write, struct heddle_walk *w);
/* Its next access is performed now: a read, or a compare and swap. *was, *is: the entry before and behind it. STATE:
 * it has ended, or the entry is outside of memory. */
HEDDLE_API enum heddle_error heddle_walk_step(struct heddle_model *m, struct heddle_walk *w, uint64_t *was,
                                              uint64_t *is);
HEDDLE_API bool heddle_walk_outside(const struct heddle_model *m, const struct heddle_walk *w); /* the latter */
HEDDLE_API void heddle_walk_error(struct heddle_walk *w); /* its next access is answered with an error */
/* The host's exchange of an entry is performed now. STATE: it is outside of memory. */
HEDDLE_API enum heddle_error heddle_entry_exchange(struct heddle_model *m, uint64_t at, uint64_t value, uint64_t *was);

/* Lanes of instruction `seq` of warp slot `w`, in global memory, are translated by that page: addr has then their
 * address. Until then they cannot be performed. STATE: lanes that do not wait for it, another page, a write to a
 * page for reads, a page outside of memory. */
HEDDLE_API enum heddle_error heddle_perform_place(struct heddle_model *m, unsigned w, uint32_t seq, uint32_t lanes,
                                                  const struct heddle_leaf *leaf, uint64_t addr[HEDDLE_LANES]);
/* Code and constants in that page count as not read: their use traps, unless the tables have a page there. */
HEDDLE_API enum heddle_error heddle_model_lose_page(struct heddle_model *m, uint64_t page);

/* ---- a cache (docs/visibility.md) ---- */

/* Loads may read sectors that were copied before: `room` copies, numbered from 0, which the caller manages. 0, as a
 * model begins: none. With copies the caller judges the order of accesses to global memory: heddle_perform checks
 * none there, BAR only accesses to shared memory, MEMBAR nothing. This call drops all copies; otherwise only
 * heddle_copy_drop does. */
HEDDLE_API enum heddle_error heddle_copies(struct heddle_model *m, unsigned room);
/* Copy n takes the 32 bytes of global memory from 32 `sector` on, as they are at this moment, with what of them is
 * undefined. STATE: no such copy, or it is taken; a sector outside of memory. */
HEDDLE_API enum heddle_error heddle_copy_take(struct heddle_model *m, unsigned n, uint64_t sector);
HEDDLE_API enum heddle_error heddle_copy_drop(struct heddle_model *m, unsigned n); /* STATE: it is not taken */
/* As heddle_perform_values, of lanes that load from copy n's sector: they read the copy. STATE: also if one does not.
 */
HEDDLE_API enum heddle_error heddle_perform_copy(struct heddle_model *m, unsigned w, uint32_t seq, uint32_t lanes,
                                                 unsigned n, struct heddle_performed *out);

/* Barrier `id` of the block in `bslot` completed; its warps go on. STATE unless the model also sees it complete.
 * The results of BAR.RED are written now: heddle_reg and heddle_pred have them. */
HEDDLE_API enum heddle_error heddle_barrier_release(struct heddle_model *m, unsigned bslot, unsigned id);
HEDDLE_API bool heddle_grid_done(const struct heddle_model *m); /* every block has started and ended */
HEDDLE_API bool heddle_warp_waiting(const struct heddle_model *m, unsigned w);
HEDDLE_API unsigned heddle_warp_pending(const struct heddle_model *m,
                                        unsigned w); /* accesses not wholly performed; of a copy two */

/* State of a live warp: for reports, and for watchdogs. */
struct heddle_standing {
  uint32_t ctaid[3];
  uint32_t index, seq, pc, active, exited; /* seq, pc: of the instruction that it issues next */
  uint32_t paths;                          /* that wait for their turn */
  bool ended, waiting;                     /* waiting: at named barrier bar_id, as the following say */
  uint8_t bar_id;
  uint32_t bar_here, bar_needs;     /* warps of the block that are there, a bit each; how many release it */
  bool bar_reached;                 /* enough are there: it is to be released */
  uint32_t parked[17], missing[17]; /* lanes that wait at B0 ... B15 and at WARPSYNC; missing lanes */
  uint32_t park_pc[17];             /* of the lowest lane that is parked there */
  uint32_t bar_pc;                  /* of the instruction at which it waits */
  uint32_t path_lanes, path_pc;     /* of one of the paths; lanes 0: there is none */
};
/* False: no warp lives in the slot. */
HEDDLE_API bool heddle_warp_standing(const struct heddle_model *m, unsigned w, struct heddle_standing *out);

/* ---- for memory systems ------------------------------------------------------------------------ */

/* Result of an atomic on the value `v` in memory: `op` of the instruction set's aop (.ADD = 0 ...) with operand `b`,
 * or a compare and swap of `b` for `c`. `wide`: 64 bits; else the low 32 of each. False: no such operation of that
 * width, *out is left alone. */
#define HEDDLE_COMPARE_SWAP 63u
HEDDLE_API bool heddle_atomic(unsigned op, bool wide, uint64_t v, uint64_t b, uint64_t c, uint64_t *out);

/* Views for reports and debuggers. */
HEDDLE_API uint32_t heddle_reg(const struct heddle_model *m, unsigned w, unsigned reg, unsigned lane);
HEDDLE_API bool heddle_pred(const struct heddle_model *m, unsigned w, unsigned p, unsigned lane);
HEDDLE_API uint32_t heddle_ureg(const struct heddle_model *m, unsigned w, unsigned ureg);
HEDDLE_API bool heddle_upred(const struct heddle_model *m, unsigned w, unsigned up);

#ifdef __cplusplus
}
#endif

#endif
