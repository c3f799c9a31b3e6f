/* SPDX-License-Identifier: Apache-2.0
 *
 * Words for what went wrong. The library never prints.
 */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#include "state.h"

const char *heddle_cause_name(enum heddle_cause c) {
  static const char *const names[] = {"none",         "illegal_instruction", "bad_pc",      "misaligned",
                                      "out_of_range", "write_protected",     "const_range", "divergence_misuse",
                                      "deadlock",     "barrier_misuse",      "bus_error"};
  return (unsigned)c < sizeof names / sizeof names[0] ? names[c] : "unknown";
}

enum heddle_status model_fail(struct heddle_model *m, enum heddle_status s, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(m->diag, sizeof m->diag, fmt, ap);
  va_end(ap);
  return s;
}

const char *warp_where(const struct heddle_model *m, const struct warp *w, char *text, size_t room) {
  const uint32_t *id = w->block->ctaid, i = op_index(w->pc);
  const char *name = "?";
  if (i < m->ops) name = m->op[i].kind == DOP_ILLEGAL ? "illegal" : isa_op_name((enum isa_op)m->dec[i].op);
  snprintf(text, room,
           "block (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ") warp %" PRIu32 " seq %" PRIu32 " pc 0x%08" PRIx32 " %s", id[0],
           id[1], id[2], w->index, w->seq, w->pc, name);
  return text;
}

const char *heddle_model_diag(const struct heddle_model *m) {
  return m->diag;
}
const struct heddle_trap *heddle_model_trap(const struct heddle_model *m) {
  return &m->trap;
}
