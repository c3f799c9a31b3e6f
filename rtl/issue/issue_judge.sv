// SPDX-License-Identifier: Apache-2.0
// Judgement of the instruction in S1: executing lanes (guard), source predicates, and whether it is legal and may go on.
// Latency: combinational; a predicate written in cycle t counts from t+1 on.
// Handshake: none; the judgement holds until S1 is left.
// A word, or a constant operand, without a page is a trap where the launch says so, and where the host has none (lost); else the
// host is to be asked, and the instruction neither issues nor traps (absent).
// It does not decide what happens (issue_commit), nor compare DEPBAR's counter (dep_counters).
`include "heddle_idle.svh"

module issue_judge (
  input  logic                                    clk_i,
  input  core_pkg::wipe_t                         wipe_i,
  // from the host
  input  logic                                    its_i,           // lanes of one barrier may park at several PCs
  input  logic [39:0]                             code_base_i,
  input  logic                                    fault_trap_i,    // a page that is absent is a trap
  // from fetch, the instruction buffer, the constant prefetch, the uniform datapath
  input  front_pkg::at_t                          at_i,
  input  issue_pkg::entry_t                       ib_entry_i,
  input  front_pkg::const_t                       cf_i,
  input  logic [6:0]                              un_pred_i,
  // from writeback: predicates
  input  front_pkg::pred_write_t                  wb_pred_i,
  // from and to operand: the predicates of a beat, a cycle later
  input  front_pkg::pred_read_t                   op_pr_i,
  output logic [6:0][cfg_pkg::LANES-1:0]          pf_row_o,
  // from divergence and the barriers
  input  front_pkg::paths_t                       dv_q_i,
  input  logic                                    ba_misuse_i,
  // from S1
  input  logic [cfg_pkg::WARP_W-1:0]              slot_i,
  input  logic                                    bad_i,           // there is no instruction: the PC is no place of code
  input  core_pkg::id_t                           id_i,
  input  logic                                    redo_i,          // a BAR.RED that has arrived comes for its result
  // to S1
  output stage_pkg::lanes_t                       lanes_o,
  output stage_pkg::verdict_t                     verdict_o,
  output core_pkg::trap_t                         trap_o           // if it traps
);

  logic [6:0][31:0] preds;

  pred_file u_pred (
    .clk_i     (clk_i),
    .wipe_i    (wipe_i),
    .wb_pred_i (wb_pred_i),
    .op_pr_i   (op_pr_i),
    .pf_row_o  (pf_row_o),
    .is_slot_i (slot_i),
    .pf_pred_o (preds)
  );

  isa_pkg::dec_t    dec;
  issue_pkg::kind_t kind;
  logic [31:0]      exec, strangers, wanted, struck;
  logic             arrives, early_trap, late_trap, late_stop, absent, absent_cst;
  logic             is_bar, any, stranger, elsewhere, whole, word_err, cst_range, cst_err, cst_page;

  assign dec       = ib_entry_i.dec;
  assign kind      = ib_entry_i.kind;
  assign is_bar    = kind.bar && !redo_i;
  assign cst_range = kind.cst && cf_i.range;
  assign cst_err   = kind.cst && cf_i.err != '0;
  assign cst_page  = core_pkg::is_page(cf_i.err) && (cf_i.err & core_pkg::ERR_BUS) == '0;
  assign word_err  = ib_entry_i.bus_err != '0;

  // Predicate 7 is true; bit 3 of the index negates. A uniform one is the same in all lanes. (That a uniform instruction executes
  // whatever lanes are active, retire_issue shows.)
  function automatic logic [31:0] choose(input logic uni, input logic [3:0] index);
    logic [7:0]       all_uni;
    logic [7:0][31:0] all;
    all_uni = {1'b1, un_pred_i};
    all     = {32'hffff_ffff, preds};
    choose  = ((cfg_pkg::HAS_UNI && uni) ? {32{all_uni[index[2:0]]}} : all[index[2:0]]) ^ {32{index[3]}};
  endfunction

  assign exec    = dv_q_i.active & choose(dec.guard_uni, dec.guard);
  assign lanes_o = '{exec: exec, ps0: choose(dec.ps_uni, dec.ps0), ps1: choose(dec.ps_uni, dec.ps1), ps2: choose(dec.ps_uni, dec.ps2),
    preds: preds};

  // BSYNC: lanes that are not members; lanes that parked at another BSYNC of the same barrier.
  assign any       = exec != '0;
  assign strangers = exec & ~dv_q_i.members;
  assign stranger  = strangers != '0;
  assign elsewhere = !its_i && dv_q_i.parked != '0 && dv_q_i.parkpc != at_i.pc;
  // BAR: a warp arrives whole, or (guard false everywhere) not at all. Matrices: all 32 lanes, or none.
  assign wanted    = kind.whole ? '1 : dv_q_i.live;
  assign whole     = exec == wanted;
  assign arrives   = is_bar && any && whole;

  // Where code is, or (bad_i) would be from 0 on.
  logic [39:0] fetch_addr;
  assign fetch_addr = (bad_i ? '0 : code_base_i) + 40'(at_i.pc);

  // Whether it traps decides whether it issues. Executing lanes are known late, so each kind says beforehand which of them make it
  // trap; where it lies, and what the barriers answer, is known as late: that counts if there are any lanes.
  assign struck       = exec & ((kind.jmp || kind.bpt) ? '1 : kind.bsync ? ~dv_q_i.members : '0);
  assign early_trap   = (bad_i || word_err || ib_entry_i.illegal || cst_range || cst_err) && !absent;

  // The first trap that applies is one for want of a page, and the host has not been asked, or may still bring it.
  if (cfg_pkg::MMU != 0) begin : gen_pages
    logic absent_word;
    assign absent_word = !fault_trap_i && !bad_i && core_pkg::is_page(ib_entry_i.bus_err) && !at_i.lost;
    assign absent_cst  = !fault_trap_i && !bad_i && !word_err && !ib_entry_i.illegal && !cst_range && kind.cst && cst_page && !at_i.lost_cst;
    assign absent      = absent_word || absent_cst;
  end else begin : gen_no_pages
    logic unused_pages;
    assign {absent, absent_cst} = '0;
    assign unused_pages = ^{fault_trap_i, at_i.lost, at_i.lost_cst, cst_page};
  end
  // Both wait for the same three words about the lanes, and for nothing after them.
  logic anyhow, unless_whole, if_whole;
  assign anyhow       = (kind.bsync && elsewhere) || (is_bar && ba_misuse_i);
  assign unless_whole = is_bar || kind.whole;
  assign if_whole     = is_bar && kind.red;
  always_comb begin
    late_trap = 1'b0;
    late_stop = 1'b0;
    `HEDDLE_ONLY(kind.bsync || is_bar || kind.jmp || kind.bpt || kind.whole) begin
      late_trap = struck != '0 || (any && (anyhow || (unless_whole && !whole)));
      late_stop = struck != '0 || (any && (anyhow || (whole ? if_whole : unless_whole)));
    end
  end

  // Which trap it is, of those that apply the first. Lanes and address are each one expression of few bits for all traps.
  logic at_pc, at_word, at_const, plain;   // the address: of code, from the instruction, from its constant operand; lanes: all active

  assign at_pc    = bad_i || word_err;
  assign at_const = !at_pc && !ib_entry_i.illegal && (cst_range || cst_err);
  assign at_word  = !early_trap && kind.jmp && !(kind.bsync || kind.whole || kind.bar);
  assign plain    = early_trap || (kind.bar && !kind.bsync && !kind.whole);

  always_comb begin
    trap_o      = '0;
    trap_o.id   = id_i;
    trap_o.pc   = at_i.pc;
    trap_o.addr = {24'd0, {fetch_addr[39:5], fetch_addr[4:0] & {5{bad_i}}} & {40{at_pc}}};
    if (at_const) trap_o.addr[15:0] = isa_pkg::f_coff(ib_entry_i.word);
    if (at_word)  trap_o.addr[31:0] = isa_pkg::f_abs32(ib_entry_i.word);
    if (plain)                                          trap_o.lanes = dv_q_i.active;
    else if (kind.bsync)                                trap_o.lanes = exec & ~(dv_q_i.members & {32{stranger}});
    else                                                trap_o.lanes = exec ^ {32{kind.whole}};
    if (bad_i)                  trap_o.cause = core_pkg::TRAP_BAD_PC;
    else if (word_err)          trap_o.cause = core_pkg::is_page(ib_entry_i.bus_err) ? core_pkg::TRAP_PAGE : core_pkg::TRAP_BUS;
    else if (ib_entry_i.illegal) trap_o.cause = core_pkg::TRAP_ILLEGAL;
    else if (cst_range)         trap_o.cause = core_pkg::TRAP_CONST_RANGE;
    else if (cst_err)           trap_o.cause = cst_page ? core_pkg::TRAP_PAGE : core_pkg::TRAP_BUS;
    else if (kind.bsync || kind.whole) trap_o.cause = core_pkg::TRAP_DIVERGENCE;
    else if (kind.bar)          trap_o.cause = core_pkg::TRAP_BARRIER;
    else if (kind.jmp)          trap_o.cause = core_pkg::TRAP_BAD_PC;
    else                        trap_o.cause = core_pkg::TRAP_BREAKPOINT;
  end

  assign verdict_o = '{early_trap: early_trap, late_trap: late_trap, late_stop: late_stop, arrives: arrives,
    absent: absent, absent_cst: absent_cst};

  // Fields that concern others; the address is a sector's.
  logic unused;
  assign unused = ^{ib_entry_i, dec, kind, fetch_addr[4:0]};

endmodule
