// SPDX-License-Identifier: Apache-2.0
// Performance counters: in every cycle each live warp belongs to one class (issue_pkg::CNT_*); a counter adds up its warps.
// Latency: two cycles behind the event.
// No handshake; the counters run from reset on and wrap at 2^32.
// It does not say how a warp comes into its class: see `issue`.
`default_nettype none

module issue_counters (
  input  logic                                             clk_i,
  input  logic                                             rst_ni,
  // from issue
  input  logic [issue_pkg::NCNT-1:0][cfg_pkg::WARPS-1:0]   class_i,
  // to the host's registers
  output logic [issue_pkg::NCNT-1:0][31:0]                 is_cnt_o
);

  localparam int unsigned WARPS = cfg_pkg::WARPS;
  localparam int unsigned NCNT  = issue_pkg::NCNT;
  localparam int unsigned SUM_W = $clog2(WARPS + 1);

  logic [NCNT-1:0][WARPS-1:0] class_q;
  logic [NCNT-1:0][SUM_W-1:0] sum;
  logic [NCNT-1:0][31:0]      count_q;

  always_comb begin
    for (int unsigned n = 0; n < NCNT; n++) begin
      sum[n] = '0;
      for (int unsigned w = 0; w < WARPS; w++) sum[n] += SUM_W'(class_q[n][w]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      class_q <= '0;
      count_q <= '0;
    end else begin
      class_q <= class_i;
      for (int unsigned n = 0; n < NCNT; n++) count_q[n] <= count_q[n] + 32'(sum[n]);
    end
  end

  assign is_cnt_o = count_q;

endmodule

`default_nettype wire
