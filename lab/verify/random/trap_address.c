/* SPDX-License-Identifier: Apache-2.0
 *
 * Traps of addresses: misaligned, out of range, behind the end of a bank; and bytes that memory answers with
 * errors.
 */
#include <stdio.h>
#include <stdlib.h>
#include "base/splitmix64.h"
#include "lab/verify/random/node.h"
#include "lab/verify/random/streams.h"

/* Where memory answers with errors, in programs that are meant to trap there. */

/* In the local memory of a warp slot that the first block has: of thread 0 a word that nobody else uses, and what lies
 * beside it. Word w of lane l lies at 128 w + 4 l. */
static void place_local(struct random_launch *l, struct random_program *p) {
  if (p->local_more > LOCAL_ERROR_BYTES) p->local_more -= LOCAL_ERROR_BYTES; /* there may be no more */
  const unsigned first = random_local(p), slot = random_below(p, random_warps(p));
  const unsigned word = first / 4 + random_below(p, LOCAL_ERROR_BYTES / 4);
  const unsigned back = random_below(p, 128 * word - 32 * first + 1), more = random_below(p, 256);
  l->error_in = RANDOM_ERRORS_LOCAL;
  l->error_at = (size_t)slot * 32 * (first + LOCAL_ERROR_BYTES) + 128 * word - back;
  l->error_bytes = back + 1 + more;
  p->error_word = word;
}

/* Behind all else in `out`: a line's worth of bytes, or some of them, which accesses then meet first. */
static void place_out(struct random_launch *l, struct random_program *p) {
  const unsigned from = ((unsigned)l->out_bytes + 15) / 16 * 16, part = 16 * random_below(p, ERROR_BYTES / 16);
  l->error_at = from;
  l->error_bytes = ERROR_BYTES;
  if (random_chance(p, 50)) {
    l->error_at += part;
    l->error_bytes = 1 + random_below(p, ERROR_BYTES - part);
  }
  l->out_bytes = from + ERROR_BYTES + ERROR_BEHIND;
}

/* Sectors after `out`, lines after a bank's end, or the last words of the code. */
bool random_place_errors(struct random_program *p) {
  struct random_launch *l = &p->launch;
  const unsigned b = 1 + random_below(p, 2);
  if (random_chance(p, 20)) {
    p->tail = TAIL_ERRORS;
    l->error_in = RANDOM_ERRORS_CODE;
    l->error_at = 16 * (1 + random_below(p, 3));
    l->error_bytes = 1 + random_below(p, (unsigned)l->error_at);
    return true;
  }
  if (random_chance(p, 20)) {
    place_local(l, p);
    return true;
  }
  if (p->bank_used[b] == 0 || random_chance(p, 60)) {
    place_out(l, p);
    return true;
  }
  l->error_in = b == 1 ? RANDOM_ERRORS_BANK1 : RANDOM_ERRORS_BANK2;
  l->error_at = (p->bank_used[b] + BANK_LINE - 1) / BANK_LINE * BANK_LINE;
  l->bank_bytes[b] = (uint32_t)(l->error_at + 3 * BANK_LINE); /* errors are in the first, or in the first two */
  uint8_t *bytes = realloc(p->bank[b], l->bank_bytes[b]);
  if (!bytes) return false;
  l->bank[b] = p->bank[b] = bytes;
  for (uint32_t i = p->bank_used[b]; i < l->bank_bytes[b]; i++) bytes[i] = (uint8_t)splitmix64(&p->rng);
  l->error_at += random_below(p, BANK_LINE); /* in the first line, and often in the second */
  l->error_bytes = 1 + random_below(p, random_chance(p, 50) ? 8 : BANK_LINE); /* a part of a line, or of two */
  return true;
}

/* Directed stream, for programs that are meant to end with a bus error: what memory answers with an error is read ahead
 * and never issues, which raises nothing, and changes nothing for whoever comes there later. */

#define E(...) random_emit(p, __VA_ARGS__)

enum { AT = REG_ADDRESS };

bool ahead_fits(const struct random_program *p) {
  return p->launch.error_bytes != 0 && p->launch.error_in != RANDOM_ERRORS_OUT &&
         p->launch.error_in != RANDOM_ERRORS_LOCAL;
}

/* Up to the words in error: who has P6 returns in front of them (random_write_tail), or where they begin. */
static void code(struct random_program *p, unsigned id, unsigned i) {
  E("ISETP.EQ.AND P6, PT, RZ, RZ, PT ;\nMOV R%u, ahead_%u_%u ;\nMOV R%u, RZ ;\n", AT, i, id, AT + 1);
  E("CALL.REL tail_%u ;\nahead_%u_%u:\n", random_below(p, TAIL_BACK + TAIL_BACKS), i, id);
}

/* Behind a jump that is taken, but could be another one. */
static void constant_ahead(struct random_program *p, unsigned id, unsigned i) {
  const struct random_launch *l = &p->launch;
  const unsigned bank = l->error_in == RANDOM_ERRORS_BANK1 ? 1 : 2, d = random_data(p);
  const unsigned line = (unsigned)l->error_at / BANK_LINE * BANK_LINE, word = 4 * random_below(p, BANK_LINE / 4);
  E("ISETP.EQ.AND P6, PT, RZ, RZ, PT ;\n@P6 BRA ahead_%u_%u ;\n", i, id);
  E("IADD3 R%u, R%u, c[0x%x][0x%x], RZ ;\nahead_%u_%u:\n", d, d, bank, line + word, i, id);
}

void stream_ahead(struct random_program *p, const struct node *n) {
  for (unsigned i = 0; i < 3; i++) {
    if (p->launch.error_in == RANDOM_ERRORS_CODE)
      code(p, n->id, i);
    else
      constant_ahead(p, n->id, i);
  }
}

/* Accesses to bytes that memory answers with errors (trap_address.c), by whoever asks memory for anything: loads,
 * stores, atomics, copies, constants, local memory. Of instructions: trap_control.c. */

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

/* Traps of addresses: misaligned, out of range, behind the end of a constant bank. */

/* P6 for lanes from one on, or for those below it; lane 0 has it, or has it not. */
static void split_lanes(struct random_program *p, bool first) {
  const unsigned lanes = trap_lanes(p);
  E("ISETP.%s.U32.AND P6, PT, R%u, 0x%x, PT ;\n", first ? "LT" : "GE", REG_LANE, 1 + random_below(p, lanes));
}

/* Some lanes are misaligned, others out of range: the lowest one says what it is. */
static void mixed(struct random_program *p, bool outside_first) {
  const unsigned d = random_data(p);
  split_lanes(p, outside_first);
  E("LOP3.LUT R%u, R%u, 0x2, RZ, 0xfc ;\nMOV R%u, R%u ;\n@P6 MOV R%u, 0x40 ;\n@P6 MOV R%u, RZ ;\n", AT, REG_OWN, AT + 1,
    REG_OWN + 1, AT, AT + 1);
  if (random_chance(p, 50))
    E("LDG.E R%u, [R%u+0x%x] ;\n", d, AT, OWN_AT);
  else
    E("STG.E [R%u+0x%x], R%u ;\n", AT, OWN_AT, d);
}

void trap_misaligned(struct random_program *p) {
  if (p->at_edge) {
    edge_misaligned(p);
    return;
  }
  const unsigned d = REG_DATA + 4 * random_below(p, REG_DATA_COUNT / 4);
  if (random_chance(p, 25)) {
    mixed(p, false);
    return;
  }
  switch (random_below(p, 4)) {
  case 0:
    E("LDG.E.64 R%u, [R%u+0x%x] ;\n", d, REG_OWN, OWN_AT + 4);
    break;
  case 1:
    E("STS [R%u+0x%x], R%u ;\n", REG_SHARED, SHARED_AT + 1 + random_below(p, 3), d);
    break;
  case 2:
    E("LDL.128 R%u, [RZ+0x8] ;\n", d);
    break;
  default:
    E("ATOMG.E.ADD R%u, [R%u+0x%x], R%u ;\n", d, REG_OWN, OWN_AT + 2, d);
    break;
  }
}

/* Nothing of the grid's lies below 64 KiB; the address space ends at 40 bits. */
void trap_out_of_range(struct random_program *p) {
  if (p->at_edge) {
    edge_out_of_range(p);
    return;
  }
  const unsigned d = random_data(p);
  if (random_chance(p, 25)) {
    mixed(p, true);
    return;
  }
  switch (random_below(p, 4)) {
  case 0: { /* buffers may lie across 4 GiB */
    const bool low = random_chance(p, 50), bottom = random_chance(p, 50) && (low || p->launch.base >> 31 != 1);
    E("MOV R%u, 0x%x ;\nMOV R%u, 0x%x ;\n", AT, low ? 0x40 : 0xfffffffc, AT + 1, bottom ? 0 : 0xff);
    if (random_chance(p, 50))
      E("LDG.E R%u, [R%u] ;\n", d, AT);
    else
      E("%s [R%u], R%u ;\n", random_chance(p, 50) ? "STG.E" : "RED.E.ADD", AT, d);
    break;
  }
  case 1:
    E("STS [RZ+0x%x], R%u ;\n", (unsigned)heddle_isa_field_most(ISA_F_OFF24) & ~3u, d);
    break;
  case 2:
    E("LDL R%u, [RZ-0x4] ;\n", d);
    break;
  default:
    E("MOV R%u, RZ ;\nMOV R%u, 0x3000000 ;\nST.E [R%u], R%u ;\n", AT, AT + 1, AT, d);
    break;
  }
}

/* A bank that ends after an odd number of words: its last one and what is behind it, as a pair. */
static bool pair_outside(struct random_program *p, unsigned d) {
  const unsigned b = 1 + random_below(p, 2);
  if (!random_has(p, ISA_UNIT_FP64) || p->bank_used[b] % 8 != 4) return false;
  E("DADD R%u, R%u, c[0x%x][0x%x] ;\n", d & ~1u, d & ~1u, b, p->bank_used[b] - 4);
  return true;
}

void trap_const_range(struct random_program *p, unsigned d) {
  if (p->at_edge) {
    edge_const_range(p);
    return;
  }
  if (random_chance(p, 30) && pair_outside(p, d)) return;
  if (random_chance(p, 30))
    E("LDC R%u, c[0x3][RZ+0x100] ;\n", d);
  else if (random_chance(p, 50)) /* the upper lanes alone, or the last one */
    E("IMAD R%u, R%u, 0x4, RZ ;\nLDC R%u, c[0x3][R%u+0x%x] ;\n", AT, REG_LANE, d, AT,
      0x100 - 4 * (trap_lanes(p) - 1) + 4 * random_below(p, trap_lanes(p)));
  else
    E("IADD3 R%u, R%u, c[0x3][0x%x], RZ ;\n", d, d, 0x100 + 4 * random_below(p, 100));
}
