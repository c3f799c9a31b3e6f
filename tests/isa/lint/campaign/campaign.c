/* SPDX-License-Identifier: Apache-2.0
 *
 * The campaign: what lint and a replay say of a weaker code, how a program is made smaller, what is counted.
 */
#include "campaign.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/config.h>
#include "run/cases/kernel_run.h"
#include "tests/isa/lint/campaign/trial.h"
#include "tests/isa/lint/replay.h"

struct hearing {
  struct verdict *v;
  bool *said;
};

static void hear(void *ctx, const struct heddle_lint_finding *f) {
  struct hearing *h = ctx;
  if (h->v->findings < VERDICT_FINDINGS) h->v->finding[h->v->findings] = *f;
  h->v->findings++;
  h->said[f->pc / ISA_WORD_BYTES] = true;
}

void verdict_of(const struct heddle_program *p, struct verdict *v) {
  const uint32_t n = p->code_bytes / ISA_WORD_BYTES;
  struct hearing h = {v, calloc((size_t)n + 1, sizeof(bool))};
  bool *tried = calloc((size_t)n + 1, sizeof *tried);
  memset(v, 0, offsetof(struct verdict, finding));
  v->replays = false;
  v->lint = HEDDLE_LINT_NO_MEMORY;
  if (h.said && tried) {
    v->lint = heddle_lint(
        p, &(struct heddle_lint_options){.size = sizeof(struct heddle_lint_options), .finding = hear, .ctx = &h}, NULL);
    (void)replay(p, tried);
    v->replays = memcmp(tried, h.said, n * sizeof *tried) == 0;
  }
  free(h.said);
  free(tried);
}

enum { INSNS_MOST = 50000000 };

static struct heddle_isa_word breakpoint(void) {
  static const char text[] = ".kernel k\n BPT.TRAP ;\n.end\n";
  const struct heddle_asm_options o = {.size = sizeof o, .message = NULL, .long_words = true};
  struct heddle_program *p;
  (void)heddle_assemble(text, sizeof text - 1, "breakpoint", &o, &p);
  const struct heddle_isa_word w = p ? heddle_program_word(p, 0) : (struct heddle_isa_word){0, 0};
  heddle_program_free(p);
  return w;
}

/* Does any lane execute the instruction at pc? A breakpoint with its guard says so. A branch need only be met: where it
 * leads is asked of what stands there. */
static bool executes(const struct subject *s, uint32_t pc, struct heddle_isa_word bpt) {
  struct heddle_isa_dec d;
  struct trial t;
  const struct heddle_isa_word was = heddle_program_word(s->program, pc);
  if (!heddle_isa_decode(was, &d)) return false;
  const bool met = d.uniform || d.unit == ISA_UNIT_BR;
  heddle_isa_word_store(s->program->code + pc,
                        met ? bpt : heddle_isa_put(bpt, ISA_F_PG, heddle_isa_get(was, ISA_F_PG)));
  trial_run(s, NULL, 0, INSNS_MOST, NULL, &t);
  heddle_isa_word_store(s->program->code + pc, was);
  return t.end == TRIAL_TRAP && t.trap.cause == HEDDLE_TRAP_BREAKPOINT;
}

static unsigned reach(const struct subject *s, bool *reached) {
  const struct heddle_isa_word bpt = breakpoint();
  const uint32_t n = s->program->code_bytes / ISA_WORD_BYTES;
  unsigned idle = 0;
  for (uint32_t i = 0; i < n; i++) {
    reached[i] = executes(s, i * ISA_WORD_BYTES, bpt);
    idle += !reached[i];
  }
  return idle;
}

/* All that is reached in the whole case is reached in this one too. */
static bool reaches(const struct subject *s, const bool *reached) {
  const struct heddle_isa_word bpt = breakpoint();
  for (uint32_t i = 0; i < s->program->code_bytes / ISA_WORD_BYTES; i++)
    if (reached[i] && !executes(s, i * ISA_WORD_BYTES, bpt)) return false;
  return true;
}

static void cut(struct kernel_case *c, const struct kernel_launch *whole, const uint32_t most[3]) {
  for (unsigned l = 0; l < c->launches; l++)
    for (unsigned d = 0; d < 3; d++) {
      const uint32_t n = whole[l].grid[d];
      c->launch[l].grid[d] = n < most[d] ? n : most[d];
    }
}

static bool on_model(struct subject *s, bool keep, char *why, size_t size) {
  struct trial t;
  trial_run(s, NULL, 0, INSNS_MOST, keep ? &s->c : NULL, &t);
  if (t.end != TRIAL_RIGHT) snprintf(why, size, "on the model: %s: %.200s", trial_end_name(t.end), t.why);
  return t.end == TRIAL_RIGHT;
}

bool shrink_case(struct subject *s, bool *reached, unsigned *idle, char *why, size_t size) {
  static const uint32_t most[][3] = {{1, 1, 1}, {2, 1, 1}, {1, 2, 1}, {2, 2, 1}, {4, 1, 1}, {4, 4, 1}};
  struct kernel_launch *whole = calloc(KERNEL_LAUNCHES, sizeof *whole);
  if (!whole) return false;
  memcpy(whole, s->c.launch, sizeof s->c.launch);
  bool ok = on_model(s, s->model_expects, why, size);
  *idle = ok ? reach(s, reached) : 0;
  for (size_t i = 0; i < sizeof most / sizeof *most && ok; i++) {
    cut(&s->c, whole, most[i]);
    if (reaches(s, reached) && on_model(s, true, why, size)) break;
    memcpy(s->c.launch, whole, sizeof s->c.launch);
  }
  free(whole);
  return ok;
}

enum { CYCLES_MORE = 50000, MIX_MOST = 4, WEAKENINGS_MOST = 65536 };

struct work {
  const struct campaign_options *o;
  struct subject *s;
  struct tally *t;
  bool *reached;
  uint64_t limit; /* cycles */
  struct heddle_lint_weaker *all;
  size_t n;
  struct verdict v;
};

static void fail(struct work *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void fail(struct work *w, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  if (w->t->failures++ == 0) vsnprintf(w->t->failure, sizeof w->t->failure, format, ap);
  va_end(ap);
}

/* Seeds of what only has to be looked at. */
static unsigned some(const struct work *w) {
  return (w->o->seeds + 3) / 4;
}

static void run(struct work *w, unsigned k, struct trial *r) {
  trial_run(w->s, w->o->config, w->o->seed + k, w->limit, NULL, r);
  w->t->runs++;
  w->t->cycles += r->cycles;
  w->t->warp_insns += r->insns;
}

/* Nothing may go wrong with any of `seeds` seeds. */
static void run_right(struct work *w, unsigned seeds, const char *what) {
  struct trial r;
  for (unsigned k = 0; k < seeds; k++) {
    run(w, k, &r);
    w->t->spare_runs++;
    if (r.end == TRIAL_RIGHT) continue;
    fail(w, "%s, seed %llu: %s: %.200s", what, (unsigned long long)(w->o->seed + k), trial_end_name(r.end), r.why);
    return;
  }
}

/* The finding that foretells this poison. */
static const struct heddle_lint_finding *foretold(struct work *w, const struct heddle_checker_difference *d) {
  for (unsigned exactly = 2; exactly-- > 0;)
    for (unsigned i = 0; i < w->v.findings && i < VERDICT_FINDINGS; i++)
      if (poison_foretold(&w->v.finding[i], d, exactly)) {
        w->t->inexact += !exactly;
        return &w->v.finding[i];
      }
  return NULL;
}

static void note_poison(struct work *w, const struct trial *r, const char *what) {
  const struct heddle_lint_finding *f = foretold(w, &r->difference);
  w->t->poison[r->difference.kind - HEDDLE_CHECKER_POISON_RAW]++;
  if (!f)
    fail(w, "%s: poison that lint does not foretell: pc 0x%04x %s: %.200s", what, r->difference.pc,
         r->difference.subject, r->why);
  else
    w->t->class_hit[class_of(w->s->program, f)]++;
}

/* Until poison is seen; nothing else may go wrong. */
static bool run_hit(struct work *w, unsigned seeds, const char *what) {
  struct trial r;
  for (unsigned k = 0; k < seeds; k++) {
    run(w, k, &r);
    if (r.end == TRIAL_RIGHT) continue;
    if (r.end == TRIAL_POISON)
      note_poison(w, &r, what);
    else
      fail(w, "%s, seed %llu: flagged, no poison, but %s: %.200s", what, (unsigned long long)(w->o->seed + k),
           trial_end_name(r.end), r.why);
    return r.end == TRIAL_POISON;
  }
  return false;
}

/* Each class once a weakening. */
static void count_classes(struct work *w, unsigned *by_class) {
  bool seen[CLASSES + 1] = {false};
  for (unsigned i = 0; i < w->v.findings && i < VERDICT_FINDINGS; i++) {
    const unsigned c = class_of(w->s->program, &w->v.finding[i]);
    if (c >= CLASSES)
      fail(w, "a finding of no class at 0x%04x", w->v.finding[i].pc);
    else if (!seen[c])
      by_class[c]++;
    seen[c] = true;
  }
}

static void flagged(struct work *w, struct heddle_lint_weaker what, const char *text) {
  struct tally *t = w->t;
  t->flagged++;
  count_classes(w, t->class_flagged);
  if (t->lacks[0]) return;
  count_classes(w, t->class_run);
  if (run_hit(w, w->o->hit_seeds, text)) {
    t->hit++;
    return;
  }
  if (t->missed < MISSED_MOST)
    t->miss[t->missed] = (struct missed){what, (uint16_t)class_of(w->s->program, &w->v.finding[0])};
  t->missed++;
}

/* Lint says that nothing depends on it: then it must say why, and nothing may go wrong. */
static void spare(struct work *w, bool why, const char *text) {
  w->t->spare++;
  if (!why) fail(w, "%s: proven, but not spare for a reason", text);
  if (!w->t->lacks[0]) run_right(w, w->o->seeds, text);
}

static void one(struct work *w, struct heddle_lint_weaker what) {
  char text[64], reason[160] = "";
  const struct heddle_isa_word was = heddle_program_word(w->s->program, what.pc);
  const bool why = heddle_lint_spare(w->s->program, NULL, what, reason, sizeof reason) && reason[0] != '\0';
  weakening_text(what, text, sizeof text);
  heddle_isa_word_store(w->s->program->code + what.pc, weakening_word(was, what));
  verdict_of(w->s->program, &w->v);
  w->t->weakenings++;
  if (!w->v.replays) fail(w, "%s: trying every path says something else", text);
  if (w->v.lint == HEDDLE_LINT_FOUND && !why)
    flagged(w, what, text);
  else if (w->v.lint == HEDDLE_LINT_PROVEN)
    spare(w, why, text);
  else
    fail(w, "%s: lint gives up, or calls spare what it flags", text);
  heddle_isa_word_store(w->s->program->code + what.pc, was);
}

/* Reuse and yield flags never matter. */
static void hints(struct work *w) {
  uint8_t *was = malloc(w->s->program->code_bytes);
  if (!was) return;
  memcpy(was, w->s->program->code, w->s->program->code_bytes);
  for (unsigned h = 0; h < HINTS_COUNT; h++) {
    static const char *const name[] = {"no hints", "all hints", "random hints"};
    hints_set(w->s->program, (enum hints)h, w->o->seed);
    verdict_of(w->s->program, &w->v);
    if (w->v.lint != HEDDLE_LINT_PROVEN) fail(w, "%s: no longer proven", name[h]);
    run_right(w, some(w), name[h]);
    w->t->hints++;
    memcpy(w->s->program->code, was, w->s->program->code_bytes);
  }
  free(was);
}

static uint64_t draw(uint64_t *s, uint64_t below) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return (*s >> 16) % below;
}

/* Several weakenings at once, at random. */
static void mix(struct work *w, uint64_t *rng) {
  uint8_t *was = malloc(w->s->program->code_bytes);
  const uint64_t n = 2 + draw(rng, MIX_MOST - 1);
  if (!was) return;
  memcpy(was, w->s->program->code, w->s->program->code_bytes);
  for (uint64_t i = 0; i < n; i++) {
    const struct heddle_lint_weaker what = w->all[draw(rng, w->n)];
    const struct heddle_isa_word now = heddle_program_word(w->s->program, what.pc);
    const bool least = what.part == HEDDLE_LINT_STALL && heddle_isa_get(now, ISA_F_STALL) <= 1;
    if (!least) heddle_isa_word_store(w->s->program->code + what.pc, weakening_word(now, what));
  }
  verdict_of(w->s->program, &w->v);
  w->t->mixes++;
  if (!w->v.replays) fail(w, "a mix: trying every path says something else");
  if (w->v.findings > 0) {
    w->t->mixes_flagged++;
    w->t->mixes_hit += run_hit(w, 3, "a mix");
  } else {
    run_right(w, 3, "a mix");
  }
  memcpy(w->s->program->code, was, w->s->program->code_bytes);
  free(was);
}

static void list(void *ctx, struct heddle_lint_weaker what) {
  struct work *w = ctx;
  if (w->n < WEAKENINGS_MOST) w->all[w->n++] = what;
}

/* As it is: proven, and right. The slowest run sets the limit of all that follow. */
static bool baseline(struct work *w) {
  struct trial r;
  verdict_of(w->s->program, &w->v);
  if (w->v.lint != HEDDLE_LINT_PROVEN || !w->v.replays) fail(w, "as it is: not proven, or not by trying every path");
  const struct heddle_config *m = heddle_config_find(w->o->config);
  (void)rtl_lack(w->s->program, m ? heddle_config_units(m) : UINT32_MAX, w->t->lacks, sizeof w->t->lacks);
  if (w->t->lacks[0] || w->t->failures > 0) return w->t->failures == 0;
  if (!shrink_case(w->s, w->reached, &w->t->idle, w->t->failure, sizeof w->t->failure)) {
    w->t->failures++;
    return false;
  }
  w->t->blocks = w->s->c.launch[0].grid[0] * w->s->c.launch[0].grid[1] * w->s->c.launch[0].grid[2];
  for (unsigned k = 0; k < some(w); k++) {
    run(w, k, &r);
    if (4 * r.cycles > w->limit) w->limit = 4 * r.cycles;
    if (r.end != TRIAL_RIGHT) fail(w, "as it is: %s: %.200s", trial_end_name(r.end), r.why);
  }
  w->limit += CYCLES_MORE;
  return w->t->failures == 0;
}

void campaign_subject(const struct campaign_options *o, struct subject *s, struct tally *t) {
  const uint32_t insns = s->program->code_bytes / ISA_WORD_BYTES;
  struct work *w = calloc(1, sizeof *w);
  uint64_t rng = o->seed * 2 + 1;
  if (!w) return;
  *w = (struct work){.o = o, .s = s, .t = t};
  w->reached = calloc((size_t)insns + 1, sizeof *w->reached);
  w->all = calloc(WEAKENINGS_MOST, sizeof *w->all);
  t->insns = insns;
  if (w->reached && w->all && baseline(w)) {
    weakening_each(s->program, list, w);
    for (size_t i = 0; i < w->n; i++) one(w, w->all[i]);
    if (!t->lacks[0]) hints(w);
    for (unsigned i = 0; i < o->mixes && !t->lacks[0] && w->n > 0; i++) mix(w, &rng);
  }
  free(w->reached);
  free(w->all);
  free(w);
}
