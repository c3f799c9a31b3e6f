// SPDX-License-Identifier: Apache-2.0
// Operand collectors of units whose latency varies: COLLECTORS places for instructions whose operands have been read and wait
// for their unit (the load/store unit, or one of the partition's), which takes them when it can. A place holds a row (four
// words a lane) a beat; an instruction with more operand words (kind_pkg::last_row) has two or three rows a beat and as many places.
// Rows lie in block RAM, which is written while their words are on the way to the bus, and read while they stand on it.
// Latency: a row on the bus in cycle t is offered in t+1 (with its other half where there are two).
// Handshake: rows are events, issue has counted the places (op_leave_o gives them back); op_mem and op_var valid/ready, held
// until taken, at most one of them valid.
// Instructions leave in the order in which they came, whatever their unit. It does not look at masks: one with no lane executing
// passes like any.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module collectors #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BEATS = cfg_pkg::BEATS,
  localparam int unsigned COLL  = cfg_pkg::COLLECTORS,
  localparam int unsigned UNITS = kind_pkg::UNITS,
  localparam int unsigned SLOTS = core_pkg::SLOTS,
  localparam int unsigned ROW_W = back_pkg::WORDS * LANES * 32
) (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // from issue: an instruction, before its first row
  input  logic                                        is_new_i,
  input  core_pkg::uop_t                              is_uop_i,
  input  logic [core_pkg::VAR_CTL_W-1:0]              var_ctl_i,    // of a unit of the partition: what to do
  // from dispatch: words x, c, b, a on their way to the bus, an early one before the others; and a row of them that stands there
  input  logic [back_pkg::WORDS-1:0]                  ds_we_i,
  input  logic [ROW_W-1:0]                            ds_row_i,
  input  logic                                        row_valid_i,
  // to issue: places that an instruction gives back as it leaves
  output logic [1:0]                                  op_leave_o,
  // to and from the load/store unit
  output bus_pkg::mem_beat_t                          op_mem_o,
  input  logic                                        op_mem_ready_i,
  // to and from the units of the partition
  output bus_pkg::unit_beat_t                         op_var_o,
  input  logic [UNITS-1:0]                            op_var_ready_i
);

  // Instructions of memory and of the partition's units share the fields of one entry: where the first have pc, off and atom,
  // the others have ps0, ctl and the predicates; `pair`: their results are uniform. Both are known by `unit`: none of the
  // partition's is memory.
  typedef struct packed {
    logic [UNITS-1:0] unit;
    logic [1:0]       last_row;
    logic             c_near;      // c stands where a's second word would
    core_pkg::memop_t memop;
  } entry_t;

  // ---- what the instruction is: worked out only where one arrives ---------------------------------------------
  entry_t      in, head;
  logic [15:0] coff16;

  // LDSM: eight lanes give the addresses of each matrix.
  function automatic logic [31:0] matrix_lanes(logic [1:0] rd_n);
    matrix_lanes = {{16{rd_n[1]}}, {8{rd_n[0]}}, 8'hff};
  endfunction

  assign coff16 = isa_pkg::f_coff16(is_uop_i.word);

  always_comb begin
    in = '0;
    if (`HEDDLE_LIVE(is_new_i)) begin
      in.unit        = kind_pkg::late_unit(is_uop_i.dec.unit);
      in.last_row    = kind_pkg::last_row(is_uop_i.dec);
      in.c_near      = kind_pkg::near_c(is_uop_i.dec);
      in.memop.id    = is_uop_i.id;
      in.memop.pc    = is_uop_i.pc;
      in.memop.mem   = is_uop_i.dec.mem;
      in.memop.size  = isa_pkg::f_size(is_uop_i.word);
      in.memop.off   = isa_pkg::f_off24(is_uop_i.word);
      in.memop.cbank = isa_pkg::f_cbank(is_uop_i.word);
      in.memop.rd    = is_uop_i.dec.has_rd ? is_uop_i.dec.rd : isa_pkg::RZ;
      in.memop.rd_n  = is_uop_i.dec.rd_n;
      in.memop.wbar  = is_uop_i.dec.wbar;
      in.memop.exec  = is_uop_i.exec;
      in.memop.rbase = is_uop_i.rbase;
      // For whom a load must be in order: where there is a cache.
      if (l1_pkg::THERE && is_uop_i.dec.mem != isa_pkg::MEM_CONST_LOAD) begin
        in.memop.cbank = (is_uop_i.dec.mem == isa_pkg::MEM_GLOBAL_LOAD || is_uop_i.dec.mem == isa_pkg::MEM_GENERIC_LOAD)
          ? 5'(isa_pkg::f_strong(is_uop_i.word)) : 5'd0;
      end
      if (is_uop_i.dec.mem == isa_pkg::MEM_CONST_LOAD) in.memop.off = {{8{coff16[15]}}, coff16};
      if (kind_pkg::uniform_load(is_uop_i.dec)) begin
        in.memop.size    = (is_uop_i.dec.rd_n == 2'd0) ? isa_pkg::SIZE_32 : isa_pkg::SIZE_64;
        in.memop.atom[0] = 1'b1;
      end
      // Atomics have no size field: their operand says it.
      if (is_uop_i.dec.mem == isa_pkg::MEM_GLOBAL_ATOM || is_uop_i.dec.mem == isa_pkg::MEM_GLOBAL_RED
          || is_uop_i.dec.mem == isa_pkg::MEM_SHARED_ATOM || is_uop_i.dec.mem == isa_pkg::MEM_GENERIC_ATOM) begin
        in.memop.size = (is_uop_i.dec.b_n == 2'd0) ? isa_pkg::SIZE_32 : isa_pkg::SIZE_64;
        in.memop.atom = (is_uop_i.dec.c_kind == isa_pkg::SRC_REG) ? atom_pkg::COMPARE_SWAP : isa_pkg::f_aop(is_uop_i.word);
      end
      if (is_uop_i.dec.op == isa_pkg::OP_LDSM_16) begin
        in.memop.size = isa_pkg::SIZE_128;
        in.memop.atom = (isa_pkg::f_trans(is_uop_i.word) == isa_pkg::TRANS_MT88) ? core_pkg::MATRIX_TURNED : core_pkg::MATRIX;
        in.memop.exec = is_uop_i.exec & matrix_lanes(is_uop_i.dec.rd_n);
      end
      if (kind_pkg::is_copy(is_uop_i.dec)) begin
        in.memop.mem  = isa_pkg::MEM_GLOBAL_COPY;
        in.memop.rd   = core_pkg::COPY_RD;
        in.memop.rd_n = (in.memop.size == isa_pkg::SIZE_128) ? 2'd3 : (in.memop.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;
        if (is_uop_i.dec.op == isa_pkg::OP_LDGDEPBAR) begin
          in.memop.size = isa_pkg::SIZE_32;
          in.memop.rd_n = 2'd0;
          in.memop.atom = core_pkg::GROUP;
          in.memop.exec = '0;
        end
      end
      if (in.unit != '0) begin
        in.memop.pc   = is_uop_i.ps0;
        in.memop.off  = var_ctl_i;
        in.memop.pair = cfg_pkg::HAS_UNI && (is_uop_i.dec.rd_uni || is_uop_i.dec.pd_uni);
        in.memop.atom = {is_uop_i.dec.has_pd1 ? is_uop_i.dec.pd1 : isa_pkg::PT,
                         is_uop_i.dec.has_pd0 ? is_uop_i.dec.pd0 : isa_pkg::PT};
      end
    end
  end

  // ---- queues ---------------------------------------------------------------------------------------------------
  localparam int unsigned ROWS   = COLL * BEATS;
  localparam int unsigned ADDR_W = (ROWS > 1) ? $clog2(ROWS) : 1;

  logic             in_ready, head_valid, row_valid, offer, taken, leave, row_take;
  logic [ROW_W-1:0] row;
  logic [$clog2(COLL+1)-1:0]       unused_count;

  fifo #(
    .WIDTH ($bits(in)),
    .DEPTH (COLL)
  ) u_entries (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (is_new_i),
    .in_ready_o  (in_ready),
    .in_data_i   (in),
    .out_valid_o (head_valid),
    .out_ready_i (leave),
    .out_data_o  (head),
    .count_o     (unused_count)
  );

  // Rows but for the one that is shown, which is the memory's output. Words go to the place after the rows that are there, as they
  // go to the bus: who stands on the bus is one of these already.
  logic [ADDR_W-1:0]         wr_q, wr_next, rd_q;
  logic [$clog2(ROWS+1)-1:0] rows_q;
  logic                      row_valid_q, fetch;

  assign wr_next   = wr_q + ADDR_W'(row_valid_i);
  assign fetch     = (row_valid_i || rows_q != '0) && (!row_valid_q || row_take);
  assign row_valid = row_valid_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q        <= '0;
      rd_q        <= '0;
      rows_q      <= '0;
      row_valid_q <= 1'b0;
    end else begin
      wr_q        <= wr_next;
      rd_q        <= rd_q + ADDR_W'(fetch);
      row_valid_q <= fetch || (row_valid_q && !row_take);
      if (row_valid_i && !fetch)      rows_q <= rows_q + 1'b1;
      else if (fetch && !row_valid_i) rows_q <= rows_q - 1'b1;
    end
  end

  // Where a second row has no words a, b that count, those of the first one stay at the memory's output.
  localparam int unsigned HALF_W = ROW_W / 2;
  logic [1:0] row_q;   // of the beat, which row is shown
  logic       fetch_ab;
  assign fetch_ab = fetch && (core_pkg::HAS_QUADS || (row_valid_q ? offer : row_q == '0));

  ram_apart #(
    .WIDTH (HALF_W),
    .DEPTH (1 << ADDR_W),
    .PARTS (2)
  ) u_ab (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ds_we_i[1:0]),
    .wr_addr_i (wr_next),
    .wr_data_i (ds_row_i[HALF_W-1:0]),
    .rd_en_i   (fetch_ab),
    .rd_addr_i (rd_q),
    .rd_data_o (row[HALF_W-1:0])
  );
  ram_apart #(
    .WIDTH (HALF_W),
    .DEPTH (1 << ADDR_W),
    .PARTS (2)
  ) u_cx (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ds_we_i[3:2]),
    .wr_addr_i (wr_next),
    .wr_data_i (ds_row_i[ROW_W-1:HALF_W]),
    .rd_en_i   (fetch),
    .rd_addr_i (rd_q),
    .rd_data_o (row[ROW_W-1:HALF_W])
  );

  // Words c, x of the first row of the beat, kept while a second one stands at the output.
  logic [HALF_W-1:0] first, first_q;
  always_ff @(posedge clk_i) begin
    if (row_valid && !offer && row_q == '0) first_q <= row[ROW_W-1:HALF_W];
  end
  assign first = (head.last_row != '0) ? first_q : row[ROW_W-1:HALF_W];

  // ---- beats out of rows ------------------------------------------------------------------------------------------
  logic              last;
  logic [4:0]        beat_q;

  assign offer          = row_valid && row_q == head.last_row;
  assign op_mem_o.valid = offer && head.unit == '0;
  assign op_var_o.valid = offer ? head.unit : '0;
  assign taken          = (op_mem_o.valid && op_mem_ready_i) || (op_var_o.valid & op_var_ready_i) != '0;
  assign row_take       = taken || !offer;
  assign last           = beat_q == 5'(BEATS - 1);
  assign leave          = taken && last;
  assign op_leave_o     = !leave ? 2'd0 : head.last_row + 2'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      row_q  <= '0;
      beat_q <= '0;
    end else begin
      if (row_valid && row_take) row_q <= offer ? '0 : row_q + 2'd1;
      if (taken) beat_q <= last ? '0 : beat_q + 5'd1;
    end
  end

  assign op_mem_o.op   = head.memop;
  assign op_mem_o.beat = beat_q;
  assign op_var_o.beat = beat_q;
  always_comb begin
    op_var_o.op.id    = head.memop.id;
    op_var_o.op.ctl   = head.memop.off;
    op_var_o.op.exec  = head.memop.exec;
    op_var_o.op.ps0   = head.memop.pc;
    op_var_o.op.uni   = head.memop.pair;
    op_var_o.op.rd    = head.memop.rd;
    op_var_o.op.rd_n  = head.memop.rd_n;
    op_var_o.op.pd0   = head.memop.atom[2:0];
    op_var_o.op.pd1   = head.memop.atom[5:3];
    op_var_o.op.wbar  = head.memop.wbar;
    op_var_o.op.rbase = head.memop.rbase;
  end

  // Two rows: of the second one words c, x are c, words a, b (of matrices) more of a. Of the third one only c, x count.
  localparam int unsigned WORD_W = LANES * 32;
  logic [HALF_W-1:0]                 first_ab;
  logic [ROW_W-1:0]                  second;     // of one row c, x mean nothing to memory
  logic [SLOTS-1:0][LANES-1:0][31:0] slots;
  always_comb begin
    slots      = '0;
    slots[1:0] = first_ab;
    slots[3:2] = first;
    slots[5:4] = second[ROW_W-1:HALF_W];
    if (core_pkg::HAS_QUADS && head.last_row != '0) begin
      slots[SLOTS-3 -: 2] = second[HALF_W-1:0];
      slots[SLOTS-1 -: 2] = row[ROW_W-1:HALF_W];
    end
  end
  assign op_mem_o.data = slots[core_pkg::MEM_SLOTS-1:0];

  if (core_pkg::HAS_QUADS) begin : gen_three
    logic [ROW_W-1:0]  second_q;
    logic [HALF_W-1:0] first_ab_q;
    assign first_ab = (head.last_row != '0) ? first_ab_q : row[HALF_W-1:0];
    always_ff @(posedge clk_i) begin
      if (row_valid && !offer && row_q == '0) first_ab_q <= row[HALF_W-1:0];
      if (row_valid && !offer && row_q == 2'd1) second_q <= row;
    end
    assign second = head.last_row[1] ? second_q : row;
  end else begin : gen_two
    assign second   = row;
    assign first_ab = row[HALF_W-1:0];
  end

  // Of units of the partition a near c takes its own slot. Without units whose instructions have two rows theirs are the row that
  // is here.
  if (cfg_pkg::HAS_FP64 || cfg_pkg::HAS_TENSOR) begin : gen_var_rows
    always_comb begin
      op_var_o.data      = slots;
      op_var_o.data[5:4] = slots[5:4] & {HALF_W{head.last_row != '0}};
      if (head.c_near) op_var_o.data[4] = row[WORD_W +: WORD_W];
    end
  end else begin : gen_var_row
    always_comb begin
      op_var_o.data      = '0;
      op_var_o.data[3:0] = row;
      op_var_o.data[4]   = row[WORD_W +: WORD_W];
    end
    `ASSERT_IF(a_var_row, op_var_o.valid != '0, head.last_row == '0)
  end
  if (core_pkg::HAS_QUADS && COLL < 3) begin : gen_check
    $error("collectors: a matrix instruction takes three places");
  end

  // Issue has counted the places.
  `ASSERT(a_room, (!is_new_i || in_ready) && (!row_valid_i || 32'(rows_q) + 32'(row_valid) < ROWS + 32'(row_take)))
  // A row belongs to an instruction.
  `ASSERT(a_entry, !row_valid || head_valid)

  logic unused;
  assign unused = ^{is_uop_i, head_valid, head.c_near, second};

endmodule

`default_nettype wire
