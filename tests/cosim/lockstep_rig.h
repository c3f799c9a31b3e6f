/* SPDX-License-Identifier: Apache-2.0
 *
 * A session over the machine under test, for the tests of lockstep: one program, one launch, everything judged.
 */
#ifndef LOCKSTEP_RIG_H
#define LOCKSTEP_RIG_H

#include <heddle/session.h>

extern const char *rig_backend, *rig_machine; /* "verilator", "tiny": the arguments of main */
extern const char rig_vecadd[];               /* a program: out = in + in at 0x1000 */

void rig_disassemble(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t n);
/* Scoreboard mode, memory that is late and out of order, 3,000,000 cycles at most. */
struct heddle_session_config rig_base(enum heddle_session_mode mode, uint64_t seed);
/* 12 blocks of 64 threads; memory, where wanted, has FAKE_BYTES. The report is held to the result. */
enum heddle_session_outcome rig_run(const struct heddle_session_config *c, const char *text,
                                    struct heddle_session_result *r, uint8_t *memory);
enum heddle_session_outcome rig_run_grid(const struct heddle_session_config *c, const char *text, unsigned blocks,
                                         unsigned threads, struct heddle_session_result *r,
                                         uint8_t *memory); /* the same of another grid */
bool rig_writes_back(void); /* a store that memory refuses is then reported after the grid, and traps no warp */
void rig_expect(enum heddle_session_outcome want, enum heddle_session_outcome got,
                const struct heddle_session_result *r);

/* lockstep_found.c: 0 when all pass */
int lockstep_found(void);
/* lockstep_async.c: the same; nothing on a machine without asynchronous copies */
int lockstep_async(void);

#endif
