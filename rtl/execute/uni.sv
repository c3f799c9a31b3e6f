// SPDX-License-Identifier: Apache-2.0
// The uniform datapath of a partition: its registers (block RAM) and predicates, the pipe, and the one write port.
// Latency: an instruction that issues in cycle t (S1) reads its registers then; its operands stand in t+1, its result is written
// in t+4, and another one that issues in t+5 sees it: STALL_UNI_REG. One instruction a cycle. Ordinary instructions that read a
// uniform register have it with their uop (t+1); predicates are read in S1.
// Handshake: late results (lt_uni) valid/ready: they take the write port in a cycle without a result of the pipe; after 8 cycles
// of waiting un_starved keeps instructions of the pipe from issuing.
// It does not check dependencies (scoreboard) and executes no ULDC: it reads its address for the operand stage. It clears itself
// only as wipe_i says: a fresh warp's registers are undefined.
`include "heddle_assert.svh"

module uni (
  input  logic                              clk_i,
  input  logic                              rst_ni,
  input  core_pkg::wipe_t                   wipe_i,
  // from and to issue, S1: the warp's predicates; an instruction issues
  input  logic [cfg_pkg::WARP_W-1:0]        is_slot_i,
  output logic [6:0]                        un_pred_o,
  input  logic                              is_uni_read_i,
  input  isa_pkg::dec_t                     is_dec_i,
  // a cycle later: it is one of the pipe's
  input  logic                              is_uni_valid_i,
  // ... or an ordinary one, which stands until its operands have been read
  input  core_pkg::uop_t                    is_uop_i,
  output logic [31:0]                       un_sval_o,
  output logic [31:0]                       un_sval_hi_o,
  // from and to writeback
  input  logic                              lt_uni_valid_i,
  output logic                              lt_uni_ready_o,
  input  exec_pkg::uni_write_t                   lt_uni_i,
  // to issue
  output logic                              un_starved_o,
  output logic                              un_done_valid_o,
  output core_pkg::done_t                   un_done_o,
  // what the instruction has read, and what is written
  output exec_pkg::uni_words_t                   un_words_o,
  output exec_pkg::uni_write_t                   un_write_o
);

  localparam int unsigned DEPTH   = 3;   // cycles from operands to the write port
  localparam int unsigned PATIENCE = 8;
  if (cfg_pkg::HAS_UNI && cfg_pkg::STALL_UNI_REG < DEPTH + 2) begin : gen_check
    $error("uni: STALL_UNI_REG of the configuration is less than the depth of the pipe");
  end

  // ---- S1: registers are read when the instruction issues ---------------------------------------------------------------------
  function automatic logic from_file(isa_pkg::src_e kind);
    from_file = kind == isa_pkg::SRC_UREG;
  endfunction

  logic [2:0]            reads;
  logic [2:0][4:0]       pairs;        // in which the registers lie
  logic [2:0][1:0][31:0] pair;
  logic [6:0]            pred;

  assign reads = {3{is_uni_read_i}} & {from_file(is_dec_i.c_kind), from_file(is_dec_i.b_kind), from_file(is_dec_i.a_kind)};
  assign pairs = {is_dec_i.c_reg[5:1], is_dec_i.b_reg[5:1], is_dec_i.a_reg[5:1]};

  // ---- the write port ---------------------------------------------------------------------------------------------------------
  exec_pkg::uni_write_t            write;
  logic [cfg_pkg::WARP_W-1:0] wr_slot;
  assign un_write_o = write;
  assign wr_slot    = core_pkg::local_slot(write.id.slot);

  // ---- registers, a copy for each of three read ports, of rows of pairs; predicates -----------------------------------------
  localparam bit WIPES = cfg_pkg::MMU != 0;
  logic          wipes;
  assign wipes = WIPES && wipe_i.valid;

  for (genvar p = 0; p < 3; p++) begin : gen_port
    ram_1r1w #(
      .WIDTH (64),
      .DEPTH (cfg_pkg::WARPS * 32),
      .GRAIN (32),
      .RACE  (1'b1)   // a read of a word that is being written has a wrong stall count
    ) u_ram (
      .clk_i     (clk_i),
      .wr_en_i   (write.en | {2{wipes}}),
      .wr_addr_i (wipes ? (cfg_pkg::WARP_W+5)'(wipe_i.at) : {wr_slot, write.rd[5:1]}),
      .wr_data_i (wipes ? '0 : write.data),
      .rd_en_i   (reads[p]),
      .rd_addr_i ({is_slot_i, pairs[p]}),
      .rd_data_o (pair[p])
    );
  end

  logic [cfg_pkg::WARPS-1:0][6:0] pred_q;

  always_ff @(posedge clk_i) begin
    if (wipes)                    pred_q <= '0;
    else if (write.pred_en != '0) pred_q[wr_slot] <= (pred_q[wr_slot] & ~write.pred_en) | (write.pred & write.pred_en);
  end
  assign un_pred_o = pred_q[is_slot_i];

  always_ff @(posedge clk_i) begin
    if (is_uni_read_i && is_dec_i.op == isa_pkg::OP_UP2UR) pred <= un_pred_o;
  end

  // ---- a cycle later: the operands, with immediates and URZ --------------------------------------------------------------------
  isa_pkg::dec_t    dec;
  logic             go;
  logic [2:0][63:0] word;      // of a, b, c: a word (or two), or zero
  logic [31:0]      a, b;
  logic [63:0]      c;

  assign dec = is_uop_i.dec;
  assign go  = is_uop_i.exec != '0;

  function automatic logic [63:0] taken(isa_pkg::src_e kind, logic [7:0] number, logic [1:0] n, logic [1:0][31:0] two);
    taken = '0;
    if (from_file(kind) && number != isa_pkg::RZ) begin
      taken[31:0]  = number[0] ? two[1] : two[0];
      taken[63:32] = (n != 2'd0) ? two[1] : 32'd0;
    end
  endfunction

  assign word[0] = taken(dec.a_kind, dec.a_reg, dec.a_n, pair[0]);
  assign word[1] = taken(dec.b_kind, dec.b_reg, dec.b_n, pair[1]);
  assign word[2] = taken(dec.c_kind, dec.c_reg, dec.c_n, pair[2]);

  // An ordinary instruction has one of them, ULDC its address.
  assign {un_sval_hi_o, un_sval_o} = from_file(dec.c_kind) ? word[2] : from_file(dec.b_kind) ? word[1] : word[0];

  assign a = word[0][31:0];
  assign b = from_file(dec.b_kind) ? word[1][31:0] : is_uop_i.sval;
  always_comb begin
    c = word[2];
    if (dec.op == isa_pkg::OP_UP2UR) c[6:0] = pred;
    else if (dec.c_kind == isa_pkg::SRC_IMM) c[31:0] = is_uop_i.sval;
  end

  assign un_words_o = '{c: c, b: b, a: a};

  // ---- the pipe -----------------------------------------------------------------------------------------------------------------
  typedef struct packed {
    core_pkg::id_t     id;
    core_pkg::target_t to;
    logic              writes;
    logic              preds;    // all predicates
  } dest_t;

  exec_pkg::uni_ctl_t ctl, ctl_q;
  logic [31:0]   a_q, b_q;
  logic [63:0]   c_q, data;
  logic [2:0]    ps_q;
  logic          pd0, pd1;
  dest_t         dest_d, dest_q [DEPTH], last;
  logic          valid_q [DEPTH];

  uni_decode u_decode (
    .en_i   (is_uni_valid_i),
    .dec_i  (dec),
    .word_i (is_uop_i.word),
    .ctl_o  (ctl)
  );

  always_comb begin
    dest_d        = '{id: is_uop_i.id, to: core_pkg::target_of(dec), writes: go, preds: dec.op == isa_pkg::OP_UR2UP};
    dest_d.to.uni = 1'b1;
  end

  always_ff @(posedge clk_i) begin
    for (int unsigned k = 0; k < DEPTH; k++) begin
      if (!rst_ni) valid_q[k] <= 1'b0;
      else         valid_q[k] <= (k == 0) ? is_uni_valid_i : valid_q[(k + DEPTH - 1) % DEPTH];
    end
  end
  always_ff @(posedge clk_i) begin
    if (is_uni_valid_i) begin
      ctl_q <= ctl;
      a_q   <= a;
      b_q   <= b;
      c_q   <= c;
      ps_q  <= {is_uop_i.ps2[0], is_uop_i.ps1[0], is_uop_i.ps0[0]};
    end
    for (int unsigned k = 0; k < DEPTH; k++) begin
      if ((k == 0) ? is_uni_valid_i : valid_q[(k + DEPTH - 1) % DEPTH]) dest_q[k] <= (k == 0) ? dest_d : dest_q[(k + DEPTH - 1) % DEPTH];
    end
  end

  // An ALU lane of its own and a multiplier with a 64-bit sum, each in two ranks. The multiplier holds every factor in 33 bits with
  // sign.
  exec_pkg::alu_ctl2_t ctl2_q;
  logic                mul_q, high_q, wide_q, neg_q, is_mul_q, is_high_q, is_wide_q;
  logic [0:0][31:0]    alu;
  logic signed [32:0]  factor_a, factor_b;
  logic [63:0]         product_q, addend_q, sum_q;

  alu_lanes #(.LANES(1)) u_alu (
    .clk_i  (clk_i),
    .en1_i  (valid_q[0] && !ctl_q.is_mul),
    .en2_i  (valid_q[1] && !mul_q),
    .ctl1_i (ctl_q.alu.one),
    .ctl2_i (ctl2_q),
    .a_i    (a_q),
    .b_i    (b_q),
    .c_i    (c_q[31:0]),
    .ps0_i  (ps_q[0]),
    .ps1_i  (ps_q[1]),
    .ps2_i  (ps_q[2]),
    .lo_o   (alu),
    .pd0_o  (pd0),
    .pd1_o  (pd1)
  );

  assign factor_a = {a_q[31] && !ctl_q.mul.uns, a_q};
  assign factor_b = {b_q[31] && !ctl_q.mul.uns, b_q};

  always_ff @(posedge clk_i) begin
    if (valid_q[0]) begin
      ctl2_q <= ctl_q.alu.two;
      mul_q  <= ctl_q.is_mul;
      if (ctl_q.is_mul) begin
        product_q <= 64'(mul_pkg::s33(factor_a, factor_b));
        addend_q  <= ctl_q.mul.neg ? ~c_q : c_q;
        neg_q     <= ctl_q.mul.neg;
        high_q    <= ctl_q.mul.high;
        wide_q    <= ctl_q.mul.wide;
      end
    end
    if (valid_q[1]) begin
      is_mul_q  <= mul_q;
      is_high_q <= high_q;
      is_wide_q <= wide_q;
      if (mul_q) sum_q <= product_q + addend_q + 64'(neg_q);
    end
  end

  // A result of one word stands in both halves.
  always_comb begin
    if (!is_mul_q)      data = {alu[0], alu[0]};
    else if (is_high_q) data = {sum_q[63:32], sum_q[63:32]};
    else if (is_wide_q) data = sum_q;
    else                data = {sum_q[31:0], sum_q[31:0]};
  end

  // ---- results: the pipe's when there is one, else a late one -------------------------------------------------------------------
  logic fixed, late;

  assign last           = dest_q[DEPTH-1];
  assign fixed          = valid_q[DEPTH-1];
  assign lt_uni_ready_o = !fixed;
  assign late           = lt_uni_valid_i && !fixed;

  always_comb begin
    write = lt_uni_i;
    if (!late) {write.en, write.pred_en} = '0;
    if (fixed) begin
      write.id      = last.id;
      write.rd      = last.to.rd;
      write.data    = data;
      write.en      = (last.writes && last.to.has_rd) ? {last.to.rd[0] || last.to.rd_n != 2'd0, !last.to.rd[0]} : '0;
      write.pred_en = exec_pkg::pred_bit(last.to.pd0) | exec_pkg::pred_bit(last.to.pd1);
      write.pred    = ({7{pd0}} & ~exec_pkg::pred_bit(last.to.pd1)) | ({7{pd1}} & exec_pkg::pred_bit(last.to.pd1));
      if (last.preds) begin
        write.pred_en = data[14:8];
        write.pred    = data[6:0];
      end
      if (!last.writes) write.pred_en = '0;
    end
  end

  assign un_done_valid_o = fixed;
  assign un_done_o       = '{slot: core_pkg::local_slot(last.id.slot), to: last.to, preds: last.preds, load: 1'b0};

  // ---- late results do not wait for ever ------------------------------------------------------------------------------------------
  logic [$clog2(PATIENCE+1)-1:0] waited_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni || !lt_uni_valid_i || lt_uni_ready_o) waited_q <= '0;
    else if (!un_starved_o)                           waited_q <= waited_q + 1'b1;
  end
  assign un_starved_o = 32'(waited_q) == PATIENCE;

  // The pipe is only given what it executes.
  `ASSERT_IF(a_uniform, is_uni_valid_i, kind_pkg::uniform(dec))

  // Fields that concern others.
  logic unused;
  assign unused = ^{is_uop_i, is_dec_i, wipe_i};

endmodule
