/* SPDX-License-Identifier: Apache-2.0
 *
 * A static proof that control codes suffice. Along every path of a program, each access to a register or predicate
 * comes late enough for the pending result there, or waits for it (rules: isa/doc/01-words-and-control.md).
 *
 * Time is the smallest that the codes allow: an instruction issues its predecessor's stall count behind it, waits take
 * no time. Where paths meet, each result is as late as on the worst of them. BRA, JMP and CALL.REL are followed; at
 * BRX, CALL.ABS and RET all results must be there. Latencies are those in a kernel's note.
 *
 * All of this follows a thread. Other threads of its warp may run in between, which only takes time. Only uniform
 * registers are the warp's: values that one divided path passes to another through them are not checked. */
#ifndef HEDDLE_LINT_H
#define HEDDLE_LINT_H

#include <heddle/api.h>
#include <heddle/program.h>

#ifdef __cplusplus
extern "C" {
#endif

enum heddle_lint_kind {
  HEDDLE_LINT_READ,        /* a result is read before it is there */
  HEDDLE_LINT_WRITE,       /* a register is written while an older result is on its way to it */
  HEDDLE_LINT_LEAVE,       /* a result is on its way where an indirect branch leads */
  HEDDLE_LINT_DEPBAR,      /* DEPBAR with k > 0 on a counter with results in any order */
  HEDDLE_LINT_UNSCHEDULED, /* the kernel's note assumes no latencies: it runs in scoreboard mode only */
  HEDDLE_LINT_UNDEFINED,   /* a register or predicate is used that no way to here has written; only with
                              options->undefined */
};
/* No write-after-read: operands have been read when the warp issues its next instruction. No full counters: the warp
 * waits until there is room. */

#define HEDDLE_LINT_NOWHERE UINT32_MAX

struct heddle_lint_finding {
  enum heddle_lint_kind kind;
  const struct heddle_kernel *kernel; /* kernel or function of `pc`; NULL: before the first one */
  uint32_t pc;                        /* the instruction that comes too early */
  uint32_t producer;                  /* pc of the one with the missing result, or HEDDLE_LINT_NOWHERE */
  uint32_t before;  /* pc of the instruction ahead of `pc` that may take a longer stall, or HEDDLE_LINT_NOWHERE */
  char place[8];    /* "R4", "P0", "UR3"; "SB2" of HEDDLE_LINT_DEPBAR */
  uint8_t missing;  /* cycles; 0: no stall count helps */
  uint8_t counter;  /* what to wait for; 7: no counter is raised for this result */
  char advice[120]; /* what to do */
};

struct heddle_lint_options {
  size_t size;          /* sizeof(struct heddle_lint_options) */
  const uint8_t *stall; /* by enum heddle_stall, instead of what the kernels' notes assume; NULL: the notes */
  bool undefined;       /* also look for what is used and was never written */
  void (*finding)(void *ctx, const struct heddle_lint_finding *f); /* in order of pc, each once; may be NULL */
  void *ctx;
};

struct heddle_lint_totals {
  size_t size;                    /* sizeof(struct heddle_lint_totals) */
  uint32_t kernels, instructions; /* kernels; instructions that can be reached (or are in no kernel) */
  uint32_t results;               /* those among them with results that were followed */
  uint32_t findings;
};

enum heddle_lint_verdict {
  HEDDLE_LINT_PROVEN,
  HEDDLE_LINT_FOUND,
  HEDDLE_LINT_TOO_LARGE,
  HEDDLE_LINT_NO_MEMORY,
  HEDDLE_LINT_BAD_OPTIONS
};

/* TOO_LARGE: stopped after a fixed amount of work: nothing is proven. BAD_OPTIONS: of another release. `o`, `t` may
 * be NULL. */
HEDDLE_API enum heddle_lint_verdict heddle_lint(const struct heddle_program *p, const struct heddle_lint_options *o,
                                                struct heddle_lint_totals *t);

/* One part of a control code, made weaker: a stall count by one cycle or down to 1, one wait, a counter not raised. */
enum heddle_lint_part {
  HEDDLE_LINT_STALL,
  HEDDLE_LINT_STALL_LEAST,
  HEDDLE_LINT_WAIT,
  HEDDLE_LINT_WBAR,
  HEDDLE_LINT_RBAR
};
struct heddle_lint_weaker {
  uint32_t pc;
  enum heddle_lint_part part;
  uint8_t counter; /* HEDDLE_LINT_WAIT: which */
};

/* Of a program that is proven: does the proof hold without it too? Then `reason` says why nothing depends on it.
 * False: it is needed, or there is no such part (a stall of 1, a counter not waited for), no memory, bad options. Takes
 * as long as a proof. */
HEDDLE_API bool heddle_lint_spare(const struct heddle_program *p, const struct heddle_lint_options *o,
                                  struct heddle_lint_weaker w, char *reason, size_t size);

#ifdef __cplusplus
}
#endif

#endif
