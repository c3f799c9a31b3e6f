// SPDX-License-Identifier: Apache-2.0
// Memory instructions: a queue, a collector of up to six words, and the output register towards the load/store unit.
// Latency: four cycles from is_valid to op_mem_valid of beat 0 when idle, then a beat a cycle if banks and the unit allow.
// Handshake: op_mem valid/ready, payload held until taken; free_o counts queue entries that issue may still fill.
// Instructions leave in the order in which they came. "Dispatched" is the cycle in which the last beat is taken.
// It does not look at masks: an instruction with an empty mask passes like any other.
`default_nettype none
`include "heddle_assert.svh"

module mem_collector #(
  parameter int unsigned QUEUE = 4,
  localparam int unsigned SLOTS = core_pkg::SLOTS
) (
  input  logic                                                clk_i,
  input  logic                                                rst_ni,
  // from issue
  input  logic                                                is_valid_i,   // a memory instruction
  input  core_pkg::uop_t                                      is_uop_i,
  output logic [3:0]                                          free_o,
  // to and from the bank arbiter
  output logic                                                load_o,       // the collector takes its next instruction
  output logic [cfg_pkg::BANKS-1:0]                           ask_o,
  output logic [cfg_pkg::BANKS-1:0][back_pkg::WREG_W-1:0]     ask_wreg_o,
  output logic [cfg_pkg::BEAT_W-1:0]                         ask_beat_o,
  input  logic [cfg_pkg::BANKS-1:0]                           grant_i,
  input  logic [cfg_pkg::BANKS-1:0][cfg_pkg::LANES-1:0][31:0] bank_data_i,
  // to and from the load/store unit
  output logic                                                op_mem_valid_o,
  input  logic                                                op_mem_ready_i,
  output core_pkg::memop_t                                    op_memop_o,
  output logic [4:0]                                          op_mem_beat_o,
  output logic [SLOTS-1:0][cfg_pkg::LANES-1:0][31:0]          op_mem_data_o,
  // to issue and the retire port, with the beat in the output register
  output logic                                                last_o,
  output logic [2:0]                                          rbar_o,
  output logic [SLOTS-1:0]                                    used_o
);

  localparam int unsigned LANES = cfg_pkg::LANES;

  // What the queue keeps of an instruction.
  typedef struct packed {
    core_pkg::memop_t memop;
    logic [2:0]       rbar;
    logic [SLOTS-1:0] used;
    logic [SLOTS-1:0] need;      // used, and not RZ
    logic [back_pkg::WREG_W-1:0] a, b;
  } entry_t;
  localparam int unsigned COUNT_W = $clog2(QUEUE + 1);

  logic [15:0]                                coff16;
  entry_t                                     in, head, cur, out_q;
  logic                                       head_valid, busy, full, last, take;
  logic                                       in_ready;
  logic [COUNT_W-1:0]                         count;
  logic [SLOTS-1:0][back_pkg::WREG_W-1:0]     wreg;
  logic [SLOTS-1:0][LANES-1:0][31:0]          data, data_q;
  logic [cfg_pkg::BEAT_W-1:0]                beat;
  logic [4:0]                                 beat_q;
  logic                                       valid_q, last_q;
  logic [SLOTS-1:0]                           no_side_ask;   // no side memories here: always zero

  assign coff16 = isa_pkg::f_coff16(is_uop_i.word);

  // Slots of an instruction: a in 0 and 1, b in 2 to 5.
  always_comb begin
    in           = '0;
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
    // Atomics have no size field: one word.
    if (is_uop_i.dec.mem == isa_pkg::MEM_GLOBAL_ATOM || is_uop_i.dec.mem == isa_pkg::MEM_GLOBAL_RED
        || is_uop_i.dec.mem == isa_pkg::MEM_SHARED_ATOM) begin
      in.memop.size = isa_pkg::SIZE_32;
    end
    in.rbar = is_uop_i.dec.rbar;
    for (int unsigned w = 0; w < SLOTS; w++) begin
      if (w < 2) in.used[w] = is_uop_i.dec.a_kind == isa_pkg::SRC_REG && 2'(w) <= is_uop_i.dec.a_n;
      else       in.used[w] = is_uop_i.dec.b_kind == isa_pkg::SRC_REG && 2'(w - 2) <= is_uop_i.dec.b_n;
      in.need[w] = in.used[w] && ((w < 2) ? is_uop_i.dec.a_reg : is_uop_i.dec.b_reg) != isa_pkg::RZ;
    end
    in.a = back_pkg::WREG_W'(is_uop_i.rbase) + back_pkg::WREG_W'(is_uop_i.dec.a_reg);
    in.b = back_pkg::WREG_W'(is_uop_i.rbase) + back_pkg::WREG_W'(is_uop_i.dec.b_reg);
  end

  fifo #(
    .WIDTH ($bits(in)),
    .DEPTH (QUEUE)
  ) u_queue (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (is_valid_i),
    .in_ready_o  (in_ready),
    .in_data_i   (in),
    .out_valid_o (head_valid),
    .out_ready_i (!busy),
    .out_data_o  (head),
    .count_o     (count)
  );

  assign free_o = 4'(QUEUE) - 4'(count);
  assign load_o = head_valid && !busy;

  always_comb begin
    for (int unsigned w = 0; w < SLOTS; w++) begin
      wreg[w] = (w < 2) ? head.a + back_pkg::WREG_W'(w) : head.b + back_pkg::WREG_W'(w - 2);
    end
  end

  collector #(
    .WORDS  (SLOTS),
    .META_W ($bits(in))
  ) u_collector (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .load_i       (load_o),
    .need_i       (head.need),
    .side_i       ('0),
    .wreg_i       (wreg),
    .meta_i       (head),
    .ask_o        (ask_o),
    .ask_wreg_o   (ask_wreg_o),
    .ask_side_o   (no_side_ask),
    .ask_beat_o   (ask_beat_o),
    .grant_i      (grant_i),
    .grant_side_i (no_side_ask),
    .bank_data_i  (bank_data_i),
    .side_data_i  ('0),
    .busy_o       (busy),
    .full_o       (full),
    .beat_o       (beat),
    .last_o       (last),
    .meta_o       (cur),
    .data_o       (data),
    .take_i       (take)
  );

  assign take = full && (!valid_q || op_mem_ready_i);

  always_ff @(posedge clk_i) begin
    if (take) begin
      out_q  <= cur;
      last_q <= last;
      beat_q <= 5'(beat);
      for (int unsigned w = 0; w < SLOTS; w++) data_q[w] <= cur.need[w] ? data[w] : '0;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (take) valid_q <= 1'b1;
    else if (op_mem_ready_i) valid_q <= 1'b0;
  end

  assign op_mem_valid_o = valid_q;
  assign op_memop_o     = out_q.memop;
  assign op_mem_beat_o  = beat_q;
  assign op_mem_data_o  = data_q;
  assign last_o         = last_q;
  assign rbar_o         = out_q.rbar;
  assign used_o         = out_q.used;

  // The queue never overflows: issue counts its free entries.
  `ASSERT(a_room, !is_valid_i || in_ready)

  logic unused;
  assign unused = ^{is_uop_i, out_q};

endmodule

`default_nettype wire
