// SPDX-License-Identifier: Apache-2.0
// The registers behind the host's AXI4-Lite port: identity, what to launch, how it goes, how it ended, counters.
// Latency: that of axil_slave; start and abort act in the cycle in which the write of CONTROL takes effect.
// Handshake: AXI4-Lite towards the host, events and levels towards the control unit.
// It does not run anything. Without a queue launch registers do not change while a grid runs; unknown addresses read 0 and drop writes.
module host_regs #(
  parameter bit          STRAPS = 1'b0,   // 1: the machine has all scheduling policies and both divergence units
  parameter int unsigned DEPTH  = cfg_pkg::LAUNCH_QUEUE,   // launches that may wait
  localparam int unsigned SMS   = cfg_pkg::SMS   // of one, SM_SELECT and TRAP_SM are nothing: they are 0
) (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from and to the host
  input  axi_pkg::axil_req_t axil_i,
  output axi_pkg::axil_rsp_t axil_o,
  output logic              irq_o,
  // to and from the control unit
  output gpu_pkg::command_t command_o,
  output logic [line_pkg::LINE_W-1:0] base_o,    // range of its flush: lines
  output logic [line_pkg::LINE_W:0]   limit_o,
  output logic              waiting_o,   // launches wait
  output logic              next_ready_o,
  input  logic              free_i,
  input  logic              begin_i,
  input  gpu_pkg::state_t   state_i,
  // from the cache that SMs share: a write-back failed, of this line
  input  logic              lost_i,
  input  logic [line_pkg::LINE_W-1:0] lost_line_i,
  // the trap, and where it was
  input  gpu_pkg::where_t   where_i,
  // to and from the SMs
  input  logic [SMS-1:0][3:0]  region_index_i,   // range of a region, at once
  output logic [SMS-1:0][39:0] region_base_o,
  output logic [SMS-1:0][40:0] region_limit_o,
  output core_pkg::launch_t launch_o,
  output logic [3:0]        is_cnt_index_o,
  output logic              is_cnt_cache_o,
  input  logic [SMS-1:0][31:0] is_cnt_i,
  // to and from the mmu, where there is one
  output logic [mmu_pkg::ROOT_W-1:0] root_o,
  input  logic              sm_rst_ni,       // it is reset
  input  logic              runs_i,          // an exchange may begin
  output mmu_pkg::do_t      mu_do_o,
  input  logic              mu_taken_i,
  input  mmu_pkg::did_t     mu_did_i
);

  // Words that never change.
  function automatic logic [31:0][31:0] fixed();
    fixed = '0;
    fixed[host_regs_pkg::W_ID[4:0]]              = host_regs_pkg::ID;
    fixed[host_regs_pkg::W_VERSION[4:0]]         = host_regs_pkg::VERSION;
    fixed[host_regs_pkg::W_CAP_LANES[4:0]]       = cfg_pkg::LANES;
    fixed[host_regs_pkg::W_CAP_WARPS[4:0]]       = cfg_pkg::SM_WARPS;
    fixed[host_regs_pkg::W_CAP_REGS[4:0]]        = cfg_pkg::SM_REGS;
    fixed[host_regs_pkg::W_CAP_PARTS[4:0]]       = cfg_pkg::PARTITIONS;
    fixed[host_regs_pkg::W_CAP_SMS[4:0]]         = SMS;
    fixed[host_regs_pkg::W_CAP_SHARED[4:0]]      = cfg_pkg::SHARED_BYTES;
    fixed[host_regs_pkg::W_CAP_BLOCKS[4:0]]      = cfg_pkg::BLOCKS;
    fixed[host_regs_pkg::W_CAP_AXI_BITS[4:0]]    = cfg_pkg::AXI_BITS;
    fixed[host_regs_pkg::W_CFG_HASH[4:0]]        = cfg_pkg::CFG_HASH[31:0];
    fixed[host_regs_pkg::W_CFG_HASH_HI[4:0]]     = cfg_pkg::CFG_HASH[63:32];
    fixed[host_regs_pkg::W_ISA_HASH[4:0]]        = isa_pkg::ISA_HASH[31:0];
    fixed[host_regs_pkg::W_ISA_HASH_HI[4:0]]     = isa_pkg::ISA_HASH[63:32];
    fixed[host_regs_pkg::W_LATENCY_HASH[4:0]]    = cfg_pkg::LATENCY_HASH[31:0];
    fixed[host_regs_pkg::W_LATENCY_HASH_HI[4:0]] = cfg_pkg::LATENCY_HASH[63:32];
    fixed[host_regs_pkg::W_CAP_COUNTERS[4:0]]    = issue_pkg::NCNT;
    fixed[host_regs_pkg::W_CAP_L1[4:0]]          = cfg_pkg::L1_BYTES;
    fixed[host_regs_pkg::W_CAP_L2[4:0]]          = cfg_pkg::L2_BYTES;
    fixed[host_regs_pkg::W_CAP_QUEUE[4:0]]       = DEPTH;
    fixed[host_regs_pkg::W_CAP_UNITS[4:0]]       = cfg_pkg::UNITS;   // each has the bit of its unit
    fixed[host_regs_pkg::W_CAP_UNITS[4:0]][host_regs_pkg::CAP_UNITS_ASYNC] = cfg_pkg::HAS_ASYNC;
    fixed[host_regs_pkg::W_CAP_UNITS[4:0]][host_regs_pkg::CAP_UNITS_MMU] = cfg_pkg::MMU != 0;
    fixed[host_regs_pkg::W_CAP_UNITS[4:0]][host_regs_pkg::CAP_UNITS_FATOM] = cfg_pkg::HAS_FATOM;
    fixed[host_regs_pkg::W_CAP_UNITS[4:0]][host_regs_pkg::CAP_UNITS_ITS] = cfg_pkg::HAS_ITS || STRAPS;
    fixed[host_regs_pkg::W_CAP_UNITS[4:0]][host_regs_pkg::CAP_UNITS_SCHED] = STRAPS;
    fixed[host_regs_pkg::W_CAP_UNITS[4:0]][host_regs_pkg::CAP_UNITS_LOCAL] = 1'b1;
  endfunction
  localparam logic [31:0][31:0] FIXED = fixed();

  logic        launch_ready, ready, wr_valid, rd_valid;
  logic [9:0]  wr_word, rd_word;
  logic [31:0] wr_data, rd_data, rd_launch, rd_status, rd_trap;
  logic        look_q;         // rd_data is taken
  logic [31:0] cycles_hi_q;

  axil_slave u_port (
    .clk_i            (clk_i),
    .rst_ni           (rst_ni),
    .axil_i           (axil_i),
    .axil_o           (axil_o),
    .wr_valid_o       (wr_valid),
    .wr_word_o        (wr_word),
    .wr_data_o        (wr_data),
    .rd_valid_o       (rd_valid),
    .rd_word_o        (rd_word),
    .rd_data_i        (rd_data),
    .ready_i          (ready)
  );

  logic start, taken, drop, skip, flush, empty, keep, full;

  host_launch #(.N(SMS), .DEPTH(DEPTH), .FIXED(FIXED)) u_launch (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .ready_o    (launch_ready),
    .start_i    (start),
    .drop_i     (drop),
    .taken_o    (taken),
    .full_o     (full),
    .wr_valid_i (wr_valid),
    .wr_word_i  (wr_word),
    .wr_data_i  (wr_data),
    .rd_en_i    (rd_valid),
    .rd_word_i  (rd_word),
    .rd_data_o  (rd_launch),
    .running_i  (state_i.running),
    .free_i     (free_i),
    .begin_i    (begin_i),
    .next_ready_o(next_ready_o),
    .waiting_o  (waiting_o),
    .region_index_i(region_index_i),
    .region_base_o(region_base_o),
    .region_limit_o(region_limit_o),
    .launch_o   (launch_o),
    .root_o     (root_o)
  );

  // ---- CONTROL: ABORT wins, then SKIP -----------------------------------------------------------------------------------------
  logic control;

  assign control = wr_valid && wr_word == host_regs_pkg::W_CONTROL;
  assign drop  = control && wr_data[host_regs_pkg::CONTROL_ABORT];
  assign skip  = DEPTH > 0 && control && !drop && wr_data[host_regs_pkg::CONTROL_SKIP];
  assign start = control && !drop && !skip && wr_data[host_regs_pkg::CONTROL_START];
  assign flush = DEPTH > 0 && control && !drop && !skip && wr_data[host_regs_pkg::CONTROL_FLUSH];
  assign empty = DEPTH > 0 && control && !drop && !skip && wr_data[host_regs_pkg::CONTROL_EMPTY];

  assign command_o = '{start: taken, drop: drop, skip: skip, flush: flush, empty: empty, keep: keep};

  // ---- virtual memory ---------------------------------------------------------------------------------------------------------
  logic [31:0] rd_mmu, ended;

  if (cfg_pkg::MMU != 0) begin : gen_mmu
    host_mmu u_mmu (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .wr_valid_i (wr_valid),
      .wr_word_i  (wr_word),
      .wr_data_i  (wr_data),
      .control_i  (control && !drop && !skip),
      .rd_en_i    (rd_valid),
      .rd_word_i  (rd_word),
      .rd_data_o  (rd_mmu),
      .sm_rst_ni  (sm_rst_ni),
      .runs_i     (runs_i),
      .ended_i    (ended),
      .do_o       (mu_do_o),
      .taken_i    (mu_taken_i),
      .did_i      (mu_did_i)
    );
  end else begin : gen_no_mmu
    logic unused_mmu;
    assign rd_mmu     = '0;
    assign mu_do_o    = '0;
    assign unused_mmu = ^{sm_rst_ni, runs_i, mu_taken_i, mu_did_i};
  end

  // ---- what has ended, the interrupt --------------------------------------------------------------------------------------------
  logic [31:0] launches, rd_ended;
  localparam int unsigned IRQS = 3 + 32'(cfg_pkg::MMU != 0);
  logic [IRQS-1:0] irq_cause_q, irq_mask_q;
  logic        ended_told;

  if (DEPTH > 0) begin : gen_ended
    logic ended_hold;
    logic [39:7] base_q;
    logic [40:7] limit_q;
    logic        keep_q;

    host_ended u_ended (
      .clk_i      (clk_i),
      .rst_ni     (rst_ni),
      .taken_i    (taken),
      .drop_i     (drop),
      .ended_i    (state_i.ended),
      .how_i      (state_i.how),
      .cycles_i   (state_i.cycles),
      .hold_o     (ended_hold),
      .told_o     (ended_told),
      .launches_o (launches),
      .ended_o    (ended),
      .rd_en_i    (rd_valid),
      .rd_word_i  (rd_word),
      .rd_data_o  (rd_ended)
    );
    assign ready = launch_ready && !ended_hold;

    // The range of the shared cache's commands; read again from the launch registers' memory.
    always_ff @(posedge clk_i) begin
      if (!rst_ni) begin
        base_q  <= '0;
        limit_q <= '0;
        keep_q  <= 1'b0;
      end else if (wr_valid) begin
        if (wr_word == host_regs_pkg::W_CACHE_BASE)     base_q[31:7]   <= wr_data[31:7];
        if (wr_word == host_regs_pkg::W_CACHE_BASE_HI)  base_q[39:32]  <= wr_data[7:0];
        if (wr_word == host_regs_pkg::W_CACHE_LIMIT)    limit_q[31:7]  <= wr_data[31:7];
        if (wr_word == host_regs_pkg::W_CACHE_LIMIT_HI) limit_q[40:32] <= wr_data[8:0];
        if (wr_word == host_regs_pkg::W_CACHE_MODE)     keep_q         <= wr_data[host_regs_pkg::CACHE_MODE_KEEP];
      end
    end
    assign base_o  = base_q;
    assign limit_o = (limit_q == '0) ? {1'b1, {line_pkg::LINE_W{1'b0}}} : limit_q;
    assign keep    = keep_q;
  end else begin : gen_no_ended
    logic unused;
    assign ready      = launch_ready;
    assign ended_told = state_i.ended || (drop && state_i.running);
    assign launches   = '0;
    assign ended      = '0;
    assign rd_ended   = '0;
    assign base_o     = '0;
    assign limit_o    = {1'b1, {line_pkg::LINE_W{1'b0}}};
    assign keep     = 1'b0;
    assign unused     = &{1'b0, full, state_i.how[0], state_i.flushing, waiting_o};
  end

  // An event is in IRQ_CAUSE in the next cycle, on the line one later; one that comes as the host clears it stays.
  logic [IRQS-1:0] irq_event;
  assign irq_event = IRQS'({mu_did_i.fault_added, state_i.ended && state_i.how[2:1] != '0, state_i.idle, ended_told});

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      irq_cause_q <= '0;
      irq_mask_q  <= '0;
      irq_o       <= 1'b0;
    end else begin
      irq_cause_q <= (irq_cause_q & ~((wr_valid && wr_word == host_regs_pkg::W_IRQ_CAUSE) ? wr_data[IRQS-1:0] : '0)) | irq_event;
      if (wr_valid && wr_word == host_regs_pkg::W_IRQ_MASK) irq_mask_q <= wr_data[IRQS-1:0];
      irq_o       <= (irq_cause_q & irq_mask_q) != '0;
    end
  end

  // Reading the low word of the cycle counter keeps its high word for the next read.
  always_ff @(posedge clk_i) begin
    look_q <= rst_ni && rd_valid;
    if (look_q && rd_word == host_regs_pkg::W_CYCLES) cycles_hi_q <= state_i.cycles[63:32];
  end

  always_comb begin
    rd_status = '0;
    rd_status[host_regs_pkg::STATUS_RUNNING]    = state_i.running;
    rd_status[host_regs_pkg::STATUS_DONE]       = state_i.done;
    rd_status[host_regs_pkg::STATUS_TRAPPED]    = state_i.trapped;
    rd_status[host_regs_pkg::STATUS_REFUSED]    = state_i.refused;
    rd_status[host_regs_pkg::STATUS_DRAINING]   = state_i.draining;
    rd_status[host_regs_pkg::STATUS_DROPPED]    = state_i.dropped;
    rd_status[host_regs_pkg::STATUS_LOST]       = lost_i;
    rd_status[host_regs_pkg::STATUS_REFUSE+:4] = state_i.refuse;
    rd_status[host_regs_pkg::STATUS_FULL]       = DEPTH > 0 && full;
    rd_status[host_regs_pkg::STATUS_WAITING]    = DEPTH > 0 && waiting_o;
    rd_status[host_regs_pkg::STATUS_FLUSHING]   = DEPTH > 0 && state_i.flushing;
    if (cfg_pkg::MMU != 0) begin
      rd_status[host_regs_pkg::STATUS_INVALIDATING] = mu_did_i.invalidating;
      rd_status[host_regs_pkg::STATUS_EXCHANGING]   = mu_did_i.exchanging;
      rd_status[host_regs_pkg::STATUS_EXCHANGE_BAD] = mu_did_i.exchange_err;
    end
  end

  // ---- which SM is looked at: counters, a trap --------------------------------------------------------------------------------
  logic [31:0]     count;
  logic            trapped;    // it has the trap that counts

  if (SMS > 1) begin : gen_select
    logic [line_pkg::SM_W-1:0] select_q;

    always_ff @(posedge clk_i) begin
      if (!rst_ni) select_q <= '0;
      else if (wr_valid && wr_word == host_regs_pkg::W_SM_SELECT && wr_data < SMS) select_q <= line_pkg::SM_W'(wr_data);
    end
    assign count   = is_cnt_i[select_q];
    assign trapped = state_i.trapped && where_i.sm == select_q;
  end else begin : gen_one
    assign count   = is_cnt_i[0];
    assign trapped = state_i.trapped;
  end

  assign is_cnt_index_o = rd_word[3:0];
  assign is_cnt_cache_o = l1_pkg::THERE && rd_word[9:4] == host_regs_pkg::W_CACHE_COUNTER[9:4];

  // The SM keeps its trap until it is reset, which is when the next grid starts or this one is given up. Its whole words are chosen
  // apart from the narrow ones, of which the one that is read is left.
  logic [2:0]  wide;           // which of the whole words
  logic        is_wide;
  logic [31:0] rd_narrow, rd_run;
  logic [1:0]  kind;           // of the word that is read: narrow or none of these, of the run, a counter, of the trap

  always_comb begin
    is_wide = trapped;
    wide    = 3'd0;
    case (rd_word)
      host_regs_pkg::W_TRAP_LANES:   wide = 3'd0;
      host_regs_pkg::W_TRAP_CTAID_X: wide = 3'd1;
      host_regs_pkg::W_TRAP_CTAID_Y: wide = 3'd2;
      host_regs_pkg::W_TRAP_CTAID_Z: wide = 3'd3;
      host_regs_pkg::W_TRAP_ADDR:    wide = 3'd4;
      host_regs_pkg::W_TRAP_ADDR_HI: wide = 3'd5;
      host_regs_pkg::W_TRAP_SEQ:     wide = 3'd6;
      host_regs_pkg::W_TRAP_PC:      wide = 3'd7;
      default:                       is_wide = 1'b0;
    endcase
    rd_narrow = '0;
    case (rd_word)
      host_regs_pkg::W_TRAP_CAUSE:   if (trapped) rd_narrow = 32'(where_i.trap.cause);
      host_regs_pkg::W_TRAP_WARP:    if (trapped) rd_narrow = 32'(where_i.warp);
      host_regs_pkg::W_TRAP_SLOT:    if (trapped) rd_narrow = 32'({where_i.trap.id.gen, 8'(where_i.trap.id.slot)});
      host_regs_pkg::W_TRAP_SM:      if (SMS > 1 && state_i.trapped) rd_narrow = 32'(where_i.sm);   // whichever SM is looked at
      host_regs_pkg::W_LOST_ADDR:    if (l2_pkg::THERE && lost_i) rd_narrow = {lost_line_i[24:0], 7'd0};
      host_regs_pkg::W_LOST_ADDR_HI: if (l2_pkg::THERE && lost_i) rd_narrow = 32'(lost_line_i[line_pkg::LINE_W-1:25]);
      host_regs_pkg::W_LAUNCHES:     if (DEPTH > 0) rd_narrow = launches;
      host_regs_pkg::W_ENDED:        if (DEPTH > 0) rd_narrow = ended;
      host_regs_pkg::W_IRQ_CAUSE:    rd_narrow = 32'(irq_cause_q);
      host_regs_pkg::W_IRQ_MASK:     rd_narrow = 32'(irq_mask_q);
      default: ;
    endcase
    case (rd_word[1:0])
      host_regs_pkg::W_STATUS[1:0]: rd_run = rd_status;
      host_regs_pkg::W_CYCLES[1:0]: rd_run = state_i.cycles[31:0];
      default:                      rd_run = cycles_hi_q;
    endcase
    case (rd_word)
      host_regs_pkg::W_STATUS, host_regs_pkg::W_CYCLES, host_regs_pkg::W_CYCLES_HI: kind = 2'd1;
      default: kind = (rd_word[9:4] == host_regs_pkg::W_COUNTER[9:4] || is_cnt_cache_o) ? 2'd2 : is_wide ? 2'd3 : 2'd0;
    endcase
  end

  choice #(.WIDTH(32), .N(8)) u_trap (
    .live_i (look_q),
    .sel_i  (wide),
    .data_i ({where_i.trap.pc, where_i.trap.id.seq, where_i.trap.addr[63:32], where_i.trap.addr[31:0], where_i.ctaid,
              where_i.trap.lanes}),
    .also_i ('0),
    .data_o (rd_trap)
  );
  choice #(.WIDTH(32), .N(4)) u_read (
    .live_i (look_q),
    .sel_i  (kind),
    .data_i ({rd_trap, count, rd_run, rd_narrow}),
    .also_i (rd_launch | rd_ended | rd_mmu),   // 0 but for words of the launch, of virtual memory, and those that never change
    .data_o (rd_data)
  );

endmodule
