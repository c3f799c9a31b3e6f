// SPDX-License-Identifier: Apache-2.0
// The interrupt: what has happened, which of it raises the line.
// Latency: an event is in IRQ_CAUSE in the next cycle, and on the line one later. What comes as the host clears it stays.
// Handshake: events; the line is a level.
// It does not count: two launches that ended before somebody looked are one bit.
module host_irq #(
  localparam int unsigned N = 3 + 32'(cfg_pkg::MMU != 0)   // IRQ_CAUSE's bits
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [N-1:0] event_i,    // (a fault of a page,) stopped, idle, launch
  // from the register port
  input  logic        clear_i,     // IRQ_CAUSE is written,
  input  logic        mask_i,      // IRQ_MASK is
  input  logic [N-1:0] data_i,
  // to the host
  output logic [N-1:0] cause_o,
  output logic [N-1:0] mask_o,
  output logic        irq_o
);

  logic [N-1:0] cause_q, mask_q;
  logic       irq_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cause_q <= '0;
      mask_q  <= '0;
      irq_q   <= 1'b0;
    end else begin
      cause_q <= (cause_q & ~(data_i & {N{clear_i}})) | event_i;
      if (mask_i) mask_q <= data_i;
      irq_q   <= (cause_q & mask_q) != '0;
    end
  end

  assign cause_o = cause_q;
  assign mask_o  = mask_q;
  assign irq_o   = irq_q;

endmodule
