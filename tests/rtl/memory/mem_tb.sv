// SPDX-License-Identifier: Apache-2.0
// mem_top with its structs taken apart into plain ports, for the C++ bench.
// Latency, handshake: those of mem_top. The numbers of the configuration are outputs (cfg_*_o).
// It adds no logic. Arrays stay packed: element i of width w is at bit i * w.
module mem_tb #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned WARP_W = cfg_pkg::SM_WARP_W
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic                invalidate_i,
  // configuration
  output logic [31:0]         cfg_lanes_o,
  output logic [31:0]         cfg_warps_o,
  output logic [31:0]         cfg_shared_o,
  output logic [31:0]         cfg_banks_o,
  output logic [31:0]         cfg_pass_o,      // lanes of a pass of shared memory
  output logic [31:0]         cfg_rank_o,      // registers behind its words, for atomics
  output logic [31:0]         cfg_axi_o,
  output logic [31:0]         cfg_tags_o,
  output logic [31:0]         cfg_atoms_o,
  output logic [31:0]         cfg_lines_o,
  output logic [31:0]         cfg_gslots_o,
  // launch, start
  input  logic [23:0]         shared_bytes_i,
  input  logic [39:0]         code_base_i,
  input  logic [31:0]         code_bytes_i,
  input  logic [3:0][39:0]    cbank_base_i,
  input  logic [3:0][16:0]    cbank_bytes_i,
  input  logic [15:0][39:0]   region_base_i,
  input  logic [15:0][40:0]   region_limit_i,
  input  logic [15:0]         region_write_i,
  input  logic [39:0]         local_base_i,
  input  logic [19:0]         local_bytes_i,
  input  logic                start_valid_i,
  input  logic [WARP_W-1:0]   start_slot_i,
  input  logic [23:0]         start_shm_base_i,
  // fetch, constants
  input  logic                if_req_valid_i,
  output logic                if_req_ready_o,
  input  logic [31:0]         if_req_pc_i,
  input  logic [core_pkg::SM_FETCH_TAG_W-1:0] if_req_tag_i,
  output logic                ic_rsp_valid_o,
  output logic [cfg_pkg::FETCH_WORDS-1:0][127:0] ic_rsp_word_o,
  output logic                ic_rsp_err_o,
  output logic [core_pkg::SM_FETCH_TAG_W-1:0] ic_rsp_tag_o,
  input  logic                if_cst_valid_i,
  output logic                if_cst_ready_o,
  input  logic [4:0]          if_cst_bank_i,
  input  logic [15:0]         if_cst_off_i,
  input  logic [core_pkg::SM_CST_TAG_W-1:0] if_cst_tag_i,
  output logic                cc_cst_valid_o,
  output logic [31:0]         cc_cst_data_o,
  output logic                cc_cst_range_o,
  output logic                cc_cst_err_o,
  output logic [core_pkg::SM_CST_TAG_W-1:0] cc_cst_tag_o,
  // operand
  input  logic                op_valid_i,
  output logic                op_ready_o,
  input  logic [WARP_W-1:0]   op_slot_i,
  input  logic [7:0]          op_gen_i,
  input  logic [31:0]         op_seq_i,
  input  logic [31:0]         op_pc_i,
  input  logic [3:0]          op_mem_i,
  input  logic [5:0]          op_atom_i,
  input  logic [2:0]          op_size_i,
  input  logic [23:0]         op_off_i,
  input  logic [4:0]          op_cbank_i,
  input  logic [7:0]          op_rd_i,
  input  logic [1:0]          op_rd_n_i,
  input  logic [2:0]          op_wbar_i,
  input  logic [31:0]         op_exec_i,
  input  logic [15:0]         op_rbase_i,
  input  logic [4:0]          op_beat_i,
  input  logic [5:0][LANES-1:0][31:0] op_data_i,
  // late results
  output logic                late_valid_o,
  input  logic                late_ready_i,
  output logic [WARP_W-1:0]   late_slot_o,
  output logic [7:0]          late_gen_o,
  output logic [31:0]         late_seq_o,
  output logic                late_is_row_o,
  output logic                late_uni_o,
  output logic [15:0]         late_rbase_o,
  output logic [1:0]          late_word_o,
  output logic [4:0]          late_row_o,
  output logic                late_last_o,
  output logic [2:0]          late_wbar_o,
  output logic                late_has_rd_o,
  output logic [7:0]          late_rd_o,
  output logic [1:0]          late_rd_n_o,
  output logic [LANES-1:0]    late_mask_o,
  output logic [LANES-1:0][31:0] late_data_o,
  // issue
  output logic                checked_valid_o,
  output logic [WARP_W-1:0]   checked_slot_o,
  output logic                trap_valid_o,
  output logic [3:0]          trap_cause_o,
  output logic [WARP_W-1:0]   trap_slot_o,
  output logic [7:0]          trap_gen_o,
  output logic [31:0]         trap_seq_o,
  output logic [31:0]         trap_pc_o,
  output logic [31:0]         trap_lanes_o,
  output logic [63:0]         trap_addr_o,
  // retire port
  output logic                shm_valid_o,
  output logic [7:0]          shm_slot_o,
  output logic [7:0]          shm_gen_o,
  output logic [31:0]         shm_seq_o,
  output logic [1:0]          shm_kind_o,
  output logic [31:0]         shm_lanes_o,
  output logic [mem_pkg::SHM_BANKS-1:0] shm_bank_en_o,
  output logic [mem_pkg::SHM_BANKS-1:0][15:0] shm_row_o,
  output logic [mem_pkg::SHM_BANKS-1:0][3:0] shm_wstrb_o,
  output logic [mem_pkg::SHM_BANKS-1:0][31:0] shm_wdata_o,
  output logic [mem_pkg::SHM_BANKS-1:0][31:0] shm_rdata_o,
  // pages of global memory: the launch, and the mmu
  input  logic                pages_i,
  input  logic                fault_trap_i,
  input  logic [7:0]          space_i,
  input  logic                halt_i,
  output logic                ask_valid_o,
  input  logic                ask_ready_i,
  output logic [7:0]          ask_space_o,
  output logic [63:0]         ask_page_o,
  output logic                ask_write_o,
  output logic                ask_lists_o,
  output logic [7:0]          ask_who_o,
  output logic                read_valid_o,    // of code and constants
  input  logic                read_ready_i,
  output logic [7:0]          read_space_o,
  output logic [63:0]         read_page_o,
  output logic [7:0]          read_who_o,
  input  logic                answer_valid_i,
  input  logic                answer_read_i,   // to those
  input  logic [7:0]          answer_space_i,
  input  logic [63:0]         answer_page_i,
  input  logic [7:0]          answer_who_i,
  input  logic                answer_fault_i,
  input  logic [1:0]          answer_kind_i,
  input  logic                answer_lists_i,
  input  logic [31:0]         answer_frame_i,
  input  logic                answer_big_i,
  input  logic                answer_stores_i,
  input  logic                replay_i,
  input  logic                fail_i,
  input  logic                forgets_i,
  input  logic [1:0]          forget_what_i,   // all pages, all spaces
  input  logic [7:0]          forget_space_i,
  input  logic [63:0]         forget_page_i,
  output logic [1:0]          forgotten_o,
  // the request channel (line_plain)
  output logic                lw_valid_o,
  output logic                lw_atom_o,
  output logic [4:0]          lw_lane_o,
  output logic [4:0]          lw_place_o,
  output logic [1:0]          lw_piece_o,
  output logic [7:0]          lw_beat_o,
  output logic [line_pkg::BYTES-1:0] lw_strb_o,
  output logic [line_pkg::BITS-1:0] lw_data_o,
  output logic                lq_valid_o,
  output logic [7:0]          lq_sm_o,
  output logic [15:0]         lq_tag_o,
  output logic [2:0]          lq_kind_o,
  output logic [1:0]          lq_scope_o,
  output logic [63:0]         lq_line_o,
  output logic [3:0]          lq_sectors_o,
  output logic [5:0]          lq_op_o,
  output logic                lq_wide_o,
  output logic                lq_gives_o,
  output logic [7:0]          lq_slot_o,
  output logic [7:0]          lq_gen_o,
  output logic [31:0]         lq_seq_o,
  output logic [31:0]         lq_lanes_o,
  output logic [63:0]         lq_at_o,
  output logic                lq_local_o,
  output logic [31:0]         lq_word_o,
  input  logic                lc_valid_i,
  input  logic                lc_atom_i,
  input  logic                ld_valid_i,
  input  logic [15:0]         ld_tag_i,
  input  logic [7:0]          ld_beat_i,
  input  logic [line_pkg::BITS-1:0] ld_data_i,
  input  logic                la_valid_i,
  output logic                la_ready_o,
  input  logic [15:0]         la_tag_i,
  input  logic                la_done_i,
  input  logic                la_err_i,
  input  logic [4:0]          la_lane_i,
  input  logic [63:0]         la_old_i
);

  retire_pkg::shared_t shm;
  assign shm_slot_o    = shm.id.slot;
  assign shm_gen_o     = shm.id.gen;
  assign shm_seq_o     = shm.id.seq;
  assign shm_kind_o    = 2'(shm.access);
  assign shm_lanes_o   = shm.lanes;
  assign shm_bank_en_o = shm.bank_en[mem_pkg::SHM_BANKS-1:0];
  assign shm_row_o     = shm.row;
  assign shm_wdata_o   = shm.wdata;
  assign shm_rdata_o   = shm.rdata;
  for (genvar b = 0; b < mem_pkg::SHM_BANKS; b++) begin : gen_strobe
    assign shm_wstrb_o[b] = shm.wstrb[b][3:0];
  end

  logic unused_records;
  assign unused_records = ^shm;

  core_pkg::launch_t launch;
  logic [3:0]        region_index;
  core_pkg::start_t  start;
  core_pkg::memreq_t req;
  core_pkg::late_t   late;
  core_pkg::trap_t   trap;

  assign cfg_lanes_o  = LANES;
  assign cfg_warps_o  = cfg_pkg::SM_WARPS;
  assign cfg_shared_o = cfg_pkg::SHARED_BYTES;
  assign cfg_banks_o  = mem_pkg::SHM_BANKS;
  assign cfg_pass_o   = cfg_pkg::SHARED_LANES;
  assign cfg_rank_o   = cfg_pkg::SHARED_RANKS;
  assign cfg_axi_o    = line_pkg::BITS;
  assign cfg_tags_o   = line_pkg::TAGS;
  assign cfg_atoms_o  = line_pkg::ATOMS;
  assign cfg_lines_o  = line_pkg::LINES;
  assign cfg_gslots_o = mem_pkg::GSLOTS;

  always_comb begin
    launch = '0;
    launch.shared_bytes = shared_bytes_i;
    launch.code_base    = code_base_i;
    launch.code_bytes   = code_bytes_i;
    launch.cbank_base   = cbank_base_i;
    launch.cbank_bytes  = cbank_bytes_i;
    launch.region_write = region_write_i;
    launch.local_base   = local_base_i;
    launch.local_bytes  = local_bytes_i;
    launch.pages        = pages_i;
    launch.fault_trap   = fault_trap_i;
    launch.space        = space_i;
    start = '0;
    start.slot     = start_slot_i;
    start.shm_base = start_shm_base_i;
    req.op.id.slot  = op_slot_i;
    req.op.id.gen   = op_gen_i;
    req.op.id.seq   = op_seq_i;
    req.op.pc       = op_pc_i;
    req.op.mem      = isa_pkg::mem_e'(op_mem_i);
    req.op.atom     = op_atom_i;
    req.op.pair     = 1'b0;
    req.op.size     = op_size_i;
    req.op.off      = op_off_i;
    req.op.cbank    = op_cbank_i;
    req.op.rd       = op_rd_i;
    req.op.rd_n     = op_rd_n_i;
    req.op.wbar     = op_wbar_i;
    req.op.exec     = op_exec_i;
    req.op.rbase    = op_rbase_i;
    req.row         = op_beat_i;
    req.data        = op_data_i;
  end

  assign late_slot_o   = late.tag.id.slot;
  assign late_gen_o    = late.tag.id.gen;
  assign late_seq_o    = late.tag.id.seq;
  assign late_is_row_o = late.tag.row;
  assign late_uni_o    = late.tag.to.uni;
  assign late_rbase_o  = late.tag.rbase;
  assign late_word_o   = late.tag.word;
  assign late_row_o    = late.tag.beat;
  assign late_last_o   = late.tag.last;
  assign late_wbar_o   = late.tag.to.wbar;
  assign late_has_rd_o = late.tag.to.has_rd;
  assign late_rd_o     = late.tag.to.rd;
  assign late_rd_n_o   = late.tag.to.rd_n;
  assign late_mask_o   = late.mask;
  assign late_data_o   = late.data;
  assign trap_cause_o = trap.cause;
  assign trap_slot_o  = trap.id.slot;
  assign trap_gen_o   = trap.id.gen;
  assign trap_seq_o   = trap.id.seq;
  assign trap_pc_o    = trap.pc;
  assign trap_lanes_o = trap.lanes;
  assign trap_addr_o  = trap.addr;

  line_pkg::sent_t     sent;
  line_pkg::got_t      got;
  line_pkg::note_t     note;
  line_pkg::lsu_got_t  mt_got;

  sm_pkg::group_t      group;
  sm_pkg::const_word_t constant;
  sm_pkg::checks_t     checks;
  assign ic_rsp_word_o   = group.word;
  assign ic_rsp_err_o    = group.err != '0;
  assign cc_cst_data_o   = constant.data;
  assign cc_cst_range_o  = constant.range;
  assign cc_cst_err_o    = constant.err != '0;
  assign checked_valid_o = checks.checked_valid;
  assign checked_slot_o  = checks.checked_slot;
  assign trap_valid_o    = checks.trap_valid;
  assign trap            = checks.trap;

  logic [1:0]          ask_valid, forgotten;
  mmu_pkg::ask_t [1:0] ask;
  mmu_pkg::answer_t    answer;
  mmu_pkg::news_t      news;

  assign ask_valid_o = ask_valid[0];
  assign ask_space_o = ask[0].space;
  assign ask_page_o  = 64'(ask[0].page);
  assign ask_write_o = ask[0].write;
  assign ask_lists_o = ask[0].lists;
  assign ask_who_o   = 8'(ask[0].who);
  assign forgotten_o = forgotten;
  assign read_valid_o = ask_valid[1];
  assign read_space_o = ask[1].space;
  assign read_page_o  = 64'(ask[1].page);
  assign read_who_o   = 8'(ask[1].who);
  assign answer = '{space: answer_space_i, page: mmu_pkg::PAGE_W'(answer_page_i), who: mmu_pkg::WHO_W'(answer_who_i),
    fault: answer_fault_i, kind: mmu_pkg::kind_e'(answer_kind_i), lists: answer_lists_i,
    leaf: '{frame: mmu_pkg::FRAME_W'(answer_frame_i), big: answer_big_i, shared: 1'b0, stores: answer_stores_i}};
  assign news = '{replay: replay_i, fail: fail_i, forgets: forgets_i, forget: '{all_pages: forget_what_i[0], all_spaces: forget_what_i[1],
    space: forget_space_i, page: mmu_pkg::PAGE_W'(forget_page_i)}};

  logic unused_paging, unused_quiet;
  assign unused_paging = ^{ask[1], answer_page_i, answer_who_i, answer_frame_i, forget_page_i};

  mem_top u_mem (
    .clk_i              (clk_i),
    .wipe_i             ('0),
    .rst_ni             (rst_ni),
    .sm_i               (8'd0),
    .launch_i           (launch),
    .region_index_o     (region_index),
    .region_base_i      (region_base_i[region_index]),
    .region_limit_i     (region_limit_i[region_index]),
    .invalidate_i       (invalidate_i),
    .ct_start_valid_i   (start_valid_i),
    .ct_start_i         (start),
    .if_req_valid_i     (if_req_valid_i),
    .if_req_ready_o     (if_req_ready_o),
    .if_req_pc_i        (if_req_pc_i),
    .if_req_tag_i       (if_req_tag_i),
    .ic_rsp_valid_o     (ic_rsp_valid_o),
    .ic_rsp_o           (group),
    .ic_rsp_tag_o       (ic_rsp_tag_o),
    .if_cst_valid_i     (if_cst_valid_i),
    .if_cst_ready_o     (if_cst_ready_o),
    .if_cst_i           ('{bank: if_cst_bank_i, off: if_cst_off_i}),
    .if_cst_tag_i       (if_cst_tag_i),
    .cc_cst_valid_o     (cc_cst_valid_o),
    .cc_cst_o           (constant),
    .cc_cst_tag_o       (cc_cst_tag_o),
    .op_req_valid_i     (op_valid_i),
    .op_req_ready_o     (op_ready_o),
    .op_req_i           (req),
    .ls_late_valid_o    (late_valid_o),
    .ls_late_ready_i    (late_ready_i),
    .ls_late_o          (late),
    .ls_o               (checks),
    .tl_ask_valid_o     (ask_valid),
    .mu_ask_ready_i     ({read_ready_i, ask_ready_i}),
    .tl_ask_o           (ask),
    .mu_answer_valid_i  ({answer_valid_i && answer_read_i, answer_valid_i && !answer_read_i}),
    .mu_answer_i        (answer),
    .mu_news_i          (news),
    .tl_forgotten_o     (forgotten),
    .sm_halt_i          (halt_i),
    .tl_quiet_o         (unused_quiet),
    .ret_shared_valid_o (shm_valid_o),
    .ret_shared_o       (shm),
    .ch_o               (sent),
    .note_o             (note),
    .ch_i               (mt_got)
  );

  assign mt_got = '{lc_valid: got.lc_valid, lc_atom: got.lc_atom, ld_valid: got.ld_valid, ld: line_pkg::back_of(got.ld),
    la_valid: got.la_valid, la: got.la};
  line_plain u_plain (
    .ch_i       (sent),
    .note_i     (note),
    .ch_o       (got),
    .lw_valid_o   (lw_valid_o),
    .lw_atom_o    (lw_atom_o),
    .lw_lane_o    (lw_lane_o),
    .lw_place_o   (lw_place_o),
    .lw_piece_o   (lw_piece_o),
    .lw_beat_o    (lw_beat_o),
    .lw_strb_o    (lw_strb_o),
    .lw_data_o    (lw_data_o),
    .lq_valid_o   (lq_valid_o),
    .lq_sm_o      (lq_sm_o),
    .lq_tag_o     (lq_tag_o),
    .lq_kind_o    (lq_kind_o),
    .lq_scope_o   (lq_scope_o),
    .lq_line_o    (lq_line_o),
    .lq_sectors_o (lq_sectors_o),
    .lq_op_o      (lq_op_o),
    .lq_wide_o    (lq_wide_o),
    .lq_gives_o   (lq_gives_o),
    .lq_slot_o    (lq_slot_o),
    .lq_gen_o     (lq_gen_o),
    .lq_seq_o     (lq_seq_o),
    .lq_lanes_o   (lq_lanes_o),
    .lq_at_o      (lq_at_o),
    .lq_local_o   (lq_local_o),
    .lq_word_o    (lq_word_o),
    .lc_valid_i   (lc_valid_i),
    .lc_atom_i    (lc_atom_i),
    .ld_valid_i   (ld_valid_i),
    .ld_tag_i     (ld_tag_i),
    .ld_beat_i    (ld_beat_i),
    .ld_data_i    (ld_data_i),
    .la_valid_i   (la_valid_i),
    .la_ready_o   (la_ready_o),
    .la_tag_i     (la_tag_i),
    .la_done_i    (la_done_i),
    .la_err_i     (la_err_i),
    .la_lane_i    (la_lane_i),
    .la_old_i     (la_old_i)
  );

endmodule
