/* SPDX-License-Identifier: Apache-2.0
 * Accesses to bytes that memory answers with errors (trap_place.c), by whoever asks memory for anything: loads, stores,
 * atomics, copies, constants, local memory. Of instructions: trap_tail.c. */
#include <stdio.h>

#include "lab/verify/random/streams.h"

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS };

/* An operand traps whatever its guard says; a load: lanes whose constant's line answers with an error, and often some
 * whose line does not, those before it. */
static void constant_error(struct random_program *p) {
  static const char *const size[] = {".U8", ".S16", "", ".64", ".128"};
  static const uint8_t bytes[] = {1, 2, 4, 8, 16};
  const struct random_launch *l = &p->launch;
  const unsigned k = random_below(p, 5), bank = l->error_in == RANDOM_ERRORS_BANK1 ? 1 : 2;
  const unsigned line = (unsigned)l->error_at / BANK_LINE * BANK_LINE, lanes = trap_lanes(p);
  const unsigned d = REG_DATA + 4 * random_below(p, REG_DATA_COUNT / 4);
  const unsigned in = line + random_below(p, BANK_LINE / bytes[k]) * bytes[k];
  if (random_chance(p, 25)) {
    E("%sIADD3 R%u, R%u, c[0x%x][0x%x], RZ ;\n", random_chance(p, 30) ? "@!PT " : "", d, d, bank, in & ~3u);
    return;
  }
  if (random_has_uniform(p) && random_chance(p, 30)) {
    E("ULDC%s UR%u, c[0x%x][URZ+0x%x] ;\n", k == 3 ? ".64" : "", 2 * random_below(p, UREG_DATA_COUNT / 2), bank,
      in & ~7u);
    return;
  }
  if (random_chance(p, 50)) { /* the first lane's line is in error, that of a later one is not */
    const unsigned behind =
        line + ((unsigned)l->error_at % BANK_LINE + (unsigned)l->error_bytes > BANK_LINE ? 2 : 1) * BANK_LINE;
    E("LOP3.LUT R%u, R%u, 0x1, RZ, 0xc0 ;\nIMAD R%u, R%u, 0x%x, RZ ;\n", AT, REG_LANE, AT, AT, behind - line);
    E("LDC%s R%u, c[0x%x][R%u+0x%x] ;\n", size[k], d, bank, AT, in);
    return;
  }
  const unsigned most = lanes > 3 ? (1u << random_below(p, 3)) - 1 : 0; /* some lane is at `in`, others before it */
  const unsigned by = lanes == 32 ? random_below(p, 4) : 0;             /* so many lanes side by side are alike */
  E("SHF.R.U32.HI R%u, RZ, 0x%x, R%u ;\n", AT, by, REG_LANE);
  E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", AT, AT, most);
  if (random_chance(p, 50))
    E("LOP3.LUT R%u, R%u, 0x%x, RZ, 0x3c ;\n", AT, AT, most); /* the first lanes, not the last */
  E("IMAD R%u, R%u, 0x%x, RZ ;\n", AT, AT, bytes[k]);
  E("LDC%s R%u, c[0x%x][R%u+0x%x] ;\n", size[k], d, bank, AT, in - most * bytes[k]);
}

/* The bytes in error and what lies around them, as a memory access of the drawn width meets them. */
struct aim {
  unsigned width,
      at; /* 0: a byte ... 4: 16 of them; where lane 0 goes, or another one if all go to places of their own */
  const char *size;
  unsigned d; /* for four registers */
};

/* R36 and R37: lane 0 meets the error's first byte, of others most, or one of the first three does; nobody else goes
 * there. */
static struct aim aim_at(struct random_program *p, unsigned least, unsigned most_width) {
  static const char *const size[] = {".U8", ".S16", "", ".64", ".128"};
  const unsigned k = least + random_below(p, most_width - least + 1);
  const bool all = trap_lanes(p) == 32 && random_chance(p, 50);
  const unsigned most = all ? 31 : 1 + random_below(p, 30), back = all ? 16 * random_below(p, k == 0 ? 2 : 3) : 0;
  E("MOV R%u, c[0x0][out] ;\nMOV R%u, c[0x0][out+4] ;\nLOP3.LUT R%u, R%u, 0x%x, RZ, 0xc0 ;\n", AT, AT + 1, AT + 2,
    REG_LANE, most);
  E("IMAD.WIDE R%u, R%u, 0x%x, R%u ;\n", AT, AT + 2, 1u << k, AT);
  const unsigned d = REG_DATA + 4 * random_below(p, REG_DATA_COUNT / 4);
  char add[80];
  const unsigned at = random_reach(add, sizeof add, AT, AT + 2, (unsigned)p->launch.error_at - back);
  E("%s", add);
  return (struct aim){k, at, size[k], d};
}

static const char *maybe_strong(struct random_program *p) {
  return random_chance(p, 30) ? ".STRONG.GPU" : "";
}

static void load_at_error(struct random_program *p, const struct aim *a) {
  const char *how = random_chance(p, 60) ? "LDG.E" : "LD.E";
  E("%s%s%s R%u, [R%u+0x%x] ;\n", how, a->size, maybe_strong(p), a->d, AT, a->at);
}

static void store_at_error(struct random_program *p, const struct aim *a) {
  const char *how = random_chance(p, 70) ? "STG.E" : "ST.E";
  E("%s%s%s [R%u+0x%x], R%u ;\n", how, a->size, maybe_strong(p), AT, a->at, a->d);
}

static void atomic(struct random_program *p, const struct aim *a) {
  static const char *const what[] = {"ATOMG.E", "ATOM.E", "RED.E"};
  char text[320], place[32];
  (void)snprintf(place, sizeof place, "[R%u+0x%x]", AT, a->at);
  random_atomic(p, text, sizeof text, "", what[random_below(p, 3)], place, 1u << a->width, true);
  E("%s", text);
}

/* To the thread's own shared memory; nobody waits for it, or it does. */
static void copy_at_error(struct random_program *p, const struct aim *a) {
  const char *size = a->width == 2 ? "" : a->size;
  E("IADD3 R%u, R%u, 0x%x, RZ ;\nLDGSTS.E%s [R%u], [R%u+0x%x] ;\n", AT + 3, REG_SHARED, SHARED_AT, size, AT + 3, AT,
    a->at);
  if (random_chance(p, 60)) E("LDGDEPBAR ;\nDEPBAR.LE SB5, 0x0 ;\n");
}

/* Where stores end in a cache, they raise nothing, and memory refuses the line when it gives way, in the middle of the
 * grid or at its end; whoever wants more of the line than was stored has it fetched. */
static void store_and_more(struct random_program *p) {
  struct aim a = aim_at(p, 0, 4);
  store_at_error(p, &a);
  if (random_chance(p, 40)) trap_sweep(p);
  if (random_chance(p, 50)) E("MEMBAR.%s ;\n", random_chance(p, 50) ? "GPU" : "SYS");
  if (random_chance(p, 40)) return;
  a = aim_at(p, 2, 3); /* anew: of other widths, other lanes are there */
  if (random_chance(p, 50))
    load_at_error(p, &a);
  else
    atomic(p, &a);
}

static void global_error(struct random_program *p) {
  const bool has_copies = random_has_async(p);
  struct aim a;
  switch (random_below(p, has_copies ? 6 : 5)) {
  case 0:
    a = aim_at(p, 0, 4);
    load_at_error(p, &a);
    break;
  case 1:
    a = aim_at(p, 0, 4);
    store_at_error(p, &a);
    E("MEMBAR.GPU ;\n");
    break;
  case 2:
    store_and_more(p);
    break;
  case 5:
    a = aim_at(p, 2, 4);
    copy_at_error(p, &a);
    break;
  default:
    a = aim_at(p, 2, 3);
    atomic(p, &a);
    if (random_chance(p, 50)) E("MEMBAR.SYS ;\n");
    break;
  }
}

void trap_bus(struct random_program *p) {
  if (p->launch.error_in == RANDOM_ERRORS_OUT)
    global_error(p);
  else
    constant_error(p);
}

static void store_local(struct random_program *p, unsigned at, const char *size, unsigned d) {
  if (random_chance(p, 40))
    E("MOV R%u, 0x%x ;\nMOV R%u, 0x%x ;\nST.E%s [R%u], R%u ;\n", AT, at, AT + 1, WINDOW_LOCAL, size, AT, d);
  else
    E("STL%s [RZ+0x%x], R%u ;\n", size, at, d);
}

/* Every warp goes there, for one of them is in that slot; each lane to its own word. What it loads and has not stored
 * nobody uses. */
void trap_bus_local(struct random_program *p) {
  static const char *const size[] = {".U8", ".S16", "", ".64", ".128"};
  const unsigned k = random_below(p, 5), bytes = 1u << k, at = 4 * p->error_word / bytes * bytes;
  const unsigned part = random_below(p, k + 1), d = REG_DATA + 4 * random_below(p, REG_DATA_COUNT / 4);
  const bool stores = random_chance(p, 70), loads = !stores || random_chance(p, 60);
  if (stores) store_local(p, 4 * p->error_word >> part << part, size[part], d);
  if (stores && random_chance(p, 30)) trap_sweep(p);
  if (stores && random_chance(p, 30)) E("MEMBAR.GPU ;\n");
  if (loads) E("LDL%s R%u, [RZ+0x%x] ;\n", size[k], d, at);
  for (unsigned i = 0; loads && i < 4; i++) E("MOV R%u, R%u ;\n", d + i, REG_THREAD);
  if (random_chance(p, 50)) E("MEMBAR.GPU ;\n");
  trap_under_way(p);
}
