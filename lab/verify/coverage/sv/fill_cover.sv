// SPDX-License-Identifier: Apache-2.0
// Cover points of what is taken place by place: none, some, all of N places. Bound from outside, in devices of variant
// cover alone. Places are tags of requests in use, requests and atomics at the point of order, and warps with an
// instruction to issue. Dependency counters: none counts, some do, one is so high that its warp must wait.
// Queues of units: rows of operands. Read-only caches: lines on their way, requests that wait
// (full: none more is taken).
module fill_cover #(
  parameter int unsigned N = 4
) (
  input logic         clk_i,
  input logic         rst_ni,
  input logic [N-1:0] taken_i,
  input logic         full_i
);

  empty: cover property (@(posedge clk_i) rst_ni && taken_i == '0);
  some:  cover property (@(posedge clk_i) rst_ni && taken_i != '0 && !full_i);
  full:  cover property (@(posedge clk_i) rst_ni && full_i);

endmodule

bind line_tags fill_cover #(.N(TAGS)) u_cover (
  .clk_i  (clk_i),
  .rst_ni (rst_ni),
  .taken_i(used_q),
  .full_i (&used_q)
);

bind order_free fill_cover #(.N(COUNT_W)) u_cover (
  .clk_i  (clk_i),
  .rst_ni (rst_ni),
  .taken_i(COUNT_W'(N) - free_q),
  .full_i (free_q == '0)
);

bind ibuf fill_cover #(.N(cfg_pkg::WARPS)) u_cover (
  .clk_i  (clk_i),
  .rst_ni (rst_ni),
  .taken_i(ib_heads_o.valid),
  .full_i (&ib_heads_o.valid)
);

bind dep_counters fill_cover #(.N(issue_pkg::NSB * cfg_pkg::WARPS)) u_cover (
  .clk_i  (clk_i),
  .rst_ni (rst_ni),
  .taken_i(counts_o.nonzero),
  .full_i (|counts_o.near_full)
);

bind ro_misses fill_cover #(.N(MISSES)) u_cover (
  .clk_i  (clk_i),
  .rst_ni (rst_ni),
  .taken_i(busy_q),
  .full_i (&busy_q)
);

bind ro_parked fill_cover #(.N(PLACE_W)) u_cover (
  .clk_i  (clk_i),
  .rst_ni (rst_ni),
  .taken_i(count_q),
  .full_i (!room_o)
);

bind unit_queue fill_cover #(.N(1)) u_cover (
  .clk_i  (clk_i),
  .rst_ni (rst_ni),
  .taken_i(row_valid),
  .full_i (32'(u_rows.gen_places.rows_q) + 32'(row_valid) == DEPTH)
);
