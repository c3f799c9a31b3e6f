// SPDX-License-Identifier: Apache-2.0
// Cover points of every queue (rtl/lib/fifo.sv): it was seen empty, in use, full. Bound from outside, in devices of
// variant cover alone; never synthesized. With DEPTH 1 a queue in use is full, and `some` does not come.
module fifo_cover #(
  parameter int unsigned DEPTH = 4,
  parameter int unsigned COUNT_W = 3
) (
  input logic               clk_i,
  input logic               rst_ni,
  input logic [COUNT_W-1:0] count_i
);

  empty: cover property (@(posedge clk_i) rst_ni && count_i == '0);
  some:  cover property (@(posedge clk_i) rst_ni && count_i != '0 && count_i != COUNT_W'(DEPTH));
  full:  cover property (@(posedge clk_i) rst_ni && count_i == COUNT_W'(DEPTH));

endmodule

bind fifo fifo_cover #(
  .DEPTH  (DEPTH),
  .COUNT_W(COUNT_W)
) u_cover (
  .clk_i  (clk_i),
  .rst_ni (rst_ni),
  .count_i(count_o)
);
