// SPDX-License-Identifier: Apache-2.0
// DMMA in the matrix unit: half as many FP64 multiply-adds a step as there are sums of other
// formats. A pass is one k: what it adds to is C, then the results of the pass before.
// Latency: five cycles, a step's operands (rank 1) to its results. A step a cycle.
// No handshake; en_i[k] enables rank 2 + k and follows the step.
// It does not keep results from one pass to the next.
module mma_fp64 #(
  parameter  int unsigned CYCLES = mma_pkg::CYCLES,
  localparam int unsigned LANES  = cfg_pkg::LANES,
  localparam int unsigned SUMS   = 128 / CYCLES,
  localparam int unsigned QUADS  = SUMS / 4,
  localparam int unsigned PAIRS  = SUMS / 2,
  localparam int unsigned QUAD_W = (QUADS > 1) ? $clog2(QUADS) : 1
) (
  input  logic                             clk_i,
  // from the unit
  input  logic [4:0]                       en_i,
  input  mma_pkg::token_t                  token_i,    // in rank 1
  // from the store
  input  logic [QUADS-1:0][3:0][1:0][31:0] a_i,
  input  logic [3:0][3:0][1:0][31:0]       b_i,
  input  logic [SUMS-1:0][31:0]            c_i,
  // results of the pass before
  input  logic [SUMS-1:0][31:0]            part_i,
  // results, low words first
  output logic [SUMS-1:0][31:0]            d_o
);

  fp64_pkg::ctl_t ctl;
  always_comb begin
    ctl      = '0;
    ctl.kind = fp64_pkg::FMA;
    ctl.rnd  = isa_pkg::RND_RN;
  end

  logic       upper;
  logic [1:0] k;
  assign upper = 1'(mma_pkg::lanes_of_fp64(token_i.place, LANES / SUMS));
  assign k     = token_i.pass;

  logic [PAIRS-1:0] pd0, pd1;

  for (genvar e = 0; e < PAIRS; e++) begin : gen_lane
    // Its lane, among those of the rows of A that were read: row g is a quad, column 2t + s of B
    // is number t.
    logic [63:0] a, b, c;
    logic [3:0]  lane;
    assign lane = (upper ? 4'(PAIRS) : 4'd0) + 4'(e);
    always_comb begin
      a = 'x;
      b = 'x;
      c = 'x;
      if (en_i[0]) begin
        a = a_i[QUAD_W'(32'(lane) / 4)][k];
        b = b_i[lane[1:0]][k];
        c = (k == '0) ? c_i[2*e +: 2] : part_i[2*e +: 2];
      end
    end

    fp64_lane #(.PASSES(1)) u_lane (
      .clk_i       (clk_i),
      .en_open_i   (en_i[0]),
      .en_pass_i   (en_i[1]),
      .en_sum_i    (en_i[2]),
      .en_close_i  (en_i[4:3]),
      .ctl_open_i  (ctl),
      .ctl_sum_i   (ctl),
      .ctl_close_i ({ctl, ctl}),
      .a_i         (a),
      .b_i         (b),
      .c_i         (c),
      .ps0_i       (1'b0),
      .result_o    (d_o[2*e +: 2]),
      .pd0_o       (pd0[e]),
      .pd1_o       (pd1[e])
    );
  end

  logic unused;
  assign unused = ^{token_i, pd0, pd1};

endmodule
