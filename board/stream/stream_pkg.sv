// SPDX-License-Identifier: Apache-2.0
// Sizes and numbers of the stream (docs/stream-format.md). What a record consists of is generated: retire_stream_pkg.
`default_nettype none

package stream_pkg;

  localparam int unsigned WRITERS = cfg_pkg::BANKS;   // write ports that say anything
  localparam int unsigned SOURCES = 12 + WRITERS;
  localparam int unsigned SOURCE_W = $clog2(SOURCES);

  // What one cycle shows, and which of it is there: the first source is the lowest bit.
  typedef struct packed {
    retire_pkg::block_end_t               block_end;
    retire_pkg::trap_t                    trap;
    retire_pkg::uniform_write_t           uniform_write;
    retire_pkg::uniform_read_t            uniform_read;
    retire_pkg::issue_t                   issue;
    retire_pkg::barrier_t                 barrier;
    retire_pkg::operands_t                operands_memory;
    retire_pkg::operands_t                operands;
    retire_pkg::predicate_t               predicate;
    retire_pkg::write_t [WRITERS-1:0]     write;
    retire_pkg::shared_t                  shared;
    retire_pkg::global_t                  global_access;
    retire_pkg::block_start_t             block_start;
  } records_t;

  typedef struct packed {
    logic               block_end;
    logic               trap;
    logic               uniform_write;
    logic               uniform_read;
    logic               issue;
    logic               barrier;
    logic               operands_memory;
    logic               operands;
    logic               predicate;
    logic [WRITERS-1:0] write;
    logic               shared;
    logic               global_access;
    logic               block_start;
  } sources_t;

  localparam int unsigned GAP_W = 32;
  typedef struct packed {
    sources_t         sources;
    logic [GAP_W-1:0] gap;      // cycles since the entry before
  } tag_t;

  function automatic int most(input int a, input int b);
    most = (a > b) ? a : b;
  endfunction
  // Words of the longest record.
  localparam int WORDS_MAX = most(most(most(retire_stream_pkg::GLOBAL_WORDS, retire_stream_pkg::SHARED_WORDS),
                                       most(retire_stream_pkg::WRITE_WORDS, retire_stream_pkg::PREDICATE_WORDS)),
                                  most(retire_stream_pkg::OPERANDS_WORDS, retire_stream_pkg::ISSUE_WORDS));
  localparam int unsigned WORD_W = $clog2(WORDS_MAX);

  // Contexts by number, then those that stand by bits of a key.
  localparam int unsigned KEY_LOW = 4, KEY_W = 7;
  localparam int unsigned PLACE_W = KEY_W + 3;
  localparam int unsigned PLACES  = 1 << PLACE_W;

  // Cycles from stream_launch's start to the first one that a kernel's clock counts (heddle/stream.h has it too).
  localparam int unsigned CLOCK_BEHIND = 7;

  // What a nibble says of a word. W: the word, P: the one before in its context, S: P less the one before it.
  typedef enum logic [3:0] {
    SAME1 = 4'd0,   // W = P
    SAME2 = 4'd1,   // so for two words
    SAME4 = 4'd2,   // so for four
    STEP  = 4'd3,   // W = P + S
    ZERO  = 4'd4,   // W = 0
    TURN  = 4'd5,   // W = P, its low LANES bits turned up by one, no bit above
    U4    = 4'd6,   // W in so many bits
    D4    = 4'd7,   // W - P in so many bits, signed
    U8    = 4'd8,
    D8    = 4'd9,
    U16   = 4'd10,
    S16   = 4'd11,  // W in so many bits, signed
    D16   = 4'd12,
    H16   = 4'd13,  // W's upper half; the lower is zero
    U24   = 4'd14,
    RAW   = 4'd15
  } code_e;

  localparam logic [3:0] TIME = 4'd14, LAST = 4'd15;   // in place of a kind's code: time passes; the frame ends
  localparam logic [3:0] LONG = 4'd15;                 // in place of a gap: eight nibbles follow

  localparam int unsigned SEND = 11;                   // nibbles that are sent at once

  // What the framer is told.
  typedef enum logic [2:0] {CMD_DATA, CMD_START, CMD_SYNC, CMD_END, CMD_CLOSE} command_e;
  typedef struct packed {
    command_e    command;
    logic        lost;
    logic [63:0] cycle;
    logic [31:0] records;
  } command_t;

  localparam logic [3:0] VERSION = 4'd1;
  localparam logic [7:0] FLAG = 8'hc0, ESC = 8'hdb, ESC_FLAG = 8'hdc, ESC_ESC = 8'hdd;
  localparam int unsigned FRAME_BYTES = 192;           // a frame of that many bytes takes no further record
  localparam int unsigned SYNC_FRAMES = 256;           // so many frames lie between two places to begin at

endpackage

`default_nettype wire
