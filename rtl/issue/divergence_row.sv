// SPDX-License-Identifier: Apache-2.0
// What is known of every warp's divergence but paths and sets themselves: active and live lanes, which B[x] and P[x] have been
// written, where lanes are parked, how many paths wait; of `its` also where the first of them lies, how long the turn is, and who
// is parked in the list.
// One row a warp, in LUT memory: active lanes, live lanes, what is known of sets, and the rest are each written alone, so that what
// does not change need not be chosen.
// Latency: reads 0, a write is seen from the next cycle on; a start too, which goes before a write.
// Handshake: none; one write a cycle through the processing port, which reads the same warp, and a free query port.
// It does not compute anything. In the cycle of a start the processing port must not write.
`default_nettype none
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
  input  logic                       we_i,          // a step: the rest
  input  logic                       we_active_i,
  input  logic                       we_live_i,
  input  logic                       we_sets_i,
  input  divergence_pkg::row_t       row_i,
  // from and to issue
  input  logic [cfg_pkg::WARP_W-1:0] q_slot_i,
  output logic [31:0]                q_active_o,
  output logic [31:0]                q_live_o,
  output logic [15:0]                q_written_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;

  localparam int unsigned SETS = divergence_pkg::ROW_SETS, SETS_W = divergence_pkg::ROW_SETS_W, REST = SETS + SETS_W;

  divergence_pkg::row_t       row;
  logic [WIDTH-1:0]           kept;
  logic [cfg_pkg::WARP_W-1:0] slot;
  logic                       we, we_active, we_live, we_sets;

  assign we        = we_i || start_valid_i;
  assign we_active = we_active_i || start_valid_i;
  assign we_live   = we_live_i || start_valid_i;
  assign we_sets   = we_sets_i || start_valid_i;
  assign slot      = start_valid_i ? start_slot_i : slot_i;
  assign row_o     = divergence_pkg::ROW_W'(kept);

  always_comb begin
    row = row_i;
    if (start_valid_i) begin
      row        = '0;
      row.live   = start_live_i;
      row.active = start_live_i;
    end
  end

  // What issue asks for, twice: one copy for each reader.
  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_active (
    .clk_i     (clk_i),
    .wr_en_i   (we_active),
    .wr_addr_i (slot),
    .wr_data_i (row.active),
    .rd_addr_i (slot_i),
    .rd_data_o (kept[31:0])
  );
  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_active_q (
    .clk_i     (clk_i),
    .wr_en_i   (we_active),
    .wr_addr_i (slot),
    .wr_data_i (row.active),
    .rd_addr_i (q_slot_i),
    .rd_data_o (q_active_o)
  );
  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_live (
    .clk_i     (clk_i),
    .wr_en_i   (we_live),
    .wr_addr_i (slot),
    .wr_data_i (row.live),
    .rd_addr_i (slot_i),
    .rd_data_o (kept[63:32])
  );
  ram_async #(.WIDTH(32), .DEPTH(WARPS)) u_live_q (
    .clk_i     (clk_i),
    .wr_en_i   (we_live),
    .wr_addr_i (slot),
    .wr_data_i (row.live),
    .rd_addr_i (q_slot_i),
    .rd_data_o (q_live_o)
  );
  ram_async #(.WIDTH(SETS_W), .DEPTH(WARPS)) u_sets (
    .clk_i     (clk_i),
    .wr_en_i   (we_sets),
    .wr_addr_i (slot),
    .wr_data_i (row[SETS +: SETS_W]),
    .rd_addr_i (slot_i),
    .rd_data_o (kept[SETS +: SETS_W])
  );
  ram_async #(.WIDTH(16), .DEPTH(WARPS)) u_sets_q (
    .clk_i     (clk_i),
    .wr_en_i   (we_sets),
    .wr_addr_i (slot),
    .wr_data_i (row.written),
    .rd_addr_i (q_slot_i),
    .rd_data_o (q_written_o)
  );
  ram_async #(.WIDTH(WIDTH - REST), .DEPTH(WARPS)) u_rest (
    .clk_i     (clk_i),
    .wr_en_i   (we),
    .wr_addr_i (slot),
    .wr_data_i (row[WIDTH-1:REST]),
    .rd_addr_i (slot_i),
    .rd_data_o (kept[WIDTH-1:REST])
  );

  // A start is alone.
  `ASSERT(a_alone, !(start_valid_i && (we_i || we_active_i || we_live_i || we_sets_i)))

  if (!ITS) begin : gen_stack
    logic unused;
    assign unused = ^row[divergence_pkg::ROW_W-1:WIDTH];
  end

endmodule

`default_nettype wire
