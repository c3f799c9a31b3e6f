/* SPDX-License-Identifier: Apache-2.0
 *
 * Your core under the checker: a test bench loads a launch, gives each record as its core shows it, and reads the
 * verdict. A core needs the records of its profile (docs/retire-port.md); no host registers, no AXI.
 *
 *   struct heddle_attach *a;
 *   heddle_attach_new(&core, &a, &message);
 *   heddle_attach_load(a, "vecadd.launch", NULL); // heddle run vecadd.cl ... --on model --trace vecadd.launch
 *                                                 // or heddle_attach_launch_own below, without a file
 *   while (heddle_attach_launch(a, &image)) {     // the next launch of the file: put it into the core's memory, start
 *     ... heddle_attach_port(a, cycle, kind, words, n);   for each record, as its port shows it; or _record
 *     ... heddle_attach_step(a, cycle);                   at times: is a warp stuck?
 *     heddle_attach_memory(a, cycle, memory);             the core has ended: global memory as it is then
 *   }
 *   heddle_attach_verdict(a, &verdict);
 *
 * The first two calls return an error. Each of those between them and the last two returns false once something is
 * wrong: a difference, or a misuse of these calls, as the verdict says. No call takes a value from the core into the
 * model. Calls on one handle come from one thread at a time; handles are independent of each other.
 */
#ifndef HEDDLE_ATTACH_H
#define HEDDLE_ATTACH_H

#include <heddle/api.h>
#include <heddle/error.h>
#include <heddle/model.h>
#include <heddle/record.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A core, and what it shows. Zero fields have their usual values. */
struct heddle_core {
  size_t size;                      /* sizeof(struct heddle_core) */
  const char *name;                 /* for people; copied */
  uint32_t lanes;                   /* of a beat: 4, 8, 16 or 32 */
  uint32_t warp_slots, block_slots; /* of an SM: 1 to 64 */
  uint32_t partitions;              /* 0: 1. Warp slot w belongs to partition w mod partitions */
  uint32_t regs;                    /* warp registers of a partition; 0: not known */
  uint32_t shared_bytes;            /* of all its blocks together */
  uint32_t shared_banks;            /* of records `shared`: a power of two up to 32; 0: 32 */
  uint32_t register_banks;          /* of records `write`, where these show banks; 0: not known */
  uint32_t units;   /* heddle_isa_needs: what it executes; the rest traps as illegal. 0: as the file says */
  uint32_t sm, sms; /* its number, of how many; sms 0: 1 */
  struct heddle_record_hidden
      hidden;                 /* HEDDLE_RECORD_HIDDEN_P0 ... of heddle/retire_records.h, or more than a profile needs */
  uint8_t read_age, pred_age; /* docs/retire-port.md, "Ages" */
  bool its;                   /* divergence by threads, else a stack */
  bool scoreboard;            /* what comes too early is the core's fault, else the program's control code */
  uint64_t
      clock_ahead; /* where records show no clock: an instruction reads the cycle of its issue record, and so much */
  uint64_t patience_issue, patience_warp; /* cycles until a warp has waited too long (checker.h); 0: as there */
  uint32_t cache_sectors, cache_promises; /* of an SM's cache, 0: none; HEDDLE_CHECKER_CACHE_... of record.h */
  uint32_t shown; /* it shows so many SMs, from number sm on, at most 64; 0: 1. Each has all that is said above */
  uint32_t memory_banks; /* of the memory system, at most 16; 0: not known, and records of memory are in one order */
  uint32_t reorder;      /* SMs and banks have clocks of their own: so many records may have to wait for others */
};

/* Content of the core's memory, and its launch registers. Addresses are bytes of the core's 40-bit space. Borrowed:
 * valid until the next launch, or until the handle is freed. */
struct heddle_image {
  size_t size;                        /* sizeof(struct heddle_image) */
  const struct heddle_launch *launch; /* grid, block, entry_pc, regs, shared_bytes, local_bytes; code and constant
                                       * banks with their addresses; regions that may be touched */
  uint64_t base, bytes;               /* global memory */
  const uint8_t *memory;              /* its first contents; all outside of the regions is zero */
};

struct heddle_attach;

/* INVALID_VALUE: a core that cannot be. */
HEDDLE_API enum heddle_error heddle_attach_new(const struct heddle_core *c, struct heddle_attach **out,
                                               struct heddle_message *msg);
HEDDLE_API void heddle_attach_free(struct heddle_attach *a);

/* A launch file: a trace (docs/trace-format.md), of which records are not looked at. Errors are heddle_trace_open's,
 * and STATE: a file is loaded already, or something is wrong. The verdict is MISUSE then, with the same words. */
HEDDLE_API enum heddle_error heddle_attach_load(struct heddle_attach *a, const char *path, struct heddle_message *msg);
/* The next launch begins, from the memory that the file has of it: what the last one left, with what a host has written
 * since. False: there is none, or something is wrong. */
HEDDLE_API bool heddle_attach_launch(struct heddle_attach *a, struct heddle_image *out);
/* Without a file: a launch that the bench has made itself, with `bytes` of global memory at `base` (borrowed while
 * it is begun). Code, constants and local memory follow global memory where the launch has no address for them
 * (code_at 0); `out` has the addresses. Any number of launches one after another; a handle has a file, or these. */
HEDDLE_API bool heddle_attach_launch_own(struct heddle_attach *a, const struct heddle_launch *l, uint64_t base,
                                         const uint8_t *memory, uint64_t bytes, struct heddle_image *out);
/* The next launch is skipped, and reported as such: a long run begins behind it. Its final memory is the next
 * launch's: a snapshot, which the model makes (heddle run --on model --trace) without the core. */
HEDDLE_API bool heddle_attach_skip(struct heddle_attach *a);

/* A record: those of one cycle in the order of their kinds; cycles never fall. */
HEDDLE_API bool heddle_attach_record(struct heddle_attach *a, const struct heddle_retire_record *r);
/* The same as the port has it: `words` 32-bit words of the record's vector, lowest bits first (cosim/retire/README.md),
 * in the core's sizes. Words that are not there count as zeros, where the record may be as short as that. */
HEDDLE_API bool heddle_attach_port(struct heddle_attach *a, uint64_t cycle, unsigned kind, const uint32_t *word,
                                   size_t words);
/* In place of records: the next bytes of a core that sends them as a stream (docs/stream-format.md), as many as
 * there are. The core hides the records of HEDDLE_RECORD_HIDDEN_P1. Lost bytes are no pass: the verdict is
 * UNFINISHED, with the place from which the stream can be read again. The same holds if heddle_attach_memory comes
 * before the stream's end. */
HEDDLE_API bool heddle_attach_stream(struct heddle_attach *a, const uint8_t *bytes, size_t n);
/* The stream of the launch that runs has ended, or nothing of it is read any more: no byte is waited for. */
HEDDLE_API bool heddle_attach_stream_ended(const struct heddle_attach *a);
/* How many words a record of that kind has at the core's port; 0: no such kind. */
HEDDLE_API size_t heddle_attach_port_words(const struct heddle_attach *a, unsigned kind);
/* No record of an earlier cycle is still to come. */
HEDDLE_API bool heddle_attach_step(struct heddle_attach *a, uint64_t cycle);
/* Every block has ended, or the trap has been shown: nothing more is owed but memory. */
HEDDLE_API bool heddle_attach_ended(const struct heddle_attach *a);
/* The launch is over: global memory [base, base + bytes) as the core has left it, caches written back. In which cycle a
 * stream says itself. */
HEDDLE_API bool heddle_attach_memory(struct heddle_attach *a, uint64_t cycle, const uint8_t *memory);

enum heddle_verdict_kind {
  HEDDLE_VERDICT_OK,         /* every launch (of the file, if there is one) was judged to its end */
  HEDDLE_VERDICT_DIFFERENCE, /* the core is wrong (in `control` mode: perhaps the program's control codes) */
  HEDDLE_VERDICT_PROGRAM,    /* the program: undefined values, a deadlock */
  HEDDLE_VERDICT_UNFINISHED, /* launches are left, or the last one was not judged to its end: never a pass */
  HEDDLE_VERDICT_MISUSE      /* these calls, the file, or memory */
};

struct heddle_verdict {
  enum heddle_verdict_kind kind;
  const char *profile;    /* "P0", "P1", "P2": the highest profile with all its records shown */
  const char *not_judged; /* what the core does not show, "operands, predicate, issue.ps"; "" if nothing is missing */
  const char *difference; /* "writeback.value"; "" where there is none */
  const char *report;     /* some lines for people, ended by a newline: the same text at each call */
  uint64_t launches, skipped, records, issued, retired, lanes_compared, performs;
};
/* Texts are valid until the next call with this handle. */
HEDDLE_API void heddle_attach_verdict_sized(struct heddle_attach *a, struct heddle_verdict *out, size_t bytes);
static inline void heddle_attach_verdict(struct heddle_attach *a, struct heddle_verdict *out) {
  heddle_attach_verdict_sized(a, out, sizeof *out);
}
/* The difference as JSON (docs/difference-report.md); NULL: there is none, or no memory. Freed by the caller. */
HEDDLE_API char *heddle_attach_verdict_json(struct heddle_attach *a);

#ifdef __cplusplus
}
#endif

#endif
