// SPDX-License-Identifier: Apache-2.0
// The check stage's judgement of one instruction: executing lanes, source predicates, and whether it traps precisely.
// Latency: combinational.
// No handshake.
// A word, or a constant operand, without a page is a trap where the launch says so, and where the host has none (lost_); else the
// host is to be asked, and the instruction neither issues nor traps (absent_).
// It does not wait for anything: the caller asks again when the scoreboard says no.
`include "heddle_idle.svh"

module issue_check (
  // the instruction
  input  issue_pkg::entry_t        entry_i,
  input  logic                     bad_pc_i,        // there is none: the PC is no place of code
  input  logic                     cst_range_i,     // its constant lies outside the bank
  input  core_pkg::err_t           cst_err_i,       // why it could not be had
  input  logic                     fault_trap_i,    // a page that is absent is a trap;
  input  logic                     lost_i,          // ... is one for the word of this warp,
  input  logic                     lost_cst_i,      // for its constant
  input  core_pkg::id_t            id_i,
  input  logic [31:0]              pc_i,
  input  logic [39:0]              code_base_i,
  // from the predicate files
  input  logic [6:0][31:0]         pred_i,
  input  logic [6:0]               upred_i,         // uniform ones
  // from divergence
  input  logic [31:0]              dv_q_active_i,
  input  logic [31:0]              dv_q_live_i,
  input  logic [31:0]              dv_q_members_i,
  input  logic [31:0]              dv_q_parked_i,
  input  logic [31:0]              dv_q_parkpc_i,
  input  logic                     its_i,           // lanes of one barrier may park at several PCs
  // from the barrier unit
  input  logic                     ba_misuse_i,
  input  logic                     redo_i,          // a BAR.RED that has arrived comes for its result
  // to issue
  output logic [31:0]              exec_o,
  output logic [31:0]              ps0_o,
  output logic [31:0]              ps1_o,
  output logic [31:0]              ps2_o,
  output logic                     arrives_o,       // BAR that counts
  output logic                     early_trap_o,    // trap that does not depend on predicates
  output logic                     late_trap_o,     // trap that does
  output logic                     late_stop_o,     // ... or a BAR.RED that arrives: late both
  output logic                     absent_o,        // the host is to be asked for a page
  output logic                     absent_cst_o,    // ... of the constant
  output core_pkg::trap_t          trap_o
);

  // Predicate 7 is true; bit 3 of the index negates.
  function automatic logic [31:0] pick(input logic [6:0][31:0] pred, input logic [3:0] index);
    logic [7:0][31:0] all;
    all  = {32'hffff_ffff, pred};
    pick = all[index[2:0]] ^ {32{index[3]}};
  endfunction

  isa_pkg::dec_t    dec;
  issue_pkg::kind_t kind;
  logic [31:0]      strangers, wanted, struck;
  logic             is_bar, any, stranger, elsewhere, whole, word_err, cst_range, cst_err, cst_page;

  assign dec       = entry_i.dec;
  assign kind      = entry_i.kind;
  assign is_bar    = kind.bar && !redo_i;
  assign cst_range = kind.cst && cst_range_i;
  assign cst_err   = kind.cst && cst_err_i != '0;
  assign cst_page  = core_pkg::is_page(cst_err_i) && (cst_err_i & core_pkg::ERR_BUS) == '0;
  assign word_err  = entry_i.bus_err != '0;

  // A uniform one is the same in all lanes. (That a uniform instruction executes whatever lanes are active, retire_issue shows.)
  function automatic logic [31:0] choose(input logic uni, input logic [3:0] index);
    if (cfg_pkg::HAS_UNI && uni) begin
      logic [7:0] all;
      all    = {1'b1, upred_i};
      choose = {32{all[index[2:0]] ^ index[3]}};
    end else begin
      choose = pick(pred_i, index);
    end
  endfunction

  assign exec_o = dv_q_active_i & choose(dec.guard_uni, dec.guard);
  assign ps0_o  = choose(dec.ps_uni, dec.ps0);
  assign ps1_o  = choose(dec.ps_uni, dec.ps1);
  assign ps2_o  = choose(dec.ps_uni, dec.ps2);

  // BSYNC: lanes that are not members; lanes that parked at another BSYNC of the same barrier.
  assign any       = exec_o != '0;
  assign strangers = exec_o & ~dv_q_members_i;
  assign stranger  = strangers != '0;
  assign elsewhere = !its_i && dv_q_parked_i != '0 && dv_q_parkpc_i != pc_i;
  // BAR: a warp arrives whole, or (guard false everywhere) not at all. Matrices: all 32 lanes, or none.
  assign wanted    = kind.whole ? '1 : dv_q_live_i;
  assign whole     = exec_o == wanted;
  assign arrives_o = is_bar && any && whole;

  // Where code is, or (bad_pc_i) would be from 0 on.
  logic [39:0] fetch_addr;
  assign fetch_addr = (bad_pc_i ? '0 : code_base_i) + 40'(pc_i);

  // Whether it traps decides whether it issues. Executing lanes are known late, so each kind says beforehand which of them make it
  // trap; where it lies, and what the barriers answer, is known as late: that counts if there are any lanes.
  assign struck       = exec_o & ((kind.jmp || kind.bpt) ? '1 : kind.bsync ? ~dv_q_members_i : '0);
  assign early_trap_o = (bad_pc_i || word_err || entry_i.illegal || cst_range || cst_err) && !absent_o;

  // The first trap that applies is one for want of a page, and the host has not been asked, or may still bring it.
  if (cfg_pkg::MMU != 0) begin : gen_pages
    logic absent_word;
    assign absent_word  = !fault_trap_i && !bad_pc_i && core_pkg::is_page(entry_i.bus_err) && !lost_i;
    assign absent_cst_o = !fault_trap_i && !bad_pc_i && !word_err && !entry_i.illegal && !cst_range && kind.cst && cst_page && !lost_cst_i;
    assign absent_o     = absent_word || absent_cst_o;
  end else begin : gen_no_pages
    logic unused_pages;
    assign {absent_o, absent_cst_o} = '0;
    assign unused_pages = ^{fault_trap_i, lost_i, lost_cst_i, cst_page};
  end
  // Both wait for the same three words about the lanes, and for nothing after them.
  logic anyhow, unless_whole, if_whole;
  assign anyhow       = (kind.bsync && elsewhere) || (is_bar && ba_misuse_i);
  assign unless_whole = is_bar || kind.whole;
  assign if_whole     = is_bar && kind.red;
  always_comb begin
    late_trap_o = 1'b0;
    late_stop_o = 1'b0;
    `HEDDLE_ONLY(kind.bsync || is_bar || kind.jmp || kind.bpt || kind.whole) begin
      late_trap_o = struck != '0 || (any && (anyhow || (unless_whole && !whole)));
      late_stop_o = struck != '0 || (any && (anyhow || (whole ? if_whole : unless_whole)));
    end
  end

  // Which trap it is, of those that apply the first. Lanes and address are each one expression of few bits for all traps.
  logic at_pc, at_word, at_const, plain;   // the address: of code, from the instruction, from its constant operand; lanes: all active

  assign at_pc    = bad_pc_i || word_err;
  assign at_const = !at_pc && !entry_i.illegal && (cst_range || cst_err);
  assign at_word  = !early_trap_o && kind.jmp && !(kind.bsync || kind.whole || kind.bar);
  assign plain    = early_trap_o || (kind.bar && !kind.bsync && !kind.whole);

  always_comb begin
    trap_o      = '0;
    trap_o.id   = id_i;
    trap_o.pc   = pc_i;
    trap_o.addr = {24'd0, {fetch_addr[39:5], fetch_addr[4:0] & {5{bad_pc_i}}} & {40{at_pc}}};
    if (at_const) trap_o.addr[15:0] = isa_pkg::f_coff(entry_i.word);
    if (at_word)  trap_o.addr[31:0] = isa_pkg::f_abs32(entry_i.word);
    if (plain)                                          trap_o.lanes = dv_q_active_i;
    else if (kind.bsync)                                trap_o.lanes = exec_o & ~(dv_q_members_i & {32{stranger}});
    else                                                trap_o.lanes = exec_o ^ {32{kind.whole}};
    if (bad_pc_i)               trap_o.cause = core_pkg::TRAP_BAD_PC;
    else if (word_err)          trap_o.cause = core_pkg::is_page(entry_i.bus_err) ? core_pkg::TRAP_PAGE : core_pkg::TRAP_BUS;
    else if (entry_i.illegal)   trap_o.cause = core_pkg::TRAP_ILLEGAL;
    else if (cst_range)         trap_o.cause = core_pkg::TRAP_CONST_RANGE;
    else if (cst_err)           trap_o.cause = cst_page ? core_pkg::TRAP_PAGE : core_pkg::TRAP_BUS;
    else if (kind.bsync || kind.whole) trap_o.cause = core_pkg::TRAP_DIVERGENCE;
    else if (kind.bar)          trap_o.cause = core_pkg::TRAP_BARRIER;
    else if (kind.jmp)          trap_o.cause = core_pkg::TRAP_BAD_PC;
    else                        trap_o.cause = core_pkg::TRAP_BREAKPOINT;
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^{entry_i, dec, kind, fetch_addr[4:0]};

endmodule
