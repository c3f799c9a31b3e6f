// SPDX-License-Identifier: Apache-2.0
// Operand stage: collectors for general and memory instructions, register file, reuse cache, dispatch.
// Latency: is_valid in cycle t, beat 0 on the dispatch bus in t+3 when nothing is in the way, then a beat a cycle.
// Handshake: issue looks at op_free_*; the last words of a general beat are read when its write ports are free at its
// latency (rs_ok_i), oldest instruction first, and the beat leaves at once; memory beats leave with valid/ready.
// It does not order instructions of one warp: issue sends the next one only after the last beat of the one before.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_lanes.svh"

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
  // to and from the reservation table: for each collector, the write ports of its next beat, on the bus in two cycles
  output logic [COLL-1:0][cfg_pkg::BANKS-1:0]     op_ports_o,
  output logic [COLL-1:0][back_pkg::PIPES-1:0]     op_pipe_o,
  input  logic [COLL-1:0]                          rs_ok_i,
  output logic [COLL-1:0]                          op_take_o,
  // to the execute pipes and writeback: the general dispatch bus
  output logic                                     op_valid_o,
  output back_pkg::dest_t                          op_dest_o,
  output logic [exec_pkg::CTL_W-1:0]               op_ctl_o,
  output logic [SLOTS-1:0]                         op_used_o,
  output logic [LANES-1:0][31:0]                   op_a_o,
  output logic [LANES-1:0][31:0]                   op_b_o,
  output logic [LANES-1:0][31:0]                   op_c_o,
  output logic [LANES-1:0][31:0]                   op_x_o,      // second word of a or c
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

  localparam int unsigned BEAT_W  = cfg_pkg::BEAT_W;
  localparam int unsigned GROUP_W = back_pkg::GROUP_W;
  localparam int unsigned WORDS   = back_pkg::WORDS;
  localparam int unsigned COLL_W  = (COLL > 1) ? $clog2(COLL) : 1;

  // ---- arriving instruction ---------------------------------------------------------------------------------
  logic                                    is_mem, is_gen;
  logic [2:0]                              can, keep, hit;
  logic [2:0][7:0]                         place_reg;
  logic [WORDS-1:0]                        in_need;
  logic [2:0]                              in_side;
  logic                                    in_tid;
  logic [WORDS-1:0][back_pkg::WREG_W-1:0]  in_wreg;
  logic [BANKS-1:0]                        in_ports;
  back_pkg::held_t                         in_held, held;
  logic [COLL-1:0]                         busy, load;
  logic [COLL_W-1:0]                       load_index;

  assign is_mem = is_valid_i && is_uop_i.dec.unit == isa_pkg::UNIT_MEM;
  assign is_gen = is_valid_i && is_uop_i.dec.unit != isa_pkg::UNIT_MEM;

  operand_map u_map (
    .fault_i (fault_i),
    .valid_i (is_gen),
    .uop_i   (is_uop_i),
    .can_o   (can),
    .keep_o  (keep),
    .reg_o   (place_reg),
    .hit_i   (hit),
    .need_o  (in_need),
    .side_o  (in_side),
    .tid_o   (in_tid),
    .wreg_o  (in_wreg),
    .ports_o (in_ports),
    .held_o  (in_held)
  );

  // The lowest free collector takes it.
  assign load = is_gen ? (~busy & (busy + COLL'(1))) : '0;

  always_comb begin
    op_free_gen_o = '0;
    load_index    = '0;
    for (int unsigned i = 0; i < COLL; i++) begin
      op_free_gen_o += 4'(!busy[i]);
      if (load[i]) load_index |= COLL_W'(i);
    end
  end

  // ---- collectors and arbitration ---------------------------------------------------------------------------
  logic [COLL-1:0]                           early, final_ask, early_grant, final_grant;
  logic [COLL-1:0]                           last;
  logic [WORDS-1:0][BANKS-1:0]               read  [COLL];
  logic [WORDS-1:0][GROUP_W-1:0]             group [COLL];
  logic [1:0]                                got   [COLL];
  logic [BEAT_W-1:0]                         beat  [COLL];
  logic [COLL:0][BANKS-1:0]                  want;
  logic                                      mem_load;
  logic [BANKS-1:0]                          mem_ask, mem_grant;
  logic [BANKS-1:0][GROUP_W-1:0]             mem_group;
  logic [BEAT_W-1:0]                         mem_beat;
  // Of each collector's instruction what is needed before its beats are dispatched.
  logic [COLL-1:0][BANKS-1:0]                ports_q;
  logic [COLL-1:0][back_pkg::PIPES-1:0]      pipe_q;
  logic [COLL-1:0][2:0]                      side_q;
  logic [COLL-1:0]                           tid_q;
  logic [COLL-1:0][cfg_pkg::WARP_W-1:0]      slot_q;

  for (genvar i = 0; i < COLL; i++) begin : gen_collector
    collector u_collector (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .load_i  (load[i]),
      .need_i  (in_need),
      .wreg_i  (in_wreg),
      .early_o (early[i]),
      .final_o (final_ask[i]),
      .read_o  (read[i]),
      .group_o (group[i]),
      .got_o   (got[i]),
      .beat_o  (beat[i]),
      .last_o  (last[i]),
      .busy_o  (busy[i]),
      .early_i (early_grant[i]),
      .final_i (final_grant[i])
    );

    assign want[i] = read[i][0] | read[i][1] | read[i][2] | read[i][3];

    always_ff @(posedge clk_i) begin
      if (load[i]) begin
        ports_q[i] <= in_ports;
        pipe_q[i]  <= in_held.pipe;
        side_q[i]  <= in_side;
        tid_q[i]   <= in_tid;
        slot_q[i]  <= is_uop_i.id.slot;
      end
    end
  end

  assign want[COLL] = mem_ask;
  assign op_ports_o = ports_q;
  assign op_pipe_o  = pipe_q;
  assign op_take_o  = final_grant;

  read_arbiter #(
    .COLL  (COLL),
    .BANKS (BANKS)
  ) u_arbiter (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .load_i  ({mem_load, load}),
    .final_i (final_ask & rs_ok_i),
    .early_i (early),
    .bank_i  (want),
    .final_o (final_grant),
    .early_o (early_grant),
    .mem_o   (mem_grant)
  );

  // ---- register file and side memories ----------------------------------------------------------------------
  // The collector whose beat is read to its end, and what arrives of it in the next cycle.
  logic [BANKS-1:0]                  rd_en;
  logic [BANKS-1:0][GROUP_W-1:0]     rd_group;
  logic [BANKS-1:0][BEAT_W-1:0]      rd_beat;
  logic [2:0]                        side_d, from_side_q;
  logic                              tid_d, last_d, last_q, final_q;
  logic [cfg_pkg::WARP_W-1:0]        slot_d;
  logic [BEAT_W-1:0]                 beat_d, beat_q;
  logic [WORDS-1:0][BANKS-1:0]       from_bank_d, from_bank_q;
  logic [1:0]                        from_early_d, from_early_q, early_d, early_q;
  logic [BANKS-1:0]                  early_bank_d, early_bank_q;
  logic [COLL_W-1:0]                 final_index_d, final_index_q;
  logic [BANKS-1:0][LANES-1:0][31:0] bank_data;
  logic [2:0][LANES-1:0][31:0]       reuse_data;
  logic [LANES-1:0][10:0]            tid_data;

  always_comb begin
    rd_en         = mem_grant;
    side_d        = '0;
    tid_d         = 1'b0;
    slot_d        = '0;
    beat_d        = '0;
    last_d        = 1'b0;
    from_bank_d   = '0;
    from_early_d  = '0;
    early_d       = '0;
    early_bank_d  = '0;
    final_index_d = '0;
    for (int unsigned b = 0; b < BANKS; b++) begin
      rd_group[b] = mem_grant[b] ? mem_group[b] : '0;
      rd_beat[b]  = mem_grant[b] ? mem_beat : '0;
    end
    `LANE_LOOP (int i = 0; i < COLL; i++) begin // kept as a loop: idle collectors cost a test
      if (final_grant[i] || early_grant[i]) begin
        rd_en |= want[i];
        for (int unsigned b = 0; b < BANKS; b++) begin
          if (want[i][b]) rd_beat[b] |= beat[i];
          for (int unsigned w = 0; w < WORDS; w++) begin
            if (read[i][w][b]) rd_group[b] |= group[i][w];
          end
        end
        if (final_grant[i]) begin
          side_d        |= side_q[i];
          tid_d         |= tid_q[i];
          slot_d        |= slot_q[i];
          beat_d        |= beat[i];
          last_d        |= last[i];
          from_bank_d   |= read[i];
          from_early_d  |= got[i];
          final_index_d |= COLL_W'(i);
        end
        if (early_grant[i]) begin
          early_d      |= {read[i][1] != '0, read[i][0] != '0};
          early_bank_d |= want[i];
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      final_q <= 1'b0;
      early_q <= '0;
    end else begin
      final_q <= final_grant != '0;
      early_q <= early_d;
    end
  end

  always_ff @(posedge clk_i) begin
    if (final_grant != '0) begin
      from_side_q   <= side_d;
      last_q        <= last_d;
      beat_q        <= beat_d;
      from_bank_q   <= from_bank_d;
      from_early_q  <= from_early_d;
      final_index_q <= final_index_d;
    end
    if (early_d != '0) early_bank_q <= early_bank_d;
  end

  regfile u_regfile (
    .clk_i      (clk_i),
    .rd_en_i    (rd_en),
    .rd_group_i (rd_group),
    .rd_beat_i  (rd_beat),
    .rd_data_o  (bank_data),
    .wr_en_i    (wb_wr_en_i),
    .wr_wreg_i  (wb_wr_wreg_i),
    .wr_beat_i  (wb_wr_beat_i),
    .wr_data_i  (wb_wr_data_i)
  );

  // What an instruction keeps until its beats leave. It may be replaced in the cycle in which its last beat arrives here.
  ram_async #(
    .WIDTH ($bits(back_pkg::held_t)),
    .DEPTH (COLL)
  ) u_held (
    .clk_i     (clk_i),
    .wr_en_i   (is_gen),
    .wr_addr_i (load_index),
    .wr_data_i (in_held),
    .rd_addr_i (final_index_q),
    .rd_data_o (held)
  );

  tid_rows u_tid_rows (
    .clk_i          (clk_i),
    .ct_tid_valid_i (ct_tid_valid_i),
    .ct_tid_slot_i  (ct_tid_slot_i),
    .ct_tid_beat_i  (ct_tid_beat_i),
    .ct_tid_x_i     (ct_tid_x_i),
    .ct_tid_y_i     (ct_tid_y_i),
    .ct_tid_z_i     (ct_tid_z_i),
    .tid_en_i       (tid_d),
    .tid_slot_i     (slot_d),
    .tid_beat_i     (beat_d),
    .tid_y_i        (held.tid_y),
    .tid_z_i        (held.tid_z),
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
    .rd_en_i       ({side_d[2], side_d[1] && !tid_d, side_d[0]}),
    .rd_slot_i     (slot_d),
    .rd_beat_i     (beat_d),
    .rd_data_o     (reuse_data),
    .op_valid_i    (op_valid_o),
    .op_slot_i     (op_dest_o.id.slot),
    .op_beat_i     (op_dest_o.beat[BEAT_W-1:0]),
    .op_last_i     (op_dest_o.last),
    .op_data_i     ({op_c_o, op_b_o, op_a_o}),
    .wr_valid_i    (wb_wr_valid_i),
    .wr_slot_i     (wb_wr_slot_i),
    .wr_rd_i       (wb_wr_rd_i)
  );

  // ---- dispatch ---------------------------------------------------------------------------------------------
  logic [2:0] op_rbar;

  dispatch u_dispatch (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .fault_i      (fault_i),
    .early_i      (early_q),
    .early_bank_i (early_bank_q),
    .final_i      (final_q),
    .held_i       (held),
    .beat_i       (beat_q),
    .last_i       (last_q),
    .from_bank_i  (from_bank_q),
    .from_early_i (from_early_q),
    .from_side_i  (from_side_q),
    .bank_data_i  (bank_data),
    .reuse_data_i (reuse_data),
    .tid_data_i   (tid_data),
    .op_valid_o   (op_valid_o),
    .op_dest_o    (op_dest_o),
    .op_ctl_o     (op_ctl_o),
    .op_rbar_o    (op_rbar),
    .op_used_o    (op_used_o),
    .op_a_o       (op_a_o),
    .op_b_o       (op_b_o),
    .op_c_o       (op_c_o),
    .op_x_o       (op_x_o),
    .op_ps0_o     (op_ps0_o),
    .op_ps1_o     (op_ps1_o),
    .op_ps2_o     (op_ps2_o)
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
    .ask_o          (mem_ask),
    .ask_group_o    (mem_group),
    .ask_beat_o     (mem_beat),
    .grant_i        (mem_grant),
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
  assign op_disp_slot_o  = {op_memop_o.id.slot, op_dest_o.id.slot};
  assign op_disp_rbar_o  = {mem_rbar, op_rbar};

  // Issue sends a general instruction only while a collector is free, a memory one while the queue has room.
  `ASSERT(a_room_gen, !is_gen || busy != '1)
  // A general instruction is legal, and has a pipe here or is a register branch.
  `ASSERT(a_unit, !is_gen || (is_uop_i.dec.legal && (in_held.pipe != '0 || is_uop_i.dec.unit == isa_pkg::UNIT_BR)))
  `ASSERT(a_room_mem, !is_mem || op_free_mem_o != '0)

  logic unused;
  assign unused = ^ct_start_i;

endmodule

`default_nettype wire
