// SPDX-License-Identifier: Apache-2.0
// Memory of the thread ids of every warp slot: SR_TID.X, .Y, .Z, a row a beat. No id is greater than the number of threads that
// the machine holds, but for lanes that do not live: bits above are not kept.
// Latency: data stands one cycle after tid_en_i; which of x, y, z comes with the data.
// No handshake: the block dispatcher writes a row whenever it likes, before the warp starts. Without tid_en_i in the cycle before,
// tid_data_o means nothing.
// It does not hold CTAID (that comes with the instruction) nor what follows from a lane number (lane_values), and does not
// know which warp is alive.
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module tid_rows (
  input  logic                                  clk_i,
  // from the dispatcher: one row of thread ids
  input  logic                                  ct_tid_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]            ct_tid_slot_i,
  input  logic [4:0]                            ct_tid_beat_i,
  input  logic [cfg_pkg::LANES-1:0][10:0]       ct_tid_x_i,
  input  logic [cfg_pkg::LANES-1:0][10:0]       ct_tid_y_i,
  input  logic [cfg_pkg::LANES-1:0][10:0]       ct_tid_z_i,
  // thread ids
  input  logic                                  tid_en_i,
  input  logic [cfg_pkg::WARP_W-1:0]            tid_slot_i,
  input  logic [cfg_pkg::BEAT_W-1:0]           tid_beat_i,
  input  logic                                  tid_y_i,
  input  logic                                  tid_z_i,
  output logic [cfg_pkg::LANES-1:0][10:0]       tid_data_o
);

  localparam int unsigned LANES = cfg_pkg::LANES;
  localparam int unsigned BEATS = cfg_pkg::BEATS;
  localparam int unsigned DEPTH = cfg_pkg::WARPS * BEATS;
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;

  function automatic logic [ADDR_W-1:0] row_of(logic [cfg_pkg::WARP_W-1:0] slot, logic [cfg_pkg::BEAT_W-1:0] beat);
    row_of = ADDR_W'(32'(slot) * BEATS + ((BEATS > 1) ? 32'(beat) : 32'd0));
  endfunction

  localparam int unsigned TID_W = (cfg_pkg::SM_WARPS < 32) ? $clog2(cfg_pkg::SM_WARPS * 32) : 10;   // a block has 1,024 at most

  logic [LANES-1:0][3*TID_W-1:0] wr_row, rd_row;

  always_comb begin
    `HEDDLE_IDLE(wr_row, 'x);
    if (`HEDDLE_LIVE(ct_tid_valid_i)) begin
      `LANE_LOOP (int l = 0; l < int'(LANES); l++) begin
        wr_row[l] = {TID_W'(ct_tid_z_i[l]), TID_W'(ct_tid_y_i[l]), TID_W'(ct_tid_x_i[l])};
      end
    end
  end

  ram_1r1w #(
    .WIDTH (LANES * 3 * TID_W),
    .DEPTH (DEPTH),
    .RACE  (1'b1)   // rows are written before their warp begins
  ) u_tid (
    .clk_i     (clk_i),
    .wr_en_i   (ct_tid_valid_i),
    .wr_addr_i (row_of(ct_tid_slot_i, ct_tid_beat_i[cfg_pkg::BEAT_W-1:0])),
    .wr_data_i (wr_row),
    .rd_en_i   (tid_en_i),
    .rd_addr_i (row_of(tid_slot_i, tid_beat_i)),
    .rd_data_o (rd_row)
  );

  logic read_q;   // for the simulator
  always_ff @(posedge clk_i) read_q <= tid_en_i;

  always_comb begin
    `HEDDLE_IDLE(tid_data_o, 'x);
    if (`HEDDLE_LIVE(read_q)) begin
      `LANE_LOOP (int l = 0; l < int'(LANES); l++) begin
        tid_data_o[l] = tid_z_i ? 11'(rd_row[l][2*TID_W +: TID_W]) : tid_y_i ? 11'(rd_row[l][TID_W +: TID_W])
                                                                             : 11'(rd_row[l][0 +: TID_W]);
      end
    end
  end

  logic unused;
  assign unused = ^{ct_tid_beat_i, ct_tid_x_i, ct_tid_y_i, ct_tid_z_i, read_q};

endmodule
