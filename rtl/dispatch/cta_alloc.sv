// SPDX-License-Identifier: Apache-2.0
// Finds room on the SM for the next block: a block slot, and a warp slot for each of its warps, which partitions give in turns:
// the next warp goes to the partition after that of the last one, of whatever block, or to the next one that has a place.
// Latency: valid_o comes as many cycles after a block is wanted and has room as it has warps, and one more; the next block is
// looked for in the cycle after a take.
// Handshake: begin_i (event: what the plan says stands from then on); valid_o and take_i: valid/ready, with the block stable
// until it is taken. end_i, one-hot or zero, gives a block slot and end_warps_i back.
// A block that has room is not overtaken. It starts nothing and does not follow warps to their end.
`include "heddle_assert.svh"

module cta_alloc (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  // from the plan
  input  logic                         begin_i,
  input  logic [cfg_pkg::BLOCKS-1:0]   slots_i,       // block slots that exist
  input  logic [cfg_pkg::WARPS-1:0]    places_i,      // warp slots of each partition that exist
  input  logic [7:0]                   room_i,        // ... in all partitions
  input  logic [7:0]                   warps_i,       // of a block
  // there is a block to be started; there is room for one that is free
  input  logic                         want_i,
  output logic                         open_o,
  // room for it
  output logic                         valid_o,
  output logic [cfg_pkg::BLOCK_W-1:0]  bslot_o,
  output logic [cfg_pkg::SM_WARPS-1:0] warps_o,
  input  logic                         take_i,
  // a block has ended
  input  logic [cfg_pkg::BLOCKS-1:0]   end_i,
  input  logic [cfg_pkg::SM_WARPS-1:0] end_warps_i,
  output logic                         empty_o        // no block slot is in use
);

  localparam int unsigned WARPS  = cfg_pkg::SM_WARPS;
  localparam int unsigned PARTS  = cfg_pkg::PARTITIONS;
  localparam int unsigned BLOCKS = cfg_pkg::BLOCKS;

  localparam logic [1:0] ST_IDLE = 2'd0, ST_FILL = 2'd1, ST_HAVE = 2'd2;

  logic [1:0]                  state_q;
  logic [BLOCKS-1:0]           used_q, bslot_pick;
  logic [cfg_pkg::BLOCK_W-1:0] bslot, bslot_q;
  logic                        any_bslot, reserve;
  logic [7:0]                  free_q, need_q;         // free places; slots still to be found
  logic [WARPS-1:0]            owned_q, mine_q, pick;

  lowest_one #(.N(BLOCKS)) u_bslot (
    .in_i     (slots_i & ~used_q),
    .onehot_o (bslot_pick),
    .index_o  (bslot),
    .any_o    (any_bslot)
  );
  assign open_o  = state_q == ST_IDLE && any_bslot && free_q >= warps_i;
  assign reserve = open_o && want_i;

  // ---- a warp slot ---------------------------------------------------------------------------------------------------------
  logic [PARTS-1:0][cfg_pkg::WARPS-1:0] open, first;   // free places of each partition; the lowest
  logic [PARTS-1:0]                     has_place, turn;

  for (genvar p = 0; p < PARTS; p++) begin : gen_partition
    for (genvar w = 0; w < cfg_pkg::WARPS; w++) begin : gen_place
      assign open[p][w]          = places_i[w] && !owned_q[w*PARTS+p];
      assign pick[w*PARTS+p]     = first[p][w] && turn[p];
    end
    arb_fixed #(.N(cfg_pkg::WARPS)) u_first (
      .req_i   (open[p]),
      .grant_o (first[p])
    );
    assign has_place[p] = open[p] != '0;
  end
  arb_rr #(.N(PARTS)) u_turn (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni && !begin_i),
    .req_i   (has_place),
    .grant_o (turn),
    .take_i  (state_q == ST_FILL)
  );

  // ---- control -------------------------------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= ST_IDLE;
      used_q  <= '0;
      owned_q <= '0;
    end else begin
      used_q  <= (used_q & ~end_i) | (reserve ? bslot_pick : '0);
      owned_q <= (owned_q & ~end_warps_i) | ((state_q == ST_FILL) ? pick : '0);
      case (state_q)
        ST_IDLE: if (reserve) state_q <= ST_FILL;
        ST_FILL: if (need_q == 8'd1) state_q <= ST_HAVE;
        default: if (take_i) state_q <= ST_IDLE;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (begin_i) free_q <= room_i;
    else free_q <= free_q - (reserve ? warps_i : '0) + ((end_i != '0) ? warps_i : '0);
    if (state_q == ST_IDLE) begin
      bslot_q <= bslot;
      need_q  <= warps_i;
      mine_q  <= '0;
    end
    if (state_q == ST_FILL) begin
      need_q <= need_q - 8'd1;
      mine_q <= mine_q | pick;
    end
  end

  assign valid_o = state_q == ST_HAVE;
  assign bslot_o = bslot_q;
  assign warps_o = mine_q;
  assign empty_o = used_q == '0;

  // A reserved place is free.
  `ASSERT(a_room, state_q != ST_FILL || pick != '0)
  // No place is given twice, and none is given back that is free.
  `ASSERT(a_back, (end_warps_i & ~owned_q) == '0 && (end_i & ~used_q) == '0)

endmodule
