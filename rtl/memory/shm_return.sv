// SPDX-License-Identifier: Apache-2.0
// From the banks back to the lanes: each lane of a pass picks its words; a beat's passes are collected, then queued.
// Latency: bank data of cycle t is in the queue's output in cycle t+2. A pass a cycle.
// Handshake: events in; rows valid/ready out; hold_o stops new passes so that the queue can't overflow.
// It does not write registers: row_writer does, behind rows_o.
`default_nettype none

module shm_return #(
  localparam int unsigned LANES = cfg_pkg::LANES
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from shm_conflict: a beat's last pass has left
  input  logic                         sent_i,
  output logic                         hold_o,
  // from shm_route
  input  logic                         rt_valid_i,
  input  core_pkg::memop_t             rt_op_i,
  input  logic [4:0]                   rt_beat_i,
  input  logic                         rt_last_i,
  input  logic [LANES-1:0]             rt_grant_i,
  input  logic [LANES-1:0][4:0]        rt_bank_i,
  input  logic [LANES-1:0][1:0]        rt_sub_i,
  // from the banks, one cycle after rt_valid_i
  input  logic [31:0][31:0]            bk_rdata_i,
  // to the row writer
  output logic                         rows_valid_o,
  input  logic                         rows_ready_i,
  output mem_pkg::rows_t               rows_o,
  output logic [3:0][LANES-1:0][31:0]  rows_data_o,
  // to mem_top
  output logic                         idle_o
);

  localparam int unsigned DEPTH   = 8;
  localparam int unsigned PTR_W   = $clog2(DEPTH);
  localparam int unsigned COUNT_W = $clog2(DEPTH + 1);
  localparam int unsigned META_W  = $bits(core_pkg::memop_t) + 5;

  // The pass whose bank data is here, then the pass whose words are picked.
  logic                         bk_valid_q, bk_last_q, pk_valid_q, pk_last_q;
  core_pkg::memop_t             bk_op_q, pk_op_q;
  logic [4:0]                   bk_beat_q, pk_beat_q;
  logic [LANES-1:0]             bk_grant_q, pk_grant_q;
  logic [LANES-1:0][4:0]        bk_bank_q;
  logic [LANES-1:0][1:0]        bk_sub_q, pk_sub_q;
  logic [LANES-1:0][3:0][31:0]  word, pk_word_q, row;
  logic                         quad, wide;

  // Queue of beats.
  logic [PTR_W-1:0]             wr_q, rd_q;
  logic [COUNT_W-1:0]           count_q, owed_q;
  logic                         push, pop;
  core_pkg::memop_t             out_op;
  logic [4:0]                   out_beat;

  always_ff @(posedge clk_i) begin
    if (rt_valid_i) begin
      bk_op_q    <= rt_op_i;
      bk_beat_q  <= rt_beat_i;
      bk_last_q  <= rt_last_i;
      bk_grant_q <= rt_grant_i;
      bk_bank_q  <= rt_bank_i;
      bk_sub_q   <= rt_sub_i;
    end
    if (bk_valid_q) begin
      pk_op_q    <= bk_op_q;
      pk_beat_q  <= bk_beat_q;
      pk_last_q  <= bk_last_q;
      pk_grant_q <= bk_grant_q;
      pk_sub_q   <= bk_sub_q;
      pk_word_q  <= word;
    end
  end

  assign quad = bk_op_q.size == isa_pkg::SIZE_128;
  assign wide = quad || bk_op_q.size == isa_pkg::SIZE_64;

  always_comb begin
    word = '0;
    if (bk_valid_q) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        word[l][0] = bk_rdata_i[bk_bank_q[l]];
        if (wide) word[l][1] = bk_rdata_i[{bk_bank_q[l][4:2], !quad && bk_bank_q[l][1], 1'b1}];
        if (quad) begin
          word[l][2] = bk_rdata_i[{bk_bank_q[l][4:2], 2'd2}];
          word[l][3] = bk_rdata_i[{bk_bank_q[l][4:2], 2'd3}];
        end
      end
    end
  end

  ram_async #(.WIDTH(META_W), .DEPTH(DEPTH)) u_meta (
    .clk_i     (clk_i),
    .wr_en_i   (push),
    .wr_addr_i (wr_q),
    .wr_data_i ({pk_op_q, pk_beat_q}),
    .rd_addr_i (rd_q),
    .rd_data_o ({out_op, out_beat})
  );

  // Each pass writes the words of its lanes; with the last one the row is whole.
  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    ram_async #(.WIDTH(128), .DEPTH(DEPTH)) u_data (
      .clk_i     (clk_i),
      .wr_en_i   (pk_valid_q && pk_grant_q[l]),
      .wr_addr_i (wr_q),
      .wr_data_i ({pk_word_q[l][3:1], mem_pkg::extend(pk_op_q.size, pk_sub_q[l], pk_word_q[l][0])}),
      .rd_addr_i (rd_q),
      .rd_data_o (row[l])
    );
  end

  always_comb begin
    for (int unsigned w = 0; w < 4; w++) begin
      for (int unsigned l = 0; l < LANES; l++) rows_data_o[w][l] = row[l][w];
    end
  end

  assign push         = pk_valid_q && pk_last_q;
  assign pop          = rows_valid_o && rows_ready_i;
  assign rows_valid_o = count_q != '0;
  assign rows_o.op    = out_op;
  assign rows_o.beat  = out_beat;
  assign rows_o.rows  = 1'b1;
  assign rows_o.last  = out_beat == 5'(cfg_pkg::BEATS - 1);
  assign rows_o.trap  = 1'b0;
  assign rows_o.lanes = '0;
  assign rows_o.addr  = '0;
  assign hold_o       = owed_q == COUNT_W'(DEPTH);
  assign idle_o       = owed_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bk_valid_q <= 1'b0;
      pk_valid_q <= 1'b0;
      wr_q       <= '0;
      rd_q       <= '0;
      count_q    <= '0;
      owed_q     <= '0;
    end else begin
      bk_valid_q <= rt_valid_i;
      pk_valid_q <= bk_valid_q;
      if (push) wr_q <= wr_q + 1'b1;
      if (pop)  rd_q <= rd_q + 1'b1;
      if (push && !pop)      count_q <= count_q + 1'b1;
      else if (pop && !push) count_q <= count_q - 1'b1;
      if (sent_i && !pop)      owed_q <= owed_q + 1'b1;
      else if (pop && !sent_i) owed_q <= owed_q - 1'b1;
    end
  end

endmodule

`default_nettype wire
