// SPDX-License-Identifier: Apache-2.0
// Event counters of the cache (isa/abi/host_regs.layout, CACHE_COUNTER): of what passes, and what is given up.
// Latency: a cycle after the event; a read is combinational and exact. Handshake: none; it counts from go_i on (event: a launch
// begins).
// It counts what records show (docs/visibility.md), so that the one can be held to the other.
module l1_counters #(
  localparam int unsigned SECTORS = l1_pkg::SECTORS,
  localparam int unsigned PARTS   = cfg_pkg::PARTITIONS
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                go_i,
  // a request passes, and what becomes of it
  /* verilator lint_off UNUSEDSIGNAL */   // of these, what is counted
  input  line_pkg::request_t  ask_i,
  input  l1_pkg::passed_t     passed_i,
  input  l1_pkg::filled_t     fill_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic [PARTS-1:0]    emptied_i,
  // from and to the host's registers
  input  logic [3:0]          index_i,
  output logic [31:0]         count_o
);

  localparam int unsigned STEP_W = 3;      // 4 at most: sectors of a line, partitions

  function automatic logic [STEP_W-1:0] ones(logic [3:0] of);
    ones = STEP_W'(of[0]) + STEP_W'(of[1]) + STEP_W'(of[2]) + STEP_W'(of[3]);
  endfunction

  logic                                          load, keeps, drops, replaces;
  logic [SECTORS-1:0]                            dropped;
  logic [host_regs_pkg::CACHE_COUNTERS-1:0][STEP_W-1:0] step;

  assign load     = ask_i.kind == line_pkg::LOAD;
  assign keeps    = passed_i.valid && passed_i.keeps;
  assign drops    = passed_i.valid && passed_i.drops;
  assign replaces = passed_i.valid && passed_i.evicts && !passed_i.drops;
  assign dropped  = drops ? ask_i.sectors & ~passed_i.taken : '0;

  always_comb begin
    step = '0;
    if (passed_i.valid || fill_i.valid || emptied_i != '0) begin
      step[host_regs_pkg::CACHE_COUNTER_LOADS]    = STEP_W'(keeps);
      step[host_regs_pkg::CACHE_COUNTER_HIT]      = keeps ? ones(passed_i.here) : '0;
      step[host_regs_pkg::CACHE_COUNTER_JOINED]   = keeps ? ones(passed_i.coming) : '0;
      step[host_regs_pkg::CACHE_COUNTER_ASKED]    = keeps ? ones(passed_i.asked) : '0;
      step[host_regs_pkg::CACHE_COUNTER_BY]       = STEP_W'(drops && load);
      step[host_regs_pkg::CACHE_COUNTER_STORES]   = load ? '0 : ones(dropped);
      step[host_regs_pkg::CACHE_COUNTER_STRONG]   = load ? ones(dropped) : '0;
      step[host_regs_pkg::CACHE_COUNTER_REPLACED] = replaces ? ones(passed_i.evicted) : '0;
      step[host_regs_pkg::CACHE_COUNTER_ERRORS]   = (fill_i.valid && fill_i.err) ? ones(fill_i.sectors) : '0;
      step[host_regs_pkg::CACHE_COUNTER_EMPTIED]  = ones(4'(emptied_i));
    end
  end

  event_sums #(.N(host_regs_pkg::CACHE_COUNTERS), .STEP_W(STEP_W), .MOST(4)) u_sums (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .clear_i (go_i),
    .step_i  (step),
    .index_i (index_i),
    .sum_o   (count_o)
  );

endmodule
