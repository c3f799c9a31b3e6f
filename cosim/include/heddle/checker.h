/* SPDX-License-Identifier: Apache-2.0
 *
 * The lockstep checker: consumes retire records in order and judges each by the reference model.
 *
 * The implementation names an order (which warp issues, which lanes are performed, which barrier completes)
 * or a writer. It never supplies a value: the model computes from its own state, and records are const.
 * The first difference stops the check and stays readable. Nothing here prints except into a passed sink,
 * and nothing is allocated after heddle_checker_new, but for what walks find in an address space.
 */
#ifndef HEDDLE_CHECKER_H
#define HEDDLE_CHECKER_H

#include <stdio.h>

#include <heddle/api.h>
#include <heddle/model.h>
#include <heddle/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Names are stable: scripts and tests depend on them. X(identifier, name, what it compares) */
#define HEDDLE_CHECKER_KINDS(X)                                                                                        \
  X(CAPACITY, "checker.capacity", "no more is under way than the configuration can hold")                              \
  X(RECORD_FORM, "record.form", "the record's own fields are in range")                                                \
  X(IDENTITY_SLOT, "identity.slot", "the warp slot holds a warp")                                                      \
  X(IDENTITY_GEN, "identity.generation", "the record's generation is the slot's: 1 for its first warp, then one more") \
  X(IDENTITY_PARTITION, "identity.partition", "the record was shown by the partition that the warp slot belongs to")   \
  X(SEQUENCE_GAP, "sequence.gap", "issue sequence numbers of a warp are gap-free")                                     \
  X(SEQUENCE_UNKNOWN, "sequence.unknown", "a record names an instruction that is in flight")                           \
  X(ISSUE_PC, "issue.pc", "program counter at issue")                                                                  \
  X(ISSUE_WORD, "issue.word", "instruction word")                                                                      \
  X(ISSUE_ACTIVE, "issue.active", "active mask")                                                                       \
  X(ISSUE_EXEC, "issue.exec", "executing lanes (guard)")                                                               \
  X(ISSUE_PS, "issue.ps", "source predicates of executing lanes")                                                      \
  X(ISSUE_HASH, "issue.hash", "divergence state")                                                                      \
  X(ISSUE_CLOCK, "issue.clock", "the clock that an instruction can read runs with the cycles of the records")          \
  X(ISSUE_TRAP, "issue.trap", "the model traps at an instruction which the implementation issued")                     \
  X(ISSUE_ENDED, "issue.ended", "a warp issues after its end, or after the grid's trap record")                        \
  X(ORDER_FENCE, "order.fence", "accesses before a BAR or MEMBAR are performed and written back first")                \
  X(ORDER_GROUP, "order.group", "what waits for asynchronous copies issues when they have been performed")             \
  X(BARRIER_EARLY, "barrier.early", "a warp that waits at a barrier issues")                                           \
  X(BARRIER_RELEASE, "barrier.release", "a barrier completes that is not complete")                                    \
  X(OPERAND_VALUE, "operand.value", "operand words")                                                                   \
  X(OPERAND_EXTRA, "operand.extra", "operand words without an operand, or lanes that do not execute")                  \
  X(OPERAND_DOUBLE, "operand.double", "each operand word of a lane is read once")                                      \
  X(OPERAND_PORT, "operand.port", "memory instructions read on the memory bus, others on the general one")             \
  X(OPERAND_MISSING, "operand.missing", "operand words never read")                                                    \
  X(WRITEBACK_VALUE, "writeback.value", "result words")                                                                \
  X(WRITEBACK_REGISTER, "writeback.register", "the register belongs to the instruction's destination")                 \
  X(WRITEBACK_ROW, "writeback.row", "bank and row that are written are those of the warp's register")                  \
  X(WRITEBACK_EXTRA, "writeback.extra", "a write in lanes that do not execute, or of no result")                       \
  X(WRITEBACK_DOUBLE, "writeback.double", "each destination of a lane is written once")                                \
  X(WRITEBACK_EARLY, "writeback.early", "a result before its operands, its access or its barrier")                     \
  X(WRITEBACK_MISSING, "writeback.missing", "results never written")                                                   \
  X(PREDICATE_VALUE, "predicate.value", "predicate results")                                                           \
  X(PREDICATE_REGISTER, "predicate.register", "the predicates are the instruction's destinations")                     \
  X(PREDICATE_EXTRA, "predicate.extra", "a predicate write in lanes that do not execute")                              \
  X(PREDICATE_DOUBLE, "predicate.double", "each predicate of a lane is written once")                                  \
  X(PREDICATE_MISSING, "predicate.missing", "predicate results never written")                                         \
  X(PERFORM_ACCESS, "perform.access", "load, store or atomic, and the memory it belongs to")                           \
  X(PERFORM_LANES, "perform.lanes", "lanes of one sector, or of one word, are performed together")                     \
  X(PERFORM_EXTRA, "perform.extra", "an access in lanes that have none")                                               \
  X(PERFORM_DOUBLE, "perform.double", "each access of a lane is performed once")                                       \
  X(PERFORM_ADDRESS, "perform.address", "sector, bank, row")                                                           \
  X(PERFORM_STROBE, "perform.strobe", "bytes written")                                                                 \
  X(PERFORM_DATA, "perform.data", "bytes stored, or an atomic's result")                                               \
  X(PERFORM_RESULT, "perform.result", "bytes loaded, or an atomic's old value")                                        \
  X(PERFORM_ORDER, "perform.order", "a warp's accesses to one sector, and to shared memory, keep order")               \
  X(PERFORM_STAMP, "perform.stamp", "a line is in its bank, with stamps that never fall and run with the clock")       \
  X(PERFORM_TRAP, "perform.trap", "no younger access of a trapping warp is performed")                                 \
  X(VISIBILITY_STALE, "visibility.stale", "a read through a cache misses no store that comes before it in causality")  \
  X(VISIBILITY_BACKWARDS, "visibility.backwards", "a lane that has read a newer value reads no older one")             \
  X(VISIBILITY_DROPPED, "visibility.dropped",                                                                          \
    "a dropped sector is neither read nor joined; an access that passes shows its drop")                               \
  X(VISIBILITY_FILL, "visibility.fill", "each fill has a request, comes once, and is read by waiting loads")           \
  X(VISIBILITY_ACK, "visibility.ack", "each line of a store is acknowledged once, after it has been performed")        \
  X(VISIBILITY_FENCE, "visibility.fence", "a fence is done when what it waits for is, and before its warp goes on")    \
  X(WALK_ACCESS, "walk.access",                                                                                        \
    "walks by their numbers, each access in its turn and of its level, none behind the end")                           \
  X(WALK_ENTRY, "walk.entry", "address of a table's entry, its content and its new content")                           \
  X(TRANSLATION, "translation", "an access is in the frame that a walk has found since the last invalidation")         \
  X(PAGES_HOST, "pages.host", "exchanges, invalidations and replays are those of the host")                            \
  X(FAULT_LIST, "fault.list", "a page in the list of faults has had a walk that ended so")                             \
  X(PERFORM_MISSING, "perform.missing", "accesses never performed")                                                    \
  X(POISON_RAW, "poison.raw", "a register is read before its older write")                                             \
  X(POISON_WAR, "poison.war", "a register is read after a younger write")                                              \
  X(POISON_WAW, "poison.waw", "writes of one register out of order")                                                   \
  X(POISON_PRED_RAW, "poison.pred_raw", "a predicate is read before its older write")                                  \
  X(POISON_PRED_WAW, "poison.pred_waw", "writes of one predicate out of order")                                        \
  X(BLOCK_GRID, "block.grid", "the block is in the grid")                                                              \
  X(BLOCK_DOUBLE, "block.double", "each block starts once")                                                            \
  X(BLOCK_SLOTS, "block.slots", "block and warp slots of a new block are free")                                        \
  X(BLOCK_WARPS, "block.warps", "warps of a block")                                                                    \
  X(BLOCK_SHARED, "block.shared", "shared memory of live blocks is disjoint and fits")                                 \
  X(BLOCK_REGISTERS, "block.registers", "registers of live warps are disjoint and fit; taken before the first issue")  \
  X(BLOCK_END, "block.end", "a block ends when its warps have")                                                        \
  X(BLOCK_MISSING, "block.missing", "every block of the grid starts and ends")                                         \
  X(TRAP_MISMATCH, "trap.mismatch", "the trap record equals the model's trap")                                         \
  X(TRAP_UNEXPECTED, "trap.unexpected", "a trap that the model does not raise")                                        \
  X(TRAP_MISSING, "trap.missing", "a trap of the model that is not reported")                                          \
  X(TRAP_LATE, "trap.late", "nothing is shown behind the trap record but the start of warps")                          \
  X(UNDEFINED_READ, "undefined.read", "the program reads what was never written")                                      \
  X(MODEL_STATE, "model.state", "the model refuses a step")                                                            \
  X(TRAP_REGISTERS, "trap.registers", "the host's registers have the trap of its record")                              \
  X(COUNTER_ISSUED, "counter.issued", "the counter of issued instructions equals the issue records")                   \
  X(COUNTER_BOUNDS, "counter.bounds", "each event counter is as large as the records allow")                           \
  X(COUNTER_CLASSES, "counter.classes", "all event counters add up to the cycles that warps lived")                    \
  X(COUNTER_CACHE, "counter.cache", "each event counter of the cache counts what its records show")                    \
  X(END_IDLE, "end.idle", "at the end the device says that nothing runs or drains")                                    \
  X(MEMORY_CODE, "memory.code", "the program in memory is as it was launched")                                         \
  X(MEMORY_CONSTANT, "memory.constant", "the constant banks in memory are as they were launched")                      \
  X(WATCHDOG_ISSUE, "watchdog.issue", "a warp that could issue does, while no other issues")                           \
  X(WATCHDOG_BARRIER, "watchdog.barrier", "a barrier that all have reached is released")                               \
  X(WATCHDOG_WARP, "watchdog.warp", "a warp that waits for no other goes on")                                          \
  X(MEMORY_FINAL, "memory.final", "global memory at the end")

/* Bounds of the watchdogs. A warp moves with each record of it, at the start of its block, at the release of its
 * barrier. By the records it could issue when it is live, waits at no named barrier and owes nothing: no operand,
 * result, predicate or access, so no counter can hold it. Only the stall count, its fetch, a constant or the retire
 * port can delay it then. Times are in cycles:
 *   watchdog.issue    a warp could issue, and neither has it moved nor has any warp issued for patience_issue
 *   watchdog.barrier  enough warps wait at a barrier, and none of them has moved for patience_issue
 *   watchdog.warp     a warp that waits at no barrier has not moved for patience_warp: it owes something that does not
 *                     come, or could issue and is never chosen
 * Warps that wait at a barrier for others are not timed: the others are. All of them waiting for ever is the program's
 * own fault: see heddle_checker_deadlock. Nothing is timed after the trap record. */
#define HEDDLE_CHECKER_PATIENCE_ISSUE UINT64_C(20000)
#define HEDDLE_CHECKER_PATIENCE_WARP UINT64_C(1000000)

enum heddle_checker_kind {
#define X(id, name, what) HEDDLE_CHECKER_##id,
  HEDDLE_CHECKER_KINDS(X)
#undef X
      HEDDLE_CHECKER_KIND_COUNT,
  HEDDLE_CHECKER_NONE = HEDDLE_CHECKER_KIND_COUNT
};
HEDDLE_API const char *heddle_checker_kind_name(enum heddle_checker_kind k); /* "none" for HEDDLE_CHECKER_NONE */
HEDDLE_API const char *heddle_checker_kind_what(enum heddle_checker_kind k);

/* Writes the disassembly of one word, terminated, at most `bytes` characters. */
typedef void (*heddle_checker_disasm_fn)(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes);

struct heddle_checker_config {
  size_t size;           /* sizeof(struct heddle_checker_config) */
  unsigned sm;           /* number of the (first) SM of these records, 0..255; the model's too */
  unsigned shown;        /* how many SMs, from that number on; 0 = 1; 64 at most; as many as the model has */
  unsigned memory_banks; /* of the memory system: 1 .. HEDDLE_CHECKER_BANKS_MAX; 0: not known, taken as one */
  unsigned reorder;      /* records that may wait until what they follow from is shown, where SMs and banks have clocks
                          * of their own; 0: none has to; HEDDLE_CHECKER_REORDER_MAX at most */
  unsigned lanes;        /* lanes of a beat: 4, 8, 16, 32 */
  unsigned warp_slots;   /* of an SM: 1..64 */
  unsigned block_slots;  /* 1..64 */
  uint32_t shared_bytes; /* shared memory of an SM; 0 = not checked */
  bool scoreboard;       /* a poison hit is the implementation's error, else the program's control code */
  bool its;              /* divergence unit, else stack: a record's lowest active lane names the path that issues */
  /* A record is shown later than the hardware read its values: the least age in cycles of a write that the read can
   * have seen. For registers at the operands record, for predicates at the issue record. 0 counts as 1 for
   * registers; for predicates it trusts the order of records. At most HEDDLE_RECORD_AGE_MAX. rtl/README.md has the
   * ages of this RTL. */
  uint8_t read_age, pred_age;
  /* Sizes of the machine; 0: unknown, and taken as large as can be. checker/checker.c has the formula that computes
   * from it how much may be under way at once. More is the difference checker.capacity. */
  unsigned banks, collectors, partitions, gmem_lines;
  unsigned regs;      /* warp registers of a partition */
  unsigned latency;   /* the longest of its fixed pipes, in cycles */
  unsigned in_flight; /* not 0: so many instructions may be under way, whatever the machine is made of */
  uint64_t patience_issue, patience_warp; /* cycles; 0: HEDDLE_CHECKER_PATIENCE_ISSUE, HEDDLE_CHECKER_PATIENCE_WARP */
  /* Records and fields that the implementation does not show: they are not due, and fields are not read. Nothing
   * hidden: P2. */
  struct heddle_record_hidden hidden;
  uint32_t cache_sectors;  /* sectors that the SM's cache has room for; 0: it has none (docs/visibility.md) */
  uint32_t cache_promises; /* HEDDLE_CHECKER_CACHE_...: what its design promises */
  uint64_t clock_ahead;    /* where records show no clock: what an instruction reads, less the cycle of its issue */
  bool writes_back; /* a cache is at the point of order: a store is performed there whatever memory answers later,
                     * which is no trap */
  bool mmu;        /* it translates addresses (isa/doc/18-virtual-memory.md), and shows walks: accesses of the SM number
                    * after the last one of `shown` */
  bool bus_errors; /* memory may answer with errors: a bus_error trap is legal. Where it does so the launch
                    * says (errors; none: not known, and code and constants have none) */
  heddle_checker_disasm_fn disasm; /* may be NULL */
  void *disasm_ctx;
};

struct heddle_checker_difference {
  enum heddle_checker_kind kind; /* HEDDLE_CHECKER_NONE: no difference */
  uint64_t cycle;
  unsigned sm, sms; /* number of the warp's SM; how many are shown */
  unsigned slot, gen, bslot;
  uint32_t ctaid[3], warp_in_block, seq, pc;
  struct heddle_isa_word word;
  bool has_warp;  /* slot .. word are meaningful */
  uint32_t lanes; /* lanes (memory: entries) that differ; 0 when the difference is not by lane */
  uint32_t expected[HEDDLE_RECORD_LANES], got[HEDDLE_RECORD_LANES]; /* where `lanes` is set */
  uint64_t expected_value, got_value;                               /* when lanes == 0 */
  char subject[48];                                                 /* "R12", "a.0", "P3", "byte 0x10c0", ... */
  char note[256];                                                   /* one sentence */
  bool has_record;
  struct heddle_retire_record record; /* what the implementation showed */
};

struct heddle_checker_stats {
  uint64_t records, issued, retired; /* warp instructions; retired = wholly checked */
  uint64_t lanes_executed;           /* executing lanes of all that issued */
  uint64_t lanes_compared;           /* 32-bit lane values compared: operands and results */
  uint64_t lanes_unjudged;           /* the same in which a bit is undefined: the device may show any there */
  uint64_t performs, bytes_compared;
  uint64_t divergent_branches, barrier_waits, blocks, differences;
  uint8_t read_age, pred_age;         /* as the device or the trace says, and as was judged by */
  struct heddle_record_hidden hidden; /* what was not shown, and so not judged */
};

struct heddle_checker;

/* A checker of one grid. The model must have been launched (heddle_model_launch) with `l`; it, and the
 * launch's code and banks, are borrowed and must outlive the checker. NULL: no memory, a config out of range, or one of
 * both is of another release. */
HEDDLE_API struct heddle_checker *heddle_checker_new(struct heddle_model *m, const struct heddle_launch *launch,
                                                     const struct heddle_checker_config *cfg);
HEDDLE_API void heddle_checker_free(struct heddle_checker *c);

/* For how many cycles behind the trap's record other SMs may still issue, and start blocks. */
#define HEDDLE_CHECKER_STOP_LATE UINT64_C(16)

/* By how many cycles the time between an access to memory and its record may vary in a bank. */
#define HEDDLE_CHECKER_STAMP_DRIFT INT64_C(256)

/* Judge one record. False once a difference has been found (further records are ignored). */
HEDDLE_API bool heddle_checker_record(struct heddle_checker *c, const struct heddle_retire_record *r);

/* The time is `cycle`, and no record of an earlier one is still to come: are the warps patient? Records look at the
 * watchdogs as well, but a machine that hangs shows none. False as heddle_checker_record. */
HEDDLE_API bool heddle_checker_look(struct heddle_checker *c, uint64_t cycle);

/* Every live warp has ended or waits at a barrier that not enough will reach: the grid cannot end (unless another block
 * can still start). Not a difference: model and implementation agree. */
HEDDLE_API bool heddle_checker_deadlock(const struct heddle_checker *c);

/* The grid has come to its end: every ledger is closed, every block ended, any trap reported. */
HEDDLE_API bool heddle_checker_finish(struct heddle_checker *c, uint64_t cycle);

/* For a device that writes back (writes_back): did memory refuse the byte's last write? Then memory's byte is not
 * compared, if the grid has stored to it and it is in a line of 128 bytes that memory answers with errors. Without
 * this function (a trace) all such bytes may have been refused. Called in heddle_checker_memory. */
typedef bool (*heddle_checker_missing_fn)(void *ctx, uint64_t addr);
HEDDLE_API void heddle_checker_lost(struct heddle_checker *c, heddle_checker_missing_fn missing, void *ctx);

/* Compare [base, base+bytes) as the implementation left it with the model's memory of the same size. */
HEDDLE_API bool heddle_checker_memory(struct heddle_checker *c, uint64_t base, const uint8_t *image, uint64_t bytes);

/* The same of local memory, from the launch's local_at on, as many bytes as all warp slots of all SMs have: `before` is
 * what it held when the grid began. */
HEDDLE_API bool heddle_checker_local(struct heddle_checker *c, const uint8_t *before, const uint8_t *after);

/* ---- what the host reads at the end, after heddle_checker_finish ---- */

/* The trap registers, when the grid trapped; `slot`: TRAP_SLOT, the warp's slot and generation. */
HEDDLE_API bool heddle_checker_trap_registers(struct heddle_checker *c, const struct heddle_trap *host, uint32_t slot);

/* CYCLES. The device's clock, which instructions read, counts from the same moment. So the grid ended as many cycles
 * after it as the record of its trap, or of its last block's end, was shown. The count stops at most
 * HEDDLE_CHECKER_END_LATE cycles later; with a flush, when the flush is over. `seen`: the cycle in which the host
 * saw the end. A grid without an issued instruction, or a device without a clock, is not judged. */
#define HEDDLE_CHECKER_END_LATE UINT64_C(32)
HEDDLE_API bool heddle_checker_cycles(struct heddle_checker *c, uint64_t cycles, uint64_t seen);

/* The event counters (HEDDLE_COUNTERS of heddle/host_regs.h), as they were read until `cycle`; `held`: the retire
 * port may have been. In each cycle a live warp is in exactly one class. Records give the begin and end of a warp's
 * life only within some cycles. It lives at least from its first issue to its last one, at most from its block's start
 * to its end. README.md has the rule of each. */
HEDDLE_API bool heddle_checker_counters(struct heddle_checker *c, const uint32_t *counter, bool held, uint64_t cycle);
/* Those of the cache (HEDDLE_CACHE_COUNTERS), of a device that has one and shows it. */
HEDDLE_API bool heddle_checker_cache_counters(struct heddle_checker *c, const uint32_t *counter);
/* The same of SM number `sm`, where several are shown; the two before are of the first one. */
HEDDLE_API bool heddle_checker_counters_of(struct heddle_checker *c, unsigned sm, const uint32_t *counter, bool held,
                                           uint64_t cycle);
HEDDLE_API bool heddle_checker_cache_counters_of(struct heddle_checker *c, unsigned sm, const uint32_t *counter);

/* The status register. Nothing else shows the host that queues and credits are free: see README.md. */
HEDDLE_API bool heddle_checker_idle(struct heddle_checker *c, bool running, bool draining);

/* The event counters of an SM while the grid runs. At least: the records shown some time before they were read
 * (so_far). At most: those shown some time behind that, until `cycle`. */
struct heddle_checker_so_far {
  uint64_t issued, lived, synced; /* instructions; cycles that warps lived, that they waited at barriers */
};
HEDDLE_API void heddle_checker_so_far(struct heddle_checker *c, unsigned sm, struct heddle_checker_so_far *out);
HEDDLE_API bool heddle_checker_counters_running(struct heddle_checker *c, unsigned sm,
                                                const struct heddle_checker_so_far *least, const uint32_t *counter,
                                                uint64_t cycle);

/* Code, and constant bank `bank`, as they are in memory: as many bytes as were launched. */
HEDDLE_API bool heddle_checker_code(struct heddle_checker *c, const uint8_t *image);
HEDDLE_API bool heddle_checker_constants(struct heddle_checker *c, unsigned bank, const uint8_t *image);

/* ---- what the host does while a launch in an address space runs ---- */

/* The launch of c follows that of `before` in a queue, without a reset between: translations of its walks may be
 * used. `before` has shown all its records; later calls on it have nothing to do with pages. */
HEDDLE_API void heddle_checker_follows(struct heddle_checker *c, struct heddle_checker *before);

/* Called before it writes CONTROL: EXCHANGE of ENTRY_VALUE at ENTRY_ADDR, INVALIDATE of TLB_WHAT, TLB_SPACE,
 * TLB_ADDR, REPLAY or FAIL. A command without this call is a difference. */
HEDDLE_API void heddle_checker_host_exchange(struct heddle_checker *c, uint64_t at, uint64_t value);
HEDDLE_API void heddle_checker_host_invalidate(struct heddle_checker *c, unsigned what, uint8_t space, uint64_t addr);
HEDDLE_API void heddle_checker_host_replay(struct heddle_checker *c, bool fail);
/* The exchange is over, and its record has been judged: what STATUS and ENTRY_OLD say. */
HEDDLE_API bool heddle_checker_host_exchanged(struct heddle_checker *c, bool bad, uint64_t old);
/* No launch ran any more, so it may have been ignored: true if none has been shown; then it is dropped. */
HEDDLE_API bool heddle_checker_host_ignored(struct heddle_checker *c);
/* A page in the list of faults (warps are not looked at; use: load, or store). */
HEDDLE_API bool heddle_checker_host_fault(struct heddle_checker *c, const struct heddle_page_fault *f);

HEDDLE_API const struct heddle_checker_difference *heddle_checker_first(const struct heddle_checker *c);
HEDDLE_API const struct heddle_checker_stats *heddle_checker_statistics(const struct heddle_checker *c);
HEDDLE_API bool heddle_checker_done(const struct heddle_checker *c);    /* all blocks of the grid have ended */
HEDDLE_API bool heddle_checker_trapped(const struct heddle_checker *c); /* a trap record was seen and agreed on */
/* That trap, and the cycle of its record; NULL: none was seen. */
HEDDLE_API const struct heddle_trap *heddle_checker_trap(const struct heddle_checker *c, uint64_t *cycle);

/* The report: both sides, lanes that differ, history of the warp, what is in flight. */
HEDDLE_API void heddle_checker_report_text(const struct heddle_checker *c, FILE *sink);
/* Wait state of each live warp: its PC, the barrier with the missing warps, parked lanes, everything under way.
 * Counters that its next instruction awaits have the instructions that owe them. */
HEDDLE_API void heddle_checker_waiting_text(const struct heddle_checker *c, FILE *sink);

#ifdef __cplusplus
}
#endif

#endif
