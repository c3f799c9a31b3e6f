// SPDX-License-Identifier: Apache-2.0
// Judges every address of a warp instruction before any has an effect, beat by beat, in order.
// Addresses go to the memories of their space; the last beat lets the instruction on, or ends it
// with a trap, as refused, or as empty.
// Latency: the row is written, and ls_checked is registered, one cycle after the beat arrives, two
// when a lane of it is at fault (regions: see lsu_region).
// Handshake: a beat is taken when it is decided and no end report waits.
// It does not perform anything. A trapped warp stays refused until its slot starts again.
`default_nettype none

module lsu_check #(
  localparam int unsigned LANES = cfg_pkg::LSU_LANES
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the host
  input  logic                            invalidate_i,
  input  logic [23:0]                     shared_bytes_i,
  input  logic [19:0]                     local_bytes_i,
  input  logic [3:0][16:0]                cbank_bytes_i,
  output logic [3:0]                      region_index_o,
  input  logic [39:0]                     region_base_i,
  input  logic [40:0]                     region_limit_i,
  input  logic [15:0]                     region_write_i,
  // from the dispatcher: a warp begins
  input  logic                            start_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]      start_slot_i,
  // from the end of the unit: a bus error
  input  logic                            kill_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]      kill_slot_i,
  // from address generation
  input  logic                            arrive_i,         // event: a global instruction's first beat is next
  input  logic [3:0]                      arrive_pc_i,      // the lowest bits of its instruction number
  input  logic                            ag_valid_i,
  output logic                            ag_ready_o,
  input  core_pkg::memop_t                ag_op_i,
  input  logic [2:0]                      ag_space_i,
  input  logic [4:0]                      ag_beat_i,
  input  logic [LANES-1:0][63:0]          ag_addr_i,
  // to the memories of the spaces: bit 0 global and local, 1 shared, 2 constant
  output logic [2:0]                      ck_row_valid_o,   // event: write the row of this beat
  output logic [2:0]                      ck_end_o,         // event: it was the last of its instruction
  output logic [2:0]                      ck_commit_o,      // which goes on there (else it is forgotten)
  output logic [LANES-1:0]                ck_local_o,       // lanes of this beat in local memory
  output logic [31:0]                     ck_lanes_local_o, // of this beat and those before it
  output logic [31:0]                     ck_lanes_shared_o,
  // to issue
  output logic                            ls_checked_valid_o,
  output logic [cfg_pkg::SM_WARP_W-1:0]      ls_checked_slot_o,
  // to the end of the unit: instructions that go no further
  output logic                            ck_res_valid_o,
  input  logic                            ck_res_ready_i,
  output mem_pkg::result_t                ck_res_o
);

  core_pkg::memop_t          op;
  logic [2:0]                space;
  logic [3:0]                smask;
  logic                      wants_write;
  logic [LANES-1:0]          active, misaligned, high, bad;
  logic [LANES-1:0]          range, protect, lead;
  logic                      region_pass, any_bad, first, last, fire, refused;
  logic [LANES-1:0][39:0]    addr;
  logic [24:0]               bank_bytes;
  logic                      bank_ok, generic, nothing;
  logic [3:1][LANES-1:0]     flat;           // lanes in shared memory, in local memory, in a constant bank
  logic [63:0]               bad_addr;
  logic [3:0]                bad_cause;
  logic [31:0]               bad_lanes;
  logic                      ready, fault_now, stop, unused_op;
  logic [31:0]               shared_now, local_now, shared_q, local_q;

  // What was found in the beats so far; after the last one, the report.
  logic                      fault_q, again_q, res_valid_q, trap_q;
  logic [LANES-1:0]          bad_q, protect_q;
  logic [31:0]               lanes_q;
  logic [3:0]                cause_q;
  logic [63:0]               addr_q;
  core_pkg::id_t             id_q;
  logic [31:0]               pc_q;
  isa_pkg::mem_e             mem_q;
  logic [7:0]                rd_q;
  logic [1:0]                rd_n_q;
  logic [2:0]                wbar_q;
  logic                      uni_q;
  logic [cfg_pkg::SM_WARPS-1:0] killed_q;

  assign op          = ag_op_i;
  assign unused_op   = ^{op.off, op.rbase, op.atom, op.pair};
  assign space       = ag_space_i;
  assign smask       = mem_pkg::size_mask(op.size);
  assign wants_write = mem_pkg::is_store(op.mem) || mem_pkg::is_atom(op.mem);
  assign bank_ok     = op.cbank[4:2] == '0;
  assign bank_bytes  = bank_ok ? {8'd0, cbank_bytes_i[op.cbank[1:0]]} : '0;
  assign generic     = mem_pkg::is_generic(op.mem);
  assign nothing     = space == '0;          // CCTL: changes nothing, looks at no address
  assign active      = (ag_valid_i && !nothing) ? LANES'(op.exec >> (32'(ag_beat_i) * LANES)) : '0;
  assign first       = ag_beat_i == '0;
  assign last        = ag_beat_i == 5'(cfg_pkg::LSU_BEATS - 1);

  // Each lane by itself; addresses of shared and local memory and of constants have no upper half, but generic ones, whose
  // highest byte says the space.
  always_comb begin
    misaligned = '0;
    high       = '0;
    flat       = '0;
    for (int unsigned l = 0; l < LANES; l++) addr[l] = ag_addr_i[l][39:0];
    if (ag_valid_i) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        misaligned[l] = (ag_addr_i[l][3:0] & smask) != '0;
        high[l]       = ag_addr_i[l][63:40] != '0;
        flat[1][l]    = !generic && space[1];
        flat[2][l]    = mem_pkg::is_local(op.mem);
        flat[3][l]    = space[2];
        if (generic) begin
          flat[1][l] = ag_addr_i[l][63:56] == 8'd1;
          flat[2][l] = ag_addr_i[l][63:56] == 8'd2 && op.mem != isa_pkg::MEM_GENERIC_ATOM;
          if (flat[1][l] || flat[2][l]) high[l] = ag_addr_i[l][55:32] != '0;
        end
      end
    end
  end

  lsu_region u_region (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .invalidate_i   (invalidate_i),
    .region_index_o (region_index_o),
    .region_base_i  (region_base_i),
    .region_limit_i (region_limit_i),
    .region_write_i (region_write_i),
    .arrive_i       (arrive_i),
    .arrive_pc_i    (arrive_pc_i),
    .need_i         (active & ~misaligned & ~high),
    .flat_i         (flat),
    .flat_limit_i   ({bank_bytes, 5'd0, local_bytes_i, 1'b0, shared_bytes_i}),
    .write_i        (wants_write),
    .pc_i           (op.pc[7:4]),
    .first_i        (addr),
    .size_mask_i    (smask),
    .beat_done_i    (fire),
    .pass_o         (region_pass),
    .range_o        (range),
    .protect_o      (protect)
  );

  assign bad     = active & (misaligned | high | range | protect);
  assign any_bad = bad != '0;

  // A beat with lanes at fault is looked at again from registers: the lowest of them gives kind and
  // address.
  assign lead = bad_q & (~bad_q + LANES'(1));

  onehot_mux #(.WIDTH(64), .N(LANES)) u_addr (
    .sel_i  (lead),
    .data_i (ag_addr_i),
    .data_o (bad_addr)
  );

  always_comb begin
    if ((lead & misaligned) != '0)               bad_cause = core_pkg::TRAP_MISALIGNED;
    else if (space[2])                           bad_cause = core_pkg::TRAP_CONST_RANGE;
    else if ((lead & protect_q & ~high) != '0)   bad_cause = core_pkg::TRAP_WRITE_PROTECTED;
    else                                         bad_cause = core_pkg::TRAP_OUT_OF_RANGE;
  end

  assign bad_lanes = 32'(bad_q) << (32'(ag_beat_i) * LANES);
  assign refused   = killed_q[op.id.slot];
  assign ready     = ag_valid_i && region_pass && !res_valid_q;
  assign fire      = again_q || (ready && !any_bad);
  assign fault_now = (fault_q && !first) || again_q;
  assign stop      = fault_now || refused || op.exec == '0 || nothing;

  // Which lanes go where is known with the last beat.
  assign shared_now        = 32'(flat[1]) << (32'(ag_beat_i) * LANES);
  assign local_now         = 32'(flat[2]) << (32'(ag_beat_i) * LANES);
  assign ck_local_o        = flat[2];
  assign ck_lanes_shared_o = first ? shared_now : shared_now | shared_q;
  assign ck_lanes_local_o  = first ? local_now : local_now | local_q;

  always_ff @(posedge clk_i) begin
    if (fire) begin
      shared_q <= ck_lanes_shared_o;
      local_q  <= ck_lanes_local_o;
    end
  end

  assign ag_ready_o     = fire;
  assign ck_row_valid_o = fire ? space : '0;
  assign ck_end_o       = (fire && last) ? space : '0;
  assign ck_commit_o    = stop ? '0
    : {space[2], space[1] && (op.exec & ck_lanes_shared_o) != '0, space[0] && (op.exec & ~ck_lanes_shared_o) != '0};

  always_ff @(posedge clk_i) begin
    if (ready && any_bad && !again_q) begin
      bad_q     <= bad;
      protect_q <= protect;
    end
    if (again_q && (first || !fault_q)) begin
      cause_q <= bad_cause;
      addr_q  <= bad_addr;
    end
    if (again_q)            lanes_q <= first ? bad_lanes : lanes_q | bad_lanes;
    else if (fire && first) lanes_q <= '0;
    if (fire && last) begin
      ls_checked_slot_o <= op.id.slot;
      if (stop) begin
        id_q   <= op.id;
        pc_q   <= op.pc;
        mem_q  <= op.mem;
        rd_q   <= op.rd;
        rd_n_q <= op.rd_n;
        wbar_q <= op.wbar;
        uni_q  <= mem_pkg::uniform(op);
        trap_q <= fault_now && !refused;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fault_q            <= 1'b0;
      again_q            <= 1'b0;
      killed_q           <= '0;
      res_valid_q        <= 1'b0;
      ls_checked_valid_o <= 1'b0;
    end else begin
      again_q <= ready && any_bad && !again_q;
      if (fire) fault_q <= fault_now;
      if (fire && last && fault_now && !refused) killed_q[op.id.slot] <= 1'b1;
      if (kill_valid_i) killed_q[kill_slot_i] <= 1'b1;
      if (start_valid_i) killed_q[start_slot_i] <= 1'b0;
      if (fire && last && stop) res_valid_q <= 1'b1;
      else if (ck_res_ready_i)  res_valid_q <= 1'b0;
      ls_checked_valid_o <= fire && last && !fault_now && !refused;
    end
  end

  // The report: who, where, and what a trap needs; no row.
  assign ck_res_valid_o = res_valid_q;
  always_comb begin
    ck_res_o         = '0;
    ck_res_o.op.id   = id_q;
    ck_res_o.op.pc   = pc_q;
    ck_res_o.op.mem  = mem_q;
    ck_res_o.op.rd   = rd_q;
    ck_res_o.op.rd_n = rd_n_q;
    ck_res_o.op.wbar = wbar_q;
    ck_res_o.op.atom[0] = uni_q;   // as ULDC has it
    ck_res_o.last    = 1'b1;
    ck_res_o.trap    = trap_q;
    ck_res_o.cause   = cause_q;
    ck_res_o.lanes   = lanes_q;
    ck_res_o.addr    = addr_q;
  end

endmodule

`default_nettype wire
