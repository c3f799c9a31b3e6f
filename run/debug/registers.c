/* SPDX-License-Identifier: Apache-2.0
 * Registers of a thread by number, as its target description lists them: those that gdb's architecture asks for (of
 * which the stack pointer, the return address, a result and the program counter mean something), then the machine's. */
#include <stdio.h>
#include <string.h>

#include "run/debug/history.h"
#include "run/debug/target.h"

enum { RA = 1, SP = 2, A0 = 10, ABI_STACK = 1, ABI_RESULT = 4, ABI_RETURN = 20, UNIFORM = 63, PREDICATES = 7 };

enum kind { ABI, PC, R, P, UR, UP, THREAD, BLOCK, BLOCK_DIM, GRID_DIM, ACTIVE, KINDS };

/* Which register of which kind; KINDS: there is no such. */
static enum kind kind_of_register(const struct target *t, unsigned number, unsigned *index) {
  const unsigned count[KINDS] = {
      [ABI] = TARGET_PC, [PC] = 1,    [R] = t->job->launch.regs, [P] = PREDICATES, [UR] = UNIFORM, [UP] = PREDICATES,
      [THREAD] = 1,      [BLOCK] = 1, [BLOCK_DIM] = 1,           [GRID_DIM] = 1,   [ACTIVE] = 1};
  enum kind k = ABI;
  for (; k < KINDS && number >= count[k]; k++) number -= count[k];
  *index = number;
  return k;
}

bool target_register(const struct target *t, unsigned number, struct target_register *r) {
  static const struct {
    const char *name, *type, *group;
    unsigned bytes;
  } is[KINDS] = {[ABI] = {"x%u", "int", NULL, 8},
                 [PC] = {"pc", "code_ptr", NULL, 8},
                 [R] = {"R%u", "int32", "heddle", 4},
                 [P] = {"P%u", "uint8", "heddle", 1},
                 [UR] = {"UR%u", "int32", "uniform", 4},
                 [UP] = {"UP%u", "uint8", "uniform", 1},
                 [THREAD] = {"threadIdx", "dim3", "heddle", 12},
                 [BLOCK] = {"blockIdx", "dim3", "heddle", 12},
                 [BLOCK_DIM] = {"blockDim", "dim3", "heddle", 12},
                 [GRID_DIM] = {"gridDim", "dim3", "heddle", 12},
                 [ACTIVE] = {"active", "uint32", "heddle", 4}};
  unsigned index;
  const enum kind k = kind_of_register(t, number, &index);
  if (k == KINDS) return false;
  *r = (struct target_register){.type = is[k].type, .group = is[k].group, .bytes = is[k].bytes};
  if (strchr(is[k].name, '%'))
    snprintf(r->name, sizeof r->name, "%.*s%u", (int)strcspn(is[k].name, "%"), is[k].name, index);
  else
    snprintf(r->name, sizeof r->name, "%s", is[k].name);
  return true;
}

static void put_little(uint8_t *out, uint64_t v, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) out[i] = (uint8_t)(v >> (8 * i));
}

static enum target_known put_reg(const struct target *t, unsigned slot, unsigned lane, unsigned reg, uint8_t *out) {
  put_little(out, heddle_reg(t->m, slot, reg, lane), 4);
  return heddle_reg_undefined(t->m, slot, reg, lane) == UINT32_MAX ? TARGET_UNKNOWN : TARGET_KNOWN;
}

static enum target_known put_abi(const struct target *t, unsigned slot, unsigned lane, unsigned x, uint8_t *out) {
  put_little(out, 0, 8);
  if (x == 0) return TARGET_KNOWN;
  if (x == RA && t->job->launch.regs > ABI_RETURN + 1) return put_reg(t, slot, lane, ABI_RETURN, out);
  if (x == A0 && t->job->launch.regs > ABI_RESULT + 1) {
    (void)put_reg(t, slot, lane, ABI_RESULT + 1, out + 4); /* the upper half of a result that has one */
    return put_reg(t, slot, lane, ABI_RESULT, out);
  }
  if (x != SP || t->job->launch.regs <= ABI_STACK) return TARGET_UNKNOWN;
  put_little(out, TARGET_LOCAL | heddle_reg(t->m, slot, ABI_STACK, lane), 8);
  return TARGET_KNOWN;
}

bool target_place(const struct target *t, unsigned slot, unsigned lane, unsigned which, uint8_t out[12]) {
  struct heddle_standing s;
  if (!heddle_warp_standing(t->m, slot, &s)) return false;
  const uint32_t *b = t->job->launch.block, n = s.index * HEDDLE_LANES + lane;
  const uint32_t tid[3] = {n % b[0], n / b[0] % b[1], n / b[0] / b[1]};
  const uint32_t *const all[] = {tid, s.ctaid, b, t->job->launch.grid};
  for (unsigned i = 0; i < 3; i++) put_little(out + (size_t)4 * i, all[which][i], 4);
  return true;
}

enum target_known target_read(const struct target *t, unsigned slot, unsigned lane, unsigned number,
                              uint8_t out[TARGET_REGISTER_BYTES]) {
  unsigned i;
  struct heddle_standing s;
  const enum kind k = kind_of_register(t, number, &i);
  if (!heddle_warp_standing(t->m, slot, &s)) return TARGET_NO_REGISTER;
  switch (k) {
  case ABI:
    return put_abi(t, slot, lane, i, out);
  case PC:
    put_little(out, target_told_pc(t, slot, lane), 8);
    return TARGET_KNOWN;
  case R:
    return put_reg(t, slot, lane, i, out);
  case P:
    put_little(out, heddle_pred(t->m, slot, i, lane), 1);
    return TARGET_KNOWN;
  case UR:
    put_little(out, heddle_ureg(t->m, slot, i), 4);
    return TARGET_KNOWN;
  case UP:
    put_little(out, heddle_upred(t->m, slot, i), 1);
    return TARGET_KNOWN;
  case ACTIVE:
    put_little(out, s.active, 4);
    return TARGET_KNOWN;
  case THREAD:
  case BLOCK:
  case BLOCK_DIM:
  case GRID_DIM:
    return target_place(t, slot, lane, (unsigned)(k - THREAD), out) ? TARGET_KNOWN : TARGET_NO_REGISTER;
  default:
    return TARGET_NO_REGISTER;
  }
}

bool target_write(struct target *t, unsigned slot, unsigned lane, unsigned number, const uint8_t *in) {
  unsigned i;
  uint32_t v = 0;
  bool ok = false;
  const enum kind k = kind_of_register(t, number, &i);
  if (!t->own) return false;
  memcpy(&v, in, k == P || k == UP ? 1 : 4);
  if (k == R) ok = heddle_put_reg(t->own, slot, i, lane, v);
  if (k == UR) ok = heddle_put_ureg(t->own, slot, i, v);
  if (k == P) ok = heddle_put_pred(t->own, slot, i, lane, in[0] != 0);
  if (k == UP) ok = heddle_put_upred(t->own, slot, i, in[0] != 0);
  if (ok) history_changed(t->history, t);
  return ok;
}
