// SPDX-License-Identifier: Apache-2.0
// Judges every address of a warp instruction before any has an effect, beat by beat, in order. Rows go to the queue of
// their space; the last beat commits them, or ends the instruction with a trap, as refused, or as empty.
// Latency: the rows are written, and ls_checked is registered, one cycle after the beat arrives (regions: see lsu_region).
// Handshake: a beat is taken when its queue has room for an instruction and the end report is free.
// It does not perform anything. A trapped warp stays refused until its slot starts again.
`default_nettype none

module lsu_check (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the host
  input  logic                            invalidate_i,
  input  logic [23:0]                     shared_bytes_i,
  input  logic [3:0][16:0]                cbank_bytes_i,
  input  logic [15:0][39:0]               region_base_i,
  input  logic [15:0][40:0]               region_limit_i,
  input  logic [15:0]                     region_write_i,
  // from the dispatcher: a warp begins
  input  logic                            start_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]      start_slot_i,
  // from the end of the unit: a bus error
  input  logic                            kill_valid_i,
  input  logic [cfg_pkg::WARP_W-1:0]      kill_slot_i,
  // from address generation
  input  logic                            ag_valid_i,
  output logic                            ag_ready_o,
  input  core_pkg::memop_t                ag_op_i,
  input  logic [4:0]                      ag_beat_i,
  input  logic [cfg_pkg::LANES-1:0][63:0] ag_addr_i,
  // to the queues: bit 0 global, 1 shared, 2 constant
  input  logic [2:0]                      q_ready_i,
  output logic [2:0]                      ck_row_valid_o,   // write the row of this beat
  output logic                            ck_commit_o,      // and the instruction is whole
  // to issue
  output logic                            ls_checked_valid_o,
  output logic [cfg_pkg::WARP_W-1:0]      ls_checked_slot_o,
  // to the end of the unit: instructions that go no further
  output logic                            ck_res_valid_o,
  input  logic                            ck_res_ready_i,
  output core_pkg::memop_t                ck_res_op_o,
  output logic                            ck_res_trap_o,
  output logic [3:0]                      ck_res_cause_o,
  output logic [31:0]                     ck_res_lanes_o,
  output logic [63:0]                     ck_res_addr_o
);

  localparam int unsigned LANES  = cfg_pkg::LANES;

  core_pkg::memop_t          op;
  logic [2:0]                space;
  logic [3:0]                smask;
  logic                      wants_write;
  logic [LANES-1:0]          active, misaligned, high, outside, bad;
  logic [LANES-1:0]          range, protect, lead;
  logic                      region_pass, any_bad, last, fire, refused;
  logic [LANES-1:0][39:0]    first;
  logic [32:0]               space_bytes;
  logic                      bank_ok;
  logic [63:0]               bad_addr;
  logic [3:0]                bad_cause;
  logic [31:0]               bad_lanes;
  logic                      fault, fault_now, stop, commit;

  // State of the instruction whose beats arrive.
  logic                      fault_q;
  logic [31:0]               lanes_q;
  logic [3:0]                cause_q;
  logic [63:0]               addr_q;
  logic [cfg_pkg::WARPS-1:0] killed_q;

  assign op          = ag_op_i;
  assign space[0]    = mem_pkg::is_global(op.mem);
  assign space[1]    = mem_pkg::is_shared(op.mem);
  assign space[2]    = op.mem == isa_pkg::MEM_CONST_LOAD;
  assign smask       = mem_pkg::size_mask(op.size);
  assign wants_write = mem_pkg::is_store(op.mem) || mem_pkg::is_atom(op.mem);
  assign bank_ok     = op.cbank[4:2] == '0;
  assign space_bytes = space[1] ? {9'd0, shared_bytes_i} : bank_ok ? {16'd0, cbank_bytes_i[op.cbank[1:0]]} : '0;
  assign active      = LANES'(op.exec >> (32'(ag_beat_i) * LANES));
  assign last        = ag_beat_i == 5'(cfg_pkg::BEATS - 1);

  // Each lane by itself. An aligned access ends at address | smask.
  always_comb begin
    for (int unsigned l = 0; l < LANES; l++) begin
      first[l]      = ag_addr_i[l][39:0];
      misaligned[l] = (ag_addr_i[l][3:0] & smask) != '0;
      high[l]       = ag_addr_i[l][63:40] != '0;
      outside[l]    = {1'b0, ag_addr_i[l][31:4], ag_addr_i[l][3:0] | smask} >= space_bytes;
    end
  end

  lsu_region u_region (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .invalidate_i   (invalidate_i),
    .region_base_i  (region_base_i),
    .region_limit_i (region_limit_i),
    .region_write_i (region_write_i),
    .need_i         (active & ~misaligned & ~high & {LANES{ag_valid_i && space[0]}}),
    .write_i        (wants_write),
    .first_i        (first),
    .size_mask_i    (smask),
    .beat_done_i    (fire),
    .pass_o         (region_pass),
    .range_o        (range),
    .protect_o      (protect)
  );

  assign bad = active & (misaligned | (space[0] ? (high | range | protect) : outside));

  // The lowest lane at fault gives kind and address.
  assign lead    = bad & (~bad + LANES'(1));
  assign any_bad = bad != '0;

  onehot_mux #(.WIDTH(64), .N(LANES)) u_addr (
    .sel_i  (lead),
    .data_i (ag_addr_i),
    .data_o (bad_addr)
  );

  always_comb begin
    if ((lead & misaligned) != '0)                           bad_cause = core_pkg::TRAP_MISALIGNED;
    else if (space[2])                                       bad_cause = core_pkg::TRAP_CONST_RANGE;
    else if (space[0] && (lead & protect & ~high) != '0)     bad_cause = core_pkg::TRAP_WRITE_PROTECTED;
    else                                                     bad_cause = core_pkg::TRAP_OUT_OF_RANGE;
  end

  assign bad_lanes = 32'(bad) << (32'(ag_beat_i) * LANES);
  assign refused   = killed_q[op.id.slot];
  assign fire      = ag_valid_i && region_pass && ((q_ready_i & space) != '0) && (!ck_res_valid_o || ck_res_ready_i);
  assign fault_now = fault_q || any_bad;
  assign fault     = fault_now && !refused;
  assign stop      = fault_now || refused || op.exec == '0;
  assign commit    = fire && last && !stop;

  assign ag_ready_o     = fire;
  assign ck_row_valid_o = space & {3{fire}};
  assign ck_commit_o    = commit;

  always_ff @(posedge clk_i) begin
    if (fire && any_bad && !fault_q) begin
      cause_q <= bad_cause;
      addr_q  <= bad_addr;
    end
    ls_checked_slot_o <= op.id.slot;
    if (fire && last) begin
      ck_res_op_o    <= op;
      ck_res_trap_o  <= fault;
      ck_res_cause_o <= fault_q ? cause_q : bad_cause;
      ck_res_addr_o  <= fault_q ? addr_q : bad_addr;
      ck_res_lanes_o <= lanes_q | bad_lanes;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fault_q            <= 1'b0;
      lanes_q            <= '0;
      killed_q           <= '0;
      ck_res_valid_o     <= 1'b0;
      ls_checked_valid_o <= 1'b0;
    end else begin
      if (fire) begin
        fault_q <= !last && fault_now;
        lanes_q <= last ? '0 : lanes_q | bad_lanes;
      end
      if (fire && last && fault) killed_q[op.id.slot] <= 1'b1;
      if (kill_valid_i) killed_q[kill_slot_i] <= 1'b1;
      if (start_valid_i) killed_q[start_slot_i] <= 1'b0;
      if (fire && last && stop) ck_res_valid_o <= 1'b1;
      else if (ck_res_ready_i)  ck_res_valid_o <= 1'b0;
      ls_checked_valid_o <= fire && last && !fault_now && !refused;
    end
  end

endmodule

`default_nettype wire
