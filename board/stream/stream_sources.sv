// SPDX-License-Identifier: Apache-2.0
// What the retire port shows, kept until it is told: a queue for each source, and of the record that was taken last
// the word that is asked for.
// Latency: a record stands one cycle after take_i, until the next one of its source. Throughput: all sources push in
// one cycle.
// Handshake: push_i only while not full_o; take_i is one source that has something. deep_o: some queue has LIMIT
// records.
// It does not know in which cycle a record came, nor how it is told. Records of an SM with one partition, without a
// cache.
`default_nettype none
`include "heddle_idle.svh"

module stream_sources #(
  parameter int unsigned DEPTH = 512,
  parameter int unsigned LIMIT = 64
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  input  logic                                  push_i,
  input  stream_pkg::sources_t                  valid_i,
  input  stream_pkg::records_t                  records_i,
  output logic                                  full_o,
  output logic                                  deep_o,
  // what is told
  input  stream_pkg::sources_t                  take_i,
  input  stream_pkg::sources_t                  chosen_i,
  input  logic [stream_pkg::WORD_W-1:0]         index_i,
  output logic [3:0]                            code_o,
  output logic [stream_pkg::WORDS_MAX-1:0]      there_o,
  output logic [31:0]                           word_o,
  output logic [retire_stream_pkg::CONTEXT_W:0] context_o,
  output logic                                  key_o
);

  // Of blocks, barriers and traps: half of them are what comes after issue has stopped.
  localparam int unsigned FEW = 16;
  // What is in flight of others is less, too; block RAM is scarce beside the machine, LUT memory is not.
  localparam int unsigned SOME = 64;

  // Where lanes come one by one, all lanes of a row are one word: it is kept once.
  typedef logic [$bits(retire_pkg::operands_t)-1:0] operands_bits_t;
  function automatic operands_bits_t operands_kept(input operands_bits_t live);
    automatic retire_pkg::operands_t r = live;
    if (back_pkg::SERIAL)
      for (int k = 0; k < int'(retire_pkg::ROWS); k++)
        for (int l = 1; l < int'(retire_pkg::LANES); l++) r.data[k][l] = '0;
    operands_kept = r;
  endfunction
  localparam operands_bits_t OPERANDS_KEPT = operands_kept(retire_stream_pkg::OPERANDS_LIVE);

  stream_pkg::sources_t full, deep, empty;
  stream_pkg::records_t head;
  retire_pkg::operands_t operands_kept_head;

  always_comb begin
    head.operands = operands_kept_head;
    if (back_pkg::SERIAL)
      for (int k = 0; k < int'(retire_pkg::ROWS); k++)
        for (int l = 1; l < int'(retire_pkg::LANES); l++) head.operands.data[k][l] = operands_kept_head.data[k][0];
  end

  stream_queue #(.WIDTH($bits(retire_pkg::block_start_t)), .DEPTH(FEW), .LIMIT(FEW / 2), .LUT(1'b1),
       .LIVE(retire_stream_pkg::BLOCK_START_LIVE)) u_block_start (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.block_start), .data_i (records_i.block_start),
    .take_i (take_i.block_start), .look_i (chosen_i.block_start), .data_o (head.block_start),
    .empty_o (empty.block_start), .full_o (full.block_start), .deep_o (deep.block_start)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::global_t)), .DEPTH(DEPTH), .LIMIT(LIMIT),
       .LIVE(retire_stream_pkg::GLOBAL_LIVE)) u_global_access (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.global_access), .data_i (records_i.global_access),
    .take_i (take_i.global_access), .look_i (chosen_i.global_access), .data_o (head.global_access),
    .empty_o (empty.global_access), .full_o (full.global_access), .deep_o (deep.global_access)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::shared_t)), .DEPTH(4 * SOME), .LIMIT(SOME / 4), .LUT(1'b1),
       .LIVE(retire_stream_pkg::SHARED_LIVE)) u_shared (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.shared), .data_i (records_i.shared),
    .take_i (take_i.shared), .look_i (chosen_i.shared), .data_o (head.shared),
    .empty_o (empty.shared), .full_o (full.shared), .deep_o (deep.shared)
  );

  for (genvar k = 0; k < stream_pkg::WRITERS; k++) begin : gen_write
    stream_queue #(.WIDTH($bits(retire_pkg::write_t)), .DEPTH(DEPTH), .LIMIT(LIMIT),
        .LIVE(retire_stream_pkg::WRITE_LIVE)) u_write (
      .clk_i (clk_i), .rst_ni (rst_ni),
      .push_i (push_i && valid_i.write[k]), .data_i (records_i.write[k]),
      .take_i (take_i.write[k]), .look_i (chosen_i.write[k]), .data_o (head.write[k]),
      .empty_o (empty.write[k]), .full_o (full.write[k]), .deep_o (deep.write[k])
    );
  end

  stream_queue #(.WIDTH($bits(retire_pkg::predicate_t)), .DEPTH(SOME), .LIMIT(SOME / 8), .LUT(1'b1),
       .LIVE(retire_stream_pkg::PREDICATE_LIVE)) u_predicate (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.predicate), .data_i (records_i.predicate),
    .take_i (take_i.predicate), .look_i (chosen_i.predicate), .data_o (head.predicate),
    .empty_o (empty.predicate), .full_o (full.predicate), .deep_o (deep.predicate)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::operands_t)), .DEPTH(DEPTH), .LIMIT(LIMIT),
       .LIVE(OPERANDS_KEPT)) u_operands (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.operands), .data_i (records_i.operands),
    .take_i (take_i.operands), .look_i (chosen_i.operands), .data_o (operands_kept_head),
    .empty_o (empty.operands), .full_o (full.operands), .deep_o (deep.operands)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::operands_t)), .DEPTH(2 * SOME), .LIMIT(SOME / 4), .LUT(1'b1),
       .LIVE(retire_stream_pkg::OPERANDS_MEMORY_LIVE)) u_operands_memory (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.operands_memory), .data_i (records_i.operands_memory),
    .take_i (take_i.operands_memory), .look_i (chosen_i.operands_memory), .data_o (head.operands_memory),
    .empty_o (empty.operands_memory), .full_o (full.operands_memory), .deep_o (deep.operands_memory)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::barrier_t)), .DEPTH(FEW), .LIMIT(FEW / 2), .LUT(1'b1),
       .LIVE(retire_stream_pkg::BARRIER_LIVE)) u_barrier (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.barrier), .data_i (records_i.barrier),
    .take_i (take_i.barrier), .look_i (chosen_i.barrier), .data_o (head.barrier),
    .empty_o (empty.barrier), .full_o (full.barrier), .deep_o (deep.barrier)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::issue_t)), .DEPTH(SOME / 2), .LIMIT(SOME / 8), .LUT(1'b1),
       .LIVE(retire_stream_pkg::ISSUE_LIVE)) u_issue (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.issue), .data_i (records_i.issue),
    .take_i (take_i.issue), .look_i (chosen_i.issue), .data_o (head.issue),
    .empty_o (empty.issue), .full_o (full.issue), .deep_o (deep.issue)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::uniform_read_t)), .DEPTH(SOME), .LIMIT(SOME / 8), .LUT(1'b1),
       .LIVE(retire_stream_pkg::UNIFORM_READ_LIVE)) u_uniform_read (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.uniform_read), .data_i (records_i.uniform_read),
    .take_i (take_i.uniform_read), .look_i (chosen_i.uniform_read), .data_o (head.uniform_read),
    .empty_o (empty.uniform_read), .full_o (full.uniform_read), .deep_o (deep.uniform_read)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::uniform_write_t)), .DEPTH(SOME), .LIMIT(SOME / 8), .LUT(1'b1),
       .LIVE(retire_stream_pkg::UNIFORM_WRITE_LIVE)) u_uniform_write (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.uniform_write), .data_i (records_i.uniform_write),
    .take_i (take_i.uniform_write), .look_i (chosen_i.uniform_write), .data_o (head.uniform_write),
    .empty_o (empty.uniform_write), .full_o (full.uniform_write), .deep_o (deep.uniform_write)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::trap_t)), .DEPTH(FEW), .LIMIT(FEW / 2), .LUT(1'b1),
       .LIVE(retire_stream_pkg::TRAP_LIVE)) u_trap (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.trap), .data_i (records_i.trap),
    .take_i (take_i.trap), .look_i (chosen_i.trap), .data_o (head.trap),
    .empty_o (empty.trap), .full_o (full.trap), .deep_o (deep.trap)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::block_end_t)), .DEPTH(FEW), .LIMIT(FEW / 2), .LUT(1'b1),
       .LIVE(retire_stream_pkg::BLOCK_END_LIVE)) u_block_end (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.block_end), .data_i (records_i.block_end),
    .take_i (take_i.block_end), .look_i (chosen_i.block_end), .data_o (head.block_end),
    .empty_o (empty.block_end), .full_o (full.block_end), .deep_o (deep.block_end)
  );

  // ---- of the source that is told: what it is, what of it is there, one word ---------------------
  logic [7:0] index;
  assign index = 8'(index_i);

  always_comb begin
    code_o    = '0;
    there_o   = '0;
    word_o    = '0;
    context_o = '0;
    `HEDDLE_ONLY(chosen_i.block_start) if (chosen_i.block_start) begin
      code_o    |= 4'(retire_stream_pkg::BLOCK_START_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::block_start_there(head.block_start));
      word_o    |= retire_stream_pkg::block_start_word(head.block_start, index);
      context_o |= retire_stream_pkg::block_start_context(index);
    end
    `HEDDLE_ONLY(chosen_i.global_access) if (chosen_i.global_access) begin
      code_o    |= 4'(retire_stream_pkg::GLOBAL_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::global_there(head.global_access));
      word_o    |= retire_stream_pkg::global_word(head.global_access, index);
      context_o |= retire_stream_pkg::global_context(index);
    end
    `HEDDLE_ONLY(chosen_i.shared) if (chosen_i.shared) begin
      code_o    |= 4'(retire_stream_pkg::SHARED_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::shared_there(head.shared));
      word_o    |= retire_stream_pkg::shared_word(head.shared, index);
      context_o |= retire_stream_pkg::shared_context(index);
    end
    for (int unsigned k = 0; k < stream_pkg::WRITERS; k++)
      `HEDDLE_ONLY(chosen_i.write[k]) if (chosen_i.write[k]) begin
        code_o    |= 4'(retire_stream_pkg::WRITE_CODE);
        there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::write_there(head.write[k]));
        word_o    |= retire_stream_pkg::write_word(head.write[k], index);
        context_o |= retire_stream_pkg::write_context(index);
      end
    `HEDDLE_ONLY(chosen_i.predicate) if (chosen_i.predicate) begin
      code_o    |= 4'(retire_stream_pkg::PREDICATE_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::predicate_there(head.predicate));
      word_o    |= retire_stream_pkg::predicate_word(head.predicate, index);
      context_o |= retire_stream_pkg::predicate_context(index);
    end
    `HEDDLE_ONLY(chosen_i.operands) if (chosen_i.operands) begin
      code_o    |= 4'(retire_stream_pkg::OPERANDS_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::operands_there(head.operands));
      word_o    |= retire_stream_pkg::operands_word(head.operands, index);
      context_o |= retire_stream_pkg::operands_context(index);
    end
    `HEDDLE_ONLY(chosen_i.operands_memory) if (chosen_i.operands_memory) begin
      code_o    |= 4'(retire_stream_pkg::OPERANDS_MEMORY_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::operands_memory_there(head.operands_memory));
      word_o    |= retire_stream_pkg::operands_memory_word(head.operands_memory, index);
      context_o |= retire_stream_pkg::operands_memory_context(index);
    end
    `HEDDLE_ONLY(chosen_i.barrier) if (chosen_i.barrier) begin
      code_o    |= 4'(retire_stream_pkg::BARRIER_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::barrier_there(head.barrier));
      word_o    |= retire_stream_pkg::barrier_word(head.barrier, index);
      context_o |= retire_stream_pkg::barrier_context(index);
    end
    `HEDDLE_ONLY(chosen_i.issue) if (chosen_i.issue) begin
      code_o    |= 4'(retire_stream_pkg::ISSUE_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::issue_there(head.issue));
      word_o    |= retire_stream_pkg::issue_word(head.issue, index);
      context_o |= retire_stream_pkg::issue_context(index);
    end
    `HEDDLE_ONLY(chosen_i.uniform_read) if (chosen_i.uniform_read) begin
      code_o    |= 4'(retire_stream_pkg::UNIFORM_READ_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::uniform_read_there(head.uniform_read));
      word_o    |= retire_stream_pkg::uniform_read_word(head.uniform_read, index);
      context_o |= retire_stream_pkg::uniform_read_context(index);
    end
    `HEDDLE_ONLY(chosen_i.uniform_write) if (chosen_i.uniform_write) begin
      code_o    |= 4'(retire_stream_pkg::UNIFORM_WRITE_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::uniform_write_there(head.uniform_write));
      word_o    |= retire_stream_pkg::uniform_write_word(head.uniform_write, index);
      context_o |= retire_stream_pkg::uniform_write_context(index);
    end
    `HEDDLE_ONLY(chosen_i.trap) if (chosen_i.trap) begin
      code_o    |= 4'(retire_stream_pkg::TRAP_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::trap_there(head.trap));
      word_o    |= retire_stream_pkg::trap_word(head.trap, index);
      context_o |= retire_stream_pkg::trap_context(index);
    end
    `HEDDLE_ONLY(chosen_i.block_end) if (chosen_i.block_end) begin
      code_o    |= 4'(retire_stream_pkg::BLOCK_END_CODE);
      there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::block_end_there(head.block_end));
      word_o    |= retire_stream_pkg::block_end_word(head.block_end, index);
      context_o |= retire_stream_pkg::block_end_context(index);
    end
  end
  assign key_o = chosen_i.issue && index == 8'(retire_stream_pkg::ISSUE_KEY);

  assign full_o = full != '0;
  assign deep_o = deep != '0;

  logic unused;
  assign unused = ^empty;

endmodule

`default_nettype wire
