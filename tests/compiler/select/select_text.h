/* SPDX-License-Identifier: Apache-2.0
 *
 * Kernels written as PTX text, in which each thread has a record of 128 bytes of global memory and a place of 64 bytes
 * in a space of memory. */
#ifndef SELECT_TEXT_H
#define SELECT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#define BASE UINT64_C(0x7f00000000)
enum { THREADS = 64, RECORD = 128 };

/* Up to here: %r0 is the thread, %d0 its record. */
#define HEAD                                                                                                           \
  ".version 8.0\n.target sm_90\n.address_size 64\n"                                                                    \
  ".const .align 16 .b8 table[64] = {1,2,3,4,5,6,7,8,129,130,131,132,133,134,135,136,17,18,19,20,21,22,23,24,"         \
  "225,226,227,228,229,230,231,232};\n"                                                                                \
  ".visible .entry k(.param .u64 base, .param .align 16 .b8 block[64]) {\n"                                            \
  ".reg .b16 %h<8>; .reg .b32 %r<16>; .reg .b64 %d<16>; .reg .pred %p<4>;\n"                                           \
  ".shared .align 16 .b8 there[4096]; .local .align 16 .b8 mine[64];\n"                                                \
  "mov.u32 %r0, %tid.x; ld.param.u64 %d0, [base]; mad.wide.u32 %d0, %r0, 128, %d0;\n"

/* The 64 bytes of a thread's place, at %d1 after `setup`. The first four: atomics work there. */
struct space {
  const char *word, *setup;
};
enum { SPACES = 9 };
extern const struct space text_spaces[SPACES];

struct text {
  char s[8000];
};
void say(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

uint64_t get_le(const uint8_t *from, unsigned bytes);
uint8_t some_byte(unsigned k); /* to fill memory with */
/* Compiles and runs. 64 bytes follow 16 bytes behind the start of the parameters, byte k is text_param(k). */
void text_run(const struct text *t, unsigned level, uint8_t memory[THREADS * RECORD]);
/* For the whole machine, with asynchronous copies as late as they may be. How many there were. */
unsigned text_run_late(const struct text *t, unsigned level, uint8_t memory[THREADS * RECORD]);
uint8_t text_param(unsigned k);

#endif
