/* SPDX-License-Identifier: Apache-2.0
 * Jobs on a board, judged while they run. */
#include <stdlib.h>
#include <string.h>

#include "run/board/board_judge.h"
#include <heddle/asm.h>
#include <heddle/host.h>
#include "run/runner/runner_internal.h"

enum {
  WAIT_US = 2000,
  STALLED = 256, /* looks at STATUS without a byte of the stream between: nothing more will come */
  ABORT_LOOKS = 1000,
  ALIGN = 512
};
#define ENDED (HEDDLE_STATUS_DONE | HEDDLE_STATUS_TRAPPED | HEDDLE_STATUS_REFUSED)

struct board_runner {
  struct run_options options;
  struct board board;
  struct board_judge *judge;
  struct heddle_port port; /* of the judge */
  uint64_t jobs;
};

/* ---- the board */

static bool right_machine(struct board_runner *r) {
  uint32_t lo = 0, hi = 0;
  if (board_link_read32(r->board.link, HEDDLE_REG_CFG_HASH, &lo) != BOARD_OK ||
      board_link_read32(r->board.link, HEDDLE_REG_CFG_HASH_HI, &hi) != BOARD_OK) {
    tool_error("%s: %s", r->options.board, board_link_message(r->board.link));
    return false;
  }
  if (r->options.config->hash == ((uint64_t)hi << 32 | lo)) return true;
  tool_error("%s is another machine than %s: 'heddle board %s' says which; --config names it", r->options.board,
             r->options.config_name, r->options.board);
  return false;
}

struct board_runner *board_runner_new(const struct run_options *o, int *status) {
  struct board_runner *r = calloc(1, sizeof *r);
  char why[512] = "no memory";
  *status = TOOL_MISSING;
  if (r) r->options = *o;
  if (r) r->board.fd = -1;
  if (!r || !(r->judge = board_judge_new()) ||
      board_open(o->board, board_judge_bytes, r->judge, &r->board, why, sizeof why) != BOARD_OK) {
    tool_error("%s", why);
    board_runner_free(r);
    return NULL;
  }
  if (right_machine(r)) return r;
  *status = TOOL_USAGE;
  board_runner_free(r);
  return NULL;
}

uint64_t board_runner_memory_base(const struct board_runner *r) {
  return r->board.id.memory_base;
}

void board_runner_free(struct board_runner *r) {
  if (!r) return;
  if (r->board.link && board_close(&r->board) != 0)
    tool_error("%s: the simulation saw a rule broken", r->options.board);
  board_judge_free(r->judge);
  free(r);
}

/* ---- a launch */

static uint64_t align_up(uint64_t v) {
  return (v + ALIGN - 1) / ALIGN * ALIGN;
}

/* Code, constants and local memory lie at the end of memory. */
static bool place_launch(struct board_runner *r, const struct job *job, struct heddle_host_launch *to) {
  const struct heddle_launch *l = &job->launch;
  const struct heddle_port *p = &r->port;
  const uint64_t local = align_up((uint64_t)l->local_bytes * 32 * r->options.config->warps);
  uint64_t all = align_up(l->code_bytes) + local;
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++) all += align_up(l->cbank_bytes[i]);
  if (job->mem_base < p->memory_base || job->mem_base + job->mem_bytes + all > p->memory_base + p->memory_bytes)
    return false;
  uint64_t at = p->memory_base + p->memory_bytes - all;
  to->code_base = at;
  to->code_bytes = l->code_bytes;
  bool ok = p->write(p->self, at, l->code, l->code_bytes);
  at += align_up(l->code_bytes);
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++) {
    to->cbank_base[i] = at;
    to->cbank_bytes[i] = l->cbank_bytes[i];
    ok = ok && p->write(p->self, at, l->cbank[i], l->cbank_bytes[i]);
    at += align_up(l->cbank_bytes[i]);
  }
  to->local_base = at;
  to->local_bytes = l->local_bytes;
  return ok;
}

/* Of memory only what the launch may touch is there. */
static bool regions(struct board_runner *r, const struct job *job, struct heddle_host_launch *to, uint8_t *image,
                    bool give) {
  const struct heddle_launch *l = &job->launch;
  const struct heddle_port *p = &r->port;
  bool ok = true;
  for (unsigned i = 0; i < l->regions && ok; i++) {
    const uint64_t at = l->region[i].base, n = l->region[i].limit - at;
    uint8_t *bytes = image + (at - job->mem_base);
    if (to) to->region_base[i] = at, to->region_limit[i] = l->region[i].limit;
    if (to && l->region[i].writable) to->region_write |= 1u << i;
    if (give) ok = p->write(p->self, at, bytes, n);
    if (!give && l->region[i].writable) ok = p->read(p->self, at, bytes, n);
  }
  return ok;
}

static bool stop_board(struct board_runner *r) {
  uint32_t status = 1;
  bool ok = r->port.write32(r->port.self, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_ABORT);
  for (unsigned i = 0; ok && status != 0 && i < ABORT_LOOKS; i++)
    ok = r->port.read32(r->port.self, HEDDLE_REG_STATUS, &status);
  return ok && status == 0;
}

/* STATUS of the end; 0: there was none: something is wrong already, or nothing comes any more. */
static uint32_t wait_for_end(struct board_runner *r, uint64_t most, bool *over) {
  struct board_progress progress = {.begun = false};
  uint32_t status = 0;
  uint64_t got = 0;
  for (unsigned quiet = 0; !board_judge_wrong(r->judge) && !*over;) {
    if (!r->port.read32(r->port.self, HEDDLE_REG_STATUS, &status)) return 0;
    if ((status & ENDED) != 0) return status;
    r->port.wait(r->port.self, WAIT_US);
    (void)board_progress(&progress, r->options.board, 0, r->judge);
    quiet = board_judge_got(r->judge) == got ? quiet + 1 : 0;
    got = board_judge_got(r->judge);
    struct heddle_verdict v;
    if (most != 0 && quiet == 0 && (board_judge_verdict(r->judge, &v), v.issued > most)) *over = true;
    if (quiet == STALLED) {
      board_judge_stalled(r->judge);
      *over = true;
    }
  }
  return 0;
}

static bool read_trap(struct board_runner *r, struct heddle_trap *t) {
  const struct heddle_port *p = &r->port;
  uint32_t cause = 0, lo = 0, hi = 0;
  bool ok = p->read32(p->self, HEDDLE_REG_TRAP_CAUSE, &cause) &&
            p->read32(p->self, HEDDLE_REG_TRAP_WARP, &t->warp_in_block) &&
            p->read32(p->self, HEDDLE_REG_TRAP_SEQ, &t->seq) && p->read32(p->self, HEDDLE_REG_TRAP_PC, &t->pc) &&
            p->read32(p->self, HEDDLE_REG_TRAP_LANES, &t->lanes) && p->read32(p->self, HEDDLE_REG_TRAP_ADDR, &lo) &&
            p->read32(p->self, HEDDLE_REG_TRAP_ADDR_HI, &hi);
  for (uint32_t i = 0; ok && i < 3; i++) ok = p->read32(p->self, HEDDLE_REG_TRAP_CTAID_X + 4 * i, &t->ctaid[i]);
  t->cause = cause < HEDDLE_CAUSES ? (enum heddle_cause)cause : HEDDLE_TRAP_NONE;
  t->addr = (uint64_t)hi << 32 | lo;
  return ok;
}

static bool launch_on_board(struct board_runner *r, const struct heddle_host_launch *to, struct run_result *out,
                            bool *over) {
  const struct heddle_port *p = &r->port;
  uint32_t lo = 0, hi = 0;
  if (heddle_host_launch_write(to, p->write32, p->self) != HEDDLE_SUCCESS ||
      !p->write32(p->self, HEDDLE_REG_CONTROL, HEDDLE_CONTROL_START))
    return false;
  const uint32_t status = wait_for_end(r, r->options.max_cycles, over);
  if (status == 0) {
    (void)stop_board(r);
    return false;
  }
  if ((status & HEDDLE_STATUS_REFUSED) != 0) {
    snprintf(out->message, sizeof out->message, "the board refuses the launch, reason %u",
             (status & HEDDLE_STATUS_REFUSE_MASK) >> HEDDLE_STATUS_REFUSE_SHIFT);
    out->status = RUN_BAD_INPUT;
    return false;
  }
  bool ok = p->read32(p->self, HEDDLE_REG_CYCLES, &lo) && p->read32(p->self, HEDDLE_REG_CYCLES_HI, &hi);
  out->cycles += (uint64_t)hi << 32 | lo;
  for (unsigned i = 0; ok && i < HEDDLE_COUNTERS; i++) {
    uint32_t value = 0;
    ok = p->read32(p->self, HEDDLE_REG_COUNTER(i), &value);
    out->counter[i] += value;
  }
  if (ok && (status & HEDDLE_STATUS_TRAPPED) != 0) {
    out->status = RUN_TRAP;
    ok = read_trap(r, &out->trap);
    snprintf(out->message, sizeof out->message, "trap %s at pc 0x%x", heddle_cause_name(out->trap.cause), out->trap.pc);
  }
  return ok && out->status == RUN_OK;
}

/* ---- the verdict */

static void conclude_verdict(struct board_runner *r, const struct job *job, bool over, bool line,
                             struct run_result *out) {
  static const enum run_status status[] = {[HEDDLE_VERDICT_OK] = RUN_OK,
                                           [HEDDLE_VERDICT_DIFFERENCE] = RUN_DIFFERENCE,
                                           [HEDDLE_VERDICT_PROGRAM] = RUN_UNDEFINED,
                                           [HEDDLE_VERDICT_UNFINISHED] = RUN_BAD_INPUT,
                                           [HEDDLE_VERDICT_MISUSE] = RUN_BAD_INPUT};
  const struct heddle_isa_word none = {0};
  struct heddle_verdict v;
  board_judge_verdict(r->judge, &v);
  out->retired = v.retired;
  out->digests = board_judge_digests(r->judge);
  out->stats = (struct heddle_checker_stats){.records = v.records,
                                             .issued = v.issued,
                                             .retired = v.retired,
                                             .lanes_compared = v.lanes_compared,
                                             .performs = v.performs,
                                             .differences = v.kind == HEDDLE_VERDICT_DIFFERENCE,
                                             .read_age = HEDDLE_RECORD_READ_AGE,
                                             .pred_age = HEDDLE_RECORD_PRED_AGE,
                                             .hidden = HEDDLE_RECORD_HIDDEN_P1};
  if (out->digests) out->stats = (struct heddle_checker_stats){.differences = v.kind == HEDDLE_VERDICT_DIFFERENCE};
  if (out->digests && v.kind == HEDDLE_VERDICT_OK) tool_log("%.*s", (int)strcspn(v.report, "\n"), v.report);
  if (v.kind == HEDDLE_VERDICT_OK && out->status == RUN_TRAP) run_diagnose_trap(out, job);
  if (v.kind == HEDDLE_VERDICT_OK && !over) return;
  out->status = over && v.kind != HEDDLE_VERDICT_DIFFERENCE ? RUN_LIMIT : status[v.kind];
  out->report = strdup(v.report);
  out->report_json = board_judge_json(r->judge);
  /* The last lines of the report say what, in a sentence. */
  const char *said = strstr(v.report, ": ");
  snprintf(out->message, sizeof out->message, "%s%s",
           out->status == RUN_LIMIT ? "the grid has not ended, and was stopped: " : "",
           v.kind == HEDDLE_VERDICT_DIFFERENCE ? v.difference
           : said                              ? said + 2
                                               : v.report);
  out->message[strcspn(out->message, "\n")] = '\0';
  if (line && v.kind == HEDDLE_VERDICT_UNFINISHED)
    snprintf(out->message, sizeof out->message, "%s: %s", r->options.board, board_link_message(r->board.link));
  run_diagnose(out, v.kind == HEDDLE_VERDICT_DIFFERENCE ? v.difference : run_status_name(out->status), none, "");
}

static bool can(struct board_runner *r, const struct job *job, struct run_result *out) {
  const char *why = NULL;
  if (job->error_limit != 0) why = "memory of a board answers with no errors";
  if (job->host_seed != 0) why = "--host: of simulated devices";
  if (r->options.its || r->options.sched != 0) why = "a board has its configuration's divergence unit and policy";
  if (r->options.stream && r->jobs > 0) why = "--stream: one job a file";
  if (!why) return true;
  out->status = RUN_BAD_INPUT;
  snprintf(out->message, sizeof out->message, "%s", why);
  return false;
}

static bool begin_board_judge(struct board_runner *r, struct run_result *out) {
  const struct board_judge_options o = {
      .drop = r->options.stream_drop, .file = r->options.stream, .command = r->options.command};
  if (board_judge_begin(r->judge, &r->board, &o, &r->port, out->message, sizeof out->message)) return true;
  out->status = RUN_BAD_INPUT;
  return false;
}

void board_runner_run(struct board_runner *r, const struct job *job, uint8_t *image, struct run_result *out) {
  struct heddle_host_launch to = {.size = sizeof to,
                                  .entry_pc = job->launch.entry_pc,
                                  .regs = job->launch.regs,
                                  .shared_bytes = job->launch.shared_bytes,
                                  .mode = r->options.scoreboard ? HEDDLE_MODE_SCOREBOARD : 0};
  bool over = false;
  if (!can(r, job, out) || !begin_board_judge(r, out)) return;
  r->jobs++;
  memcpy(to.grid, job->launch.grid, sizeof to.grid);
  memcpy(to.block, job->launch.block, sizeof to.block);
  uint8_t *memory = calloc(1, job->mem_bytes);
  if (memory) job_store_inputs(job, memory);
  bool ok = memory != NULL && regions(r, job, &to, memory, true);
  if (ok && !place_launch(r, job, &to)) {
    ok = false;
    out->status = RUN_BAD_INPUT;
    snprintf(out->message, sizeof out->message, "buffers and code do not fit into the board's memory (--base)");
  }
  for (unsigned i = 0; ok && (i == 0 || i < job->launches); i++) ok = launch_on_board(r, &to, out, &over);
  if (memory && (ok || out->status == RUN_TRAP)) (void)regions(r, job, NULL, memory, false);
  const bool line = !ok && !over && out->status == RUN_OK && !board_judge_wrong(r->judge); /* which has failed */
  if (out->status != RUN_BAD_INPUT) conclude_verdict(r, job, over, line, out);
  if (!board_judge_end(r->judge) && !line) tool_error("%s: the file of the stream is not complete", r->options.board);
  if (memory && image) memcpy(image, memory, job->mem_bytes);
  free(memory);
}
