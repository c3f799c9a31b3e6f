/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions that heddle_dpi_pkg.sv imports: plain IEEE 1800 DPI, for any simulator. Compile it with heddle_bench.c
 * and the folder of the simulator's svdpi.h, link libheddle-sim (docs/attach-your-core.md has the lines).
 */
#include <svdpi.h>

#include "heddle_bench.h"

void *heddle_dpi_open(const char *core, const char *launches) {
  return bench_open(core, launches);
}

void heddle_dpi_close(void *b) {
  bench_close(b);
}

int heddle_dpi_launch(void *b) {
  return bench_launch(b);
}

uint64_t heddle_dpi_value(void *b, const char *name) {
  return bench_value(b, name);
}

int heddle_dpi_ranges(void *b) {
  return (int)bench_ranges(b);
}

uint64_t heddle_dpi_range_at(void *b, int i) {
  return bench_range_at(b, (unsigned)i);
}

uint64_t heddle_dpi_range_bytes(void *b, int i) {
  return bench_range_bytes(b, (unsigned)i);
}

uint32_t heddle_dpi_image_word(void *b, uint64_t addr) {
  return bench_word(b, addr);
}

uint8_t heddle_dpi_image_byte(void *b, uint64_t addr) {
  return bench_byte(b, addr);
}

void heddle_dpi_put(void *b, uint64_t addr, uint32_t word) {
  bench_put(b, addr, word);
}

int heddle_dpi_memory(void *b, uint64_t cycle) {
  return bench_memory(b, cycle);
}

int heddle_dpi_step(void *b, uint64_t cycle) {
  return bench_step(b, cycle);
}

int heddle_dpi_ended(void *b) {
  return bench_ended(b);
}

int heddle_dpi_verdict(void *b) {
  return bench_verdict(b);
}

const char *heddle_dpi_report(void *b) {
  return bench_report(b);
}

/* A function for each kind: svBitVecVal holds 32 bits, lowest first. */
#define RETIRE_KIND(name, kind, words)                                                                                 \
  int heddle_dpi_##name(void *b, uint64_t cycle, int size, const svBitVecVal *record) {                                \
    return bench_record(b, kind, cycle, record, (size_t)(size < (words) ? size : (words)));                            \
  }
#include "retire_kinds.h"
