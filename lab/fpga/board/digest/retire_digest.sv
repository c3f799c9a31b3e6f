// SPDX-License-Identifier: Apache-2.0
// Digests of what a core retires, and the order of its memory, as bytes (docs/digest-format.md). It is beside a
// machine of one SM with one partition, without a cache and asynchronous copies, of at most 16 warp and block slots.
// Latency: an entry is sent when those before it are; a frame that is open is closed after 256 cycles without one.
// Throughput: an item (a row of results, an instruction) a cycle in each of PIPES pipes, and an access a
// cycle. A cycle of the core that shows more takes as many.
// Handshake: ret_, rq_ are events; ret_ready_o stops issue while some queue has LIMIT records, unless drop_i is 1: then
// nothing is held. A record without room is lost, and then all of the launch but its end. st_valid_o holds with its byte
// until st_ready_i. st_lost_o goes with the first byte that says so. start_i, end_i: events (stream_launch.sv).
// It relies on the order in which the core shows accesses: rq_ are requests to the point of order, as they pass, and
// records of shared memory its passes. README.md says where each is seen to.
module retire_digest #(
  parameter int unsigned  DEPTH = 512,   // records of each source that may wait
  parameter int unsigned  LIMIT = 64,    // so many, and issue stops: what is in flight then needs the rest
  parameter bit           UNI   = cfg_pkg::HAS_UNI    // there is a uniform datapath
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  logic                                    start_i,
  input  logic                                    end_i,
  input  logic                                    drop_i,
  // from the retire port
  output logic                                    ret_ready_o,
  input  retire_pkg::sm_t                         ret_sm_i,
  // requests to the point of order
  input  logic                                    rq_valid_i,
  input  line_pkg::seen_t                         rq_i,
  // to the link
  output logic                                    st_valid_o,
  input  logic                                    st_ready_i,
  output logic [7:0]                              st_data_o,
  output logic                                    st_lost_o
);

  if (cfg_pkg::PARTITIONS != 1 || cfg_pkg::SMS != 1 || cfg_pkg::L1_BYTES != 0 || cfg_pkg::L2_BYTES != 0
      || cfg_pkg::HAS_ASYNC || digest_pkg::WARPS > 16 || digest_pkg::BLOCKS > 16) begin : gen_check
    $error("retire_digest: one SM of one partition, without caches and copies, of at most 16 warps and blocks");
  end

  digest_pkg::sources_t valid, tag, take;
  digest_pkg::heads_t   heads;
  assign valid = '{
    trap:        ret_sm_i.valid.blocks.trap,
    block_start: ret_sm_i.valid.blocks.block_start,
    block_end:   ret_sm_i.valid.blocks.block_end,
    shared:      ret_sm_i.valid.memory.shared,
    request:     rq_valid_i,
    uniform:     UNI && ret_sm_i.valid.front[0].uniform_write,
    predicate:   ret_sm_i.valid.back[0].predicate,
    write:       ret_sm_i.valid.back[0].write[digest_pkg::WRITERS-1:0],
    issue:       ret_sm_i.valid.front[0].issue
  };

  logic                    push, full, deep, deep_tags, lost, stop, fresh;
  logic                    tag_valid, tag_take, tags_empty, steps_idle, all_idle, through;
  logic [digest_pkg::PIPES-1:0] it_valid;
  logic                    it_ready, en_idle, ac_valid, ac_ready, or_idle;
  logic                    do_valid, do_ready, do_idle;
  logic [63:0]             cycle, lost_at;
  digest_pkg::item_t [digest_pkg::PIPES-1:0] it;
  digest_pkg::access_t     ac;
  digest_pkg::do_e         do_what;
  digest_pkg::slot_t       do_slot, peek_slot;
  logic [digest_pkg::CLOCK_W-1:0] do_now;
  logic                    peek_last;
  logic [31:0]             peek_seq, peek_digest;

  digest_capture #(.DEPTH(DEPTH), .LIMIT(LIMIT)) u_capture (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .start_i     (start_i),
    .stop_i      (stop),
    .over_i      (fresh),
    .valid_i     (valid),
    .full_i      (full),
    .push_o      (push),
    .lost_o      (lost),
    .cycle_o     (cycle),
    .lost_at_o   (lost_at),
    .tag_valid_o (tag_valid),
    .tag_o       (tag),
    .take_i      (tag_take),
    .empty_o     (tags_empty),
    .deep_o      (deep_tags)
  );

  digest_sources #(.DEPTH(DEPTH), .LIMIT(LIMIT), .UNI(UNI)) u_sources (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .start_i       (start_i),
    .push_i        (push),
    .valid_i       (valid),
    .block_start_i (ret_sm_i.ret.blocks.block_start),
    .request_i     (rq_i),
    .shared_i      (ret_sm_i.ret.memory.shared),
    .write_i       (ret_sm_i.ret.back[0].write[digest_pkg::WRITERS-1:0]),
    .predicate_i   (ret_sm_i.ret.back[0].predicate),
    .issue_i       (ret_sm_i.ret.front[0].issue),
    .uniform_i     (ret_sm_i.ret.front[0].uniform_write),
    .trap_i        (ret_sm_i.ret.blocks.trap),
    .block_end_i   (ret_sm_i.ret.blocks.block_end),
    .full_o        (full),
    .deep_o        (deep),
    .take_i        (take),
    .heads_o       (heads)
  );

  digest_steps #(.UNI(UNI)) u_steps (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .tag_valid_i (tag_valid),
    .tag_i       (tag),
    .tag_take_o  (tag_take),
    .heads_i     (heads),
    .take_o      (take),
    .idle_o      (steps_idle),
    .it_valid_o  (it_valid),
    .it_ready_i  (it_ready),
    .it_o        (it),
    .en_idle_i   (en_idle),
    .ac_valid_o  (ac_valid),
    .ac_ready_i  (ac_ready),
    .ac_o        (ac),
    .or_idle_i   (or_idle),
    .do_valid_o  (do_valid),
    .do_ready_i  (do_ready),
    .do_o        (do_what),
    .do_slot_o   (do_slot),
    .do_now_o    (do_now)
  );

  // Entries of three: one goes on to its end before another begins.
  logic               en_ch_valid, en_ch_ready, or_ch_valid, or_ch_ready, co_ch_valid, co_ch_ready, co_ch_mid;
  digest_pkg::chunk_t en_ch, or_ch, co_ch;

  digest_engine u_engine (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .it_valid_i    (it_valid),
    .it_ready_o    (it_ready),
    .it_i          (it),
    .idle_o        (en_idle),
    .peek_slot_i   (peek_slot),
    .peek_last_i   (peek_last),
    .peek_seq_o    (peek_seq),
    .peek_digest_o (peek_digest),
    .ch_valid_o    (en_ch_valid),
    .ch_ready_i    (en_ch_ready),
    .ch_o          (en_ch)
  );

  digest_order u_order (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .start_i    (start_i && fresh),
    .ac_valid_i (ac_valid),
    .ac_ready_o (ac_ready),
    .ac_i       (ac),
    .idle_o     (or_idle),
    .ch_valid_o (or_ch_valid),
    .ch_ready_i (or_ch_ready),
    .ch_o       (or_ch)
  );

  digest_control u_control (
    .clk_i         (clk_i),
    .rst_ni        (rst_ni),
    .do_valid_i    (do_valid),
    .do_ready_o    (do_ready),
    .do_i          (do_what),
    .do_slot_i     (do_slot),
    .do_now_i      (do_now),
    .start_i       (heads.start),
    .end_bslot_i   (heads.end_bslot),
    .trap_i        (heads.trap),
    .idle_o        (do_idle),
    .peek_slot_o   (peek_slot),
    .peek_last_o   (peek_last),
    .peek_seq_i    (peek_seq),
    .peek_digest_i (peek_digest),
    .ch_valid_o    (co_ch_valid),
    .ch_ready_i    (co_ch_ready),
    .ch_mid_o      (co_ch_mid),
    .ch_o          (co_ch)
  );

  logic               ch_full, ch_push, ch_valid, ch_take, ch_empty, ch_deep;
  digest_pkg::chunk_t ch_in, ch;
  assign en_ch_ready = !ch_full && !co_ch_mid;
  assign co_ch_ready = !ch_full && (co_ch_mid || !en_ch_valid);
  assign or_ch_ready = !ch_full && !co_ch_mid && !en_ch_valid && !co_ch_valid;
  assign ch_push     = !ch_full && (co_ch_mid ? co_ch_valid : en_ch_valid || co_ch_valid || or_ch_valid);
  assign ch_in       = (co_ch_mid || (!en_ch_valid && co_ch_valid)) ? co_ch : en_ch_valid ? en_ch : or_ch;

  digest_queue #(.WIDTH($bits(digest_pkg::chunk_t)), .DEPTH(DEPTH), .LIMIT(DEPTH)) u_chunks (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .push_i  (ch_push),
    .data_i  (ch_in),
    .valid_o (ch_valid),
    .take_i  (ch_take),
    .data_o  (ch),
    .full_o  (ch_full),
    .deep_o  (ch_deep),
    .empty_o (ch_empty)
  );

  logic                 cmd_valid, cmd_ready, nib_valid, nib_ready, frame_full;
  stream_pkg::command_t cmd;
  logic [3:0]           nib;

  assign all_idle = tags_empty && steps_idle && en_idle && or_idle && do_idle;
  assign through  = all_idle && ch_empty;
  assign fresh    = through && !ch_valid;

  digest_send u_send (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .start_i     (start_i),
    .end_i       (end_i),
    .clean_i     (fresh),
    .lost_i      (lost),
    .lost_at_i   (lost_at),
    .cycle_i     (cycle),
    .through_i   (through),
    .stop_o      (stop),
    .ch_valid_i  (ch_valid),
    .ch_take_o   (ch_take),
    .ch_i        (ch),
    .cmd_valid_o (cmd_valid),
    .cmd_ready_i (cmd_ready),
    .cmd_o       (cmd),
    .nib_valid_o (nib_valid),
    .nib_ready_i (nib_ready),
    .nib_o       (nib),
    .full_i      (frame_full)
  );

  stream_frame #(.FORMAT(digest_pkg::FORMAT), .PROFILE(digest_pkg::PROFILE)) u_frame (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .cmd_valid_i (cmd_valid),
    .cmd_ready_o (cmd_ready),
    .cmd_i       (cmd),
    .nib_valid_i (nib_valid),
    .nib_ready_o (nib_ready),
    .nib_i       (nib),
    .full_o      (frame_full),
    .st_valid_o  (st_valid_o),
    .st_ready_i  (st_ready_i),
    .st_data_o   (st_data_o),
    .st_lost_o   (st_lost_o)
  );

  logic ready_q;
  always_ff @(posedge clk_i) ready_q <= !rst_ni || drop_i || !(deep || deep_tags);
  assign ret_ready_o = ready_q;

  // Accesses are sent by their requests; operands and barriers are in no digest. Ports of writers that the machine does not have
  // stay silent.
  logic unused;
  assign unused = ^{ret_sm_i, ch_deep};

endmodule
