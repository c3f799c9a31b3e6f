// SPDX-License-Identifier: Apache-2.0
// Event counters of the SM: each is the sum of its partitions', or one of its cache's.
// Latency: combinational. Handshake: none. It holds no state: the partitions count, and the cache.
module sm_counters #(
  parameter int unsigned N = 2
) (
  input  logic [N-1:0][31:0] p_is_cnt_i,
  input  logic               cache_i,
  input  logic [31:0]        l1_cnt_i,
  output logic [31:0]        is_cnt_o
);

  logic unused;
  assign unused = ^{cache_i, l1_cnt_i};

  always_comb begin
    is_cnt_o = '0;
    for (int unsigned p = 0; p < N; p++) is_cnt_o += p_is_cnt_i[p];
    if (l1_pkg::THERE && cache_i) is_cnt_o = l1_cnt_i;
  end

endmodule
