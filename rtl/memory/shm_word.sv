// SPDX-License-Identifier: Apache-2.0
// The shared memory of a small machine (configuration: shared_lanes = 1): one word a cycle is read or written, as shm_walk says
// step by step, and there is one arithmetic of 32 bits for atomics, with carries from the low word to the high one. Takes the
// place of shm_route and shared_mem.
// Latency: a word that is read stands one cycle after ps_valid_i, until the next one; what is written is there in the next cycle.
// Atomics work on the word that was read in the step before, or with a rank there (SHARED_RANKS) in the one before that.
// Handshake: events.
// It does not check ranges, adds no floats, and clears its contents only as wipe_i says.
`include "heddle_idle.svh"

module shm_word #(
  localparam int unsigned SHM_W = mem_pkg::SHM_W,
  localparam int unsigned WORDS = cfg_pkg::SHARED_BYTES / 4
) (
  input  logic                         clk_i,
  input  logic                         rst_ni,
  input  core_pkg::wipe_t              wipe_i,
  // from shm_walk: a step; the instruction, and address and data word of the lane
  input  logic                         ps_valid_i,
  /* verilator lint_off UNUSEDSIGNAL */                    // a part of it each
  input  mem_pkg::step_t               ps_step_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  isa_pkg::mem_e                ps_mem_i,
  input  logic [atom_pkg::OP_W-1:0]    ps_atom_i,
  input  logic [2:0]                   ps_size_i,
  input  logic [SHM_W-1:0]             rd_addr_i,
  input  logic [31:0]                  rd_data_i,
  // to the return path
  output logic [31:0]                  sm_rdata_o,
  // what becomes of the step
  output mem_pkg::word_t               sm_word_o
);

  localparam logic [2:0] LOW = 3'(1 + cfg_pkg::SHARED_RANKS), HIGH = LOW + 3'd1;   // steps in which words read first are here

  logic                    atomic, swap, high, again, read, write;
  logic [SHM_W-3:0]        place;
  logic [3:0]              strobe;
  logic [31:0]             b, v, wr_data;
  atom_pkg::act_t          act_q;
  atom_pkg::word_t         sum;
  logic                    borrow_q, carry_q, above_q, equal_q;

  assign atomic = ps_mem_i == isa_pkg::MEM_SHARED_ATOM;
  assign swap   = ps_atom_i == atom_pkg::COMPARE_SWAP;
  assign high   = ps_step_i.number == HIGH;     // of 64 bits: the high word is here, what the low one carries has been found
  assign again  = ps_step_i.number[2];          // ... the low one once more, when both have been compared
  // Accesses are aligned.
  assign place  = {rd_addr_i[SHM_W-1:4], rd_addr_i[3:2] | ps_step_i.at};
  // The memory is read or written in a cycle, never both, and synthesis must see it: it would add registers for a collision.
  assign write  = ps_valid_i && ps_step_i.write && !(atomic && swap && !equal_q);
  assign read   = ps_valid_i && ps_step_i.read && !ps_step_i.write;
  assign strobe = mem_pkg::byte_mask(ps_size_i, rd_addr_i[1:0]);

  if (cfg_pkg::SHARED_RANKS == 0) begin : gen_at_once
    assign v = sm_rdata_o;
  end else begin : gen_rank
    always_ff @(posedge clk_i) v <= sm_rdata_o;
  end

  // ---- what is written: of a store and a compare-and-swap the word as it is, else what the operation makes of it and memory's ----
  always_comb begin
    b       = 'x;
    sum     = 'x;
    wr_data = 'x;
    if (`HEDDLE_LIVE(ps_valid_i && (ps_step_i.write || atomic))) begin
      b   = mem_pkg::replicate(ps_size_i, rd_data_i);
      sum = atom_pkg::word_result(act_q, v, b, high ? borrow_q : act_q.dec, high ? carry_q : act_q.one, again, above_q,
                                  !atomic || swap);
      wr_data = sum.word;
    end
  end

  // A 32-bit atomic is done in step LOW; of 64 bits the low word is there in step LOW, the high one in step HIGH.
  always_ff @(posedge clk_i) begin
    if (ps_valid_i) begin
      act_q <= atom_pkg::decode(ps_atom_i);
      if (ps_step_i.number == LOW) begin
        borrow_q <= sum.borrow;
        carry_q  <= sum.carry;
      end
      if (high) above_q <= sum.above;
      if (ps_step_i.number == LOW || (high && ps_size_i == isa_pkg::SIZE_64)) equal_q <= (v == b) && (equal_q || !high);
    end
  end

  localparam bit WIPES = cfg_pkg::MMU != 0;
  logic          wipes;
  assign wipes = WIPES && wipe_i.valid;

  // ---- the memory -------------------------------------------------------------------------------
  ram_banks #(.BANKS(1), .ROWS(WORDS), .ROW_W(SHM_W - 2)) u_word (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .rd_any_i  (read),
    .rd_en_i   (1'b1),
    .rd_row_i  (place),
    .rd_data_o (sm_rdata_o),
    .wr_any_i  (write || wipes),
    .wr_en_i   (1'b1),
    .wr_row_i  (wipes ? (SHM_W-2)'(wipe_i.at) : place),
    .wr_strb_i (strobe | {4{wipes}}),
    .wr_data_i (wipes ? '0 : wr_data)
  );

  assign sm_word_o = '{read: read, write: write, place: place, strobe: strobe, data: wr_data};

endmodule
