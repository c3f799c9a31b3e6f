// SPDX-License-Identifier: Apache-2.0
// Operand stage: collectors for general and memory instructions, register file, reuse cache, dispatch.
// Latency: is_valid in cycle t, beat 0 on the dispatch bus in t+3 when nothing is in the way, then a beat a cycle.
// Handshake: issue looks at op_free_*; a general beat leaves when it is complete and its write ports are free at its
// latency (rs_ok_i), oldest instruction first; memory beats leave with valid/ready.
// It does not order instructions of one warp: issue sends the next one only after the last beat of the one before.
`default_nettype none
`include "heddle_assert.svh"

module operand #(
  localparam int unsigned SLOTS = core_pkg::SLOTS,
  localparam int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned BANKS = cfg_pkg::BANKS,
  localparam int unsigned COLL  = cfg_pkg::COLLECTORS
) (
  input  logic                                     clk_i,
  input  logic                                     rst_ni,
  input  logic [7:0]                               fault_i,
  // from issue
  input  logic                                     is_valid_i,
  input  core_pkg::uop_t                           is_uop_i,
  // to issue
  output logic [3:0]                               op_free_gen_o,
  output logic [3:0]                               op_free_mem_o,
  output logic [1:0]                               op_disp_valid_o,
  output logic [1:0][cfg_pkg::WARP_W-1:0]          op_disp_slot_o,
  output logic [1:0][2:0]                          op_disp_rbar_o,
  // from the block dispatcher
  input  logic                                     ct_start_valid_i,
  input  core_pkg::start_t                         ct_start_i,
  input  logic                                     ct_tid_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]               ct_tid_slot_i,
  input  logic [4:0]                               ct_tid_beat_i,
  input  logic [LANES-1:0][10:0]                   ct_tid_x_i,
  input  logic [LANES-1:0][10:0]                   ct_tid_y_i,
  input  logic [LANES-1:0][10:0]                   ct_tid_z_i,
  // to and from the reservation table: for each collector, the write ports of its next beat
  output logic [COLL-1:0][cfg_pkg::BANKS-1:0]     op_ports_o,
  output logic [COLL-1:0][back_pkg::PIPES-1:0]     op_pipe_o,
  input  logic [COLL-1:0]                          rs_ok_i,
  output logic [COLL-1:0]                          op_take_o,
  // to the execute pipes and writeback: the general dispatch bus
  output logic                                     op_valid_o,
  output core_pkg::uop_t                           op_uop_o,
  output back_pkg::dest_t                          op_dest_o,
  output logic [SLOTS-1:0]                         op_used_o,
  output logic [LANES-1:0][31:0]                   op_a_o,
  output logic [LANES-1:0][31:0]                   op_a_hi_o,
  output logic [LANES-1:0][31:0]                   op_b_o,
  output logic [LANES-1:0][31:0]                   op_c_o,
  output logic [LANES-1:0][31:0]                   op_c_hi_o,
  output logic [LANES-1:0]                         op_ps0_o,
  output logic [LANES-1:0]                         op_ps1_o,
  output logic [LANES-1:0]                         op_ps2_o,
  // to and from the load/store unit
  output logic                                     op_mem_valid_o,
  input  logic                                     op_mem_ready_i,
  output core_pkg::memop_t                         op_memop_o,
  output logic [4:0]                               op_mem_beat_o,
  output logic [SLOTS-1:0][LANES-1:0][31:0]        op_mem_data_o,
  output logic [SLOTS-1:0]                         op_mem_used_o,
  // from the write ports of the register file
  input  logic [BANKS-1:0]                         wb_wr_valid_i,
  input  logic [BANKS-1:0][cfg_pkg::WARP_W-1:0]    wb_wr_slot_i,
  input  logic [BANKS-1:0][7:0]                    wb_wr_rd_i,
  input  logic [BANKS-1:0][LANES-1:0]              wb_wr_en_i,
  input  logic [BANKS-1:0][back_pkg::WREG_W-1:0]   wb_wr_wreg_i,
  input  logic [BANKS-1:0][4:0]                    wb_wr_beat_i,
  input  logic [BANKS-1:0][LANES-1:0][31:0]        wb_wr_data_i
);

  localparam int unsigned BEAT_W = cfg_pkg::BEAT_W;
  localparam int unsigned WREG_W = back_pkg::WREG_W;
  localparam int unsigned WORDS  = 4;          // a0 b0 c0 x1
  localparam int unsigned ASKERS = COLL + 1;   // the memory collector is the last
  localparam int unsigned THINGS = BANKS + 3;  // banks, then the side memories of a, b, c

  // ---- arriving instruction ---------------------------------------------------------------------------------
  logic                          is_mem, is_gen;
  logic [2:0]                    can, keep, hit;
  logic [2:0][7:0]               place_reg;
  logic [WORDS-1:0]              in_need, in_side;
  logic [WORDS-1:0][WREG_W-1:0]  in_wreg;
  back_pkg::held_t               in_meta;
  localparam int unsigned HELD_W = $bits(in_meta);
  logic [COLL-1:0]               busy, load;

  assign is_mem = is_valid_i && is_uop_i.dec.unit == isa_pkg::UNIT_MEM;
  assign is_gen = is_valid_i && is_uop_i.dec.unit != isa_pkg::UNIT_MEM;

  assign in_meta.uop = is_uop_i;

  operand_map u_map (
    .uop_i     (is_uop_i),
    .can_o     (can),
    .keep_o    (keep),
    .reg_o     (place_reg),
    .hit_i     (hit),
    .need_o    (in_need),
    .side_o    (in_side),
    .wreg_o    (in_wreg),
    .ports_o   (in_meta.ports),
    .pipe_o    (in_meta.pipe),
    .rd_wreg_o (in_meta.rd_wreg),
    .rd_en_o   (in_meta.rd_en)
  );

  // The lowest free collector takes it.
  assign load = is_gen ? (~busy & (busy + COLL'(1))) : '0;

  always_comb begin
    op_free_gen_o = '0;
    for (int unsigned i = 0; i < COLL; i++) op_free_gen_o += 4'(!busy[i]);
  end

  // ---- collectors and arbitration ---------------------------------------------------------------------------
  logic [ASKERS-1:0][BANKS-1:0]              ask, bank_grant;
  logic [ASKERS-1:0][BANKS-1:0][WREG_W-1:0]  ask_wreg;
  logic [ASKERS-1:0][BEAT_W-1:0]             ask_beat;
  logic [COLL-1:0][WORDS-1:0]                ask_side, side_grant;
  logic [COLL-1:0]                           full, last;
  logic [COLL-1:0][BEAT_W-1:0]               beat;
  logic [COLL-1:0][HELD_W-1:0]               meta_bits;
  logic [COLL-1:0][WORDS-1:0][LANES-1:0][31:0] words;
  logic [BANKS-1:0][LANES-1:0][31:0]         bank_data;
  logic [2:0][LANES-1:0][31:0]               reuse_data;
  logic [WORDS-1:0][LANES-1:0][31:0]         side_data;
  logic                                      mem_load;
  logic [COLL-1:0][7:0]                      coll_sreg;
  logic [COLL-1:0][cfg_pkg::WARP_W-1:0]      coll_slot;
  logic [COLL-1:0]                           coll_s2r;

  for (genvar i = 0; i < COLL; i++) begin : gen_collector
    back_pkg::held_t meta;

    collector #(
      .WORDS  (WORDS),
      .META_W (HELD_W)
    ) u_collector (
      .clk_i        (clk_i),
      .rst_ni       (rst_ni),
      .load_i       (load[i]),
      .need_i       (in_need),
      .side_i       (in_side),
      .wreg_i       (in_wreg),
      .meta_i       (in_meta),
      .ask_o        (ask[i]),
      .ask_wreg_o   (ask_wreg[i]),
      .ask_side_o   (ask_side[i]),
      .ask_beat_o   (ask_beat[i]),
      .grant_i      (bank_grant[i]),
      .grant_side_i (side_grant[i]),
      .bank_data_i  (bank_data),
      .side_data_i  (side_data),
      .busy_o       (busy[i]),
      .full_o       (full[i]),
      .beat_o       (beat[i]),
      .last_o       (last[i]),
      .meta_o       (meta_bits[i]),
      .data_o       (words[i]),
      .take_i       (op_take_o[i])
    );

    logic unused_meta;
    assign unused_meta   = ^meta;
    assign meta          = meta_bits[i];
    assign op_ports_o[i] = meta.ports;
    assign op_pipe_o[i]  = meta.pipe;
    assign coll_slot[i]  = meta.uop.id.slot;
    assign coll_sreg[i]  = isa_pkg::f_sreg(meta.uop.word);
    assign coll_s2r[i]   = meta.uop.dec.op == isa_pkg::OP_S2R;
  end

  // Oldest first for each bank, each side memory, and the dispatch bus.
  logic [THINGS:0][ASKERS-1:0] request, grant;

  always_comb begin
    request = '0;
    for (int unsigned i = 0; i < ASKERS; i++) begin
      for (int unsigned b = 0; b < BANKS; b++) request[b][i] = ask[i][b];
    end
    for (int unsigned i = 0; i < COLL; i++) begin
      for (int unsigned p = 0; p < 3; p++) request[BANKS+p][i] = ask_side[i][p];
      request[THINGS][i] = full[i] && rs_ok_i[i];
    end
  end

  age_order #(
    .N (ASKERS),
    .M (THINGS + 1)
  ) u_order (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .load_i  ({mem_load, load}),
    .req_i   (request),
    .grant_o (grant)
  );

  always_comb begin
    for (int unsigned i = 0; i < ASKERS; i++) begin
      for (int unsigned b = 0; b < BANKS; b++) bank_grant[i][b] = grant[b][i];
    end
    for (int unsigned i = 0; i < COLL; i++) begin
      for (int unsigned p = 0; p < 3; p++) side_grant[i][p] = grant[BANKS+p][i];
      side_grant[i][3] = 1'b0;
    end
    op_take_o = grant[THINGS][COLL-1:0];
  end

  // ---- register file and side memories ----------------------------------------------------------------------
  logic [BANKS-1:0]                       rd_en;
  logic [BANKS-1:0][WREG_W-1:0]           rd_wreg;
  logic [BANKS-1:0][BEAT_W-1:0]           rd_beat;
  logic [2:0]                             side_en;
  logic [2:0][cfg_pkg::WARP_W-1:0]        side_slot;
  logic [2:0][BEAT_W-1:0]                 side_beat;
  logic [7:0]                             side_sreg;
  logic                                   side_tid, side_tid_q;
  logic [LANES-1:0][31:0]                 tid_data;

  always_comb begin
    rd_en     = '0;
    rd_wreg   = '0;
    rd_beat   = '0;
    side_en   = '0;
    side_slot = '0;
    side_beat = '0;
    side_sreg = '0;
    side_tid  = 1'b0;
    for (int unsigned i = 0; i < ASKERS; i++) begin
      for (int unsigned b = 0; b < BANKS; b++) begin
        if (grant[b][i]) begin
          rd_en[b]    = 1'b1;
          rd_wreg[b] |= ask_wreg[i][b];
          rd_beat[b] |= ask_beat[i];
        end
      end
    end
    for (int unsigned i = 0; i < COLL; i++) begin
      for (int unsigned p = 0; p < 3; p++) begin
        if (grant[BANKS+p][i]) begin
          side_en[p]    = 1'b1;
          side_slot[p] |= coll_slot[i];
          side_beat[p] |= ask_beat[i];
        end
      end
      if (grant[BANKS+1][i]) begin
        side_sreg |= coll_sreg[i];
        side_tid  |= coll_s2r[i];
      end
    end
  end

  regfile u_regfile (
    .clk_i     (clk_i),
    .rd_en_i   (rd_en),
    .rd_wreg_i (rd_wreg),
    .rd_beat_i (rd_beat),
    .rd_data_o (bank_data),
    .wr_en_i   (wb_wr_en_i),
    .wr_wreg_i (wb_wr_wreg_i),
    .wr_beat_i (wb_wr_beat_i),
    .wr_data_i (wb_wr_data_i)
  );

  tid_rows u_tid_rows (
    .clk_i          (clk_i),
    .ct_tid_valid_i (ct_tid_valid_i),
    .ct_tid_slot_i  (ct_tid_slot_i),
    .ct_tid_beat_i  (ct_tid_beat_i),
    .ct_tid_x_i     (ct_tid_x_i),
    .ct_tid_y_i     (ct_tid_y_i),
    .ct_tid_z_i     (ct_tid_z_i),
    .tid_en_i       (side_en[1] && side_tid),
    .tid_slot_i     (side_slot[1]),
    .tid_beat_i     (side_beat[1]),
    .tid_sreg_i     (side_sreg),
    .tid_data_o     (tid_data)
  );

  reuse u_reuse (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .fault_i       (fault_i),
    .start_valid_i (ct_start_valid_i),
    .start_slot_i  (ct_start_i.slot),
    .arrive_i      (is_gen),
    .arrive_slot_i (is_uop_i.id.slot),
    .arrive_can_i  (can),
    .arrive_keep_i (keep),
    .arrive_reg_i  (place_reg),
    .hit_o         (hit),
    .rd_en_i       (side_en),
    .rd_slot_i     (side_slot),
    .rd_beat_i     (side_beat),
    .rd_data_o     (reuse_data),
    .op_valid_i    (op_valid_o),
    .op_slot_i     (op_uop_o.id.slot),
    .op_beat_i     (op_dest_o.beat[BEAT_W-1:0]),
    .op_last_i     (op_dest_o.last),
    .op_data_i     ({op_c_o, op_b_o, op_a_o}),
    .wr_valid_i    (wb_wr_valid_i),
    .wr_slot_i     (wb_wr_slot_i),
    .wr_rd_i       (wb_wr_rd_i)
  );

  always_ff @(posedge clk_i) side_tid_q <= side_tid;
  assign side_data = {reuse_data[0], reuse_data[2], side_tid_q ? tid_data : reuse_data[1], reuse_data[0]};

  // ---- dispatch ---------------------------------------------------------------------------------------------
  dispatch #(
    .HELD_W (HELD_W)
  ) u_dispatch (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .fault_i     (fault_i),
    .take_i      (op_take_o),
    .held_i      (meta_bits),
    .beat_i      (beat),
    .last_i      (last),
    .words_i     (words),
    .op_valid_o  (op_valid_o),
    .op_uop_o    (op_uop_o),
    .op_dest_o   (op_dest_o),
    .op_used_o   (op_used_o),
    .op_a_o      (op_a_o),
    .op_a_hi_o   (op_a_hi_o),
    .op_b_o      (op_b_o),
    .op_c_o      (op_c_o),
    .op_c_hi_o   (op_c_hi_o),
    .op_ps0_o    (op_ps0_o),
    .op_ps1_o    (op_ps1_o),
    .op_ps2_o    (op_ps2_o)
  );

  // ---- memory -----------------------------------------------------------------------------------------------
  logic       mem_last;
  logic [2:0] mem_rbar;

  mem_collector u_mem (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .is_valid_i     (is_mem),
    .is_uop_i       (is_uop_i),
    .free_o         (op_free_mem_o),
    .load_o         (mem_load),
    .ask_o          (ask[COLL]),
    .ask_wreg_o     (ask_wreg[COLL]),
    .ask_beat_o     (ask_beat[COLL]),
    .grant_i        (bank_grant[COLL]),
    .bank_data_i    (bank_data),
    .op_mem_valid_o (op_mem_valid_o),
    .op_mem_ready_i (op_mem_ready_i),
    .op_memop_o     (op_memop_o),
    .op_mem_beat_o  (op_mem_beat_o),
    .op_mem_data_o  (op_mem_data_o),
    .last_o         (mem_last),
    .rbar_o         (mem_rbar),
    .used_o         (op_mem_used_o)
  );

  assign op_disp_valid_o = {op_mem_valid_o && op_mem_ready_i && mem_last, op_valid_o && op_dest_o.last};
  assign op_disp_slot_o  = {op_memop_o.id.slot, op_uop_o.id.slot};
  assign op_disp_rbar_o  = {mem_rbar, op_uop_o.dec.rbar};

  // Issue sends a general instruction only while a collector is free, a memory one while the queue has room.
  `ASSERT(a_room_gen, !is_gen || busy != '1)
  `ASSERT(a_room_mem, !is_mem || op_free_mem_o != '0)

  logic unused;
  assign unused = ^ct_start_i;

endmodule

`default_nettype wire
