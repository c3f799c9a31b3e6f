/* SPDX-License-Identifier: Apache-2.0
 * Other control codes. */
#include "recode.h"

#include <stdio.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/hazard.h>
#include <heddle/isa_tables.h>
#include <heddle/lint.h>

unsigned recode_part(const char *name) {
  static const char *const names[] = {"stall", "yield", "wbar", "rbar", "wait", "reuse"};
  for (unsigned i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0) return 1u << i;
  return strcmp(name, "all") == 0 ? RECODE_ALL : 0;
}

/* ---- codes made anew, function by function as the compiler makes them */

static bool schedule_kernels(struct heddle_program *p, const struct recode *r, char *why, size_t size) {
  uint8_t stall[8];
  memset(stall, (int)r->stalls, sizeof stall);
  if (p->kernels == 0) return true;
  for (uint32_t i = 0; i < p->kernels; i++) {
    const uint32_t end = i + 1 < p->kernels ? p->kernel[i + 1].entry_pc : p->code_bytes;
    if (heddle_schedule(p, p->kernel[i].entry_pc, end, r->by_counters ? NULL : stall, NULL) == HEDDLE_SUCCESS) continue;
    snprintf(why, size, "%s: an illegal word in its code, or no memory: no codes can be made", p->kernel[i].name);
    return false;
  }
  return true;
}

/* ---- word by word */

static unsigned merged(unsigned counter, unsigned counters) {
  return counter < HEDDLE_HAZARD_COUNTERS ? counter % counters : counter;
}

static unsigned merged_waits(unsigned waits, unsigned counters) {
  unsigned out = 0;
  for (unsigned c = 0; c < HEDDLE_HAZARD_COUNTERS; c++)
    if (waits >> c & 1) out |= 1u << c % counters;
  return out;
}

static struct heddle_isa_word other_code(const struct heddle_isa_dec *d, const struct recode *r) {
  const struct heddle_isa_encoding *e = heddle_isa_encoding_info((enum heddle_isa_enc)d->enc);
  struct heddle_isa_ctl c = d->ctl;
  c.wbar = (uint8_t)(r->clear & RECODE_WBAR ? 7 : merged(c.wbar, r->counters));
  c.rbar = (uint8_t)(r->clear & RECODE_RBAR ? 7 : merged(c.rbar, r->counters));
  c.wait = (uint8_t)(r->clear & RECODE_WAIT ? 0 : merged_waits(c.wait, r->counters));
  if (r->clear & RECODE_STALL) c.stall = 1;
  if (r->clear & RECODE_YIELD) c.yield = false;
  if (r->yield_waits && c.wait != 0) c.yield = true;
  if (r->clear & RECODE_REUSE) c.reuse = 0;
  struct heddle_isa_word w = heddle_isa_put(d->word, (enum heddle_isa_field)e->stall, c.stall);
  w = heddle_isa_put(w, (enum heddle_isa_field)e->wbar, c.wbar);
  w = heddle_isa_put(w, (enum heddle_isa_field)e->rbar, c.rbar);
  w = heddle_isa_put(w, (enum heddle_isa_field)e->wait, c.wait);
  w = heddle_isa_put(w, (enum heddle_isa_field)e->yield, c.yield);
  return e->reuse == ISA_FIELD_NONE ? w : heddle_isa_put(w, (enum heddle_isa_field)e->reuse, c.reuse);
}

static void each_word(struct heddle_program *p, const struct recode *r) {
  struct heddle_isa_dec d;
  for (uint32_t pc = 0; pc + ISA_WORD_BYTES <= p->code_bytes; pc += ISA_WORD_BYTES)
    if (heddle_isa_decode(heddle_program_word(p, pc), &d)) heddle_isa_word_store(p->code + pc, other_code(&d, r));
}

/* DEPBAR with k > 0 tells how far the results of one unit have come: not where others raise its counter too. */
static bool counts_in_order(const struct heddle_program *p) {
  struct heddle_isa_dec d;
  for (uint32_t pc = 0; pc + ISA_WORD_BYTES <= p->code_bytes; pc += ISA_WORD_BYTES)
    if (heddle_isa_decode(heddle_program_word(p, pc), &d) && d.op == ISA_OP_DEPBAR_LE) return true;
  return false;
}

/* ---- the proof */

struct first {
  char *why;
  size_t size;
  unsigned found;
};

static void note_finding(void *ctx, const struct heddle_lint_finding *f) {
  struct first *first = ctx;
  if (first->found++ > 0) return;
  snprintf(first->why, first->size, "%s: 0x%04x: %s is not awaited: %s", f->kernel ? f->kernel->name : "", f->pc,
           f->place, f->advice);
}

static bool proven(const struct heddle_program *p, char *why, size_t size) {
  struct first first = {.why = why, .size = size};
  const struct heddle_lint_options o = {.size = sizeof o, .finding = note_finding, .ctx = &first};
  const enum heddle_lint_verdict v = heddle_lint(p, &o, NULL);
  if (v != HEDDLE_LINT_PROVEN && first.found == 0)
    snprintf(why, size, "%s", v == HEDDLE_LINT_TOO_LARGE ? "too many paths to prove it" : "no memory for the proof");
  return v == HEDDLE_LINT_PROVEN;
}

bool recode(struct heddle_program *p, const struct recode *r, char *why, size_t size) {
  for (uint32_t pc = 0; pc < p->code_bytes; pc = heddle_program_next(p, pc))
    if (heddle_program_next(p, pc) - pc != ISA_WORD_BYTES) {
      snprintf(why, size, "0x%04x: a short word: its control code is a row of a table", pc);
      return false;
    }
  if (r->counters < HEDDLE_HAZARD_COUNTERS && counts_in_order(p)) {
    snprintf(why, size, "it has a DEPBAR: its counter cannot be shared");
    return false;
  }
  if ((r->by_counters || r->stalls > 0) && !schedule_kernels(p, r, why, size)) return false;
  each_word(p, r);
  if (!r->scoreboard) return proven(p, why, size);
  for (uint32_t i = 0; i < p->kernels; i++) memset(p->kernel[i].stall, 0, sizeof p->kernel[i].stall);
  return true;
}

void recode_count(const struct heddle_program *p, struct recode_counts *n) {
  struct heddle_isa_dec d;
  *n = (struct recode_counts){0};
  for (uint32_t pc = 0; pc + ISA_WORD_BYTES <= p->code_bytes; pc += ISA_WORD_BYTES) {
    if (!heddle_isa_decode(heddle_program_word(p, pc), &d)) continue;
    n->instructions++;
    n->stalls += d.ctl.stall > 1;
    n->stall_cycles += d.ctl.stall > 1 ? d.ctl.stall - 1u : 0;
    n->yields += d.ctl.yield;
    n->wbars += d.ctl.wbar < HEDDLE_HAZARD_COUNTERS;
    n->rbars += d.ctl.rbar < HEDDLE_HAZARD_COUNTERS;
    n->waits += d.ctl.wait != 0;
    n->reuses += d.ctl.reuse != 0;
  }
}
