/* SPDX-License-Identifier: Apache-2.0
 * Launches of a board, judged while they run: what the host does, and what follows from it. */
#include <stdlib.h>
#include <string.h>

#include "run/board/board_judged.h"
#include "run/command/tool.h"

enum { QUIET = 8 }; /* answers in a row that know of no more trace, with no byte between: longer than any pause of it */

struct board_judge *board_judge_new(void) {
  return calloc(1, sizeof(struct board_judge));
}

void board_judge_free(struct board_judge *j) {
  if (!j) return;
  heddle_attach_free(j->attach);
  board_digest_free(j->digest);
  free(j->image);
  free(j->known);
  free(j);
}

bool judged_fail(struct board_judge *j, const char *what) {
  if (j->broken[0] == '\0') snprintf(j->broken, sizeof j->broken, "%s", what);
  return false;
}

/* ---- the stream, or digests */

static bool right_so_far(struct board_judge *j, const uint8_t *bytes, size_t n) {
  return j->digest ? heddle_digest_launches_bytes(j->digest->launches, bytes, n)
                   : heddle_attach_stream(j->attach, bytes, n);
}

static bool all_came(const struct board_judge *j) {
  return j->digest ? heddle_digest_launches_ended(j->digest->launches) : heddle_attach_stream_ended(j->attach);
}

void board_judge_bytes(void *judge, const uint8_t *bytes, size_t n, bool lost_before) {
  struct board_judge *j = judge;
  (void)lost_before; /* the stream says so itself, by its numbers and marks */
  if (!j->running) return;
  j->got += n;
  if (j->file && !heddle_trace_stream(j->file, bytes, n))
    (void)judged_fail(j, "the file of the stream cannot be written");
  if (!j->wrong || j->digest) j->wrong = !right_so_far(j, bytes, n) || j->wrong;
}

/* The core shows nothing any more and has not ended: who waits? Far behind every record. Digests do not say. */
void board_judge_stalled(struct board_judge *j) {
  if (j->running && !j->wrong && !j->digest) j->wrong = !heddle_attach_step(j->attach, UINT64_MAX / 4);
}

/* Until it has ended. Where some of it was lost its end is not seen: then until nothing comes any more. */
static bool take_rest(struct board_judge *j) {
  struct board_counters c;
  uint64_t got = j->got;
  for (unsigned quiet = 0; quiet < QUIET && !all_came(j);) {
    if (board_link_counters(j->link, &c) != BOARD_OK) return judged_fail(j, board_link_message(j->link));
    quiet = c.trace_empty && j->got == got ? quiet + 1 : 0;
    got = j->got;
  }
  return true;
}

/* ---- what the host does */

static bool read_shadow(void *self, uint32_t reg, uint32_t *value) {
  *value = ((const struct board_judge *)self)->reg[reg / 4];
  return true;
}

static void note_register(struct board_judge *j, uint32_t reg, uint32_t value) {
  uint32_t kept;
  if (reg < HEDDLE_REG_BYTES && heddle_host_regs_kept(reg, value, &kept)) j->reg[reg / 4] = kept;
}

/* The grid is over. */
static bool launch_over(struct board_judge *j) {
  const bool whole = take_rest(j) && judged_read_back(j);
  j->running = j->open = false;
  j->fresh = whole;
  if (j->file && !heddle_trace_launch_end(j->file, judged_at(j, j->base), 0))
    return judged_fail(j, "the file of the stream cannot be written");
  if (j->digest)
    j->wrong = !heddle_digest_launches_end(j->digest->launches, whole ? judged_at(j, j->base) : NULL) || j->wrong;
  else if (whole && !j->wrong)
    j->wrong = !heddle_attach_memory(j->attach, 0, judged_at(j, j->base));
  return whole;
}

static bool port_write32(void *self, uint32_t reg, uint32_t value) {
  struct board_judge *j = self;
  const bool stop = reg == HEDDLE_REG_CONTROL && (value & HEDDLE_CONTROL_ABORT) != 0;
  const bool start = reg == HEDDLE_REG_CONTROL && (value & HEDDLE_CONTROL_START) != 0 && !stop;
  if (start && !j->running && !j->wrong && !judged_launch(j, read_shadow)) return false;
  j->fresh = j->fresh && !start;
  if (!j->below.write32(j->below.self, reg, value)) return false;
  if (!j->running) note_register(j, reg, value); /* what is written while a grid runs is dropped */
  if (stop && j->running) {
    j->running = false; /* given up: its verdict is that it was not judged to its end */
    j->wrong = true;
    if (j->digest) (void)heddle_digest_launches_end(j->digest->launches, NULL);
  }
  return true;
}

static bool port_read32(void *self, uint32_t reg, uint32_t *value) {
  const uint32_t ended = HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED;
  struct board_judge *j = self;
  if (!j->below.read32(j->below.self, reg, value)) return false;
  if (reg == HEDDLE_REG_CAP_QUEUE) *value = 0; /* launches come one by one */
  return !(reg == HEDDLE_REG_STATUS && j->running && (*value & ended) != 0) || launch_over(j);
}

/* Once is enough over a slow line: what was read back a moment ago, or has been written since, is that of the board. */
static bool port_read(void *self, uint64_t addr, void *data, uint64_t bytes) {
  struct board_judge *j = self;
  if (j->fresh && judged_was_read(j, addr, bytes)) {
    memcpy(data, judged_at(j, addr), bytes);
    return true;
  }
  return j->below.read(j->below.self, addr, data, bytes);
}

static bool port_write(void *self, uint64_t addr, const void *data, uint64_t bytes) {
  struct board_judge *j = self;
  if (!j->below.write(j->below.self, addr, data, bytes)) return false;
  if (!judged_inside(j, addr, bytes)) return true;
  memcpy(judged_at(j, addr), data, bytes);
  memset(j->known + (addr - j->below.memory_base), 1, bytes);
  return true;
}

static void port_wait(void *self, uint32_t microseconds) {
  struct board_judge *j = self;
  j->below.wait(j->below.self, microseconds);
}

/* ---- what is judged */

bool board_judge_begin(struct board_judge *j, struct board *b, const struct board_judge_options *options,
                       struct heddle_port *port, char *why, size_t bytes) {
  snprintf(why, bytes, "no memory");
  heddle_attach_free(j->attach);
  board_digest_free(j->digest);
  j->attach = NULL;
  j->digest = NULL;
  j->options = *options;
  j->link = b->link;
  j->wrong = j->running = j->fresh = false;
  j->got = 0;
  j->broken[0] = '\0';
  board_port_bind(b->link, &b->id, &j->below);
  if (!j->image) j->image = calloc(1, b->id.memory_bytes);
  if (!j->known) j->known = calloc(1, b->id.memory_bytes);
  if (!j->image || !j->known || !judged_machine(j, b, why, bytes)) return false;
  const enum board_trace_mode mode = options->drop ? BOARD_TRACE_DROPPED : BOARD_TRACE_HELD;
  if (board_link_trace_mode(j->link, mode) != BOARD_OK) {
    snprintf(why, bytes, "%s", board_link_message(j->link));
    return false;
  }
  *port = j->below;
  port->self = j;
  port->read32 = port_read32;
  port->write32 = port_write32;
  port->read = port_read;
  port->write = port_write;
  port->wait = port_wait;
  return true;
}

bool board_judge_end(struct board_judge *j) {
  bool ok = board_link_trace_mode(j->link, BOARD_TRACE_OFF) == BOARD_OK;
  if (j->file) {
    /* A launch that was given up: what has come of it, and memory as it was before. */
    ok = (!j->open || heddle_trace_launch_end(j->file, judged_at(j, j->base), 0)) && ok;
    ok = heddle_trace_close(j->file) && ok;
  }
  j->file = NULL;
  j->open = false;
  return ok;
}

bool board_judge_wrong(const struct board_judge *j) {
  return j->wrong || j->broken[0] != '\0';
}

uint64_t board_judge_got(const struct board_judge *j) {
  return j->got;
}

void board_judge_verdict(struct board_judge *j, struct heddle_verdict *v) {
  if (j->digest)
    board_digest_verdict(j->digest, v);
  else if (j->attach)
    heddle_attach_verdict(j->attach, v);
  else
    *v = (struct heddle_verdict){.kind = HEDDLE_VERDICT_UNFINISHED,
                                 .profile = "P1",
                                 .not_judged = "",
                                 .difference = "",
                                 .report = "nothing was launched\n"};
  if (j->broken[0] == '\0' || v->kind == HEDDLE_VERDICT_DIFFERENCE) return;
  v->kind = HEDDLE_VERDICT_UNFINISHED;
  snprintf(j->report, sizeof j->report, "%s: unfinished: %s\n", j->machine->name, j->broken);
  v->report = j->report;
}

json_t *board_judge_json(struct board_judge *j) {
  struct heddle_verdict v;
  char *text = j->attach ? heddle_attach_verdict_json(j->attach) : NULL;
  json_t *checker = text ? json_loads(text, 0, NULL) : NULL;
  free(text);
  if (!checker) return NULL;
  board_judge_verdict(j, &v);
  return json_pack("{s:s, s:s, s:I, s:o}", "outcome", v.kind == HEDDLE_VERDICT_PROGRAM ? "undefined" : "difference",
                   "message", v.difference, "instructions", (json_int_t)v.retired, "checker", checker);
}

json_t *board_judge_digests(const struct board_judge *j) {
  return j->digest ? board_digest_json(j->digest, j->options.file ? j->options.file : "") : NULL;
}

int board_judge_exit(enum heddle_verdict_kind kind) {
  static const int exits[] = {[HEDDLE_VERDICT_OK] = TOOL_OK,
                              [HEDDLE_VERDICT_DIFFERENCE] = TOOL_DIFFERENCE,
                              [HEDDLE_VERDICT_PROGRAM] = TOOL_TRAPPED,
                              [HEDDLE_VERDICT_UNFINISHED] = TOOL_USAGE,
                              [HEDDLE_VERDICT_MISUSE] = TOOL_USAGE};
  return exits[kind];
}

const char *board_judge_word(enum heddle_verdict_kind kind) {
  static const char *const word[] = {[HEDDLE_VERDICT_OK] = "ok",
                                     [HEDDLE_VERDICT_DIFFERENCE] = "difference",
                                     [HEDDLE_VERDICT_PROGRAM] = "program",
                                     [HEDDLE_VERDICT_UNFINISHED] = "unfinished",
                                     [HEDDLE_VERDICT_MISUSE] = "misuse"};
  return word[kind];
}
