/* SPDX-License-Identifier: Apache-2.0
 * What was counted, as JSON. */
#include "tally.h"

#include <inttypes.h>
#include <string.h>

/* Registers of x86 by the names that stand among the operands. */
static unsigned register_bytes(const char *text) {
  return strstr(text, "%ymm") ? 32 : 16;
}

void simd_tally_packed(struct simd_listing *l) {
  for (size_t n = 0; n < l->insns; n++) {
    struct simd_insn *i = &l->insn[n];
    if (i->kind == SIMD_PACKED) i->lanes = i->width = i->executed * (register_bytes(i->text) / i->element);
  }
}

struct sums {
  uint64_t instructions, bytes, guarded, of[SIMD_CLASSES];
  uint64_t vectors, lanes, width, float_vectors, float_lanes, float_width;
};

static void add_insn(struct sums *s, const struct simd_insn *i) {
  s->instructions += i->executed;
  s->bytes += i->executed * i->bytes;
  s->of[i->what] += i->executed;
  if (i->guarded) s->guarded += i->executed;
  if (i->kind == SIMD_SCALAR) return;
  s->vectors += i->executed;
  s->lanes += i->lanes;
  s->width += i->width;
  if (i->what != SIMD_FLOAT) return;
  s->float_vectors += i->executed;
  s->float_lanes += i->lanes;
  s->float_width += i->width;
}

static json_t *three(uint64_t instructions, uint64_t lanes, uint64_t width) {
  return json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)instructions, "lanes", (json_int_t)lanes, "width",
                   (json_int_t)width);
}

json_t *simd_tally_json(const struct simd_listing *l) {
  struct sums s = {0};
  json_t *lines = json_array();
  for (size_t n = 0; n < l->insns; n++) {
    const struct simd_insn *i = &l->insn[n];
    add_insn(&s, i);
    char at[24];
    (void)snprintf(at, sizeof at, "0x%" PRIx64, i->at - l->start);
    (void)json_array_append_new(lines, json_pack("[s, i, s, s, I, I, I]", at, (int)i->bytes, i->text,
                                                 simd_class_names[i->what], (json_int_t)i->executed,
                                                 (json_int_t)i->lanes, (json_int_t)i->width));
  }
  json_t *executed = json_pack("{s:I, s:I, s:I}", "instructions", (json_int_t)s.instructions, "bytes",
                               (json_int_t)s.bytes, "guarded", (json_int_t)s.guarded);
  for (unsigned c = 0; c < SIMD_CLASSES; c++)
    (void)json_object_set_new(executed, simd_class_names[c], json_integer((json_int_t)s.of[c]));
  return json_pack("{s:s, s:{s:I, s:I}, s:o, s:o, s:o, s:o}", "function", l->function, "code", "bytes",
                   (json_int_t)l->bytes, "instructions", (json_int_t)l->insns, "executed", executed, "vector",
                   three(s.vectors, s.lanes, s.width), "float", three(s.float_vectors, s.float_lanes, s.float_width),
                   "listing", lines);
}
