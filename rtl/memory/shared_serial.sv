// SPDX-License-Identifier: Apache-2.0
// Shared memory, one word of one lane at a time, for a small machine (configuration: shared_lanes = 1): walk through the
// lanes, one memory of a word a cycle with one arithmetic, and the way back to result rows. Beats and lanes ascend: later ones
// see what earlier ones did. Cheap, since nothing stands four times and there is no crossbar: lane and word are chosen by the
// block RAM in which the queue's addresses and data lie (lib/ram_unpack).
// Latency: queue head to first result row two cycles and the steps of its beat (shm_walk); a step a cycle without gaps. With a rank
// between the queue's memory and the words (SHARED_RANKS) a cycle more.
// Handshake: as shared_parallel, with the same ports. Steps are planned from what the check writes; a cycle later the address
// of the lane and the word of its data are read.
// In order, also among warps. It does not check addresses and adds no floats.
module shared_serial #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned SHM_W  = mem_pkg::SHM_W
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  input  core_pkg::wipe_t                    wipe_i,
  // from address generation: a row of data
  input  logic                               ag_row_valid_i, // event
  input  logic [mem_pkg::QROW_W-1:0]         ag_row_i,      // of the queue
  input  logic [3:0][LANES-1:0][31:0]        ag_data_i,
  // from the check: rows of addresses, and the instruction with its last
  input  mem_pkg::judged_t                   ck_i,
  input  logic [mem_pkg::QROW_W-1:0]         ck_row_i,
  input  logic [LANES-1:0]                   ck_lanes_i,    // lanes of the row that execute here
  input  logic [LANES-1:0][SHM_W-1:0]        ck_addr_i,     // byte address, block's base included
  // the instruction that is judged, and the head of the queue
  /* verilator lint_off UNUSEDSIGNAL */                    // addresses are formed and judged: no pc, off, cbank
  input  core_pkg::memop_t                   ck_op_i,
  input  core_pkg::memop_t                   head_op_i,
  /* verilator lint_on UNUSEDSIGNAL */
  output logic [mem_pkg::BEAT_W-1:0]         gone_o,        // beats of the head that have been read, or are now
  output logic                               pop_o,
  // to the end of the unit
  output logic                               res_valid_o,
  input  logic                               res_ready_i,
  output mem_pkg::result_t                   res_o,
  output logic                               res_pair_o,    // its instruction has another part
  output logic [LANES-1:0][31:0]             res_data_o,
  output mem_pkg::bytes_t                    res_bytes_o,
  // retire port
  output logic                               ret_shared_valid_o,
  output retire_pkg::shared_t                ret_shared_o
);

  logic                       next;
  logic [mem_pkg::QROW_W-1:0] next_row;
  logic [$clog2(LANES)-1:0]   next_lane;
  logic [1:0]                 next_word;
  logic [SHM_W-1:0]           rd_addr;
  logic [31:0]                rd_data;
  logic                       hold, sent, wk_valid, wk_pop, ps_valid;
  logic [1:0]                 sent_words;
  mem_pkg::step_t             wk_step, ps_step;
  mem_pkg::word_t             sm_word;
  logic [LANES-1:0]           wk_grant, ps_grant;
  logic [mem_pkg::BEAT_W-1:0] wk_beat, ps_beat;
  logic [SHM_W-1:0]           ps_addr;
  logic [31:0]                ps_data, sm_rdata;

  // Written by rows, read by words.
  ram_unpack #(.WIDTH(SHM_W), .WORDS(LANES), .DEPTH(mem_pkg::QUEUE_DEPTH * mem_pkg::BEATS)) u_addr (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ck_i.valid),
    .wr_addr_i (ck_row_i),
    .wr_data_i (ck_addr_i),
    .rd_en_i   (next),
    .rd_addr_i (next_row),
    .rd_word_i (next_lane),
    .rd_data_o (rd_addr)
  );

  ram_unpack #(.WIDTH(32), .WORDS(4 * LANES), .DEPTH(mem_pkg::QUEUE_DEPTH * mem_pkg::BEATS)) u_data (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (ag_row_valid_i),
    .wr_addr_i (ag_row_i),
    .wr_data_i (ag_data_i),
    .rd_en_i   (next),
    .rd_addr_i (next_row),
    .rd_word_i ({next_word, next_lane}),
    .rd_data_o (rd_data)
  );

  shm_walk u_walk (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .ck_i           (ck_i),
    .ck_mem_i       (ck_op_i.mem),
    .ck_size_i      (ck_op_i.size),
    .ck_swap_i      (mem_pkg::is_atom(ck_op_i.mem) && ck_op_i.atom == atom_pkg::COMPARE_SWAP),
    .ck_turned_i    (core_pkg::is_matrix(ck_op_i.mem, ck_op_i.atom) && ck_op_i.atom == core_pkg::MATRIX_TURNED),
    .ck_lanes_i     (ck_lanes_i),
    .hold_i         (hold),
    .sent_o         (sent),
    .sent_words_o   (sent_words),
    .gone_o         (gone_o),
    .next_valid_o   (next),
    .next_row_o     (next_row),
    .next_lane_o    (next_lane),
    .next_word_o    (next_word),
    .ps_valid_o     (wk_valid),
    .ps_step_o      (wk_step),
    .ps_grant_o     (wk_grant),
    .ps_beat_o      (wk_beat),
    .pop_o          (wk_pop)
  );

  // The queue's head stays with the step that is at the words: it is popped as late as that comes.
  if (cfg_pkg::SHARED_RANKS == 0) begin : gen_at_once
    assign {ps_valid, pop_o}                = {wk_valid, wk_pop};
    assign {ps_step, ps_grant, ps_beat}   = {wk_step, wk_grant, wk_beat};
    assign {ps_addr, ps_data}             = {rd_addr, rd_data};
  end else begin : gen_rank
    always_ff @(posedge clk_i) begin
      if (!rst_ni) {ps_valid, pop_o} <= '0;
      else         {ps_valid, pop_o} <= {wk_valid, wk_pop};
    end
    always_ff @(posedge clk_i) begin
      {ps_step, ps_grant, ps_beat} <= {wk_step, wk_grant, wk_beat};
      {ps_addr, ps_data}           <= {rd_addr, rd_data};
    end
  end

  shm_word u_mem (
    .clk_i      (clk_i),
    .wipe_i     (wipe_i),
    .rst_ni     (rst_ni),
    .ps_valid_i (ps_valid),
    .ps_step_i  (ps_step),
    .ps_mem_i   (head_op_i.mem),
    .ps_atom_i  (head_op_i.atom),
    .ps_size_i  (head_op_i.size),
    .rd_addr_i  (ps_addr),
    .rd_data_i  (ps_data),
    .sm_rdata_o (sm_rdata),
    .sm_word_o  (sm_word)
  );

  retire_shared_words u_retire (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .ps_valid_i         (ps_valid),
    .ps_step_i          (ps_step),
    .ps_grant_i         (ps_grant),
    .ps_beat_i          (ps_beat),
    .ps_id_i            (head_op_i.id),
    .ps_mem_i           (head_op_i.mem),
    .sm_word_i          (sm_word),
    .sm_rdata_i         (sm_rdata),
    .ret_shared_valid_o (ret_shared_valid_o),
    .ret_shared_o       (ret_shared_o)
  );

  // ---- back to the lanes: each word goes into the ring as it comes, at the place of its lane and its register ------
  // Cheap, since a lane's memory is written with the one word that is there: no lane chooses among banks. LDSM: a row of a matrix is a
  // row of results, word by word; of a transposed matrix each word is two halves in neighbouring rows. A matrix is two beats, which
  // leave together. A word read in the step of cycle t is in the ring from t+2 on, and at res_ if it was its beat's last. The ring's
  // places, the instructions of its beats and the row in front are shm_results'.
  localparam int unsigned UNITS   = 16;                   // places of the ring: a beat takes one for each word, a store one
  localparam int unsigned PLACES  = 8;                    // that the rows of a matrix take
  localparam int unsigned PTR_W   = $clog2(UNITS);
  localparam int unsigned COUNT_W = $clog2(UNITS + 1);

  // The step here, and the word that is here: whether its beat is whole with it, where it goes, of a transposed matrix which half.
  logic                  matrix, turned, bk_last_q, bk_down_q, bk_up_q;
  logic [1:0]            lane, words, bk_sub_q;
  logic [LANES-1:0][1:0] en, bk_en_q;           // halves of lanes that are written
  logic [PTR_W-1:0]      bk_places_q;           // of its beat
  logic [2:0]            bk_place_q;
  logic [31:0]           word;
  // The ring, and the row in front.
  logic [COUNT_W-1:0]    owed;
  logic [PTR_W-1:0]      wr, rd, wr_place, rd_place;
  logic [2:0]            row_step;

  assign lane    = {ps_grant[3] | ps_grant[2], ps_grant[3] | ps_grant[1]};
  assign matrix  = core_pkg::is_matrix(head_op_i.mem, head_op_i.atom);
  assign turned  = matrix && head_op_i.atom == core_pkg::MATRIX_TURNED;
  assign words   = mem_pkg::is_store(head_op_i.mem) ? 2'd0
                   : (head_op_i.size == isa_pkg::SIZE_128) ? 2'd3 : (head_op_i.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;

  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      if (turned)      en[l] = {2{2'(l) == {ps_beat[0], lane[1]}}} & {lane[0], !lane[0]};
      else if (matrix) en[l] = {2{2'(l) == ps_step.number[1:0]}};
      else             en[l] = {2{ps_grant[l]}};
    end
  end

  always_ff @(posedge clk_i) begin
    bk_down_q   <= turned && ps_step.number[0];
    bk_up_q     <= turned && !ps_step.number[0];
    bk_place_q  <= (matrix && !turned) ? {ps_beat[0], lane} : ps_step.number;
    bk_places_q <= matrix ? PTR_W'(PLACES) : PTR_W'(words) + PTR_W'(1);
    bk_sub_q    <= ps_addr[1:0];
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      bk_last_q <= 1'b0;
      bk_en_q   <= '0;
    end else begin
      // The first beat of a matrix waits for the second one.
      bk_last_q <= ps_valid && ps_step.last && !(matrix && !ps_beat[0]);
      bk_en_q   <= (ps_valid && ps_step.gives) ? en : '0;
    end
  end

  assign word     = {bk_up_q ? sm_rdata[15:0] : sm_rdata[31:16], bk_down_q ? sm_rdata[31:16] : sm_rdata[15:0]};
  assign wr_place = wr + PTR_W'(bk_place_q);
  assign rd_place = rd + PTR_W'(row_step);

  for (genvar l = 0; l < LANES; l++) begin : gen_lane
    ram_live #(.WIDTH(32), .DEPTH(UNITS), .PARTS(2)) u_data (
      .clk_i     (clk_i),
      .wr_en_i   (bk_en_q[l]),
      .wr_addr_i (wr_place),
      .wr_data_i (word),
      .rd_live_i (res_valid_o),
      .rd_addr_i (rd_place),
      .rd_data_o (res_data_o[l])
    );
    // Which bytes of its word a lane wants lies beside it; what size it has is the instruction's.
    ram_live #(.WIDTH(2), .DEPTH(UNITS)) u_sub (
      .clk_i     (clk_i),
      .wr_en_i   (bk_en_q[l] != '0),
      .wr_addr_i (wr_place),
      .wr_data_i (bk_sub_q),
      .rd_live_i (res_valid_o),
      .rd_addr_i (rd_place),
      .rd_data_o (res_bytes_o.sub[l])
    );
  end

  // A pass begins where a matrix has room, of any kind.
  assign hold = owed > COUNT_W'(UNITS - PLACES);

  shm_results u_results (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .ps_valid_i    (ps_valid),
    .ps_pop_i      (pop_o),
    .ps_beat_i     (ps_beat),
    .ps_op_i       (head_op_i),
    .sent_i        (sent),
    .sent_places_i (COUNT_W'(sent_words) + COUNT_W'(1)),
    .owed_o        (owed),
    .wr_o          (wr),
    .push_i        (bk_last_q),
    .push_places_i (bk_places_q),
    .rd_o          (rd),
    .step_o        (row_step),
    .matrix_o      (),
    .turned_o      (),
    .res_valid_o   (res_valid_o),
    .res_ready_i   (res_ready_i),
    .res_o         (res_o),
    .res_pair_o    (res_pair_o),
    .res_size_o    (res_bytes_o.size)
  );

endmodule
