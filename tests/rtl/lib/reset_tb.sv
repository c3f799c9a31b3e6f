// SPDX-License-Identifier: Apache-2.0
// Resets from an asynchronous one, one and five cycles longer than they must be.
// Latency: the cell's own. No handshake.
// It only gathers ports: the bench keeps what is expected.
module reset_tb (
  input  logic       clk_i,
  input  logic       arst_ni,
  output logic [1:0] rst_no
);

  reset_sync u_short (.clk_i(clk_i), .arst_ni(arst_ni), .rst_no(rst_no[0]));
  reset_sync #(.HOLD(5)) u_long (.clk_i(clk_i), .arst_ni(arst_ni), .rst_no(rst_no[1]));

endmodule
