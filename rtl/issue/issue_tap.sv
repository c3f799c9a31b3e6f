// SPDX-License-Identifier: Apache-2.0
// Issue records of the retire port: a register behind the check stage, and the faults that make this tap lie.
// Latency: one cycle.
// Handshake: event; ret_ready stops the scheduler two stages before this and is registered at the top: up to three records follow.
// It does not show precise traps: such an instruction has no issue record.
`default_nettype none

module issue_tap (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [7:0]        fault_i,
  // from the check stage
  input  logic              is_valid_i,
  input  core_pkg::uop_t    is_uop_i,
  input  logic [31:0]       is_active_i,
  input  logic [63:0]       is_dhash_i,
  // to the retire port
  output logic              ret_issue_valid_o,
  output logic [7:0]        ret_issue_slot_o,
  output logic [7:0]        ret_issue_gen_o,
  output logic [31:0]       ret_issue_seq_o,
  output logic [31:0]       ret_issue_pc_o,
  output logic [127:0]      ret_issue_word_o,
  output logic [31:0]       ret_issue_active_o,
  output logic [31:0]       ret_issue_exec_o,
  output logic [31:0]       ret_issue_ps0_o,
  output logic [31:0]       ret_issue_ps1_o,
  output logic [31:0]       ret_issue_ps2_o,
  output logic [63:0]       ret_issue_dhash_o
);

  typedef struct packed {
    logic [7:0]   slot;
    logic [7:0]   gen;
    logic [31:0]  seq;
    logic [31:0]  pc;
    logic [127:0] word;
    logic [31:0]  active, exec, ps0, ps1, ps2;
    logic [63:0]  dhash;
  } rec_t;

  rec_t       in, out_q, late_q;
  logic       out_valid_q, late_valid_q, late_due_q, keep_back, swap, show_late;
  logic [5:0] count_q;

  always_comb begin
    in.slot   = 8'(is_uop_i.id.slot);
    in.gen    = is_uop_i.id.gen;
    in.seq    = is_uop_i.id.seq;
    in.pc     = is_uop_i.pc;
    in.word   = is_uop_i.word;
    in.active = is_active_i;
    in.exec   = is_uop_i.exec;
    in.ps0    = is_uop_i.ps0;
    in.ps1    = is_uop_i.ps1;
    in.ps2    = is_uop_i.ps2;
    in.dhash  = is_dhash_i;
    if (fault_i == core_pkg::FAULT_TAP_SEQ && count_q == '1) in.seq = is_uop_i.id.seq + 32'd1;
  end

  // Fault: every 16th record is kept back and shown after the next one, if that is another warp's.
  assign keep_back = fault_i == core_pkg::FAULT_TAP_REORDER && is_valid_i && count_q[3:0] == '1 && !late_valid_q;
  assign swap      = late_valid_q && !late_due_q && is_valid_i && in.slot != late_q.slot;
  assign show_late = late_valid_q && !swap && (late_due_q || is_valid_i);

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      out_valid_q  <= 1'b0;
      late_valid_q <= 1'b0;
      late_due_q   <= 1'b0;
      count_q      <= '0;
    end else begin
      out_valid_q  <= (is_valid_i && !keep_back) || show_late;
      late_valid_q <= keep_back || (late_valid_q && (!show_late || is_valid_i));
      late_due_q   <= swap || (show_late && is_valid_i);
      if (is_valid_i) count_q <= count_q + 6'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    out_q <= show_late ? late_q : in;
    if (keep_back || (show_late && is_valid_i)) late_q <= in;
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^is_uop_i;

  assign ret_issue_valid_o  = out_valid_q;
  assign ret_issue_slot_o   = out_q.slot;
  assign ret_issue_gen_o    = out_q.gen;
  assign ret_issue_seq_o    = out_q.seq;
  assign ret_issue_pc_o     = out_q.pc;
  assign ret_issue_word_o   = out_q.word;
  assign ret_issue_active_o = out_q.active;
  assign ret_issue_exec_o   = out_q.exec;
  assign ret_issue_ps0_o    = out_q.ps0;
  assign ret_issue_ps1_o    = out_q.ps1;
  assign ret_issue_ps2_o    = out_q.ps2;
  assign ret_issue_dhash_o  = out_q.dhash;

endmodule

`default_nettype wire
