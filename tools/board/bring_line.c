/* SPDX-License-Identifier: Apache-2.0
 * Bring-up: the line, and what the bit file says of itself. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/process.h"
#include "tools/board/bring.h"
#include <heddle/config.h>
#include <heddle/host_regs.h>

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
  return bring_blame(g, 1u << LAYER_BITFILE, "", "its machine (%08x%08x) is none that this program knows", high, low);
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
