// SPDX-License-Identifier: Apache-2.0
// Last step of the matrix unit's sums: C is added to what is between passes (QMMA: one FP32
// addition to nearest even; IMMA: an integer addition, clamped if wanted); a sum that is complete
// passes.
//   rank 11  the larger magnitude first, the smaller aligned
//   rank 12  sum or difference, leading zeros
//   rank 13  shifted, rounded
// Latency: three cycles. A step a cycle.
// No handshake; en_i[k] enables rank 11 + k and follows the step (payload registers have no
// reset).
// It does not count passes.
`include "heddle_lanes.svh"

module mma_add_lanes #(
  parameter  int unsigned CYCLES = mma_pkg::CYCLES,
  localparam int unsigned SUMS_U = 128 / CYCLES
) (
  input  logic                    clk_i,
  // from the unit
  input  logic [2:0]              en_i,
  input  mma_pkg::ctl_t [2:0]     ctl_i,   // ctl_i[k]: of the step in rank 10 + k
  // sums, and C
  input  logic [SUMS_U-1:0][31:0] sum_i,
  input  logic [SUMS_U-1:0][31:0] c_i,
  // results
  output logic [SUMS_U-1:0][31:0] d_o
);

  localparam int SUMS = int'(SUMS_U);

  // ---- Rank 11: what is not added as FP32 lies in `word` ------------------------------------------
  logic [31:0] word11_d [SUMS], word11_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[0]) begin
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        // One bit more than the sum of two has, so that it can be clamped.
        automatic logic signed [32:0] sum = 33'($signed(sum_i[d])) + 33'($signed(c_i[d]));
        if (ctl_i[0].kind != mma_pkg::ADD_INT)              word11_d[d] = sum_i[d];
        else if (ctl_i[0].sat && sum[32] != sum[31])        word11_d[d] = {sum[32], {31{!sum[32]}}};
        else                                                word11_d[d] = sum[31:0];
      end
      word11_q <= word11_d;
    end
  end

  // Significands of 24 bits, with two bits and a sticky one below.
  typedef struct packed {
    logic        sub, sign;
    logic        nan, inf;
    logic [7:0]  exp;     // of the larger; 1 for subnormals
  } side_t;

  logic [26:0] big11_d [SUMS], big11_q [SUMS], small11_d [SUMS], small11_q [SUMS];
  side_t       side11_d [SUMS], side11_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[0] && ctl_i[0].kind == mma_pkg::ADD_F32) begin
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        automatic logic        swap  = c_i[d][30:0] > sum_i[d][30:0];
        automatic logic [31:0] x     = swap ? c_i[d] : sum_i[d];
        automatic logic [31:0] y     = swap ? sum_i[d] : c_i[d];
        automatic logic [7:0]  ex    = {x[30:24], x[23] || x[30:23] == '0};
        automatic logic [7:0]  ey    = {y[30:24], y[23] || y[30:23] == '0};
        automatic logic [23:0] sig_y = {y[30:23] != '0, y[22:0]};
        automatic logic [7:0]  away  = ex - ey;
        automatic logic [49:0] moved = {sig_y, 26'b0} >> ((away > 8'd26) ? 5'd26 : away[4:0]);
        automatic logic        x_nan = x[30:0] > 31'h7f80_0000;   // the larger magnitude, if one of both is
        automatic logic        x_inf = x[30:0] == 31'h7f80_0000;
        automatic logic        y_inf = y[30:0] == 31'h7f80_0000;
        big11_d[d]       = {x[30:23] != '0, x[22:0], 3'b000};
        small11_d[d]     = {moved[49:24], moved[23:0] != '0};
        side11_d[d].sub  = x[31] ^ y[31];
        side11_d[d].sign = x[31];
        side11_d[d].nan  = x_nan || (x_inf && y_inf && (x[31] ^ y[31]));
        side11_d[d].inf  = x_inf;
        side11_d[d].exp  = ex;
      end
      big11_q   <= big11_d;
      small11_q <= small11_d;
      side11_q  <= side11_d;
    end
  end

  // ---- Rank 12 ---------------------------------------------------------------------------------
  function automatic logic [4:0] zeros_of(logic [27:0] x);
    automatic logic [31:0] all = {x, 4'b1000};
    automatic logic        z4  = all[31:16] == '0;
    automatic logic [15:0] w4  = z4 ? all[15:0] : all[31:16];
    automatic logic        z3  = w4[15:8] == '0;
    automatic logic [7:0]  w3  = z3 ? w4[7:0] : w4[15:8];
    automatic logic        z2  = w3[7:4] == '0;
    automatic logic [3:0]  w2  = z2 ? w3[3:0] : w3[7:4];
    automatic logic        z1  = w2[3:2] == '0;
    zeros_of = {z4, z3, z2, z1, !(z1 ? w2[1] : w2[3])};
  endfunction

  logic [31:0] word12_q [SUMS];
  logic [27:0] all12_d [SUMS], all12_q [SUMS];
  logic [4:0]  zeros12_d [SUMS], zeros12_q [SUMS];
  side_t       side12_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[1]) word12_q <= word11_q;
    if (en_i[1] && ctl_i[1].kind == mma_pkg::ADD_F32) begin
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        automatic logic [27:0] x = {1'b0, big11_q[d]};
        automatic logic [27:0] y = {1'b0, small11_q[d]};
        all12_d[d]   = side11_q[d].sub ? x - y : x + y;
        zeros12_d[d] = zeros_of(all12_d[d]);
      end
      all12_q   <= all12_d;
      zeros12_q <= zeros12_d;
      side12_q  <= side11_q;
    end
  end

  // ---- Rank 13 ---------------------------------------------------------------------------------
  logic [31:0] d_d [SUMS], d_q [SUMS];

  always_ff @(posedge clk_i) begin
    if (en_i[2]) begin
      `LANE_LOOP (int d = 0; d < SUMS; d++) begin
        automatic side_t       side  = side12_q[d];
        // The leading bit of a normal number comes to the top; of a subnormal one, the bit of the
        // smallest exponent does.
        automatic logic        stop  = side.exp < 8'(zeros12_q[d]);
        automatic logic [4:0]  shift = stop ? side.exp[4:0] : zeros12_q[d];
        automatic logic [27:0] at    = all12_q[d] << shift;
        automatic logic        up    = at[3] && (at[4] || at[2:0] != '0);
        automatic logic [8:0]  exp   = 9'(side.exp) - 9'(shift);
        automatic logic [31:0] out   = {exp, 23'b0} + 32'(at[27:4]) + 32'(up);
        if (ctl_i[2].kind != mma_pkg::ADD_F32)       d_d[d] = word12_q[d];
        else if (side.nan)                           d_d[d] = 32'h7fff_ffff;
        else if (side.inf || out[31:23] >= 9'd255)   d_d[d] = {side.sign, 31'h7f80_0000};
        else if (all12_q[d] == '0)                   d_d[d] = {side.sign && !side.sub, 31'b0};
        else                                         d_d[d] = {side.sign, out[30:0]};
      end
      d_q <= d_d;
    end
  end

  for (genvar d = 0; d < SUMS; d++) begin : gen_out
    assign d_o[d] = d_q[d];
  end

endmodule
