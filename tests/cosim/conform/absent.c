/* SPDX-License-Identifier: Apache-2.0
 *
 * What a port does not show is never read: hidden fields, rows that are not there and entries beyond the lanes are
 * memory that nobody has written, and MemorySanitizer ends the program at the first branch that depends on it. Right
 * streams, spoiled ones, and their reports. usage: absent [shown]   shown: a field that is shown, too; this must end so
 */
#include <sanitizer/msan_interface.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/retire_fields.h>
#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/set.h"

static uint8_t image[FAKE_BYTES];
static unsigned long fields, streams;

static void fail(const char *what) {
  fprintf(stderr, "absent: %s\n", what);
  exit(2);
}

static void forget(struct heddle_retire_record *r, const struct heddle_record_field *f, unsigned row, unsigned from) {
  uint8_t *const at = (uint8_t *)&r->u + f->offset + row * f->row_step;
  for (unsigned i = from; i < f->columns; i++) {
    __msan_allocated_memory(at + i * f->step, f->bytes);
    fields++;
  }
}

/* Of shared memory banks without an access are left: the checker looks at all strobes at once first, and where that
 * finds something, again at those of the access alone. Nothing depends on the others. A field's rows that are not
 * there, a row's entries beyond the lanes; all of it where it is hidden. */
static void forget_field(struct heddle_retire_record *r, const struct heddle_record_field *f,
                         struct heddle_record_hidden h, unsigned lanes) {
  uint64_t there = ~UINT64_C(0);
  if (f->when_bytes != 0) {
    there = 0;
    memcpy(&there, (uint8_t *)&r->u + f->when, f->when_bytes);
  }
  const bool hidden = f->option >= 0 && !heddle_record_shows_field(h, (enum heddle_record_option)f->option);
  for (unsigned row = 0; row < f->rows; row++)
    if (hidden || ((there >> row & 1u) == 0 && r->kind != HEDDLE_RECORD_SHARED))
      forget(r, f, row, 0);
    else if (f->dim == HEDDLE_RECORD_DIM_LANES)
      forget(r, f, row, lanes);
}

static void forget_all(struct stream *s, struct heddle_record_hidden h, unsigned lanes, bool shown) {
  for (size_t i = 0; i < s->n; i++) {
    struct heddle_retire_record *r = &s->r[i];
    if (r->kind >= HEDDLE_RECORD_KINDS) continue;
    const struct heddle_record_layout *l = &record_layouts[r->kind];
    /* The last field first: those that say what is there stand before what they speak of. */
    for (unsigned k = l->fields; k-- > 0;) forget_field(r, &record_fields[l->first + k], h, lanes);
    if (shown && r->kind == HEDDLE_RECORD_ISSUE) __msan_allocated_memory(&r->u.issue.pc, sizeof r->u.issue.pc);
  }
}

static enum heddle_checker_kind judge(const struct fake_program *p, const struct fake_config *f, const struct stream *s,
                                      struct heddle_record_hidden h) {
  const struct heddle_model_config mc = {.size = sizeof mc,
                                         .base = FAKE_BASE,
                                         .bytes = FAKE_BYTES,
                                         .warp_slots = f->warp_slots,
                                         .block_slots = f->block_slots};
  struct heddle_model *m = heddle_model_new(&mc);
  if (m == NULL) fail("no model");
  fake_fill(heddle_model_memory(m));
  const struct heddle_checker_config cfg = {.size = sizeof cfg,
                                            .lanes = f->lanes,
                                            .partitions = FAKE_PARTITIONS,
                                            .warp_slots = f->warp_slots,
                                            .block_slots = f->block_slots,
                                            .shared_bytes = 8192,
                                            .hidden = h};
  if (heddle_model_launch(m, &p->launch) != HEDDLE_SUCCESS) fail("the model refuses the launch");
  struct heddle_checker *c = heddle_checker_new(m, &p->launch, &cfg);
  FILE *sink = fopen("/dev/null", "w");
  if (c == NULL || sink == NULL) fail("no checker, or no /dev/null");
  bool ok = true;
  for (size_t i = 0; i < s->n && ok; i++) ok = heddle_checker_record(c, &s->r[i]);
  if (ok) ok = heddle_checker_finish(c, s->n != 0 ? s->r[s->n - 1].cycle : 0);
  if (ok) (void)heddle_checker_memory(c, FAKE_BASE, image, FAKE_BYTES);
  heddle_checker_report_text(c, sink);
  heddle_checker_waiting_text(c, sink);
  const enum heddle_checker_kind kind = heddle_checker_first(c)->kind;
  fclose(sink);
  heddle_checker_free(c);
  heddle_model_free(m);
  streams++;
  return kind;
}

static bool right(const char *text, struct heddle_record_hidden h, bool shown) {
  for (unsigned lanes = 4; lanes <= 32; lanes *= 2) {
    const struct fake_config f = {lanes, 16, 3, lanes, 0};
    struct fake_program p;
    struct stream s;
    fake_assemble(&p, text, 2, 64);
    fake_run(&p, &f, &s, image);
    conform_hide(&s, h, NULL);
    forget_all(&s, h, lanes, shown);
    const enum heddle_checker_kind kind = judge(&p, &f, &s, h);
    if (kind != HEDDLE_CHECKER_NONE) fprintf(stderr, "absent: %u lanes: %s\n", lanes, heddle_checker_kind_name(kind));
    stream_free(&s);
    fake_program_free(&p);
    if (kind != HEDDLE_CHECKER_NONE) return false;
  }
  return true;
}

static void spoiled(const struct mutation *m, struct heddle_record_hidden h) {
  static const char *const source[PROGRAM_COUNT] = {program_mix,    program_illegal,   program_address,
                                                    program_target, program_undefined, program_uniform};
  struct fake_program p;
  fake_assemble(&p, source[m->program], 4, 64);
  bool done = false;
  for (uint64_t seed = 1; seed <= 60 && !done; seed++) {
    const struct fake_config f = {8, 16, 3, seed, 0};
    struct stream s;
    fake_run(&p, &f, &s, image);
    done = m->spoil(&s);
    if (done) {
      conform_hide(&s, h, NULL);
      forget_all(&s, h, 8, false);
      (void)judge(&p, &f, &s, h); /* whatever it says: it says it of what is there */
    }
    stream_free(&s);
  }
  fake_program_free(&p);
  if (!done) fail(m->name);
}

int main(int argc, char **argv) {
  const bool shown = argc == 2 && strcmp(argv[1], "shown") == 0;
  static const char *const text[] = {program_mix, program_uniform, program_local, program_sizes};
  struct heddle_record_hidden set[CONFORM_PROFILES + HEDDLE_RECORD_OPTIONS];
  memcpy(set, conform_profile, sizeof conform_profile);
  for (unsigned i = 0; i < HEDDLE_RECORD_OPTIONS; i++)
    set[CONFORM_PROFILES + i] = (struct heddle_record_hidden){1u << HEDDLE_RECORD_OPERANDS_MEMORY, 1u << i};
  for (unsigned k = 0; k < CONFORM_PROFILES + HEDDLE_RECORD_OPTIONS; k++)
    for (unsigned i = 0; i < 4; i++)
      if (!right(text[i], set[k], shown)) return 1;
  for (unsigned k = 0; k < CONFORM_PROFILES; k++)
    for (unsigned i = 0; i < mutation_count; i++) spoiled(&mutations[i], conform_profile[k]);
  printf("%lu streams judged, of %lu numbers that are not there none was read\n", streams, fields);
  return 0;
}
