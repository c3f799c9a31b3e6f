// SPDX-License-Identifier: Apache-2.0
// The host's registers of virtual memory (isa/doc/18-virtual-memory.md): what INVALIDATE forgets, which entry EXCHANGE changes, the
// list of faults; and from CONTROL the events that the mmu takes.
// Latency: a write counts from the next cycle on; a read answers in the cycle after rd_en_i. A REPLAY or FAIL stands until the mmu
// takes it.
// Handshake: events. One comes only if it counts: INVALIDATE while none is under way, EXCHANGE while a
// launch runs and none is under way.
// It does not keep what the mmu keeps: the list, and what an exchange found.
module host_mmu (
  input  logic           clk_i,
  input  logic           rst_ni,
  // from and to the register port
  input  logic           wr_valid_i,
  input  logic [9:0]     wr_word_i,
  input  logic [31:0]    wr_data_i,
  input  logic           control_i,       // CONTROL is written, and no ABORT or SKIP
  input  logic           rd_en_i,
  input  logic [9:0]     rd_word_i,
  output logic [31:0]    rd_data_o,       // 0 of all other words
  // from the control unit
  input  logic           sm_rst_ni,       // the mmu is reset
  input  logic           runs_i,          // an exchange may begin
  input  logic [31:0]    ended_i,         // launches that have
  // to and from the mmu
  output mmu_pkg::do_t   do_o,
  input  logic           taken_i,         // event: the replay is
  /* verilator lint_off UNUSEDSIGNAL */   // the interrupt and STATUS are host_regs'
  input  mmu_pkg::did_t  did_i
  /* verilator lint_on UNUSEDSIGNAL */
);

  localparam int unsigned AT_W = mmu_pkg::AT_W;

  logic [1:0]                 what_q;
  logic [mmu_pkg::SPACE_W-1:0] space_q;
  logic [48:0]                addr_q;
  logic [39:0]                entry_q;
  logic [63:0]                value_q;
  logic [AT_W-1:0]            at_q;
  logic                       replay_q, fail_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      what_q  <= '0;
      space_q <= '0;
      addr_q  <= '0;
      entry_q <= '0;
      value_q <= '0;
      at_q    <= '0;
    end else if (wr_valid_i) begin
      case (wr_word_i)
        host_regs_pkg::W_TLB_WHAT:       what_q         <= wr_data_i[1:0];
        host_regs_pkg::W_TLB_SPACE:      space_q        <= wr_data_i[7:0];
        host_regs_pkg::W_TLB_ADDR:       addr_q[31:0]   <= wr_data_i;
        host_regs_pkg::W_TLB_ADDR_HI:    addr_q[48:32]  <= wr_data_i[16:0];
        host_regs_pkg::W_ENTRY_ADDR:     entry_q[31:0]  <= wr_data_i;
        host_regs_pkg::W_ENTRY_ADDR_HI:  entry_q[39:32] <= wr_data_i[7:0];
        host_regs_pkg::W_ENTRY_VALUE:    value_q[31:0]  <= wr_data_i;
        host_regs_pkg::W_ENTRY_VALUE_HI: value_q[63:32] <= wr_data_i;
        host_regs_pkg::W_FAULT_SELECT:   at_q           <= wr_data_i[AT_W-1:0];
        default: ;
      endcase
    end
  end

  // ---- events -------------------------------------------------------------------------------------
  logic replay, kept;

  assign replay       = control_i && (wr_data_i[host_regs_pkg::CONTROL_REPLAY] || wr_data_i[host_regs_pkg::CONTROL_FAIL]);
  assign kept         = replay_q && !taken_i;

  // One that comes while another one waits is that one, and a FAIL if either is.
  always_ff @(posedge clk_i) begin
    if (!rst_ni || !sm_rst_ni) replay_q <= 1'b0;
    else                       replay_q <= replay || kept;
    if (replay)                fail_q   <= wr_data_i[host_regs_pkg::CONTROL_FAIL] || (kept && fail_q);
  end

  assign do_o = '{replay: replay_q, fail: fail_q,
    invalidate: control_i && wr_data_i[host_regs_pkg::CONTROL_INVALIDATE] && !did_i.invalidating && sm_rst_ni,
    what: '{all_spaces: what_q[host_regs_pkg::TLB_WHAT_ALL_SPACES], all_pages: what_q[host_regs_pkg::TLB_WHAT_ALL_PAGES],
            space: space_q, page: addr_q[48:12]},
    exchange: control_i && wr_data_i[host_regs_pkg::CONTROL_EXCHANGE] && !did_i.exchanging && runs_i,
    word: entry_q[39:3], value: value_q, at: at_q, ended: ended_i};

  // ---- reading ------------------------------------------------------------------------------------
  logic [31:0] rd_data;

  always_comb begin
    case (rd_word_i)
      host_regs_pkg::W_TLB_WHAT:       rd_data = 32'(what_q);
      host_regs_pkg::W_TLB_SPACE:      rd_data = 32'(space_q);
      host_regs_pkg::W_TLB_ADDR:       rd_data = addr_q[31:0];
      host_regs_pkg::W_TLB_ADDR_HI:    rd_data = 32'(addr_q[48:32]);
      host_regs_pkg::W_ENTRY_ADDR:     rd_data = entry_q[31:0];
      host_regs_pkg::W_ENTRY_ADDR_HI:  rd_data = 32'(entry_q[39:32]);
      host_regs_pkg::W_ENTRY_VALUE:    rd_data = value_q[31:0];
      host_regs_pkg::W_ENTRY_VALUE_HI: rd_data = value_q[63:32];
      host_regs_pkg::W_ENTRY_OLD:      rd_data = did_i.old[31:0];
      host_regs_pkg::W_ENTRY_OLD_HI:   rd_data = did_i.old[63:32];
      host_regs_pkg::W_FAULTS:         rd_data = 32'(did_i.faults);
      host_regs_pkg::W_FAULT_SELECT:   rd_data = 32'(at_q);
      host_regs_pkg::W_FAULT_PAGE:     rd_data = {did_i.fault.page[19:0], 12'd0};
      host_regs_pkg::W_FAULT_PAGE_HI:  rd_data = 32'(did_i.fault.page[mmu_pkg::PAGE_W-1:20]);
      host_regs_pkg::W_FAULT_INFO:     rd_data = {16'd0, did_i.fault.space, 5'd0, did_i.fault.write, did_i.fault.kind};
      default:                         rd_data = '0;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (rd_en_i) rd_data_o <= rd_data;
  end

endmodule
