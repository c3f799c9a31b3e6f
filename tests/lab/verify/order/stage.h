/* SPDX-License-Identifier: Apache-2.0
 *
 * For tests: a stream of a core with a cache, record by record. Warps have no program: each issues what the test says,
 * with the operands of the test, which an instruction before it writes. Each record is a cycle of its own.
 */
#ifndef ORDER_STAGE_H
#define ORDER_STAGE_H

#include "cosim/kit/conform/fake.h"
#include "lab/verify/oracle/order/order.h"

enum stage_op {
  STAGE_LOAD,
  STAGE_STRONG, /* a load at GPU scope */
  STAGE_STORE,
  STAGE_ATOMIC, /* adds, and gives the old value */
  STAGE_REDUCE, /* adds */
  STAGE_BAR,
  STAGE_CTA, /* fences */
  STAGE_GPU,
  STAGE_EMPTY, /* CCTL.IVALL */
  STAGE_LOCAL_LOAD,
  STAGE_LOCAL_STORE,
  STAGE_SHARED_STORE,
  STAGE_EXIT,
  STAGE_MOVE, /* writes what the next one's operands are */
  STAGE_OPS
};

#define STAGE_WORDS 128u /* of memory: four lines */
#define STAGE_SECTOR0 (FAKE_BASE / 32u)
#define STAGE_LINE0 (FAKE_BASE / 128u)

struct stage {
  struct fake_program program;
  struct stream s;
  uint64_t cycle;
  uint32_t before[STAGE_WORDS], memory[STAGE_WORDS];
  unsigned blocks, warps; /* warps of a block; warp w of block b lives in slot b * warps + w */
  uint32_t seq[HEDDLE_RECORD_WARPS];
  uint32_t sectors, promises;         /* of the cache: struct heddle_trace_header */
  bool errors;                        /* memory may answer with them */
  struct heddle_record_hidden hidden; /* what the trace does not show */
};

/* In one line: which lanes want which sectors by which number. */
struct stage_visit {
  uint32_t lanes, number[4];
  uint8_t used;
};

void stage_open(struct stage *st, unsigned blocks, unsigned warps);
void stage_close(struct stage *st);
bool stage_accesses(enum stage_op op); /* global memory */
bool stage_gives(enum stage_op op);    /* a register */

/* addr: words of memory (local and shared: of theirs); data: of stores and atomics. Returns its sequence number. */
uint32_t stage_issue(struct stage *st, unsigned slot, enum stage_op op, uint32_t exec, const uint32_t *addr,
                     const uint32_t *data);
void stage_block_end(struct stage *st, unsigned block);
void stage_trap(struct stage *st, unsigned slot, uint32_t seq, unsigned cause);
void stage_barrier(struct stage *st, unsigned block);
void stage_fill(struct stage *st, uint64_t sector, uint32_t number, bool local);
void stage_visit(struct stage *st, enum heddle_record_kind kind, unsigned slot, uint32_t seq, uint64_t line,
                 const struct stage_visit *v, bool local);
void stage_drop(struct stage *st, unsigned slot, uint32_t seq, uint64_t line, unsigned sectors,
                enum heddle_record_cause cause);
/* A local access of lane 0 passes the cache by, or writes what the cache has not. */
void stage_drop_own(struct stage *st, unsigned slot, uint32_t seq, uint64_t line, enum heddle_record_cause cause);
void stage_drop_local(struct stage *st, uint64_t line);
void stage_drop_all(struct stage *st, unsigned slot, uint32_t seq, enum heddle_record_cause cause);
void stage_ack(struct stage *st, unsigned slot, uint32_t seq, uint64_t line);
void stage_fence(struct stage *st, unsigned slot, uint32_t seq, enum heddle_record_scope scope);
void stage_shared(struct stage *st, unsigned slot, uint32_t seq, uint32_t word, uint32_t value);
void stage_write(struct stage *st, unsigned slot, uint32_t seq, uint32_t lanes, const uint32_t *value);
/* Takes effect: in st->memory, by lanes of op in that sector. old: what each lane has read. */
void stage_global(struct stage *st, unsigned slot, uint32_t seq, enum stage_op op, uint64_t sector, uint32_t lanes,
                  const uint32_t *addr, const uint32_t *data, uint32_t *old);
void stage_local(struct stage *st, unsigned slot, uint32_t seq, uint32_t word, uint32_t lanes, const uint32_t *data);

/* list: where it is written as a list, or NULL. */
enum order_outcome stage_judge(const struct stage *st, const char *path, const char *list, struct order_result *r);

#endif
