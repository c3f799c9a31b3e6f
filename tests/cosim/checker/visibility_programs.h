/* SPDX-License-Identifier: Apache-2.0
 *
 * Programs of tests of caches: R2:R3 is the lane's word of the first line, LINE; what follows begins with seq HEAD.
 */
#ifndef TESTS_COSIM_VISIBILITY_PROGRAMS_H
#define TESTS_COSIM_VISIBILITY_PROGRAMS_H

#include "tests/cosim/cached.h"

#define LINE (FAKE_BASE / 128u)
#define FIRST (4u * LINE) /* its first sector */
#define HEAD 4u
#define PROGRAM(body)                                                                                                  \
  ".kernel k\n.param u64 in\n.param u64 out\n.shared buf 256\n.local 32\n"                                             \
  "        S2R R0, SR_LANEID ;\n"                                                                                      \
  "        MOV R2, c[0x0][in] ;\n"                                                                                     \
  "        MOV R3, c[0x0][in+4] ;\n"                                                                                   \
  "        IMAD.WIDE R2, R0, 0x4, R2 ;\n" body "        EXIT ;\n.end\n"
#define LOAD(reg, at) "        LDG.E R" reg ", [R2+" at "] ;\n"
#define STRONG(reg, at) "        LDG.E.STRONG.GPU R" reg ", [R2+" at "] ;\n"
#define STORE(at) "        STG.E [R2+" at "], R0 ;\n"
#define ADD(reg, at) "        ATOMG.E.ADD R" reg ", [R2+" at "], R0 ;\n"
#define FENCE "        MEMBAR.GPU ;\n"
#define FENCE_CTA "        MEMBAR.CTA ;\n"
#define BAR "        BAR.SYNC 0x0 ;\n"

static const struct heddle_checker_config plain = {.cache_sectors = 64};
static const struct heddle_checker_config promising = {.cache_sectors = 64,
                                                       .cache_promises = HEDDLE_CHECKER_CACHE_PROMISES};

/* All warps of a block are behind the head. */
static inline void begin(struct cached *x, const char *text, unsigned warps, const struct heddle_checker_config *cfg) {
  cached_begin(x, text, 1, 32 * warps, cfg);
  for (unsigned w = 0; w < warps; w++) (void)cached_issue_to(x, w, HEAD);
}

static inline void fill_line(struct cached *x, uint32_t number, uint64_t line) {
  for (unsigned s = 0; s < 4; s++) cached_fill(x, number, 4 * line + s, false);
}

/* A load misses, requests, and reads what comes. */
static inline void bring(struct cached *x, unsigned warp, uint32_t seq, uint64_t line, uint32_t number) {
  cached_merge(x, warp, seq, line, 15, number);
  fill_line(x, number, line);
  cached_hit(x, warp, seq, line, 15, number);
}

static inline void write_line(struct cached *x, unsigned warp, uint32_t seq, uint64_t line) {
  cached_drop(x, warp, seq, line, 15);
  cached_globals(x, warp, seq, line);
  cached_ack(x, warp, seq, line);
}

static inline void done(struct cached *x, enum heddle_checker_kind want, const char *words) {
  cached_expect(x, want, words);
  cached_free(x);
}

/* All has been shown that is owed: the warps end, and so does the grid. */
static inline void well(struct cached *x) {
  for (unsigned w = 0; w < x->warps; w++) (void)cached_issue(x, w);
  cached_expect(x, HEDDLE_CHECKER_NONE, NULL);
  cached_block_end(x, 0);
  cached_end(x);
  done(x, HEDDLE_CHECKER_NONE, NULL);
}

#endif
