/* SPDX-License-Identifier: Apache-2.0
 * Step-by-step test of a board (docs/bring-up.md): each step builds on those before it. The first failure names the
 * broken part of the board, as far as the line shows it. */
#ifndef HEDDLE_BRING_UP_H
#define HEDDLE_BRING_UP_H

#include <jansson.h>

#include "firmware/board/open.h"
#include "run/board/board_judge.h"

struct bring_up_options {
  const char *name;  /* of the board, as board_open takes it */
  uint64_t march;    /* words of the march test; 0: all, of a simulated board a few */
  uint64_t limit;    /* seconds of a launch */
  uint64_t campaign; /* seconds of random programs */
  uint64_t seed;     /* of kernels' data and of programs */
};

/* Reports each step on stdout. enum tool_exit: TOOL_OK, TOOL_DIFFERENCE, TOOL_MISSING where the line cannot be
 * opened. *report: all of it, the caller's. */
int board_bring_up(const struct bring_up_options *o, json_t **report);

/* Shared by the steps of a bring-up. A step returns true with its observation (bring_saw), or false with a verdict
 * (bring_blame). */

/* Parts of a board that a verdict names. */
enum bring_layer {
  LAYER_LINE,
  LAYER_CLOCK,
  LAYER_BITFILE,
  LAYER_INIT,
  LAYER_COMMAND,
  LAYER_DATA,
  LAYER_ADDRESS,
  LAYER_BANK,
  LAYER_MASK,
  LAYER_TIMING,
  LAYER_REFRESH,
  LAYER_CELL,
  LAYER_SIZE,
  LAYER_REGISTERS,
  LAYER_CORE,
  BRING_LAYERS
};

/* Content of a bit file: a step of the ladder (lab/fpga/board/README.md). */
enum bring_rung { RUNG_LED, RUNG_LINK, RUNG_MEMORY, RUNG_REGISTERS, RUNG_CORE };

/* The SDRAM of a board; an address is row, bank, column, byte, from the top. */
struct bring_chip {
  const char *name;             /* of the board, by its own report */
  unsigned data, columns, rows; /* lines; columns and rows share the address lines */
};
enum { BRING_BANK_LINES = 2 };

struct bring {
  const struct bring_up_options *o;
  struct board b;
  struct board_judge *judge;
  const struct bring_chip *chip; /* of a board that is not known: a guess */
  enum bring_rung rung;
  const struct heddle_config *machine;
  struct board_counters first; /* when the link was tried */
  uint64_t first_commands, first_bad;
  struct board_traffic traffic; /* until the last step that used the line */
  bool silent;                  /* a command was not answered */
  char seen[400];
  json_t *difference; /* of a run that was judged */
  unsigned layers;    /* of the verdict, a bit each */
  char where[64], what[400];
};

bool bring_saw(struct bring *g, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* `where`: lines, or "". */
bool bring_blame(struct bring *g, unsigned layers, const char *where, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* False: it was no answer, and that is the verdict; `bus`: the layer behind it, where a bus is to blame. */
bool bring_answered(struct bring *g, enum board_status s, enum bring_layer bus);
/* "D2,D3" of bits 2 and 3. */
void bring_name_lines(char *to, size_t size, const char *prefix, uint32_t lines);
/* So many echoes of so many bytes. */
bool bring_echo(struct bring *g, unsigned count, unsigned bytes);

/* Steps of bring_lines.c and bring_memory.c; the others are in bring_up.c. */
bool bring_link(struct bring *g);
bool bring_identity(struct bring *g);
bool bring_data(struct bring *g);
bool bring_address(struct bring *g);
bool bring_memory(struct bring *g);

#endif
