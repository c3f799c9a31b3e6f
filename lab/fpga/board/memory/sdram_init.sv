// SPDX-License-Identifier: Apache-2.0
// Initialises the SDRAM: the steps of sdram_init_pkg as writes of LiteDRAM's control registers, over its Wishbone.
// Latency: the sum of the waits, at 25 MHz some 6,000 cycles; done_o then stays. One write at a time.
// Handshake: Wishbone classic, one access a step; an error there ends it with failed_o.
// It reads nothing back: memory is tried by its users.
module sdram_init (
  input  logic        clk_i,
  input  logic        rst_ni,
  output logic        done_o,
  output logic        failed_o,
  // to LiteDRAM
  output logic        wb_cyc_o,
  output logic [29:0] wb_adr_o,
  output logic [31:0] wb_data_o,
  input  logic        wb_ack_i,
  input  logic        wb_err_i
);

  localparam int unsigned STEP_W = sdram_init_pkg::STEP_W;
  localparam int unsigned WAIT_W = sdram_init_pkg::WAIT_W;

  logic [STEP_W-1:0]      step_q;
  logic [WAIT_W-1:0]      wait_q;
  logic                   access_q, done_q, failed_q;
  sdram_init_pkg::step_t  step;

  assign step      = sdram_init_pkg::step(step_q);
  assign wb_cyc_o  = access_q;
  assign wb_adr_o  = 30'(step.addr[11:2]);
  assign wb_data_o = 32'(step.data);
  assign done_o    = done_q;
  assign failed_o  = failed_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      step_q   <= '0;
      wait_q   <= WAIT_W'(15);
      access_q <= 1'b0;
      done_q   <= 1'b0;
      failed_q <= 1'b0;
    end else if (access_q) begin
      if (wb_ack_i || wb_err_i) begin
        access_q <= 1'b0;
        wait_q   <= step.cycles;
        step_q   <= step_q + 1'b1;
        failed_q <= wb_err_i;
        done_q   <= !wb_err_i && step_q == STEP_W'(sdram_init_pkg::STEPS - 1);
      end
    end else if (wait_q != '0) begin
      wait_q <= wait_q - 1'b1;
    end else if (!done_q && !failed_q) begin
      access_q <= 1'b1;
    end
  end

  // A register's address is a word's.
  logic unused;
  assign unused = ^step.addr[1:0];

endmodule
