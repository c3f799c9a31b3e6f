// SPDX-License-Identifier: Apache-2.0
// Instruction buffer: IBUF decoded entries a warp in LUT memory, with the scheduler's flags of each entry in registers.
// Latency: a word pushed in cycle t is a head in t+1; the entry of a warp selected in cycle t stands in t+1.
// Handshake: events; fetch has reserved the room before it asked. A flush wins over a push to the same warp.
// It does not hold PCs: fetch knows where the oldest entry lies.
`default_nettype none
`include "heddle_assert.svh"

module ibuf (
  input  logic                                                    clk_i,
  input  logic                                                    rst_ni,
  input  logic [7:0]                                              fault_i,
  // from the host
  input  logic [8:0]                                              regs_i,
  // from fetch
  input  logic                                                    if_push_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]                              if_push_slot_i,
  input  logic [127:0]                                            if_push_word_i,
  input  logic                                                    if_push_err_i,
  input  logic [cfg_pkg::WARPS-1:0]                               if_flush_i,
  // to the constant prefetch
  output logic                                                    ib_cst_valid_o,   // an entry is pushed
  output logic [cfg_pkg::WARP_W-1:0]                              ib_cst_slot_o,
  output logic [issue_pkg::IDX_W-1:0]                             ib_cst_index_o,
  output logic                                                    ib_cst_need_o,    // and has a constant operand
  output logic [4:0]                                              ib_cst_bank_o,
  output logic [15:0]                                             ib_cst_off_o,
  // to issue
  output logic [cfg_pkg::WARPS-1:0]                               ib_valid_o,
  output logic [cfg_pkg::WARPS-1:0][issue_pkg::HEAD_W-1:0]        ib_head_o,
  output logic [cfg_pkg::WARPS-1:0][issue_pkg::IDX_W-1:0]         ib_index_o,       // place of the head
  output issue_pkg::entry_t                                       ib_entry_o,
  // from issue
  input  logic [cfg_pkg::WARPS-1:0]                               is_sel_i,         // selected: read its head
  input  logic [cfg_pkg::WARP_W-1:0]                              is_s1_slot_i,     // who was selected
  output logic [issue_pkg::IDX_W-1:0]                             ib_s1_index_o,
  input  logic [cfg_pkg::WARPS-1:0]                               is_pop_i
);

  localparam int unsigned WARPS   = cfg_pkg::WARPS;
  localparam int unsigned IBUF    = cfg_pkg::IBUF;
  localparam int unsigned IDX_W   = issue_pkg::IDX_W;
  localparam int unsigned COUNT_W = $clog2(IBUF + 1);
  localparam int unsigned HEAD_W  = issue_pkg::HEAD_W;

  if (IBUF != (1 << $clog2(IBUF))) begin : gen_check
    $error("ibuf: IBUF must be a power of two");
  end

  issue_pkg::entry_t                       entry, stored;
  logic [3:0][8:0]                         last, late_last_q;
  issue_pkg::head_t                        head;
  logic [WARPS-1:0]                        push;
  logic [WARPS-1:0][COUNT_W-1:0]           count_q;
  logic [WARPS-1:0][IDX_W-1:0]             wr_q, rd_q;
  logic [WARPS-1:0][IBUF-1:0][HEAD_W-1:0]  head_q;
  logic [IDX_W-1:0]                        sel_index, s1_index_q;

  predecode u_predecode (
    .fault_i (fault_i),
    .word_i  (if_push_word_i),
    .err_i   (if_push_err_i),
    .entry_o (entry),
    .head_o  (head),
    .last_o  (last)
  );

  always_comb begin
    push = '0;
    if (if_push_valid_i) push[if_push_slot_i] = 1'b1;
  end

  // ---- pointers and flags -------------------------------------------------------------------------------------------------
  function automatic logic [IDX_W-1:0] next(input logic [IDX_W-1:0] index);
    next = (IBUF > 1) ? index + IDX_W'(1) : '0;
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      count_q <= '0;
      wr_q    <= '0;
      rd_q    <= '0;
    end else begin
      for (int unsigned w = 0; w < WARPS; w++) begin
        if (if_flush_i[w]) begin
          count_q[w] <= '0;
          wr_q[w]    <= '0;
          rd_q[w]    <= '0;
        end else begin
          count_q[w] <= count_q[w] + COUNT_W'(push[w]) - COUNT_W'(is_pop_i[w]);
          if (push[w])     wr_q[w] <= next(wr_q[w]);
          if (is_pop_i[w]) rd_q[w] <= next(rd_q[w]);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (push[w]) head_q[w][wr_q[w]] <= head;
    end
  end

  always_comb begin
    for (int unsigned w = 0; w < WARPS; w++) begin
      ib_valid_o[w] = count_q[w] != '0;
      ib_head_o[w]  = head_q[w][rd_q[w]];
    end
  end
  assign ib_index_o = rd_q;

  // ---- storage: the place is latched with the selection -------------------------------------------------------------------
  onehot_mux #(.WIDTH(IDX_W), .N(WARPS)) u_index (
    .sel_i  (is_sel_i),
    .data_i (rd_q),
    .data_o (sel_index)
  );
  always_ff @(posedge clk_i) s1_index_q <= sel_index;
  assign ib_s1_index_o = s1_index_q;

  ram_async #(.WIDTH($bits(entry)), .DEPTH(WARPS << IDX_W)) u_entries (
    .clk_i     (clk_i),
    .wr_en_i   (if_push_valid_i),
    .wr_addr_i ({if_push_slot_i, wr_q[if_push_slot_i]}),
    .wr_data_i (entry),
    .rd_addr_i ({is_s1_slot_i, s1_index_q}),
    .rd_data_o (stored)
  );

  // ---- registers beyond the kernel's count: judged one cycle behind the push, long before the entry is read ----------------
  logic                        late_valid_q, late_beyond;
  logic [cfg_pkg::WARP_W-1:0]  late_slot_q;
  logic [IDX_W-1:0]            late_index_q;
  logic [WARPS-1:0][IBUF-1:0]  beyond_q;

  always_comb begin
    late_beyond = 1'b0;
    for (int unsigned i = 0; i < 4; i++) begin
      if (late_last_q[i][8] && {1'b0, late_last_q[i][7:0]} >= regs_i) late_beyond = 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) late_valid_q <= 1'b0;
    else         late_valid_q <= if_push_valid_i;
  end
  always_ff @(posedge clk_i) begin
    late_last_q  <= last;
    late_slot_q  <= if_push_slot_i;
    late_index_q <= wr_q[if_push_slot_i];
    if (late_valid_q) beyond_q[late_slot_q][late_index_q] <= late_beyond;
  end

  always_comb begin
    ib_entry_o = stored;
    if (beyond_q[is_s1_slot_i][s1_index_q]) ib_entry_o.illegal = 1'b1;
  end

  assign ib_cst_valid_o = if_push_valid_i;
  assign ib_cst_slot_o  = if_push_slot_i;
  assign ib_cst_index_o = wr_q[if_push_slot_i];
  // Legality is not waited for: an illegal word may ask for a constant that nobody uses.
  assign ib_cst_need_o  = entry.dec.b_kind == isa_pkg::SRC_CONST || entry.dec.c_kind == isa_pkg::SRC_CONST;
  assign ib_cst_bank_o  = entry.dec.cbank;
  assign ib_cst_off_o   = {entry.dec.coff[15:2], 2'b00};

  // Fetch never pushes into a full buffer, and issue never pops an empty one.
  logic overflow, underflow;
  always_comb begin
    overflow  = 1'b0;
    underflow = 1'b0;
    for (int unsigned w = 0; w < WARPS; w++) begin
      if (push[w] && count_q[w] == COUNT_W'(IBUF)) overflow = 1'b1;
      if (is_pop_i[w] && count_q[w] == '0) underflow = 1'b1;
    end
  end
  `ASSERT(a_room, !overflow)
  `ASSERT(a_pop, !underflow)

endmodule

`default_nettype wire
