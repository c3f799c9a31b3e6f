// SPDX-License-Identifier: Apache-2.0
// The release check of one barrier: lanes that are parked and members after the instruction, that may go on; and whether a
// WARPSYNC fits. BSYNC, WARPSYNC, BREAK, BMOV.SET and .CLEAR look at their own barrier, EXIT and YIELD at one after the other.
// Latency: combinational.
// No handshake.
// It does not know at which PCs lanes are parked, but for the first path.
module divergence_check (
  input  logic                  its_i,
  input  divergence_pkg::ctl_t  work_i,
  input  logic                  own_i,        // the barrier is the instruction's own
  input  logic                  yields_i,     // a YIELD that means something
  input  logic [31:0]           value_i,      // operand of the lowest executing lane
  input  logic [31:0]           live_i,
  input  divergence_pkg::sets_t sets_i,
  output logic [31:0]           stay_o,       // members after the instruction
  output logic [31:0]           joined_o,     // parked lanes after it
  output logic [31:0]           go_o,         // lanes that go when the barrier is released
  output logic                  released_o,
  output logic [31:0]           strangers_o,  // lanes of a WARPSYNC that its mask does not name
  output logic                  unwanted_o    // a WARPSYNC that does not fit
);

  logic [31:0] awaited;
  logic        parks;

  assign parks    = work_i.kind == divergence_pkg::KIND_BSYNC || work_i.kind == divergence_pkg::KIND_WARPSYNC;
  assign joined_o = (own_i && parks) ? sets_i.parked | work_i.exec : sets_i.parked;

  always_comb begin
    stay_o = sets_i.members;
    if (own_i) begin
      case (work_i.kind)
        divergence_pkg::KIND_BREAK:                              stay_o = sets_i.members & ~work_i.exec;
        divergence_pkg::KIND_WARPSYNC, divergence_pkg::KIND_SET: stay_o = value_i;
        divergence_pkg::KIND_CLEAR:                              stay_o = '0;
        default: ;
      endcase
    end
    awaited = stay_o & live_i & ~joined_o & ~(yields_i ? work_i.exec : '0);
  end

  assign go_o       = joined_o & stay_o;
  assign released_o = (joined_o & stay_o) != '0 && awaited == '0;

  // Lanes that its mask does not name; others that wait with another mask, or (on a stack) elsewhere.
  assign strangers_o = work_i.exec & ~value_i;
  assign unwanted_o  = strangers_o != '0 || (sets_i.parked != '0
    && (sets_i.members != value_i || (!its_i && sets_i.parkpc != work_i.at)));

  // Of an instruction's identity and target others make use.
  logic unused;
  assign unused = ^work_i;

endmodule
