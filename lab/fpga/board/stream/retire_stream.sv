// SPDX-License-Identifier: Apache-2.0
// The retire port as a stream of bytes, at profile P1: without loss, or with a mark where something is lost
// (docs/stream-format.md). It is beside a machine of one SM with one partition and without a cache (`tiny`).
// Latency: a record is sent when those before it are; a frame that is open is closed after 256 cycles without one.
// Throughput: 4 + 2w cycles for a record of w words, or as many as it takes nibbles; every source may show a record
// each cycle.
// Handshake: ret_ records are events; ret_ready_o stops issue while LIMIT records wait somewhere, unless drop_i is 1:
// then nothing is held, and what finds no room is lost. st_valid_o holds with its byte until st_ready_i. st_lost_o
// goes with the first byte after a loss. start_i, end_i: events, the host starts a grid, and has seen its end
// (stream_launch.sv makes them).
// It does not make frames of a link: those of its own are enough to find what a link loses.
module retire_stream #(
  parameter int unsigned  DEPTH = 512,   // records of each source that may wait
  parameter int unsigned  LIMIT = 64,    // so many, and issue stops: what is in flight then needs the rest
  parameter bit           UNIFORM = cfg_pkg::HAS_UNI    // there is a uniform datapath
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  input  logic                                    start_i,
  input  logic                                    end_i,
  input  logic                                    drop_i,
  // from the retire port
  output logic                                    ret_ready_o,
  input  retire_pkg::sm_t                         ret_sm_i,
  input  retire_pkg::bank_t                       ret_bank_i,
  // to the link
  output logic                                    st_valid_o,
  input  logic                                    st_ready_i,
  output logic [7:0]                              st_data_o,
  output logic                                    st_lost_o
);

  if (cfg_pkg::PARTITIONS != 1 || cfg_pkg::SMS != 1 || cfg_pkg::L1_BYTES != 0 || cfg_pkg::L2_BYTES != 0)
  begin : gen_check
    $error("retire_stream: one SM of one partition, without caches");
  end

  stream_pkg::sources_t valid, take, chosen, behind;
  stream_pkg::records_t records;
  assign valid = '{
    block_start:     ret_sm_i.valid.blocks.block_start,
    global_access:   ret_bank_i.valid.global_access,
    shared:          ret_sm_i.valid.memory.shared,
    write:           ret_sm_i.valid.back[0].write[stream_pkg::WRITERS-1:0],
    predicate:       ret_sm_i.valid.back[0].predicate,
    operands:        ret_sm_i.valid.back[0].operands[stream_pkg::BUSES-1:0],
    operands_memory: ret_sm_i.valid.back[0].operands_memory,
    barrier:         ret_sm_i.valid.blocks.barrier,
    issue:           ret_sm_i.valid.front[0].issue,
    uniform_read:    ret_sm_i.valid.front[0].uniform_read,
    uniform_write:   ret_sm_i.valid.front[0].uniform_write,
    trap:            ret_sm_i.valid.blocks.trap,
    block_end:       ret_sm_i.valid.blocks.block_end
  };
  assign records = '{
    block_start:     ret_sm_i.ret.blocks.block_start,
    global_access:   ret_bank_i.ret.global_access,
    shared:          ret_sm_i.ret.memory.shared,
    write:           ret_sm_i.ret.back[0].write[stream_pkg::WRITERS-1:0],
    predicate:       ret_sm_i.ret.back[0].predicate,
    operands:        ret_sm_i.ret.back[0].operands[stream_pkg::BUSES-1:0],
    operands_memory: ret_sm_i.ret.back[0].operands_memory,
    barrier:         ret_sm_i.ret.blocks.barrier,
    issue:           ret_sm_i.ret.front[0].issue,
    uniform_read:    ret_sm_i.ret.front[0].uniform_read,
    uniform_write:   ret_sm_i.ret.front[0].uniform_write,
    trap:            ret_sm_i.ret.blocks.trap,
    block_end:       ret_sm_i.ret.blocks.block_end
  };

  logic                                     push, full, deep, deep_tags, lost, resume, stop, empty, take_tag;
  logic [63:0]                              cycle;
  stream_pkg::tag_t                         tag;
  logic [stream_pkg::WORD_W-1:0]            index;
  logic [3:0]                               code;
  logic [stream_pkg::WORDS_MAX-1:0]         there;
  logic [31:0]                              word;
  logic [retire_stream_pkg::CONTEXT_W:0]    context_of;
  logic                                     key;
  logic                                     cmd_valid, cmd_ready, nib_valid, nib_ready, frame_full;
  stream_pkg::command_t                     cmd;
  logic [3:0]                               nib;

  stream_capture #(.DEPTH(DEPTH), .LIMIT(LIMIT)) u_capture (
    .clk_i    (clk_i),
    .rst_ni   (rst_ni),
    .start_i  (start_i),
    .resume_i (resume),
    .stop_i   (stop),
    .valid_i  (valid),
    .full_i   (full),
    .push_o   (push),
    .lost_o   (lost),
    .cycle_o  (cycle),
    .take_i   (take_tag),
    .tag_o    (tag),
    .empty_o  (empty),
    .deep_o   (deep_tags)
  );

  stream_sources #(.DEPTH(DEPTH), .LIMIT(LIMIT), .UNIFORM(UNIFORM)) u_sources (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .push_i    (push),
    .valid_i   (valid),
    .records_i (records),
    .full_o    (full),
    .deep_o    (deep),
    .behind_o  (behind),
    .take_i    (take),
    .chosen_i  (chosen),
    .index_i   (index),
    .code_o    (code),
    .there_o   (there),
    .word_o    (word),
    .context_o (context_of),
    .key_o     (key)
  );

  stream_encode u_encode (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .start_i     (start_i),
    .end_i       (end_i),
    .empty_i     (empty),
    .behind_i    (behind),
    .take_tag_o  (take_tag),
    .tag_i       (tag),
    .lost_i      (lost),
    .cycle_i     (cycle),
    .resume_o    (resume),
    .stop_o      (stop),
    .take_o      (take),
    .chosen_o    (chosen),
    .index_o     (index),
    .code_i      (code),
    .there_i     (there),
    .word_i      (word),
    .context_i   (context_of),
    .key_i       (key),
    .cmd_valid_o (cmd_valid),
    .cmd_ready_i (cmd_ready),
    .cmd_o       (cmd),
    .nib_valid_o (nib_valid),
    .nib_ready_i (nib_ready),
    .nib_o       (nib),
    .full_i      (frame_full)
  );

  stream_frame u_frame (
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

  // No warp starts, no caches; ports of writers that the machine does not have stay silent.
  logic unused;
  assign unused = ^{ret_sm_i, ret_bank_i};

endmodule
