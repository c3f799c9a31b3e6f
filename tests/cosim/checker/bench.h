/* SPDX-License-Identifier: Apache-2.0
 *
 * A checker on its bench: a program, its stream, and a checker that is fed as much of it as a test likes.
 */
#ifndef TESTS_COSIM_BENCH_H
#define TESTS_COSIM_BENCH_H

#include "cosim/kit/conform/fake.h"

void checker_switch_off(struct heddle_checker *c, enum heddle_checker_kind k);

/* A checker over a stream that is judged from its beginning up to, not including, a place. */
struct bench {
  struct fake_program p;
  struct fake_config f;
  struct stream s;
  struct heddle_model *m;
  struct heddle_checker *c;
  uint64_t last; /* the cycle of the latest record */
};

/* Text of programs: P0 is true in lanes 21 and above. */
#define LANES_FROM_21 "        S2R R0, SR_LANEID ;\n        ISETP.GT.U32.AND P0, PT, R0, 0x14, PT ;\n"
extern const char bench_fence[]; /* a program: a store, a fence of the GPU */

void bench_assemble(struct bench *b, const char *text, unsigned blocks, unsigned threads, unsigned deferred);
void bench_run(struct bench *b); /* the stream of the launch as it is now */
/* Both, of one block. */
void bench_make(struct bench *b, const char *text, unsigned threads, unsigned deferred);
/* A new checker, with these settings (their size and those of the machine are the bench's) and one comparison switched
 * off (or HEDDLE_CHECKER_NONE). */
void bench_renew(struct bench *b, struct heddle_checker_config cfg, enum heddle_checker_kind off);
bool bench_feed(struct bench *b, size_t end);
/* All of the stream, its end, and memory after it unless NULL; of a checker that bench_renew made. */
bool bench_whole(struct bench *b, const uint8_t *memory);
/* All of the stream, by a new checker: it finds a difference of this kind, or none. */
void bench_judge(struct bench *b, const struct heddle_checker_config *cfg, enum heddle_checker_kind want);
/* Index of the n-th record of this kind, from 0 on, of the first instruction with this name. */
size_t bench_nth(const struct bench *b, enum heddle_isa_op op, uint32_t kind, unsigned n);
void bench_finish(struct bench *b);
void bench_let_go(struct bench *b); /* of the checker and its model alone: program and stream are the caller's */

void expect_kind(const struct bench *b, enum heddle_checker_kind want);
void expect_words(const struct bench *b, const char *const *words);    /* the report for people says all of this */
void expect_no_words(const struct bench *b, const char *const *words); /* ... and nothing of this */

#endif
