// SPDX-License-Identifier: Apache-2.0
// The release check of one barrier: who is parked and who is a member after the instruction, who may go on; and whether a
// WARPSYNC fits. BSYNC, WARPSYNC, BREAK, BMOV.SET and .CLEAR look at their own barrier, EXIT and YIELD at one after the other.
// Latency: combinational.
// No handshake.
// It does not know at which PCs lanes are parked, but for the first path.
`default_nettype none

module divergence_check (
  input  logic [7:0]            fault_i,
  input  logic                  its_i,
  input  divergence_pkg::ctl_t  work_i,
  input  logic                  own_i,        // the barrier is the instruction's own
  input  logic                  yields_i,     // a YIELD that means something
  input  logic [31:0]           value_i,      // WARPSYNC, BMOV.SET: operand of the lowest executing lane; 0 for all that read none
  input  logic [31:0]           live_i,
  input  logic [4:0]            bx_i,         // which barrier it is
  input  divergence_pkg::sets_t sets_i,       // as they were read:
  input  logic                  written_i,    // its members count
  input  logic                  parked_i,     // lanes are parked there: they count
  output logic [31:0]           stay_o,       // members after the instruction
  output logic [31:0]           joined_o,     // parked lanes after it
  output logic [31:0]           go_o,         // who goes when the barrier is released
  output logic                  released_o,
  output logic                  strangers_o,  // a WARPSYNC has lanes that its mask does not name
  output logic                  unwanted_o    // a WARPSYNC that does not fit
);

  function automatic logic [31:0] highest(logic [31:0] mask);
    highest = '0;
    for (int unsigned l = 0; l < 32; l++) if (mask[l]) highest = 32'd1 << l;
  endfunction

  logic [31:0] awaited, parked;
  logic        parks, names;   // the instruction parks its lanes; names all members

  assign parks    = own_i && (work_i.kind == divergence_pkg::KIND_BSYNC || work_i.kind == divergence_pkg::KIND_WARPSYNC);
  assign names    = own_i && (work_i.kind == divergence_pkg::KIND_WARPSYNC || work_i.kind == divergence_pkg::KIND_SET
    || work_i.kind == divergence_pkg::KIND_CLEAR);
  assign parked   = sets_i.parked & {32{parked_i}};
  assign joined_o = parked | (work_i.exec & {32{parks}});

  // Those whom it names are zero unless it does.
  always_comb begin
    stay_o = (sets_i.members & {32{written_i && !names}}
              & ~(work_i.exec & {32{own_i && work_i.kind == divergence_pkg::KIND_BREAK}}))
      | (work_i.exec & {32{own_i && work_i.kind == divergence_pkg::KIND_BSSY}}) | value_i;
    awaited = stay_o & live_i & ~joined_o & ~(yields_i ? work_i.exec : '0);
    if (fault_i == core_pkg::FAULT_SYNC_EARLY && bx_i == divergence_pkg::BX_W) awaited = awaited & ~highest(stay_o);
  end

  assign go_o = joined_o & stay_o
    & ((fault_i == core_pkg::FAULT_BSYNC_MASK && work_i.kind == divergence_pkg::KIND_BSYNC) ? work_i.exec : 32'hffff_ffff);
  assign released_o = (joined_o & stay_o) != '0 && awaited == '0;

  // Lanes that its mask does not name; others that wait with another mask, or (on a stack) elsewhere.
  assign strangers_o = (work_i.exec & ~value_i) != '0;
  assign unwanted_o  = strangers_o || (parked_i
    && (sets_i.members != value_i || (!its_i && sets_i.parkpc != work_i.pc)));

  // Of an instruction's identity and target others make use.
  logic unused;
  assign unused = ^work_i;

endmodule

`default_nettype wire
