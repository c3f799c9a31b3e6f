// SPDX-License-Identifier: Apache-2.0
// Records of the retire port, kept until they are sent: a queue for each source. From the words of an item
// only their sum r is kept, so that a row of results is a word however many lanes it has.
// Latency: as digest_queue; records of one cycle come to the ends of the queues together. Throughput: all sources
// push in one cycle.
// Handshake: push_i only while not full_o; take_i of sources that have something. deep_o: some queue has its LIMIT.
// The order of sources is digest_capture's.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module digest_sources #(
  parameter int unsigned  DEPTH = 512,
  parameter int unsigned  LIMIT = 64,
  parameter bit           UNI   = cfg_pkg::HAS_UNI,
  localparam int unsigned LANES   = digest_pkg::LANES,
  localparam int unsigned WRITERS = digest_pkg::WRITERS
) (
  input  logic                                clk_i,
  input  logic                                rst_ni,
  input  logic                                start_i,
  input  logic                                push_i,
  input  digest_pkg::sources_t                valid_i,
  input  retire_pkg::block_start_t            block_start_i,
  input  line_pkg::seen_t                     request_i,
  input  retire_pkg::shared_t                 shared_i,
  input  retire_pkg::write_t [WRITERS-1:0]    write_i,
  input  retire_pkg::predicate_t              predicate_i,
  input  retire_pkg::issue_t                  issue_i,
  input  retire_pkg::uniform_write_t          uniform_i,
  input  retire_pkg::trap_t                   trap_i,
  input  retire_pkg::block_end_t              block_end_i,
  output logic                                full_o,
  output logic                                deep_o,
  input  digest_pkg::sources_t                take_i,
  output digest_pkg::heads_t                  heads_o
);

  // For blocks: all may start while nothing is sent.
  localparam int unsigned FEW = (digest_pkg::BLOCKS > 8) ? 32 : 16;

  digest_pkg::sources_t full, deep, has, empty;

  // ---- issue ---------------------------------------------------------------------------------------
  digest_pkg::issue_t issue;
  logic [31:0]        issue_r;
  digest_mix #(.WORDS(6)) u_issue_mix (
    .words_i ({issue_i.ps[2] & issue_i.exec, issue_i.ps[1] & issue_i.exec, issue_i.ps[0] & issue_i.exec, issue_i.exec,
               issue_i.active, issue_i.pc}),
    .r_o     (issue_r)
  );

  // Instructions that read the clock. By the units that have these instructions, each alone: of the decoder only their part is left.
  if (!isa_pkg::op_is_for(isa_pkg::OP_S2R, isa_pkg::UNIT_ALU) || !isa_pkg::op_is_for(isa_pkg::OP_CS2R, isa_pkg::UNIT_FMA)
      || !isa_pkg::op_is_for(isa_pkg::OP_S2UR, isa_pkg::UNIT_UNI)) begin : gen_check
    $error("digest_sources: other units have the instructions that read the clock");
  end
  isa_pkg::op_e op_alu, op_fma, op_uni;
  always_comb begin
    op_alu = isa_pkg::op_e'('0);
    op_fma = isa_pkg::op_e'('0);
    op_uni = isa_pkg::op_e'('0);
    `HEDDLE_ONLY(valid_i.issue) begin
      op_alu = isa_pkg::decode_for(issue_i.word, 16'd1 << isa_pkg::UNIT_ALU, 1'b0).op;
      op_fma = isa_pkg::decode_for(issue_i.word, 16'd1 << isa_pkg::UNIT_FMA, 1'b0).op;
      if (UNI) op_uni = isa_pkg::decode_for(issue_i.word, 16'd1 << isa_pkg::UNIT_UNI, 1'b1).op;
    end
  end
  always_comb begin
    issue.slot  = digest_pkg::slot_t'(issue_i.id.slot);
    issue.seq   = issue_i.id.seq;
    issue.r     = issue_r;
    issue.now   = issue_i.clock[digest_pkg::CLOCK_W-1:0];
    issue.clock = (op_alu == isa_pkg::OP_S2R && (isa_pkg::f_sreg(issue_i.word) == isa_pkg::SREG_SR_CLOCKLO
                                                 || isa_pkg::f_sreg(issue_i.word) == isa_pkg::SREG_SR_CLOCKHI))
               || (op_fma == isa_pkg::OP_CS2R && isa_pkg::f_sreg2(issue_i.word) == isa_pkg::SREG2_SR_CLOCKLO)
               || (op_uni == isa_pkg::OP_S2UR && (isa_pkg::f_usreg(issue_i.word) == isa_pkg::USREG_SR_CLOCKLO
                                                  || isa_pkg::f_usreg(issue_i.word) == isa_pkg::USREG_SR_CLOCKHI));
  end

  // Few are on their way once issue is stopped: three, and what the port's registers hold.
  digest_queue #(.WIDTH($bits(digest_pkg::issue_t)), .DEPTH(16), .LIMIT(4), .LUT(1'b1)) u_issue (
    .clk_i (clk_i), .rst_ni (rst_ni), .push_i (push_i && valid_i.issue), .data_i (issue),
    .valid_o (has.issue), .take_i (take_i.issue), .data_o (heads_o.issue),
    .full_o (full.issue), .deep_o (deep.issue), .empty_o (empty.issue)
  );

  // ---- register writes -------------------------------------------------------------------------------
  for (genvar k = 0; k < WRITERS; k++) begin : gen_write
    digest_pkg::write_t            write;
    logic [LANES:0][31:0]          words;
    logic [31:0]                   r;
    always_comb begin
      for (int unsigned l = 0; l < LANES; l++) words[l] = write_i[k].data[l] & {32{write_i[k].mask[l]}};
      words[LANES] = write_i[k].mask;
    end
    digest_mix #(.WORDS(LANES + 1)) u_mix (
      .words_i (words),
      .r_o     (r)
    );
    assign write = '{slot: digest_pkg::slot_t'(write_i[k].id.slot), seq: digest_pkg::seq_t'(write_i[k].id.seq),
                     rd: write_i[k].rd, beat: digest_pkg::BEAT_W'(write_i[k].beat), r: r};
    digest_queue #(.WIDTH($bits(digest_pkg::write_t)), .DEPTH(DEPTH), .LIMIT(LIMIT)) u_write (
      .clk_i (clk_i), .rst_ni (rst_ni), .push_i (push_i && valid_i.write[k]), .data_i (write),
      .valid_o (has.write[k]), .take_i (take_i.write[k]), .data_o (heads_o.write[k]),
      .full_o (full.write[k]), .deep_o (deep.write[k]), .empty_o (empty.write[k])
    );
  end

  // ---- predicates: by number, so that of two of one number the later is kept. Entries 0 and 1 may say any, of the others (R2P) each
  // its own: what is otherwise finds no room.
  localparam int unsigned ANY = 2;
  digest_pkg::predicate_t predicate;
  logic                   odd;
  always_comb begin
    predicate = '0;
    odd       = 1'b0;
    `HEDDLE_ONLY(valid_i.predicate) begin
      predicate.slot = digest_pkg::slot_t'(predicate_i.id.slot);
      predicate.seq  = digest_pkg::seq_t'(predicate_i.id.seq);
      predicate.beat = digest_pkg::BEAT_W'(predicate_i.beat);
      for (int unsigned p = 0; p < retire_pkg::PREDICATES; p++) begin
        for (int unsigned n = 0; n < retire_pkg::PREDICATES; n++) begin
          if (predicate_i.used[n] && (n < ANY ? predicate_i.value[n].index[2:0] == 3'(p) : n == p)) begin
            predicate.mask[p] = predicate_i.value[n].mask[LANES-1:0];
            predicate.data[p] = predicate_i.value[n].data[LANES-1:0] & predicate_i.value[n].mask[LANES-1:0];
          end
        end
        if (predicate_i.used[p] && (predicate_i.value[p].index[7:3] != '0
                                    || (p >= ANY && predicate_i.value[p].index[2:0] != 3'(p)))) odd = 1'b1;
      end
    end
  end
  digest_queue #(.WIDTH($bits(digest_pkg::predicate_t)), .DEPTH(DEPTH), .LIMIT(LIMIT)) u_predicate (
    .clk_i (clk_i), .rst_ni (rst_ni), .push_i (push_i && valid_i.predicate), .data_i (predicate),
    .valid_o (has.predicate), .take_i (take_i.predicate), .data_o (heads_o.predicate),
    .full_o (full.predicate), .deep_o (deep.predicate), .empty_o (empty.predicate)
  );

  // ---- the uniform datapath, where there is one --------------------------------------------------------
  if (UNI) begin : gen_uniform
    digest_pkg::uniform_t uniform;
    assign uniform = '{slot: digest_pkg::slot_t'(uniform_i.id.slot), seq: digest_pkg::seq_t'(uniform_i.id.seq),
                       rd: uniform_i.rd, used: uniform_i.used[retire_pkg::RESULT-1:0],
                       pred: uniform_i.pred[retire_pkg::PREDICATES-1:0],
                       value: uniform_i.value[retire_pkg::PREDICATES-1:0], data: uniform_i.data};
    digest_queue #(.WIDTH($bits(digest_pkg::uniform_t)), .DEPTH(DEPTH), .LIMIT(LIMIT)) u_uniform (
      .clk_i (clk_i), .rst_ni (rst_ni), .push_i (push_i && valid_i.uniform), .data_i (uniform),
      .valid_o (has.uniform), .take_i (take_i.uniform), .data_o (heads_o.uniform),
      .full_o (full.uniform), .deep_o (deep.uniform), .empty_o (empty.uniform)
    );
  end else begin : gen_no_uniform
    assign heads_o.uniform = '0;
    assign has.uniform     = 1'b1;
    assign full.uniform    = 1'b0;
    assign deep.uniform    = 1'b0;
    assign empty.uniform   = 1'b1;
  end

  // ---- accesses ------------------------------------------------------------------------------------------
  digest_pkg::request_t request;
  assign request = '{slot: digest_pkg::slot_t'(request_i.slot), writes: request_i.writes,
                     index: digest_pkg::line_index(request_i.line)};
  digest_queue #(.WIDTH($bits(digest_pkg::request_t)), .DEPTH(DEPTH), .LIMIT(LIMIT)) u_request (
    .clk_i (clk_i), .rst_ni (rst_ni), .push_i (push_i && valid_i.request), .data_i (request),
    .valid_o (has.request), .take_i (take_i.request), .data_o (heads_o.request),
    .full_o (full.request), .deep_o (deep.request), .empty_o (empty.request)
  );

  // Passes of an instruction follow each other.
  digest_pkg::shared_t shared;
  logic                pass_q;
  logic [47:0]         pass_id_q, pass_id;
  assign pass_id = {shared_i.id.slot, shared_i.id.gen, shared_i.id.seq};
  always_ff @(posedge clk_i) begin
    if (!rst_ni || start_i)    pass_q <= 1'b0;
    else if (valid_i.shared)   pass_q <= 1'b1;
    if (valid_i.shared) pass_id_q <= pass_id;
  end
  always_comb begin
    shared.slot    = digest_pkg::slot_t'(shared_i.id.slot);
    shared.writes  = shared_i.access != 8'd0;
    shared.first   = !pass_q || pass_id != pass_id_q;
    shared.bank_en = shared_i.bank_en[digest_pkg::BANKS-1:0];
    for (int unsigned b = 0; b < digest_pkg::BANKS; b++) shared.index[b] = digest_pkg::row_index(shared_i.row[b]);
  end
  digest_queue #(.WIDTH($bits(digest_pkg::shared_t)), .DEPTH(DEPTH), .LIMIT(LIMIT)) u_shared (
    .clk_i (clk_i), .rst_ni (rst_ni), .push_i (push_i && valid_i.shared), .data_i (shared),
    .valid_o (has.shared), .take_i (take_i.shared), .data_o (heads_o.shared),
    .full_o (full.shared), .deep_o (deep.shared), .empty_o (empty.shared)
  );

  // ---- blocks, and the trap, of which there is one -------------------------------------------------------
  digest_pkg::start_t start;
  assign start = '{bslot: digest_pkg::BLOCK_W'(block_start_i.bslot), warps: block_start_i.warps[digest_pkg::WARPS-1:0],
                   ctaid: block_start_i.ctaid};
  digest_queue #(.WIDTH($bits(digest_pkg::start_t)), .DEPTH(FEW), .LIMIT(FEW), .LUT(1'b1)) u_block_start (
    .clk_i (clk_i), .rst_ni (rst_ni), .push_i (push_i && valid_i.block_start), .data_i (start),
    .valid_o (has.block_start), .take_i (take_i.block_start), .data_o (heads_o.start),
    .full_o (full.block_start), .deep_o (deep.block_start), .empty_o (empty.block_start)
  );
  digest_queue #(.WIDTH(digest_pkg::BLOCK_W), .DEPTH(FEW), .LIMIT(FEW), .LUT(1'b1)) u_block_end (
    .clk_i (clk_i), .rst_ni (rst_ni), .push_i (push_i && valid_i.block_end),
    .data_i (digest_pkg::BLOCK_W'(block_end_i.bslot)),
    .valid_o (has.block_end), .take_i (take_i.block_end), .data_o (heads_o.end_bslot),
    .full_o (full.block_end), .deep_o (deep.block_end), .empty_o (empty.block_end)
  );
  always_ff @(posedge clk_i) begin
    if (push_i && valid_i.trap)
      heads_o.trap <= '{slot: digest_pkg::slot_t'(trap_i.id.slot), seq: trap_i.id.seq, pc: trap_i.pc,
                        lanes: trap_i.lanes, cause: trap_i.cause, addr: trap_i.addr};
  end
  assign has.trap   = 1'b1;
  assign full.trap  = 1'b0;
  assign deep.trap  = 1'b0;
  assign empty.trap = 1'b1;

  assign full_o = full != '0 || (valid_i.predicate && odd);
  assign deep_o = deep != '0;

  // Fields that are sent elsewhere, or not at all.
  logic unused;
  assign unused = ^{block_start_i, shared_i, write_i, predicate_i, issue_i, uniform_i, trap_i, block_end_i, valid_i,
                    empty};

  // A taken record is there.
  `ASSERT(a_take, (take_i & ~has) == '0)

endmodule
