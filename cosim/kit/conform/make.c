/* SPDX-License-Identifier: Apache-2.0
 *
 * The folder of the set: traces, the list of what must be said of each, and whether that is said.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <heddle/asm.h>
#include <heddle/session.h>
#include "cosim/kit/conform/conform.h"
#include "cosim/kit/conform/mutations.h"
#include "cosim/kit/conform/programs.h"
#include "cosim/kit/conform/set.h"

/* Programs whose records depend on no order between warps, so that another right machine shows the same: each thread
 * has bytes of its own, warps share none. */

/* R2: thread of the grid; R6: 32 bytes of its own in the upper half. */
#define HEAD(name)                                                                                                     \
  ".kernel " name "\n.param u64 in\n.param u64 out\n.shared buf 1024\n"                                                \
  "        S2R R0, SR_TID.X ;\n"                                                                                       \
  "        S2R R1, SR_CTAID.X ;\n"                                                                                     \
  "        IMAD R2, R1, c[0x0][0x0], R0 ;\n"                                                                           \
  "        MOV R4, c[0x0][in] ;\n"                                                                                     \
  "        MOV R5, c[0x0][in+4] ;\n"                                                                                   \
  "        IMAD.WIDE R4, R2, 0x20, R4 ;\n"                                                                             \
  "        MOV R6, c[0x0][out] ;\n"                                                                                    \
  "        MOV R7, c[0x0][out+4] ;\n"                                                                                  \
  "        IMAD.WIDE R6, R2, 0x20, R6 ;\n"
#define TAIL "        EXIT ;\n.end\n"

static const char integer[] = HEAD("integer") "        LDG.E.128 R8, [R4] ;\n"
                                              "        IADD3 R12, R8, -R9, R10 ;\n"
                                              "        LOP3.LUT R13, R8, R9, R11, 0x96 ;\n"
                                              "        SHF.L.U32 R14, R12, 0x3, RZ ;\n"
                                              "        IMNMX R15, R13, R14, PT ;\n"
                                              "        IMAD R16, R8, R9, R10 ;\n"
                                              "        IMAD.WIDE R18, R8, R9, R10 ;\n"
                                              "        FADD R20, R8, R9 ;\n"
                                              "        STG.E.128 [R6], R12 ;\n"
                                              "        STG.E.64 [R6+0x10], R18 ;\n" TAIL;

static const char divergence[] = HEAD("divergence") "        ISETP.LT.U32.AND P0, PT, R0, 0xc, PT ;\n"
                                                    "        ISETP.LT.U32.AND P1, PT, R0, 0x6, PT ;\n"
                                                    "        MOV R8, RZ ;\n"
                                                    "        BSSY B0, join ;\n"
                                                    "@P0     BRA low ;\n"
                                                    "        IADD3 R8, R8, 0x64, R0 ;\n"
                                                    "        BRA join ;\n"
                                                    "low:    BSSY B1, inner ;\n"
                                                    "@P1     BRA lowest ;\n"
                                                    "        IADD3 R8, R8, 0x2, R0 ;\n"
                                                    "        BRA inner ;\n"
                                                    "lowest: IADD3 R8, R8, 0x1, R0 ;\n"
                                                    "inner:  BSYNC B1 ;\n"
                                                    "join:   BSYNC B0 ;\n"
                                                    "        STG.E [R6], R8 ;\n"
                                                    "@P1     EXIT ;\n"
                                                    "        STG.E [R6+4], R8 ;\n" TAIL;

static const char predicates[] = HEAD("predicates") "        ISETP.LT.U32.AND P0, P1, R0, 0xc, PT ;\n"
                                                    "        ISETP.GT.AND P2, PT, R0, 0x4, !P0 ;\n"
                                                    "        IADD3 R8, P3, PT, R0, -0x5, RZ ;\n"
                                                    "@!P2    MOV R8, 0x7 ;\n"
                                                    "        SEL R9, R8, R0, !P1 ;\n"
                                                    "        R2P PR, R0, 0x7d ;\n"
                                                    "        P2R R10, PR, RZ, 0x7f ;\n"
                                                    "        STG.E [R6], R9 ;\n"
                                                    "        STG.E [R6+4], R10 ;\n" TAIL;

static const char shared[] = HEAD("shared") "        SHF.L.U32 R3, R0, 0x3, RZ ;\n"
                                            "        LOP3.LUT R9, R3, 0x8, RZ, 0x3c ;\n"
                                            "        LOP3.LUT R10, R3, 0x38, RZ, 0xc0 ;\n"
                                            "        STS.64 [R3+buf], R2 ;\n"
                                            "        BAR.SYNC 0x0 ;\n"
                                            "        LDS R8, [R9+buf] ;\n"
                                            "        BAR.SYNC 0x0 ;\n"
                                            "        STS.U8 [R3+buf+0x1], R0 ;\n"
                                            "        LDS.U16 R11, [R3+buf] ;\n"
                                            "        IADD3 R12, R8, R11, RZ ;\n"
                                            "        STG.E [R6], R12 ;\n" TAIL;

/* R8: a sector of the warp's own, into which all its lanes store. */
static const char global_[] = HEAD("global") "        LOP3.LUT R8, R2, 0x1f, RZ, 0xc0 ;\n"
                                             "        IADD3 R9, R2, -R8, RZ ;\n"
                                             "        MOV R10, c[0x0][out] ;\n"
                                             "        MOV R11, c[0x0][out+4] ;\n"
                                             "        IMAD.WIDE R10, R9, 0x20, R10 ;\n"
                                             "        STG.E [R10], R0 ;\n"
                                             "        STG.E.U8 [R10+0x5], R0 ;\n"
                                             "        LDG.E R12, [R10] ;\n"
                                             "        LDG.E.U8 R13, [R4+0x3] ;\n"
                                             "        LDG.E.64 R14, [R4+0x8] ;\n"
                                             "        IADD3 R16, R12, R13, R14 ;\n"
                                             "        MEMBAR.GPU ;\n"
                                             "        STG.E [R6+0x8], R16 ;\n"
                                             "        STG.E.U16 [R6+0xe], R16 ;\n" TAIL;

static const char atomics[] = HEAD("atomics") "        LOP3.LUT R8, R2, 0x1f, RZ, 0xc0 ;\n"
                                              "        IADD3 R9, R2, -R8, RZ ;\n"
                                              "        MOV R10, c[0x0][out] ;\n"
                                              "        MOV R11, c[0x0][out+4] ;\n"
                                              "        IMAD.WIDE R10, R9, 0x20, R10 ;\n"
                                              "        RED.E.ADD [R10], R0 ;\n"
                                              "        ATOMG.E.ADD R12, [R10+0x4], R0 ;\n"
                                              "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                                              "        STS [R3+buf], R2 ;\n"
                                              "        ATOMS.ADD R13, [R3+buf], R12 ;\n"
                                              "        STG.E [R6+0x8], R13 ;\n" TAIL;

static const char barriers[] = HEAD("barriers") "        SHF.L.U32 R3, R0, 0x2, RZ ;\n"
                                                "        STS [R3+buf], R0 ;\n"
                                                "        BAR.SYNC 0x0 ;\n"
                                                "        LDS R8, [RZ+buf+0x80] ;\n"
                                                "        BAR.SYNC 0x1 ;\n"
                                                "        LDS R9, [RZ+buf+0x4] ;\n"
                                                "        BAR.SYNC 0x0 ;\n"
                                                "        IADD3 R8, R8, R9, R0 ;\n"
                                                "        STG.E [R6], R8 ;\n" TAIL;

static const char blocks[] = HEAD("blocks") "        STG.E [R6], R2 ;\n"
                                            "        BAR.SYNC 0x0 ;\n"
                                            "        LDG.E R8, [R6] ;\n"
                                            "        IADD3 R8, R8, R1, RZ ;\n"
                                            "        STG.E [R6], R8 ;\n" TAIL;

static const char few[] = HEAD("few") "        IADD3 R8, R0, 0x5, RZ ;\n"
                                      "        STG.E [R6], R8 ;\n" TAIL;

const struct conform_program conform_programs[] = {
    {"integer", "integer and float results, pairs and quads of registers", integer, 2, 64, 1},
    {"divergence", "nested branches, lanes that end early", divergence, 2, 64, 1},
    {"predicates", "predicates written in pairs, negated, all at once", predicates, 2, 64, 1},
    {"shared", "shared memory in several sizes, conflicts of banks", shared, 2, 64, 1},
    {"global", "global memory in several sizes, lanes that collide", global_, 2, 64, 1},
    {"atomics", "atomics of global and shared memory, lanes that collide", atomics, 2, 64, 1},
    {"barriers", "two named barriers, three warps", barriers, 2, 96, 1},
    {"local", "local memory, lanes of one access in all three memories", program_local, 1, 50, 1},
    {"uniform", "the uniform datapath", program_uniform, 2, 64, 1},
    {"few", "a last warp of one thread", few, 2, 33, 1},
    {"blocks", "more blocks than slots", blocks, 7, 40, 1},
    {"launches", "two launches, one after the other", few, 2, 64, 2},
    {"trap_address", "a store that is not aligned", program_address, 1, 32, 1},
    {"trap_constant", "a constant out of range: precise", program_illegal, 1, 32, 1},
    {"trap_target", "a branch to where no code is", program_target, 1, 32, 1},
    {0},
};

/* The folder: traces, and the list of what must be said of each. */

#define SEEDS 60u
#define AHEAD 999u /* of the fake's clock */

struct maker {
  const char *dir;
  json_t *list;
  char *why;
  size_t why_bytes;
};

static bool fail_maker(struct maker *k, const char *what, const char *name) {
  snprintf(k->why, k->why_bytes, "%s: %s", name, what);
  return false;
}

static const char *const source[PROGRAM_COUNT] = {program_mix,       program_illegal, program_address, program_target,
                                                  program_undefined, program_uniform, program_local};

/* ---- a trace ---- */

/* What of memory is zero before and after: a trace leaves it out. Memory that the run never touches is made so. */
static void forget_untouched(const struct stream *s, uint8_t *before, uint8_t *after) {
  enum { PIECE = 4096 };
  bool touched[FAKE_BYTES / PIECE] = {false};
  for (size_t i = 0; i < s->n; i++) {
    if (s->r[i].kind != HEDDLE_RECORD_GLOBAL) continue;
    const uint64_t at = s->r[i].u.global.sector * HEDDLE_RECORD_SECTOR - FAKE_BASE;
    if (at < FAKE_BYTES) touched[at / PIECE] = true;
  }
  for (size_t i = 0; i < FAKE_BYTES; i++)
    if (!touched[i / PIECE]) before[i] = after[i] = 0;
}

static bool put_launch(struct heddle_trace_writer *w, const struct fake_program *p, const struct stream *s,
                       const uint8_t *before, const uint8_t *after) {
  static const uint8_t nothing[FAKE_BYTES];
  (void)heddle_trace_launch(w, &p->launch, FAKE_BASE, before, FAKE_BYTES, NULL);
  for (size_t i = 0; i < s->n; i++)
    if (heddle_trace_record(w, &s->r[i], NULL) != HEDDLE_SUCCESS) return false;
  return heddle_trace_launch_end(w, after != NULL ? after : nothing, s->n > 0 ? s->r[s->n - 1].cycle : 0, NULL) ==
         HEDDLE_SUCCESS;
}

/* A run of a machine, `launches` times; `spoil` (or NULL) is done to the last. *spoiled: it found its place, and it
 * shows in this profile. */
struct job {
  const char *file, *text;
  unsigned blocks, threads, launches, profile;
  struct fake_config machine;
  bool (*spoil)(struct stream *s);
  bool no_memory;
};

/* The stream as it is shown; false where the spoiler has no place. */
static bool shown(const struct job *j, const struct fake_program *p, struct stream *s, uint8_t *after, bool *differs) {
  struct stream clean;
  fake_run(p, &j->machine, s, after);
  stream_copy(&clean, s);
  const bool done = j->spoil == NULL || j->spoil(s);
  conform_hide(s, conform_profile[j->profile], NULL);
  conform_hide(&clean, conform_profile[j->profile], NULL);
  *differs = !conform_same(s, &clean) || j->no_memory;
  for (size_t i = 0; i < s->n; i++) /* no trace can tell of a kind that nobody knows */
    if (!HEDDLE_RECORD_IS_KIND(s->r[i].kind)) *differs = false;
  stream_free(&clean);
  return done;
}

/* For whatever core: results of fixed latency are awaited as long as a control code can say. */
static bool schedule_program(const struct fake_program *p) {
  static const uint8_t longest[8] = {15, 15, 15, 15, 15, 15, 15, 15};
  return heddle_schedule(p->program, 0, p->launch.code_bytes, longest, NULL) == HEDDLE_SUCCESS;
}

/* False: the file cannot be written. No file is made where the spoiler has no place, or it does not show. */
static bool put_trace(struct maker *k, const struct job *j, bool *place, bool *differs) {
  static uint8_t before[FAKE_BYTES], after[FAKE_BYTES];
  char path[1024];
  struct fake_program p;
  struct stream s;
  fake_assemble_long(&p, j->text, j->blocks, j->threads); /* scheduled below */
  if (!schedule_program(&p)) return fake_program_free(&p), fail_maker(k, "cannot be scheduled", j->file);
  *place = shown(j, &p, &s, after, differs);
  bool ok = true;
  if (*place && (*differs || j->spoil == NULL)) {
    struct heddle_trace_header h = {.size = sizeof h,
                                    .isa_hash = heddle_isa_hash(),
                                    .lanes = j->machine.lanes,
                                    .warp_slots = j->machine.warp_slots,
                                    .block_slots = j->machine.block_slots,
                                    .shared_bytes = 8192,
                                    .partitions = FAKE_PARTITIONS,
                                    .regs =
                                        j->profile == 2 ? FAKE_REGS : 0, /* who shows no banks says no sizes of them */
                                    .register_banks = j->profile == 2 ? FAKE_BANKS : 0,
                                    .hidden = conform_profile[j->profile],
                                    .clock_ahead = AHEAD,
                                    .config = "conform",
                                    .command = "heddle conform"};
    snprintf(path, sizeof path, "%s/%s", k->dir, j->file);
    struct heddle_trace_writer *w;
    struct heddle_message msg;
    if (heddle_trace_create(path, &h, &w, &msg) != HEDDLE_SUCCESS)
      return stream_free(&s), fake_program_free(&p), fail_maker(k, msg.text, j->file);
    fake_fill(before);
    forget_untouched(&s, before, after);
    struct stream clean;
    for (unsigned i = 1; i < j->launches && ok; i++) {
      fake_run(&p, &j->machine, &clean, NULL);
      conform_hide(&clean, conform_profile[j->profile], NULL);
      ok = put_launch(w, &p, &clean, before, after);
      stream_free(&clean);
    }
    ok = ok && put_launch(w, &p, &s, before, j->no_memory ? NULL : after);
    ok = heddle_trace_close(w, NULL) == HEDDLE_SUCCESS && ok;
    if (!ok) (void)fail_maker(k, "cannot be written", j->file);
  }
  stream_free(&s);
  fake_program_free(&p);
  return ok;
}

/* ---- the list ---- */

static bool list_trace(struct maker *k, const char *file, unsigned profile, const char *outcome,
                       enum heddle_checker_kind kind, const char *about, const char *why) {
  json_t *j = json_pack("{s:s, s:s, s:s, s:s}", "file", file, "profile",
                        profile == 0   ? "P0"
                        : profile == 1 ? "P1"
                                       : "P2",
                        "outcome", outcome, "about", about);
  if (j == NULL) return fail_maker(k, "no memory", file);
  if (kind != HEDDLE_CHECKER_NONE) {
    json_object_set_new(j, "kind", json_string(heddle_checker_kind_name(kind)));
    json_object_set_new(j, "what", json_string(heddle_checker_kind_what(kind)));
  }
  if (why != NULL) json_object_set_new(j, "why", json_string(why));
  return json_array_append_new(k->list, j) == 0 || fail_maker(k, "no memory", file);
}

static const char *outcome_of(enum heddle_checker_kind kind) {
  return kind == HEDDLE_CHECKER_NONE ? "ok" : kind == HEDDLE_CHECKER_UNDEFINED_READ ? "undefined" : "difference";
}

/* ---- what is in it ---- */

static bool put_source(struct maker *k, const struct conform_program *c) {
  char path[1024];
  snprintf(path, sizeof path, "%s/golden/%s.s", k->dir, c->name);
  FILE *f = fopen(path, "w");
  if (f == NULL) return fail_maker(k, "cannot be written", path);
  fprintf(f, "# %s\n%s", c->about, c->text);
  return fclose(f) == 0 || fail_maker(k, "cannot be written", path);
}

static bool golden(struct maker *k, const struct conform_program *c) {
  static const unsigned lanes[] = {4, 8, 16, 32};
  const bool traps = strncmp(c->name, "trap", 4) == 0;
  if (!put_source(k, c)) return false;
  for (unsigned i = 0; i < sizeof lanes / sizeof *lanes; i++)
    for (unsigned p = 0; p < CONFORM_PROFILES; p++) {
      char file[128];
      bool place, differs;
      snprintf(file, sizeof file, "golden/%s.%u.P%u.trace", c->name, lanes[i], p);
      const struct job j = {.file = file,
                            .text = c->text,
                            .blocks = c->blocks,
                            .threads = c->threads,
                            .launches = c->launches,
                            .profile = p,
                            .machine = {lanes[i], 16, 3, 4, 0}};
      if (!put_trace(k, &j, &place, &differs)) return false;
      if (!list_trace(k, file, p, traps ? "trapped" : "ok", HEDDLE_CHECKER_NONE, c->about, NULL)) return false;
    }
  return true;
}

/* The first run, of few blocks where that will do, in which the spoiler finds its place. */
static bool find_run(struct maker *k, struct job *j, bool *place, bool *differs) {
  static const unsigned blocks[] = {1, 2, 4};
  *place = false;
  for (unsigned b = 0; b < sizeof blocks / sizeof *blocks && !*place; b++)
    for (uint64_t seed = 1; seed <= SEEDS && !*place; seed++) {
      j->blocks = blocks[b];
      j->machine.seed = seed;
      if (!put_trace(k, j, place, differs)) return false;
    }
  return *place || fail_maker(k, "no place for what is to be spoiled", j->file);
}

static bool spoiled(struct maker *k, const struct mutation *m) {
  for (unsigned p = 0; p < CONFORM_PROFILES; p++) {
    const struct conform_lower *l = conform_lower_of(m->name, p);
    const enum heddle_checker_kind kind = l != NULL ? l->kind : m->expect;
    char file[128];
    bool place, differs;
    snprintf(file, sizeof file, "spoiled/%s%s.P%u.trace", m->name, m->program == PROGRAM_ILLEGAL ? "_illegal" : "", p);
    struct job j = {.file = file,
                    .text = source[m->program],
                    .threads = 64,
                    .launches = 1,
                    .profile = p,
                    .machine = {8, 16, 3, 0, 0},
                    .spoil = m->spoil};
    if (m->program == PROGRAM_LOCAL) j.threads = 32, j.machine.deferred = 3; /* many under way at once */
    if (!find_run(k, &j, &place, &differs)) return false;
    if (differs && !list_trace(k, file, p, outcome_of(kind), kind, m->name, l != NULL ? l->why : NULL)) return false;
  }
  return true;
}

static bool mistaken(struct maker *k, const struct conform_mistake *m) {
  char file[128];
  bool place = false, differs = false;
  snprintf(file, sizeof file, "mistakes/%s.P%u.trace", m->name, m->profile);
  struct job j = {.file = file,
                  .text = m->text,
                  .blocks = m->blocks,
                  .threads = m->threads,
                  .launches = m->launches != 0 ? m->launches : 1,
                  .profile = m->profile,
                  .machine = {8, 16, 3, 0, 0},
                  .spoil = m->spoil,
                  .no_memory = m->no_memory};
  for (uint64_t seed = 1; seed <= SEEDS && !(place && differs); seed++) {
    j.machine.seed = seed;
    if (!put_trace(k, &j, &place, &differs)) return false;
  }
  if (!place || !differs) return fail_maker(k, "no place for what is to be spoiled", file);
  return list_trace(k, file, m->profile, outcome_of(m->expect), m->expect, m->does, m->mend);
}

static bool make_all(struct maker *k) {
  static const char *const folder[] = {"golden", "spoiled", "mistakes"};
  char path[1024];
  for (unsigned i = 0; i < 3; i++) {
    snprintf(path, sizeof path, "%s/%s", k->dir, folder[i]);
    (void)mkdir(path, 0777);
  }
  for (const struct conform_program *c = conform_programs; c->name != NULL; c++)
    if (!golden(k, c)) return false;
  for (unsigned i = 0; i < mutation_count; i++)
    if (!spoiled(k, &mutations[i])) return false;
  for (unsigned i = 0; i < local_mutation_count; i++)
    if (!spoiled(k, &local_mutations[i])) return false;
  for (unsigned i = 0; conform_mistake_tables[i] != NULL; i++)
    for (const struct conform_mistake *m = conform_mistake_tables[i]; m->name != NULL; m++)
      if (!mistaken(k, m)) return false;
  snprintf(path, sizeof path, "%s/verdicts.json", k->dir);
  return json_dump_file(k->list, path, JSON_INDENT(1)) == 0 || fail_maker(k, "cannot be written", path);
}

bool conform_make(const char *dir, char *why, size_t why_bytes) {
  struct maker k = {dir, json_array(), why, why_bytes};
  const bool ok = k.list != NULL && make_all(&k);
  json_decref(k.list);
  return ok;
}

/* Every trace of the list against the model: is that said of it which must be said? */

static const char *member_word(const json_t *j, const char *name) {
  const char *text = json_string_value(json_object_get(j, name));
  return text != NULL ? text : "";
}

static void judge_listed_trace(const char *dir, const json_t *want, FILE *out, struct conform_result *r,
                               uint64_t *kinds) {
  char path[1024];
  struct heddle_session_result s = {.size = sizeof s};
  snprintf(path, sizeof path, "%s/%s", dir, member_word(want, "file"));
  const char *outcome = heddle_session_outcome_name(heddle_session_check_trace(path, NULL, 0, NULL, NULL, &s, NULL));
  const bool differs = strcmp(outcome, "difference") == 0;
  const char *kind = s.difference.kind != HEDDLE_CHECKER_NONE ? heddle_checker_kind_name(s.difference.kind) : "";
  r->traces++;
  if (differs && s.difference.has_record && HEDDLE_RECORD_IS_KIND(s.difference.record.kind))
    *kinds |= UINT64_C(1) << s.difference.record.kind;
  if (strcmp(outcome, member_word(want, "outcome")) == 0 && strcmp(kind, member_word(want, "kind")) == 0) return;
  r->wrong++;
  fprintf(out, "%s: %s %s must come, and %s %s came: %s\n", member_word(want, "file"), member_word(want, "outcome"),
          member_word(want, "kind"), outcome, kind, differs ? s.difference.note : s.message);
}

bool conform_check(const char *dir, FILE *out, struct conform_result *r, char *why, size_t why_bytes) {
  char path[1024];
  json_error_t error;
  uint64_t kinds = 0;
  *r = (struct conform_result){0};
  snprintf(path, sizeof path, "%s/verdicts.json", dir);
  json_t *list = json_load_file(path, 0, &error);
  if (!json_is_array(list)) {
    snprintf(why, why_bytes, "%s: %s", path, list == NULL ? error.text : "no list");
    json_decref(list);
    return false;
  }
  for (size_t i = 0; i < json_array_size(list); i++) judge_listed_trace(dir, json_array_get(list, i), out, r, &kinds);
  r->kinds = (unsigned)__builtin_popcountll(kinds);
  json_decref(list);
  return true;
}
