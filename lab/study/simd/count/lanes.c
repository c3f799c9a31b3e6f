/* SPDX-License-Identifier: Apache-2.0
 * How many elements vector instructions work on. The fields of vtype and the meaning of vl, masks and whole registers:
 * The RISC-V Instruction Set Manual, Volume I, chapter "V" Standard Extension, Version 1.0. */
#include "lanes.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { REGISTER_RA = 1, REGISTER_PC = 32 };
#define STEPS_MAX 100000000u

unsigned simd_vlmax(uint64_t vtype, unsigned vlenb) {
  const unsigned lmul = vtype & 7, sew = 1u << (vtype >> 3 & 7); /* bytes of an element */
  if (vtype >> 63 != 0 || sew > 8 || lmul == 4) return 0;
  return lmul < 4 ? (vlenb << lmul) / sew : (vlenb >> (8 - lmul)) / sew;
}

unsigned simd_whole(const char *mnemonic, uint64_t vtype, unsigned vlenb) {
  const char *digit = mnemonic + strcspn(mnemonic, "0123456789");
  if (*digit == '\0') return 0;
  const unsigned registers = (unsigned)(*digit - '0');
  const char *width = strstr(digit, "re"); /* vl2re64.v: elements of 64 bits */
  const unsigned element = width ? (unsigned)strtoul(width + 2, NULL, 10) / 8 : 1u << (vtype >> 3 & 7);
  return element == 0 ? 0 : registers * vlenb / element;
}

unsigned simd_selected(const uint8_t *mask, size_t bytes, uint64_t vl) {
  unsigned n = 0;
  for (uint64_t i = 0; i < vl && i / 8 < bytes; i++) n += mask[i / 8] >> (i % 8) & 1;
  return n;
}

struct stepper {
  struct simd_remote *r;
  unsigned vl, vtype, v0; /* numbers of registers */
  unsigned vlenb;         /* bytes of a vector register */
};

static bool refuse_insn(struct stepper *s, const char *what, const char *why) {
  (void)snprintf(s->r->error, sizeof s->r->error, "%.40s: %s", what, why);
  return false;
}

static bool open_stepper(struct stepper *s) {
  static const char file[] = "riscv-vector.xml";
  unsigned number;
  uint64_t vlenb;
  if (!simd_remote_number(s->r, file, "vl", &s->vl) || !simd_remote_number(s->r, file, "vtype", &s->vtype) ||
      !simd_remote_number(s->r, file, "v0", &s->v0) || !simd_remote_number(s->r, file, "vlenb", &number) ||
      !simd_remote_word(s->r, number, &vlenb))
    return false;
  if (vlenb == 0 || vlenb > SIMD_REGISTER_MAX) return refuse_insn(s, "vlenb", "no vector register is of this length");
  s->vlenb = (unsigned)vlenb;
  return true;
}

/* Before `i` is executed. */
static bool count_lanes(struct stepper *s, struct simd_insn *i) {
  uint64_t vl, vtype;
  uint8_t mask[SIMD_REGISTER_MAX];
  size_t bytes;
  if (!simd_remote_word(s->r, s->vl, &vl) || !simd_remote_word(s->r, s->vtype, &vtype)) return false;
  const bool whole = i->kind == SIMD_WHOLE;
  const unsigned width = whole ? simd_whole(i->mnemonic, vtype, s->vlenb) : simd_vlmax(vtype, s->vlenb);
  if (width == 0 || (!whole && vl > width)) return refuse_insn(s, i->text, "vl, vtype and vlenb contradict each other");
  if (i->guarded && !simd_remote_register(s->r, s->v0, mask, &bytes)) return false;
  i->width += width;
  i->lanes += whole ? width : i->guarded ? simd_selected(mask, bytes, vl) : vl;
  return true;
}

bool simd_lanes(struct simd_listing *l, struct simd_remote *r) {
  struct stepper s = {.r = r};
  uint64_t pc = l->start, back;
  if (!simd_remote_run_to(r, l->start) || !open_stepper(&s) || !simd_remote_word(r, REGISTER_RA, &back)) return false;
  for (unsigned n = 0; n < STEPS_MAX; n++) {
    struct simd_insn *i = simd_listing_at(l, pc);
    if (!i) {
      if (pc == back) return true;
      (void)snprintf(r->error, sizeof r->error, "%s leaves its code to 0x%" PRIx64 ": it calls somebody", l->function,
                     pc);
      return false;
    }
    if ((i->kind == SIMD_VECTOR || i->kind == SIMD_WHOLE) && !count_lanes(&s, i)) return false;
    i->executed++;
    if (!simd_remote_step(r) || !simd_remote_word(r, REGISTER_PC, &pc)) return false;
  }
  (void)snprintf(r->error, sizeof r->error, "%s: more than %u steps", l->function, STEPS_MAX);
  return false;
}
