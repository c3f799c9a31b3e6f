/* SPDX-License-Identifier: Apache-2.0
 * Threads, memory and registers of a launch on the model. */
#include "target.h"

#include <stdio.h>
#include <string.h>

static void put_little(uint8_t *out, uint64_t v, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) out[i] = (uint8_t)(v >> (8 * i));
}

/* 0 to 3: threadIdx, blockIdx, blockDim, gridDim, as three words; false: no warp lives there. */
static bool target_place(const struct target *t, unsigned slot, unsigned lane, unsigned which, uint8_t out[12]) {
  struct heddle_standing s;
  if (!heddle_warp_standing(t->m, slot, &s)) return false;
  const uint32_t *b = t->job->launch.block, n = s.index * HEDDLE_LANES + lane;
  const uint32_t tid[3] = {n % b[0], n / b[0] % b[1], n / b[0] / b[1]};
  const uint32_t *const all[] = {tid, s.ctaid, b, t->job->launch.grid};
  for (unsigned i = 0; i < 3; i++) put_little(out + (size_t)4 * i, all[which][i], 4);
  return true;
}

bool target_begin(struct target *t, struct heddle_model *m, const struct job *job, unsigned slots, char *err,
                  size_t n) {
  memset(t, 0, sizeof *t);
  t->m = t->own = m;
  t->job = job;
  t->slots = slots;
  if (heddle_model_begin(m) != HEDDLE_SUCCESS) {
    snprintf(err, n, "%s", heddle_model_diag(m));
    return false;
  }
  t->history = history_new(t);
  if (!t->history) snprintf(err, n, "out of memory");
  return t->history != NULL;
}

void target_freeze(struct target *t, const struct heddle_model *m, const struct job *job, unsigned slots) {
  memset(t, 0, sizeof *t);
  t->m = m;
  t->job = job;
  t->slots = slots;
}

void target_end(struct target *t) {
  history_free(t->history);
  t->history = NULL;
}

/* ---- threads ---- */

static uint64_t block_threads(const struct target *t) {
  const uint32_t *b = t->job->launch.block;
  return (uint64_t)b[0] * b[1] * b[2];
}

static uint64_t first_thread(const struct target *t, const struct heddle_standing *s) {
  const uint32_t *g = t->job->launch.grid;
  const uint64_t block = s->ctaid[0] + g[0] * (s->ctaid[1] + (uint64_t)g[1] * s->ctaid[2]);
  return 1 + block * block_threads(t) + (uint64_t)s->index * HEDDLE_LANES;
}

uint64_t target_thread(const struct target *t, unsigned slot, unsigned lane) {
  struct heddle_standing s;
  return heddle_warp_standing(t->m, slot, &s) ? first_thread(t, &s) + lane : 0;
}

uint32_t target_lanes(const struct target *t, unsigned slot) {
  struct heddle_standing s;
  return heddle_warp_standing(t->m, slot, &s) && !s.ended ? ~s.exited : 0;
}

bool target_find(const struct target *t, uint64_t thread, unsigned *slot, unsigned *lane) {
  for (unsigned w = 0; w < t->slots; w++) {
    struct heddle_standing s;
    if (!heddle_warp_standing(t->m, w, &s) || s.ended) continue;
    const uint64_t first = first_thread(t, &s);
    if (thread < first || thread - first >= HEDDLE_LANES || (s.exited >> (thread - first) & 1) != 0) continue;
    *slot = w;
    *lane = (unsigned)(thread - first);
    return true;
  }
  return false;
}

uint64_t target_first(const struct target *t) {
  uint64_t first = 0;
  for (unsigned w = 0; w < t->slots; w++) {
    const uint32_t lanes = target_lanes(t, w);
    const uint64_t thread = lanes != 0 ? target_thread(t, w, (unsigned)__builtin_ctz(lanes)) : 0;
    if (thread != 0 && (first == 0 || thread < first)) first = thread;
  }
  return first;
}

uint32_t target_pc(const struct target *t, unsigned slot, unsigned lane) {
  struct heddle_standing s;
  struct heddle_path path[HEDDLE_LANES];
  const unsigned n = heddle_warp_paths(t->m, slot, path);
  if (heddle_warp_standing(t->m, slot, &s) && s.waiting) return s.bar_pc;
  for (unsigned i = 0; i < n; i++)
    if ((path[i].lanes >> lane & 1) != 0) return path[i].pc;
  return 0;
}

/* Where the thread is as gdb is told it, which may believe that a thread has stepped (struct target_others). */
static uint32_t target_told_pc(const struct target *t, unsigned slot, unsigned lane) {
  const struct heddle_program *p = t->job->program;
  uint32_t pc = target_pc(t, slot, lane);
  if (t->others.stepped == 0 || target_thread(t, slot, lane) != t->others.stepped) return pc;
  for (bool taken = true; taken && heddle_program_next(p, pc) < p->code_bytes;) {
    pc = heddle_program_next(p, pc);
    taken = false;
    for (unsigned i = 0; i < t->breaks; i++) taken = taken || t->brk[i].pc == pc;
  }
  return pc;
}

const char *target_name(const struct target *t, unsigned slot, unsigned lane, char *text, size_t n) {
  struct heddle_standing s;
  if (!heddle_warp_standing(t->m, slot, &s)) return "";
  snprintf(text, n, "block (%u,%u,%u) warp %u lane %u", s.ctaid[0], s.ctaid[1], s.ctaid[2], s.index, lane);
  return text;
}

/* ---- memory ---- */

struct place {
  unsigned space;
  uint64_t at;
};

static bool split_address(uint64_t address, struct place *p) {
  static const int spaces[] = {ISA_SPACE_GLOBAL, ISA_SPACE_SHARED, ISA_SPACE_LOCAL, -1, ISA_SPACE_CONST};
  const unsigned window = (unsigned)(address >> 56);
  if (window >= sizeof spaces / sizeof *spaces || spaces[window] < 0) return false;
  *p = (struct place){(unsigned)spaces[window], address & 0x00ffffffffffffff};
  return true;
}

/* What the names say of the thread: read only. */
static size_t look_names(const struct target *t, unsigned slot, unsigned lane, uint64_t at, uint8_t *out, size_t n) {
  uint8_t all[TARGET_NAMES_COUNT * TARGET_NAMES_STEP] = {0};
  if (at >= sizeof all) return 0;
  if (n > sizeof all - at) n = sizeof all - (size_t)at;
  for (unsigned i = 0; i < TARGET_NAMES_COUNT; i++)
    if (!target_place(t, slot, lane, i, all + (size_t)i * TARGET_NAMES_STEP)) return 0;
  memcpy(out, all + at, n);
  return n;
}

size_t target_look(const struct target *t, unsigned slot, unsigned lane, uint64_t address, uint8_t *out, size_t n) {
  const struct heddle_program *p = t->job->program;
  struct place at;
  if (address >> 56 == TARGET_NAMES >> 56) return look_names(t, slot, lane, address - TARGET_NAMES, out, n);
  if (!split_address(address, &at)) return 0;
  if (heddle_look(t->m, slot, lane, at.space, at.at, out, n)) return n;
  size_t done = 0;
  while (done < n && heddle_look(t->m, slot, lane, at.space, at.at + done, out + done, 1)) done++;
  for (; done < n && address < p->code_bytes && address + done < p->code_bytes; done++)
    out[done] = p->code[address + done]; /* global memory begins behind what code there can be */
  return done;
}

bool target_put(struct target *t, unsigned slot, unsigned lane, uint64_t address, const uint8_t *in, size_t n) {
  struct place at;
  if (!t->own || !split_address(address, &at) || !heddle_put(t->own, slot, lane, at.space, at.at, in, n)) return false;
  history_changed(t->history, t);
  return true;
}

/* Registers of a thread by number, as its target description lists them: those that gdb's architecture asks for (of
 * which the stack pointer, the return address, a result and the program counter mean something), then the machine's. */

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
