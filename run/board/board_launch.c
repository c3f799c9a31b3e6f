/* SPDX-License-Identifier: Apache-2.0
 * What a board is about to run, read back from the registers that the host wrote, for the checker; and what it has left
 * in memory (docs/how-a-launch-travels.md, a judged board). */
#include <stdlib.h>
#include <string.h>

#include "cosim/device/launch_of_host.h"
#include "run/board/board_judged.h"
#include <heddle/isa_tables.h>
#include "cosim/trace/stream.h"

#define FOREVER (UINT64_MAX / 2) /* a core that waits for its line waits long */

bool judged_machine(struct board_judge *j, const struct board *b, char *why, size_t bytes) {
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
  if (j->machine == NULL) snprintf(why, bytes, "the core is of a configuration that this program does not know");
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
  char err[256];
  j->attach = heddle_attach_new(&core, err, sizeof err);
  return j->attach != NULL || judged_fail(j, err);
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
  char err[256];
  snprintf(h.config, sizeof h.config, "%s", m->name);
  snprintf(h.command, sizeof h.command, "%s", j->options.command ? j->options.command : "");
  j->file = heddle_trace_create_stream(j->options.file, &h, err, sizeof err);
  return j->file != NULL || judged_fail(j, err);
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
    if (!judged_inside(j, at, end - at)) return judged_fail(j, "a region of the launch lies outside of memory");
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

bool judged_launch(struct board_judge *j, heddle_host_read shadow) {
  struct heddle_launch l = {.size = sizeof l};
  struct heddle_image image = {.size = sizeof image};
  j->host = (struct heddle_host_launch){.size = sizeof j->host, .mode = 0};
  (void)heddle_host_launch_read(&j->host, shadow, j);
  if (!begin_judgement(j) || !find_range(j) || !fill_code(j)) return false;
  if (!launch_of_host(&j->host, judged_memory, j, &l))
    return judged_fail(j, "code or constants of the launch lie outside of memory");
  l.units = heddle_config_units(j->machine);
  l.rtl_only = true;
  const uint8_t *memory = judged_at(j, j->base);
  if (j->file && !heddle_trace_launch(j->file, &l, j->base, memory, j->bytes))
    return judged_fail(j, "the file of the stream cannot be written");
  j->open = j->file != NULL;
  j->running = true;
  if (j->digest)
    j->wrong = !heddle_digest_launches_begin(j->digest->launches, &l, j->base, memory, j->bytes);
  else
    j->wrong = !heddle_attach_launch_own(j->attach, &l, j->base, memory, j->bytes, &image);
  return true;
}

bool judged_read_back(struct board_judge *j) {
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++) {
    const uint64_t at = j->host.region_base[i], end = j->host.region_limit[i];
    if (end > at && (j->host.region_write >> i & 1) != 0 && !board_has(j, at, end - at)) return false;
  }
  return true;
}

bool judged_was_read(const struct board_judge *j, uint64_t addr, uint64_t bytes) {
  for (unsigned i = 0; i < HEDDLE_REGIONS; i++)
    if ((j->host.region_write >> i & 1) != 0 && addr >= j->host.region_base[i] &&
        addr + bytes <= j->host.region_limit[i])
      return true;
  return false;
}
