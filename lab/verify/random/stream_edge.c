/* SPDX-License-Identifier: Apache-2.0
 *
 * Windows of memory; directed stream of accesses that just fit, and those that just do not, for programs that are
 * to trap.
 */
#include <stdio.h>
#include <string.h>

#include "lab/verify/random/streams.h"

/* Windows of memory, and accesses at their edges: small regions of the host's table, the input, the end of shared and
 * of local memory. */

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS, EDGE = REG_ADDRESS + 2 };
#define BANK3_BYTES 256u
#define UPPER_SHARED 0x1000000u /* upper words of generic addresses */
#define UPPER_LOCAL 0x2000000u

static unsigned shared_bytes(const struct random_program *p) {
  return random_warps(p) * (WARP_SHARED_BYTES + p->spread) + p->pad + p->shared_edge;
}

static struct window region(struct random_program *p) {
  const struct random_launch *l = &p->launch;
  struct window w = {.space = SPACE_GLOBAL, .region = INPUT_REGION, .bytes = (uint32_t)l->input_bytes};
  const unsigned k = random_below(p, l->more + 1);
  if (k == l->more) return w;
  w.region = k;
  w.bytes = l->more_bytes[k];
  w.writable = (l->more_writable >> k & 1) != 0;
  return w;
}

static struct window window_draw(struct random_program *p, enum space s) {
  if (s == SPACE_GLOBAL) return region(p);
  const bool shared = s == SPACE_SHARED;
  const uint32_t bytes = shared ? p->shared_edge : LOCAL_STACK_BYTES;
  const uint32_t end = shared ? shared_bytes(p) : random_local(p);
  return (struct window){.space = s, .at = end - bytes, .bytes = bytes, .writable = true};
}

unsigned bank_bytes(const struct random_program *p, unsigned bank) {
  if (bank == 0) return BANK0_BYTES + p->launch.more / 2 * 16 + p->launch.more % 2 * 16; /* rounded up to 16 */
  return bank == 3 ? BANK3_BYTES : bank < 3 ? p->bank_used[bank] : 0;
}

static unsigned size_draw(struct random_program *p, unsigned least, unsigned most) {
  unsigned bytes;
  do bytes = 1u << random_below(p, 5);
  while (bytes < least || bytes > most);
  return bytes;
}

/* A load, or any that the window allows. */
static struct window_access window_access_draw(struct random_program *p, const struct window *w, bool writes) {
  static const char *const suffix[] = {".U8", ".S16", "", ".64", ".128"};
  static const char *const load[] = {"LDG.E", "LDS", "LDL"}, *const store[] = {"STG.E", "STS", "STL"};
  const bool local = w->space == SPACE_LOCAL, shared = w->space == SPACE_SHARED;
  const unsigned what = !writes ? 0 : random_below(p, local ? 2 : 4);
  struct window_access a = {.generic = random_chance(p, 50)};
  const char *name = a.generic ? "LD.E" : load[w->space];
  switch (what) {
  case 0:
    break;
  case 1:
    a.kind = ACCESS_STORE;
    name = a.generic ? "ST.E" : store[w->space];
    break;
  default:
    a.kind = what == 3 && !shared && !a.generic ? ACCESS_RED : ACCESS_ATOM;
    name = a.kind == ACCESS_RED ? "RED.E" : a.generic ? "ATOM.E" : shared ? "ATOMS" : "ATOMG.E";
    break;
  }
  const bool atomic = a.kind == ACCESS_ATOM || a.kind == ACCESS_RED;
  a.bytes = atomic ? size_draw(p, 4, 8) : size_draw(p, 1, 16);
  snprintf(a.text, sizeof a.text, "%s%s", name, atomic ? "" : suffix[__builtin_ctz(a.bytes)]);
  return a;
}

static uint32_t window_last(const struct window *w, unsigned bytes) {
  return w->at + (w->bytes - bytes) / bytes * bytes;
}

/* The last place for so many bytes that ends in the window, as an offset like `at`: with the one in front of it and the
 * first one. */
static uint32_t window_inside(struct random_program *p, const struct window *w, unsigned bytes) {
  const uint32_t last = window_last(w, bytes);
  switch (random_below(p, 6)) {
  case 0:
    return w->at;
  case 1:
    return last >= w->at + bytes ? last - bytes : last;
  case 2:
    return w->at + random_below(p, (last - w->at) / bytes + 1) * bytes;
  default:
    return last;
  }
}

/* Each lane's own bytes in that space: as many as any access has. */
static void aim_at_own(struct random_program *p, enum space s) {
  switch (s) {
  case SPACE_GLOBAL:
    E("IADD3 R%u, P6, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, R%u, RZ, RZ, P6, !PT ;\n", AT, REG_OWN, OWN_AT, AT + 1,
      REG_OWN + 1);
    break;
  case SPACE_SHARED:
    E("IADD3 R%u, R%u, 0x%x, RZ ;\nMOV R%u, 0x%x ;\n", AT, REG_SHARED, SHARED_AT, AT + 1, UPPER_SHARED);
    break;
  case SPACE_LOCAL:
    E("MOV R%u, RZ ;\nMOV R%u, 0x%x ;\n", AT, AT + 1, UPPER_LOCAL);
    break;
  }
}

static void edge(struct random_program *p, const struct window *w, uint32_t off, uint32_t over) {
  if (w->space != SPACE_GLOBAL) {
    E("MOV R%u, 0x%x ;\nMOV R%u, 0x%x ;\n", EDGE, off, EDGE + 1,
      (w->space == SPACE_SHARED ? UPPER_SHARED : UPPER_LOCAL) ^ over);
    return;
  }
  char name[16] = "input";
  if (w->region != INPUT_REGION) snprintf(name, sizeof name, "more%u", w->region);
  E("MOV R%u, c[0x0][%s] ;\nMOV R%u, c[0x0][%s+4] ;\n", EDGE, name, EDGE + 1, name);
  E("IADD3 R%u, P6, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, R%u, %s, RZ, P6, !PT ;\n", EDGE, EDGE, off, EDGE + 1, EDGE + 1,
    off >> 31 ? "0xffffffff" : "RZ");
  if (over != 0) E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0x3c ;\n", EDGE + 1, EDGE + 1, over);
}

static void chosen(struct random_program *p, enum who who, unsigned which) {
  switch (who) {
  case WHO_ALL:
    E("ISETP.EQ.AND P6, PT, RZ, RZ, PT ;\n");
    break;
  case WHO_SOME:
    if (random_chance(p, 30))
      E("ISETP.EQ.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_LANE, which);
    else
      E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", random_chance(p, 50) ? "LE" : "GE", REG_LANE, which);
    break;
  case WHO_THREAD:
    E("ISETP.EQ.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_THREAD, which);
    break;
  case WHO_OF_BLOCK:
    E("IMAD R%u, R%u, 0x20, R%u ;\nISETP.EQ.U32.AND P6, PT, R%u, 0x%x, PT ;\n", REG_STREAM, REG_WARP_INDEX, REG_LANE,
      REG_STREAM, which);
    break;
  }
}

/* An access of another instruction may need the upper word, or not: it is there always. */
static void window_address(struct random_program *p, const struct window *w, const struct window_access *a,
                           uint32_t off, uint32_t over, enum who who, unsigned which, int *less) {
  static const int offsets[] = {0, 0, 0, 16, -16, 0x100, -0x400, 0x7ffff0};
  const bool generic = a->generic;
  const unsigned spaces = a->kind == ACCESS_ATOM ? 2 : 3; /* local memory has no atomics */
  const enum space other = generic ? (enum space)random_below(p, spaces) : w->space;
  *less = random_in_field(ISA_F_OFF24, offsets[random_below(p, sizeof offsets / sizeof *offsets)]);
  if (generic && *less > 0x1000) *less = 0; /* a generic address says its space before it is added to */
  if (w->space != SPACE_GLOBAL && generic) *less = 0;
  if (generic && other != SPACE_GLOBAL) *less = 0;
  aim_at_own(p, other);
  edge(p, w, off, over);
  chosen(p, who, which);
  E("@P6 MOV R%u, R%u ;\n@P6 MOV R%u, R%u ;\n", AT, EDGE, AT + 1, EDGE + 1);
  if (*less == 0) return;
  if (w->space != SPACE_GLOBAL && !generic) {
    E("IADD3 R%u, R%u, 0x%x, RZ ;\n", AT, AT, 0u - (unsigned)*less);
    return;
  }
  E("IADD3 R%u, P6, PT, R%u, 0x%x, RZ ;\nIADD3.X R%u, R%u, %s, RZ, P6, !PT ;\n", AT, AT, 0u - (unsigned)*less, AT + 1,
    AT + 1, *less > 0 ? "0xffffffff" : "RZ");
}

/* The access itself, at what window_address has made. */
static void window_emit(struct random_program *p, const struct window_access *a, int less) {
  const unsigned words = a->bytes < 4 ? 1 : a->bytes / 4, room = REG_DATA_COUNT / words;
  const unsigned d = REG_DATA + words * random_below(p, room), size = less < 0 ? 0u - (unsigned)less : (unsigned)less;
  char place[32], text[320];
  snprintf(place, sizeof place, "[R%u%s0x%x]", AT, less < 0 ? "-" : "+", size);
  switch (a->kind) {
  case ACCESS_LOAD:
    E("%s R%u, %s ;\n", a->text, d, place);
    break;
  case ACCESS_STORE:
    E("%s %s, R%u ;\n", a->text, place, d);
    break;
  default:
    random_atomic(p, text, sizeof text, "", a->text, place, a->bytes, true);
    E("%s", text);
    break;
  }
}

/* Directed stream: accesses that just fit. The first and the last bytes of regions, of shared and local memory and of
 * constant banks, in every width, some lanes alone, the others elsewhere; the last word of the code. */

/* What one thread alone may write, the same each time: of the grid, or of each block. */
static unsigned writer(const struct random_program *p, const struct window *w) {
  const unsigned threads = random_threads(p);
  return w->space == SPACE_GLOBAL ? w->region * 37 % (random_blocks(p) * threads) : p->shared_edge * 29 % threads;
}

/* What is written first is defined. */
static void touch_memory_edge(struct random_program *p) {
  const struct window w = window_draw(p, (enum space)random_below(p, 3));
  if (w.bytes == 0) return;
  struct window_access a;
  do a = window_access_draw(p, &w, w.writable);
  while (a.bytes > w.bytes || (a.generic && w.space == SPACE_LOCAL && a.kind == ACCESS_ATOM));
  const uint32_t off = window_inside(p, &w, a.bytes);
  const unsigned lane = random_below(p, 32);
  enum who who = w.space == SPACE_SHARED ? WHO_OF_BLOCK : w.writable && w.space == SPACE_GLOBAL ? WHO_THREAD : WHO_SOME;
  if (who == WHO_SOME && random_chance(p, 40)) who = WHO_ALL;
  int less;
  window_address(p, &w, &a, off, 0, who, who == WHO_SOME ? lane : writer(p, &w), &less);
  if (w.space != SPACE_GLOBAL || a.generic) {
    static const char *const store[] = {"STG.E", "STS", "STL"}, *const suffix[] = {".U8", ".S16", "", ".64", ".128"};
    struct window_access first = {.bytes = a.bytes, .kind = ACCESS_STORE};
    snprintf(first.text, sizeof first.text, "%s%s", a.generic ? "ST.E" : store[w.space],
             suffix[__builtin_ctz(a.bytes)]);
    if (w.writable) window_emit(p, &first, less);
  }
  window_emit(p, &a, less);
}

static void touch_constant_edge(struct random_program *p) {
  static const char *const size[] = {".U8", ".S16", "", ".64", ".128"};
  const unsigned bank = random_below(p, 4);
  const unsigned bytes = bank_bytes(p, bank);
  const unsigned k = random_below(p, 5), words = k < 2 ? 1 : 1u << (k - 2), d = random_below(p, REG_DATA_COUNT / words);
  if (bytes < 16) return;
  if (random_chance(p, 40)) {
    E("IADD3 R%u, R%u, c[0x%x][0x%x], RZ ;\n", REG_DATA + d, REG_LANE, bank, (bytes - 4) / 4 * 4);
    return;
  }
  const unsigned last = (bytes >> k) - 1, back = random_below(p, last < 31 ? last + 1 : 32);
  E("IMNMX.U32 R%u, R%u, 0x%x, PT ;\nIMAD R%u, R%u, 0x%x, RZ ;\n", AT, REG_LANE, back, AT, AT, 0u - (1u << k));
  E("LDC%s R%u, c[0x%x][R%u+0x%x] ;\n", size[k], REG_DATA + words * d, bank, AT, last << k);
}

/* Some lanes go to the last word, and come back. */
static void last_word(struct random_program *p, unsigned id, unsigned n) {
  static const char *const jump[] = {"BRX", "CALL.ABS", "RET"};
  const unsigned how = random_below(p, 5), lane = random_below(p, 32);
  E("BSSY B0, last_%u_%u ;\nISETP.LT.U32.AND P6, PT, R%u, 0x%x, PT ;\n@P6 BRA last_%u_%u ;\n", n, id, REG_LANE, lane, n,
    id);
  E("MOV R%u, last_%u_%u ;\nMOV R%u, RZ ;\n", REG_RETURN, n, id, REG_RETURN + 1);
  if (how > 2)
    E("%s last_word ;\n", how == 3 ? "CALL.REL" : "JMP");
  else
    E("MOV R%u, last_word ;\nMOV R%u, RZ ;\n%s R%u ;\n", AT, AT + 1, jump[how], AT);
  E("last_%u_%u:\nBSYNC B0 ;\n", n, id);
}

void stream_edge(struct random_program *p, const struct node *n) {
  for (unsigned i = 0; i < 3; i++) {
    const unsigned what = random_below(p, 10);
    if (what == 0 && p->tail == TAIL_NONE && !code_ends_by_exit(p))
      last_word(p, n->id, i);
    else if (what == 1 && p->tail == TAIL_NONE)
      code_end_spared(p, n->id, i);
    else if (what < 4)
      touch_constant_edge(p);
    else
      touch_memory_edge(p);
  }
}

/* Accesses and jumps that just do not fit, for programs that are meant to trap: one beyond an edge, across it, one
 * below; a bit of the address more; generic addresses that name no space, atomics on local memory; constant banks that
 * are not there. */

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
