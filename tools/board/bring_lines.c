/* SPDX-License-Identifier: Apache-2.0
 * Bring-up: the line and what the bit file says of itself; then the wires of memory. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <heddle/config.h>
#include <heddle/host_regs.h>
#include "base/process.h"
#include "tools/board/bring_up.h"

/* Bring-up: the line, and what the bit file says of itself. */

enum { BYTES_MOST = 1024, DAMAGED = 2, READY_MS = 5000, MARCH_ID = 0x4d524348 };

static const struct bring_chip chips[] = {{"ULX3", 16, 9, 13}, {"CLI9", 32, 8, 11}};

/* What frames are made of, too: END, ESC and what stands for them. */
static void fill_echo(uint8_t *bytes, unsigned n, unsigned round) {
  static const uint8_t hard[] = {0x00, 0xff, 0x55, 0xaa, 0xc0, 0xdb, 0xdc, 0xdd};
  for (unsigned i = 0; i < n; i++) bytes[i] = round % 2 ? hard[(i + round) % sizeof hard] : (uint8_t)(i * 7 + round);
}

bool bring_echo(struct bring *g, unsigned count, unsigned bytes) {
  uint8_t data[BYTES_MOST];
  for (unsigned i = 0; i < count; i++) {
    fill_echo(data, bytes, i);
    if (!bring_answered(g, board_link_echo(g->b.link, data, bytes), LAYER_LINE)) return false;
  }
  return true;
}

/* Frames damaged since the link was opened: what goes to the board it counts itself. */
static bool damage(struct bring *g, unsigned *here, unsigned *there) {
  struct board_counters c;
  if (!bring_answered(g, board_link_counters(g->b.link, &c), LAYER_LINE)) return false;
  *here = (unsigned)(board_link_traffic(g->b.link).bad - g->first_bad);
  *there = c.bad - g->first.bad;
  if (*here + *there < DAMAGED) return true;
  return bring_blame(g, 1u << LAYER_LINE,
                     *here == 0    ? "to the board"
                     : *there == 0 ? "from the board"
                                   : "both ways",
                     "of some %" PRIu64 " frames each way %u came damaged to the board and %u to the host",
                     board_link_traffic(g->b.link).commands, *there, *here);
}

/* The bit file `led` joins the pins of the line: what comes is what went. */
static bool first_answer(struct bring *g, bool *joined) {
  struct board_identity id;
  const enum board_status s = board_link_identify(g->b.link, &id);
  const struct board_traffic t = board_link_traffic(g->b.link);
  *joined = s == BOARD_REFUSED;
  if (s == BOARD_OK || s == BOARD_FOREIGN || s == BOARD_REFUSED) return true;
  if (s == BOARD_TIMEOUT && t.received == 0)
    return bring_blame(g, 1u << LAYER_LINE | 1u << LAYER_CLOCK, "",
                       "no byte came in answer to %" PRIu64 " that were sent", t.sent);
  if (s == BOARD_TIMEOUT)
    return bring_blame(g, 1u << LAYER_LINE, "from the board", "%" PRIu64 " bytes came, and no whole frame among them",
                       t.received);
  return bring_answered(g, s, LAYER_LINE);
}

bool bring_link(struct bring *g) {
  unsigned here = 0, there = 0;
  bool joined = false;
  if (!first_answer(g, &joined)) return false;
  if (joined) {
    g->rung = RUNG_LED;
    return bring_saw(g, "what was sent came back: the bit file is 'led', which joins the line's pins");
  }
  g->rung = RUNG_LINK;
  if (!bring_answered(g, board_link_counters(g->b.link, &g->first), LAYER_LINE)) return false;
  const struct board_traffic before = board_link_traffic(g->b.link);
  g->first_commands = before.commands;
  g->first_bad = before.bad;
  for (unsigned i = 0; i < 8; i++)
    if (!bring_echo(g, 2, 64) || !damage(g, &here, &there)) return false;
  const double since = seconds_now();
  if (!bring_echo(g, 4, BYTES_MOST) || !damage(g, &here, &there)) return false;
  return bring_saw(g, "20 echoes, %.0f bytes a second each way; %u frames damaged here, %u there",
                   4.0 * BYTES_MOST / (seconds_now() - since), here, there);
}

/* ---- identity */

static bool find_machine(struct bring *g) {
  uint32_t version = 0, low = 0, high = 0;
  if (!bring_answered(g, board_link_read32(g->b.link, HEDDLE_REG_VERSION, &version), LAYER_REGISTERS) ||
      !bring_answered(g, board_link_read32(g->b.link, HEDDLE_REG_CFG_HASH, &low), LAYER_REGISTERS) ||
      !bring_answered(g, board_link_read32(g->b.link, HEDDLE_REG_CFG_HASH_HI, &high), LAYER_REGISTERS))
    return false;
  if (version >> 16 != HEDDLE_VERSION >> 16)
    return bring_blame(g, 1u << LAYER_BITFILE, "", "its registers are of version %u, this program's of version %u",
                       version >> 16, HEDDLE_VERSION >> 16);
  for (size_t i = 0; i < heddle_config_count(); i++)
    if (heddle_config_at(i)->hash == ((uint64_t)high << 32 | low)) g->machine = heddle_config_at(i);
  if (g->machine) return true;
  return bring_blame(g, 1u << LAYER_BITFILE, "", "its machine (%08x%08x) is none of this program's", high, low);
}

/* Register 0 says what stands behind the registers: nothing, the march test, a core or its registers alone. */
static bool find_rung(struct bring *g) {
  uint32_t id = 0;
  const enum board_status s = board_link_read32(g->b.link, HEDDLE_REG_ID, &id);
  g->rung = RUNG_LINK;
  if (s == BOARD_BUS && g->b.id.memory_bytes == 0) return true;
  if (!bring_answered(g, s, LAYER_REGISTERS)) return false;
  g->rung = id == MARCH_ID ? RUNG_MEMORY : RUNG_REGISTERS;
  if (id == MARCH_ID) return true;
  if (id == HEDDLE_ID) return find_machine(g);
  return bring_blame(g, 1u << LAYER_BITFILE, "", "register 0 is 0x%08x: neither a core nor the march test", id);
}

bool bring_identity(struct bring *g) {
  const struct board_identity *id = &g->b.id;
  const enum board_status s = board_make_ready(&g->b, READY_MS);
  if (s == BOARD_FOREIGN) return bring_blame(g, 1u << LAYER_BITFILE, "", "%s", board_link_message(g->b.link));
  if (s == BOARD_DEAD || (s == BOARD_TIMEOUT && !id->ready && board_link_identify(g->b.link, &g->b.id) == BOARD_OK))
    return bring_blame(g, 1u << LAYER_INIT, "", "memory is not ready after %u ms", READY_MS);
  if (!bring_answered(g, s, LAYER_INIT)) return false;
  bool known = false;
  for (size_t i = 0; i < sizeof chips / sizeof *chips; i++)
    if (memcmp(&id->board, chips[i].name, 4) == 0) g->chip = &chips[i], known = true;
  if (!known) g->chip = &chips[0];
  if (!find_rung(g)) return false;
  return bring_saw(g, "%.4s%s, %.1f MHz, %" PRIu64 " MB of memory%s%s", (const char *)&id->board,
                   known ? "" : " (not known here: its wires may have other names)", (double)id->clock_hz / 1e6,
                   id->memory_bytes >> 20, g->machine ? "; machine " : "", g->machine ? g->machine->name : "");
}

/* Bring-up: the wires of memory. What an SDRAM writes and reads through a broken wire follows from the wire: that is
 * computed backwards here, from what came to which wire it was. */

enum { LINES_MOST = 32, PATTERNS_MOST = 2 * LINES_MOST + 4, READS = 2, WORDS_MOST = 4, BEAT = 8 };

/* ---- data */

struct seen_data {
  unsigned patterns, words;
  uint32_t sent[PATTERNS_MOST];                   /* one value in all words of a beat */
  uint32_t got[PATTERNS_MOST][READS][WORDS_MOST]; /* ... what came of it */
};

static uint32_t word_of_bytes(const uint8_t *bytes, unsigned width, unsigned i) {
  uint32_t v = 0;
  for (unsigned k = 0; k < width / 8; k++) v |= (uint32_t)bytes[i * width / 8 + k] << 8 * k;
  return v;
}

static void repeat_word(uint8_t *beat, unsigned width, uint32_t v) {
  for (unsigned k = 0; k < BEAT; k++) beat[k] = (uint8_t)(v >> 8 * (k % (width / 8)));
}

static uint32_t all_lines(unsigned width) {
  return width == 32 ? UINT32_MAX : (1u << width) - 1;
}

/* All words of a beat hold the same, so that no address matters; and what is written last is the opposite, since a bus
 * that nobody drives keeps what was on it. */
static bool try_pattern(struct bring *g, struct seen_data *d, uint32_t v) {
  const unsigned width = g->chip->data;
  uint8_t bytes[4 * BEAT];
  for (unsigned i = 0; i < 4; i++) repeat_word(bytes + i * BEAT, width, i < 3 ? v : ~v);
  if (!bring_answered(g, board_link_write(g->b.link, g->b.id.memory_base, bytes, sizeof bytes), LAYER_INIT))
    return false;
  for (unsigned r = 0; r < READS; r++) {
    if (!bring_answered(g, board_link_read(g->b.link, g->b.id.memory_base, bytes, BEAT), LAYER_INIT)) return false;
    for (unsigned w = 0; w < d->words; w++) d->got[d->patterns][r][w] = word_of_bytes(bytes, width, w);
  }
  d->sent[d->patterns++] = v;
  return true;
}

struct line_sums {
  uint32_t wrong;                /* lines, behind the first word of a beat */
  unsigned bad, all;             /* words behind the first one that are wrong; all of them */
  unsigned bad_first, all_first; /* first words */
  uint32_t ones, zeros;          /* lines that were 1, 0 at least once */
};

static struct line_sums sum_lines(const struct seen_data *d) {
  struct line_sums s = {0};
  for (unsigned p = 0; p < d->patterns; p++)
    for (unsigned r = 0; r < READS; r++)
      for (unsigned w = 0; w < d->words; w++) {
        const uint32_t got = d->got[p][r][w], wrong = got ^ d->sent[p];
        s.ones |= got;
        s.zeros |= ~got;
        *(w == 0 ? &s.bad_first : &s.bad) += wrong != 0;
        *(w == 0 ? &s.all_first : &s.all) += 1;
        if (w > 0) s.wrong |= wrong;
      }
  return s;
}

void bring_name_lines(char *to, size_t size, const char *prefix, uint32_t lines) {
  size_t at = 0;
  *to = '\0';
  for (unsigned i = 0; i < LINES_MOST && at < size; i++)
    if (lines >> i & 1) at += (size_t)snprintf(to + at, size - at, "%s%s%u", at ? "," : "", prefix, i);
}

/* Is it so in all that came? Of two lines. */
static bool shorted(const struct seen_data *d, unsigned i, unsigned j) {
  for (unsigned p = 0; p < d->patterns; p++)
    for (unsigned r = 0; r < READS; r++)
      if (((d->got[p][r][1] >> i ^ d->got[p][r][1] >> j) & 1) != 0) return false;
  return true;
}

static bool blame_lines(struct bring *g, const struct seen_data *d, const struct line_sums *s) {
  char where[64];
  const uint32_t lines = s->wrong, stuck = lines & ~(s->ones & s->zeros);
  const unsigned count = (unsigned)__builtin_popcount(lines);
  bring_name_lines(where, sizeof where, "D", lines);
  for (unsigned lane = 0; lane < g->chip->data / 8; lane++)
    if (lines == 0xffu << 8 * lane && stuck == lines) {
      snprintf(where, sizeof where, "DQM%u", lane);
      return bring_blame(g, 1u << LAYER_MASK, where, "D%u to D%u never change: nothing passes the mask of their byte",
                         8 * lane, 8 * lane + 7);
    }
  if (count > 2 && s->bad * 3 < s->all)
    return bring_blame(g, 1u << LAYER_TIMING, "", "%u of %u words came wrong, on %u lines, the others right", s->bad,
                       s->all, count);
  if (count == 2 && stuck == 0 && shorted(d, (unsigned)__builtin_ctz(lines), 31u - (unsigned)__builtin_clz(lines)))
    return bring_blame(g, 1u << LAYER_DATA, where, "both always have the same value: shorted");
  if (stuck == lines)
    return bring_blame(g, 1u << LAYER_DATA, where, "always %s, whatever is written: open, or shorted to %s",
                       (stuck & s->ones) == 0    ? "0"
                       : (stuck & s->zeros) == 0 ? "1"
                                                 : "the same",
                       (stuck & s->ones) == 0 ? "ground" : "the supply");
  return bring_blame(g, 1u << LAYER_DATA, where, "wrong in %u of %u words: a bad joint", s->bad, s->all);
}

bool bring_data(struct bring *g) {
  const unsigned width = g->chip->data;
  const uint32_t all = all_lines(width);
  struct seen_data d = {.words = 8 * BEAT / width};
  static const uint32_t plain[] = {0, 0xffffffff, 0x55555555, 0xaaaaaaaa};
  for (unsigned i = 0; i < 4; i++)
    if (!try_pattern(g, &d, plain[i] & all)) return false;
  for (unsigned i = 0; i < width; i++)
    if (!try_pattern(g, &d, 1u << i) || !try_pattern(g, &d, ~(1u << i) & all)) return false;
  const struct line_sums s = sum_lines(&d);
  /* Late data is wrong where nothing came before it: in a first word, and where a refresh came between two. */
  if (s.bad_first * s.all > 4 * s.bad * s.all_first)
    return bring_blame(g, 1u << LAYER_TIMING, "",
                       "%u of %u first words of an access are wrong, %u of %u of the others: %s", s.bad_first,
                       s.all_first, s.bad, s.all,
                       s.bad_first * 2 > s.all_first ? "data comes a cycle late" : "data is taken at its edge");
  if (s.wrong == all) return bring_blame(g, 1u << LAYER_COMMAND, "", "nothing that is read follows what was written");
  if (s.wrong != 0) return blame_lines(g, &d, &s);
  return bring_saw(g, "%u lines carry %u patterns", width, d.patterns);
}

/* ---- addresses */

enum { BITS_MOST = 40, BASE_VALUE = 0xa5, PAIR_VALUE = 0x5a };

struct seen_address {
  unsigned first, bits;    /* of an address: the lowest that chooses a word, their end */
  bool dead[BITS_MOST];    /* leads to where the bit is 0 */
  bool strange[BITS_MOST]; /* ... to neither place */
};

static bool write_beat(struct bring *g, uint64_t offset, uint8_t value) {
  uint8_t beat[BEAT];
  memset(beat, value, sizeof beat);
  return bring_answered(g, board_link_write(g->b.link, g->b.id.memory_base + offset, beat, sizeof beat), LAYER_INIT);
}

static bool read_beat(struct bring *g, uint64_t offset, uint64_t *value) {
  uint8_t beat[BEAT];
  if (!bring_answered(g, board_link_read(g->b.link, g->b.id.memory_base + offset, beat, sizeof beat), LAYER_INIT))
    return false;
  memcpy(value, beat, sizeof beat);
  return true;
}

static uint64_t all_of(uint8_t value) {
  return value * 0x0101010101010101u;
}

/* Words of a beat: each its own value; where an address line is dead two are the same. */
static bool try_beat(struct bring *g, struct seen_address *a) {
  const unsigned width = g->chip->data / 8;
  uint8_t beat[BEAT];
  for (unsigned i = 0; i < BEAT; i++) beat[i] = (uint8_t)(0x11 * (i / width + 1));
  if (!bring_answered(g, board_link_write(g->b.link, g->b.id.memory_base, beat, sizeof beat), LAYER_INIT)) return false;
  if (!bring_answered(g, board_link_read(g->b.link, g->b.id.memory_base, beat, sizeof beat), LAYER_INIT)) return false;
  for (unsigned k = a->first; 1u << k < BEAT; k++) a->dead[k] = beat[0] == beat[1u << k];
  return true;
}

static bool try_bits(struct bring *g, struct seen_address *a) {
  uint64_t got = 0;
  for (unsigned k = 3; k < a->bits; k++)
    if (!write_beat(g, (uint64_t)1 << k, (uint8_t)(k + 1))) return false;
  if (!write_beat(g, 0, BASE_VALUE)) return false;
  for (unsigned k = 3; k < a->bits; k++) {
    if (!read_beat(g, (uint64_t)1 << k, &got)) return false;
    a->dead[k] = got == all_of(BASE_VALUE);
    a->strange[k] = !a->dead[k] && got != all_of((uint8_t)(k + 1));
  }
  return true;
}

/* Two dead lines: shorted, where both together lead elsewhere. */
static bool find_short(struct bring *g, unsigned i, unsigned j, bool *shorted) {
  uint64_t got = 0;
  const uint64_t both = (uint64_t)1 << i | (uint64_t)1 << j;
  if (!write_beat(g, both, PAIR_VALUE) || !write_beat(g, 0, BASE_VALUE) || !read_beat(g, both, &got)) return false;
  *shorted = got == all_of(PAIR_VALUE);
  return true;
}

static bool blame_address(struct bring *g, const struct seen_address *a) {
  const struct bring_chip *c = g->chip;
  const unsigned bank = a->first + c->columns, row = bank + BRING_BANK_LINES;
  uint32_t lines = 0, half = 0, banks = 0;
  char where[64];
  bool pair = false;
  for (unsigned n = 0; n < BRING_BANK_LINES; n++) banks |= (uint32_t)a->dead[bank + n] << n;
  for (unsigned n = 0; n < c->rows; n++) {
    const bool column = n < c->columns, dead_column = column && a->dead[a->first + n], dead_row = a->dead[row + n];
    if (dead_row && (dead_column || !column)) lines |= 1u << n;
    if (dead_column != dead_row && column) half |= 1u << n;
  }
  bring_name_lines(where, sizeof where, "A", lines | half);
  if (banks != 0 && (lines | half) == 0) {
    bring_name_lines(where, sizeof where, "BA", banks);
    return bring_blame(g, 1u << LAYER_BANK, where, "another bank is the same memory: stuck or open");
  }
  if (half != 0 && lines == 0 && banks == 0)
    return bring_blame(g, 1u << LAYER_ADDRESS | 1u << LAYER_SIZE, where,
                       "chooses rows and no columns, or the reverse: a smaller part, or lines that are exchanged");
  if (lines == 1u << (c->rows - 1) && half == 0)
    return bring_blame(g, 1u << LAYER_ADDRESS | 1u << LAYER_SIZE, where,
                       "the upper half of the rows is the lower half: stuck or open, or a part of half the size");
  if (__builtin_popcount(lines) == 2) {
    const unsigned i = (unsigned)__builtin_ctz(lines), j = 31u - (unsigned)__builtin_clz(lines);
    if (!find_short(g, row + i, row + j, &pair)) return false;
  }
  return bring_blame(g, 1u << LAYER_ADDRESS, where,
                     pair ? "neither chooses alone, both together do: shorted"
                          : "leads to the same memory, high or low: stuck or open");
}

bool bring_address(struct bring *g) {
  struct seen_address a = {.first = g->chip->data == 32 ? 2 : 1};
  char strange[64];
  uint32_t all = 0;
  while ((uint64_t)1 << (a.bits + 1) <= g->b.id.memory_bytes) a.bits++;
  if (!try_beat(g, &a) || !try_bits(g, &a)) return false;
  for (unsigned k = a.first; k < a.bits; k++)
    if (a.dead[k]) return blame_address(g, &a);
  for (unsigned k = 3; k < a.bits; k++) all |= (uint32_t)a.strange[k] << k;
  bring_name_lines(strange, sizeof strange, "bit ", all);
  if (all != 0)
    return bring_blame(g, 1u << LAYER_TIMING | 1u << LAYER_ADDRESS, "",
                       "%s of an address lead to a place that holds neither what was written there nor at 0", strange);
  return bring_saw(g, "bits %u to %u of an address lead to places of their own", a.first, a.bits - 1);
}
