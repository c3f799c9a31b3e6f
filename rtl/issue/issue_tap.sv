// SPDX-License-Identifier: Apache-2.0
// Issue records of the retire port: the uop behind the check stage with its masks, and the faults that make this tap lie.
// Latency: one cycle behind the check stage, as the uop itself.
// Handshake: event; ret_ready stops the scheduler two stages before this and is registered at the top: up to three records follow.
// It does not show precise traps: such an instruction has no issue record.
`default_nettype none

module issue_tap (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [7:0]        fault_i,
  input  logic [cfg_pkg::PART_W-1:0] part_i,
  // from the check stage: an instruction issues
  input  logic              is_valid_i,
  input  logic [31:0]       is_active_i,
  input  logic [63:0]       is_dhash_i,
  input  logic [63:0]       is_clock_i,
  // a cycle later, and until the next one issues
  input  core_pkg::uop_t    is_uop_i,
  // to the retire port
  output logic              ret_issue_valid_o,
  output retire_pkg::issue_t ret_issue_o
);

  retire_pkg::issue_t now, late_q;
  logic        valid_q, late_valid_q, late_due_q, keep_back, swap, show_late;
  logic [31:0] active_q;
  logic [63:0] dhash_q, clock_q;
  logic [5:0]  count_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= is_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (is_valid_i) begin
      active_q <= is_active_i;
      dhash_q  <= is_dhash_i;
      clock_q  <= is_clock_i;
    end
  end

  always_comb begin
    now.id     = core_pkg::who(is_uop_i.id, part_i);
    now.pc     = is_uop_i.pc;
    now.word   = is_uop_i.word;
    now.active = active_q;
    // On the uniform datapath all lanes execute, or none does.
    now.exec   = (cfg_pkg::HAS_UNI && is_uop_i.dec.guard_uni && is_uop_i.exec != '0) ? '1 : is_uop_i.exec;
    now.ps     = {is_uop_i.ps2, is_uop_i.ps1, is_uop_i.ps0};
    now.dhash  = dhash_q;
    now.clock  = clock_q;
    if (fault_i == fault_pkg::TAP_SEQ && count_q == '1) now.id.seq = is_uop_i.id.seq + 32'd1;
  end

  // Fault: every 16th record is kept back and shown after the next one, if that is another warp's.
  assign keep_back = fault_i == fault_pkg::TAP_REORDER && valid_q && count_q[3:0] == '1 && !late_valid_q;
  assign swap      = late_valid_q && !late_due_q && valid_q && now.id.slot != late_q.id.slot;
  assign show_late = late_valid_q && !swap && (late_due_q || valid_q);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      late_valid_q <= 1'b0;
      late_due_q   <= 1'b0;
      count_q      <= '0;
    end else begin
      late_valid_q <= keep_back || (late_valid_q && (!show_late || valid_q));
      late_due_q   <= swap || (show_late && valid_q);
      if (valid_q) count_q <= count_q + 6'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (keep_back || (show_late && valid_q)) late_q <= now;
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^is_uop_i;

  assign ret_issue_valid_o = (valid_q && !keep_back) || show_late;
  assign ret_issue_o       = show_late ? late_q : now;

endmodule

`default_nettype wire
