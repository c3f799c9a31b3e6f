// SPDX-License-Identifier: Apache-2.0
// One page walk: from the root to the page's entry, an eight-byte access for each level, and a compare-and-swap that sets A or D.
// Latency: the first access is requested a cycle after the start, each further one two cycles after the end of the one before.
// The result is there two cycles after the last read, one after a swap.
// Handshake: start_i is an event, with nothing under way; done_o is held until taken; ac_ valid/ready, then parts of the word and an
// end, as events.
// At most four reads: each level once. A swap that fails is repeated: each failure follows a change of the entry by another agent.
// Results are not cached here.
`include "heddle_assert.svh"

module walk_steps (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from mmu_waits
  input  logic                       start_i,
  input  logic [mmu_pkg::PAGE_W-1:0] page_i,
  input  logic                       write_i,
  input  logic [mmu_pkg::ROOT_W-1:0] root_i,
  input  logic [31:0]                number_i,
  output logic                       done_o,
  input  logic                       take_i,
  output mmu_pkg::found_t            found_o,
  // to and from the channel
  output logic                       ac_valid_o,
  input  logic                       ac_ready_i,
  output mmu_pkg::access_t           ac_o,
  input  logic [1:0]                 part_valid_i,  // of the upper, of the lower word
  input  logic [63:0]                part_i,
  input  logic                       end_valid_i,
  input  logic                       end_err_i
);

  typedef enum logic [2:0] {IDLE, ASK, WAIT, JUDGE, DONE} state_e;

  state_e                      state_q;
  logic [mmu_pkg::PAGE_W-1:0]  page_q;
  logic [mmu_pkg::FRAME_W-1:0] table_q;
  logic [31:0]                 number_q;
  logic [63:0]                 entry_q, marked;
  logic [1:0]                  level_q, same_q;
  logic                        write_q, swap_q, fault_q;
  mmu_pkg::kind_e              kind_q;

  // ---- an entry ---------------------------------------------------------------------------------
  logic           leaf, bad, fault, marks;
  mmu_pkg::kind_e kind;

  assign leaf  = entry_q[mmu_pkg::E_L];
  assign bad   = mmu_pkg::malformed(entry_q, level_q);
  assign fault = !entry_q[mmu_pkg::E_P] || bad || (leaf && write_q && !entry_q[mmu_pkg::E_W]);
  assign kind  = !entry_q[mmu_pkg::E_P] ? mmu_pkg::ABSENT : bad ? mmu_pkg::MALFORMED : mmu_pkg::PROTECTED;
  assign marks = !entry_q[mmu_pkg::E_A] || (write_q && !entry_q[mmu_pkg::E_D]);
  always_comb begin
    marked               = entry_q;
    marked[mmu_pkg::E_A] = 1'b1;
    marked[mmu_pkg::E_D] = entry_q[mmu_pkg::E_D] || write_q;
  end

  // ---- its address ----------------------------------------------------------------------------------
  logic [8:0] index;
  logic       tenth;     // the table of level 3 has twice as many entries
  always_comb begin
    tenth = 1'b0;
    unique case (level_q)
      2'd3: {tenth, index} = page_q[36:27];
      2'd2: index = page_q[26:18];
      2'd1: index = page_q[17:9];
      2'd0: index = page_q[8:0];
    endcase
  end

  assign ac_valid_o = state_q == ASK;
  assign ac_o       = '{what: swap_q ? mmu_pkg::SWAP : mmu_pkg::READ, word: {table_q[27:1], table_q[0] | tenth, index},
    b: entry_q, c: marked, level: level_q, number: number_q};

  // ---- steps ------------------------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= IDLE;
    end else begin
      unique case (state_q)
        IDLE:    if (start_i) state_q <= ASK;
        ASK:     if (ac_ready_i) state_q <= WAIT;
        WAIT:    if (end_valid_i) state_q <= (end_err_i || (swap_q && same_q == '1)) ? DONE : JUDGE;
        JUDGE:   state_q <= (fault || (leaf && !marks)) ? DONE : ASK;
        default: if (take_i) state_q <= IDLE;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      page_q   <= page_i;
      write_q  <= write_i;
      number_q <= number_i;
      table_q  <= {root_i, 1'b0};
      level_q  <= 2'd3;
      swap_q   <= 1'b0;
      fault_q  <= 1'b0;
    end
    for (int unsigned i = 0; i < 2; i++) begin
      if (part_valid_i[i]) begin
        entry_q[32*i +: 32] <= part_i[32*i +: 32];
        same_q[i]           <= part_i[32*i +: 32] == entry_q[32*i +: 32];
      end
    end
    if (state_q == WAIT && end_valid_i) begin
      fault_q <= end_err_i;
      kind_q  <= mmu_pkg::ERROR;
      if (swap_q && same_q == '1) entry_q <= marked;
    end
    if (state_q == JUDGE) begin
      fault_q <= fault;
      kind_q  <= kind;
      swap_q  <= !fault && leaf;
      if (!fault && !leaf) begin
        table_q <= entry_q[39:12];
        level_q <= level_q - 2'd1;
      end
    end
  end

  assign done_o  = state_q == DONE;
  assign found_o = '{fault: fault_q, kind: kind_q, leaf: '{frame: entry_q[39:12], big: level_q == 2'd1, shared: entry_q[mmu_pkg::E_G],
    stores: entry_q[mmu_pkg::E_W] && entry_q[mmu_pkg::E_D]}};

  // One walk at a time.
  `ASSERT_IF(a_start, start_i, state_q == IDLE)
  // A part or an end has its access.
  `ASSERT_IF(a_wait, end_valid_i || part_valid_i != '0, state_q == WAIT)
  // Only a usable entry is changed.
  `ASSERT_IF(a_swap, ac_valid_o && swap_q, leaf && !fault && marks)

endmodule
