/* SPDX-License-Identifier: Apache-2.0
 *
 * heddle/attach.h for test benches that speak in numbers and texts: what heddle_dpi.c and heddle_vpi.c share.
 */
#ifndef HEDDLE_BENCH_H
#define HEDDLE_BENCH_H

#include <heddle/attach.h>

struct heddle_bench;

/* `core` declares the core, words with spaces between: "lanes=8 warps=4 blocks=2 shared=8192 read_age=1 pred_age=1".
 * Others: name, partitions, banks, regs, register_banks, units, sm, sms, shown, memory_banks, reorder, profile (0 to 2:
 * what it shows), its, scoreboard, clock_ahead, patience_issue, patience_warp. Never NULL but without memory: what is
 * wrong with the core or the file, the verdict says. */
struct heddle_bench *bench_open(const char *core, const char *launches);
void bench_close(struct heddle_bench *b);

/* False from here on: something is wrong, or (launch) there is no more. */
bool bench_launch(struct heddle_bench *b);
/* `words`: those of the port; sizes other than declared are reported. */
bool bench_record(struct heddle_bench *b, unsigned kind, uint64_t cycle, const uint32_t *word, size_t words);
bool bench_step(struct heddle_bench *b, uint64_t cycle);
bool bench_ended(const struct heddle_bench *b);
bool bench_memory(struct heddle_bench *b, uint64_t cycle); /* the end: memory as it was put */

/* A value of the launch: grid_x grid_y grid_z block_x block_y block_z entry_pc regs shared_bytes local_bytes
 * local_at base bytes code_at code_bytes. Banks: cbank0_at cbank0_bytes ... cbank3_bytes. Regions: regions (how
 * many), region0_base region0_limit region0_writable ... Another name: 0. */
uint64_t bench_value(const struct heddle_bench *b, const char *name);
/* Content of the core's memory: range 0 is global memory; code and constant banks follow. */
unsigned bench_ranges(const struct heddle_bench *b);
uint64_t bench_range_at(const struct heddle_bench *b, unsigned i);
uint64_t bench_range_bytes(const struct heddle_bench *b, unsigned i);
uint8_t bench_byte(const struct heddle_bench *b, uint64_t addr); /* outside of them: 0 */
uint32_t bench_word(const struct heddle_bench *b, uint64_t addr);
/* A word of global memory as the core has left it. All others are as at the launch. */
void bench_put(struct heddle_bench *b, uint64_t addr, uint32_t word);

int bench_verdict(struct heddle_bench *b);        /* enum heddle_verdict_kind */
const char *bench_report(struct heddle_bench *b); /* until the next call */

#endif
