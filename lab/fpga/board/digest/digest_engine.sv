// SPDX-License-Identifier: Apache-2.0
// Items become digests: g r of each (digest_product), added to the window of its warp; windows that are over, and what
// comes too late for one (docs/digest-format.md). PIPES items side by side, each pipe with sums of its own: a window is
// the sum of theirs.
// Latency: an item is in its window eight cycles after it has been taken. Throughput: PIPES items a cycle, but for two
// cycles for each entry that is sent; an item that begins a window comes alone.
// Handshake: it_, ch_: valid with payload until ready. Items are taken together, by a queue of two: a sent entry stops
// them a cycle later. Both chunks of an entry follow each
// other. Items of kind ISSUE come in pipe 0, in program order of their warp, before others of their instruction. peek_:
// while idle_o.
// The end of a warp is seen elsewhere: that module reads the state left here.
`include "heddle_assert.svh"

module digest_engine #(
  parameter int unsigned PIPES = digest_pkg::PIPES
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // items
  input  logic [PIPES-1:0]                it_valid_i,
  output logic                            it_ready_o,
  input  digest_pkg::item_t [PIPES-1:0]   it_i,
  output logic                            idle_o,
  // a warp's last instruction, and its last window but one (0) or its last (1)
  input  digest_pkg::slot_t               peek_slot_i,
  input  logic                            peek_last_i,
  output logic [31:0]                     peek_seq_o,
  output logic [31:0]                     peek_digest_o,
  // to the link
  output logic                            ch_valid_o,
  input  logic                            ch_ready_i,
  output digest_pkg::chunk_t              ch_o
);

  localparam int unsigned W     = digest_pkg::WINDOW_W;
  localparam int unsigned PIPE_W = (PIPES > 1) ? $clog2(PIPES) : 1;

  // ---- the pipes: all of them move, or nothing -----------------------------------------------------------
  logic                               go, any;
  logic [PIPES-1:0]                   it_valid;
  digest_pkg::item_t [PIPES-1:0]      it;
  logic [1:0]                         waiting;

  fifo #(.WIDTH(PIPES * (1 + $bits(digest_pkg::item_t))), .DEPTH(2)) u_items (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (it_valid_i != '0),
    .in_ready_o  (it_ready_o),
    .in_data_i   ({it_valid_i, it_i}),
    .out_valid_o (any),
    .out_ready_i (go),
    .out_data_o  ({it_valid, it}),
    .count_o     (waiting)
  );

  logic [PIPES-1:0]                   here, issue, busy;
  digest_pkg::slot_t [PIPES-1:0]      slot;
  logic [PIPES-1:0][31:0]             seq, value, last, kept;

  for (genvar p = 0; p < PIPES; p++) begin : gen_pipe
    digest_product u_product (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .go_i       (go),
      .it_valid_i (any && it_valid[p]),
      .it_i       (it[p]),
      .valid_o    (here[p]),
      .issue_o    (issue[p]),
      .slot_o     (slot[p]),
      .seq_o      (seq[p]),
      .value_o    (value[p]),
      .busy_o     (busy[p])
    );
  end
  assign idle_o = busy == '0 && waiting == '0;

  // ---- windows: of each warp the one in which it issues, and the one before --------------------------------
  logic                     fresh, over;
  logic [PIPES-1:0]         late;
  logic [PIPES-1:0][15:0]   window, behind;
  logic [31:0]              sum;

  assign fresh = here[0] && issue[0] && seq[0][W-1:0] == '0;  // it takes the place of the last window but one,
  assign over  = fresh && seq[0][31:W+1] != '0;               // which is over, if there is one

  for (genvar p = 0; p < PIPES; p++) begin : gen_window
    digest_pkg::slot_t at;
    logic              parity;
    assign at     = fresh ? slot[0] : here[p] ? slot[p] : peek_slot_i;
    assign parity = fresh ? seq[0][W] : here[p] ? seq[p][W] : (last[p][W] ^ !peek_last_i);

    ram_async #(.WIDTH(32), .DEPTH(digest_pkg::WARPS)) u_last (
      .clk_i     (clk_i),
      .wr_en_i   (here[0] && issue[0] && go),
      .wr_addr_i (slot[0]),
      .wr_data_i (seq[0]),
      .rd_addr_i (at),
      .rd_data_o (last[p])
    );
    ram_async #(.WIDTH(32), .DEPTH(2 * digest_pkg::WARPS)) u_digest (
      .clk_i     (clk_i),
      .wr_en_i   (go && (fresh || (here[p] && !late[p]))),
      .wr_addr_i ({at, fresh ? seq[0][W] : seq[p][W]}),
      .wr_data_i (fresh ? value[p] & {32{here[p]}} : kept[p] ^ value[p]),
      .rd_addr_i ({at, parity}),
      .rd_data_o (kept[p])
    );
    assign window[p] = seq[p][W +: 16];
    assign behind[p] = last[p][W +: 16] - window[p];
    assign late[p]   = here[p] && !issue[p] && behind[p] > 16'd1;
  end
  always_comb begin
    sum = '0;
    for (int unsigned p = 0; p < PIPES; p++) sum ^= kept[p];
  end
  assign peek_seq_o    = last[0];
  assign peek_digest_o = sum;

  // ---- entries: a window, or late items of one pipe after the other ------------------------------------
  logic [PIPES-1:0]   left, done_q;
  logic [PIPE_W-1:0]  p;
  logic               second_q, said;
  assign left = late & ~done_q;
  always_comb begin
    p = '0;
    for (int k = int'(PIPES) - 1; k >= 0; k--) if (left[k]) p = PIPE_W'(k);
  end
  always_comb begin
    ch_o.ends = second_q;
    if (over) begin
      ch_o.last = second_q ? 3'd1 : 3'd7;
      ch_o.data = second_q ? 32'(sum[31:24]) : {sum[23:0], 4'(slot[0]), digest_pkg::WINDOW};
    end else begin
      ch_o.last = second_q ? 3'd5 : 3'd7;
      ch_o.data = second_q ? 32'(value[p][31:8])
                           : {value[p][7:0], window[p], 4'(slot[p]), digest_pkg::CORRECTION};
    end
  end
  assign ch_valid_o = over || left != '0;
  assign said       = ch_valid_o && ch_ready_i && second_q;
  assign go         = !ch_valid_o || (said && (over || (left & (left - 1'b1)) == '0));

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      second_q <= 1'b0;
      done_q   <= '0;
    end else begin
      if (ch_valid_o && ch_ready_i) second_q <= !second_q;
      if (go)                       done_q <= '0;
      else if (said)                done_q <= done_q | (left & (~left + 1'b1));
    end
  end

  // Instructions issue in pipe 0, and what begins a window comes alone.
  `ASSERT(a_issue, ((here & issue) >> 1) == '0)
  `ASSERT(a_alone, !fresh || here == PIPES'(1))

endmodule
