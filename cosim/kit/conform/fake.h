/* SPDX-License-Identifier: Apache-2.0
 *
 * A stand-in for the RTL: runs a program on a reference model of its own and writes the records that a
 * correct implementation would show. Tests then spoil the stream.
 */
#ifndef HEDDLE_CONFORM_FAKE_H
#define HEDDLE_CONFORM_FAKE_H

#include <heddle/checker.h>
#include <heddle/program.h>

struct stream {
  struct heddle_retire_record *r;
  size_t n, cap;
};

struct fake_config {
  unsigned lanes, warp_slots, block_slots;
  uint64_t seed;
  unsigned deferred; /* accesses of a warp that are put off at once, as long as they can be; 0: up to 8, at random */
};

#define FAKE_PARTITIONS 2u /* warp slot s is one of partition s mod 2 */
#define FAKE_BANKS 2u      /* of registers, in each */
#define FAKE_REGS 512u

#define FAKE_BASE 0x10000u
#define FAKE_BYTES 0x10000u

/* A program and a launch of it: constant bank 0 filled, one region over all of the memory. */
struct fake_program {
  struct heddle_program *program;
  struct heddle_launch launch;
  uint8_t bank0[0x200];
};

void fake_assemble(struct fake_program *p, const char *text, unsigned blocks, unsigned threads);
/* Words of 128 bits alone: for programs with PCs as operands. */
void fake_assemble_long(struct fake_program *p, const char *text, unsigned blocks, unsigned threads);
void fake_program_free(struct fake_program *p);
void fake_fill(uint8_t *memory); /* the initial contents of memory */

/* Runs the whole grid. `image` (FAKE_BYTES, may be NULL) gets memory at the end. */
void fake_run(const struct fake_program *p, const struct fake_config *cfg, struct stream *s, uint8_t *image);

void stream_free(struct stream *s);
void stream_copy(struct stream *to, const struct stream *from);
void stream_insert(struct stream *s, size_t at, const struct heddle_retire_record *r);
void stream_drop(struct stream *s, size_t at);
void stream_move(struct stream *s, size_t from, size_t to); /* to: index after removal */

#endif
