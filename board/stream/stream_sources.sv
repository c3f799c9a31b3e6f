// SPDX-License-Identifier: Apache-2.0
// What the retire port shows, kept until it is told: a queue for each source, and of the record that was taken last the
// word that is asked for.
// Latency: a record stands one cycle after take_i, until the next one of its source. Throughput: all sources push in one cycle.
// Handshake: push_i only while not full_o; take_i is one source that has something. deep_o: some queue has LIMIT records.
// It does not know in which cycle a record came, nor how it is told. Records of an SM with one partition, without a cache.
`default_nettype none

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

  localparam int unsigned FEW = 16;   // of blocks, barriers and traps no more wait: others have to issue before them

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

  logic [stream_pkg::SOURCES-1:0][3:0]                                code;
  logic [stream_pkg::SOURCES-1:0][stream_pkg::WORDS_MAX-1:0]          there;
  logic [stream_pkg::SOURCES-1:0][31:0]                               word;
  logic [stream_pkg::SOURCES-1:0][retire_stream_pkg::CONTEXT_W:0]     context_of;
  logic [stream_pkg::SOURCES-1:0]                                     key;

  stream_queue #(.WIDTH($bits(retire_pkg::block_start_t)), .DEPTH(FEW), .LIMIT(FEW), .LIVE(retire_stream_pkg::BLOCK_START_LIVE)) u_block_start (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.block_start), .data_i (records_i.block_start),
    .take_i (take_i.block_start), .data_o (head.block_start),
    .empty_o (empty.block_start), .full_o (full.block_start), .deep_o (deep.block_start)
  );
  stream_source #(.WORDS(retire_stream_pkg::BLOCK_START_WORDS), .CODE(retire_stream_pkg::BLOCK_START_CODE),
      .CONTEXTS(retire_stream_pkg::BLOCK_START_CONTEXTS)) u_block_start_word (
    .chosen_i (chosen_i.block_start), .index_i (index_i),
    .words_i (retire_stream_pkg::block_start_words(head.block_start)), .there_i (retire_stream_pkg::block_start_there(head.block_start)),
    .code_o (code[0]), .there_o (there[0]), .word_o (word[0]), .context_o (context_of[0]), .key_o (key[0])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::global_t)), .DEPTH(DEPTH), .LIMIT(LIMIT), .LIVE(retire_stream_pkg::GLOBAL_LIVE)) u_global_access (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.global_access), .data_i (records_i.global_access),
    .take_i (take_i.global_access), .data_o (head.global_access),
    .empty_o (empty.global_access), .full_o (full.global_access), .deep_o (deep.global_access)
  );
  stream_source #(.WORDS(retire_stream_pkg::GLOBAL_WORDS), .CODE(retire_stream_pkg::GLOBAL_CODE),
      .CONTEXTS(retire_stream_pkg::GLOBAL_CONTEXTS)) u_global_access_word (
    .chosen_i (chosen_i.global_access), .index_i (index_i),
    .words_i (retire_stream_pkg::global_words(head.global_access)), .there_i (retire_stream_pkg::global_there(head.global_access)),
    .code_o (code[1]), .there_o (there[1]), .word_o (word[1]), .context_o (context_of[1]), .key_o (key[1])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::shared_t)), .DEPTH(DEPTH), .LIMIT(LIMIT), .LIVE(retire_stream_pkg::SHARED_LIVE)) u_shared (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.shared), .data_i (records_i.shared),
    .take_i (take_i.shared), .data_o (head.shared),
    .empty_o (empty.shared), .full_o (full.shared), .deep_o (deep.shared)
  );
  stream_source #(.WORDS(retire_stream_pkg::SHARED_WORDS), .CODE(retire_stream_pkg::SHARED_CODE),
      .CONTEXTS(retire_stream_pkg::SHARED_CONTEXTS)) u_shared_word (
    .chosen_i (chosen_i.shared), .index_i (index_i),
    .words_i (retire_stream_pkg::shared_words(head.shared)), .there_i (retire_stream_pkg::shared_there(head.shared)),
    .code_o (code[2]), .there_o (there[2]), .word_o (word[2]), .context_o (context_of[2]), .key_o (key[2])
  );

  for (genvar k = 0; k < stream_pkg::WRITERS; k++) begin : gen_write
    stream_queue #(.WIDTH($bits(retire_pkg::write_t)), .DEPTH(DEPTH), .LIMIT(LIMIT), .LIVE(retire_stream_pkg::WRITE_LIVE)) u_write (
      .clk_i (clk_i), .rst_ni (rst_ni),
      .push_i (push_i && valid_i.write[k]), .data_i (records_i.write[k]),
      .take_i (take_i.write[k]), .data_o (head.write[k]),
      .empty_o (empty.write[k]), .full_o (full.write[k]), .deep_o (deep.write[k])
    );
    stream_source #(.WORDS(retire_stream_pkg::WRITE_WORDS), .CODE(retire_stream_pkg::WRITE_CODE),
        .CONTEXTS(retire_stream_pkg::WRITE_CONTEXTS)) u_write_word (
      .chosen_i (chosen_i.write[k]), .index_i (index_i),
      .words_i (retire_stream_pkg::write_words(head.write[k])), .there_i (retire_stream_pkg::write_there(head.write[k])),
      .code_o (code[3 + k]), .there_o (there[3 + k]), .word_o (word[3 + k]), .context_o (context_of[3 + k]), .key_o (key[3 + k])
    );
  end

  stream_queue #(.WIDTH($bits(retire_pkg::predicate_t)), .DEPTH(DEPTH), .LIMIT(LIMIT), .LIVE(retire_stream_pkg::PREDICATE_LIVE)) u_predicate (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.predicate), .data_i (records_i.predicate),
    .take_i (take_i.predicate), .data_o (head.predicate),
    .empty_o (empty.predicate), .full_o (full.predicate), .deep_o (deep.predicate)
  );
  stream_source #(.WORDS(retire_stream_pkg::PREDICATE_WORDS), .CODE(retire_stream_pkg::PREDICATE_CODE),
      .CONTEXTS(retire_stream_pkg::PREDICATE_CONTEXTS)) u_predicate_word (
    .chosen_i (chosen_i.predicate), .index_i (index_i),
    .words_i (retire_stream_pkg::predicate_words(head.predicate)), .there_i (retire_stream_pkg::predicate_there(head.predicate)),
    .code_o (code[3 + stream_pkg::WRITERS]), .there_o (there[3 + stream_pkg::WRITERS]), .word_o (word[3 + stream_pkg::WRITERS]), .context_o (context_of[3 + stream_pkg::WRITERS]), .key_o (key[3 + stream_pkg::WRITERS])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::operands_t)), .DEPTH(DEPTH), .LIMIT(LIMIT), .LIVE(OPERANDS_KEPT)) u_operands (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.operands), .data_i (records_i.operands),
    .take_i (take_i.operands), .data_o (operands_kept_head),
    .empty_o (empty.operands), .full_o (full.operands), .deep_o (deep.operands)
  );
  stream_source #(.WORDS(retire_stream_pkg::OPERANDS_WORDS), .CODE(retire_stream_pkg::OPERANDS_CODE),
      .CONTEXTS(retire_stream_pkg::OPERANDS_CONTEXTS)) u_operands_word (
    .chosen_i (chosen_i.operands), .index_i (index_i),
    .words_i (retire_stream_pkg::operands_words(head.operands)), .there_i (retire_stream_pkg::operands_there(head.operands)),
    .code_o (code[4 + stream_pkg::WRITERS]), .there_o (there[4 + stream_pkg::WRITERS]), .word_o (word[4 + stream_pkg::WRITERS]), .context_o (context_of[4 + stream_pkg::WRITERS]), .key_o (key[4 + stream_pkg::WRITERS])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::operands_t)), .DEPTH(DEPTH), .LIMIT(LIMIT), .LIVE(retire_stream_pkg::OPERANDS_MEMORY_LIVE)) u_operands_memory (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.operands_memory), .data_i (records_i.operands_memory),
    .take_i (take_i.operands_memory), .data_o (head.operands_memory),
    .empty_o (empty.operands_memory), .full_o (full.operands_memory), .deep_o (deep.operands_memory)
  );
  stream_source #(.WORDS(retire_stream_pkg::OPERANDS_MEMORY_WORDS), .CODE(retire_stream_pkg::OPERANDS_MEMORY_CODE),
      .CONTEXTS(retire_stream_pkg::OPERANDS_MEMORY_CONTEXTS)) u_operands_memory_word (
    .chosen_i (chosen_i.operands_memory), .index_i (index_i),
    .words_i (retire_stream_pkg::operands_memory_words(head.operands_memory)), .there_i (retire_stream_pkg::operands_memory_there(head.operands_memory)),
    .code_o (code[5 + stream_pkg::WRITERS]), .there_o (there[5 + stream_pkg::WRITERS]), .word_o (word[5 + stream_pkg::WRITERS]), .context_o (context_of[5 + stream_pkg::WRITERS]), .key_o (key[5 + stream_pkg::WRITERS])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::barrier_t)), .DEPTH(FEW), .LIMIT(FEW), .LIVE(retire_stream_pkg::BARRIER_LIVE)) u_barrier (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.barrier), .data_i (records_i.barrier),
    .take_i (take_i.barrier), .data_o (head.barrier),
    .empty_o (empty.barrier), .full_o (full.barrier), .deep_o (deep.barrier)
  );
  stream_source #(.WORDS(retire_stream_pkg::BARRIER_WORDS), .CODE(retire_stream_pkg::BARRIER_CODE),
      .CONTEXTS(retire_stream_pkg::BARRIER_CONTEXTS)) u_barrier_word (
    .chosen_i (chosen_i.barrier), .index_i (index_i),
    .words_i (retire_stream_pkg::barrier_words(head.barrier)), .there_i (retire_stream_pkg::barrier_there(head.barrier)),
    .code_o (code[6 + stream_pkg::WRITERS]), .there_o (there[6 + stream_pkg::WRITERS]), .word_o (word[6 + stream_pkg::WRITERS]), .context_o (context_of[6 + stream_pkg::WRITERS]), .key_o (key[6 + stream_pkg::WRITERS])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::issue_t)), .DEPTH(DEPTH), .LIMIT(LIMIT), .LIVE(retire_stream_pkg::ISSUE_LIVE)) u_issue (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.issue), .data_i (records_i.issue),
    .take_i (take_i.issue), .data_o (head.issue),
    .empty_o (empty.issue), .full_o (full.issue), .deep_o (deep.issue)
  );
  stream_source #(.WORDS(retire_stream_pkg::ISSUE_WORDS), .CODE(retire_stream_pkg::ISSUE_CODE), .KEY(retire_stream_pkg::ISSUE_KEY),
      .CONTEXTS(retire_stream_pkg::ISSUE_CONTEXTS)) u_issue_word (
    .chosen_i (chosen_i.issue), .index_i (index_i),
    .words_i (retire_stream_pkg::issue_words(head.issue)), .there_i (retire_stream_pkg::issue_there(head.issue)),
    .code_o (code[7 + stream_pkg::WRITERS]), .there_o (there[7 + stream_pkg::WRITERS]), .word_o (word[7 + stream_pkg::WRITERS]), .context_o (context_of[7 + stream_pkg::WRITERS]), .key_o (key[7 + stream_pkg::WRITERS])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::uniform_read_t)), .DEPTH(DEPTH), .LIMIT(LIMIT), .LIVE(retire_stream_pkg::UNIFORM_READ_LIVE)) u_uniform_read (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.uniform_read), .data_i (records_i.uniform_read),
    .take_i (take_i.uniform_read), .data_o (head.uniform_read),
    .empty_o (empty.uniform_read), .full_o (full.uniform_read), .deep_o (deep.uniform_read)
  );
  stream_source #(.WORDS(retire_stream_pkg::UNIFORM_READ_WORDS), .CODE(retire_stream_pkg::UNIFORM_READ_CODE),
      .CONTEXTS(retire_stream_pkg::UNIFORM_READ_CONTEXTS)) u_uniform_read_word (
    .chosen_i (chosen_i.uniform_read), .index_i (index_i),
    .words_i (retire_stream_pkg::uniform_read_words(head.uniform_read)), .there_i (retire_stream_pkg::uniform_read_there(head.uniform_read)),
    .code_o (code[8 + stream_pkg::WRITERS]), .there_o (there[8 + stream_pkg::WRITERS]), .word_o (word[8 + stream_pkg::WRITERS]), .context_o (context_of[8 + stream_pkg::WRITERS]), .key_o (key[8 + stream_pkg::WRITERS])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::uniform_write_t)), .DEPTH(DEPTH), .LIMIT(LIMIT), .LIVE(retire_stream_pkg::UNIFORM_WRITE_LIVE)) u_uniform_write (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.uniform_write), .data_i (records_i.uniform_write),
    .take_i (take_i.uniform_write), .data_o (head.uniform_write),
    .empty_o (empty.uniform_write), .full_o (full.uniform_write), .deep_o (deep.uniform_write)
  );
  stream_source #(.WORDS(retire_stream_pkg::UNIFORM_WRITE_WORDS), .CODE(retire_stream_pkg::UNIFORM_WRITE_CODE),
      .CONTEXTS(retire_stream_pkg::UNIFORM_WRITE_CONTEXTS)) u_uniform_write_word (
    .chosen_i (chosen_i.uniform_write), .index_i (index_i),
    .words_i (retire_stream_pkg::uniform_write_words(head.uniform_write)), .there_i (retire_stream_pkg::uniform_write_there(head.uniform_write)),
    .code_o (code[9 + stream_pkg::WRITERS]), .there_o (there[9 + stream_pkg::WRITERS]), .word_o (word[9 + stream_pkg::WRITERS]), .context_o (context_of[9 + stream_pkg::WRITERS]), .key_o (key[9 + stream_pkg::WRITERS])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::trap_t)), .DEPTH(FEW), .LIMIT(FEW), .LIVE(retire_stream_pkg::TRAP_LIVE)) u_trap (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.trap), .data_i (records_i.trap),
    .take_i (take_i.trap), .data_o (head.trap),
    .empty_o (empty.trap), .full_o (full.trap), .deep_o (deep.trap)
  );
  stream_source #(.WORDS(retire_stream_pkg::TRAP_WORDS), .CODE(retire_stream_pkg::TRAP_CODE),
      .CONTEXTS(retire_stream_pkg::TRAP_CONTEXTS)) u_trap_word (
    .chosen_i (chosen_i.trap), .index_i (index_i),
    .words_i (retire_stream_pkg::trap_words(head.trap)), .there_i (retire_stream_pkg::trap_there(head.trap)),
    .code_o (code[10 + stream_pkg::WRITERS]), .there_o (there[10 + stream_pkg::WRITERS]), .word_o (word[10 + stream_pkg::WRITERS]), .context_o (context_of[10 + stream_pkg::WRITERS]), .key_o (key[10 + stream_pkg::WRITERS])
  );

  stream_queue #(.WIDTH($bits(retire_pkg::block_end_t)), .DEPTH(FEW), .LIMIT(FEW), .LIVE(retire_stream_pkg::BLOCK_END_LIVE)) u_block_end (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.block_end), .data_i (records_i.block_end),
    .take_i (take_i.block_end), .data_o (head.block_end),
    .empty_o (empty.block_end), .full_o (full.block_end), .deep_o (deep.block_end)
  );
  stream_source #(.WORDS(retire_stream_pkg::BLOCK_END_WORDS), .CODE(retire_stream_pkg::BLOCK_END_CODE),
      .CONTEXTS(retire_stream_pkg::BLOCK_END_CONTEXTS)) u_block_end_word (
    .chosen_i (chosen_i.block_end), .index_i (index_i),
    .words_i (retire_stream_pkg::block_end_words(head.block_end)), .there_i (retire_stream_pkg::block_end_there(head.block_end)),
    .code_o (code[11 + stream_pkg::WRITERS]), .there_o (there[11 + stream_pkg::WRITERS]), .word_o (word[11 + stream_pkg::WRITERS]), .context_o (context_of[11 + stream_pkg::WRITERS]), .key_o (key[11 + stream_pkg::WRITERS])
  );

  always_comb begin
    code_o    = '0;
    there_o   = '0;
    word_o    = '0;
    context_o = '0;
    for (int unsigned i = 0; i < stream_pkg::SOURCES; i++) begin
      code_o    |= code[i];
      there_o   |= there[i];
      word_o    |= word[i];
      context_o |= context_of[i];
    end
  end
  assign key_o  = key != '0;
  assign full_o = full != '0;
  assign deep_o = deep != '0;

  logic unused;
  assign unused = ^empty;

endmodule

`default_nettype wire
