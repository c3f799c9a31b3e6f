// SPDX-License-Identifier: Apache-2.0
// The back half of an SM behind flat ports: instructions go in as raw words, structs come out field by field.
// Latency: none of its own.
// Handshake: as back.sv.
// It does not check anything; the bench plays issue, divergence and the load/store unit.
module back_tb #(
  localparam int unsigned SLOTS = core_pkg::SLOTS,
  localparam int unsigned LANES = cfg_pkg::LANES
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  output logic [31:0]                        cfg_lanes_o, cfg_warps_o, cfg_regs_o, cfg_banks_o, cfg_coll_o,
  output logic [31:0]                        cfg_lat_alu_o, cfg_lat_fma_o, cfg_lat_cvt_o, cfg_alu_passes_o, cfg_fma_passes_o,
                                             cfg_cvt_passes_o, cfg_queues_o, cfg_readers_o,
  // issue: an instruction that issues; of each reader the one with operands being read, of two the one in front
  input  logic                               is_pre_valid_i,
  input  logic [127:0]                       is_pre_word_i,
  input  logic [7:0]                         is_pre_slot_i,
  input  logic [15:0]                        is_pre_rbase_i,
  input  logic [1:0]                         is_valid_i,
  input  logic                               is_new_i,
  input  logic [1:0][127:0]                  is_word_i,
  input  logic [1:0][7:0]                    is_slot_i, is_gen_i,
  input  logic [1:0][31:0]                   is_seq_i, is_exec_i, is_ps0_i, is_ps1_i, is_ps2_i, is_sval_i,
  input  logic [1:0][15:0]                   is_rbase_i,
  output logic                               is_legal_o,
  output logic [1:0]                         op_ready_o,
  output logic                               op_hold_o,
  output logic [1:0]                         op_leave_o,
  output logic [1:0]                         op_disp_valid_o,
  output logic [1:0][7:0]                    op_disp_slot_o,
  output logic [1:0][2:0]                    op_disp_rbar_o,
  output logic [1:0]                         op_gone_o,       // of each row queue, or reader
  output logic [1:0]                         op_done_o,
  output logic [1:0][7:0]                    op_gone_slot_o,
  output logic [2:0][7:0]                    cfg_group_o,     // of pipes: where their ends are reported
  output logic [cfg_pkg::GROUPS-1:0]         done_valid_o,
  output logic [cfg_pkg::GROUPS-1:0][7:0]    done_slot_o,
  output logic [cfg_pkg::GROUPS-1:0][2:0]    done_wbar_o,
  // dispatcher
  input  logic                               ct_start_valid_i,
  input  logic [7:0]                         ct_start_slot_i,
  input  logic                               ct_tid_valid_i,
  input  logic [7:0]                         ct_tid_slot_i,
  input  logic [4:0]                         ct_tid_beat_i,
  input  logic [LANES-1:0][10:0]             ct_tid_x_i, ct_tid_y_i, ct_tid_z_i,
  // divergence
  output logic                               op_br_valid_o,
  output logic [7:0]                         op_br_slot_o,
  output logic [4:0]                         op_br_beat_o,
  output logic [core_pkg::BR_LANES-1:0][31:0] op_br_lo_o, op_br_hi_o,
  // load/store unit
  output logic                               op_mem_valid_o,
  input  logic                               op_mem_ready_i,
  output logic [7:0]                         op_mem_slot_o,
  output logic [31:0]                        op_mem_seq_o,
  output logic [3:0]                         op_mem_kind_o,
  output logic [5:0]                         op_mem_atom_o,
  output logic [2:0]                         op_mem_size_o, op_mem_wbar_o,
  output logic [23:0]                        op_mem_off_o,
  output logic [7:0]                         op_mem_rd_o,
  output logic [1:0]                         op_mem_rd_n_o,
  output logic [31:0]                        op_mem_exec_o,
  output logic [4:0]                         op_mem_beat_o,
  output logic [SLOTS-1:0][LANES-1:0][31:0]  op_mem_data_o,
  input  logic                               ls_wb_valid_i,
  output logic                               ls_wb_ready_o,
  input  logic [7:0]                         ls_wb_slot_i, ls_wb_gen_i,
  input  logic [31:0]                        ls_wb_seq_i,
  input  logic [7:0]                         ls_wb_rd_i,
  input  logic [15:0]                        ls_wb_rbase_i,
  input  logic [4:0]                         ls_wb_beat_i,
  input  logic [LANES-1:0]                   ls_wb_mask_i,
  input  logic [LANES-1:0][31:0]             ls_wb_data_i,
  // retire port
  output logic [1:0]                         ret_opg_valid_o,
  output logic                               ret_opm_valid_o,
  output logic [1:0][7:0]                    ret_opg_slot_o, ret_opg_gen_o, ret_opg_beat_o,
  output logic [7:0]                         ret_opm_slot_o, ret_opm_gen_o, ret_opm_beat_o,
  output logic [1:0][31:0]                   ret_opg_seq_o,
  output logic [31:0]                        ret_opm_seq_o,
  output logic [1:0][7:0]                    ret_opg_used_o,
  output logic [SLOTS-1:0]                   ret_opm_used_o,
  output logic [1:0][31:0]                   ret_opg_mask_o,
  output logic [LANES-1:0]                   ret_opm_mask_o,
  output logic [1:0][SLOTS-1:0][LANES-1:0][31:0] ret_opg_data_o,
  output logic [SLOTS-1:0][LANES-1:0][31:0]  ret_opm_data_o,
  output logic [3:0]                         ret_wb_valid_o,
  output logic [3:0][7:0]                    ret_wb_slot_o, ret_wb_gen_o,
  output logic [3:0][31:0]                   ret_wb_seq_o,
  output logic [3:0][7:0]                    ret_wb_rd_o, ret_wb_beat_o, ret_wb_bank_o,
  output logic [3:0][15:0]                   ret_wb_row_o,
  output logic [3:0][LANES-1:0]              ret_wb_mask_o,
  output logic [3:0][LANES-1:0][31:0]        ret_wb_data_o,
  output logic                               ret_pwb_valid_o,
  output logic [7:0]                         ret_pwb_slot_o, ret_pwb_gen_o,
  output logic [31:0]                        ret_pwb_seq_o,
  output logic [7:0]                         ret_pwb_beat_o,
  output logic [LANES-1:0]                   ret_pwb_mask_o, ret_pwb_d0_o, ret_pwb_d1_o,
  output logic [2:0]                         ret_pwb_pd0_o, ret_pwb_pd1_o
);

  localparam int unsigned W = cfg_pkg::WARP_W;

  retire_pkg::operands_t [1:0] opg;
  retire_pkg::operands_t    opm;
  retire_pkg::predicate_t   pwb;
  retire_pkg::write_t [retire_pkg::PORTS-1:0] wb;
  retire_pkg::back_valid_t  ret_valid;
  retire_pkg::back_ret_t    ret;

  assign opg             = ret.operands;
  assign opm             = ret.operands_memory;
  assign wb              = ret.write;
  assign pwb             = ret.predicate;
  assign ret_opg_valid_o = ret_valid.operands;
  assign ret_opm_valid_o = ret_valid.operands_memory;
  assign ret_wb_valid_o  = ret_valid.write;
  assign ret_pwb_valid_o = ret_valid.predicate;

  core_pkg::uop_t [1:0]     uop;
  core_pkg::start_t         start;
  core_pkg::result_t        row;
  core_pkg::done_t [cfg_pkg::GROUPS-1:0] done;
  front_pkg::operand_t      op;
  front_pkg::ends_t         ends;
  front_pkg::pred_write_t   pred;        // predicates one by one (R2P) and their rows (P2R) are not driven here
  front_pkg::pred_read_t    pred_read;
  bus_pkg::branch_t         br;
  bus_pkg::mem_beat_t       mem;
  logic                     done_hold;
  logic                     uni_valid;   // these machines have no uniform datapath
  exec_pkg::uni_write_t          uni;

  for (genvar k = 0; k < 2; k++) begin : gen_bus
    assign ret_opg_slot_o[k] = opg[k].id.slot;
    assign ret_opg_gen_o[k]  = opg[k].id.gen;
    assign ret_opg_seq_o[k]  = opg[k].id.seq;
    assign ret_opg_beat_o[k] = opg[k].beat;
    assign ret_opg_mask_o[k] = opg[k].mask;
  end
  assign ret_opm_slot_o = opm.id.slot;
  assign ret_opm_gen_o  = opm.id.gen;
  assign ret_opm_seq_o  = opm.id.seq;
  assign ret_opm_beat_o = opm.beat;
  assign ret_opm_mask_o = opm.mask[LANES-1:0];
  assign ret_pwb_slot_o = pwb.id.slot;
  assign ret_pwb_gen_o  = pwb.id.gen;
  assign ret_pwb_seq_o  = pwb.id.seq;
  assign ret_pwb_beat_o = pwb.beat;
  assign ret_pwb_mask_o = LANES'(pwb.value[0].mask & pwb.value[1].mask);
  assign ret_pwb_d0_o   = LANES'(pwb.value[0].data);
  assign ret_pwb_d1_o   = LANES'(pwb.value[1].data);
  assign ret_pwb_pd0_o  = pwb.used[0] ? 3'(pwb.value[0].index) : isa_pkg::PT;
  assign ret_pwb_pd1_o  = pwb.used[1] ? 3'(pwb.value[1].index) : isa_pkg::PT;
  // By operand word, as the bench has them.
  always_comb begin
    ret_opg_used_o = '0;
    for (int unsigned b = 0; b < 2; b++) ret_opg_data_o[b] = '0;
    ret_opm_used_o = '0;
    ret_opm_data_o = '0;
    for (int unsigned k = 0; k < retire_pkg::ROWS; k++) begin
      for (int unsigned b = 0; b < 2; b++) begin
        if (opg[b].used[k]) begin
          ret_opg_used_o[b][opg[b].index[k][2:0]] = 1'b1;
          ret_opg_data_o[b][opg[b].index[k][2:0]] = opg[b].data[k];
        end
      end
      if (opm.used[k]) begin
        ret_opm_used_o[opm.index[k][2:0]] = 1'b1;
        ret_opm_data_o[opm.index[k][2:0]] = opm.data[k];
      end
    end
  end
  always_comb begin
    for (int unsigned k = 0; k < retire_pkg::PORTS; k++) begin
      ret_wb_slot_o[k] = wb[k].id.slot;
      ret_wb_gen_o[k]  = wb[k].id.gen;
      ret_wb_seq_o[k]  = wb[k].id.seq;
      ret_wb_rd_o[k]   = wb[k].rd;
      ret_wb_beat_o[k] = wb[k].beat;
      ret_wb_bank_o[k] = wb[k].bank;
      ret_wb_row_o[k]  = wb[k].row;
      ret_wb_mask_o[k] = LANES'(wb[k].mask);
      ret_wb_data_o[k] = wb[k].data;
    end
  end

  assign cfg_lanes_o   = LANES;
  assign cfg_warps_o   = cfg_pkg::WARPS;
  assign cfg_regs_o    = cfg_pkg::REGS;
  assign cfg_banks_o   = cfg_pkg::BANKS;
  assign cfg_coll_o    = cfg_pkg::COLLECTORS;
  assign cfg_lat_alu_o = cfg_pkg::LATENCY_ALU;
  assign cfg_lat_fma_o = cfg_pkg::LATENCY_FMA;
  assign cfg_lat_cvt_o = cfg_pkg::LATENCY_CVT;
  assign cfg_alu_passes_o = cfg_pkg::ALU_PASSES;
  assign cfg_fma_passes_o = cfg_pkg::FMA_PASSES;
  assign cfg_cvt_passes_o = cfg_pkg::CVT_PASSES;
  assign cfg_queues_o = cfg_pkg::ROW_QUEUES;

  always_comb begin
    uop         = '0;
    for (int unsigned k = 0; k < 2; k++) begin
      uop[k].id.slot = W'(is_slot_i[k]);
      uop[k].id.gen  = is_gen_i[k];
      uop[k].id.seq  = is_seq_i[k];
      uop[k].word    = is_word_i[k];
      uop[k].dec     = isa_pkg::decode(is_word_i[k]);
      uop[k].exec    = is_exec_i[k];
      uop[k].ps0     = is_ps0_i[k];
      uop[k].ps1     = is_ps1_i[k];
      uop[k].ps2     = is_ps2_i[k];
      // The same once more as P1 and P2: without uniform predicates they are chosen from these.
      uop[k].preds[1] = is_ps1_i[k];
      uop[k].preds[2] = is_ps2_i[k];
      uop[k].dec.ps1  = 4'd1;
      uop[k].dec.ps2  = 4'd2;
      uop[k].sval    = is_sval_i[k];
      uop[k].sval_hi = ~is_sval_i[k];
      uop[k].rbase   = is_rbase_i[k];
    end
    start       = '0;
    start.slot  = W'(ct_start_slot_i);
    row         = '0;
    row.tag.id.slot = W'(ls_wb_slot_i);
    row.tag.id.gen  = ls_wb_gen_i;
    row.tag.id.seq  = ls_wb_seq_i;
    row.tag.to.rd      = ls_wb_rd_i;
    row.tag.rbase   = ls_wb_rbase_i;
    row.tag.beat    = ls_wb_beat_i;
    row.mask    = ls_wb_mask_i;
    row.data    = ls_wb_data_i;
    for (int unsigned p = 0; p < 3; p++) cfg_group_o[p] = 8'(cfg_pkg::PIPE_GROUP[p]);
    for (int unsigned i = 0; i < cfg_pkg::GROUPS; i++) begin
      done_slot_o[i] = 8'(done[i].slot);
      done_wbar_o[i] = done[i].to.wbar;
    end
  end

  assign done           = ends.fixed;
  assign done_valid_o   = ends.fixed_valid;
  assign cfg_readers_o  = core_pkg::READERS;
  assign op_ready_o     = 2'(op.ready);
  assign op_hold_o      = op.hold;
  assign op_leave_o     = op.leave[kind_pkg::QUEUE_MEM];   // of units there is no instruction
  assign op_disp_valid_o = 2'(op.disp_valid);
  always_comb begin
    op_disp_slot_o = '0;
    op_disp_rbar_o = '0;
    for (int unsigned k = 0; k < core_pkg::READERS; k++) begin
      op_disp_slot_o[k] = 8'(op.disp_slot[k]);
      op_disp_rbar_o[k] = op.disp_rbar[k];
    end
    op_gone_o      = '0;
    op_done_o      = '0;
    op_gone_slot_o = '0;
    for (int unsigned k = 0; k < core_pkg::LINES; k++) begin
      op_gone_o[k]      = op.gone[k];
      op_done_o[k]      = op.done[k];
      op_gone_slot_o[k] = 8'(op.gone_slot[k]);
    end
  end
  assign is_legal_o    = (!is_valid_i[0] || uop[0].dec.legal) && (!is_valid_i[1] || uop[1].dec.legal);
  assign op_br_valid_o = br.valid;
  assign op_br_slot_o  = 8'(br.slot);
  assign op_br_beat_o  = br.beat;
  assign op_br_lo_o    = br.lo;
  assign op_br_hi_o    = br.hi;
  assign op_mem_valid_o = mem.valid;
  assign op_mem_beat_o = mem.beat;
  assign op_mem_data_o = mem.data;
  assign op_mem_slot_o = 8'(mem.op.id.slot);
  assign op_mem_seq_o  = mem.op.id.seq;
  assign op_mem_kind_o = mem.op.mem;
  assign op_mem_size_o = mem.op.size;
  assign op_mem_atom_o = mem.op.atom;
  assign op_mem_wbar_o = mem.op.wbar;
  assign op_mem_off_o  = mem.op.off;
  assign op_mem_rd_o   = mem.op.rd;
  assign op_mem_rd_n_o = mem.op.rd_n;
  assign op_mem_exec_o = mem.op.exec;

  back u_back (
    .wipe_i('0),
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .part_i           ('0),
    .is_pre_i         ('{valid: is_pre_valid_i, slot: W'(is_pre_slot_i), rbase: is_pre_rbase_i,
                         dec: isa_pkg::decode(is_pre_word_i)}),
    .is_issued_i      ('{valid: is_valid_i[core_pkg::READERS-1:0], first: is_new_i, ctl: 1'b0}),
    .is_uop_i         (uop[core_pkg::READERS-1:0]),
    .op_o             (op),
    .wb_ends_o        (ends),
    .wb_pred_o        (pred),
    .op_pr_o          (pred_read),
    .pf_row_i         ('0),
    .ct_start_valid_i (ct_start_valid_i),
    .ct_start_i       (start),
    .ct_tid_valid_i   (ct_tid_valid_i),
    .ct_tid_i         ('{slot: W'(ct_tid_slot_i), beat: ct_tid_beat_i, x: ct_tid_x_i, y: ct_tid_y_i, z: ct_tid_z_i}),
    .op_br_o          (br),
    .op_mem_o         (mem),
    .op_mem_ready_i   (op_mem_ready_i),
    .ls_wb_i          ('{valid: ls_wb_valid_i, row: row}),
    .ls_wb_ready_o    (ls_wb_ready_o),
    .ls_end_i         ('0),
    .wb_hold_o        (done_hold),
    .lt_uni_valid_o   (uni_valid),
    .lt_uni_ready_i   (1'b1),
    .lt_uni_o         (uni),
    .ret_valid_o      (ret_valid),
    .ret_o            (ret)
  );

  logic unused;
  assign unused = ^{opg, opm, pwb, wb, mem, done, ends, pred, pred_read, op, done_hold, uni_valid, uni, is_slot_i,
                    is_pre_slot_i, ct_start_slot_i, ct_tid_slot_i, ls_wb_slot_i, uop, is_valid_i};

endmodule
