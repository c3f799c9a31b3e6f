// SPDX-License-Identifier: Apache-2.0
// Operand collectors of the load/store unit: COLLECTORS places for instructions whose operands have been read and wait for
// their unit, which takes them when it can. A place holds a row (four words a lane) a beat; an instruction whose data are more
// than two words has two rows a beat and two places.
// Latency: a row taken in cycle t is offered in t+1 (with its other half where there are two).
// Handshake: rows are events, issue has counted the places (op_leave_o gives them back); op_mem valid/ready, held until taken.
// Instructions leave in the order in which they came. It does not look at masks: one with no lane executing passes like any.
`default_nettype none
`include "heddle_assert.svh"

module collectors #(
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BEATS = cfg_pkg::BEATS,
  localparam int unsigned COLL  = cfg_pkg::COLLECTORS,
  localparam int unsigned ROW_W = back_pkg::WORDS * LANES * 32
) (
  input  logic                                        clk_i,
  input  logic                                        rst_ni,
  // from issue: an instruction, before its first row
  input  logic                                        is_new_i,
  input  core_pkg::uop_t                              is_uop_i,
  // from dispatch: a row
  input  logic                                        row_valid_i,
  input  logic [ROW_W-1:0]                            row_i,        // words x, c, b, a
  // to issue: places that an instruction gives back as it leaves
  output logic [1:0]                                  op_leave_o,
  // to and from the load/store unit
  output logic                                        op_mem_valid_o,
  input  logic                                        op_mem_ready_i,
  output core_pkg::memop_t                            op_memop_o,
  output logic [4:0]                                  op_mem_beat_o,
  output logic [core_pkg::SLOTS-1:0][LANES-1:0][31:0] op_mem_data_o
);

  typedef struct packed {
    core_pkg::memop_t memop;
    logic             two;
  } entry_t;

  // ---- what the instruction is: worked out only where one arrives ---------------------------------------------
  entry_t      in, head;
  logic [15:0] coff16;

  assign coff16 = isa_pkg::f_coff16(is_uop_i.word);

  always_comb begin
    in = '0;
    if (is_new_i) begin
      in.two         = core_pkg::two_rows(is_uop_i.dec);
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
      if (is_uop_i.dec.mem == isa_pkg::MEM_CONST_LOAD) in.memop.off = {{8{coff16[15]}}, coff16};
      // Atomics have no size field: their operand says it.
      if (is_uop_i.dec.mem == isa_pkg::MEM_GLOBAL_ATOM || is_uop_i.dec.mem == isa_pkg::MEM_GLOBAL_RED
          || is_uop_i.dec.mem == isa_pkg::MEM_SHARED_ATOM || is_uop_i.dec.mem == isa_pkg::MEM_GENERIC_ATOM) begin
        in.memop.size = (is_uop_i.dec.b_n == 2'd0) ? isa_pkg::SIZE_32 : isa_pkg::SIZE_64;
        in.memop.atom = (is_uop_i.dec.c_kind == isa_pkg::SRC_REG) ? atom_pkg::COMPARE_SWAP : isa_pkg::f_aop(is_uop_i.word);
      end
    end
  end

  // ---- queues ---------------------------------------------------------------------------------------------------
  logic             in_ready, row_ready, head_valid, row_valid, leave, row_take;
  logic [ROW_W-1:0] row;
  logic [$clog2(COLL+1)-1:0]       unused_count;
  logic [$clog2(COLL*BEATS+1)-1:0] unused_rows;

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

  fifo #(
    .WIDTH (ROW_W),
    .DEPTH (COLL * BEATS)
  ) u_rows (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (row_valid_i),
    .in_ready_o  (row_ready),
    .in_data_i   (row_i),
    .out_valid_o (row_valid),
    .out_ready_i (row_take),
    .out_data_o  (row),
    .count_o     (unused_rows)
  );

  // ---- beats out of rows ------------------------------------------------------------------------------------------
  logic [ROW_W-1:0] first_q;    // the first half of a beat of two rows
  logic             half_q, last;
  logic [4:0]       beat_q;

  assign op_mem_valid_o = row_valid && (half_q || !head.two);
  assign row_take       = op_mem_valid_o ? op_mem_ready_i : 1'b1;
  assign last           = beat_q == 5'(BEATS - 1);
  assign leave          = op_mem_valid_o && op_mem_ready_i && last;
  assign op_leave_o     = !leave ? 2'd0 : head.two ? 2'd2 : 2'd1;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      half_q <= 1'b0;
      beat_q <= '0;
    end else begin
      if (row_valid && row_take) half_q <= head.two && !half_q;
      if (op_mem_valid_o && op_mem_ready_i) beat_q <= last ? '0 : beat_q + 5'd1;
    end
  end
  always_ff @(posedge clk_i) begin
    if (row_valid && head.two && !half_q) first_q <= row;
  end

  assign op_memop_o    = head.memop;
  assign op_mem_beat_o = beat_q;
  // Two rows: of the second one only words c, x count.
  assign op_mem_data_o = head.two ? {row[ROW_W-1:ROW_W/2], first_q} : {{(ROW_W/2){1'b0}}, row};

  // Issue has counted the places.
  `ASSERT(a_room, (!is_new_i || in_ready) && (!row_valid_i || row_ready))
  // A row belongs to an instruction.
  `ASSERT(a_entry, !row_valid || head_valid)

  logic unused;
  assign unused = ^{is_uop_i, head_valid};

endmodule

`default_nettype wire
