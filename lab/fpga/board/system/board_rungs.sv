// SPDX-License-Identifier: Apache-2.0
// A board but for its pins, clocks and colours of lights: the reset, the lights, and the system behind the
// pins.
// LADDER says how much: 0 lights alone, 1 the link, 2 the link and memory with its test, 3 the link, memory and the
// core's registers, 4 the core (../README.md).
// Latency: a reset lasts RESET cycles behind the button and the PLL. Handshake: that of the pins.
// lights_o, high active, from 0: heartbeat; a grid runs; a grid trapped (both as of the last read of STATUS); a
// frame dropped within 0.3 s; memory ready; the core is in.
module board_rungs #(
  parameter int unsigned LADDER  = 4,
  parameter int unsigned DIVIDER = 25,         // cycles of a bit on the line
  parameter int unsigned RESET   = 4096,
  parameter int unsigned TRACE   = 1,          // of the core: what feeds the trace, by link_pkg::feed_e (0: nothing)
  parameter logic [31:0] BOARD   = 32'd0,      // its name, four letters, the first one lowest
  parameter logic [39:0] BYTES   = 40'h200_0000,
  parameter int unsigned DQ      = 16,         // pins of memory: data, address; it has byte masks
  parameter int unsigned ROW_W   = 13,
  parameter bit          MASKS   = 1'b1
) (
  input  logic              clk_i,
  input  logic              locked_i,          // of the PLL; asynchronous
  input  logic              button_i,          // resets; asynchronous
  input  logic              rx_i,              // asynchronous
  output logic              tx_o,
  output logic [5:0]        lights_o,
  // pins of memory
  output logic [ROW_W-1:0]  sdram_a_o,
  output logic [1:0]        sdram_ba_o,
  output logic              sdram_cke_o,
  output logic              sdram_cs_no,
  output logic              sdram_ras_no,
  output logic              sdram_cas_no,
  output logic              sdram_we_no,
  output logic [DQ/8-1:0]   sdram_dm_o,
  inout  wire  [DQ-1:0]     sdram_dq_io
);

  // ---- reset: while the PLL is not steady, which may be without a clock, or the button is down -------------
  logic rst_n;

  reset_sync #(.HOLD(RESET)) u_reset (
    .clk_i   (clk_i),
    .arst_ni (locked_i && !button_i),
    .rst_no  (rst_n)
  );

  // ---- lights ----------------------------------------------------------------------------------------
  logic [23:0] beat_q;
  logic [22:0] wrong_q;
  logic        wrong, ready, running, trapped;

  always_ff @(posedge clk_i) begin
    if (!rst_n) begin
      beat_q  <= '0;
      wrong_q <= '0;
    end else begin
      beat_q <= beat_q + 1'b1;
      if (wrong)              wrong_q <= '1;
      else if (wrong_q != '0) wrong_q <= wrong_q - 1'b1;
    end
  end
  assign lights_o = {LADDER >= 4, ready, wrong_q != '0, trapped, running, beat_q[23]};

  // ---- the rest ----------------------------------------------------------------------------------------
  if (LADDER == 0) begin : gen_lights
    logic unused;
    assign {wrong, ready, running, trapped} = '0;
    assign tx_o = rx_i;                        // the cable's own echo
    assign {sdram_cke_o, sdram_a_o, sdram_ba_o, sdram_dm_o} = '0;
    assign {sdram_cs_no, sdram_we_no, sdram_ras_no, sdram_cas_no} = '1;
    assign unused = ^sdram_dq_io;
  end else begin : gen_system
    board_system #(.CORE(LADDER < 3 ? 0 : LADDER - 2), .MEMORY(LADDER >= 2),
                   .FEED(link_pkg::feed_e'(TRACE)), .DIVIDER(DIVIDER), .BOARD(BOARD), .BYTES(BYTES), .DQ(DQ), .ROW_W(ROW_W),
                   .MASKS(MASKS)) u_system (
      .clk_i(clk_i), .rst_ni(rst_n),
      .rx_i         (rx_i),
      .tx_o         (tx_o),
      .wrong_o      (wrong),
      .ready_o      (ready),
      .running_o    (running),
      .trapped_o    (trapped),
      .sdram_a_o    (sdram_a_o),
      .sdram_ba_o   (sdram_ba_o),
      .sdram_cke_o  (sdram_cke_o),
      .sdram_cs_no  (sdram_cs_no),
      .sdram_ras_no (sdram_ras_no),
      .sdram_cas_no (sdram_cas_no),
      .sdram_we_no  (sdram_we_no),
      .sdram_dm_o   (sdram_dm_o),
      .sdram_dq_io  (sdram_dq_io)
    );
  end

endmodule
