/* SPDX-License-Identifier: Apache-2.0
 * heddle isa report BASE A B ...: several encodings of the same instructions beside each other.
 *
 * Programs are compiled by this program's own compiler, with as many registers as the encoding names (max_regs),
 * into words of this program's own instruction set. The encoding is then measured over these words field by field
 * (isa/measure). The compiler's code does not depend on the places of fields. So a build with that encoding would
 * compile the same, but for instructions that do not fit, which are counted. */
#ifndef HEDDLE_COMPARE_H
#define HEDDLE_COMPARE_H

#include <jansson.h>

#include "isa/gen/report.h"
#include "isa/measure/compact.h"
#include "isa/measure/fields.h"
#include "isa/measure/icache.h"
#include "run/job/job.h"

struct kernel_info;

/* A launch on the model with warps in turns: each live warp issues one instruction, then the next one does, and
 * accesses take effect at once. The instructions of each warp slot are recorded, one warp of a slot after the other. */

#define TURNS_WARPS_MAX 64u
#define TURNS_MOST (UINT64_C(1) << 27) /* instructions of a launch */

struct turns_slot {
  uint32_t *insn; /* place of each instruction: pc / ISA_STEP */
  size_t n, room;
};

struct turns {
  unsigned warps;
  struct turns_slot slot[TURNS_WARPS_MAX];
  uint64_t issued;
};

/* `warps` slots, as many blocks as fit; `image` (job->mem_bytes bytes) receives memory as it was left. False: `why`. */
void turns_clear(struct turns *t);

enum {
  COMPARE_MOST = 16,      /* encodings */
  COMPARE_SIZES = 7,      /* of the instruction cache: 1, 2, 4 ... 64 KiB */
  COMPARE_NUMBERS = 1024, /* entries of measure_numbers */
  COMPARE_LAUNCHES = 64   /* of a kernel */
};

/* One PTX file of the tree. */
struct compare_program {
  char name[128]; /* "kernels/vecadd.ptx" */
  bool kernel;    /* one of firmware/kernels as clang -O2 left it: it is run */
  char why[256];  /* why it has no words; "": it has */
  size_t at;      /* of corpus.program */
  size_t words;
  uint64_t runs;                                                               /* warp instructions of one case */
  unsigned registers, spilled_values, spill_loads, spill_stores, stall_cycles; /* registers: of its largest kernel */
  struct turns launch[COMPARE_LAUNCHES];
  unsigned launches;
};

/* All of them, compiled for `max_regs` registers. */
struct compare_programs {
  unsigned max_regs;
  struct corpus corpus;
  struct compare_program *program;
  size_t programs;
};

/* Results of scripts/synth-encoding.sh. */
struct compare_synth {
  bool there;
  unsigned decoder_lut4, decoder_levels, fast_lut4, fast_levels, control_lut4, scoreboard_lut4;
  double decoder_mhz, fast_mhz;
};

/* Cost of a program under the encoding: words, and those that are there because something does not fit. */
struct compare_cost {
  uint64_t words, extra, runs, extra_runs;
  bool broken; /* a register does not fit: it cannot be said */
};

struct compare_encoding {
  char name[64]; /* the file's, without .isa */
  struct spec *spec;
  struct report bits;
  struct changes changes; /* against the first encoding */
  unsigned max_regs;
  const struct compare_programs *programs; /* borrowed: encodings of as many registers share them */
  struct compare_cost *cost;               /* of each program */
  struct compare_cost total;
  struct field_measure field[SPEC_FIELDS_MAX];
  struct number_measure number[COMPARE_NUMBERS];
  size_t numbers;
  struct compact compact;
  struct icache_counts cache[COMPACT_WAYS][COMPARE_SIZES]; /* all kernels together */
  struct compare_synth synth;
};

struct compare_request {
  const char *const *file; /* the first is the base */
  unsigned files;
  const char *tree;   /* source tree: PTX, scripts */
  const char *out;    /* folder for report.json and report.html; NULL: none */
  const char *cache;  /* folder for what is kept; NULL: isa-report beside the program */
  const char *config; /* warps, lanes, lines ahead of the instruction cache */
  unsigned jobs;
  bool synth;
};

struct comparison {
  struct compare_request q;
  struct spec *own; /* source of the words */
  unsigned warps, beats, ahead, latency;
  unsigned encodings;
  struct compare_encoding encoding[COMPARE_MOST];
  struct compare_programs programs[COMPARE_MOST];
  unsigned program_sets;
};

/* Compiles what the tree holds and runs its kernels; the set for `max_regs`, made once. NULL: a message on stderr. */
const struct compare_programs *compare_programs(struct comparison *c, unsigned max_regs);
void compare_programs_clear(struct compare_programs *p);

/* Runs the kernels among them, on the model. False: a message on stderr. */
bool compare_run_kernel(struct comparison *c, struct compare_program *p, const struct heddle_program *code,
                        const struct kernel_info *k);

/* Everything but synthesis, for one encoding with a loaded spec. */
bool compare_measure(struct comparison *c, struct compare_encoding *e);

/* Decoders and issue logic of all encodings by scripts/synth-encoding.sh. TOOL_OK, or TOOL_MISSING with a message. */
int compare_synthesis(struct comparison *c);

/* Runs a script with its standard output on standard error; argument[0] is its name. Its exit status, -1: none. */
int compare_start(const char *script, char **argument);

/* A row of a table with a column each encoding; a list ends with a NULL label. */
struct compare_row {
  const char *label;
  void (*cell)(const struct compare_encoding *e, char *text, size_t bytes);
};
extern const struct compare_row compare_total_rows[], compare_synth_rows[];

void compare_text(const struct comparison *c, FILE *to);
json_t *compare_json(const struct comparison *c);
void compare_html(const struct comparison *c, FILE *to);

/* Bytes of an instruction cache of the sweep. */
static inline uint32_t compare_cache_bytes(unsigned size) {
  return 1024u << size;
}

/* Sums over programs and fields that several tables show. */
struct compare_sums {
  unsigned registers, spilling; /* most of any program; programs that spill */
  uint64_t spilled_values, spill_loads, spill_stores, stall_cycles;
  double entropy, entropy_runs; /* bits a word: of each field its entropy times its share of words */
  unsigned refused;             /* programs that do not compile */
};
struct compare_sums compare_sums(const struct compare_encoding *e);

static inline double compare_percent(double part, double whole) {
  return whole > 0 ? 100 * part / whole : 0;
}

/* By what the second is more than the first, in percent; 0 where the first is 0. */
static inline double compare_more(double base, double now) {
  return base > 0 ? 100 * (now - base) / base : 0;
}

#endif
