/* SPDX-License-Identifier: Apache-2.0
 *
 * Writing a retire trace from a test bench, in C99, without libheddle: copy this, heddle_trace.c,
 * heddle/retire_records.h and heddle/retire_fields.h. Nothing is allocated. docs/trace-format.md has every byte,
 * docs/retire-port.md says when a record is due.
 *
 *   struct heddle_tracefile t;
 *   heddle_tracefile_open(&t, fopen("K.launch", "rb"), fopen("mine.trace", "wb"));
 *   t.core.lanes = 8; ... t.core.hidden = HEDDLE_RECORD_HIDDEN_P0;     what your core is, and does not show
 *   heddle_tracefile_begin(&t);
 *   while (heddle_tracefile_launch(&t)) {                           run it;
 *     heddle_tracefile_record(&t, &record);                         each record as it comes;
 *     heddle_tracefile_memory(&t, 0, memory, bytes);                all of global memory as your core left it
 *     heddle_tracefile_end(&t, cycle);
 *   }
 *   if (!heddle_tracefile_close(&t)) puts(t.wrong);
 *
 * The launch file (`heddle run ... --on model --trace K.launch`, or any trace) brings code, constants, memory and the
 * instruction set; where it has records, they are passed over. Every function returns false once something has gone
 * wrong, and t.wrong says what: it is enough to look at the last one.
 */
#ifndef HEDDLE_KIT_TRACE_H
#define HEDDLE_KIT_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <heddle/retire_records.h>

#ifdef __cplusplus
extern "C" {
#endif

#define HEDDLE_TRACE_VERSION 10u
#define HEDDLE_TRACE_PIECE 4096u

/* Machine of the header: after heddle_tracefile_open as in the launch file. */
struct heddle_tracefile_core {
  uint64_t isa_hash, config_hash; /* isa_hash: leave it as it is */
  char config[32], command[256];  /* name of the configuration, if it is one of Heddle's; what made the trace */
  uint32_t sm, sms;
  uint32_t lanes, warp_slots, block_slots, shared_bytes; /* lanes: 4, 8, 16, 32; slots: 1 to 64 */
  uint32_t partitions, regs, register_banks;             /* 0: not known */
  bool scoreboard, its, bus_errors;
  uint8_t read_age, pred_age; /* "Ages" of docs/retire-port.md */
  struct heddle_record_hidden hidden;
  uint64_t clock_ahead;
  uint32_t cache_sectors, cache_promises; /* docs/visibility.md; 0: it has no cache */
  uint32_t shown, memory_banks;           /* SMs that it shows, from sm on: 0 is 1; banks of memory, 0: not known */
  uint32_t reorder; /* where these have clocks of their own: how many records may have to wait for others */
};

struct heddle_tracefile {
  struct heddle_tracefile_core core;
  const char *wrong; /* NULL: nothing is */
  FILE *from, *to;
  uint64_t sum, records, launches, cycle, memory_bytes;
  bool open; /* in a launch */
  uint8_t buf[HEDDLE_TRACE_PIECE];
};

bool heddle_tracefile_open(struct heddle_tracefile *t, FILE *from,
                           FILE *to); /* both opened for bytes; NULL is an error */
bool heddle_tracefile_begin(struct heddle_tracefile *t);
/* The next launch of the launch file. False: there is none, or something is wrong. */
bool heddle_tracefile_launch(struct heddle_tracefile *t);
bool heddle_tracefile_record(struct heddle_tracefile *t, const struct heddle_retire_record *r);
/* A part of memory from byte `at` of it on, a multiple of 4096; in ascending order, behind the last record. All
 * other bytes are zeros. */
bool heddle_tracefile_memory(struct heddle_tracefile *t, uint64_t at, const void *bytes, uint64_t n);
bool heddle_tracefile_end(struct heddle_tracefile *t, uint64_t cycle); /* not before the last record's */
bool heddle_tracefile_close(struct heddle_tracefile *t);               /* closes both files, whatever it returns */

#ifdef __cplusplus
}
#endif

#endif
