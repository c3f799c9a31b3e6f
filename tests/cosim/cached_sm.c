/* SPDX-License-Identifier: Apache-2.0
 *
 * An SM with an L1, played at random. Accesses pass in the order of their warp; what goes to memory keeps the order of
 * its line and no other; answers come back in the order of their line.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "tests/cosim/cached_sm_internal.h"
#include <heddle/isa_tables.h>
#include "base/splitmix64.h"

static const char *const names[SM_FAULTS] = {
    "right",           "store_keeps",     "atomic_keeps",    "strong_keeps",   "fence_keeps",   "fence_joins",
    "joins_overtaken", "overtaken_stays", "fill_overtakes",  "fence_early",    "fence_unacked", "fence_loads",
    "cta_early",       "bar_early",       "ack_early",       "ack_twice",      "ack_lost",      "fill_twice",
    "number_skips",    "wrong_copy",      "replaced_silent", "reads_replaced", "drop_silent"};

const char *sm_fault_name(enum sm_fault f) {
  return names[f];
}

unsigned sm_draw(struct sm *m, unsigned below) {
  return (unsigned)(splitmix64(&m->rng) >> 33) % below;
}

/* Is the thing to be done now? */
bool sm_wrong(struct sm *m, enum sm_fault f, unsigned one_in) {
  if (m->fault != f || sm_draw(m, one_in) != 0) return false;
  m->out->planted = true;
  return true;
}

/* ---- the program */

static void put_memory(struct sm *m, FILE *f, unsigned reg) {
  static const char *const what[] = {"LDG.E R%u, [R2+0x%x]",
                                     "LDG.E R%u, [R2+0x%x]",
                                     "LDG.E R%u, [R2+0x%x]",
                                     "LDG.E.U8 R%u, [R4+0x%x]",
                                     "LDG.E.STRONG.GPU R%u, [R2+0x%x]",
                                     "ATOMG.E.ADD R%u, [R2+0x%x], R7"};
  const unsigned line = sm_draw(m, LINES);
  const unsigned at = 128 * line + (sm_draw(m, 5) == 0 ? 64 : 0);
  static const char *const guard[] = {"", "", "@P0 ", "@!P0 "};
  fputs(guard[sm_draw(m, 4)], f);
  if (sm_draw(m, 3) == 0)
    fprintf(f, "STG.E%s [R2+0x%x], R7 ;\n", sm_draw(m, 4) == 0 ? ".STRONG.GPU" : "", at);
  else
    fprintf(f, what[sm_draw(m, 6)], reg, at), fputs(" ;\n", f);
}

char *sm_program(struct sm *m, bool sharing) {
  char *text = NULL;
  size_t bytes;
  FILE *f = open_memstream(&text, &bytes);
  fputs(".kernel k\n.param u64 in\n.param u64 out\n.local 16\nS2R R0, SR_LANEID ;\nS2R R1, SR_TID.X ;\n"
        "MOV R2, c[0x0][in] ;\nMOV R3, c[0x0][in+4] ;\nIADD3 R4, R2, R0, RZ ;\nMOV R5, R3 ;\n"
        "IMAD.WIDE R2, R0, 0x4, R2 ;\nISETP.GT.U32.AND P0, PT, R0, 0xc, PT ;\nIADD3 R7, R1, 0x100, RZ ;\n",
        f);
  for (unsigned i = 0; i < LENGTH; i++) {
    const unsigned k = sharing && sm_draw(m, 5) == 0 ? 13 : sm_draw(m, 20);
    if (k < 13)
      put_memory(m, f, 10 + i % 8);
    else if (k == 13)
      fprintf(f, "MEMBAR.%s ;\n", sm_draw(m, 3) == 0 ? "CTA" : "GPU");
    else if (k == 14 || k == 15)
      fputs("BAR.SYNC 0x0 ;\n", f);
    else if (k == 16)
      fprintf(f, "STL [RZ+0x%x], R7 ;\n", 4 * sm_draw(m, 3));
    else if (k == 17)
      fprintf(f, "LDL R18, [RZ+0x%x] ;\n", 4 * sm_draw(m, 3));
    else
      fputs("IADD3 R7, R7, 0x135, R0 ;\n", f);
  }
  fputs("EXIT ;\n.end\n", f);
  fclose(f);
  return text;
}

/* ---- fences and barriers */

static bool answered(const struct sm *m, unsigned warp) {
  for (unsigned i = 0; i < CACHED_OPEN; i++)
    if (m->x->insn[warp][i].open) return false;
  return true;
}

/* The warp's accesses, but for those to local memory, have been performed. */
static bool performed(const struct sm *m, unsigned warp) {
  for (unsigned i = 0; i < CACHED_OPEN; i++)
    if (m->x->insn[warp][i].open && m->x->insn[warp][i].local == 0) return false;
  return true;
}

/* What a barrier and a fence of the block wait for; `early`: only until all has passed. */
static bool block_ready(struct sm *m, unsigned warp, enum sm_fault early) {
  return performed(m, warp) || (m->warp[warp].queued == 0 && sm_wrong(m, early, 1));
}

static bool fence_ready(struct sm *m, unsigned warp) {
  const struct sm_warp *w = &m->warp[warp];
  if (w->scope == HEDDLE_RECORD_SCOPE_CTA) return block_ready(m, warp, SM_CTA_EARLY);
  if (w->queued != 0) return false;
  if (!answered(m, warp) && !sm_wrong(m, SM_FENCE_LOADS, 1)) return false;
  for (unsigned n = 0; n < m->ops; n++) {
    const struct op *o = &m->op[n];
    if (!o->writes || (o->pass > w->fence_pass && o->warp != warp)) continue;
    if (o->kind == OP_ACK ? !sm_wrong(m, SM_FENCE_UNACKED, 1) : !sm_wrong(m, SM_FENCE_EARLY, 1)) return false;
  }
  return true;
}

static void fence_done(struct sm *m, unsigned warp) {
  struct sm_warp *w = &m->warp[warp];
  if (!w->fence || !fence_ready(m, warp)) return;
  w->fence = false;
  m->out->fences++;
  if (w->scope == HEDDLE_RECORD_SCOPE_GPU) {
    const bool keeps = m->silent || sm_wrong(m, SM_FENCE_KEEPS, 1);
    for (unsigned i = 0; i < ROOM && !keeps; i++) m->place[i].valid = false;
    for (unsigned k = 0; k < REQUESTS && !m->silent && !sm_wrong(m, SM_FENCE_JOINS, 1); k++) m->request[k].closed = 15;
    if (m->silent) m->out->planted = true;
  }
  if (w->scope == HEDDLE_RECORD_SCOPE_GPU && !m->silent && (m->tells || sm_draw(m, 2) == 0)) {
    struct heddle_retire_record r = {.kind = HEDDLE_RECORD_DROP};
    r.u.drop = (struct heddle_record_drop){
        .id = cached_id(m->x, warp, w->fence_seq), .all = 1, .cause = HEDDLE_RECORD_DROP_FENCE};
    cached_show(m->x, &r);
  }
  cached_fence(m->x, warp, w->fence_seq, w->scope);
}

/* ---- warps */

/* A scoreboard: a register that is still to be written is written by nobody else. */
static bool awaited(const struct sm *m, unsigned warp, const struct heddle_isa_dec *d) {
  for (unsigned i = 0; i < CACHED_OPEN; i++) {
    const struct cached_insn *o = &m->x->insn[warp][i];
    if (o->open && o->rd_words != 0 && o->rd == d->rd) return true;
  }
  return false;
}

static bool next_op(const struct sm *m, unsigned warp, struct heddle_isa_dec *d) {
  struct heddle_standing st;
  struct heddle_isa_word word;
  uint32_t bytes;
  if (!heddle_warp_standing(m->x->m, warp, &st) || st.ended) return false;
  (void)heddle_isa_fetch(m->x->p.launch.code, st.pc, &word, &bytes);
  return heddle_isa_decode(word, d);
}

static void issue(struct sm *m, unsigned warp) {
  struct sm_warp *w = &m->warp[warp];
  if (m->x->ended[warp] || w->fence || w->queued == QUEUE || heddle_warp_waiting(m->x->m, warp)) return;
  struct heddle_isa_dec d;
  if (!next_op(m, warp, &d) || awaited(m, warp, &d)) return;
  const bool barrier = heddle_isa_instr_info((enum heddle_isa_op)d.op)->drains && d.op != ISA_OP_MEMBAR;
  if (barrier && !block_ready(m, warp, SM_BAR_EARLY)) return;
  const struct cached_insn *i = cached_issue(m->x, warp);
  if (m->x->pending) return;
  if (i != NULL) {
    w->passed[w->queued] = 0;
    w->queue[w->queued++] = i->seq;
    return;
  }
  if (m->x->fx.dec.op != ISA_OP_MEMBAR || m->x->fx.exec == 0) return;
  w->fence = true;
  w->fence_seq = m->x->fx.seq;
  w->scope = heddle_isa_get(m->x->fx.dec.word, ISA_F_SCOPE) == ISA_SCOPE_CTA ? HEDDLE_RECORD_SCOPE_CTA
                                                                             : HEDDLE_RECORD_SCOPE_GPU;
  w->fence_pass = m->pass;
}

bool sm_over(const struct sm *m) {
  bool all = m->ops == 0;
  for (unsigned w = m->first; w < m->first + m->warps; w++)
    all = all && m->x->ended[w] && m->warp[w].queued == 0 && answered(m, w);
  return all;
}

void sm_step(struct sm *m) {
  const unsigned w = m->first + sm_draw(m, m->warps);
  m->x->on = m->at;
  switch (sm_draw(m, 7)) {
  case 0:
  case 1:
    issue(m, w);
    break;
  case 2:
  case 3:
    sm_pass(m, w);
    break;
  case 4:
    fence_done(m, w);
    if (cached_barrier_on(m->x, m->at, 0, 0)) m->out->barriers++;
    break;
  default:
    sm_memory(m);
    break;
  }
}

static void judge(struct sm *m) {
  const struct heddle_checker_difference *d = heddle_checker_first(m->x->c);
  m->out->kind = d->kind;
  m->out->records = heddle_checker_statistics(m->x->c)->records;
  (void)snprintf(m->out->note, sizeof m->out->note, "%s: %s", d->subject, d->note);
}

void sm_run(uint64_t seed, enum sm_fault fault, uint32_t promises, struct sm_outcome *out) {
  static struct cached x;
  static struct sm m;
  memset(&m, 0, sizeof m);
  memset(&x, 0, sizeof x);
  memset(out, 0, sizeof *out);
  m.x = &x;
  m.rng = seed;
  m.fault = fault;
  m.out = out;
  m.tells = promises == 0;
  m.warps = 1 + sm_draw(&m, CACHED_WARPS);
  const struct heddle_checker_config cfg = {.cache_sectors = ROOM, .cache_promises = promises};
  char *text = sm_program(&m, false);
  cached_begin(&x, text, 1, 32 * m.warps, &cfg);
  free(text);
  for (unsigned n = 0; n < 200000 && x.ok && !sm_over(&m); n++) sm_step(&m);
  if (x.ok) {
    if (!sm_over(&m)) fail_msg("seed %llu: it does not end", (unsigned long long)seed);
    cached_block_end(&x, 0);
    cached_end(&x);
  }
  judge(&m);
  cached_free(&x);
}
