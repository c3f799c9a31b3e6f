/* SPDX-License-Identifier: Apache-2.0
 *
 * Unified memory for tests: a context on the model, or on a board by name, that has pages. Each call fails the running
 * test when it does not succeed, but for those that return an error. */
#ifndef HEDDLE_TEST_UNIFIED_BENCH_H
#define HEDDLE_TEST_UNIFIED_BENCH_H

#include <heddle/sim.h>
#include "tests/firmware/driver_fixture.h"

enum { PAGE = 4096, FEW = 64 * PAGE /* of frames: as few as there may be */, ROOM = 4 << 20 };

struct bench {
  struct fixture f; /* on a board without `model` */
  struct heddle_sim *sim;
  uint64_t free; /* before anything is unified */
};

struct wild {
  const char *name;
  uint64_t at;
  const char *cause;
};

void run_on_board(const char *name);                         /* all benches from now on; NULL: on the model */
struct bench *new_bench(const char *config, uint64_t bytes); /* without a driver */
/* The driver over the bench's own port, or over one in front of it. */
void open_driver(struct bench *b, const struct heddle_port *port, uint64_t frames,
                 const struct heddle_unified *unified);
struct bench *open_bench(const char *config, uint64_t bytes, uint64_t frames, const struct heddle_unified *unified);
void close_bench(struct bench *b);

uint32_t *unified(const struct bench *b, uint64_t bytes);
struct heddle_unified_info counts(const struct bench *b);
/* A kernel of driver_program.h with two parameters, in blocks of 64 threads. */
enum heddle_error start(const struct bench *b, const char *name, uint32_t blocks, void *first, void *second);
void fill(const struct bench *b, const uint32_t *out, uint32_t words, uint32_t value); /* out[i] = value + i */
enum heddle_error settle(const struct bench *b);

void must_work(const struct bench *b, enum heddle_error e);
void must_hold(const uint32_t *got, uint32_t words, uint32_t value);
void must_trap(const struct bench *b, enum heddle_error e, const struct wild *w);

#endif
