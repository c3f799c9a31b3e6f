/* SPDX-License-Identifier: Apache-2.0
 *
 * Facts about memory accesses: their places, whether two may meet, alignment of addresses. For the passes that remove
 * accesses (forward.c) or make one of several (widen.c). Needs SSA form.
 *
 * Only the thread's own order counts here. Order with other threads is kept by never passing fences, barriers, strong
 * and volatile accesses, atomics, copies, calls. Local memory is the thread's own, and only stores and calls change it.
 */
#ifndef HEDDLE_PTX_ALIAS_H
#define HEDDLE_PTX_ALIAS_H

#include "compiler/graph/pass.h"

enum { ALIAS_ELEMENTS = 4 };

struct alias {
  struct ir_function *f;
  bool local_escapes; /* generic accesses may reach local memory */
  uint8_t *multiple;  /* by value id: the value is a multiple of 2 to the power of this; see alias_multiples */
  uint32_t values;    /* covered by `multiple` */
};

struct alias_place {
  unsigned spaces;        /* bits 1 << enum ptx_space of its possible spaces */
  struct ir_operand base; /* copies looked through; IR_NONE: the offset is the address */
  int64_t offset;
  uint32_t bytes;
};

struct alias alias_of(struct ir_function *f);

/* Range of a load or a store: all of it, or one element. */
struct alias_place alias_place(const struct alias *m, const struct ir_insn *i);
struct alias_place alias_element(const struct alias *m, const struct ir_insn *i, unsigned element);
bool alias_covers(const struct alias_place *outer, const struct alias_place *inner); /* false: not known to */

/* A load or a store without a guard that no other thread counts on: it may be left out, or become part of another. */
bool alias_is_plain(const struct ir_insn *i);
static inline unsigned alias_elements(const struct ir_insn *i) {
  return i->memory.vector > 1 ? i->memory.vector : 1;
}
static inline unsigned alias_element_bytes(const struct ir_insn *i) {
  return ptx_type_bytes((enum ptx_type)i->type);
}

/* May it change what a load of this place gives? */
bool alias_changes(const struct alias *m, const struct ir_insn *i, const struct alias_place *p);
/* May it, or another thread that it lets go on, see what is in this place? */
bool alias_sees(const struct alias *m, const struct ir_insn *i, const struct alias_place *p);

/* ---- alias.c ---- */
/* How often 2 divides each value (at least; 64: it is 0). */
uint8_t *alias_multiples(struct ir_function *f);

#endif
