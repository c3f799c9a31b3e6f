// SPDX-License-Identifier: Apache-2.0
// The end of the load/store unit: register rows, ends of instructions and traps of all pipes pass
// one register and leave on the late-result channel; bytes and halves of words are moved down and extended before it.
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
  mem_pkg::result_t                 pick;
  mem_pkg::bytes_t                  bytes;
  logic [cfg_pkg::LSU_LANES-1:0][31:0] data;
  logic [cfg_pkg::LSU_LANES-1:0][31:0] data_q;
  logic                             valid_q, free, take, leave;

  // The result in the register; what only a trap needs stands in ls_trap_o.
  core_pkg::id_t                    id_q;
  logic [7:0]                       rd_q;
  logic [1:0]                       rd_n_q, word_q;
  logic [2:0]                       wbar_q;
  logic [15:0]                      rbase_q;
  logic [cfg_pkg::LSU_LANES-1:0]    mask_q;
  logic [4:0]                       beat_q;
  logic                             row_q, last_q, trap_q, has_rd_q, uni_q;

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
      if (index[1]) begin
        if (index[0]) {pick, bytes, data} = {in_result_i[3], in_bytes_i[3], in_data_i[3]};
        else          {pick, bytes, data} = {in_result_i[2], in_bytes_i[2], in_data_i[2]};
      end else begin
        if (index[0]) {pick, bytes, data} = {in_result_i[1], in_bytes_i[1], in_data_i[1]};
        else          {pick, bytes, data} = {in_result_i[0], in_bytes_i[0], in_data_i[0]};
      end
      if (`HEDDLE_LIVE(mem_pkg::size_mask(bytes.size) < 4'd3)) begin
        for (int unsigned l = 0; l < cfg_pkg::LSU_LANES; l++) data[l] = mem_pkg::extend(bytes.size, bytes.sub[l], data[l]);
      end
      data_q   <= data;
      id_q     <= pick.who.id;
      rd_q     <= pick.who.rd;
      rd_n_q   <= pick.who.rd_n;
      wbar_q   <= pick.who.wbar;
      rbase_q  <= pick.who.rbase;
      has_rd_q <= pick.who.has_rd;
      row_q    <= pick.row_en;
      beat_q   <= pick.beat;
      mask_q   <= pick.mask;
      uni_q    <= pick.uni;
      word_q   <= pick.word;
      last_q   <= pick.last;
      trap_q   <= pick.trap;
      // Taken whether it is a row or a trap, which is known last.
      ls_trap_o.cause <= pick.cause;
      ls_trap_o.id    <= pick.who.id;
      ls_trap_o.pc    <= pick.pc;
      ls_trap_o.lanes <= pick.lanes;
      ls_trap_o.addr  <= pick.addr;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)            valid_q <= 1'b0;
    else if (leave || take) valid_q <= take;
  end

  assign ls_late_valid_o  = valid_q;
  assign ls_late_o.id     = id_q;
  assign ls_late_o.uni    = uni_q;
  assign ls_late_o.kind   = row_q ? core_pkg::LATE_ROW : core_pkg::LATE_NONE;
  assign ls_late_o.rbase  = rbase_q;
  assign ls_late_o.word   = word_q;
  assign ls_late_o.row    = beat_q;
  assign ls_late_o.last   = last_q;
  assign ls_late_o.wbar   = wbar_q;
  assign ls_late_o.has_rd = has_rd_q;
  assign ls_late_o.rd     = rd_q;
  assign ls_late_o.rd_n   = rd_n_q;
  assign ls_late_o.mask   = mask_q;
  assign ls_late_o.data   = data_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ls_trap_valid_o <= 1'b0;
    else         ls_trap_valid_o <= leave && last_q && trap_q;
  end

  // A trap takes no effect: its instruction has no row.
  `ASSERT(a_trap, !valid_q || !trap_q || (last_q && !row_q))

  assign idle_o = !valid_q && !ls_trap_valid_o;

endmodule

`default_nettype wire
