/* SPDX-License-Identifier: Apache-2.0
 *
 * Knobs of the random programs: weights, percentages and ranges by name. `default.knobs` names each of them with its
 * value and what it does; a file of the same form changes some, and so does one NAME=VALUE.
 *
 * A line is `NAME = N` or, of a range, `NAME = LOW..HIGH`; `#` starts a comment. Text is not trusted: whatever it
 * holds, the result is knobs within their limits, or a message with file, line and column. */
#ifndef HEDDLE_RANDOM_KNOBS_H
#define HEDDLE_RANDOM_KNOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { KNOB_WEIGHT_MAX = 1000, KNOB_TEXT_MAX = 1 << 16 };

/* X(identifier, "name", least, most): weights up to KNOB_WEIGHT_MAX, percentages up to 100, R: ranges. */
#define RANDOM_KNOBS(X, R)                                                                                             \
  R(BODY_INSTRUCTIONS, "body.instructions", 1, 4000)                                                                   \
  X(NODE_LINE, "node.line", 0, KNOB_WEIGHT_MAX)                                                                        \
  X(NODE_IF, "node.if", 0, KNOB_WEIGHT_MAX)                                                                            \
  X(NODE_LOOP, "node.loop", 0, KNOB_WEIGHT_MAX)                                                                        \
  X(NODE_CALL, "node.call", 0, KNOB_WEIGHT_MAX)                                                                        \
  X(NODE_JUMP, "node.jump", 0, KNOB_WEIGHT_MAX)                                                                        \
  X(NODE_LOCK, "node.lock", 0, KNOB_WEIGHT_MAX)                                                                        \
  X(NODE_SAVE, "node.save", 0, KNOB_WEIGHT_MAX)                                                                        \
  X(NODE_SHARE, "node.share", 0, KNOB_WEIGHT_MAX)                                                                      \
  X(NODE_SYNC, "node.sync", 0, KNOB_WEIGHT_MAX)                                                                        \
  X(NODE_LEAVE, "node.leave", 0, KNOB_WEIGHT_MAX)                                                                      \
  X(NODE_BARRIER, "node.barrier", 0, KNOB_WEIGHT_MAX)                                                                  \
  X(NODE_CONTROL, "node.control", 0, KNOB_WEIGHT_MAX)                                                                  \
  X(NODE_MATRIX, "node.matrix", 0, KNOB_WEIGHT_MAX)                                                                    \
  X(STREAM_FLOW, "stream.flow", 0, KNOB_WEIGHT_MAX)                                                                    \
  X(STREAM_HAZARD, "stream.hazard", 0, KNOB_WEIGHT_MAX)                                                                \
  X(STREAM_BARRIER, "stream.barrier", 0, KNOB_WEIGHT_MAX)                                                              \
  X(STREAM_TALK, "stream.talk", 0, KNOB_WEIGHT_MAX)                                                                    \
  X(STREAM_CROWD, "stream.crowd", 0, KNOB_WEIGHT_MAX)                                                                  \
  X(STREAM_CONSTANT, "stream.constant", 0, KNOB_WEIGHT_MAX)                                                            \
  X(STREAM_ADDRESS, "stream.address", 0, KNOB_WEIGHT_MAX)                                                              \
  X(STREAM_NUMBER, "stream.number", 0, KNOB_WEIGHT_MAX)                                                                \
  X(STREAM_RELEASE, "stream.release", 0, KNOB_WEIGHT_MAX)                                                              \
  X(STREAM_AHEAD, "stream.ahead", 0, KNOB_WEIGHT_MAX)                                                                  \
  X(STREAM_LOCAL, "stream.local", 0, KNOB_WEIGHT_MAX)                                                                  \
  X(STREAM_EDGE, "stream.edge", 0, KNOB_WEIGHT_MAX)                                                                    \
  X(STREAM_RELATION, "stream.relation", 0, KNOB_WEIGHT_MAX)                                                            \
  X(STREAM_REUSE, "stream.reuse", 0, KNOB_WEIGHT_MAX)                                                                  \
  X(STREAM_DEPART, "stream.depart", 0, KNOB_WEIGHT_MAX)                                                                \
  X(STREAM_SHARE, "stream.share", 0, KNOB_WEIGHT_MAX)                                                                  \
  X(LINE_ARITHMETIC, "line.arithmetic", 0, KNOB_WEIGHT_MAX)                                                            \
  X(LINE_MEMORY, "line.memory", 0, KNOB_WEIGHT_MAX)                                                                    \
  X(LINE_HINT, "line.hint", 0, KNOB_WEIGHT_MAX)                                                                        \
  X(LINE_UNIFORM_LOAD, "line.uniform_load", 0, KNOB_WEIGHT_MAX)                                                        \
  X(OPERAND_GUARDED, "operand.guarded", 0, 100)                                                                        \
  X(OPERAND_ZERO, "operand.zero", 0, 100)                                                                              \
  X(OPERAND_REUSE, "operand.reuse", 0, 100)                                                                            \
  X(OPERAND_EDGE, "operand.edge", 0, 100)                                                                              \
  X(PROGRAM_LEAVES, "program.leaves", 0, 100)                                                                          \
  X(PROGRAM_TRAPS, "program.traps", 0, 100)                                                                            \
  X(TRAPS_EDGES, "traps.edges", 0, 100)                                                                                \
  X(PROGRAM_MACHINE, "program.machine", 0, 100)                                                                        \
  X(PROGRAM_RACES, "program.races", 0, 100)                                                                            \
  X(PROGRAM_ENDS, "program.ends", 0, 100)                                                                              \
  X(PROGRAM_BRIEF, "program.brief", 0, 100)                                                                            \
  X(PROGRAM_HOST, "program.host", 0, 100)                                                                              \
  X(SHARED_SPREAD, "shared.spread", 0, 100)                                                                            \
  R(ADDRESS_AGAIN, "address.again", 1, 16)                                                                             \
  X(ADDRESS_ATOMICS, "address.atomics", 0, 100)                                                                        \
  X(ADDRESS_UNIQUE, "address.unique", 0, 100)                                                                          \
  X(BLOCK_SMALL, "block.small", 0, KNOB_WEIGHT_MAX)                                                                    \
  X(BLOCK_RAGGED, "block.ragged", 0, KNOB_WEIGHT_MAX)                                                                  \
  X(BLOCK_MEDIUM, "block.medium", 0, KNOB_WEIGHT_MAX)                                                                  \
  X(BLOCK_FULL, "block.full", 0, KNOB_WEIGHT_MAX)                                                                      \
  R(GRID_BLOCKS, "grid.blocks", 1, 64)                                                                                 \
  X(GRID_FILLS, "grid.fills", 0, 100)                                                                                  \
  X(OCCUPANCY_LIMITED, "occupancy.limited", 0, 100)                                                                    \
  X(OCCUPANCY_EXACT, "occupancy.exact", 0, 100)                                                                        \
  X(MEMORY_LOCAL, "memory.local", 0, 100)                                                                              \
  X(MEMORY_EDGES, "memory.edges", 0, 100)                                                                              \
  X(MEMORY_FAR, "memory.far", 0, 100)                                                                                  \
  R(LAUNCHES, "launches", 1, 8)                                                                                        \
  X(LAUNCHES_QUEUE, "launches.queue", 0, 100)

#define KNOB_NAME(id, name, least, most) KNOB_##id,
enum knob { RANDOM_KNOBS(KNOB_NAME, KNOB_NAME) KNOBS };
#undef KNOB_NAME

struct random_knobs {
  struct {
    uint32_t low, high; /* the same but of ranges */
  } value[KNOBS];
};

const char *random_knob_name(enum knob k);

/* As default.knobs says. */
void random_knobs_default(struct random_knobs *k);
const char *random_knobs_default_text(void);

/* Changes what `text` names. False: `k` is as it was, and err says FILE:LINE:COLUMN: what is wrong. */
bool random_knobs_read(struct random_knobs *k, const char *text, size_t size, const char *file, char *err,
                       size_t err_size);
/* One NAME=VALUE, as on the command line. False: err says what is wrong. */
bool random_knobs_set(struct random_knobs *k, const char *setting, char *err, size_t err_size);

#endif
