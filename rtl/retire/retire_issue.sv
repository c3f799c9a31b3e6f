// SPDX-License-Identifier: Apache-2.0
// Issue records of the retire port: the uop behind the check stage with its masks.
// Latency: one cycle behind the check stage, as the uop itself.
// Handshake: event; ret_ready stops the scheduler two stages before this and is registered at the top: up to three records follow.
// It does not show precise traps: such an instruction has no issue record.
module retire_issue (
  input  logic              clk_i,
  input  logic              rst_ni,
  input  logic [cfg_pkg::PART_W-1:0] part_i,
  // from the check stage: an instruction issues
  input  logic              is_valid_i,
  input  logic [31:0]       is_active_i,
  input  logic [63:0]       ret_hash_i,
  input  logic [63:0]       is_clock_i,
  // a cycle later, and until the next one issues
  input  core_pkg::uop_t    is_uop_i,
  // to the retire port
  output logic              ret_issue_valid_o,
  output retire_pkg::issue_t ret_issue_o
);

  logic        valid_q;
  logic [31:0] active_q;
  logic [63:0] dhash_q, clock_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else         valid_q <= is_valid_i;
  end
  always_ff @(posedge clk_i) begin
    if (is_valid_i) begin
      active_q <= is_active_i;
      dhash_q  <= ret_hash_i;
      clock_q  <= is_clock_i;
    end
  end

  always_comb begin
    ret_issue_o.id     = core_pkg::who(is_uop_i.id, part_i);
    ret_issue_o.pc     = is_uop_i.pc;
    ret_issue_o.word   = is_uop_i.word;
    ret_issue_o.active = active_q;
    // On the uniform datapath all lanes execute, or none does.
    ret_issue_o.exec   = (cfg_pkg::HAS_UNI && is_uop_i.dec.guard_uni && is_uop_i.exec != '0) ? '1 : is_uop_i.exec;
    ret_issue_o.ps     = {is_uop_i.ps2, is_uop_i.ps1, is_uop_i.ps0};
    ret_issue_o.dhash  = dhash_q;
    ret_issue_o.clock  = clock_q;
  end
  assign ret_issue_valid_o = valid_q;

  // Fields that concern others.
  logic unused;
  assign unused = ^is_uop_i;

endmodule
