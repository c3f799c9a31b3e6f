// SPDX-License-Identifier: Apache-2.0
// Between launches of two address spaces: sets to 0, row by row, what the one before has left in registers, predicates, uniform
// registers and shared memory of all SMs (isa/doc/18-virtual-memory.md). After the host's reset their space is unknown.
// Latency: as many cycles as the memory with most rows has rows, and one more; none if the space is the same.
// Handshake: levels. A launch waits from ready_i on, and may begin when clean_o; begin_i: it does. SMs are at rest then.
// It does not empty caches: go does.
module gpu_wipe (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  /* verilator lint_off UNUSEDSIGNAL */   // of the launch, its space
  input  core_pkg::launch_t           launch_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                        ready_i,     // it may begin, but for this
  input  logic                        begin_i,
  output logic                        clean_o,
  output core_pkg::wipe_t             wipe_o
);

  localparam int unsigned WORDS  = cfg_pkg::SHARED_BYTES / 4;
  localparam int unsigned SHARED = (cfg_pkg::SHARED_LANES == 1) ? WORDS : WORDS / cfg_pkg::SHARED_BANKS;
  localparam int unsigned REGS   = cfg_pkg::REGS / cfg_pkg::BANKS * cfg_pkg::BEATS;
  localparam int unsigned WARPS  = cfg_pkg::WARPS * 32;      // pairs of uniform registers; predicates are fewer
  localparam int unsigned MOST   = (REGS > SHARED) ? REGS : SHARED;
  localparam int unsigned ROWS   = (MOST > WARPS) ? MOST : WARPS;
  localparam int unsigned W      = core_pkg::WIPE_W;

  logic         known_q, pages_q, wiped_q, same;
  logic [7:0]   space_q;
  logic [W-1:0] at_q;
  logic         runs_q;

  assign same    = known_q && pages_q == launch_i.pages && space_q == launch_i.space;
  assign clean_o = !runs_q && (wiped_q || same);
  assign wipe_o  = '{valid: runs_q, at: at_q};

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      known_q <= 1'b0;
      wiped_q <= 1'b0;
      runs_q  <= 1'b0;
      at_q    <= '0;
    end else begin
      if (begin_i) known_q <= 1'b1;
      wiped_q <= !begin_i && (wiped_q || (runs_q && at_q == W'(ROWS - 1)));
      runs_q  <= (runs_q || (ready_i && !wiped_q && !same)) && !(runs_q && at_q == W'(ROWS - 1));
      at_q    <= runs_q ? at_q + W'(1) : '0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (begin_i) begin
      pages_q <= launch_i.pages;
      space_q <= launch_i.space;
    end
  end

  if (ROWS > 2**W) begin : gen_check
    $error("gpu_wipe: more rows than core_pkg::wipe_t counts");
  end

endmodule
