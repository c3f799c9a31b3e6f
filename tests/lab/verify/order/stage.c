/* SPDX-License-Identifier: Apache-2.0
 *
 * A stream, record by record: stage.h.
 */
#include "stage.h"

#include <assert.h>
#include <string.h>

#include <heddle/trace.h>
#include "cosim/kit/conform/set.h"

static const char text[] = ".kernel stage\n"
                           ".param u64 in\n"
                           ".shared buf 1024\n"
                           ".local 64\n"
                           "        LDG.E R8, [R4] ;\n"
                           "        LDG.E.STRONG.GPU R8, [R4] ;\n"
                           "        STG.E [R4], R9 ;\n"
                           "        ATOMG.E.ADD R8, [R4], R9 ;\n"
                           "        RED.E.ADD [R4], R9 ;\n"
                           "        BAR.SYNC 0x0 ;\n"
                           "        MEMBAR.CTA ;\n"
                           "        MEMBAR.GPU ;\n"
                           "        CCTL.E.IVALL [R4] ;\n"
                           "        LDL R8, [R4] ;\n"
                           "        STL [R4], R9 ;\n"
                           "        STS [R4], R9 ;\n"
                           "        EXIT ;\n"
                           "        MOV R4, R4 ;\n"
                           ".end\n";

static struct heddle_retire_record *add(struct stage *st, enum heddle_record_kind kind) {
  const struct heddle_retire_record r = {.kind = kind, .cycle = ++st->cycle};
  stream_insert(&st->s, st->s.n, &r);
  return &st->s.r[st->s.n - 1];
}

static struct heddle_record_id id_of(unsigned slot, uint32_t seq) {
  return (struct heddle_record_id){.slot = (uint8_t)slot, .gen = 1, .seq = seq};
}

void stage_open(struct stage *st, unsigned blocks, unsigned warps) {
  *st = (struct stage){.blocks = blocks, .warps = warps, .sectors = 64, .promises = HEDDLE_CHECKER_CACHE_CLOSES};
  st->hidden = HEDDLE_RECORD_HIDDEN_P2;
  fake_assemble_long(&st->program, text, blocks, warps * 32);
  for (unsigned n = 0; n < STAGE_WORDS; n++) st->before[n] = st->memory[n] = 0x01010101u * (n + 1);
  for (unsigned b = 0; b < blocks; b++) {
    add(st, HEDDLE_RECORD_BLOCK_START)->u.block_start =
        (struct heddle_record_block_start){.warps = ((UINT64_C(1) << warps) - 1) << b * warps,
                                           .ctaid = {b, 0, 0},
                                           .shared_base = b * 1024,
                                           .bslot = (uint8_t)b};
    for (unsigned w = 0; w < warps; w++)
      add(st, HEDDLE_RECORD_WARP_START)->u.warp_start =
          (struct heddle_record_warp_start){.id = id_of(b * warps + w, 0), .bslot = (uint8_t)b};
  }
}

void stage_close(struct stage *st) {
  stream_free(&st->s);
  fake_program_free(&st->program);
}

bool stage_accesses(enum stage_op op) {
  return op <= STAGE_REDUCE;
}

bool stage_gives(enum stage_op op) {
  return op == STAGE_LOAD || op == STAGE_STRONG || op == STAGE_ATOMIC || op == STAGE_LOCAL_LOAD;
}

/* ---- instructions ---- */

static void row(struct heddle_record_operands *o, unsigned k, unsigned index, uint32_t value, unsigned lane) {
  o->used = (uint8_t)(o->used | 1u << k);
  o->index[k] = (uint8_t)index;
  o->data[k][lane] = value;
}

static void operands(struct stage *st, unsigned slot, uint32_t seq, enum stage_op op, uint32_t exec,
                     const uint32_t *addr, const uint32_t *data) {
  struct heddle_record_operands *o = &add(st, HEDDLE_RECORD_OPERANDS_MEMORY)->u.operands;
  *o = (struct heddle_record_operands){.id = id_of(slot, seq), .mask = exec};
  for (uint32_t rest = exec; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    row(o, 0, 0, addr[l] * 4 + (stage_accesses(op) ? FAKE_BASE : 0), l);
    row(o, 1, 1, 0, l);
    if (data != NULL) row(o, 2, 2, data[l], l);
  }
}

static void move(struct stage *st, unsigned slot, uint32_t seq, unsigned rd, uint32_t exec, const uint32_t *value) {
  struct heddle_record_write *w = &add(st, HEDDLE_RECORD_WRITE)->u.write;
  *w = (struct heddle_record_write){.id = id_of(slot, seq), .mask = exec, .rd = (uint8_t)rd};
  memcpy(w->data, value, sizeof w->data);
}

/* R4 and R5 are addresses, R9 data: a trace that shows no operands shows these. */
static void prepare(struct stage *st, unsigned slot, enum stage_op op, uint32_t exec, const uint32_t *addr,
                    const uint32_t *data) {
  uint32_t at[32] = {0}, high[32] = {0};
  const uint32_t seq = stage_issue(st, slot, STAGE_MOVE, ~0u, NULL, NULL);
  for (unsigned l = 0; l < 32; l++)
    if ((exec >> l & 1u) != 0) at[l] = addr[l] * 4 + (stage_accesses(op) ? FAKE_BASE : 0);
  move(st, slot, seq, 4, exec, at);
  move(st, slot, seq, 5, exec, high);
  if (data != NULL) move(st, slot, seq, 9, exec, data);
}

uint32_t stage_issue(struct stage *st, unsigned slot, enum stage_op op, uint32_t exec, const uint32_t *addr,
                     const uint32_t *data) {
  const uint32_t pc = st->program.launch.entry_pc + 16u * op;
  if (addr != NULL) prepare(st, slot, op, exec, addr, data);
  struct heddle_record_issue *i = &add(st, HEDDLE_RECORD_ISSUE)->u.issue;
  assert(pc + 16 <= st->program.launch.code_bytes);
  *i = (struct heddle_record_issue){.id = id_of(slot, st->seq[slot]++), .pc = pc, .active = ~0u, .exec = exec};
  memcpy(i->word, st->program.launch.code + pc, 16);
  const uint32_t seq = i->id.seq;
  if (addr != NULL) operands(st, slot, seq, op, exec, addr, data);
  return seq;
}

void stage_block_end(struct stage *st, unsigned block) {
  add(st, HEDDLE_RECORD_BLOCK_END)->u.block_end = (struct heddle_record_block_end){.bslot = (uint8_t)block};
}

void stage_trap(struct stage *st, unsigned slot, uint32_t seq, unsigned cause) {
  add(st, HEDDLE_RECORD_TRAP)->u.trap =
      (struct heddle_record_trap){.id = id_of(slot, seq), .lanes = 1, .cause = (uint8_t)cause};
}

void stage_barrier(struct stage *st, unsigned block) {
  add(st, HEDDLE_RECORD_BARRIER)->u.barrier = (struct heddle_record_barrier){.bslot = (uint8_t)block};
}

void stage_write(struct stage *st, unsigned slot, uint32_t seq, uint32_t lanes, const uint32_t *value) {
  struct heddle_record_write *w = &add(st, HEDDLE_RECORD_WRITE)->u.write;
  *w = (struct heddle_record_write){.id = id_of(slot, seq), .mask = lanes, .rd = 8};
  memcpy(w->data, value, sizeof w->data);
}

/* ---- the cache ---- */

void stage_fill(struct stage *st, uint64_t sector, uint32_t number, bool local) {
  add(st, HEDDLE_RECORD_FILL)->u.fill =
      (struct heddle_record_fill){.sector = sector, .stamp = st->cycle, .number = number, .is_local = local};
}

void stage_visit(struct stage *st, enum heddle_record_kind kind, unsigned slot, uint32_t seq, uint64_t line,
                 const struct stage_visit *v, bool local) {
  struct heddle_record_merge *m = &add(st, kind)->u.merge;
  *m = (struct heddle_record_merge){.id = id_of(slot, seq),
                                    .line = line,
                                    .lanes = v->lanes,
                                    .used = v->used,
                                    .access = local ? HEDDLE_RECORD_LOCAL_LOAD : HEDDLE_RECORD_LOAD};
  memcpy(m->number, v->number, sizeof m->number);
}

void stage_drop(struct stage *st, unsigned slot, uint32_t seq, uint64_t line, unsigned sectors,
                enum heddle_record_cause cause) {
  add(st, HEDDLE_RECORD_DROP)->u.drop = (struct heddle_record_drop){
      .id = id_of(slot, seq), .line = line, .sectors = (uint8_t)sectors, .cause = (uint8_t)cause};
}

void stage_drop_own(struct stage *st, unsigned slot, uint32_t seq, uint64_t line, enum heddle_record_cause cause) {
  add(st, HEDDLE_RECORD_DROP)->u.drop = (struct heddle_record_drop){
      .id = id_of(slot, seq), .line = line, .sectors = 1, .is_local = 1, .cause = (uint8_t)cause};
}

void stage_drop_local(struct stage *st, uint64_t line) {
  add(st, HEDDLE_RECORD_DROP)->u.drop =
      (struct heddle_record_drop){.line = line, .sectors = 0xf, .is_local = 1, .cause = HEDDLE_RECORD_DROP_REPLACED};
}

void stage_drop_all(struct stage *st, unsigned slot, uint32_t seq, enum heddle_record_cause cause) {
  add(st, HEDDLE_RECORD_DROP)->u.drop =
      (struct heddle_record_drop){.id = id_of(slot, seq), .all = 1, .cause = (uint8_t)cause};
}

void stage_ack(struct stage *st, unsigned slot, uint32_t seq, uint64_t line) {
  add(st, HEDDLE_RECORD_ACK)->u.ack = (struct heddle_record_ack){.id = id_of(slot, seq), .line = line};
}

void stage_fence(struct stage *st, unsigned slot, uint32_t seq, enum heddle_record_scope scope) {
  add(st, HEDDLE_RECORD_FENCE)->u.fence = (struct heddle_record_fence){.id = id_of(slot, seq), .scope = (uint8_t)scope};
}

/* ---- memory ---- */

void stage_shared(struct stage *st, unsigned slot, uint32_t seq, uint32_t word, uint32_t value) {
  const uint32_t at = slot / st->warps * 256 + word;
  struct heddle_record_shared *s = &add(st, HEDDLE_RECORD_SHARED)->u.shared;
  *s = (struct heddle_record_shared){
      .id = id_of(slot, seq), .lanes = 1, .bank_en = 1u << at % 32, .access = HEDDLE_RECORD_STORE};
  s->row[at % 32] = (uint16_t)(at / 32);
  s->wdata[at % 32] = value;
  s->wstrb[at % 32] = 0xf;
}

void stage_global(struct stage *st, unsigned slot, uint32_t seq, enum stage_op op, uint64_t sector, uint32_t lanes,
                  const uint32_t *addr, const uint32_t *data, uint32_t *old) {
  uint32_t *at = &st->memory[(sector - STAGE_SECTOR0) * 8];
  struct heddle_record_global *g = &add(st, HEDDLE_RECORD_GLOBAL)->u.global;
  const bool load = op == STAGE_STRONG, store = op == STAGE_STORE;
  *g = (struct heddle_record_global){.id = id_of(slot, seq), .sector = sector, .stamp = st->cycle, .lanes = lanes};
  g->access = load ? HEDDLE_RECORD_LOAD : store ? HEDDLE_RECORD_STORE : HEDDLE_RECORD_ATOMIC;
  if (!store) memcpy(g->rdata, at, 32);
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    uint32_t *word = &at[addr[l] % 8];
    old[l] = *word;
    if (load) continue;
    *word = store ? data[l] : *word + data[l];
    g->wstrb |= 0xfu << 4 * (addr[l] % 8);
  }
  if (!load) memcpy(g->wdata, at, 32);
}

void stage_local(struct stage *st, unsigned slot, uint32_t seq, uint32_t word, uint32_t lanes, const uint32_t *data) {
  struct heddle_record_global *g = &add(st, HEDDLE_RECORD_GLOBAL)->u.global;
  *g = (struct heddle_record_global){.id = id_of(slot, seq),
                                     .sector = (((uint64_t)slot << 18) + word) * 4,
                                     .stamp = st->cycle,
                                     .lanes = lanes,
                                     .access = HEDDLE_RECORD_LOCAL_STORE};
  for (uint32_t rest = lanes; rest != 0; rest &= rest - 1) {
    const unsigned l = (unsigned)__builtin_ctz(rest);
    memcpy(g->wdata + 4 * l, &data[l], 4);
    g->wstrb |= 0xfu << 4 * l;
  }
}

/* ---- the trace ---- */

enum order_outcome stage_judge(const struct stage *st, const char *path, const char *list, struct order_result *r) {
  uint64_t cycle = 0;
  uint64_t noise = 1;
  struct stream s;
  const struct heddle_trace_header h = {.size = sizeof h,
                                        .isa_hash = heddle_isa_hash(),
                                        .lanes = 32,
                                        .warp_slots = 16,
                                        .bus_errors = st->errors,
                                        .block_slots = 4,
                                        .shared_bytes = 4096,
                                        .hidden = st->hidden,
                                        .cache_sectors = st->sectors,
                                        .cache_promises = st->promises,
                                        .config = "test",
                                        .command = "none"};
  struct heddle_trace_writer *w;
  enum heddle_error e = heddle_trace_create(path, &h, &w, NULL);
  assert(e == HEDDLE_SUCCESS);
  (void)heddle_trace_launch(w, &st->program.launch, FAKE_BASE, (const uint8_t *)st->before, sizeof st->before, NULL);
  stream_copy(&s, &st->s);
  conform_hide(&s, st->hidden, &noise);
  for (size_t i = 0; i < s.n; i++) {
    struct heddle_retire_record rec = s.r[i];
    if (rec.cycle < cycle) rec.cycle = cycle; /* a record that was moved comes in the cycle of those around it */
    cycle = rec.cycle;
    (void)heddle_trace_record(w, &rec, NULL);
  }
  stream_free(&s);
  (void)heddle_trace_launch_end(w, (const uint8_t *)st->memory, cycle, NULL);
  e = heddle_trace_close(w, NULL); /* an error of all the calls before, too */
  assert(e == HEDDLE_SUCCESS);
  const struct order_options o = {.write_list = list};
  return order_check(path, &o, r);
}
