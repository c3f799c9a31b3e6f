// SPDX-License-Identifier: Apache-2.0
// Point of order of global memory: a table of outstanding sector transactions; a request waits,
// and those behind it, while its sector is busy. Loads read, stores write, atomics read, add in
// gmem_atom and write back. Each transaction's record (ret_global) is shown when it has taken
// effect. Latency: two cycles to the AXI master, two from its answer to the answer here. One
// sector a cycle. Handshake: valid/ready everywhere; read beats and write acknowledgements are
// events. The bytes of a store come before or with its request, into the RAM entry that the
// request will take.
// Sectors of local memory are told apart by warp slot and word (mem_pkg::KEY_W), and placed in memory here; they wait while
// gmem_place learns where (a cycle for each warp slot after a launch).
// It does not cache and does not merge requests. A failed transaction has no record; its answer
// carries err.
`default_nettype none
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module gmem #(
  localparam int unsigned LANES    = cfg_pkg::LSU_LANES,
  localparam int unsigned ENTRIES  = mem_pkg::ENTRIES,
  localparam int unsigned ENTRY_W  = mem_pkg::ENTRY_W,
  localparam int unsigned SECTOR_W = mem_pkg::SECTOR_W,
  localparam int unsigned AXI_BITS = mem_pkg::AXI_BITS,
  localparam int unsigned ST_BITS  = mem_pkg::ST_BITS
) (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [7:0]                  fault_i,
  // from the host: where local memory lies, from launch_i (an event) on
  input  logic                        launch_i,
  input  logic [SECTOR_W-1:0]         local_base_i,    // its first sector
  input  logic [19:0]                 local_bytes_i,   // of a thread
  // from the load/store unit
  input  logic                        rq_valid_i,
  output logic                        rq_ready_o,
  input  mem_pkg::greq_t              rq_i,
  input  logic                        st_valid_i,      // bytes for the store that is asked for next
  output logic                        st_ready_o,
  input  logic [31:0]                 st_strb_i,
  input  mem_pkg::piece_t             st_piece_i,      // the same, of 32 or 64 bits
  input  logic [ST_BITS-1:0]          st_data_i,       // at every place of the sector where it fits
  input  logic                        ag_row_valid_i,  // event: the request of an atomic, and its place: by gslot and row
  input  logic [mem_pkg::GROW_W-1:0]  ag_row_i,
  input  core_pkg::memreq_t           ag_req_i,
  input  logic                        ck_row_valid_i,  // and their words
  input  logic [mem_pkg::GROW_W-1:0]  ck_row_i,
  input  logic [LANES-1:0][2:0]       ck_word_i,
  // to the load/store unit
  output logic                        gm_valid_o,
  input  logic                        gm_ready_i,
  input  logic                        gm_one_ready_i,  // the same of an atomic's answer
  output logic                        gm_next_o,       // event: the finished part that answers from the next cycle on is another
  output logic [mem_pkg::BEATS-1:0]   gm_next_rows_o,  // rows with lanes that it gives something
  output logic [mem_pkg::GSLOT_W-1:0] gm_next_slot_o,  // of its instruction
  output logic [mem_pkg::BEAT_W-1:0]  gm_next_beat_o,  // its first row
  input  logic                        gm_read_i,       // event: words for the lanes of a row, in the next cycle
  input  logic                        gm_here_i,       // of the part in front, not of the one that comes
  input  logic [LANES-1:0][2:0]       gm_at_i,
  output logic [LANES-1:0][31:0]      gm_words_o,
  output mem_pkg::grsp_t              gm_rsp_o,
  // to the AXI master
  output logic                        ard_valid_o,
  input  logic                        ard_ready_i,
  output logic [ENTRY_W-1:0]          ard_entry_o,
  output logic [SECTOR_W-1:0]         ard_sector_o,
  output logic                        awr_valid_o,
  input  logic [mem_pkg::AXI_CNT_W-1:0] awr_beat_i,    // the piece that the master reads, of this entry
  input  logic                        awr_ready_i,     // it is through with it
  output logic [ENTRY_W-1:0]          awr_entry_o,
  output logic [SECTOR_W-1:0]         awr_sector_o,
  output logic [31:0]                 awr_strb_o,
  output logic [255:0]                awr_data_o,
  // from the AXI master
  input  logic                        ax_r_valid_i,   // event: a data beat of this entry
  input  logic [ENTRY_W-1:0]          ax_r_entry_i,
  input  logic [mem_pkg::AXI_CNT_W-1:0] ax_r_beat_i,
  input  logic                        ax_r_last_i,
  input  logic [AXI_BITS-1:0]         ax_r_data_i,
  input  logic                        ax_r_err_i,
  input  logic                        ax_b_valid_i,   // event
  input  logic [ENTRY_W-1:0]          ax_b_entry_i,
  input  logic                        ax_b_err_i,
  // to and from the adder of floats, where there is one
  output atom_pkg::add_req_t          add_req_o,
  input  logic                        add_done_i,
  input  logic [63:0]                 add_sum_i,
  // retire port
  output logic                        ret_global_valid_o,
  output retire_pkg::global_t         ret_global_o,
  output logic                        idle_o
);

  localparam int unsigned BEATS  = mem_pkg::BEATS;
  localparam int unsigned META_W = BEATS + mem_pkg::BEAT_W + mem_pkg::GSLOT_W + 7;

  // Every queue has room for all entries, so it is never full.
  logic [4:0]                          q_ready;
  logic [4:0][$clog2(ENTRIES+1)-1:0]   unused_count;

  // Intake.
  logic                 room, accept, is_store, entry_free, placed;
  logic [SECTOR_W-1:0]  place;         // in memory
  logic [ENTRY_W-1:0]   entry;
  logic [ENTRIES-1:0]   atom_q;        // the entry is an atomic
  logic                 again;         // injected fault: the store in front is written once more
  logic                 strb_en, wq_valid;
  logic [ENTRY_W-1:0]   strb_entry;
  logic [31:0]          strb;
  logic [7:0]           st_words, words_q, words, at_wr_words;   // of a store the words with bytes: of a piece, so far, of all

  logic                 rd_atom, st_take;
  logic [7:0]           master;        // words that the AXI master has

  // Atomic unit.
  logic                 at_start_valid, at_start_ready, at_rsp_valid, at_rsp_ready, at_wr_valid, at_wr_ready;
  logic                 at_ok, at_add, at_wide, at_rsp_wide, at_show, at_kept_q;
  logic [ENTRY_W-1:0]   at_entry;
  logic [2:0]           at_word;
  logic [1:0]           at_read;
  logic [1:0][31:0]     at_pair;
  logic [31:0]          at_wr_strb;
  logic [4:0]           at_rsp_lane;
  logic [63:0]          at_sum, at_rsp_data;
  logic [mem_pkg::GSLOT_W-1:0] at_rsp_gslot;

  // Finished parts, and the one in front.
  logic                 ld_valid, ld_ready, ld_err, am_valid, am_ready, am_err, bk_valid, bk_ready, bk_err;
  logic [ENTRY_W-1:0]   ld_entry, am_entry, bk_entry;
  logic                 fin_any, fin_err, fin_gives;
  logic                 fr_valid_q, fr_err_q, fr_gives_q, fr_start_q, fr_free, fr_leave, end_rsp;
  logic [ENTRY_W-1:0]   fin_entry, fr_entry_q;
  logic [1:0]           fin_kind, fin_part;
  logic [2:0]           fin_size;
  logic [mem_pkg::GSLOT_W-1:0] fin_gslot;
  logic [BEATS-1:0]     rq_rows, fin_rows, unused_first;   // with lanes
  logic [mem_pkg::BEAT_W-1:0] rq_beat;
  logic                 unused_some;
  core_pkg::id_t        fr_id;                    // of the part in front; some of it from memories, some from registers
  logic [mem_pkg::KEY_W-1:0] fr_sector;
  logic [31:0]          fr_lanes;
  logic [1:0]           fr_kind_q, fr_part_q;
  logic [2:0]           fr_size_q;
  logic [mem_pkg::GSLOT_W-1:0] fr_gslot_q;
  logic [31:0]          fr_strb;
  logic [255:0]         fr_wdata, fr_rdata;

  // ---- intake -----------------------------------------------------------------------------------
  assign is_store   = rq_i.meta.kind == core_pkg::SECT_STORE;
  assign rq_ready_o = room && placed && !at_wr_valid && !again;
  assign accept     = rq_valid_i && rq_ready_o;

  gmem_place u_place (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .fault_i       (fault_i),
    .launch_i      (launch_i),
    .local_base_i  (local_base_i),
    .local_bytes_i (local_bytes_i),
    .slot_i        (rq_i.meta.id.slot),
    .key_i         (rq_i.meta.sector),
    .ready_o       (placed),
    .sector_o      (place)
  );

  gmem_table u_table (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .free_o        (entry_free),
    .entry_o       (entry),
    .valid_i       (rq_valid_i),
    .sector_i      (rq_i.meta.sector),
    .is_load_i     (rq_i.meta.kind == core_pkg::SECT_LOAD),
    .slot_i        (rq_i.meta.id.slot),
    .room_o        (room),
    .enter_i       (accept),
    .leave_i       (fr_leave && end_rsp),
    .leave_entry_i (fr_entry_q),
    .idle_o        (idle_o)
  );

  always_ff @(posedge clk_i) begin
    if (accept) atom_q[entry] <= rq_i.meta.kind == core_pkg::SECT_ATOM;
  end

  ram_async #(.WIDTH(META_W), .DEPTH(ENTRIES)) u_meta (
    .clk_i     (clk_i),
    .wr_en_i   (accept),
    .wr_addr_i (entry),
    .wr_data_i ({rq_rows, rq_beat, rq_i.meta.kind, rq_i.meta.gslot, rq_i.meta.size, rq_i.meta.part}),
    .rd_addr_i (fin_entry),
    .rd_data_o ({fin_rows, gm_next_beat_o, fin_kind, fin_gslot, fin_size, fin_part})
  );

  // What chooses nothing is read when the part is in front; what only the retire port shows lies in block RAM.
  ram_live #(.WIDTH(mem_pkg::KEY_W + 32), .DEPTH(ENTRIES)) u_what (
    .clk_i     (clk_i),
    .wr_en_i   (accept),
    .wr_addr_i (entry),
    .wr_data_i ({rq_i.meta.sector, rq_i.meta.lanes}),
    .rd_live_i (fr_valid_q),
    .rd_addr_i (fr_entry_q),
    .rd_data_o ({fr_sector, fr_lanes})
  );
  ram_apart #(.WIDTH($bits(core_pkg::id_t)), .DEPTH(ENTRIES)) u_who (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (accept),
    .wr_addr_i (entry),
    .wr_data_i (rq_i.meta.id),
    .rd_en_i   (gm_next_o),
    .rd_addr_i (fin_entry),
    .rd_data_o (fr_id)
  );

  always_comb begin
    rq_rows = 'x;
    `HEDDLE_ONLY(accept) begin
      for (int unsigned b = 0; b < BEATS; b++) rq_rows[b] = rq_i.meta.lanes[b*LANES +: LANES] != '0;
    end
  end

  lowest_one #(.N(BEATS)) u_beat (
    .in_i     (rq_rows),
    .onehot_o (unused_first),
    .index_o  (rq_beat),
    .any_o    (unused_some)
  );

  fifo #(.WIDTH(ENTRY_W + SECTOR_W), .DEPTH(ENTRIES)) u_reads (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (accept && !is_store),
    .in_ready_o  (q_ready[0]),
    .in_data_i   ({entry, place}),
    .out_valid_o (ard_valid_o),
    .out_ready_i (ard_ready_i),
    .out_data_o  ({ard_entry_o, ard_sector_o}),
    .count_o     (unused_count[0])
  );

  // ---- data to write: bytes of stores; sectors of atomics as they are read, then their sums -----
  assign rd_atom    = ax_r_valid_i && atom_q[ax_r_entry_i];
  assign st_ready_o = entry_free && !rd_atom;
  assign st_take    = st_valid_i && st_ready_o;
  assign at_ok      = !rd_atom && !(st_valid_i && entry_free);   // a store that does not wait for a read
  assign at_wr_ready = !again;
  assign strb_en     = (accept && is_store) || (at_wr_valid && at_wr_ready);
  assign strb_entry  = again ? fr_entry_q : at_wr_valid ? at_entry : entry;
  assign strb        = at_wr_valid ? at_wr_strb : rq_i.wstrb;
  assign words       = at_wr_valid ? at_wr_words : words_q | st_words;
  assign wq_valid    = strb_en || again;

  // Bytes come ahead of their request, and no others in between.
  always_comb begin
    st_words = '0;
    `HEDDLE_ONLY(st_take) begin
      for (int unsigned w = 0; w < 8; w++) st_words[w] = st_take && st_piece_i.bytes[w%2] != '0 && 32'(st_piece_i.pair[w%2]) == w / 2;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || accept) words_q <= '0;
    else                   words_q <= words_q | st_words;
  end
  for (genvar w = 0; w < 8; w++) begin : gen_words_of
    assign at_wr_words[w] = at_wr_strb[4*w];
  end

  // The master has the words that it takes next, whether it takes them now or not; all others are the atomic unit's.
  for (genvar w = 0; w < 8; w++) begin : gen_rd
    assign master[w]   = awr_valid_o && 32'(awr_beat_i) == 32 * w / AXI_BITS;
  end

  gmem_data u_data (
    .clk_i           (clk_i),
    .ax_valid_i      (rd_atom),
    .ax_entry_i      (ax_r_entry_i),
    .ax_beat_i       (ax_r_beat_i),
    .ax_data_i       (ax_r_data_i),
    .st_valid_i      (st_take),
    .st_entry_i      (entry),
    .st_strb_i       (st_strb_i),
    .st_piece_i      (st_piece_i),
    .st_words_i      (words_q),
    .st_data_i       (st_data_i),
    .at_valid_i      (at_add),
    .at_entry_i      (at_entry),
    .at_wide_i       (at_wide),
    .at_word_i       (at_word),
    .at_sum_i        (at_sum),
    .strb_valid_i    (strb_en),
    .strb_entry_i    (strb_entry),
    .strb_i          (strb),
    .words_i         (words),
    .rd_live_i       (awr_valid_o),
    .rd_entry_i      (awr_entry_o),
    .rd_beat_i       (awr_beat_i),
    .rd_data_o       (awr_data_o),
    .rd_strb_o       (awr_strb_o),
    .pair_live_i     (!at_start_ready),
    .pair_i          (at_read),
    .pair_data_o     (at_pair),
    .fr_live_i       (fr_valid_q && !fr_start_q),
    .fr_entry_i      (fr_entry_q),
    .fr_data_o       (fr_wdata),
    .fr_strb_o       (fr_strb)
  );

  ram_async #(.WIDTH(SECTOR_W), .DEPTH(ENTRIES)) u_sector (
    .clk_i     (clk_i),
    .wr_en_i   (accept),
    .wr_addr_i (entry),
    .wr_data_i (place),
    .rd_addr_i (awr_entry_o),
    .rd_data_o (awr_sector_o)
  );

  fifo #(.WIDTH(ENTRY_W), .DEPTH(ENTRIES)) u_writes (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (wq_valid),
    .in_ready_o  (q_ready[1]),
    .in_data_i   (strb_entry),
    .out_valid_o (awr_valid_o),
    .out_ready_i (awr_ready_i),
    .out_data_o  (awr_entry_o),
    .count_o     (unused_count[1])
  );

  // ---- data read: from block RAM as the finished part comes in front ------------------------------
  for (genvar w = 0; w < mem_pkg::AXI_BEATS; w++) begin : gen_word
    ram_apart #(.WIDTH(AXI_BITS), .DEPTH(ENTRIES)) u_rdata (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ax_r_valid_i && 32'(ax_r_beat_i) == w),
      .wr_addr_i (ax_r_entry_i),
      .wr_data_i (ax_r_data_i),
      .rd_en_i   (gm_next_o),
      .rd_addr_i (fin_entry),
      .rd_data_o (fr_rdata[w*AXI_BITS +: AXI_BITS])
    );
  end

  // The same for the lanes, row by row (where they take a word at a time).
  if (mem_pkg::PAR == 1) begin : gen_lanes
    localparam int unsigned WORDS  = AXI_BITS / 32;
    localparam int unsigned WORD_W = $clog2(WORDS);
    localparam int unsigned DEPTH  = ENTRIES * mem_pkg::AXI_BEATS;
    localparam int unsigned ADDR_W = $clog2(DEPTH);

    logic [ENTRY_W-1:0]                        from;
    logic [cfg_pkg::LSU_LANES-1:0][ADDR_W-1:0] row_of;
    logic [cfg_pkg::LSU_LANES-1:0][WORD_W-1:0] word_of;

    assign from = gm_here_i ? fr_entry_q : fin_entry;
    always_comb begin
      for (int unsigned l = 0; l < cfg_pkg::LSU_LANES; l++) begin
        row_of[l]  = ADDR_W'(32'(from) * mem_pkg::AXI_BEATS + 32'(gm_at_i[l] >> WORD_W));
        word_of[l] = WORD_W'(gm_at_i[l]);
      end
    end

    ram_lanes #(.LANES(cfg_pkg::LSU_LANES), .WORDS(WORDS), .DEPTH(DEPTH)) u_words (
      .clk_i     (clk_i),
      .rst_ni    (rst_ni),
      .wr_en_i   (ax_r_valid_i),
      .wr_addr_i (ADDR_W'(32'(ax_r_entry_i) * mem_pkg::AXI_BEATS + 32'(ax_r_beat_i))),
      .wr_data_i (ax_r_data_i),
      .rd_en_i   (gm_read_i),
      .rd_addr_i (row_of),
      .rd_word_i (word_of),
      .rd_data_o (gm_words_o)
    );
  end else begin : gen_whole
    logic unused;
    assign unused     = ^{gm_read_i, gm_here_i, gm_at_i};
    assign gm_words_o = '0;
  end

  fifo #(.WIDTH(ENTRY_W + 1), .DEPTH(ENTRIES)) u_loads_done (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ax_r_valid_i && ax_r_last_i && !atom_q[ax_r_entry_i]),
    .in_ready_o  (q_ready[2]),
    .in_data_i   ({ax_r_entry_i, ax_r_err_i}),
    .out_valid_o (ld_valid),
    .out_ready_i (ld_ready),
    .out_data_o  ({ld_entry, ld_err}),
    .count_o     (unused_count[2])
  );

  fifo #(.WIDTH(ENTRY_W + 1), .DEPTH(ENTRIES)) u_atoms_read (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ax_r_valid_i && ax_r_last_i && atom_q[ax_r_entry_i]),
    .in_ready_o  (q_ready[3]),
    .in_data_i   ({ax_r_entry_i, ax_r_err_i}),
    .out_valid_o (am_valid),
    .out_ready_i (am_ready),
    .out_data_o  ({am_entry, am_err}),
    .count_o     (unused_count[3])
  );

  fifo #(.WIDTH(ENTRY_W + 1), .DEPTH(ENTRIES)) u_writes_done (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .in_valid_i  (ax_b_valid_i),
    .in_ready_o  (q_ready[4]),
    .in_data_i   ({ax_b_entry_i, ax_b_err_i}),
    .out_valid_o (bk_valid),
    .out_ready_i (bk_ready),
    .out_data_o  ({bk_entry, bk_err}),
    .count_o     (unused_count[4])
  );

  // ---- the finished part in front: written ones first, then loads, then atomics when their unit is free ---
  assign bk_ready  = fr_free;
  assign ld_ready  = fr_free && !bk_valid;
  assign am_ready  = fr_free && !bk_valid && !ld_valid && (at_start_ready && !at_start_valid);
  assign fin_any   = bk_valid || ld_valid || (am_valid && am_ready);
  assign fin_entry = bk_valid ? bk_entry : ld_valid ? ld_entry : am_entry;
  assign fin_err   = bk_valid ? bk_err : ld_valid ? ld_err : am_err;
  assign fin_gives = fin_kind == core_pkg::SECT_LOAD && !fin_err;

  // Which rows its lanes are in is known before it answers.
  assign gm_next_o      = fr_free && fin_any;
  assign gm_next_rows_o = fin_gives ? fin_rows : '0;
  assign gm_next_slot_o = fin_gslot;

  always_ff @(posedge clk_i) begin
    if (gm_next_o) begin
      fr_entry_q <= fin_entry;
      fr_kind_q  <= fin_kind;
      fr_gslot_q <= fin_gslot;
      fr_size_q  <= fin_size;
      fr_part_q  <= fin_part;
      fr_err_q   <= fin_err;
      fr_gives_q <= fin_gives;
      fr_start_q <= !bk_valid && !ld_valid && !am_err;
    end
  end

  assign at_start_valid = fr_valid_q && fr_start_q;
  assign end_rsp        = fr_valid_q && !fr_start_q && !again && !at_kept_q;
  assign fr_leave       = fr_valid_q && (fr_start_q ? at_start_ready : ((gm_ready_i && !at_kept_q) || again));
  assign fr_free        = !fr_valid_q || fr_leave;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)      fr_valid_q <= 1'b0;
    else if (fr_free) fr_valid_q <= fin_any;
  end

  // ---- answers: those of finished parts first, but an atomic's that has been shown stays ----------
  assign at_show      = at_rsp_valid && (at_kept_q || !(fr_valid_q && !fr_start_q));
  assign gm_valid_o   = end_rsp || at_show;
  assign at_rsp_ready = gm_one_ready_i && at_show;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) at_kept_q <= 1'b0;
    else         at_kept_q <= at_show && !gm_one_ready_i;
  end

  // Looked at only where there is an answer.
  always_comb begin
    gm_rsp_o = 'x;
    if (`HEDDLE_LIVE(gm_valid_o)) begin
      gm_rsp_o.gslot  = end_rsp ? fr_gslot_q : at_rsp_gslot;
      gm_rsp_o.size   = end_rsp ? fr_size_q : at_rsp_wide ? isa_pkg::SIZE_64 : isa_pkg::SIZE_32;
      gm_rsp_o.part   = end_rsp ? fr_part_q : '0;
      gm_rsp_o.lanes  = fr_lanes;
      gm_rsp_o.sector = fr_sector;
      gm_rsp_o.rdata  = fr_rdata;
      gm_rsp_o.one    = !end_rsp;
      gm_rsp_o.lane   = at_rsp_lane;
      gm_rsp_o.words  = at_rsp_data;
      gm_rsp_o.give   = !end_rsp || fr_gives_q;
      gm_rsp_o.done   = end_rsp;
      gm_rsp_o.err    = end_rsp && fr_err_q;
    end
  end

  gmem_atom u_atom (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .fault_i        (fault_i),
    .ag_row_valid_i (ag_row_valid_i),
    .ag_row_i       (ag_row_i),
    .ag_req_i       (ag_req_i),
    .ck_row_valid_i (ck_row_valid_i),
    .ck_row_i       (ck_row_i),
    .ck_word_i      (ck_word_i),
    .start_valid_i  (at_start_valid),
    .start_ready_o  (at_start_ready),
    .start_entry_i  (fr_entry_q),
    .start_lanes_i  (fr_lanes),
    .start_gslot_i  (fr_gslot_q),
    .at_entry_o     (at_entry),
    .ram_ok_i       (at_ok),
    .ram_taken_i    (master),
    .at_read_o      (at_read),
    .ram_data_i     (at_pair),
    .at_add_o       (at_add),
    .at_wide_o      (at_wide),
    .at_word_o      (at_word),
    .at_sum_o       (at_sum),
    .at_rsp_valid_o (at_rsp_valid),
    .at_rsp_ready_i (at_rsp_ready),
    .at_rsp_gslot_o (at_rsp_gslot),
    .at_rsp_lane_o  (at_rsp_lane),
    .at_rsp_wide_o  (at_rsp_wide),
    .at_rsp_data_o  (at_rsp_data),
    .add_req_o      (add_req_o),
    .add_done_i     (add_done_i),
    .add_sum_i      (add_sum_i),
    .at_wr_valid_o  (at_wr_valid),
    .at_wr_ready_i  (at_wr_ready),
    .at_wr_strb_o   (at_wr_strb)
  );

  // A queue is never offered more than it holds.
  `ASSERT_IF(a_room, ax_b_valid_i || ax_r_valid_i || wq_valid || accept,
    (q_ready | ~{ax_b_valid_i, {2{ax_r_valid_i}}, wq_valid, accept}) == '1)

  // ---- record -----------------------------------------------------------------------------------
  gmem_record u_record (
    .clk_i             (clk_i),
    .rst_ni            (rst_ni),
    .fault_i           (fault_i),
    .end_valid_i       (fr_valid_q && !fr_start_q),
    .end_ready_i       (fr_leave),
    .end_err_i         (fr_err_q),
    .end_id_i          (fr_id),
    .end_kind_i        (fr_kind_q),
    .end_lanes_i       (fr_lanes),
    .end_sector_i      (fr_sector),
    .end_strb_i        (fr_strb),
    .end_wdata_i       (fr_wdata),
    .end_rdata_i       (fr_rdata),
    .again_o           (again),
    .ret_global_valid_o (ret_global_valid_o),
    .ret_global_o      (ret_global_o)
  );

endmodule

`default_nettype wire
