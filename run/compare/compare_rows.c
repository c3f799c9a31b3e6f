/* SPDX-License-Identifier: Apache-2.0
 * The rows of the tables that have a column each encoding: of the terminal and of the page. */
#include <inttypes.h>

#include "run/compare/compare.h"

#define CELL(name, ...)                                                                                                \
  static void name(const struct compare_encoding *e, char *t, size_t n) {                                              \
    (void)snprintf(t, n, __VA_ARGS__);                                                                                 \
  }
CELL(built_cell, "%s", e->spec->sketch_at.line != 0 ? "sketch" : "can be")
CELL(words_cell, "%" PRIu64, e->total.words * 16)
CELL(fetched_cell, "%" PRIu64, e->total.runs * 16)
CELL(forced_cell, "%" PRIu64, e->total.extra)
CELL(forced_runs_cell, "%" PRIu64, e->total.extra_runs)
CELL(named_cell, "%u", e->bits.registers)
CELL(used_cell, "%u", compare_sums(e).registers)
CELL(spilling_cell, "%u", compare_sums(e).spilling)
CELL(spilled_cell, "%" PRIu64, compare_sums(e).spilled_values)
CELL(spill_accesses_cell, "%" PRIu64, compare_sums(e).spill_loads + compare_sums(e).spill_stores)
CELL(refused_cell, "%u", compare_sums(e).refused)
CELL(stalls_cell, "%" PRIu64, compare_sums(e).stall_cycles)
CELL(entropy_cell, "%.2f", compare_sums(e).entropy)
CELL(entropy_runs_cell, "%.2f", compare_sums(e).entropy_runs)
CELL(opcodes_cell, "%u", e->bits.opcodes_free)
CELL(reserved_cell, "%u-%u", e->bits.reserved_least, e->bits.reserved_most)
CELL(decoder_cell, "%u", e->synth.decoder_lut4)
CELL(decoder_levels_cell, "%u", e->synth.decoder_levels)
CELL(decoder_mhz_cell, "%.1f", e->synth.decoder_mhz)
CELL(fast_cell, "%u", e->synth.fast_lut4)
CELL(fast_levels_cell, "%u", e->synth.fast_levels)
CELL(fast_mhz_cell, "%.1f", e->synth.fast_mhz)
CELL(control_cell, "%u", e->synth.control_lut4)
CELL(scoreboard_cell, "%u", e->synth.scoreboard_lut4)

const struct compare_row compare_total_rows[] = {{"a build with it", built_cell},
                                                 {"code, bytes", words_cell},
                                                 {"fetched by the kernels, bytes", fetched_cell},
                                                 {"instructions forced into two", forced_cell},
                                                 {"... as executed", forced_runs_cell},
                                                 {"entropy of a word, bits", entropy_cell},
                                                 {"... as executed", entropy_runs_cell},
                                                 {"opcodes free", opcodes_cell},
                                                 {"bits reserved in an encoding", reserved_cell},
                                                 {"registers that can be named", named_cell},
                                                 {"most registers of a kernel", used_cell},
                                                 {"programs that spill", spilling_cell},
                                                 {"values spilled", spilled_cell},
                                                 {"loads and stores of spills", spill_accesses_cell},
                                                 {"stall cycles in the code", stalls_cell},
                                                 {"programs that do not compile", refused_cell},
                                                 {NULL, NULL}};

const struct compare_row compare_synth_rows[] = {{"decoder for 60 MHz, LUT4", decoder_cell},
                                                 {"... levels", decoder_levels_cell},
                                                 {"... MHz, estimated", decoder_mhz_cell},
                                                 {"decoder as fast as it goes, LUT4", fast_cell},
                                                 {"... levels", fast_levels_cell},
                                                 {"... MHz, estimated", fast_mhz_cell},
                                                 {"issue of tiny, control codes, LUT4", control_cell},
                                                 {"issue of tiny, scoreboard, LUT4", scoreboard_cell},
                                                 {NULL, NULL}};
