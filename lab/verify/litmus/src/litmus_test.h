/* SPDX-License-Identifier: Apache-2.0
 *
 * A litmus test: a few threads of straight code over a few words of memory, and where the threads are. The instructions
 * are those of PTX; what Heddle executes for them is view.c's.
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

/* TEST_LAUNCH: what stands behind it is the thread's in the next launch of a queue; of each thread one at most. */
enum test_kind { TEST_LOAD, TEST_STORE, TEST_ATOM, TEST_FENCE, TEST_BAR, TEST_LAUNCH };
enum test_sem { SEM_WEAK, SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC };
enum test_scope { SCOPE_CTA, SCOPE_GPU, SCOPE_SYS };
enum test_atom { ATOM_EXCH, ATOM_ADD, ATOM_CAS };

#define NO_REG (-1)
struct test_insn {
  uint8_t kind, sem, scope, atom;
  uint8_t loc;
  int8_t reg;              /* takes what was read; NO_REG: nobody does */
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

/* test_text.c: how many of its instructions are in the first launch; all of them if it has no TEST_LAUNCH. */
unsigned test_first_launch(const struct test_thread *t);
bool test_has(const struct test *t, enum test_kind kind);

/* As a text in the form of Dat3M's litmus files (with warp, shared and `hangs` added), without its
 * condition. */
void test_print(const struct test *t, FILE *to);
/* An instruction as it stands there. */
void test_insn_text(const struct test *t, unsigned thread, const struct test_insn *i, char *buf, size_t bytes);

/* CTAs get numbers from 0 in the order of their first threads. */
void test_number_ctas(struct test *t);

#endif
