// SPDX-License-Identifier: Apache-2.0
// The end of the load/store unit: register rows, ends of instructions and traps of all pipes pass
// one register and leave on the late-result channel; bytes and halves of words are moved down and extended behind it. Where a row
// goes is selected before the register, since writeback begins with it; the rest behind it (lib/ecp5/chosen), which takes less.
// Latency: one cycle to ls_late; ls_trap one cycle after its instruction's end was taken. One
// result every cycle.
// Handshake: valid/ready from the pipes (round robin) and to the partitions; ls_trap is an event.
// Behind a trap nothing is taken for a cycle, since its report stands in the registers that ls_trap
// shows.
// It does not merge rows. Every instruction has exactly one end; a trap's has no row.
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
  output core_pkg::trap_t                        ls_trap_o
);

  localparam int unsigned INDEX_W = $clog2(SOURCES);

  logic [SOURCES-1:0]               grant;
  logic [INDEX_W-1:0]               index;
  mem_pkg::result_t                 result;
  logic                             valid_q, free, take, leave;

  // The result in the register: where a row goes, which others wait for; the rest of it; and what only a trap needs, which is
  // ls_trap_o.
  typedef struct packed {
    logic [7:0]                          rd;
    logic [15:0]                         rbase;
    logic [1:0]                          word;
    logic [cfg_pkg::LSU_LANES-1:0]       mask;
    logic                                row_en;
    logic                                uni;
    logic                                last;
    logic                                trap;
  } where_t;

  typedef struct packed {
    core_pkg::id_t                       id;
    logic [4:0]                          beat;
    logic [2:0]                          wbar;
    logic                                has_rd;
    logic [1:0]                          rd_n;
    mem_pkg::bytes_t                     bytes;
    logic [cfg_pkg::LSU_LANES-1:0][31:0] data;
  } rest_t;

  where_t [SOURCES-1:0]                where;
  where_t                              where_taken, where_q;
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
  assign free       = !valid_q || (leave && !where_q.trap);
  assign take       = free && in_valid_i != '0;
  assign in_ready_o = free ? grant : '0;

  // The words of each source, in three parts.
  always_comb begin
    {where, rest, traps, result} = 'x;
    if (`HEDDLE_LIVE(take)) begin
      for (int unsigned s = 0; s < SOURCES; s++) begin
        result   = in_result_i[s];
        where[s] = '{rd: result.who.rd, rbase: result.who.rbase, word: result.word, mask: result.mask, row_en: result.row_en,
                     uni: result.uni, last: result.last, trap: result.trap};
        rest[s]  = '{id: result.who.id, beat: result.beat, wbar: result.who.wbar, has_rd: result.who.has_rd, rd_n: result.who.rd_n,
                     bytes: in_bytes_i[s], data: in_data_i[s]};
        traps[s] = TRAPS[s] ? '{cause: result.cause, id: result.who.id, pc: result.pc, lanes: result.lanes, addr: result.addr} : '0;
      end
    end
  end

  choice #(.WIDTH($bits(where_t)), .N(SOURCES)) u_where (
    .live_i (take),
    .sel_i  (index),
    .data_i (where),
    .also_i ('0),
    .data_o (where_taken)
  );
  always_ff @(posedge clk_i) begin
    if (take) where_q <= where_taken;
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
  assign ls_late_o.mask   = where_q.mask;
  assign ls_late_o.data   = data;
  always_comb begin
    ls_late_o.tag.id    = rest_q.id;
    ls_late_o.tag.to    = '{uni: where_q.uni, has_rd: rest_q.has_rd, rd: where_q.rd, rd_n: rest_q.rd_n,
                            pd0: isa_pkg::PT, pd1: isa_pkg::PT, wbar: rest_q.wbar};
    ls_late_o.tag.rbase = where_q.rbase;
    ls_late_o.tag.row   = where_q.row_en;
    ls_late_o.tag.pred  = 1'b0;
    ls_late_o.tag.last  = where_q.last;
    ls_late_o.tag.word  = where_q.word;
    ls_late_o.tag.beat  = rest_q.beat;
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) ls_trap_valid_o <= 1'b0;
    else         ls_trap_valid_o <= leave && where_q.last && where_q.trap;
  end

  // Whole words begin at their first byte: as built, bytes are chosen by where a word lies, of any size.
  function automatic logic begins(logic [cfg_pkg::LSU_LANES-1:0] mask, logic [cfg_pkg::LSU_LANES-1:0][1:0] sub);
    begins = 1'b1;
    for (int unsigned l = 0; l < cfg_pkg::LSU_LANES; l++) begins = begins && (!mask[l] || sub[l] == '0);
  endfunction
  `ASSERT_IF(a_begins, valid_q && where_q.row_en && mem_pkg::size_mask(rest_q.bytes.size) >= 4'd3, begins(where_q.mask, rest_q.bytes.sub))

  // A trap takes no effect: its instruction has no row.
  `ASSERT(a_trap, !valid_q || !where_q.trap || (where_q.last && !where_q.row_en))

endmodule
