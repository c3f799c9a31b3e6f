/* SPDX-License-Identifier: Apache-2.0
 * The verdict of a board that sends digests. */
#include "board_digest.h"

#include <inttypes.h>
#include <stdlib.h>

#include "run/board/check_digest.h"

enum { TABLE = 16 }; /* lines of it, as heddle check has */

/* Digests do not say what an instruction did: these commands do. */
static const char replay[] =
    "what went wrong there the full stream says: load the bit file that sends it (scripts/board.sh ladder core "
    "--stream), repeat this into another file (--trace or --stream), then\n"
    "  heddle check DIGESTS --replay STREAM\n";

struct board_digest *board_digest_new(const struct heddle_config *machine) {
  const struct heddle_digest_machine m = {sizeof m, machine->lanes, machine->warps, machine->blocks};
  struct board_digest *d = calloc(1, sizeof *d);
  if (!d) return NULL;
  d->machine = machine->name;
  d->table = open_memstream(&d->text, &d->bytes);
  d->launches = d->table ? heddle_digest_launches_new(&m, NULL, d->table, TABLE) : NULL;
  if (d->launches) return d;
  board_digest_free(d);
  return NULL;
}

void board_digest_free(struct board_digest *d) {
  if (!d) return;
  heddle_digest_launches_free(d->launches);
  if (d->table) (void)fclose(d->table);
  free(d->text);
  free(d->report);
  free(d);
}

static enum heddle_verdict_kind kind_of_outcome(enum heddle_digest_outcome o) {
  switch (o) {
  case HEDDLE_DIGEST_PASS:
  case HEDDLE_DIGEST_TRAPPED: /* the board says so itself, too */
    return HEDDLE_VERDICT_OK;
  case HEDDLE_DIGEST_DIFFERENCE:
    return HEDDLE_VERDICT_DIFFERENCE;
  case HEDDLE_DIGEST_UNDEFINED:
    return HEDDLE_VERDICT_PROGRAM;
  default:
    return HEDDLE_VERDICT_UNFINISHED;
  }
}

/* In a word, as lockstep has its kinds. */
static const char *difference_of(const struct heddle_digest_file *f) {
  static const char *const name[] = {[HEDDLE_DIGEST_WRONG_SUM] = "digest.window",
                                     [HEDDLE_DIGEST_WRONG_COUNT] = "digest.count",
                                     [HEDDLE_DIGEST_WRONG_TRAP] = "digest.trap",
                                     [HEDDLE_DIGEST_WRONG_STUCK] = "digest.order",
                                     [HEDDLE_DIGEST_WRONG_CLOCK] = "digest.clock"};
  if (f->outcome != HEDDLE_DIGEST_DIFFERENCE) return "";
  if (f->wrongs > 0) return name[f->wrong[0].reason];
  return f->stats.memory_compared ? "memory.final" : "digest.entry";
}

static void write_report(FILE *to, const struct board_digest *d, const struct heddle_digest_file *f) {
  const struct heddle_digest_stats *s = &f->stats;
  if (kind_of_outcome(f->outcome) != HEDDLE_VERDICT_OK) {
    fprintf(to, "%s: %s: %s\n%s", d->machine, heddle_digest_outcome_name(f->outcome), f->message,
            d->text ? d->text : "");
    if (f->outcome == HEDDLE_DIGEST_DIFFERENCE) (void)fputs(replay, to);
    return;
  }
  fprintf(to, "judged by digests: %" PRIu64 " warp instructions, %" PRIu64 " windows, %" PRIu64 " right",
          s->instructions, s->windows, s->windows_right);
  if (s->windows_unjudged > 0) fprintf(to, ", %" PRIu64 " not judged", s->windows_unjudged);
  if (s->memory_compared) fprintf(to, "; memory at the end compared");
  if (f->outcome == HEDDLE_DIGEST_TRAPPED)
    fprintf(to, "; behind the trap at most %u instructions of each warp are not judged", 2 * HEDDLE_DIGEST_WINDOW);
  fprintf(to, "\n");
}

void board_digest_verdict(struct board_digest *d, struct heddle_verdict *v) {
  const struct heddle_digest_file *f = heddle_digest_launches_found(d->launches);
  size_t bytes = 0;
  free(d->report);
  d->report = NULL;
  (void)fflush(d->table);
  FILE *to = open_memstream(&d->report, &bytes);
  if (to) {
    write_report(to, d, f);
    (void)fclose(to);
  }
  *v = (struct heddle_verdict){.kind = kind_of_outcome(f->outcome),
                               .profile = "digest",
                               .not_judged = "operands, accesses, barriers",
                               .difference = difference_of(f),
                               .report = d->report ? d->report : "no memory for the report\n",
                               .launches = f->launches,
                               .issued = f->told * HEDDLE_DIGEST_WINDOW,
                               .retired = f->stats.instructions};
}

json_t *board_digest_json(const struct board_digest *d, const char *name) {
  const struct check_digest c = {.file = name, .digest = *heddle_digest_launches_found(d->launches)};
  return check_digest_json(&c);
}
