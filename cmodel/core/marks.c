/* SPDX-License-Identifier: Apache-2.0
 *
 * Undefined bits: what no instruction has written.
 */
#include "marks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint64_t marks_origin_of_bytes(const struct heddle_model *m, const struct warp *w, const struct dop *op,
                                      uint32_t pc, unsigned lane, uint64_t addr);

/* Origins, and the words of a diagnosis. */

/* An origin: kind in bits 63:61, the row or byte in bits 60:21, the place of the instruction in steps of 8 below. */
#define KIND_SHIFT 61u
#define AT_SHIFT 21u
#define AT_MASK ((UINT64_C(1) << (KIND_SHIFT - AT_SHIFT)) - 1)
#define PC_UNIT 8u
#define PC_MASK ((UINT64_C(1) << AT_SHIFT) - 1)

_Static_assert(ISA_STEP % PC_UNIT == 0, "instructions are at multiples of 8");

uint64_t marks_origin(enum mark_kind kind, uint64_t at, uint32_t pc) {
  return (uint64_t)kind << KIND_SHIFT | (at & AT_MASK) << AT_SHIFT | (pc / PC_UNIT & PC_MASK);
}

static void read_origin(struct heddle_undefined *u, uint64_t from) {
  const enum mark_kind kind = (enum mark_kind)(from >> KIND_SHIFT);
  const uint64_t at = from >> AT_SHIFT & AT_MASK;
  u->origin[0] = '\0';
  u->first_pc = (uint32_t)(from & PC_MASK) * PC_UNIT;
  u->loaded = kind == MARK_SHARED || kind == MARK_LOCAL;
  if (kind == MARK_REGISTER) (void)row_name((unsigned)at, u->origin, sizeof u->origin);
  if (kind == MARK_PREDICATE) (void)pred_name((unsigned)at, u->origin, sizeof u->origin);
  if (u->loaded)
    snprintf(u->origin, sizeof u->origin, "%s byte 0x%llx", kind == MARK_SHARED ? "shared" : "local",
             (unsigned long long)at);
}

/* The origin into m->undefined; its words behind the diagnosis. */
static enum heddle_error marks_tell_origin(struct heddle_model *m, uint64_t from) {
  struct heddle_undefined *u = &m->undefined;
  const size_t used = strlen(m->diag);
  read_origin(u, from);
  if (u->origin[0] != '\0')
    snprintf(m->diag + used, sizeof m->diag - used, "; %s was never written, %s at pc 0x%04x", u->origin,
             u->loaded ? "loaded" : "first read", u->first_pc);
  return HEDDLE_ERROR_UNDEFINED;
}

static void note_undefined(struct heddle_model *m, const struct warp *w, uint32_t seq, uint32_t pc, uint32_t lanes,
                           const char *what) {
  struct heddle_undefined *u = &m->undefined;
  *u = (struct heddle_undefined){.warp_in_block = w->index, .seq = seq, .pc = pc, .lanes = lanes};
  memcpy(u->ctaid, w->block->ctaid, sizeof u->ctaid);
  snprintf(u->what, sizeof u->what, "%s", what);
}

enum heddle_error marks_tell(struct heddle_model *m, const struct warp *w, uint32_t seq, uint32_t pc, uint32_t lanes,
                             const char *what, uint64_t from) {
  const uint32_t i = op_index(pc), *id = w->block->ctaid;
  note_undefined(m, w, seq, pc, lanes, what);
  (void)model_fail(m, HEDDLE_ERROR_UNDEFINED,
                   "undefined_read: %s in lanes 0x%08x, block (%u,%u,%u) warp %u seq %u pc 0x%08x %s", what, lanes,
                   id[0], id[1], id[2], w->index, seq, pc, heddle_isa_op_name((enum heddle_isa_op)m->dec[i].op));
  return marks_tell_origin(m, from);
}

enum heddle_error marks_tell_bytes(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t seq,
                                   uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES]) {
  char bytes[80];
  const unsigned lowest = lowest_lane(lanes);
  (void)undefined_bytes(op, lanes, addr, bytes, sizeof bytes);
  note_undefined(m, w, seq, pc, lanes, bytes);
  m->undefined.has_addr = true;
  m->undefined.addr = addr[lowest];
  (void)model_fail(m, HEDDLE_ERROR_UNDEFINED, "undefined_read: %s, block (%u,%u,%u) warp %u seq %u pc 0x%08x", bytes,
                   w->block->ctaid[0], w->block->ctaid[1], w->block->ctaid[2], w->index, seq, pc);
  return marks_tell_origin(m, marks_origin_of_bytes(m, w, op, pc, lowest, addr[lowest]));
}

const struct heddle_undefined *heddle_model_undefined(const struct heddle_model *m) {
  return &m->undefined;
}

/* Marks of registers and predicates: where they are kept, and the uses that are told. */

/* ---- what a warp and a block begin with */

/* Nothing is told: what nobody has written is zero. */
static void begin_defined(const struct heddle_model *m, struct warp *w) {
  for (unsigned r = 0; r < ROW_DEFINED; r++) w->defined[r] = ALL_LANES;
  for (unsigned p = 0; p < PREDS; p++) w->pred_defined[p] = ALL_LANES;
  memset(w->row, 0, m->launch.regs * sizeof w->row[0]);
  memset(w->row[ROW_UR], 0, UREGS * sizeof w->row[0]);
}

void marks_begin_warp(struct heddle_model *m, struct warp *w) {
  w->marked = false;
  if (m->tell == HEDDLE_TELL_NOTHING) begin_defined(m, w);
}

void marks_begin_shared(const struct heddle_model *m, struct block *b) {
  const bool zero = m->tell == HEDDLE_TELL_NOTHING;
  if (zero) memset(b->shared, 0, m->shared_room);
  memset(b->shared_defined, zero ? 0xff : 0, m->shared_room);
  free(b->shared_from);
  b->shared_from = NULL;
}

void marks_free(struct heddle_model *m) {
  for (unsigned i = 0; i < m->warp_slots && m->warp != NULL; i++) free(m->warp[i].marks);
}

/* Until now nothing of the warp was partly defined. */
bool marks_open(struct heddle_model *m, struct warp *w) {
  if (w->marked) return true;
  if (w->marks == NULL) w->marks = malloc(sizeof *w->marks);
  if (w->marks == NULL) {
    (void)model_fail(m, HEDDLE_ERROR_HOST_MEMORY, "no memory for what is undefined");
    return false;
  }
  struct mark_file *f = w->marks;
  memset(f->bits, 0xff, m->launch.regs * sizeof f->bits[0]);
  memset(f->from, 0, m->launch.regs * sizeof f->from[0]);
  memset(f->bits[ROW_UR], 0xff, UREGS * sizeof f->bits[0]);
  memset(f->from[ROW_UR], 0, UREGS * sizeof f->from[0]);
  memset(f->pred_from, 0, sizeof f->pred_from);
  w->marked = true;
  return true;
}

/* ---- reading and setting them */

/* Marks of a word of a register or of a predicate in those of `lanes` that are not defined; others are left alone.
 * Whatever was never written is first read by the instruction at pc now. */
static void marks_of_row(struct warp *w, unsigned row, uint32_t lanes, uint32_t pc, uint32_t bits[HEDDLE_LANES],
                         uint64_t from[HEDDLE_LANES]) {
  for (uint32_t rest = lanes & ~w->defined[row]; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    uint64_t *f = &w->marks->from[row][i];
    if (*f == 0) *f = marks_origin(MARK_REGISTER, row, pc);
    bits[i] = w->marks->bits[row][i];
    from[i] = *f;
  }
}

void marks_of_source(struct warp *w, const struct dsrc *s, uint32_t lanes, uint32_t pc, struct mark_rows *out) {
  memset(out, 0, sizeof *out);
  for (unsigned k = 0; k < s->words && s->fixed == NULL; k++) {
    marks_of_row(w, s->row + k, lanes, pc, out->bits[k], out->from[k]);
    out->any = out->any || (lanes & ~w->defined[s->row + k]) != 0;
  }
}

void marks_of_predicate(struct warp *w, unsigned p, uint32_t lanes, uint32_t pc, uint64_t from[HEDDLE_LANES]) {
  for (uint32_t rest = lanes & ~w->pred_defined[p]; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    uint64_t *f = &w->marks->pred_from[p][i];
    if (*f == 0) *f = marks_origin(MARK_PREDICATE, p, pc);
    from[i] = *f;
  }
}

uint32_t marks_lanes(const struct mark_rows *r, unsigned word) {
  uint32_t lanes = 0;
  for (unsigned i = 0; i < HEDDLE_LANES; i++) lanes |= (uint32_t)(r->bits[word][i] != 0) << i;
  return lanes;
}

void marks_set(struct heddle_model *m, struct warp *w, unsigned row, unsigned words, uint32_t lanes,
               const struct mark_rows *r) {
  memset(w->settled, 0, sizeof w->settled);
  for (unsigned k = 0; k < words; k++) {
    const uint32_t bad = lanes & marks_lanes(r, k);
    w->defined[row + k] = (w->defined[row + k] | lanes) & ~bad;
    for (uint32_t rest = bad; rest != 0; rest &= rest - 1) {
      const unsigned i = lowest_lane(rest);
      if (w->marks->bits[row + k][i] != r->bits[k][i]) m->watch.on = false;
      w->marks->bits[row + k][i] = r->bits[k][i];
      w->marks->from[row + k][i] = r->from[k][i] != 0 ? r->from[k][i] : marks_origin(MARK_FORGOTTEN, 0, 0);
    }
  }
}

void marks_set_predicate(struct warp *w, unsigned p, uint32_t lanes, uint32_t bad, const uint64_t from[HEDDLE_LANES]) {
  if (p == PRED_SINK) return;
  memset(w->settled, 0, sizeof w->settled);
  w->pred_defined[p] = (w->pred_defined[p] | lanes) & ~(bad & lanes);
  for (uint32_t rest = bad & lanes; rest != 0; rest &= rest - 1)
    w->marks->pred_from[p][lowest_lane(rest)] = from[lowest_lane(rest)];
}

/* ---- uses */

/* Operands that decide something wherever they are undefined, as bits. (R2P has another one: marks_flow.c.) */
static unsigned deciding(const struct dop *op) {
  if (op->kind == DOP_CONTROL) return 7;
  if (op->kind != DOP_MEMORY) return 0;
  if (op->access == SEM_COPY) return 3; /* two addresses */
  return op->access == SEM_LOAD || op->access == SEM_STORE || op->access == SEM_LOAD_MATRIX ? 1 : 7;
}

static enum heddle_error use_of_register(struct heddle_model *m, struct warp *w, const struct dop *op, unsigned k,
                                         uint32_t lanes) {
  const struct dsrc *s = &op->src[k];
  for (unsigned i = 0; i < s->words && s->fixed == NULL; i++) {
    const uint32_t bad = lanes & ~w->defined[s->row + i];
    uint32_t bits[HEDDLE_LANES];
    uint64_t from[HEDDLE_LANES];
    char what[40], name[8];
    if (bad == 0) continue;
    if (!marks_open(m, w)) return HEDDLE_ERROR_HOST_MEMORY;
    marks_of_row(w, s->row + i, bad, w->pc, bits, from);
    snprintf(what, sizeof what, "%s (operand %c)", row_name(s->row + i, name, sizeof name), (char)('a' + k));
    return marks_tell(m, w, w->seq, w->pc, bad, what, from[lowest_lane(bad)]);
  }
  return HEDDLE_SUCCESS;
}

static enum heddle_error use_of_predicate(struct heddle_model *m, struct warp *w, unsigned p, uint32_t lanes,
                                          const char *as) {
  const uint32_t bad = lanes & ~w->pred_defined[p];
  uint64_t from[HEDDLE_LANES];
  char what[24], name[8];
  if (bad == 0) return HEDDLE_SUCCESS;
  if (!marks_open(m, w)) return HEDDLE_ERROR_HOST_MEMORY;
  marks_of_predicate(w, p, bad, w->pc, from);
  snprintf(what, sizeof what, "%s%s", as, pred_name(p, name, sizeof name));
  return marks_tell(m, w, w->seq, w->pc, bad, what, from[lowest_lane(bad)]);
}

enum heddle_error marks_uses(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec) {
  const bool matrix = op->kind == DOP_MEMORY && op->access == SEM_LOAD_MATRIX;
  const uint32_t lanes = matrix ? exec & matrix_lanes(op) : exec;
  enum heddle_error s = HEDDLE_SUCCESS;
  for (unsigned k = 0; k < 3 && s == HEDDLE_SUCCESS; k++)
    if ((deciding(op) >> k & 1) != 0) s = use_of_register(m, w, op, k, lanes);
  for (unsigned k = 0; k < 3 && s == HEDDLE_SUCCESS && op->kind == DOP_CONTROL; k++)
    s = use_of_predicate(m, w, op->ps[k], lanes, "");
  return s;
}

enum heddle_error marks_guard(struct heddle_model *m, struct warp *w, const struct dop *op) {
  return use_of_predicate(m, w, op->guard, issue_lanes(w, op), "guard ");
}

/* Marks of memory: loads and stores that carry them, global memory, and what the host would read. */

/* ---- global memory */

/* Who brought them, to name a line when some are left: the first store of each program counter, and where it went. */
static void note_store(struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t seq, uint32_t pc,
                       uint32_t lanes, const uint64_t addr[HEDDLE_LANES]) {
  struct mark_store *s = m->now.mark_store, *end = s + m->now.mark_stores;
  while (s < end && s->from.pc != pc) s++;
  if (s == end) {
    if (m->now.mark_stores == MARK_STORES) return;
    m->now.mark_stores++;
    *s = (struct mark_store){.lowest = UINT64_MAX, .from = {.warp_in_block = w->index, .seq = seq, .pc = pc}};
    s->from.lanes = lanes;
    memcpy(s->from.ctaid, w->block->ctaid, sizeof s->from.ctaid);
  }
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const uint64_t a = addr[lowest_lane(rest)];
    if (a < s->lowest) s->lowest = a;
    if (a + op->bytes > s->highest) s->highest = a + op->bytes;
  }
}

static enum heddle_error make_window(struct heddle_model *m) {
  if (m->global_defined != NULL) return HEDDLE_SUCCESS;
  m->global_defined = malloc(m->bytes + 1);
  if (m->global_defined == NULL) return model_fail(m, HEDDLE_ERROR_HOST_MEMORY, "no memory for what is undefined");
  memset(m->global_defined, 0xff, m->bytes);
  memory_windows(m);
  return HEDDLE_SUCCESS;
}

enum heddle_error marks_open_global(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t seq,
                                    uint32_t pc, uint32_t lanes, const uint64_t addr[HEDDLE_LANES],
                                    const struct mark_rows *marks) {
  const uint32_t in = lanes_in(op, ISA_SPACE_GLOBAL, lanes, addr);
  uint32_t bad = 0;
  for (unsigned k = 0; k < 4; k++) bad |= in & marks_lanes(marks, k);
  if (bad == 0) return HEDDLE_SUCCESS;
  const unsigned i = lowest_lane(bad);
  uint64_t from = 0;
  for (unsigned k = 4; k-- > 0;) from = marks->bits[k][i] != 0 ? marks->from[k][i] : from;
  if (m->queue != NULL || m->tell == HEDDLE_TELL_STORES) { /* of several threads one begins again, and tells */
    (void)marks_tell(m, w, seq, pc, bad, "data for global memory", from);
    m->undefined.has_addr = true;
    m->undefined.addr = addr[i];
    return HEDDLE_ERROR_UNDEFINED;
  }
  const enum heddle_error s = make_window(m);
  if (s == HEDDLE_SUCCESS) note_store(m, w, op, seq, pc, in, addr);
  return s;
}

/* The store that brought the byte, if it is still known. */
static struct heddle_undefined who_stored(const struct heddle_model *m, uint64_t addr) {
  for (unsigned i = 0; i < m->now.mark_stores; i++)
    if (addr >= m->now.mark_store[i].lowest && addr < m->now.mark_store[i].highest) return m->now.mark_store[i].from;
  return (struct heddle_undefined){.pc = UINT32_MAX};
}

/* Of one lane's store: where what it brings arose, of each word that has some. */
static void note_words(uint64_t *from, size_t place, size_t stride, const struct mark_rows *marks, unsigned lane) {
  for (unsigned k = 0; k < 4; k++)
    if (marks->bits[k][lane] != 0) from[(place + k * stride) / 4] = marks->from[k][lane];
}

/* The origins of a space, made when the first ones come. NULL: no memory for them; then nobody knows. */
static uint64_t *origins(struct heddle_model *m, struct warp *w, unsigned space) {
  uint64_t **at = space == ISA_SPACE_GLOBAL   ? &m->global_from
                  : space == ISA_SPACE_SHARED ? &w->block->shared_from
                                              : &w->local_from;
  const size_t bytes = space == ISA_SPACE_GLOBAL   ? m->bytes
                       : space == ISA_SPACE_SHARED ? m->launch.shared_bytes
                                                   : (size_t)m->launch.local_bytes * HEDDLE_LANES;
  if (*at == NULL) *at = calloc(bytes / 4 + 1, sizeof **at);
  return *at;
}

void marks_stored(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t lanes,
                  const uint64_t addr[HEDDLE_LANES], const struct mark_rows *marks) {
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest), space = space_of(op, addr[i]);
    if ((marks->bits[0][i] | marks->bits[1][i] | marks->bits[2][i] | marks->bits[3][i]) == 0) continue;
    uint64_t *from = origins(m, w, space);
    const size_t stride = space == ISA_SPACE_LOCAL ? 4 * HEDDLE_LANES : 4;
    if (from != NULL) note_words(from, memory_place(m, w, op, i, addr[i]), stride, marks, i);
  }
}

/* Of a word at `place` whose byte at address `at` is undefined. */
static uint64_t origin_at(const struct heddle_model *m, const struct warp *w, unsigned space, size_t place, uint64_t at,
                          uint32_t pc) {
  const uint64_t *all = space == ISA_SPACE_GLOBAL   ? m->global_from
                        : space == ISA_SPACE_SHARED ? w->block->shared_from
                                                    : w->local_from;
  if (all != NULL && all[place / 4] != 0) return all[place / 4];
  if (space == ISA_SPACE_GLOBAL) return marks_origin(MARK_FORGOTTEN, 0, 0);
  return marks_origin(space == ISA_SPACE_SHARED ? MARK_SHARED : MARK_LOCAL, (uint32_t)at, pc);
}

/* Of the first of those bits in one lane's access. */
static uint64_t marks_origin_of_bytes(const struct heddle_model *m, const struct warp *w, const struct dop *op,
                                      uint32_t pc, unsigned lane, uint64_t addr) {
  uint64_t all[HEDDLE_LANES];
  uint8_t defined[HEDDLE_LANES][16];
  const unsigned space = space_of(op, addr);
  const size_t stride = space == ISA_SPACE_LOCAL ? 4 * HEDDLE_LANES : 4;
  all[lane] = addr;
  memory_marks(m, w, op, 1u << lane, all, defined);
  unsigned k = 0;
  while (k + 1 < op->bytes && defined[lane][k] == 0xff) k++;
  return origin_at(m, w, space, memory_place(m, w, op, lane, addr) + k / 4 * stride, addr + k, pc);
}

/* The first byte of which a bit is 0, or NULL. */
static const uint8_t *undefined_byte(const uint8_t *at, uint64_t bytes) {
  uint64_t i = 0;
  while (i < bytes && at[i] == 0xff) i++;
  return i < bytes ? at + i : NULL;
}

/* In an address space all that lies in memory is the host's to read. */
enum heddle_error marks_at_end(struct heddle_model *m) {
  const struct heddle_region all = {m->base, m->base + m->bytes, true};
  const unsigned regions = m->pages != NULL ? 1 : m->launch.regions;
  for (unsigned r = 0; r < regions && m->global_defined != NULL; r++) {
    const struct heddle_region *g = m->pages != NULL ? &all : &m->launch.region[r];
    const uint8_t *at = m->global_defined + (g->base - m->base);
    const uint8_t *bad = g->writable ? undefined_byte(at, g->limit - g->base) : NULL;
    if (bad == NULL) continue;
    struct heddle_undefined *u = &m->undefined;
    const uint64_t addr = g->base + (uint64_t)(bad - at), word = (addr - m->base) / 4;
    *u = who_stored(m, addr);
    u->has_addr = true;
    u->addr = addr;
    u->at_end = true;
    memcpy(u->what, "memory that the host reads", sizeof "memory that the host reads");
    (void)model_fail(m, HEDDLE_ERROR_UNDEFINED,
                     "undefined_read: the byte at 0x%llx is undefined when the grid ends, and the host reads it",
                     (unsigned long long)addr);
    const enum heddle_error s = marks_tell_origin(m, m->global_from != NULL ? m->global_from[word] : 0);
    if (m->observer.undefined == NULL || !m->observer.undefined(m->observer.ctx, u)) return s;
    m->diag[0] = '\0';
  }
  return HEDDLE_SUCCESS;
}

const uint8_t *heddle_model_defined(const struct heddle_model *m) {
  return m->global_defined;
}

void heddle_model_written(struct heddle_model *m, uint64_t at, uint64_t bytes) {
  m->watch.on = false; /* memory has changed */
  if (m->global_defined == NULL || at < m->base || at - m->base > m->bytes) return;
  const uint64_t from = at - m->base, room = m->bytes - from;
  memset(m->global_defined + from, 0xff, bytes < room ? bytes : room);
}

enum heddle_error heddle_model_end(struct heddle_model *m) {
  return marks_at_end(m);
}

/* ---- stores */

enum heddle_error marks_of_store(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t exec,
                                 struct mark_rows *out) {
  if (!marks_open(m, w)) return HEDDLE_ERROR_HOST_MEMORY;
  marks_of_source(w, &op->src[1], exec, w->pc, out);
  for (unsigned i = 0; i < HEDDLE_LANES && op->bytes < 4; i++) out->bits[0][i] &= ~(~0u << 8 * op->bytes);
  out->any = false;
  for (unsigned k = 0; k < op->src[1].words; k++) out->any = out->any || marks_lanes(out, k) != 0;
  return HEDDLE_SUCCESS;
}

/* ---- loads */

/* The undefined bits of the words of an access, as the load would have extended them. */
static void lane_marks(const struct dop *op, const uint8_t defined[16], unsigned lane, struct mark_rows *out) {
  const bool top = op->bytes < 4 && (defined[op->bytes - 1] & 0x80) == 0;
  const bool sign = op->size == SEM_S8 || op->size == SEM_S16;
  for (unsigned k = 0; k < op->bytes; k++) out->bits[k / 4][lane] |= (uint32_t)(uint8_t)~defined[k] << 8 * (k % 4);
  if (top && sign) out->bits[0][lane] |= ~0u << 8 * op->bytes;
}

/* Where they arose: of each word, at its first such byte. */
static void lane_origins(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t pc,
                         unsigned lane, uint64_t addr, struct mark_rows *out) {
  const unsigned space = space_of(op, addr);
  const size_t place = memory_place(m, w, op, lane, addr), stride = space == ISA_SPACE_LOCAL ? 4 * HEDDLE_LANES : 4;
  for (unsigned k = 0; k < 4; k++) {
    const uint32_t bits = out->bits[k][lane];
    if (bits == 0) continue;
    const unsigned byte = 4 * k + (unsigned)__builtin_ctz(bits) / 8;
    out->from[k][lane] = origin_at(m, w, space, place + k * stride, addr + byte, pc);
    out->any = true;
  }
}

void marks_load(struct heddle_model *m, struct warp *w, const struct dop *op, uint32_t pc, uint32_t lanes,
                const uint64_t addr[HEDDLE_LANES], const struct rows_of *r, struct mark_rows *out) {
  uint8_t defined[HEDDLE_LANES][16];
  memset(out, 0, sizeof *out);
  memory_load(m, w, op, lanes, addr, r);
  memory_marks(m, w, op, lanes, addr, defined);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    lane_marks(op, defined[i], i, out);
    lane_origins(m, w, op, pc, i, addr[i], out);
  }
}

/* Of one origin all: that of the first row with a mark. */
void marks_spread(const struct dop *op, const struct mark_rows *rows, struct mark_rows *out) {
  uint64_t from = 0;
  for (unsigned i = 0; i < HEDDLE_LANES && from == 0; i++)
    for (unsigned k = 0; k < 4 && from == 0; k++) from = rows->bits[k][i] != 0 ? rows->from[k][i] : 0;
  memset(out, 0, sizeof *out);
  matrix_spread(op, rows->bits, out->bits);
  for (unsigned k = 0; k < 4; k++)
    for (unsigned i = 0; i < HEDDLE_LANES; i++) out->from[k][i] = from;
  out->any = rows->any;
}

uint32_t marks_in_memory(const struct heddle_model *m, const struct warp *w, const struct dop *op, uint32_t lanes,
                         const uint64_t addr[HEDDLE_LANES], uint8_t (*defined)[16]) {
  uint32_t bad = 0;
  memory_marks(m, w, op, lanes, addr, defined);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned i = lowest_lane(rest);
    if (undefined_byte(defined[i], op->bytes) != NULL) bad |= 1u << i;
  }
  return bad;
}
