// SPDX-License-Identifier: Apache-2.0
// Queue of the shared-memory instructions whose beats are on their way back, and the result rows of the one in front: whose they
// are, which is next (shm_rows), how many places of the ring their beats take.
// The one in front stands in registers, since it chooses what is offered and reaches the end of the unit in the same cycle; the
// others lie in LUT RAM, and what only passes on (who it is, where its registers are) in block RAM.
// Latency: an instruction is written with its first beat; it is in front before that beat is whole.
// Handshake: events in; rows valid/ready out. It sees no data: step_o says which row of the beat in front is asked for.
// It does not reorder, and does not stop anybody: the ring is full before this is.
`include "heddle_assert.svh"

module shm_pending #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned PLACES = (LANES == 4) ? 8 : 4,     // of the ring: a beat of a matrix; with four lanes two, together
  localparam int unsigned STEP_W = $clog2(PLACES)
) (
  input  logic                       clk_i,
  input  logic                       rst_ni,
  // from the queue: a pass, its instruction's last, and the instruction
  input  logic                       ps_valid_i,
  input  logic                       ps_pop_i,
  input  logic [mem_pkg::BEAT_W-1:0] ps_beat_i,
  /* verilator lint_off UNUSEDSIGNAL */                      // a part of it
  input  core_pkg::memop_t           ps_op_i,
  /* verilator lint_on UNUSEDSIGNAL */
  // from and to the ring of beats
  input  logic                       live_i,       // beats are on their way
  input  logic                       whole_i,      // the oldest is whole
  output logic                       pop_o,        // it has left
  output logic [3:0]                 places_o,     // that it took, if each of its words has one
  // the row in front
  output logic [STEP_W-1:0]          step_o,
  output logic                       matrix_o,
  output logic                       turned_o,     // of a transposed matrix
  // to the end of the unit
  output logic                       res_valid_o,
  input  logic                       res_ready_i,
  output mem_pkg::result_t           res_o,
  output logic                       res_pair_o,   // the instruction has a part in another pipe
  output logic [2:0]                 res_size_o
);

  localparam int unsigned OPS   = 8;               // instructions with beats on their way
  localparam int unsigned PTR_W = $clog2(OPS);

  typedef struct packed {
    logic [2:0]  size;
    logic [1:0]  rd_n;
    logic        has_rd;
    logic        pair;
    logic        matrix;
    logic        turned;
    logic [1:0]  words;      // of a lane that return, minus one; of a store 0: its beat takes a place, too
    logic [31:0] exec;
  } entry_t;

  logic [PTR_W-1:0] wr_q, rd_q, rd;
  logic             store, write, next, last;
  entry_t           in, front;                     // ... the one that comes next, if this one leaves
  mem_pkg::who_t    who;                           // of the one here

  assign store = mem_pkg::is_store(ps_op_i.mem);
  assign write = ps_valid_i && ps_beat_i == '0;

  always_comb begin
    in.size   = ps_op_i.size;
    in.rd_n   = ps_op_i.rd_n;
    in.has_rd = !store && ps_op_i.rd != isa_pkg::RZ;
    in.pair   = ps_op_i.pair;
    in.matrix = core_pkg::is_matrix(ps_op_i.mem, ps_op_i.atom);
    in.turned = ps_op_i.atom == core_pkg::MATRIX_TURNED;
    in.words  = store ? 2'd0 : (ps_op_i.size == isa_pkg::SIZE_128) ? 2'd3 : (ps_op_i.size == isa_pkg::SIZE_64) ? 2'd1 : 2'd0;
    in.exec   = ps_op_i.exec;
  end

  // While the one here has whole beats the next one is read, which counts when the last of them leaves.
  assign rd = rd_q + PTR_W'(whole_i);

  ram_async #(.WIDTH($bits(entry_t)), .DEPTH(OPS)) u_op (
    .clk_i     (clk_i),
    .wr_en_i   (write),
    .wr_addr_i (wr_q),
    .wr_data_i (in),
    .rd_addr_i (rd),
    .rd_data_o (front)
  );

  // What the retire port alone looks at lies above the rest. What is written now is read again before it counts.
  ram_apart #(.WIDTH($bits(core_pkg::id_t) + 27), .DEPTH(OPS)) u_who (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (write),
    .wr_addr_i (wr_q),
    .wr_data_i ({ps_op_i.id.gen, ps_op_i.id.seq, ps_op_i.id.slot, ps_op_i.rbase, ps_op_i.rd, ps_op_i.wbar}),
    .rd_en_i   (next && !(write && wr_q == rd)),
    .rd_addr_i (rd),
    .rd_data_o ({who.id.gen, who.id.seq, who.id.slot, who.rbase, who.rd, who.wbar})
  );
  assign {who.rd_n, who.has_rd} = '0;              // shm_rows has these

  always_ff @(posedge clk_i) begin
    if (next) begin
      res_size_o <= front.size;
      turned_o   <= front.turned;
      places_o   <= front.matrix ? 4'(PLACES) : 4'(front.words) + 4'd1;
    end
  end

  shm_rows u_rows (
    .clk_i        (clk_i),
    .rst_ni       (rst_ni),
    .live_i       (live_i),
    .op_has_rd_i  (front.has_rd),
    .op_rd_n_i    (front.rd_n),
    .op_pair_i    (front.pair),
    .op_matrix_i  (front.matrix),
    .op_exec_i    (front.exec | {32{front.matrix}}),
    .next_o       (next),
    .who_i        (who),
    .valid_i      (whole_i),
    .pop_o        (pop_o),
    .last_o       (last),
    .matrix_o     (matrix_o),
    .step_o       (step_o),
    .out_valid_o  (res_valid_o),
    .out_ready_i  (res_ready_i),
    .out_result_o (res_o),
    .out_pair_o   (res_pair_o)
  );

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      wr_q <= '0;
      rd_q <= '0;
    end else begin
      if (ps_pop_i)      wr_q <= wr_q + 1'b1;
      if (pop_o && last) rd_q <= rd_q + 1'b1;
    end
  end

  // The first beat of an instruction is whole later than its registers have it.
  logic written_q;
  always_ff @(posedge clk_i) written_q <= write && wr_q == rd_q + PTR_W'(pop_o && last);
  `ASSERT(a_front, !whole_i || !written_q)

endmodule
