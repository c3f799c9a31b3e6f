// SPDX-License-Identifier: Apache-2.0
// rtl/gpu/launch_queue.sv, with two launches that may wait, of two words each; the memories of host_launch around it, with words
// of one bit.
// config: quad
`include "properties.svh"

module launch_queue_formal (
  input logic clk_i,
  input logic start,      // the host: a START, an ABORT, a word written or read
  input logic drop,
  input logic wr,
  input logic rd,
  input logic at,         // which word, and what
  input logic bit_i,
  input logic free,       // the control unit
  input logic go,
  input logic pick        // the launch that is followed
);
  `RESET

  logic hold, taken, full, ready, waiting, load, open;
  logic rd_stage, rd_slot, rd_word, rd_number, wr_slot, wr_next, from_slot, wr_word, wr_number;

  launch_queue #(.DEPTH(2), .WORDS(2)) u_dut (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .start_i        (start),
    .drop_i         (drop),
    .access_i       (start || drop || wr || rd),
    .hold_o         (hold),
    .taken_o        (taken),
    .full_o         (full),
    .running_i      (1'b0),
    .free_i         (free),
    .begin_i        (ready && go),
    .ready_o        (ready),
    .waiting_o      (waiting),
    .load_o         (load),
    .open_o         (open),
    .rd_stage_o     (rd_stage),
    .rd_slot_o      (rd_slot),
    .rd_word_o      (rd_word),
    .rd_number_o    (rd_number),
    .wr_slot_o      (wr_slot),
    .wr_next_o      (wr_next),
    .wr_from_slot_o (from_slot),
    .wr_word_o      (wr_word),
    .wr_number_o    (wr_number)
  );

  // The host writes one thing at a time, and nothing while it is held; it reads and writes in different cycles.
  `GIVEN(g_host, 2'(start) + 2'(drop) + 2'(wr) + 2'(rd) < 2'd2)
  `GIVEN(g_held, !hold || (!start && !drop && !wr))
  `GIVEN(g_go, !go || (free && !drop))

  // ---- the memories --------------------------------------------------------------------------------------------------------
  logic [1:0]      stage_q, next_q, front_q;
  logic [1:0][1:0] slots_q;
  logic            stage_read_q, slot_read_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      stage_q <= '0;
      next_q  <= '0;
    end else begin
      if (wr)           stage_q[at]      <= bit_i;
      if (wr && open)   next_q[at]       <= bit_i;
      if (wr_next)      next_q[wr_word]  <= from_slot ? slot_read_q : stage_read_q;
    end
    if (wr_slot) slots_q[wr_number][wr_word] <= stage_read_q;
    if (rd)            stage_read_q <= stage_q[at];
    else if (rd_stage) stage_read_q <= stage_q[rd_word];
    if (rd_slot) slot_read_q <= slots_q[rd_number][rd_word];
    if (load)    front_q     <= next_q;
  end

  // ---- what must be: how many wait, of one of them how many are before it, and its words --------------------------------------
  logic [1:0] waits_q, ahead_q, words_q;
  logic       follow_q, done_q, begins;
  logic [3:0] idle_q;
  assign begins = ready && go;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || drop) waits_q <= '0;
    else                 waits_q <= waits_q + 2'(taken) - 2'(begins);
    if (!rst_ni) begin
      follow_q <= 1'b0;
      done_q   <= 1'b0;
    end else if (taken && pick && !follow_q && !done_q) begin
      follow_q <= 1'b1;
      ahead_q  <= waits_q - 2'(begins);
      words_q  <= stage_q;
    end else if (follow_q && drop) begin
      follow_q <= 1'b0;
      done_q   <= 1'b1;
    end else if (follow_q && begins) begin
      ahead_q  <= ahead_q - 2'd1;
      follow_q <= ahead_q != 2'd0;
      done_q   <= ahead_q == 2'd0;
    end
    // Nothing keeps it from being ready.
    if (!rst_ni || !free || !waiting || ready || start || drop || wr || rd) idle_q <= '0;
    else idle_q <= idle_q + 4'd1;
  end

  // A START counts unless as many wait as there is room for.
  `PROVE(p_full, full == (waits_q == 2'd2))
  // A taken launch waits until it begins, or is dropped: none is lost, and none comes twice.
  `PROVE(p_waits, waiting == (waits_q != 2'd0))
  // None begins that was not taken.
  `PROVE(p_taken, !ready || waits_q != 2'd0)
  // A launch begins in its turn with the words that the registers had at its START.
  `PROVE(p_words, !(follow_q && begins && ahead_q == 2'd0) || front_q == words_q)
  // One that waits is ready after so many cycles in which the host does nothing.
  `PROVE(p_ready, idle_q < 4'd12)
  // While next follows the stage they are equal.
  `PROVE(p_follows, !u_dut.gen_queue.same_q || next_q == stage_q)
  // The launch that is followed begins behind others, from a slot.
  `REACH(r_slot, follow_q && begins && ahead_q == 2'd0 && words_q == 2'b10 && full)
endmodule
