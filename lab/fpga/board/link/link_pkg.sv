// SPDX-License-Identifier: Apache-2.0
// The words of the link (README.md): bytes that frame, channels, commands, states of an answer, CRC-32.
// Latency, handshake: none, this is a package. The host's half is firmware/board/frame.h, which a test holds
// against this one over the wire.
// It says nothing of the wire below (uart_rx, uart_tx) nor of what a command reaches (link_bus).
package link_pkg;

  /* verilator lint_off UNUSEDPARAM */

  // Frames are between two END bytes; END and ESC inside are two bytes each.
  localparam logic [7:0] END      = 8'hc0;
  localparam logic [7:0] ESC      = 8'hdb;
  localparam logic [7:0] ESC_END  = 8'hdc;
  localparam logic [7:0] ESC_ESC  = 8'hdd;

  // channel (1), sequence (4), length of the payload (2), payload, CRC-32 (4); numbers low byte first.
  localparam int unsigned HEAD     = 7;
  localparam int unsigned TAIL     = 4;
  localparam int unsigned DATA     = 1024;            // of one access to memory, or of one echo
  localparam int unsigned PAYLOAD  = DATA + 6;        // a write to memory has the most
  localparam int unsigned FRAME    = HEAD + PAYLOAD + TAIL;
  localparam int unsigned INDEX_W  = 11;              // counts to FRAME and beyond

  localparam logic [7:0] COMMANDS = 8'd0;             // and their answers
  localparam logic [7:0] TRACE    = 8'd1;

  typedef enum logic [7:0] {
    IDENTIFY = 8'd1, ECHO = 8'd2, READ_REG = 8'd3, WRITE_REG = 8'd4, READ_MEM = 8'd5, WRITE_MEM = 8'd6,
    RESET = 8'd7, COUNTERS = 8'd8, TRACE_MODE = 8'd9     // 10 is reserved
  } command_e;

  // The trace that the host wants: nothing; all, and the core waits for it; as much as there is room for.
  typedef enum logic [1:0] {TRACE_OFF = 2'd0, TRACE_HELD = 2'd1, TRACE_DROPPED = 2'd2} mode_e;

  // The trace's feed, as IDENTIFY says.
  typedef enum logic [3:0] {FEED_NONE = 4'd0, FEED_STREAM = 4'd1, FEED_DIGEST = 4'd2} feed_e;

  // First byte of an answer.
  typedef enum logic [7:0] {
    OK = 8'd0, UNKNOWN = 8'd1, MALFORMED = 8'd2, BUS_ERROR = 8'd3, NO_ANSWER = 8'd4
  } state_e;

  localparam logic [7:0] VERSION  = 8'd1;
  localparam int unsigned INFO    = 32;               // bytes of an answer to IDENTIFY and COUNTERS, without the state

  localparam logic [31:0] CRC_START = 32'hffff_ffff;
  localparam logic [31:0] CRC_GOOD  = 32'hdebb_20e3;  // after a frame with its own CRC

  /* verilator lint_on UNUSEDPARAM */

  // CRC-32 of IEEE 802.3, reflected, one byte further. The CRC that is sent is the complement.
  function automatic logic [31:0] crc_byte(input logic [31:0] crc, input logic [7:0] data);
    crc_byte = crc ^ 32'(data);
    for (int i = 0; i < 8; i++) crc_byte = (crc_byte >> 1) ^ (crc_byte[0] ? 32'hedb8_8320 : 32'd0);
  endfunction

  typedef struct packed {
    logic [7:0]  channel;
    logic [31:0] seq;
    logic [15:0] length;
  } head_t;

  // An access of the link: to the host registers, or to memory.
  typedef struct packed {
    logic        memory;
    logic        write;
    logic [39:0] addr;
    logic [63:0] data;     // registers: the low half
    logic [7:0]  strb;     // of memory
  } access_t;

endpackage
