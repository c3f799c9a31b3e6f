// SPDX-License-Identifier: Apache-2.0
// What is known of every warp's divergence but paths and sets themselves: active and live lanes, which B[x] and P[x] have been
// written, where lanes are parked, how many paths wait; of `its` also where the first of them lies, how long the turn is, and who
// is parked in the list.
// One row a warp, in LUT memory.
// Latency: reads 0, a write is seen from the next cycle on; a start too, which goes before a write.
// Handshake: none; one write a cycle through the processing port, which reads the same warp, and a free query port.
// It does not compute anything. In the cycle of a start the processing port must not write.
`include "heddle_assert.svh"

module divergence_row #(
  parameter bit ITS = cfg_pkg::HAS_ITS,
  localparam int unsigned WIDTH = ITS ? divergence_pkg::ROW_W : divergence_pkg::ROW_STACK_W
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the dispatcher: all lanes of the start are active, every set is empty
  input  logic                       start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0] start_slot_i,
  input  logic [31:0]                start_live_i,
  // from and to the control unit
  input  logic [cfg_pkg::WARP_W-1:0] slot_i,
  output divergence_pkg::row_t       row_o,
  input  logic                       we_i,
  input  divergence_pkg::row_t       row_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  output logic [31:0]                q_active_o,
  output logic [31:0]                q_live_o,
  output logic [15:0]                q_written_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  divergence_pkg::row_t       fresh, row;
  logic [WIDTH-1:0]           kept;
  logic [cfg_pkg::WARP_W-1:0] slot;
  logic                       we;

  always_comb begin
    fresh        = '0;
    fresh.live   = start_live_i;
    fresh.active = start_live_i;
  end

  assign we    = we_i || start_valid_i;
  assign slot  = start_valid_i ? start_slot_i : slot_i;
  assign row   = start_valid_i ? fresh : row_i;
  assign row_o = divergence_pkg::ROW_W'(kept);

  // The same contents twice: one copy for each reader.
  ram_async #(.WIDTH(WIDTH), .DEPTH(WARPS)) u_rows (
    .clk_i     (clk_i),
    .wr_en_i   (we),
    .wr_addr_i (slot),
    .wr_data_i (row[WIDTH-1:0]),
    .rd_addr_i (slot_i),
    .rd_data_o (kept)
  );
  ram_async #(.WIDTH(divergence_pkg::ROW_Q_W), .DEPTH(WARPS)) u_rows_q (
    .clk_i     (clk_i),
    .wr_en_i   (we),
    .wr_addr_i (slot),
    .wr_data_i (row[divergence_pkg::ROW_Q_W-1:0]),
    .rd_addr_i (q_slot_i),
    .rd_data_o ({q_written_o, q_live_o, q_active_o})
  );

  // A start is alone.
  `ASSERT(a_alone, !(start_valid_i && we_i))

  if (!ITS) begin : gen_stack
    logic unused;
    assign unused = ^row[divergence_pkg::ROW_W-1:WIDTH];
  end

endmodule
