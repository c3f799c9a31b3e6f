/* SPDX-License-Identifier: Apache-2.0
 * Windows of memory, and accesses at their edges: small regions of the host's table, the input, the end of shared and
 * of local memory. */
#include "window.h"

#include <stdio.h>
#include <string.h>

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

struct window window_draw(struct random_program *p, enum space s) {
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

struct window_access window_access_draw(struct random_program *p, const struct window *w, bool writes) {
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

uint32_t window_last(const struct window *w, unsigned bytes) {
  return w->at + (w->bytes - bytes) / bytes * bytes;
}

uint32_t window_inside(struct random_program *p, const struct window *w, unsigned bytes) {
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
void window_address(struct random_program *p, const struct window *w, const struct window_access *a, uint32_t off,
                    uint32_t over, enum who who, unsigned which, int *less) {
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

void window_emit(struct random_program *p, const struct window_access *a, int less) {
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
