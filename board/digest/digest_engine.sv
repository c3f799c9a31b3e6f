// SPDX-License-Identifier: Apache-2.0
// Items become digests: g of each by its place, g r in GF(2^32), added to the window of its warp; windows that are
// over, and what comes too late for one (docs/digest-format.md).
// Latency: an item is in its window seven cycles after it has been taken. Throughput: an item a cycle, but for two
// cycles each time that something is told.
// Handshake: it_, ch_: valid with payload until ready; both chunks of an entry follow each other. Items of kind ISSUE
// come in program order of their warp, before others of their instruction. peek_: while idle_o.
// It does not know when a warp ends: who does looks at what is left here.
`default_nettype none

module digest_engine (
  input  logic                  clk_i,
  input  logic                  rst_ni,
  // items
  input  logic                  it_valid_i,
  output logic                  it_ready_o,
  input  digest_pkg::item_t     it_i,
  output logic                  idle_o,
  // a warp's last instruction, and its last window but one (0) or its last (1)
  input  digest_pkg::slot_t                 peek_slot_i,
  input  logic                  peek_last_i,
  output logic [31:0]           peek_seq_o,
  output logic [31:0]           peek_digest_o,
  // to the link
  output logic                  ch_valid_o,
  input  logic                  ch_ready_i,
  output digest_pkg::chunk_t    ch_o
);

  localparam int unsigned STAGES = 7;
  localparam int unsigned MIXED  = 5;                // stages in which r waits for g
  localparam int unsigned W      = digest_pkg::WINDOW_W;

  // ---- the pipe: all of it moves, or nothing -------------------------------------------------------
  logic                         go;
  logic [STAGES-1:0]            valid_q;
  digest_pkg::slot_t                        slot_q  [STAGES];
  logic [31:0]                  seq_q   [STAGES];
  logic [STAGES-1:0]            issue_q;
  logic [31:0]                  r_q     [MIXED];
  logic [15:0]                  where_q;             // t mod 2^16
  logic [31:0]                  low_q, high_q, u_q, u_late_q, p_q, g, g_q;
  logic [62:0]                  product, product_q;
  logic [31:0]                  folded, value_q;

  assign it_ready_o = go;
  assign idle_o     = valid_q == '0;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= '0;
    else if (go) valid_q <= {valid_q[STAGES-2:0], it_valid_i};
  end

  always_ff @(posedge clk_i) begin
    if (go) begin
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
      // Two products of 16 bits by constants, their sum, and the product of its halves, without which g would be nearly
      // a linear function of the place: the same error in several rows would cancel.
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

  // ---- g r: a product without carries, whose upper half is folded back ------------------------------
  always_comb begin
    for (int b = 0; b < 63; b++) begin
      automatic logic [31:0] terms = '0;
      for (int i = 0; i < 32; i++) if (b - i >= 0 && b - i < 32) terms[i] = g_q[i] & r_q[MIXED-1][b - i];
      product[b] = ^terms;
    end
  end

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

  // ---- windows: of each warp the one in which it issues, and the one before --------------------------
  digest_pkg::slot_t              slot;
  logic [31:0]        seq, last, kept;
  logic               here, issue, fresh, over, late, parity, said, second_q;
  logic [15:0]        window, behind;

  assign slot   = slot_q[STAGES-1];
  assign seq    = seq_q[STAGES-1];
  assign here   = valid_q[STAGES-1];
  assign issue  = issue_q[STAGES-1];
  assign fresh  = issue && seq[W-1:0] == '0;        // a window begins: it takes the place of the last but one
  assign over   = here && fresh && seq[31:W+1] != '0;
  assign window = seq[W +: 16];
  assign behind = last[W +: 16] - window;
  assign late   = here && !issue && behind > 16'd1;
  assign parity = here ? seq[W] : (last[W] ^ !peek_last_i);

  ram_async #(.WIDTH(32), .DEPTH(digest_pkg::WARPS)) u_last (
    .clk_i     (clk_i),
    .wr_en_i   (here && issue && go),
    .wr_addr_i (slot),
    .wr_data_i (seq),
    .rd_addr_i (here ? slot : peek_slot_i),
    .rd_data_o (last)
  );
  ram_async #(.WIDTH(32), .DEPTH(2 * digest_pkg::WARPS)) u_digest (
    .clk_i     (clk_i),
    .wr_en_i   (here && !late && go),
    .wr_addr_i ({slot, seq[W]}),
    .wr_data_i (fresh ? value_q : kept ^ value_q),
    .rd_addr_i ({here ? slot : peek_slot_i, parity}),
    .rd_data_o (kept)
  );
  assign peek_seq_o    = last;
  assign peek_digest_o = kept;

  // ---- what is told -----------------------------------------------------------------------------------
  always_comb begin
    ch_o.ends = second_q;
    if (late) begin
      ch_o.last = second_q ? 3'd5 : 3'd7;
      ch_o.data = second_q ? 32'(value_q[31:8])
                           : {value_q[7:0], window, 4'(slot), digest_pkg::CORRECTION};
    end else begin
      ch_o.last = second_q ? 3'd1 : 3'd7;
      ch_o.data = second_q ? 32'(kept[31:24]) : {kept[23:0], 4'(slot), digest_pkg::WINDOW};
    end
  end
  assign ch_valid_o = over || late;
  assign said       = ch_ready_i && second_q;
  assign go         = !ch_valid_o || said;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                         second_q <= 1'b0;
    else if (ch_valid_o && ch_ready_i)   second_q <= !second_q;
  end

endmodule

`default_nettype wire
