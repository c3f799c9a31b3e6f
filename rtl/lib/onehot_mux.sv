// SPDX-License-Identifier: Apache-2.0
// Selects one of N words by a one-hot vector: AND each, OR all.
// Latency: combinational. Zero when no bit of sel_i is set.
// No handshake.
// It does not check that sel_i is one-hot (with several bits set the words are ORed).
module onehot_mux #(
  parameter int unsigned WIDTH = 32,
  parameter int unsigned N = 4
) (
  input  logic [N-1:0]            sel_i,
  input  logic [N-1:0][WIDTH-1:0] data_i,
  output logic [WIDTH-1:0]        data_o
);

  always_comb begin
    data_o = '0;
    for (int unsigned i = 0; i < N; i++) begin
      data_o |= data_i[i] & {WIDTH{sel_i[i]}};
    end
  end

endmodule
