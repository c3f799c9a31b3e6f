// SPDX-License-Identifier: Apache-2.0
// Memory instructions: a queue, whose head reads up to six words a beat into the register towards the load/store unit.
// Latency: three cycles from is_valid to op_mem_valid of beat 0 when idle, then a beat a cycle if banks and the unit allow.
// Handshake: op_mem valid/ready, payload held until taken; free_o counts queue entries that issue may still fill.
// Instructions leave in the order in which they came. "Dispatched" is the cycle in which the last beat is taken.
// A beat that arrives while the one before still stands is dropped and read again, so no word waits anywhere else.
// It does not look at masks: an instruction with an empty mask passes like any other.
`default_nettype none
`include "heddle_assert.svh"

module mem_collector #(
  parameter int unsigned QUEUE = 4,
  localparam int unsigned SLOTS   = core_pkg::SLOTS,
  localparam int unsigned LANES   = cfg_pkg::LANES,
  localparam int unsigned BANKS   = cfg_pkg::BANKS,
  localparam int unsigned GROUP_W = back_pkg::GROUP_W
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  // from issue
  input  logic                                is_valid_i,   // a memory instruction
  input  core_pkg::uop_t                      is_uop_i,
  output logic [3:0]                          free_o,
  // to and from the bank arbiter
  output logic                                load_o,       // another instruction reads from the next cycle on
  output logic [BANKS-1:0]                    ask_o,
  output logic [BANKS-1:0][GROUP_W-1:0]       ask_group_o,
  output logic [cfg_pkg::BEAT_W-1:0]          ask_beat_o,
  input  logic [BANKS-1:0]                    grant_i,
  input  logic [BANKS-1:0][LANES-1:0][31:0]   bank_data_i,
  // to and from the load/store unit
  output logic                                op_mem_valid_o,
  input  logic                                op_mem_ready_i,
  output core_pkg::memop_t                    op_memop_o,
  output logic [4:0]                          op_mem_beat_o,
  output logic [SLOTS-1:0][LANES-1:0][31:0]   op_mem_data_o,
  // to issue and the retire port, with the beat in the output register
  output logic                                last_o,
  output logic [2:0]                          rbar_o,
  output logic [SLOTS-1:0]                    used_o
);

  // What the queue keeps of an instruction.
  typedef struct packed {
    core_pkg::memop_t memop;
    logic [2:0]       rbar;
    logic [SLOTS-1:0] used;
    logic [SLOTS-1:0] need;      // used, and not RZ
    logic [back_pkg::WREG_W-1:0] a, b;
  } entry_t;
  localparam int unsigned COUNT_W = $clog2(QUEUE + 1);
  localparam int unsigned BEAT_W  = cfg_pkg::BEAT_W;
  localparam logic [BEAT_W-1:0] LAST = BEAT_W'(cfg_pkg::BEATS - 1);

  logic [15:0]        coff16;
  entry_t             in, head;
  logic               head_valid, in_ready, pop;
  logic [COUNT_W-1:0] count;

  assign coff16 = isa_pkg::f_coff16(is_uop_i.word);

  // Slots of an instruction: a in 0 and 1, b in 2 to 5. Worked out only where an instruction arrives.
  always_comb begin
    in = '0;
    if (is_valid_i) begin
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
    .out_ready_i (pop),
    .out_data_o  (head),
    .count_o     (count)
  );

  assign free_o = 4'(QUEUE) - 4'(count);
  assign load_o = pop || (is_valid_i && !head_valid);

  // ---- asking: words of beat ask_q, those of got_q were granted before ------------------------------------------
  logic [BEAT_W-1:0]             ask_q, keep_q;
  logic [SLOTS-1:0]              got_q, todo, granted;
  logic                          asked_q, stalled_q, asking, complete, drop, keep;
  logic [BANKS-1:0][SLOTS-1:0]   pick;
  logic [SLOTS-1:0][back_pkg::WREG_W-1:0] wreg;
  // Arriving now: words of beat keep_q, and whether they are its last.
  logic [SLOTS-1:0]              arrive_q;
  logic                          final_q;

  assign todo   = head.need & ~got_q;
  assign asking = head_valid && !asked_q && !stalled_q;

  // For each bank the lowest word that still waits for it.
  always_comb begin
    ask_o       = '0;
    ask_group_o = '0;
    pick        = '0;
    wreg        = '0;
    if (asking) begin
      for (int unsigned w = 0; w < SLOTS; w++) begin
        wreg[w] = (w < 2) ? head.a + back_pkg::WREG_W'(w) : head.b + back_pkg::WREG_W'(w - 2);
      end
      for (int unsigned w = SLOTS; w > 0; w--) begin
        if (todo[w-1]) begin
          ask_o[back_pkg::bank_of(wreg[w-1])]       = 1'b1;
          ask_group_o[back_pkg::bank_of(wreg[w-1])] = back_pkg::group_of(wreg[w-1]);
          pick[back_pkg::bank_of(wreg[w-1])]        = SLOTS'(1) << (w - 1);
        end
      end
    end
  end
  always_comb begin
    granted = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      if (grant_i[b]) granted |= pick[b];
    end
  end
  assign ask_beat_o = ask_q;
  assign complete   = asking && (todo & ~granted) == '0;

  // ---- the register towards the load/store unit -----------------------------------------------------------------
  logic                              valid_q;
  logic [BEAT_W-1:0]                 beat_q;
  logic [SLOTS-1:0][LANES-1:0][31:0] data_q;

  assign drop = (arrive_q != '0 || final_q) && valid_q && !op_mem_ready_i;
  assign keep = (arrive_q != '0 || final_q) && !drop;
  assign pop  = valid_q && op_mem_ready_i && beat_q == LAST;

  // Consecutive words lie in consecutive banks, so the words of a and of b are the banks turned round.
  always_ff @(posedge clk_i) begin
    if (keep) begin
      automatic logic [BANKS-1:0][LANES-1:0][31:0] turned_a, turned_b;
      turned_a = '0;
      turned_b = '0;
      for (int unsigned k = 0; k < BANKS; k++) begin
        for (int unsigned b = 0; b < BANKS; b++) begin
          if (back_pkg::bank_of(head.a + back_pkg::WREG_W'(k)) == cfg_pkg::BANK_W'(b)) turned_a[k] = bank_data_i[b];
          if (back_pkg::bank_of(head.b + back_pkg::WREG_W'(k)) == cfg_pkg::BANK_W'(b)) turned_b[k] = bank_data_i[b];
        end
      end
      for (int unsigned w = 0; w < SLOTS; w++) begin
        if (!head.need[w])    data_q[w] <= '0;
        else if (arrive_q[w]) data_q[w] <= (w < 2) ? turned_a[w] : turned_b[(w-2)%BANKS];
      end
      if (final_q) beat_q <= keep_q;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      ask_q     <= '0;
      keep_q    <= '0;
      got_q     <= '0;
      asked_q   <= 1'b0;
      arrive_q  <= '0;
      final_q   <= 1'b0;
      valid_q   <= 1'b0;
      stalled_q <= 1'b0;
    end else begin
      stalled_q <= valid_q && !op_mem_ready_i;
      valid_q   <= (keep && final_q) || (valid_q && !op_mem_ready_i);
      if (keep && final_q) keep_q <= keep_q + BEAT_W'(1);
      if (drop) begin
        // Nothing of beat keep_q has been kept: read it again from its first word.
        ask_q    <= keep_q;
        got_q    <= '0;
        asked_q  <= 1'b0;
        arrive_q <= '0;
        final_q  <= 1'b0;
      end else begin
        arrive_q <= granted;
        final_q  <= complete;
        got_q    <= complete ? '0 : got_q | granted;
        if (complete) begin
          ask_q   <= ask_q + BEAT_W'(1);
          asked_q <= ask_q == LAST;
        end
      end
      if (pop) begin
        ask_q   <= '0;
        keep_q  <= '0;
        asked_q <= 1'b0;
      end
    end
  end

  assign op_mem_valid_o = valid_q;
  assign op_memop_o     = head.memop;
  assign op_mem_beat_o  = 5'(beat_q);
  assign op_mem_data_o  = data_q;
  assign last_o         = beat_q == LAST;
  assign rbar_o         = head.rbar;
  assign used_o         = head.used;

  // The queue never overflows: issue counts its free entries.
  `ASSERT(a_room, !is_valid_i || in_ready)
  // Nothing is granted that was not asked for.
  `ASSERT(a_grant, (grant_i & ~ask_o) == '0)
  // When an instruction leaves, nothing of it is under way.
  `ASSERT(a_pop, !pop || (asked_q && arrive_q == '0 && !final_q))

  logic unused;
  assign unused = ^is_uop_i;

endmodule

`default_nettype wire
