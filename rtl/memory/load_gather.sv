// SPDX-License-Identifier: Apache-2.0
// Hands the words of returned sectors to their lanes: picks, extends, and writes them into the result rows of the
// instruction's gslot, one beat of lanes a cycle.
// Latency: one cycle from an answer to the row memory; as many cycles as beats have lanes in the sector.
// Handshake: answers valid/ready; dn_ events follow when the rows are written. Result rows are read in the same cycle.
// It does not count sectors: global_track does.
`default_nettype none

module load_gather #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BEATS = mem_pkg::BEATS,
  localparam int unsigned ROW_W = mem_pkg::GROW_W
) (
  input  logic                          clk_i,
  input  logic                          rst_ni,
  // from the coalescer: byte offsets of the lanes
  input  logic                          co_row_valid_i,
  input  logic [ROW_W-1:0]              co_row_i,
  input  logic [LANES-1:0][4:0]         co_offset_i,
  // from gmem
  input  logic                          gm_valid_i,
  output logic                          gm_ready_o,
  input  mem_pkg::grsp_t                gm_rsp_i,
  // to global_track
  output logic                          dn_valid_o,    // event: a sector of this instruction is finished
  output logic [mem_pkg::GSLOT_W-1:0]   dn_slot_o,
  output logic                          dn_err_o,
  output logic [31:0]                   dn_lanes_o,
  output logic [mem_pkg::SECTOR_W-1:0]  dn_sector_o,
  // result rows
  input  logic [ROW_W-1:0]              rd_row_i,
  output logic [3:0][LANES-1:0][31:0]   rd_data_o,
  output logic                          idle_o
);

  logic [BEATS-1:0]              has, todo, done_q, beat_hot;
  logic [mem_pkg::BEAT_W-1:0]    beat;
  logic [ROW_W-1:0]              row, row_q;
  logic [LANES-1:0][4:0]         offset;
  logic [LANES-1:0]              mine, wr_en_q;
  logic [LANES-1:0][3:0][31:0]   word, word_q, result;
  logic                          final_beat, quad, wide, unused_any;

  ram_async #(.WIDTH(LANES * 5), .DEPTH(mem_pkg::GROWS)) u_offset (
    .clk_i     (clk_i),
    .wr_en_i   (co_row_valid_i),
    .wr_addr_i (co_row_i),
    .wr_data_i (co_offset_i),
    .rd_addr_i (row),
    .rd_data_o (offset)
  );

  // Beats of this answer that are still to do.
  always_comb begin
    for (int unsigned b = 0; b < BEATS; b++) has[b] = gm_rsp_i.give && gm_rsp_i.lanes[b*LANES +: LANES] != '0;
  end
  assign todo = has & ~done_q;

  lowest_one #(.N(BEATS)) u_beat (
    .in_i     (todo),
    .onehot_o (beat_hot),
    .index_o  (beat),
    .any_o    (unused_any)
  );

  assign final_beat = (todo & ~beat_hot) == '0;
  assign gm_ready_o = final_beat;
  assign row        = ROW_W'(32'(gm_rsp_i.gslot) * BEATS + 32'(beat));
  assign mine       = LANES'(gm_rsp_i.lanes >> (32'(beat) * LANES)) & {LANES{gm_valid_i && gm_rsp_i.give}};
  assign quad       = gm_rsp_i.size == isa_pkg::SIZE_128;
  assign wide       = quad || gm_rsp_i.size == isa_pkg::SIZE_64;

  always_comb begin
    word = '0;
    for (int unsigned l = 0; l < LANES; l++) begin
      if (mine[l]) begin
        word[l][0] = mem_pkg::extend(gm_rsp_i.size, offset[l][1:0], gm_rsp_i.rdata[{offset[l][4:2], 5'd0} +: 32]);
        if (wide) word[l][1] = gm_rsp_i.rdata[{offset[l][4:3], 6'd32} +: 32];
        if (quad) begin
          word[l][2] = gm_rsp_i.rdata[{offset[l][4], 7'd64} +: 32];
          word[l][3] = gm_rsp_i.rdata[{offset[l][4], 7'd96} +: 32];
        end
      end
    end
  end

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    always_ff @(posedge clk_i) begin
      if (mine[l]) word_q[l] <= word[l];
    end
    ram_async #(.WIDTH(128), .DEPTH(mem_pkg::GROWS)) u_result (
      .clk_i     (clk_i),
      .wr_en_i   (wr_en_q[l]),
      .wr_addr_i (row_q),
      .wr_data_i (word_q[l]),
      .rd_addr_i (rd_row_i),
      .rd_data_o (result[l])
    );
  end

  // A row for each register.
  always_comb begin
    for (int unsigned w = 0; w < 4; w++) begin
      for (int unsigned l = 0; l < LANES; l++) rd_data_o[w][l] = result[l][w];
    end
  end

  always_ff @(posedge clk_i) begin
    if (gm_valid_i) begin
      row_q       <= row;
      dn_slot_o   <= gm_rsp_i.gslot;
      dn_err_o    <= gm_rsp_i.err;
      dn_lanes_o  <= gm_rsp_i.lanes;
      dn_sector_o <= gm_rsp_i.sector;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      done_q     <= '0;
      wr_en_q    <= '0;
      dn_valid_o <= 1'b0;
    end else begin
      wr_en_q    <= mine;
      dn_valid_o <= gm_valid_i && final_beat && gm_rsp_i.done;
      if (gm_valid_i) done_q <= final_beat ? '0 : done_q | beat_hot;
    end
  end

  assign idle_o = !gm_valid_i && !dn_valid_o;

endmodule

`default_nettype wire
