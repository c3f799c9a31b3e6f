// SPDX-License-Identifier: Apache-2.0
// Special-function unit of a partition (MUFU): takes an instruction beat by beat, sends each beat through a datapath of
// exec_pkg::SFU_LANES lanes in PASSES passes, and answers beat by beat, in order.
// Latency: the answer to a beat taken in cycle T is offered from cycle T + PASSES + RANKS + 1 on, if nothing is in front of it.
// Throughput: a beat every PASSES cycles (with a single pass, every two, which the output register takes). A beat without
// lanes, or of an instruction that writes nothing, takes one pass and leaves the datapath alone.
// Handshake: valid/ready on both sides; no combinational path from lr_ready_i. While an answer is not taken, the next one
// waits in the last rank and everything after it stands still.
// It does not read registers or write them, and it sets no predicates.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module sfu_unit (
  input  logic                                               clk_i,
  input  logic                                               rst_ni,
  // from operand
  input  logic                                               op_valid_i,
  output logic                                               op_ready_o,
  input  core_pkg::varop_t                                   op_i,
  input  logic [4:0]                                         op_beat_i,
  input  logic [core_pkg::MEM_SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] op_data_i,
  // to writeback
  output logic                                               lr_valid_o,
  input  logic                                               lr_ready_i,
  output core_pkg::result_t                                  lr_o
);

  localparam int unsigned LANES  = exec_pkg::SFU_LANES;
  localparam int unsigned PASSES = exec_pkg::SFU_PASSES;
  localparam int unsigned RANKS  = exec_pkg::SFU_RANKS;
  localparam int unsigned PASS_W = (PASSES > 1) ? $clog2(PASSES) : 1;
  localparam int unsigned SLOT_B = 2;   // operand b

  if (LANES * PASSES != cfg_pkg::LANES) begin : gen_check
    $error("sfu_unit: the lanes of the datapath must divide those of the machine");
  end

  // Beside the data of an answer, it waits here while the beat is in the datapath.
  typedef struct packed {
    core_pkg::tag_t            tag;
    logic [cfg_pkg::LANES-1:0] mask;
  } side_t;

  // ---- In: one beat, a pass a cycle ------------------------------------------------------------
  logic                               in_valid_q, in_row_q;
  logic [cfg_pkg::LANES-1:0][31:0]    in_b_q;
  exec_pkg::sfu_ctl_t                      in_ctl_q;
  logic [PASS_W-1:0]                  pass_q;
  logic [31:0]                        lanes_here;
  logic                               take, needed, room, final_pass, leave, go;
  logic                               side_room;
  side_t                              side_in;

  assign lanes_here = op_i.exec >> (32'(op_beat_i) * cfg_pkg::LANES);

  always_comb begin
    side_in       = '0;   // nothing is worked out while nothing comes
    if (`HEDDLE_LIVE(op_valid_i)) begin
      side_in.mask      = lanes_here[cfg_pkg::LANES-1:0];
      side_in.tag.id    = op_i.id;
      side_in.tag.to    = op_i.to;
      side_in.tag.rbase = op_i.rbase;
      side_in.tag.row   = side_in.mask != '0 && op_i.to.has_rd;
      side_in.tag.last  = op_beat_i == 5'(cfg_pkg::BEATS - 1);
      side_in.tag.beat  = op_beat_i;
    end
  end

  // A beat that has nothing to answer ends here.
  assign needed     = side_in.tag.row || side_in.tag.last;
  assign final_pass = !in_row_q || pass_q == PASS_W'(PASSES - 1);
  assign leave      = in_valid_q && final_pass && go;
  assign room       = !in_valid_q || leave;
  assign op_ready_o = room && side_room;
  assign take       = op_valid_i && op_ready_o && needed;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_valid_q <= 1'b0;
      pass_q     <= '0;
    end else begin
      if (take)       in_valid_q <= 1'b1;
      else if (leave) in_valid_q <= 1'b0;
      if (in_valid_q && go) pass_q <= final_pass ? '0 : pass_q + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (take) begin
      in_row_q <= side_in.tag.row;
      in_ctl_q <= exec_pkg::sfu_ctl_t'(op_i.ctl[$bits(exec_pkg::sfu_ctl_t)-1:0]);
      if (side_in.tag.row) in_b_q <= op_data_i[SLOT_B];
    end
  end

  // As many as are in the datapath at full rate, the one that goes in and the one that comes out.
  localparam int unsigned DEPTH = (RANKS + PASSES - 1) / PASSES + 2;
  side_t side_out;
  logic  side_valid, side_pop;
  logic [$clog2(DEPTH+1)-1:0] unused_count;

  fifo #(.WIDTH($bits(side_t)), .DEPTH(DEPTH)) u_side (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (op_valid_i && room && needed),
    .in_ready_o  (side_room),
    .in_data_i   (side_in),
    .out_valid_o (side_valid),
    .out_ready_i (side_pop),
    .out_data_o  (side_out),
    .count_o     (unused_count)
  );

  // ---- The datapath ----------------------------------------------------------------------------
  // Rank k holds a pass: valid_q[k] with data, end_q[k] the last one of its beat (without data where there is no row).
  logic          [RANKS-1:0] valid_q, end_q, stage_valid, stage_en;
  exec_pkg::sfu_ctl_t [RANKS-2:0] ctl_q;
  exec_pkg::sfu_ctl_t [RANKS-1:0] stage_ctl;
  logic [LANES-1:0][31:0]    pass_b, pass_out;

  if (PASSES > 1) begin : gen_pass
    choice #(.WIDTH(LANES * 32), .N(PASSES)) u_pass (
      .live_i (in_valid_q),
      .sel_i  (pass_q),
      .data_i (in_b_q),
      .also_i ('0),
      .data_o (pass_b)
    );
  end else begin : gen_one_pass
    assign pass_b = in_b_q;
  end

  assign stage_ctl   = {ctl_q, in_ctl_q};
  assign stage_valid = {valid_q[RANKS-2:0], in_valid_q && in_row_q};
  assign stage_en    = go ? stage_valid : '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= '0;
      end_q   <= '0;
    end else if (go) begin
      valid_q <= stage_valid;
      end_q   <= {end_q[RANKS-2:0], in_valid_q && final_pass};
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < RANKS - 1; k++) begin
      if (stage_en[k]) ctl_q[k] <= stage_ctl[k];
    end
  end

  sfu_lanes #(.WIDTH(LANES)) u_lanes (
    .clk_i (clk_i),
    .en_i  (stage_en),
    .ctl_i (stage_ctl),
    .b_i   (pass_b),
    .lo_o  (pass_out)
  );

  // ---- Out: passes become a beat again ---------------------------------------------------------
  logic                            lr_valid_q;
  side_t                           lr_side_q;
  logic [cfg_pkg::LANES-1:0][31:0] lr_data_q;
  logic [cfg_pkg::LANES-1:0][31:0] beat_out;

  // Only what is registered decides whether the last rank can leave.
  assign go       = !(end_q[RANKS-1] && lr_valid_q);
  assign side_pop = end_q[RANKS-1] && !lr_valid_q;

  if (PASSES > 1) begin : gen_gather
    // Earlier passes of the beat, the first of them lowest once all have come.
    localparam int unsigned EARLIER = (PASSES - 1) * LANES;
    logic [EARLIER-1:0][31:0] earlier_q;
    assign beat_out = {pass_out, earlier_q};
    always_ff @(posedge clk_i) begin
      if (go && valid_q[RANKS-1]) earlier_q <= beat_out[LANES +: EARLIER];
    end
  end else begin : gen_whole
    assign beat_out = pass_out;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)         lr_valid_q <= 1'b0;
    else if (side_pop)   lr_valid_q <= 1'b1;
    else if (lr_ready_i) lr_valid_q <= 1'b0;
  end

  always_ff @(posedge clk_i) begin
    if (side_pop)                 lr_side_q <= side_out;
    if (side_pop && side_out.tag.row) lr_data_q <= beat_out;
  end

  assign lr_valid_o = lr_valid_q;

  always_comb begin
    lr_o      = '0;   // no predicates
    lr_o.tag  = lr_side_q.tag;
    lr_o.mask = lr_side_q.mask;
    lr_o.data = lr_data_q;
  end

  // A beat that leaves the datapath finds what belongs to it.
  `ASSERT_IF(a_side, end_q[RANKS-1], side_valid)
  // Beats of an instruction ascend.
  logic [4:0] next_beat_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni)                       next_beat_q <= '0;
    else if (op_valid_i && op_ready_o) next_beat_q <= side_in.tag.last ? '0 : op_beat_i + 5'd1;
  end
  `ASSUME_IF(a_ascending, op_valid_i, op_beat_i == next_beat_q)

  // Other slots are other units' operands, and a source predicate MUFU has none.
  logic unused;
  assign unused = ^{op_data_i, op_i.ps0, op_i.ctl, lanes_here, side_valid};

endmodule
