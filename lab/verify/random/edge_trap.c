/* SPDX-License-Identifier: Apache-2.0
 * Accesses and jumps that just do not fit, for programs that are meant to trap: one beyond an edge, across it, one
 * below; a bit of the address more; generic addresses that name no space, atomics on local memory; constant banks that
 * are not there. */
#include <stdio.h>

#include "lab/verify/random/streams.h"
#include "lab/verify/random/window.h"

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS };

static void access_at(struct random_program *p, const struct window *w, const struct window_access *a, uint32_t off,
                      uint32_t over) {
  const unsigned threads = random_threads(p), lane = random_below(p, threads < 32 ? threads : 32);
  int less;
  window_address(p, w, a, off, over, random_chance(p, 60) ? WHO_SOME : WHO_ALL, lane, &less);
  window_emit(p, a, less);
}

/* A bit that is turned in the upper word of a good address, so that it is none: one that a global one lacks; of a
 * generic one in front of its low word, between that and the space, or of the space, which then is neither 1 nor 2. */
static uint32_t spoiled(struct random_program *p, bool generic) {
  static const uint8_t from[] = {0, 8, 16, 16, 26}; /* eights of bits; 24 and 25 are the spaces there are */
  const unsigned k = from[random_below(p, sizeof from)], bit = random_below(p, 8);
  if (!generic && random_chance(p, 10)) return 1u << (24 + bit % 2);
  return 1u << (k + (k == 26 ? bit % 6 : bit));
}

/* Local memory has none, wherever they go. */
static void local_atomic(struct random_program *p) {
  const struct window w = {.space = SPACE_LOCAL, .bytes = random_local(p), .writable = true};
  const unsigned bytes = random_chance(p, 50) ? 4 : 8, beside = random_below(p, 4);
  const struct window_access a = {.text = "ATOM.E", .bytes = bytes, .kind = ACCESS_ATOM, .generic = true};
  const uint32_t inside = window_inside(p, &w, bytes);
  access_at(p, &w, &a, beside == 0 ? w.bytes : beside == 1 ? 0u - bytes : inside, beside == 2 ? 0x100 : 0);
}

void edge_out_of_range(struct random_program *p) {
  const struct window w = window_draw(p, (enum space)random_below(p, 3));
  struct window_access a = window_access_draw(p, &w, true);
  const uint32_t end = w.at + w.bytes, over = spoiled(p, a.generic);
  if (random_chance(p, 20)) {
    local_atomic(p);
    return;
  }
  switch (random_below(p, a.generic ? 7 : w.space == SPACE_GLOBAL ? 4 : 3)) {
  case 0: /* below; of shared and local memory that is the top of 32 bits */
    access_at(p, &w, &a, 0u - a.bytes, 0);
    break;
  case 1:
    access_at(p, &w, &a, (end + a.bytes - 1) / a.bytes * a.bytes + a.bytes * random_below(p, 3), 0);
    break;
  case 2: /* across the end, or right behind it */
    access_at(p, &w, &a, end / a.bytes * a.bytes, 0);
    break;
  default:
    access_at(p, &w, &a, a.bytes <= w.bytes ? window_inside(p, &w, a.bytes) : w.at, over);
    break;
  }
}

/* Of a region that may only be read: the first and the last bytes, by each kind of access that writes. */
void edge_write_protected(struct random_program *p) {
  struct window w;
  struct window_access a;
  do w = window_draw(p, SPACE_GLOBAL);
  while (w.writable);
  do a = window_access_draw(p, &w, true);
  while (a.kind == ACCESS_LOAD || a.bytes > w.bytes);
  access_at(p, &w, &a, window_inside(p, &w, a.bytes), 0);
}

/* In a bank that is there: misaligned is judged first. */
static void misaligned_constant(struct random_program *p) {
  static const char *const size[] = {".S16", "", ".64", ".128"};
  const unsigned k = random_below(p, 4), words = k < 2 ? 1 : 1u << (k - 1), d = random_below(p, REG_DATA_COUNT / words);
  const unsigned by = 1 + random_below(p, (2u << k) - 1), lane = random_below(p, random_threads(p) % 32 + 1) % 32;
  E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\nMOV R%u, RZ ;\n@P6 MOV R%u, 0x%x ;\n", REG_LANE, lane, AT, AT, by);
  E("LDC%s R%u, c[0x3][R%u+0x%x] ;\n", size[k], REG_DATA + words * d, AT, 16 * random_below(p, 15));
}

void edge_misaligned(struct random_program *p) {
  if (random_chance(p, 15)) {
    misaligned_constant(p);
    return;
  }
  const struct window w = window_draw(p, (enum space)random_below(p, 3));
  struct window_access a;
  do a = window_access_draw(p, &w, true);
  while (a.bytes == 1);
  const uint32_t end = w.at + w.bytes, by = 1 + random_below(p, a.bytes - 1), back = random_below(p, 3);
  access_at(p, &w, &a, (end / a.bytes - back) * a.bytes + by, 0);
}

void edge_const_range(struct random_program *p) {
  static const char *const size[] = {".U8", ".S16", "", ".64", ".128"};
  const unsigned k = random_below(p, 5), words = k < 2 ? 1 : 1u << (k - 2), d = random_below(p, REG_DATA_COUNT / words);
  const unsigned banks = (unsigned)heddle_isa_field_most(ISA_F_CBANK) + 1; /* four are there */
  const bool absent = random_chance(p, 60) && banks > 4, load = random_chance(p, 50);
  const unsigned any = random_below(p, 28), bit = random_below(p, 3), rest = random_below(p, 4);
  const unsigned far = absent && random_chance(p, 75) ? (4u << bit) + rest - 4 : any;
  const unsigned bank = absent ? 4 + far % (banks - 4) : any % 4;
  const unsigned bytes = absent ? 64 : bank_bytes(p, bank), by = load ? 1u << k : 4;
  const unsigned behind = by * random_below(p, 2),
                 off = absent ? by * random_below(p, 16 / by) : bytes / by * by + behind;
  const unsigned rd = REG_DATA + words * d;
  if (!load) {
    E("%sIADD3 R%u, R%u, c[0x%x][0x%x], RZ ;\n", random_chance(p, 20) ? "@!PT " : "", rd, REG_LANE, bank, off);
    return;
  }
  const unsigned lane = random_below(p, random_threads(p) < 32 ? random_threads(p) : 32);
  E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\nMOV R%u, RZ ;\n", REG_LANE, lane, AT);
  E("@P6 MOV R%u, 0x%x ;\n", AT, absent ? 0 : off);
  E("LDC%s R%u, c[0x%x][R%u+0x%x] ;\n", size[k], rd, bank, AT, absent ? off : 0);
}

/* Right behind the code's last word, or a little further; a few bytes into it. All lanes, or some. */
void edge_bad_pc(struct random_program *p) {
  static const char *const jump[] = {"BRX", "CALL.ABS", "RET"}, *const direct[] = {"JMP", "BRA", "CALL.REL"};
  static const uint8_t behind[] = {16, 16, 16, 32, ISA_STEP / 2, 4};
  const unsigned threads = random_threads(p), lane = random_below(p, threads < 32 ? threads : 32);
  const unsigned k = random_below(p, sizeof behind), how = random_below(p, 6);
  if (random_chance(p, 50)) {
    code_end_trap(p);
    return;
  }
  E("ISETP.GE.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_LANE, lane);
  if (how > 2) {
    E("@P6 %s code_end ;\n", direct[how - 3]);
    return;
  }
  E("MOV R%u, last_word ;\nMOV R%u, RZ ;\nMOV R%u, RZ ;\n", AT, AT + 1, REG_RETURN + 1);
  E("@P6 IADD3 R%u, R%u, 0x%x, RZ ;\n%s%s R%u ;\n", AT, AT, behind[k], random_chance(p, 50) ? "@P6 " : "", jump[how],
    AT);
}
