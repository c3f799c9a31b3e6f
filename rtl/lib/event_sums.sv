// SPDX-License-Identifier: Apache-2.0
// Counts N kinds of events, several of each in a cycle: sums of 32 bits, which wrap.
// Latency: a step counts from the next cycle on; a read is combinational and exact.
// No handshake; clear_i (event) and reset clear all. In the first N cycles after either, reads give 0.
// The long sums are in memory: each is visited every N cycles and adds a short counter's content.
module event_sums #(
  parameter int unsigned N      = 10,    // 2 to 16
  parameter int unsigned STEP_W = 4,
  parameter int unsigned MOST   = 8      // that a step is at most
) (
  input  logic                     clk_i,
  input  logic                     rst_ni,
  input  logic                     clear_i,
  input  logic [N-1:0][STEP_W-1:0] step_i,
  input  logic [3:0]               index_i,
  output logic [31:0]              sum_o
);

  localparam int unsigned SHORT_W = $clog2(N * MOST + 1);

  logic [SHORT_W-1:0] short_q [N];
  logic [SHORT_W-1:0] turn_short, read_short;
  logic [3:0]         turn_q, turn_d;
  logic               first_q;      // the sums hold nothing yet
  logic [31:0]        sum, turn_sum, read_sum;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      short_q <= '{default: '0};
    end else begin
      for (int unsigned n = 0; n < N; n++) begin
        // In its turn the sum has just been added.
        short_q[n] <= ((turn_q == 4'(n)) ? '0 : short_q[n]) + SHORT_W'(step_i[n]);
      end
    end
  end

  assign turn_d = (turn_q == 4'(N - 1)) ? '0 : turn_q + 4'd1;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      turn_q  <= '0;
      first_q <= 1'b1;
    end else begin
      turn_q  <= turn_d;
      if (turn_d == '0) first_q <= 1'b0;
    end
  end

  // Two copies, one for each reader. The next turn is known in advance.
  ram_apart #(.WIDTH(32), .DEPTH(16)) u_sums (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (1'b1),
    .wr_addr_i (turn_q),
    .wr_data_i (turn_sum),
    .rd_en_i   (1'b1),
    .rd_addr_i (turn_d),
    .rd_data_o (sum)
  );
  ram_async #(.WIDTH(32), .DEPTH(16)) u_read (
    .clk_i     (clk_i),
    .wr_en_i   (1'b1),
    .wr_addr_i (turn_q),
    .wr_data_i (turn_sum),
    .rd_addr_i (index_i),
    .rd_data_o (read_sum)
  );

  assign turn_short = short_q[turn_q];
  assign read_short = (index_i < 4'(N)) ? short_q[index_i] : '0;

  assign turn_sum = (first_q ? '0 : sum) + 32'(turn_short);
  assign sum_o    = (index_i < 4'(N) && !first_q) ? read_sum + 32'(read_short) : '0;

endmodule
