// SPDX-License-Identifier: Apache-2.0
// Atomic adds on one sector: one read-modify-write a lane and cycle, ascending lanes; each lane is answered with the sector as
// it was before its own add; then the sector is written back.
// Latency: lanes + 3 cycles from start to the write-back request. One sector at a time.
// Handshake: valid/ready for start, answers and write-back. Operands lie here by gslot since the coalescer read the rows.
// It does not read or write memory itself.
`default_nettype none

module gmem_atom #(
  localparam int unsigned LANES   = cfg_pkg::LANES,
  localparam int unsigned ENTRY_W = mem_pkg::ENTRY_W
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [7:0]                  fault_i,
  // from the coalescer: operands of the lanes
  input  logic                        co_row_valid_i,
  input  logic [mem_pkg::GROW_W-1:0]  co_row_i,
  input  logic [LANES-1:0][2:0]       co_word_i,
  input  logic [LANES-1:0][31:0]      co_operand_i,
  // from gmem: a sector was read
  input  logic                        start_valid_i,
  output logic                        start_ready_o,
  input  logic [ENTRY_W-1:0]          start_entry_i,
  input  logic [31:0]                 start_lanes_i,
  input  logic [mem_pkg::SECTOR_W-1:0] start_sector_i,
  input  logic [mem_pkg::GSLOT_W-1:0] start_gslot_i,
  input  logic [2:0]                  start_size_i,
  input  logic [255:0]                start_data_i,
  // answers to the lanes
  output logic                        at_rsp_valid_o,
  input  logic                        at_rsp_ready_i,
  output mem_pkg::grsp_t              at_rsp_o,
  // write-back
  output logic                        at_wr_valid_o,
  input  logic                        at_wr_ready_i,
  output logic [ENTRY_W-1:0]          at_wr_entry_o,
  output logic [mem_pkg::SECTOR_W-1:0] at_wr_sector_o,
  output logic [31:0]                 at_wr_strb_o,
  output logic [255:0]                at_wr_data_o
);

  logic                              busy_q, step, take;
  logic [ENTRY_W-1:0]                entry_q;
  logic [mem_pkg::SECTOR_W-1:0]      sector_q;
  logic [mem_pkg::GSLOT_W-1:0]       gslot_q;
  logic [2:0]                        size_q;
  logic [31:0]                       todo_q, lane_hot;
  logic [4:0]                        lane;
  logic                              any_todo;
  logic [7:0][31:0]                  first_q, now_q;
  logic [7:0]                        touched_q;

  // The lane whose operand has been read.
  logic                              lane_valid_q;
  logic [31:0]                       lane_q;
  logic [2:0]                        word_q;
  logic [31:0]                       operand_q;
  logic [LANES-1:0][34:0]            row_in, row_out;

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    assign row_in[l] = {co_word_i[l], co_operand_i[l]};
  end

  ram_async #(.WIDTH(LANES * 35), .DEPTH(mem_pkg::GROWS)) u_operand (
    .clk_i     (clk_i),
    .wr_en_i   (co_row_valid_i),
    .wr_addr_i (co_row_i),
    .wr_data_i (row_in),
    .rd_addr_i (mem_pkg::GROW_W'(32'(gslot_q) * mem_pkg::BEATS + 32'(lane) / LANES)),
    .rd_data_o (row_out)
  );

  lowest_one #(.N(32)) u_lane (
    .in_i     (todo_q),
    .onehot_o (lane_hot),
    .index_o  (lane),
    .any_o    (any_todo)
  );

  assign start_ready_o = !busy_q;
  assign step          = busy_q && any_todo && (!lane_valid_q || take);   // next lane reads its operand
  assign take          = lane_valid_q && at_rsp_ready_i;                  // the lane in front performs its add

  always_ff @(posedge clk_i) begin
    if (start_valid_i && start_ready_o) begin
      entry_q   <= start_entry_i;
      sector_q  <= start_sector_i;
      gslot_q   <= start_gslot_i;
      size_q    <= start_size_i;
      todo_q    <= start_lanes_i;
      first_q   <= start_data_i;
      now_q     <= start_data_i;
      touched_q <= '0;
    end
    if (step) begin
      todo_q              <= todo_q & ~lane_hot;
      lane_q              <= lane_hot;
      {word_q, operand_q} <= row_out[32'(lane) % LANES];
    end
    if (take) begin
      now_q[word_q]     <= now_q[word_q] + operand_q;
      touched_q[word_q] <= 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q       <= 1'b0;
      lane_valid_q <= 1'b0;
    end else begin
      if (start_valid_i && start_ready_o)      busy_q <= 1'b1;
      else if (at_wr_valid_o && at_wr_ready_i) busy_q <= 1'b0;
      lane_valid_q <= step || (lane_valid_q && !take);
    end
  end

  assign at_rsp_valid_o  = lane_valid_q;
  assign at_rsp_o.gslot  = gslot_q;
  assign at_rsp_o.size   = size_q;
  assign at_rsp_o.lanes  = lane_q;
  assign at_rsp_o.sector = sector_q;
  assign at_rsp_o.rdata  = (fault_i == core_pkg::FAULT_ATOM_ORDER) ? first_q : now_q;
  assign at_rsp_o.give   = 1'b1;
  assign at_rsp_o.done   = 1'b0;
  assign at_rsp_o.err    = 1'b0;

  assign at_wr_valid_o  = busy_q && !any_todo && !lane_valid_q;
  assign at_wr_entry_o  = entry_q;
  assign at_wr_sector_o = sector_q;
  assign at_wr_data_o   = now_q;
  for (genvar w = 0; w < 8; w++) begin : gen_word
    assign at_wr_strb_o[4*w +: 4] = {4{touched_q[w]}};
  end

endmodule

`default_nettype wire
