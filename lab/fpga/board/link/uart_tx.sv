// SPDX-License-Identifier: Apache-2.0
// Sender of a serial line: 8 data bits, no parity, one stop bit; a bit is DIVIDER clock cycles.
// Latency: the start bit begins a cycle after a byte is taken. A byte every 10 bits.
// Handshake: valid/ready; ready is high while no byte is on its way. tx_o comes from a register and rests high.
// It keeps no bytes.
module uart_tx #(
  parameter int unsigned DIVIDER = 25      // 4 or more; 2 where both ends have one clock (lab/fpga/board/sim)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // from the frames
  input  logic       valid_i,
  output logic       ready_o,
  input  logic [7:0] data_i,
  // to the pin
  output logic       tx_o
);

  localparam int unsigned COUNT_W = $clog2(DIVIDER);

  logic               busy_q, tx_q;
  logic [COUNT_W-1:0] count_q;
  logic [3:0]         left_q;      // bits behind this one
  logic [8:0]         bits_q;

  assign ready_o = !busy_q;
  assign tx_o    = tx_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      busy_q <= 1'b0;
      tx_q   <= 1'b1;
    end else if (!busy_q) begin
      if (valid_i) begin
        busy_q  <= 1'b1;
        tx_q    <= 1'b0;
        bits_q  <= {1'b1, data_i};
        left_q  <= 4'd9;
        count_q <= COUNT_W'(DIVIDER - 1);
      end
    end else if (count_q != '0) begin
      count_q <= count_q - 1'b1;
    end else begin
      count_q <= COUNT_W'(DIVIDER - 1);
      left_q  <= left_q - 1'b1;
      busy_q  <= left_q != 4'd0;
      if (left_q != 4'd0) begin
        tx_q   <= bits_q[0];
        bits_q <= {1'b1, bits_q[8:1]};
      end
    end
  end

endmodule
