// SPDX-License-Identifier: Apache-2.0
// One word followed through a queue: how many words are in it, how many are before the one that is followed, and what
// the offered words were. Included in tops of queues, after their ports (in_valid, in_ready, in_data, out_valid,
// out_ready, out_data, watch).
  logic push, pop;
  assign push = in_valid && in_ready;
  assign pop  = out_valid && out_ready;

  // Offers that were not taken.
  logic       held_q, kept_q;
  logic [3:0] held_data_q, kept_data_q;
  always_ff @(posedge clk_i) begin
    held_q      <= rst_ni && in_valid && !in_ready;
    held_data_q <= in_data;
    kept_q      <= rst_ni && out_valid && !out_ready;
    kept_data_q <= out_data;
  end

  logic       in_q;
  logic [1:0] before_q, words_q;
  logic [3:0] data_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q    <= 1'b0;
      words_q <= 2'd0;
    end else begin
      words_q <= words_q + 2'(push) - 2'(pop);
      if (!in_q && push && watch) begin
        in_q     <= words_q + 2'd1 != 2'(pop);
        before_q <= words_q - 2'(pop);
        data_q   <= in_data;
      end else if (in_q && pop) begin
        in_q     <= before_q != 2'd0;
        before_q <= before_q - 2'd1;
      end
    end
  end
