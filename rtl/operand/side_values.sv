// SPDX-License-Identifier: Apache-2.0
// Words of a row that come from no register: immediates, constants and CTAID, one value for all lanes; special registers that follow
// from a lane's number; thread ids; predicates (P2R). A word that comes from elsewhere is zero, so that all sources are ORed.
// Thread ids are in a memory, a row a beat of every warp slot. The block dispatcher writes them before the warp starts. No id is
// greater than the number of threads that the machine holds, but for lanes that do not live: bits above are not kept.
// Latency: thread ids and predicates are read with the last reads of a row; the words are there with those of the banks, a cycle later.
// No handshake.
// SPECIAL: the reader has S2R and P2R; another one has values for all lanes alone.
// It does not choose the special register: operand_map does.
`include "heddle_assert.svh"
`include "heddle_idle.svh"
`include "heddle_lanes.svh"

module side_values #(
  parameter  bit          SPECIAL = 1'b1,
  localparam int unsigned LANES   = cfg_pkg::LANES,
  localparam int unsigned WORDS   = back_pkg::WORDS
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // from the block dispatcher: one row of thread ids
  input  logic                               ct_tid_valid_i,
  input  sm_pkg::tid_t                       ct_tid_i,
  // from the reader: thread ids of a beat are read
  input  logic                               tid_en_i,
  input  logic [cfg_pkg::WARP_W-1:0]         tid_slot_i,
  input  logic [cfg_pkg::BEAT_W-1:0]         tid_beat_i,
  // a cycle later, from dispatch: words arrive, the last ones of this row or early ones
  input  logic                               live_i,
  input  logic                               final_i,
  input  back_pkg::beat_t                    beat_i,
  // from issue: its predicates, P0 first; zero if none are read
  input  logic [6:0][LANES-1:0]              preds_i,
  // to dispatch
  output logic [WORDS-1:0][LANES-1:0][31:0]  side_o
);

  localparam int unsigned BEATS  = cfg_pkg::BEATS;
  localparam int unsigned DEPTH  = cfg_pkg::WARPS * BEATS;
  localparam int unsigned ADDR_W = (DEPTH > 1) ? $clog2(DEPTH) : 1;
  localparam int unsigned TID_W  = (cfg_pkg::SM_WARPS < 32) ? $clog2(cfg_pkg::SM_WARPS * 32) : 10;   // a block has 1,024 at most

  logic [LANES-1:0][31:0] lane, tid;   // of a lane's number; thread ids

  if (SPECIAL) begin : gen_special
    // ---- thread ids ---------------------------------------------------------------------------------------------------
    logic [LANES-1:0][2:0][TID_W-1:0] wr_row, rd_row;   // z, y, x

    function automatic logic [ADDR_W-1:0] row_of(logic [cfg_pkg::WARP_W-1:0] slot, logic [cfg_pkg::BEAT_W-1:0] beat);
      row_of = ADDR_W'(32'(slot) * BEATS + ((BEATS > 1) ? 32'(beat) : 32'd0));
    endfunction

    always_comb begin
      `HEDDLE_IDLE(wr_row, 'x);
      if (`HEDDLE_LIVE(ct_tid_valid_i)) begin
        `LANE_LOOP (int l = 0; l < int'(LANES); l++) begin
          wr_row[l] = {TID_W'(ct_tid_i.z[l]), TID_W'(ct_tid_i.y[l]), TID_W'(ct_tid_i.x[l])};
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
      .wr_addr_i (row_of(core_pkg::local_slot(ct_tid_i.slot), ct_tid_i.beat[cfg_pkg::BEAT_W-1:0])),
      .wr_data_i (wr_row),
      .rd_en_i   (tid_en_i),
      .rd_addr_i (row_of(tid_slot_i, tid_beat_i)),
      .rd_data_o (rd_row)
    );

    always_comb begin
      tid = '0;
      if (final_i && beat_i.tid_b) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          tid[l][TID_W-1:0] = beat_i.tid_z ? rd_row[l][2] : beat_i.tid_y ? rd_row[l][1] : rd_row[l][0];
        end
      end
    end

    // ---- what follows from a lane's number: SR_LANEID and the five masks of lanes ---------------------------------------
    // Bits of a mask by where their lane is: in an earlier beat than this one, or in this beat. Only within the beat does a mask
    // differ from lane to lane.
    logic                       lanes;
    logic [cfg_pkg::BEAT_W-1:0] beat;
    logic [31:0]                earlier, here;

    assign lanes = final_i && beat_i.lane_b;
    assign beat  = beat_i.row.dest.beat[cfg_pkg::BEAT_W-1:0];

    always_comb begin
      earlier = 'x;
      here    = 'x;
      `HEDDLE_ONLY(lanes) begin
        for (int unsigned j = 0; j < 32; j++) begin
          earlier[j] = BEATS > 1 && 32'(beat) > j / LANES;
          here[j]    = BEATS == 1 || 32'(beat) == j / LANES;
        end
      end
    end

    always_comb begin
      lane = '0;
      if (lanes) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          for (int unsigned j = 0; j < 32; j++) begin
            lane[l][j] = ((earlier[j] && beat_i.lane.earlier)
                          || (here[j] && ((j % LANES == l && beat_i.lane.own) || (j % LANES < l && beat_i.lane.below)))) ^ beat_i.lane.flip;
          end
          if (beat_i.lane.number) lane[l] |= ((BEATS > 1) ? 32'(beat) * LANES : 32'd0) + l;
        end
      end
    end
  end else begin : gen_plain
    assign {lane, tid} = '0;
    logic unused;
    assign unused = ^{ct_tid_valid_i, tid_en_i, tid_slot_i, tid_beat_i, preds_i};
  end

  // ---- words ----------------------------------------------------------------------------------------------------------
  // An early word comes from its bank alone.
  logic [31:0] sval_a, sval_b, sval_c, sval_x;
  assign sval_a = (cfg_pkg::HAS_UNI && final_i && beat_i.sval_a) ? beat_i.sval : '0;
  assign sval_b = !(final_i && beat_i.sval_b) ? '0 : (beat_i.row.into != '0) ? beat_i.sval_hi : beat_i.sval;
  assign sval_c = beat_i.sval_c ? beat_i.sval : '0;
  assign sval_x = beat_i.sval_x ? beat_i.sval_hi : '0;

  always_comb begin
    for (int unsigned w = 0; w < WORDS; w++) `HEDDLE_IDLE(side_o[w], 'x);
    if (`HEDDLE_LIVE(live_i)) begin
      side_o[back_pkg::WORD_A] = {LANES{sval_a}};
      side_o[back_pkg::WORD_B] = ({LANES{sval_b}} | lane) | tid;   // what lanes have in common first
      side_o[back_pkg::WORD_C] = {LANES{sval_c}};
      side_o[back_pkg::WORD_X] = {LANES{sval_x}};
      if (SPECIAL && `HEDDLE_LIVE(final_i && beat_i.preds_c)) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          for (int unsigned p = 0; p < 7; p++) side_o[back_pkg::WORD_C][l][p] |= preds_i[p][l];
        end
      end
    end
  end

  // S2R and P2R are of alu.
  `ASSERT_IF(a_special, final_i, SPECIAL || !(beat_i.tid_b || beat_i.lane_b || beat_i.preds_c))

  // Fields that concern others.
  logic unused;
  assign unused = ^{beat_i, ct_tid_i};

endmodule
