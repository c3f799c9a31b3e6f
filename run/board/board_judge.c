/* SPDX-License-Identifier: Apache-2.0
 * The launches of a board, judged while they run: a port that notes what the host does. */
#include "board_judge.h"

#include <stdlib.h>
#include <string.h>

#include <heddle/config.h>
#include <heddle/host.h>
#include <heddle/isa_tables.h>
#include <heddle/trace.h>
#include "cosim/device/launch_of_host.h"
#include "cosim/trace/stream.h"
#include "firmware/board/open.h"
#include "run/board/digest.h"
#include "run/command/tool.h"

struct board_judge {
  struct board_judge_options options;
  struct board_link *link;
  struct heddle_port below;            /* the board's */
  const struct heddle_config *machine; /* what the board says it is */
  uint32_t reg[HEDDLE_REG_BYTES / 4];  /* of launch registers: what the host wrote, as far as they keep it */
  uint8_t *image, *known;              /* memory of the board as the host knows it; whether it does, byte by byte */
  uint64_t base, bytes;                /* what of it the launch has: all of its regions */
  struct heddle_host_launch host;      /* the launch, as registers say it */
  bool scoreboard;                     /* of the launches that attach judges */
  bool digests;                        /* that is what the board sends, not the stream */
  struct heddle_attach *attach;        /* of a stream; NULL: nothing was launched */
  struct board_digest *digest;         /* of digests; NULL: nothing was launched */
  struct heddle_trace_writer *file;    /* NULL: there is none, or not yet */
  bool running;                        /* a launch is under way */
  bool fresh;                          /* ... is over: what it could write has been read back */
  bool open;                           /* ... in the file */
  bool wrong;                          /* the verdict stands */
  uint64_t got;
  char broken[300]; /* what keeps it from judging; "": nothing */
  char report[400];
};

static inline bool judged_inside(const struct board_judge *j, uint64_t addr, uint64_t bytes) {
  const uint64_t base = j->below.memory_base, all = j->below.memory_bytes;
  return addr >= base && addr - base <= all && bytes <= all - (addr - base);
}
static inline uint8_t *judged_at(const struct board_judge *j, uint64_t addr) {
  return j->image + (addr - j->below.memory_base);
}

/* false; the first stays */
static bool judged_fail(struct board_judge *j, const char *what) {
  if (j->broken[0] == '\0') snprintf(j->broken, sizeof j->broken, "%s", what);
  return false;
}

/* What a board is about to run, read back from the registers that the host wrote, for the checker; and what it has left
 * in memory (docs/how-a-launch-travels.md, a judged board). */

#define FOREVER (UINT64_MAX / 2) /* a core that waits for its line waits long */

static bool judged_machine(struct board_judge *j, const struct board *b, char *why, size_t bytes) {
  uint32_t lo = 0, hi = 0;
  if (b->id.feed != BOARD_FEED_STREAM && b->id.feed != BOARD_FEED_DIGEST) {
    snprintf(why, bytes,
             "this board's bit file sends no stream of what the core retires, and no digests (scripts/board.sh ladder "
             "core --stream, or --digest, makes one that does)");
    return false;
  }
  j->digests = b->id.feed == BOARD_FEED_DIGEST;
  if (board_link_read32(b->link, HEDDLE_REG_CFG_HASH, &lo) != BOARD_OK ||
      board_link_read32(b->link, HEDDLE_REG_CFG_HASH_HI, &hi) != BOARD_OK) {
    snprintf(why, bytes, "%s", board_link_message(b->link));
    return false;
  }
  for (size_t i = 0; i < heddle_config_count(); i++)
    if (heddle_config_at(i)->hash == ((uint64_t)hi << 32 | lo)) j->machine = heddle_config_at(i);
  if (j->machine == NULL) snprintf(why, bytes, "the core is of a configuration that this program lacks");
  return j->machine != NULL;
}

static bool begin_attach(struct board_judge *j) {
  const struct heddle_config *m = j->machine;
  const struct heddle_core core = {.size = sizeof core,
                                   .name = m->name,
                                   .lanes = m->lanes,
                                   .warp_slots = m->warps,
                                   .block_slots = m->blocks,
                                   .partitions = m->partitions,
                                   .regs = m->regs,
                                   .shared_bytes = m->shared_bytes,
                                   .register_banks = m->banks,
                                   .hidden = HEDDLE_RECORD_HIDDEN_P1,
                                   .clock_ahead = -STREAM_CLOCK_BEHIND,
                                   .read_age = HEDDLE_RECORD_READ_AGE,
                                   .pred_age = HEDDLE_RECORD_PRED_AGE,
                                   .scoreboard = j->scoreboard,
                                   .patience_issue = FOREVER,
                                   .patience_warp = FOREVER};
  struct heddle_message msg;
  return heddle_attach_new(&core, &j->attach, &msg) == HEDDLE_SUCCESS || judged_fail(j, msg.text);
}

static bool begin_digest(struct board_judge *j) {
  j->digest = board_digest_new(j->machine);
  return j->digest != NULL || judged_fail(j, "no memory");
}

static bool begin_file(struct board_judge *j) {
  const struct heddle_config *m = j->machine;
  struct heddle_trace_header h = {.size = sizeof h,
                                  .isa_hash = heddle_isa_hash(),
                                  .config_hash = m->hash,
                                  .sms = 1,
                                  .lanes = m->lanes,
                                  .warp_slots = m->warps,
                                  .block_slots = m->blocks,
                                  .shared_bytes = m->shared_bytes,
                                  .partitions = m->partitions,
                                  .regs = m->regs,
                                  .register_banks = m->banks,
                                  .scoreboard = j->scoreboard,
                                  .read_age = HEDDLE_RECORD_READ_AGE,
                                  .pred_age = HEDDLE_RECORD_PRED_AGE,
                                  .hidden = HEDDLE_RECORD_HIDDEN_P1,
                                  .clock_ahead = -STREAM_CLOCK_BEHIND};
  struct heddle_message msg;
  snprintf(h.config, sizeof h.config, "%s", m->name);
  snprintf(h.command, sizeof h.command, "%s", j->options.command ? j->options.command : "");
  return heddle_trace_create_stream(j->options.file, &h, &j->file, &msg) == HEDDLE_SUCCESS || judged_fail(j, msg.text);
}

/* One checker and one file have launches of one mode. */
static bool begin_judgement(struct board_judge *j) {
  const bool scoreboard = (j->host.mode & HEDDLE_MODE_SCOREBOARD) != 0;
  const bool begun = j->attach || j->digest;
  if (begun && scoreboard != j->scoreboard)
    return judged_fail(j, "launches of one judgement depend on control codes, or on the scoreboard, not on both");
  if ((j->host.mode & HEDDLE_MODE_ITS) != 0) return judged_fail(j, "a board is judged under the divergence unit stack");
  j->scoreboard = scoreboard;
  return (begun || (j->digests ? begin_digest(j) : begin_attach(j))) && (j->file || !j->options.file || begin_file(j));
}

static const uint8_t *judged_memory(void *self, uint64_t addr, uint64_t bytes) {
  const struct board_judge *j = self;
  return judged_inside(j, addr, bytes) ? judged_at(j, addr) : NULL;
}

static bool board_has(struct board_judge *j, uint64_t addr, uint64_t bytes) {
  return j->below.read(j->below.self, addr, judged_at(j, addr), bytes) || judged_fail(j, board_link_message(j->link));
}

/* What nobody has written holds what the board's memory began with. */
static bool read_unknown(struct board_judge *j, uint64_t addr, uint64_t bytes) {
  uint8_t *known = j->known + (addr - j->below.memory_base);
  for (uint64_t i = 0; i < bytes;) {
    uint64_t n = 0;
    while (i + n < bytes && !known[i + n]) n++;
    if (n > 0 && !board_has(j, addr + i, n)) return false;
    memset(known + i, 1, n);
    for (i += n; i < bytes && known[i];) i++;
  }
  return true;
}

/* The range that has all regions. */
static bool find_range(struct board_judge *j) {
  uint64_t low = UINT64_MAX, high = 0;
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
    const uint64_t at = j->host.region_base[i], end = j->host.region_limit[i];
    if (end <= at) continue;
    if (!judged_inside(j, at, end - at)) return judged_fail(j, "a region of the launch is outside of memory");
    if (!read_unknown(j, at, end - at)) return false;
    if (at < low) low = at;
    if (end > high) high = end;
  }
  if (high == 0) low = j->below.memory_base, high = low + 1; /* it may touch nothing */
  j->base = low / 64 * 64;
  j->bytes = (high - j->base + 63) / 64 * 64;
  return true;
}

/* Code and constants, too. */
static bool fill_code(struct board_judge *j) {
  const struct heddle_host_launch *h = &j->host;
  if (judged_memory(j, h->code_base, h->code_bytes) && !read_unknown(j, h->code_base, h->code_bytes)) return false;
  for (unsigned i = 0; i < HEDDLE_CBANKS; i++)
    if (h->cbank_bytes[i] != 0 && judged_memory(j, h->cbank_base[i], h->cbank_bytes[i]) &&
        !read_unknown(j, h->cbank_base[i], h->cbank_bytes[i]))
      return false;
  return true;
}

/* START comes next: the launch goes to the checker and to the file. */
static bool judged_launch(struct board_judge *j, heddle_host_read shadow) {
  struct heddle_launch l = {.size = sizeof l};
  struct heddle_image image = {.size = sizeof image};
  j->host = (struct heddle_host_launch){.size = sizeof j->host, .mode = 0};
  (void)heddle_host_launch_read(&j->host, shadow, j);
  if (!begin_judgement(j) || !find_range(j) || !fill_code(j)) return false;
  if (!launch_of_host(&j->host, judged_memory, j, &l))
    return judged_fail(j, "code or constants of the launch are outside of memory");
  l.units = heddle_config_units(j->machine);
  l.rtl_only = true;
  const uint8_t *memory = judged_at(j, j->base);
  if (j->file && heddle_trace_launch(j->file, &l, j->base, memory, j->bytes, NULL) != HEDDLE_SUCCESS)
    return judged_fail(j, "the file of the stream cannot be written");
  j->open = j->file != NULL;
  j->running = true;
  if (j->digest)
    j->wrong = !heddle_digest_launches_begin(j->digest->launches, &l, j->base, memory, j->bytes);
  else
    j->wrong = !heddle_attach_launch_own(j->attach, &l, j->base, memory, j->bytes, &image);
  return true;
}

/* What the grid could write, as the board has it now, into the image. */
static bool judged_read_back(struct board_judge *j) {
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
    const uint64_t at = j->host.region_base[i], end = j->host.region_limit[i];
    if (end > at && (j->host.region_write >> i & 1) != 0 && !board_has(j, at, end - at)) return false;
  }
  return true;
}

/* Is that a part of what the last launch could write? */
static bool judged_was_read(const struct board_judge *j, uint64_t addr, uint64_t bytes) {
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++)
    if ((j->host.region_write >> i & 1) != 0 && addr >= j->host.region_base[i] &&
        addr + bytes <= j->host.region_limit[i])
      return true;
  return false;
}

/* Launches of a board, judged while they run: what the host does, and what follows from it. */

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
  if (j->file && heddle_trace_stream(j->file, bytes, n, NULL) != HEDDLE_SUCCESS)
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
  if (j->file && heddle_trace_launch_end(j->file, judged_at(j, j->base), 0, NULL) != HEDDLE_SUCCESS)
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
  /* A launch that was given up: what has come of it, and memory as it was before. */
  if (j->open) (void)heddle_trace_launch_end(j->file, judged_at(j, j->base), 0, NULL);
  ok = heddle_trace_close(j->file, NULL) == HEDDLE_SUCCESS && ok;
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
