// SPDX-License-Identifier: Apache-2.0
// Judges every address of a warp instruction before any has an effect, beat by beat, in order, in two stages: each lane is
// looked at as address generation shows it, and what was found counts in the next cycle.
// Addresses go to the memories of their space; the last beat lets the instruction on, or ends it
// with a trap, as refused, or as empty.
// Latency: the row is written one cycle after the beat arrives, and ls_checked is registered with it; later when a lane of it
// does not lie in the range at hand (see lsu_region) or is at fault.
// Handshake: a beat is taken when the one before it is decided and no end report waits. All that goes on with ck_row_valid_o is
// shown in ck_op_o, ck_slot_o, ck_beat_o, ck_addr_o.
// Shared addresses of asynchronous copies are judged beside it (lsu_front), in the same stages; they count in its last beat.
// It does not perform anything. A trapped warp stays refused until its slot starts again.
`include "heddle_idle.svh"

module lsu_check #(
  localparam int unsigned LANES  = cfg_pkg::LSU_LANES,
  localparam int unsigned BEAT_W = mem_pkg::BEAT_W
) (
  input  logic                            clk_i,
  input  logic                            rst_ni,
  // from the host
  input  logic                            invalidate_i,
  input  logic                            pages_i,          // global addresses are virtual: no regions (where there are pages)
  input  mem_pkg::limits_t                limits_i,
  output logic [3:0]                      region_index_o,
  input  logic [39:0]                     region_base_i,
  input  logic [40:0]                     region_limit_i,
  // from the dispatcher: a warp begins
  input  logic                            start_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]      start_slot_i,
  // from the end of the unit: a bus error
  input  logic                            kill_valid_i,
  input  logic [cfg_pkg::SM_WARP_W-1:0]      kill_slot_i,
  // from address generation
  input  logic                            arrive_i,         // event: an instruction's first beat is here next
  /* verilator lint_off UNUSEDSIGNAL */                    // most of it comes again
  input  core_pkg::memop_t                arrive_op_i,
  /* verilator lint_on UNUSEDSIGNAL */
  input  logic                            ag_valid_i,
  output logic                            ag_ready_o,
  input  core_pkg::memop_t                ag_op_i,
  input  logic [2:0]                      ag_space_i,
  input  logic [4:0]                      ag_beat_i,
  input  logic [mem_pkg::GSLOT_W-1:0]     ag_slot_i,
  input  logic [LANES-1:0][63:0]          ag_addr_i,
  // from and to lsu_front: shared addresses of copies, in the same two stages
  output logic                            ck_move_o,        // event: a beat goes to the second stage,
  output logic                            ck_fire_o,        // and leaves it
  input  logic                            cc_bad_i,       // one of this beat or of those before is at fault
  input  logic [31:0]                     cc_lanes_i,       // for the report: of the last instruction that was
  input  logic [3:0]                      cc_cause_i,
  input  logic [31:0]                     cc_addr_i,
  // to the memories of the spaces: bit 0 global and local, 1 shared, 2 constant
  output logic                            ck_valid_o,       // a beat stands in the second stage
  output core_pkg::memop_t                ck_op_o,
  output logic [4:0]                      ck_beat_o,
  output logic [mem_pkg::GSLOT_W-1:0]     ck_slot_o,
  output logic [LANES-1:0][63:0]          ck_addr_o,
  output logic [2:0]                      ck_row_valid_o,   // event: write the row of this beat
  output logic [2:0]                      ck_end_o,         // event: it was the last of its instruction
  output logic [2:0]                      ck_commit_o,      // which goes on there (else it is forgotten)
  output logic [LANES-1:0]                ck_local_o,       // lanes of this beat in local memory
  output logic [LANES-1:0]                ck_shared_o,      // lanes of this beat that execute, in shared memory,
  output logic [LANES-1:0]                ck_else_o,        // and elsewhere
  output logic [31:0]                     ck_exec_shared_o, // with ck_end_o: all lanes in shared memory,
  output logic [cfg_pkg::LSU_BEATS-1:0]   ck_rows_local_o,  // beats with lanes in local memory,
  output logic [cfg_pkg::LSU_BEATS-1:0]   ck_rows_else_o,   // and with lanes that are not in shared memory
  // to issue
  output logic                            ls_checked_valid_o,
  output logic [cfg_pkg::SM_WARP_W-1:0]      ls_checked_slot_o,
  // to the end of the unit: instructions that go no further
  output logic                            ck_res_valid_o,
  input  logic                            ck_res_ready_i,
  output mem_pkg::result_t                ck_res_o
);

  // ---- first stage ----------------------------------------------------------------------------------
  logic [3:0]                smask;
  logic [LANES-1:0]          active, misaligned, high, held;   // held: to a range
  logic [3:1][LANES-1:0]     flat;           // lanes in shared memory, in local memory, in a constant bank
  logic [LANES-1:0][39:0]    addr;
  logic                      generic, nothing, easy, move, paged;

  assign smask   = mem_pkg::size_mask(ag_op_i.size);
  assign generic = mem_pkg::is_generic(ag_op_i.mem);
  assign nothing = ag_space_i == '0;         // CCTL: changes nothing, looks at no address
  assign active  = (ag_valid_i && !nothing) ? LANES'(ag_op_i.exec >> (32'(ag_beat_i) * LANES)) : '0;

  // A virtual address may lie anywhere.
  assign paged   = mem_pkg::PAGED && pages_i;
  assign held    = active & ~misaligned & ~high & ~(paged ? ~(flat[1] | flat[2] | flat[3]) : '0);

  // Each lane by itself; addresses of shared and local memory and of constants have no upper half, but generic ones: their
  // highest byte says the space.
  always_comb begin
    misaligned = '0;
    high       = '0;
    flat       = '0;
    `HEDDLE_IDLE(addr, 'x);
    `HEDDLE_ONLY(ag_valid_i) begin
      flat[1] = {LANES{!generic && ag_space_i[1]}};
      flat[2] = {LANES{mem_pkg::is_local(ag_op_i.mem)}};
      flat[3] = {LANES{ag_space_i[2]}};
      for (int unsigned l = 0; l < LANES; l++) begin
        addr[l]       = ag_addr_i[l][39:0];
        misaligned[l] = (ag_addr_i[l][3:0] & smask) != '0;
        high[l]       = paged ? ag_addr_i[l][63:mem_pkg::VA_W] != '0 : ag_addr_i[l][63:40] != '0;
      end
      if (generic) begin
        for (int unsigned l = 0; l < LANES; l++) begin
          flat[1][l] = ag_addr_i[l][63:56] == 8'd1;
          flat[2][l] = ag_addr_i[l][63:56] == 8'd2 && ag_op_i.mem != isa_pkg::MEM_GENERIC_ATOM;
          if (flat[1][l] || flat[2][l]) high[l] = ag_addr_i[l][55:32] != '0;
        end
      end
    end
  end

  // ---- second stage -----------------------------------------------------------------------------------
  logic                      valid_q, slow_q, empty_q, wants_write, first, last, fire, done;
  logic [2:0]                space_q;
  logic [LANES-1:0]          active_q, misfit_q, misaligned_q, left, protect, bad, lead;
  logic [3:1][LANES-1:0]     flat_q;
  logic [LANES-1:0][39:0]    ck_addr;
  logic [3:0]                bad_cause;
  logic [2:0][LANES-1:0]     goes_here;      // lanes of this beat that execute: elsewhere, in shared memory, in local memory
  logic [cfg_pkg::LSU_BEATS-1:0][LANES-1:0] goes_all, goes_lanes_q;
  logic [1:0][cfg_pkg::LSU_BEATS-1:0] rows_all, rows_q;      // beats with any: elsewhere, in local memory
  logic [1:0]                rows_here;
  logic                      refused, faulty, found, fault_now, traps, stop, group;
  logic [1:0]                goes, goes_q;   // lanes that execute: some elsewhere, some in shared memory

  // All that was found in the beats so far; after the last one, the report.
  logic                      fault_q, res_valid_q, trap_q, far_q;   // far_q: a trap is of a shared address
  logic [cfg_pkg::LSU_BEATS-1:0][LANES-1:0] lanes_q;
  logic [3:0]                cause_q;
  logic [63:0]               addr_q;
  core_pkg::id_t             id_q;
  logic [31:0]               pc_q;
  logic                      has_rd_q;
  logic [7:0]                rd_q;
  logic [1:0]                rd_n_q;
  logic [2:0]                wbar_q;
  logic                      uni_q;
  logic [cfg_pkg::SM_WARPS-1:0] killed_q;

  assign group       = mem_pkg::is_copy(ck_op_o.mem) && ck_op_o.atom == core_pkg::GROUP;
  assign wants_write = mem_pkg::is_store(ck_op_o.mem) || mem_pkg::is_atom(ck_op_o.mem);
  assign first       = ck_beat_o == '0;
  assign last        = ck_beat_o == 5'(cfg_pkg::LSU_BEATS - 1);
  assign ck_valid_o  = valid_q;

  assign move       = ag_valid_i && (!valid_q || (!slow_q && !res_valid_q));
  assign ag_ready_o = move;
  assign fire       = valid_q && !res_valid_q && (!slow_q || done);

  always_ff @(posedge clk_i) begin
    if (move) begin
      ck_beat_o    <= ag_beat_i;
      ck_addr_o    <= ag_addr_i;
      flat_q       <= flat;
      active_q     <= active;
      misfit_q     <= active & (misaligned | high);
      misaligned_q <= misaligned;
      if (ag_beat_i == '0) begin
        ck_op_o    <= ag_op_i;
        space_q    <= ag_space_i;
        ck_slot_o  <= ag_slot_i;
        empty_q    <= nothing || ag_op_i.exec == '0;   // a group has none
      end
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      slow_q  <= 1'b0;
    end else begin
      valid_q <= move || (valid_q && !fire);
      if (move)      slow_q <= !easy || (active & (misaligned | high)) != '0;
      else if (fire) slow_q <= 1'b0;
    end
  end

  // ---- ranges -------------------------------------------------------------------------------------------
  isa_pkg::mem_e             start_mem;
  mem_pkg::range_e           start_kind;
  logic                      here;           // it stands in the first stage

  assign here      = slow_q && ag_valid_i;
  assign start_mem = here ? ag_op_i.mem : arrive_op_i.mem;
  always_comb begin
    start_kind = mem_pkg::RANGE_REGION;
    if (mem_pkg::is_shared(start_mem))                    start_kind = mem_pkg::RANGE_SHARED;
    else if (mem_pkg::is_local(start_mem))                start_kind = mem_pkg::RANGE_LOCAL;
    else if (start_mem == isa_pkg::MEM_CONST_LOAD)        start_kind = mem_pkg::RANGE_CONST;
  end

  // Looked at in a slow beat.
  always_comb begin
    `HEDDLE_IDLE(ck_addr, 'x);
    if (`HEDDLE_LIVE(slow_q)) begin
      for (int unsigned l = 0; l < LANES; l++) ck_addr[l] = ck_addr_o[l][39:0];
    end
  end

  lsu_region u_region (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .invalidate_i    (invalidate_i),
    .shared_bytes_i  (limits_i.shared_bytes),
    .local_bytes_i   (limits_i.local_bytes),
    .region_index_o  (region_index_o),
    .region_base_i   (region_base_i),
    .region_limit_i  (region_limit_i),
    .region_write_i  (limits_i.region_write),
    .start_i         (arrive_i),
    .start_kind_i    (start_kind),
    .start_generic_i (mem_pkg::is_generic(start_mem)),
    .start_pc_i      (here ? ag_op_i.pc[7:4] : arrive_op_i.pc[7:4]),
    .start_cbank_i   (here ? ag_op_i.cbank : arrive_op_i.cbank),
    .cbank_bytes_i   (limits_i.cbank_bytes),
    .need_i          (held),
    .flat_i          (flat),
    .write_i         (mem_pkg::is_store(ag_op_i.mem) || mem_pkg::is_atom(ag_op_i.mem)),
    .addr_i          (addr),
    .size_mask_i     (smask),
    .easy_o          (easy),
    .move_i          (move),
    .slow_i          (slow_q),
    .ck_flat_i       (flat_q),
    .ck_write_i      (wants_write),
    .ck_addr_i       (ck_addr),
    .ck_size_mask_i  (mem_pkg::size_mask(ck_op_o.size)),
    .ck_pc_i         (ck_op_o.pc[7:4]),
    .ck_last_i       (last),
    .leave_i         (fire),
    .done_o          (done),
    .left_o          (left),
    .protect_o       (protect)
  );

  // ---- the lowest lane at fault gives kind and address ----------------------------------------------------
  assign bad    = slow_q ? misfit_q | left : '0;
  assign faulty = bad != '0;
  assign lead   = bad & (~bad + LANES'(1));

  chosen #(.WIDTH(64), .N(LANES)) u_bad (
    .clk_i  (clk_i),
    .take_i (found),
    .sel_i  (lead),
    .data_i (ck_addr_o),
    .data_o (addr_q)
  );

  always_comb begin
    if ((lead & misaligned_q) != '0)   bad_cause = core_pkg::TRAP_MISALIGNED;
    else if (space_q[2])               bad_cause = core_pkg::TRAP_CONST_RANGE;
    else if ((lead & protect) != '0)   bad_cause = core_pkg::TRAP_WRITE_PROTECTED;
    else                               bad_cause = core_pkg::TRAP_OUT_OF_RANGE;
  end

  assign refused   = killed_q[ck_op_o.id.slot];
  assign fault_now = (fault_q && !first) || faulty;
  assign found     = fire && faulty && (first || !fault_q);   // the instruction's first one at fault
  // For a copy shared addresses count where no other is at fault.
  assign traps     = fault_now || cc_bad_i;
  assign stop      = traps || refused || (empty_q && !group);
  assign ck_move_o = move;
  assign ck_fire_o = fire;

  // ---- which lanes go where is known with the last beat ---------------------------------------------------
  // Every beat of an instruction comes, so each part of these words is that of its beat by then: the last one's stands here.
  assign goes_here      = {active_q & flat_q[2], active_q & flat_q[1], active_q & ~flat_q[1]};
  assign ck_local_o     = flat_q[2];
  assign ck_shared_o    = goes_here[1];
  assign ck_else_o      = goes_here[0];
  assign rows_here      = {goes_here[2] != '0, goes_here[0] != '0};
  assign ck_exec_shared_o = goes_all;
  assign {ck_rows_local_o, ck_rows_else_o} = rows_all;

  always_comb begin
    goes_all = goes_lanes_q;
    goes_all[cfg_pkg::LSU_BEATS-1] = goes_here[1];
  end
  always_ff @(posedge clk_i) begin
    if (fire) goes_lanes_q[BEAT_W'(ck_beat_o)] <= goes_here[1];
  end
  for (genvar k = 0; k < 2; k++) begin : gen_rows
    always_comb begin
      rows_all[k] = rows_q[k];
      rows_all[k][cfg_pkg::LSU_BEATS-1] = rows_here[k];
    end
    always_ff @(posedge clk_i) begin
      if (fire) rows_q[k][BEAT_W'(ck_beat_o)] <= rows_here[k];
    end
  end

  // Which pipes have any is gathered beat by beat.
  assign goes = {goes_here[1] != '0, goes_here[0] != '0} | (first ? 2'd0 : goes_q);

  always_ff @(posedge clk_i) begin
    if (fire) goes_q <= goes;
  end

  assign ck_row_valid_o = fire ? space_q : '0;
  assign ck_end_o       = (fire && last) ? space_q : '0;
  assign ck_commit_o    = stop ? '0 : {space_q[2], space_q[1] && goes[1], space_q[0] && (goes[0] || group)};

  // ---- what was found, and the report ---------------------------------------------------------------------
  always_ff @(posedge clk_i) begin
    if (fire) begin
      if (found) cause_q <= bad_cause;
      lanes_q[BEAT_W'(ck_beat_o)] <= bad;
    end
    if (fire && last) begin
      ls_checked_slot_o <= ck_op_o.id.slot;
      if (stop) begin
        id_q   <= ck_op_o.id;
        pc_q   <= ck_op_o.pc;
        has_rd_q <= mem_pkg::returns(ck_op_o.mem) && ck_op_o.rd != isa_pkg::RZ;
        rd_q   <= ck_op_o.rd;
        rd_n_q <= ck_op_o.rd_n;
        wbar_q <= ck_op_o.wbar;
        uni_q  <= mem_pkg::uniform(ck_op_o);
        trap_q <= traps && !refused;
        far_q  <= !fault_now;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fault_q            <= 1'b0;
      killed_q           <= '0;
      res_valid_q        <= 1'b0;
      ls_checked_valid_o <= 1'b0;
    end else begin
      if (fire) fault_q <= fault_now;
      if (fire && last && traps && !refused) killed_q[ck_op_o.id.slot] <= 1'b1;
      if (kill_valid_i) killed_q[kill_slot_i] <= 1'b1;
      if (start_valid_i) killed_q[start_slot_i] <= 1'b0;
      if (fire && last && stop) res_valid_q <= 1'b1;
      else if (ck_res_ready_i)  res_valid_q <= 1'b0;
      ls_checked_valid_o <= fire && last && !traps && !refused;
    end
  end

  // The report: identity, place, and what a trap needs; no row.
  assign ck_res_valid_o = res_valid_q;
  always_comb begin
    ck_res_o = 'x;
    if (`HEDDLE_LIVE(res_valid_q)) begin
      ck_res_o         = '0;
      ck_res_o.who     = '{id: id_q, rbase: '0, rd: rd_q, rd_n: rd_n_q, wbar: wbar_q, has_rd: has_rd_q};
      ck_res_o.uni     = uni_q;
      ck_res_o.last    = 1'b1;
      ck_res_o.trap    = trap_q;
      ck_res_o.pc      = pc_q;
      ck_res_o.cause   = cause_q;
      ck_res_o.lanes   = lanes_q;
      ck_res_o.addr    = addr_q;
      if (cfg_pkg::HAS_ASYNC && far_q) begin
        ck_res_o.cause = cc_cause_i;
        ck_res_o.lanes = cc_lanes_i;
        ck_res_o.addr  = {32'd0, cc_addr_i};
      end
    end
  end

endmodule
