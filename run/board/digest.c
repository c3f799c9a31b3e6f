/* SPDX-License-Identifier: Apache-2.0
 * Digests (docs/digest-format.md): files of them judged, and the launches of a board that sends them. */
#include "digest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <heddle/asm.h>
#include <heddle/isa_tables.h>
#include "cosim/checker/report.h"

/* heddle check of a file of digests. */

enum { TABLE = 16 }; /* lines of it */

static void disassemble_word(void *ctx, struct heddle_isa_word w, uint32_t pc, char *buf, size_t bytes) {
  (void)ctx;
  heddle_disassemble(w, pc, buf, bytes);
}

static const char *replay_name(enum replay r) {
  static const char *const name[] = {"not replayed", "same difference", "other difference", "not reproduced",
                                     "not judged"};
  return name[r];
}

/* Does the window hold the instruction? */
static bool window_holds(const struct heddle_digest_wrong *w, const struct heddle_checker_difference *d) {
  return d->has_warp && memcmp(w->ctaid, d->ctaid, sizeof w->ctaid) == 0 && w->warp == d->warp_in_block &&
         w->window == d->seq / HEDDLE_DIGEST_WINDOW;
}

/* No window says where memory went wrong: whoever accesses it may have done it. */
static bool of_memory(const struct heddle_checker_difference *d) {
  struct heddle_isa_dec dec;
  if (!d->has_warp) return d->kind == HEDDLE_CHECKER_MEMORY_FINAL;
  return heddle_isa_decode(d->word, &dec) && dec.unit == ISA_UNIT_MEM;
}

/* Of a barrier that lets go, or a block that ends, too early digests say that warps stand where nobody can go on. */
static bool of_block(const struct heddle_digest_file *wrong, const struct heddle_checker_difference *d) {
  if (d->kind != HEDDLE_CHECKER_BARRIER_RELEASE && d->kind != HEDDLE_CHECKER_BLOCK_END) return false;
  for (size_t i = 0; i < wrong->wrongs; i++)
    if (wrong->wrong[i].reason == HEDDLE_DIGEST_WRONG_STUCK) return true;
  return false;
}

static enum replay placed(const struct heddle_digest_file *wrong, const struct heddle_checker_difference *d) {
  if (of_block(wrong, d)) return REPLAY_SAME;
  if (wrong->wrongs == 0 && wrong->stats.memory_compared && of_memory(d)) return REPLAY_SAME;
  for (size_t i = 0; i < wrong->wrongs; i++)
    if (window_holds(&wrong->wrong[i], d)) return REPLAY_SAME;
  return REPLAY_OTHER;
}

static enum replay judge_replay(const struct heddle_digest_file *wrong, const char *full,
                                const struct heddle_program *p, struct heddle_session_result *r, json_t **report) {
  const uint8_t *code = p ? p->code : NULL;
  const enum heddle_session_outcome o =
      session_check_trace_json(full, code, p ? p->code_bytes : 0, disassemble_word, NULL, r, stderr, report);
  switch (o) {
  case HEDDLE_SESSION_OK:
  case HEDDLE_SESSION_TRAPPED:
    return REPLAY_AGREES;
  case HEDDLE_SESSION_DIFFERENCE:
    return placed(wrong, &r->difference);
  default:
    return REPLAY_UNKNOWN;
  }
}

static void tell_replay(const struct check_digest *c) {
  const struct heddle_checker_difference *d = &c->full.difference;
  switch (c->verdict) {
  case REPLAY_NONE:
    break;
  case REPLAY_SAME:
  case REPLAY_OTHER:
    if (d->has_warp)
      printf("replay: %s: %s at seq %u pc 0x%x of warp %u of block (%u,%u,%u)\n", replay_name(c->verdict),
             heddle_checker_kind_name(d->kind), d->seq, d->pc, d->warp_in_block, d->ctaid[0], d->ctaid[1], d->ctaid[2]);
    else
      printf("replay: %s: %s\n", replay_name(c->verdict), heddle_checker_kind_name(d->kind));
    break;
  case REPLAY_AGREES:
    printf("replay: not reproduced: the full stream agrees with the model; this is no pass\n");
    break;
  case REPLAY_UNKNOWN:
    printf("replay: not judged: %s\n", c->full.message);
    break;
  }
}

void check_digest_replay(struct check_digest *c, const char *full) {
  c->verdict = judge_replay(&c->digest, full, c->program, &c->full, &c->full_report);
  tell_replay(c);
}

static int status_of_digests(enum heddle_digest_outcome o) {
  switch (o) {
  case HEDDLE_DIGEST_PASS:
    return TOOL_OK;
  case HEDDLE_DIGEST_TRAPPED:
  case HEDDLE_DIGEST_UNDEFINED:
    return TOOL_TRAPPED;
  case HEDDLE_DIGEST_LIMIT:
    return TOOL_LIMIT;
  case HEDDLE_DIGEST_DIFFERENCE:
    return TOOL_DIFFERENCE;
  default:
    return TOOL_USAGE;
  }
}

static void tell_digests(const struct heddle_digest_file *d) {
  const struct heddle_digest_stats *s = &d->stats;
  printf("digests: %llu warp instructions executed by the model, %llu windows, %llu right, %llu wrong%s\n",
         (unsigned long long)s->instructions, (unsigned long long)s->windows, (unsigned long long)s->windows_right,
         (unsigned long long)d->wrongs, s->memory_compared ? "; memory at the end compared" : "");
  if (s->windows_unjudged != 0)
    printf("%llu windows were not judged: they have values never written, or not final when it stopped\n",
           (unsigned long long)s->windows_unjudged);
  if (d->outcome == HEDDLE_DIGEST_TRAPPED)
    printf("behind the trap at most %u instructions of each warp were not judged\n", 2 * HEDDLE_DIGEST_WINDOW);
}

int check_digest(struct check_digest *c) {
  struct heddle_digest_file *d = &c->digest;
  d->size = sizeof *d;
  const uint8_t *code = c->program ? c->program->code : NULL;
  const enum heddle_digest_outcome o =
      heddle_digest_file_check(c->file, code, c->program ? c->program->code_bytes : 0, NULL, stderr, TABLE, d);
  if (o != HEDDLE_DIGEST_PASS) tool_error("%s: %s", heddle_digest_outcome_name(o), d->message);
  tell_digests(d);
  if (o == HEDDLE_DIGEST_DIFFERENCE && c->replay) check_digest_replay(c, c->replay);
  return status_of_digests(o);
}

static json_t *window_json(const struct heddle_digest_wrong *w) {
  json_t *j = json_pack("{s:s, s:[i,i,i], s:i, s:I, s:I, s:i}", "reason", heddle_digest_reason_text(w->reason), "block",
                        (int)w->ctaid[0], (int)w->ctaid[1], (int)w->ctaid[2], "warp", (int)w->warp, "window",
                        (json_int_t)w->window, "first", (json_int_t)w->window * HEDDLE_DIGEST_WINDOW, "instructions",
                        (int)w->instructions);
  if (w->pc_low <= w->pc_high)
    (void)json_object_set_new(j, "pc", json_pack("[I,I]", (json_int_t)w->pc_low, (json_int_t)w->pc_high));
  if (w->reason == HEDDLE_DIGEST_WRONG_SUM || w->reason == HEDDLE_DIGEST_WRONG_COUNT) {
    (void)json_object_set_new(j, "expected", json_integer(w->made));
    (void)json_object_set_new(j, "got", json_integer(w->told));
  }
  return j;
}

json_t *check_digest_json(const struct check_digest *c) {
  const struct heddle_digest_file *d = &c->digest;
  const struct heddle_digest_stats *s = &d->stats;
  json_t *wrong = json_array();
  for (size_t i = 0; i < d->wrongs; i++) (void)json_array_append_new(wrong, window_json(&d->wrong[i]));
  json_t *root =
      json_pack("{s:s, s:s, s:s, s:{s:I, s:I, s:I, s:I, s:I, s:I, s:I}, s:o}", "digests", c->file, "outcome",
                heddle_digest_outcome_name(d->outcome), "message", d->message, "counters", "warp_instructions",
                (json_int_t)s->instructions, "windows", (json_int_t)s->windows, "right", (json_int_t)s->windows_right,
                "not_judged", (json_int_t)s->windows_unjudged, "corrections", (json_int_t)s->corrections, "marks",
                (json_int_t)s->marks, "bytes", (json_int_t)d->bytes, "wrong", wrong);
  if (c->verdict != REPLAY_NONE) (void)json_object_set_new(root, "replay", json_string(replay_name(c->verdict)));
  if (c->full_report) (void)json_object_set(root, "difference", c->full_report);
  return root;
}

void check_digest_clear(struct check_digest *c) {
  heddle_digest_file_clear(&c->digest);
  json_decref(c->full_report);
  c->full_report = NULL;
}

/* The verdict of a board that sends digests. */

/* Digests do not say what an instruction did: these commands do. */
static const char how_to_replay[] =
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
    if (f->outcome == HEDDLE_DIGEST_DIFFERENCE) (void)fputs(how_to_replay, to);
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
