// SPDX-License-Identifier: Apache-2.0
// Receiver of a serial line: 8 data bits, no parity, one stop bit; a bit is DIVIDER clock cycles.
// Latency: a byte comes half a bit into its stop bit. Bytes may follow each other without a gap.
// Handshake: valid_o is a pulse of one cycle with data_o; error_o a pulse where a stop bit was not there.
// rx_i is asynchronous: the two registers behind it are the only crossing of clocks on the board.
// It takes one sample a bit, in its middle, and keeps no bytes.
module uart_rx #(
  parameter int unsigned DIVIDER = 25      // 4 or more; 2 where both ends have one clock (lab/fpga/board/sim)
) (
  input  logic       clk_i,
  input  logic       rst_ni,
  // from the pin
  input  logic       rx_i,
  // to the frames
  output logic       valid_o,
  output logic       error_o,
  output logic [7:0] data_o
);

  localparam int unsigned COUNT_W = $clog2(DIVIDER + 1);

  typedef enum logic [1:0] {IDLE, START, BITS, HIGH} state_e;

  state_e             state_q;
  logic               meta_q, rx_q;
  logic [COUNT_W-1:0] count_q;
  logic [3:0]         bit_q;
  logic [7:0]         data_q;
  logic               valid_q, error_q, sample;

  assign sample  = count_q == '0;
  assign valid_o = valid_q;
  assign error_o = error_q;
  assign data_o  = data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      meta_q  <= 1'b1;
      rx_q    <= 1'b1;
      state_q <= HIGH;
      valid_q <= 1'b0;
      error_q <= 1'b0;
    end else begin
      meta_q  <= rx_i;
      rx_q    <= meta_q;
      valid_q <= 1'b0;
      error_q <= 1'b0;
      unique case (state_q)
        IDLE:
          if (!rx_q) begin
            state_q <= START;
            count_q <= COUNT_W'(DIVIDER / 2 - 1);
          end
        START:   // in the middle of the start bit it is still low, or it was a spike
          if (sample) begin
            state_q <= rx_q ? IDLE : BITS;
            count_q <= COUNT_W'(DIVIDER - 1);
            bit_q   <= 4'd0;
          end else count_q <= count_q - 1'b1;
        BITS:
          if (sample) begin
            count_q <= COUNT_W'(DIVIDER - 1);
            bit_q   <= bit_q + 1'b1;
            if (bit_q == 4'd8) begin
              state_q <= rx_q ? IDLE : HIGH;
              valid_q <= rx_q;
              error_q <= !rx_q;
            end else data_q <= {rx_q, data_q[7:1]};
          end else count_q <= count_q - 1'b1;
        HIGH:    // after a break, and after a reset
          if (rx_q) state_q <= IDLE;
      endcase
    end
  end

endmodule
