// SPDX-License-Identifier: Apache-2.0
// The end of the load/store unit: register rows, ends of instructions and traps of all pipes pass
// one register and leave on the late-result channel; bytes and halves of words are moved down and extended behind it. What chooses
// nothing there is kept by source (`chosen`).
// Latency: one cycle to ls_late; ls_trap one cycle after its instruction's end was taken. One
// result every cycle.
// Handshake: valid/ready from the pipes (round robin) and to the partitions; ls_trap is an event.
// Behind a trap nothing is taken for a cycle, since its report stands in the registers that ls_trap
// shows.
// It does not merge rows. Every instruction has exactly one end; a trap's has no row.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module lsu_out #(
  parameter  logic [3:0]  TRAPS   = '1,   // sources that report any
  localparam int unsigned SOURCES = 4
) (
  input  logic                                   clk_i,
  input  logic                                   rst_ni,
  // from the pipes
  input  logic [SOURCES-1:0]                     in_valid_i,
  output logic [SOURCES-1:0]                     in_ready_o,
  input  logic [SOURCES-1:0][mem_pkg::RESULT_W-1:0] in_result_i,   // mem_pkg::result_t each
  input  logic [SOURCES-1:0][cfg_pkg::LSU_LANES-1:0][31:0] in_data_i,
  input  logic [SOURCES-1:0][mem_pkg::BYTES_W-1:0] in_bytes_i,     // mem_pkg::bytes_t each
  // to the partitions
  output logic                                   ls_late_valid_o,
  input  logic                                   ls_late_ready_i,
  output core_pkg::late_t                        ls_late_o,
  output logic                                   ls_trap_valid_o,
  output core_pkg::trap_t                        ls_trap_o,
  // to mem_top
  output logic                                   idle_o
);

  localparam int unsigned INDEX_W = $clog2(SOURCES);

  logic [SOURCES-1:0]               grant;
  logic [INDEX_W-1:0]               index;
  /* verilator lint_off UNUSEDSIGNAL */   // most of it goes another way
  mem_pkg::result_t                 pick, result;
  /* verilator lint_on UNUSEDSIGNAL */
  logic                             valid_q, free, take, leave;

  // The result in the register: what says where a row goes; the rest of it; and what only a trap needs, which is ls_trap_o.
  logic [7:0]                       rd_q;
  logic [1:0]                       word_q;
  logic [15:0]                      rbase_q;
  logic [cfg_pkg::LSU_LANES-1:0]    mask_q;
  logic                             row_q, last_q, trap_q, uni_q;

  typedef struct packed {
    core_pkg::id_t                       id;
    logic [4:0]                          beat;
    logic [2:0]                          wbar;
    logic                                has_rd;
    logic [1:0]                          rd_n;
    mem_pkg::bytes_t                     bytes;
    logic [cfg_pkg::LSU_LANES-1:0][31:0] data;
  } rest_t;

  rest_t [SOURCES-1:0]                 rest;
  rest_t                               rest_q;
  core_pkg::trap_t [SOURCES-1:0]       traps;
  logic [cfg_pkg::LSU_LANES-1:0][31:0] data;

  arb_rr #(.N(SOURCES)) u_arb (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .req_i   (in_valid_i),
    .grant_o (grant),
    .take_i  (free)
  );

  onehot_index #(.N(SOURCES)) u_index (
    .onehot_i (grant),
    .index_o  (index)
  );

  assign leave      = valid_q && ls_late_ready_i;
  assign free       = !valid_q || (leave && !trap_q);
  assign take       = free && in_valid_i != '0;
  assign in_ready_o = free ? grant : '0;

  always_ff @(posedge clk_i) begin
    if (take) begin
      // By cases: a simulator forms none of the others. By one bit of the number after the other: that is a slice's own choice.
      if (index[1]) pick = index[0] ? in_result_i[3] : in_result_i[2];
      else          pick = index[0] ? in_result_i[1] : in_result_i[0];
      rd_q     <= pick.who.rd;
      rbase_q  <= pick.who.rbase;
      row_q    <= pick.row_en;
      mask_q   <= pick.mask;
      uni_q    <= pick.uni;
      word_q   <= pick.word;
      last_q   <= pick.last;
      trap_q   <= pick.trap;
    end
  end

  always_comb begin
    {rest, traps, result} = 'x;
    if (`HEDDLE_LIVE(take)) begin
      for (int unsigned s = 0; s < SOURCES; s++) begin
        result   = in_result_i[s];
        rest[s]  = '{id: result.who.id, beat: result.beat, wbar: result.who.wbar, has_rd: result.who.has_rd, rd_n: result.who.rd_n,
                     bytes: in_bytes_i[s], data: in_data_i[s]};
        traps[s] = TRAPS[s] ? '{cause: result.cause, id: result.who.id, pc: result.pc, lanes: result.lanes, addr: result.addr} : '0;
      end
    end
  end

  chosen #(.WIDTH($bits(rest_t)), .N(SOURCES)) u_rest (
    .clk_i  (clk_i),
    .take_i (take),
    .sel_i  (grant),
    .data_i (rest),
    .data_o (rest_q)
  );

  // Taken whether it is a row or a trap, which is known last.
  chosen #(.WIDTH($bits(core_pkg::trap_t)), .N(SOURCES)) u_trap (
    .clk_i  (clk_i),
    .take_i (take),
    .sel_i  (grant),
    .data_i (traps),
    .data_o (ls_trap_o)
  );

  always_comb begin
    data = rest_q.data;
    if (`HEDDLE_LIVE(valid_q && mem_pkg::size_mask(rest_q.bytes.size) < 4'd3)) begin
      for (int unsigned l = 0; l < cfg_pkg::LSU_LANES; l++) data[l] = mem_pkg::extend(rest_q.bytes.size, rest_q.bytes.sub[l], data[l]);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)            valid_q <= 1'b0;
    else if (leave || take) valid_q <= take;
  end

  assign ls_late_valid_o  = valid_q;
  assign ls_late_o.id     = rest_q.id;
  assign ls_late_o.uni    = uni_q;
  assign ls_late_o.kind   = row_q ? core_pkg::LATE_ROW : core_pkg::LATE_NONE;
  assign ls_late_o.rbase  = rbase_q;
  assign ls_late_o.word   = word_q;
  assign ls_late_o.row    = rest_q.beat;
  assign ls_late_o.last   = last_q;
  assign ls_late_o.wbar   = rest_q.wbar;
  assign ls_late_o.has_rd = rest_q.has_rd;
  assign ls_late_o.rd     = rd_q;
  assign ls_late_o.rd_n   = rest_q.rd_n;
  assign ls_late_o.mask   = mask_q;
  assign ls_late_o.data   = data;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ls_trap_valid_o <= 1'b0;
    else         ls_trap_valid_o <= leave && last_q && trap_q;
  end

  // Whole words begin at their first byte: as built, bytes are chosen by where a word lies, whatever its size.
  function automatic logic begins(logic [cfg_pkg::LSU_LANES-1:0] mask, logic [cfg_pkg::LSU_LANES-1:0][1:0] sub);
    begins = 1'b1;
    for (int unsigned l = 0; l < cfg_pkg::LSU_LANES; l++) begins = begins && (!mask[l] || sub[l] == '0);
  endfunction
  `ASSERT_IF(a_begins, valid_q && row_q && mem_pkg::size_mask(rest_q.bytes.size) >= 4'd3, begins(mask_q, rest_q.bytes.sub))

  // A trap takes no effect: its instruction has no row.
  `ASSERT(a_trap, !valid_q || !trap_q || (last_q && !row_q))

  assign idle_o = !valid_q && !ls_trap_valid_o;

endmodule

`default_nettype wire
