// SPDX-License-Identifier: Apache-2.0
// Records of the retire port, kept until they are sent: queues for its sources, and one requested word of the record that
// was taken last.
// Latency: a record comes one cycle after take_i, until the next one of its source; its words from the one after on, and each a
// cycle after index_i. Throughput: all sources push in one cycle, but one kind of operands. For a while only it takes more
// than one row at the write ports, and more than an access to global memory in three cycles (stream_writes, stream_global).
// Handshake: push_i only while not full_o; take_i is one source that has something and is not behind_o. deep_o: some queue has
// LIMIT records.
// The cycle of a record and its code are not its part. Records of an SM with one partition, without a cache: full_o
// holds, too, in a cycle that shows what such a machine cannot.
`include "heddle_idle.svh"

module stream_sources #(
  parameter int unsigned DEPTH   = 512,
  parameter int unsigned LIMIT   = 64,
  parameter bit          UNIFORM = cfg_pkg::HAS_UNI   // there is a uniform datapath
) (
  input  logic                                  clk_i,
  input  logic                                  rst_ni,
  input  logic                                  push_i,
  input  stream_pkg::sources_t                  valid_i,
  input  stream_pkg::records_t                  records_i,
  output logic                                  full_o,
  output logic                                  deep_o,
  output stream_pkg::sources_t                  behind_o,   // the next record is not yet where it can be taken
  // the record to send
  input  stream_pkg::sources_t                  take_i,
  input  stream_pkg::sources_t                  chosen_i,
  input  logic [stream_pkg::WORD_W-1:0]         index_i,
  output logic [3:0]                            code_o,
  output logic [stream_pkg::WORDS_MAX-1:0]      there_o,
  output logic [31:0]                           word_o,
  output logic [retire_stream_pkg::CONTEXT_W:0] context_o,
  output logic                                  key_o
);

  // For blocks, barriers and traps: half of them come after issue has stopped.
  localparam int unsigned FEW = 16;
  // Others have fewer in flight, too; block RAM is scarce beside the machine.
  localparam int unsigned SOME = 64;

  stream_pkg::sources_t full, deep, empty, odd;
  stream_pkg::records_t head;

  // One SM, one partition: their numbers, the lowest bits of a record, are zero and not kept.
  localparam int unsigned ID = 16;

  stream_queue #(.WIDTH($bits(retire_pkg::block_start_t)), .DEPTH(FEW), .LIMIT(FEW / 2), .LUT(1'b1),
       .LIVE(retire_stream_pkg::BLOCK_START_LIVE)) u_block_start (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.block_start), .data_i (records_i.block_start),
    .take_i (take_i.block_start), .look_i (chosen_i.block_start), .data_o (head.block_start),
    .empty_o (empty.block_start), .full_o (full.block_start), .deep_o (deep.block_start)
  );

  stream_pkg::kept_global_t global_kept;
  stream_global #(.PLACES(2 * DEPTH), .LIMIT(LIMIT)) u_global_access (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.global_access), .data_i (stream_pkg::keep_global(records_i.global_access)),
    .take_i (take_i.global_access), .index_i (index_i), .data_o (global_kept),
    .empty_o (empty.global_access), .full_o (full.global_access), .deep_o (deep.global_access)
  );
  assign head.global_access = stream_pkg::show_global(global_kept);

  if (stream_pkg::ALONE) begin : gen_shared_alone
    stream_pkg::kept_shared_t kept;
    stream_queue #(.WIDTH($bits(stream_pkg::kept_shared_t)), .DEPTH(DEPTH), .LIMIT(SOME / 4)) u_shared (
      .clk_i (clk_i), .rst_ni (rst_ni),
      .push_i (push_i && valid_i.shared), .data_i (stream_pkg::keep_shared(records_i.shared)),
      .take_i (take_i.shared), .look_i (chosen_i.shared), .data_o (kept),
      .empty_o (empty.shared), .full_o (full.shared), .deep_o (deep.shared)
    );
    assign head.shared = stream_pkg::show_shared(kept);
    assign odd.shared  = stream_pkg::odd_shared(records_i.shared);
  end else begin : gen_shared_rows
    stream_queue #(.WIDTH($bits(retire_pkg::shared_t)), .DEPTH(DEPTH), .LIMIT(SOME / 4),
        .LIVE(retire_stream_pkg::SHARED_LIVE)) u_shared (
      .clk_i (clk_i), .rst_ni (rst_ni),
      .push_i (push_i && valid_i.shared), .data_i (records_i.shared),
      .take_i (take_i.shared), .look_i (chosen_i.shared), .data_o (head.shared),
      .empty_o (empty.shared), .full_o (full.shared), .deep_o (deep.shared)
    );
    assign odd.shared = 1'b0;
  end

  stream_pkg::kept_write_t [stream_pkg::WRITERS-1:0] writes;
  stream_pkg::kept_write_t                           write_kept;
  for (genvar k = 0; k < stream_pkg::WRITERS; k++) begin : gen_write
    assign writes[k]     = stream_pkg::keep_write(records_i.write[k]);
    assign odd.write[k]  = stream_pkg::odd_write(records_i.write[k]);
    assign head.write[k] = stream_pkg::show_write(write_kept);
  end
  stream_writes #(.DEPTH(DEPTH), .LIMIT(LIMIT)) u_write (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i ({stream_pkg::WRITERS{push_i}} & valid_i.write), .data_i (writes),
    .take_i (take_i.write), .data_o (write_kept),
    .empty_o (empty.write), .full_o (full.write), .deep_o (deep.write)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::predicate_t)), .DEPTH(SOME), .LIMIT(SOME / 8), .LUT(1'b1),
       .LIVE(retire_stream_pkg::PREDICATE_LIVE >> ID << ID)) u_predicate (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.predicate), .data_i (records_i.predicate),
    .take_i (take_i.predicate), .look_i (chosen_i.predicate), .data_o (head.predicate),
    .empty_o (empty.predicate), .full_o (full.predicate), .deep_o (deep.predicate)
  );

  // The last bus has a row for its pipes or for memory. Others have none of memory's.
  localparam int unsigned LAST = stream_pkg::BUSES - 1, COUNT_W = $clog2(DEPTH) + 1;
  retire_pkg::operands_t [LAST:0] rows;
  logic [LAST:0]                  rows_empty, rows_full;
  for (genvar k = 0; k <= LAST; k++) begin : gen_operands
    stream_pkg::kept_operands_t kept;
    logic                       memory, takes, looks, unused_deep;
    assign memory = k == LAST && valid_i.operands_memory;
    assign takes  = take_i.operands[k] || (k == LAST && take_i.operands_memory);
    assign looks  = chosen_i.operands[k] || (k == LAST && chosen_i.operands_memory);
    stream_queue #(.WIDTH($bits(stream_pkg::kept_operands_t)), .DEPTH(DEPTH), .LIMIT(LIMIT)) u_operands (
      .clk_i (clk_i), .rst_ni (rst_ni),
      .push_i (push_i && (valid_i.operands[k] || memory)),
      .data_i (stream_pkg::keep_operands(memory ? records_i.operands_memory : records_i.operands[k])),
      .take_i (takes), .look_i (looks), .data_o (kept),
      .empty_o (rows_empty[k]), .full_o (rows_full[k]), .deep_o (unused_deep)
    );
    assign rows[k]           = stream_pkg::show_operands(kept);
    assign head.operands[k]  = rows[k];
    assign empty.operands[k] = rows_empty[k];
    assign full.operands[k]  = rows_full[k] || (valid_i.operands[k] && memory);
    assign odd.operands[k]   = stream_pkg::odd_operands(records_i.operands[k]);
    // The pipes' rows among those that wait.
    logic [COUNT_W-1:0] pipes_q;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) pipes_q <= '0;
      else         pipes_q <= pipes_q + COUNT_W'(push_i && valid_i.operands[k]) - COUNT_W'(take_i.operands[k]);
    end
    assign deep.operands[k] = pipes_q >= COUNT_W'(LIMIT);
  end
  assign head.operands_memory  = rows[LAST];
  assign empty.operands_memory = rows_empty[LAST];
  assign full.operands_memory  = rows_full[LAST];
  assign odd.operands_memory   = stream_pkg::odd_operands(records_i.operands_memory);

  // Fewer of those for memory are in flight, and fewer may wait.
  logic [COUNT_W-1:0] memory_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) memory_q <= '0;
    else         memory_q <= memory_q + COUNT_W'(push_i && valid_i.operands_memory) - COUNT_W'(take_i.operands_memory);
  end
  assign deep.operands_memory = memory_q >= COUNT_W'(SOME / 4);

  stream_queue #(.WIDTH($bits(retire_pkg::barrier_t)), .DEPTH(FEW), .LIMIT(FEW / 2), .LUT(1'b1),
       .LIVE(retire_stream_pkg::BARRIER_LIVE >> 8 << 8)) u_barrier (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.barrier), .data_i (records_i.barrier),
    .take_i (take_i.barrier), .look_i (chosen_i.barrier), .data_o (head.barrier),
    .empty_o (empty.barrier), .full_o (full.barrier), .deep_o (deep.barrier)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::issue_t)), .DEPTH(FEW), .LIMIT(SOME / 8), .LUT(1'b1),
       .LIVE(retire_stream_pkg::ISSUE_LIVE >> ID << ID)) u_issue (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.issue), .data_i (records_i.issue),
    .take_i (take_i.issue), .look_i (chosen_i.issue), .data_o (head.issue),
    .empty_o (empty.issue), .full_o (full.issue), .deep_o (deep.issue)
  );

  if (UNIFORM) begin : gen_uniform
    stream_queue #(.WIDTH($bits(retire_pkg::uniform_read_t)), .DEPTH(SOME), .LIMIT(SOME / 8), .LUT(1'b1),
         .LIVE(retire_stream_pkg::UNIFORM_READ_LIVE >> ID << ID)) u_uniform_read (
      .clk_i (clk_i), .rst_ni (rst_ni),
      .push_i (push_i && valid_i.uniform_read), .data_i (records_i.uniform_read),
      .take_i (take_i.uniform_read), .look_i (chosen_i.uniform_read), .data_o (head.uniform_read),
      .empty_o (empty.uniform_read), .full_o (full.uniform_read), .deep_o (deep.uniform_read)
    );

    stream_queue #(.WIDTH($bits(retire_pkg::uniform_write_t)), .DEPTH(SOME), .LIMIT(SOME / 8), .LUT(1'b1),
         .LIVE(retire_stream_pkg::UNIFORM_WRITE_LIVE >> ID << ID)) u_uniform_write (
      .clk_i (clk_i), .rst_ni (rst_ni),
      .push_i (push_i && valid_i.uniform_write), .data_i (records_i.uniform_write),
      .take_i (take_i.uniform_write), .look_i (chosen_i.uniform_write), .data_o (head.uniform_write),
      .empty_o (empty.uniform_write), .full_o (full.uniform_write), .deep_o (deep.uniform_write)
    );
    assign odd.uniform_read  = records_i.uniform_read[ID-1:0] != '0;
    assign odd.uniform_write = records_i.uniform_write[ID-1:0] != '0;
  end else begin : gen_no_uniform
    assign {head.uniform_read, head.uniform_write}   = '0;
    assign {empty.uniform_read, empty.uniform_write} = '1;
    assign {full.uniform_read, full.uniform_write}   = '0;
    assign {deep.uniform_read, deep.uniform_write}   = '0;
    assign {odd.uniform_read, odd.uniform_write}     = '1;
  end

  stream_queue #(.WIDTH($bits(retire_pkg::trap_t)), .DEPTH(FEW), .LIMIT(FEW / 2), .LUT(1'b1),
       .LIVE(retire_stream_pkg::TRAP_LIVE >> ID << ID)) u_trap (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.trap), .data_i (records_i.trap),
    .take_i (take_i.trap), .look_i (chosen_i.trap), .data_o (head.trap),
    .empty_o (empty.trap), .full_o (full.trap), .deep_o (deep.trap)
  );

  stream_queue #(.WIDTH($bits(retire_pkg::block_end_t)), .DEPTH(FEW), .LIMIT(FEW / 2), .LUT(1'b1),
       .LIVE(retire_stream_pkg::BLOCK_END_LIVE >> 8 << 8)) u_block_end (
    .clk_i (clk_i), .rst_ni (rst_ni),
    .push_i (push_i && valid_i.block_end), .data_i (records_i.block_end),
    .take_i (take_i.block_end), .look_i (chosen_i.block_end), .data_o (head.block_end),
    .empty_o (empty.block_end), .full_o (full.block_end), .deep_o (deep.block_end)
  );

  // ---- of the source to send: its kind, its words that are there, one word --------------------
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
    for (int unsigned k = 0; k < stream_pkg::BUSES; k++)
      `HEDDLE_ONLY(chosen_i.operands[k]) if (chosen_i.operands[k]) begin
        code_o    |= 4'(retire_stream_pkg::OPERANDS_CODE);
        there_o   |= stream_pkg::WORDS_MAX'(retire_stream_pkg::operands_there(head.operands[k]));
        word_o    |= retire_stream_pkg::operands_word(head.operands[k], index);
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

  // A record that cannot be kept as it is finds no room.
  assign odd.block_start   = 1'b0;
  assign odd.global_access = stream_pkg::odd_global(records_i.global_access);
  assign odd.predicate     = records_i.predicate[ID-1:0] != '0;
  assign odd.barrier       = records_i.barrier[7:0] != '0;
  assign odd.issue         = records_i.issue[ID-1:0] != '0;
  assign odd.trap          = records_i.trap[ID-1:0] != '0;
  assign odd.block_end     = records_i.block_end[7:0] != '0;

  assign full_o = full != '0 || (valid_i & odd) != '0;
  assign deep_o = deep != '0;
  always_comb begin
    behind_o               = '0;
    behind_o.write         = empty.write;
    behind_o.global_access = empty.global_access;
  end

  logic unused;
  assign unused = ^{empty, take_i, records_i};

endmodule
