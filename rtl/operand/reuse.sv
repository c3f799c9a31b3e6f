// SPDX-License-Identifier: Apache-2.0
// Reuse cache: for each warp and each operand place a, b, c one register row set, kept when an instruction asks for it.
// Latency: hit_o combinational with the arriving instruction; data one cycle after rd_en_i.
// No handshake. An entry fills while its instruction's beats are dispatched, and is valid after the last one.
// Any write to the register by the warp drops the entry (also one that is filling), so it never changes a result.
// It does not cache pairs, immediates, constants or RZ, and an instruction that hits does not fill again.
`default_nettype none

module reuse #(
  localparam int unsigned PLACES = 3
) (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,
  input  logic [7:0]                                          fault_i,
  // from the dispatcher of blocks: a warp begins in this slot
  input  logic                                                start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                          start_slot_i,
  // from issue: an instruction arrives
  input  logic                                                arrive_i,
  input  logic [cfg_pkg::WARP_W-1:0]                          arrive_slot_i,
  input  logic [PLACES-1:0]                                   arrive_can_i,   // operand is one register
  input  logic [PLACES-1:0]                                   arrive_keep_i,  // ... and shall be kept
  input  logic [PLACES-1:0][7:0]                              arrive_reg_i,
  output logic [PLACES-1:0]                                   hit_o,
  // reads for the beat that leaves next
  input  logic [PLACES-1:0]                                   rd_en_i,
  input  logic [cfg_pkg::WARP_W-1:0]                          rd_slot_i,
  input  logic [cfg_pkg::BEAT_W-1:0]                          rd_beat_i,
  output logic [PLACES-1:0][cfg_pkg::LANES-1:0][31:0]         rd_data_o,
  // from dispatch: a beat leaves with its operands
  input  logic                                                op_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                          op_slot_i,
  input  logic [cfg_pkg::BEAT_W-1:0]                         op_beat_i,
  input  logic                                                op_last_i,
  input  logic [PLACES-1:0][cfg_pkg::LANES-1:0][31:0]         op_data_i,
  // from the write ports
  input  logic [cfg_pkg::BANKS-1:0]                           wr_valid_i,
  input  logic [cfg_pkg::BANKS-1:0][cfg_pkg::WARP_W-1:0]      wr_slot_i,
  input  logic [cfg_pkg::BANKS-1:0][7:0]                      wr_rd_i
);

  localparam int unsigned WARPS  = cfg_pkg::WARPS;
  localparam int unsigned BEATS  = cfg_pkg::BEATS;
  localparam int unsigned DEPTH  = WARPS * BEATS;
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;

  function automatic logic [ADDR_W-1:0] row_of(logic [cfg_pkg::WARP_W-1:0] slot, logic [cfg_pkg::BEAT_W-1:0] beat);
    row_of = ADDR_W'(32'(slot) * BEATS + ((BEATS > 1) ? 32'(beat) : 32'd0));
  endfunction

  logic [WARPS-1:0][PLACES-1:0][7:0] reg_q;
  logic [WARPS-1:0][PLACES-1:0]      valid_q, filling_q, kill;

  // Entries whose register is written in this cycle, and all of a slot that starts anew.
  always_comb begin
    kill = '0;
    for (int unsigned b = 0; b < cfg_pkg::BANKS; b++) begin
      if (wr_valid_i[b] && fault_i != core_pkg::FAULT_REUSE_STALE) begin
        for (int unsigned p = 0; p < PLACES; p++) begin
          if (wr_rd_i[b] == reg_q[wr_slot_i[b]][p]) kill[wr_slot_i[b]][p] = 1'b1;
        end
      end
    end
    if (start_valid_i) kill[start_slot_i] = '1;
  end

  always_comb begin
    for (int unsigned p = 0; p < PLACES; p++) begin
      hit_o[p] = arrive_can_i[p] && valid_q[arrive_slot_i][p] && !kill[arrive_slot_i][p]
                 && reg_q[arrive_slot_i][p] == arrive_reg_i[p];
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < PLACES; p++) begin
      if (arrive_i && arrive_keep_i[p]) reg_q[arrive_slot_i][p] <= arrive_reg_i[p];
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q   <= '0;
      filling_q <= '0;
    end else begin
      for (int unsigned p = 0; p < PLACES; p++) begin
        if (op_valid_i && op_last_i && filling_q[op_slot_i][p]) begin
          valid_q[op_slot_i][p]   <= 1'b1;
          filling_q[op_slot_i][p] <= 1'b0;
        end
        for (int unsigned w = 0; w < WARPS; w++) begin
          if (kill[w][p]) begin
            valid_q[w][p]   <= 1'b0;
            filling_q[w][p] <= 1'b0;
          end
        end
        if (arrive_i && arrive_keep_i[p] && !hit_o[p]) begin
          valid_q[arrive_slot_i][p]   <= 1'b0;
          filling_q[arrive_slot_i][p] <= 1'b1;
        end
      end
    end
  end

  for (genvar p = 0; p < PLACES; p++) begin : gen_place
    ram_1r1w #(
      .WIDTH (cfg_pkg::LANES * 32),
      .DEPTH (DEPTH),
      .RACE  (1'b1)   // an entry is read only once it has been filled
    ) u_ram (
      .clk_i     (clk_i),
      .wr_en_i   (op_valid_i && filling_q[op_slot_i][p]),
      .wr_addr_i (row_of(op_slot_i, op_beat_i)),
      .wr_data_i (op_data_i[p]),
      .rd_en_i   (rd_en_i[p]),
      .rd_addr_i (row_of(rd_slot_i, rd_beat_i)),
      .rd_data_o (rd_data_o[p])
    );
  end

endmodule

`default_nettype wire
