/* SPDX-License-Identifier: Apache-2.0
 *
 * A litmus test: a few threads of straight code over a few words of memory, and where the threads are. The instructions
 * are those of PTX; what Heddle executes for them is candidate.c's.
 */
#ifndef LITMUS_TEST_H
#define LITMUS_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#define TEST_THREADS 6u
#define TEST_INSNS 12u /* of a thread */
#define TEST_ACCESSES 20u
#define TEST_LOCS 6u
#define TEST_REGS 12u /* of a thread */
#define TEST_NAME 64u
#define TEST_WORD 16u

/* TEST_LAUNCH: what follows it is the thread's in the next launch of a queue; of each thread one at most. */
enum test_kind { TEST_LOAD, TEST_STORE, TEST_ATOM, TEST_FENCE, TEST_BAR, TEST_LAUNCH };
enum test_sem { SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC };
enum test_scope { SCOPE_CTA, SCOPE_GPU, SCOPE_SYS };
enum test_atom { ATOM_EXCH, ATOM_ADD, ATOM_CAS };

#define NO_REG (-1)
struct test_insn {
  uint8_t kind, sem, scope, atom;
  uint8_t loc;
  int8_t reg;              /* takes what was read; NO_REG: none does */
  int8_t from;             /* what is written is this register's; NO_REG: value */
  int8_t hangs;            /* value is made with this register, though it does not change it; NO_REG: it is not */
  uint32_t value, compare; /* compare: of ATOM_CAS */
  uint8_t barrier;
  bool arrives; /* TEST_BAR: and does not wait */
};

struct test_thread {
  uint8_t cta, warp; /* threads of one CTA and one warp are lanes of it */
  uint8_t insns, regs;
  struct test_insn insn[TEST_INSNS];
  char reg_name[TEST_REGS][TEST_WORD];
};

struct test {
  char name[TEST_NAME];
  uint8_t threads, locs;
  struct test_thread thread[TEST_THREADS];
  char loc_name[TEST_LOCS][TEST_WORD];
  bool shared[TEST_LOCS]; /* in the shared memory of the block: then there is one */
  uint32_t first[TEST_LOCS];
};

static inline bool test_accesses(const struct test_insn *i) {
  return i->kind <= TEST_ATOM;
}

/* read.c: how many of its instructions are in the first launch; all of them if it has no TEST_LAUNCH. */
unsigned test_first_launch(const struct test_thread *t);
bool test_has(const struct test *t, enum test_kind kind);

/* As a text in the form of Dat3M's litmus files (with warp, shared and `hangs` added), without its
 * condition. */
void test_print(const struct test *t, FILE *to);
/* An instruction's text. */
void test_insn_text(const struct test *t, unsigned thread, const struct test_insn *i, char *buf, size_t bytes);

/* CTAs get numbers from 0 in the order of their first threads. */
void test_number_ctas(struct test *t);

/* The compiler's mapping of PTX's orders (isa/doc/15-memory-model.md): MEMBARs before and behind an access; a fence is
 * one MEMBAR. A release at block scope is MEMBAR.CTA. An acquire at block scope is MEMBAR.GPU: it must empty the
 * cache, as what it acquires from may itself have acquired from another block. */

/* Words that acquire. A set of them, 1 << word, is made narrow to see what that breaks: MEMBAR.CTA at block scope. */
enum mapping_word {
  MAPPING_LD_ACQUIRE,
  MAPPING_ATOM_ACQUIRE,
  MAPPING_ATOM_ACQ_REL,
  MAPPING_FENCE_ACQ_REL,
  MAPPING_FENCE_SC,
  MAPPING_WORDS
};
/* "ld.acquire", ...; MAPPING_WORDS: none of them. */
enum mapping_word mapping_word(const char *name);

#define MAPPING_NONE 0xffu /* no MEMBAR */
/* The scope of the MEMBAR before an access. */
uint8_t mapping_before(const struct test_insn *i);
/* The MEMBAR behind an access, or the one that a fence becomes. */
uint8_t mapping_behind(const struct test_insn *i, unsigned narrow);

/* A test as a kernel that runs many instances of it at once: in the assembly of Heddle, or in PTX. A lane is an
 * instance; a thread of the test is a warp (of threads of one warp: a lane). Registers go to `out` at the end, memory
 * is left; the launching program counts the outcomes.
 *
 * Parameters of the kernel in PTX: mem, out (addresses), stride, step (bytes), zero (which is 0), skew and warm. Byte k
 * of skew is how long thread k waits at first; warm, if not 0: it reads every location first. Location k of instance i
 * is at mem + k * step + i * stride. For instance i `out` has the registers of all threads, 4 bytes each.
 *
 * The kernel in assembly goes round, with other instances each time. Its parameters: mem, out, sync, place, then of 4
 * bytes stride, step, zero, skew, warm, chance, times, together, ahead, forth. It goes round `times` times; each time
 * the data are `ahead` bytes on, and in `out` `forth` bytes. By chance (a number of the launch) a thread reads
 * location l first, if bit l of warm is set, and waits up to `skew` rounds of a loop (127 or less). `together` is the
 * number of threads of a group that wait for each other each round. They wait at the word of the group in `sync`
 * (128 bytes each, of zeros): all of a group must be resident then. 0: they do not. place[128 * group + 16 * block +
 * warp] (of lanes: + thread) is the number of the SM, plus 1 where the test has launches.
 *
 * With two names of memory either kernel has one parameter more, of 4 bytes, `alias`. The second name of a location is
 * so many pages of 4 KiB behind its first; threads of odd number use it. In assembly another one follows, `change`:
 * 0, or as alias; then each second access of any thread is by the other name.
 *
 * A test with launches is the same kernel twice: a thread's word in `place` is 0 in the first one. Register values
 * then go through `out`. */

#define EMIT_KERNEL "litmus"

struct emit_shape {
  uint32_t grid[3], block[3];
  unsigned per_group; /* instances of a group of blocks */
  unsigned registers; /* of all threads */
};

/* NULL, or why this test has no kernel. groups: how many groups of blocks. */
const char *emit_shape(const struct test *t, unsigned groups, struct emit_shape *s);
void emit_assembly(const struct test *t, FILE *to);
void emit_ptx(const struct test *t, FILE *to);
/* narrow: litmus_test.h. names: memory has two. */
void emit_assembly_as(const struct test *t, unsigned narrow, bool names, FILE *to);
void emit_ptx_as(const struct test *t, bool names, FILE *to);

/* emit_ptx.c, for the other two: threads of one warp are distinguished by their lane. */
bool emit_by_lane(const struct test *t);
bool emit_shared(const struct test *t); /* some location is in shared memory */
/* How many warps come to a barrier of the block of thread k. */
unsigned emit_comers(const struct test *t, unsigned thread, unsigned barrier);
unsigned emit_first_register(const struct test *t, unsigned thread);

#endif
