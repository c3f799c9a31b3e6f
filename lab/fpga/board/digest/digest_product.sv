// SPDX-License-Identifier: Apache-2.0
// The summand of an item in its window: g by its place, times r in GF(2^32) (docs/digest-format.md).
// Latency: seven stages. Throughput: an item a cycle.
// Handshake: all stages move while go_i; valid_o with what is in the last one. busy_o: something is in one.
// It has no part in windows.
module digest_product (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  input  logic                  go_i,
  input  logic                  it_valid_i,
  input  digest_pkg::item_t     it_i,
  output logic                  valid_o,
  output logic                  issue_o,
  output digest_pkg::slot_t     slot_o,
  output logic [31:0]           seq_o,
  output logic [31:0]           value_o,
  output logic                  busy_o
);

  localparam int unsigned STAGES = 7;
  localparam int unsigned MIXED  = 5;                // stages in which r waits for g

  logic [STAGES-1:0]            valid_q;
  digest_pkg::slot_t            slot_q  [STAGES];
  logic [31:0]                  seq_q   [STAGES];
  logic [STAGES-1:0]            issue_q;
  logic [31:0]                  r_q     [MIXED];
  logic [15:0]                  where_q;             // t mod 2^16
  logic [31:0]                  low_q, high_q, u_q, u_late_q, p_q, g, g_q;
  logic [62:0]                  product, product_q;
  logic [31:0]                  folded, value_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)   valid_q <= '0;
    else if (go_i) valid_q <= {valid_q[STAGES-2:0], it_valid_i};
  end

  always_ff @(posedge clk_i) begin
    if (go_i) begin
      slot_q[0]  <= it_i.slot;
      seq_q[0]   <= it_i.seq;
      issue_q[0] <= it_i.kind == digest_pkg::ISSUE;
      for (int unsigned k = 1; k < STAGES; k++) begin
        slot_q[k]  <= slot_q[k-1];
        seq_q[k]   <= seq_q[k-1];
        issue_q[k] <= issue_q[k-1];
      end
      r_q[0]  <= it_i.r;
      for (int unsigned k = 1; k < MIXED; k++) r_q[k] <= r_q[k-1];
      where_q <= {it_i.kind, 1'b0, it_i.place, it_i.beat};
      // Two products of 16 bits by constants, their sum, and the product of its halves. Without that product g would be
      // nearly a linear function of the place: the same error in several rows would cancel.
      low_q     <= 32'd40503 * 32'(where_q);
      high_q    <= 32'd60133 * 32'(seq_q[0][15:0]);
      u_q       <= low_q + {high_q[15:0], high_q[31:16]} + 32'h9e3779b9;
      p_q       <= 32'(u_q[15:0]) * 32'(u_q[31:16]);
      u_late_q  <= u_q;
      g_q       <= (g == '0) ? 32'd1 : g;
      product_q <= product;
      value_q   <= folded;
    end
  end
  assign g = (p_q + {u_late_q[20:0], u_late_q[31:21]}) ^ {p_q[15:0], p_q[31:16]} ^ u_late_q;

  // A product without carries, of halves: that of the sums of both has the middle of it beside low and high. A quarter fewer
  // gates than bit by bit.
  function automatic logic [30:0] times16(input logic [15:0] a, input logic [15:0] b);
    for (int k = 0; k < 31; k++) begin
      automatic logic [15:0] terms = '0;
      for (int i = 0; i < 16; i++) if (k - i >= 0 && k - i < 16) terms[i] = a[i] & b[k - i];
      times16[k] = ^terms;
    end
  endfunction
  logic [31:0] r;
  logic [30:0] low, high, both, middle;
  assign r       = r_q[MIXED-1];
  assign low     = times16(g_q[15:0], r[15:0]);
  assign high    = times16(g_q[31:16], r[31:16]);
  assign both    = times16(g_q[31:16] ^ g_q[15:0], r[31:16] ^ r[15:0]);
  assign middle  = both ^ low ^ high;
  assign product = {high, 32'd0} ^ {16'd0, middle, 16'd0} ^ {32'd0, low};

  // Its upper half is folded back.
  typedef logic [31:0][30:0] fold_t;
  function automatic fold_t fold();
    automatic logic [31:0] a = digest_pkg::POLY;
    for (int unsigned b = 0; b < 31; b++) begin
      for (int unsigned k = 0; k < 32; k++) fold[k][b] = a[k];
      a = digest_pkg::times_x(a);
    end
  endfunction
  localparam fold_t FOLD = fold();
  for (genvar k = 0; k < 32; k++) begin : gen_fold
    assign folded[k] = product_q[k] ^ (^(product_q[62:32] & FOLD[k]));
  end

  assign valid_o = valid_q[STAGES-1];
  assign issue_o = issue_q[STAGES-1];
  assign slot_o  = slot_q[STAGES-1];
  assign seq_o   = seq_q[STAGES-1];
  assign value_o = value_q;
  assign busy_o  = valid_q != '0;

endmodule
