// SPDX-License-Identifier: Apache-2.0
// The front of the load/store unit: forms the addresses of a beat (operand a plus the offset), has them judged in
// order (lsu_check), and makes of each what its space takes: global memory a key and a byte, shared memory a place with
// the block's base, constants an offset.
// Shared addresses of asynchronous copies are judged beside the others: which lanes are at fault, and of the lowest the cause and the
// address, counts in lsu_check where no global address is at fault.
// Data of stores and atomics do not pass here: they go to the memories of their space in the cycle in which the beat is taken (ag_).
// Latency: one cycle to the check, and its two; a beat every cycle.
// Handshake: a beat waits until its space has room for it (global: the first one, for all; generic: both of its spaces; CCTL needs
// none). Everything behind is events.
// Global and generic: 64-bit sum. Others: 32-bit sum, upper half zero.
`include "heddle_idle.svh"

module lsu_front #(
  localparam int unsigned LANES   = cfg_pkg::LSU_LANES,
  localparam int unsigned WARP_W  = cfg_pkg::SM_WARP_W,
  localparam int unsigned SHM_W   = mem_pkg::SHM_W,
  localparam int unsigned GSLOT_W = mem_pkg::GSLOT_W
) (
  input  logic                                      clk_i,
  input  logic                                      rst_ni,
  // from the host
  input  logic                                      invalidate_i,
  input  logic                                      pages_i,
  input  mem_pkg::limits_t                          limits_i,
  output logic [3:0]                                region_index_o,
  input  logic [39:0]                               region_base_i,
  input  logic [40:0]                               region_limit_i,
  // from the dispatcher
  input  logic                                      start_valid_i,
  input  logic [WARP_W-1:0]                         start_slot_i,
  input  logic [SHM_W-1:0]                          start_shm_base_i,
  // from the end of the unit: a bus error
  input  logic                                      kill_valid_i,
  input  logic [WARP_W-1:0]                         kill_slot_i,
  // from operand: words 0, 1 are operand a, word 2 is a copy's shared address
  input  logic                                      op_req_valid_i,
  output logic                                      op_req_ready_o,
  input  core_pkg::memop_t                          op_req_op_i,
  input  logic [4:0]                                op_req_row_i,
  input  logic [2:0][LANES-1:0][31:0]               op_req_data_i,
  // from and to the memories of the spaces: bit 0 global and local, 1 shared, 2 constant
  input  logic [2:0]                                room_i,
  input  logic [GSLOT_W-1:0]                        free_slot_i,     // gslot for a global instruction
  output logic [2:0]                                ag_take_o,       // event: a beat is taken
  output logic                                      ag_first_o,      // of its instruction
  output logic                                      ag_last_o,
  output logic                                      ag_write_o,      // it has data: a store or an atomic
  output logic [mem_pkg::GROW_W-1:0]                ag_row_o,        // gslot * BEATS + beat
  // what was judged; a generic instruction goes to the pipes of its lanes, with pair in its operation if these are two
  output mem_pkg::global_t                          ck_global_o,
  output core_pkg::memop_t                          ck_global_op_o,  // and of constants
  output logic [LANES-1:0][mem_pkg::ADDR_W-1:0]     ck_global_addr_o,
  output logic [LANES-1:0]                          ck_local_o,      // lanes of the beat in local memory
  output mem_pkg::judged_t                          ck_shared_o,
  output logic [LANES-1:0]                          ck_shared_lanes_o, // of the row that execute there
  output core_pkg::memop_t                          ck_shared_op_o,
  output logic [LANES-1:0][SHM_W-1:0]               ck_shared_addr_o,
  output mem_pkg::judged_t                          ck_const_o,
  output logic [LANES-1:0][15:0]                    ck_const_off_o,
  // to issue
  output logic                                      ls_checked_valid_o,
  output logic [WARP_W-1:0]                         ls_checked_slot_o,
  // to the end of the unit: instructions that go no further
  output logic                                      res_valid_o,
  input  logic                                      res_ready_i,
  output mem_pkg::result_t                          res_o
);

  // ---- addresses ------------------------------------------------------------------------------------
  core_pkg::memop_t             op_q;
  logic                         valid_q, take, generic, far, ag_ready;
  logic [2:0]                   space, space_q;
  logic [4:0]                   beat_q;
  logic [GSLOT_W-1:0]           slot_q;
  logic [LANES-1:0][63:0]       addr_q;
  logic [63:0]                  off;

  assign generic  = mem_pkg::is_generic(op_req_op_i.mem);
  assign far      = generic || mem_pkg::is_global(op_req_op_i.mem);
  assign space[0] = far || mem_pkg::is_local(op_req_op_i.mem);
  assign space[1] = generic || mem_pkg::is_shared(op_req_op_i.mem);
  assign space[2] = op_req_op_i.mem == isa_pkg::MEM_CONST_LOAD;
  assign off      = {{40{op_req_op_i.off[23]}}, op_req_op_i.off};

  assign ag_first_o     = op_req_row_i == '0;
  assign ag_last_o      = op_req_row_i == 5'(mem_pkg::BEATS - 1);
  assign ag_write_o     = mem_pkg::is_store(op_req_op_i.mem) || mem_pkg::is_atom(op_req_op_i.mem);
  assign ag_row_o       = mem_pkg::GROW_W'(32'(ag_first_o ? free_slot_i : slot_q) * mem_pkg::BEATS + 32'(op_req_row_i));
  assign op_req_ready_o = (!valid_q || ag_ready) && (space & ~{room_i[2:1], room_i[0] || !ag_first_o}) == '0;
  assign take           = op_req_valid_i && op_req_ready_o;
  assign ag_take_o      = take ? space : '0;

  always_ff @(posedge clk_i) begin
    if (take) begin
      beat_q <= op_req_row_i;
      for (int unsigned l = 0; l < LANES; l++) begin
        if (far) addr_q[l] <= {op_req_data_i[1][l], op_req_data_i[0][l]} + off;
        else     addr_q[l] <= {32'd0, op_req_data_i[0][l] + off[31:0]};
      end
    end
    if (take && ag_first_o) begin
      op_q    <= op_req_op_i;
      space_q <= space;
      slot_q  <= free_slot_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni)                   valid_q <= 1'b0;
    else if (!valid_q || ag_ready) valid_q <= take;
  end

  // ---- the check ------------------------------------------------------------------------------------
  logic                         ck_valid, ck_move, ck_fire, copied, cc_bad;
  core_pkg::memop_t             ck_op;
  logic [4:0]                   ck_beat;
  logic [LANES-1:0][63:0]       ck_addr;
  logic [2:0]                   ck_row_valid, ck_end, ck_commit;
  logic [31:0]                  exec_shared, cc_lanes, cc_addr;
  logic [3:0]                   cc_cause;
  logic [GSLOT_W-1:0]           ck_slot;
  logic [LANES-1:0]             lanes_else;
  logic [mem_pkg::BEATS-1:0]    rows_else, rows_local;

  lsu_check u_check (
    .clk_i              (clk_i),
    .rst_ni             (rst_ni),
    .invalidate_i       (invalidate_i),
    .pages_i            (pages_i),
    .limits_i           (limits_i),
    .region_index_o     (region_index_o),
    .region_base_i      (region_base_i),
    .region_limit_i     (region_limit_i),
    .start_valid_i      (start_valid_i),
    .start_slot_i       (start_slot_i),
    .kill_valid_i       (kill_valid_i),
    .kill_slot_i        (kill_slot_i),
    .arrive_i           (take && ag_first_o),
    .arrive_op_i        (op_req_op_i),
    .ag_valid_i         (valid_q),
    .ag_ready_o         (ag_ready),
    .ag_op_i            (op_q),
    .ag_space_i         (space_q),
    .ag_beat_i          (beat_q),
    .ag_slot_i          (slot_q),
    .ag_addr_i          (addr_q),
    .ck_move_o          (ck_move),
    .ck_fire_o          (ck_fire),
    .cc_bad_i           (cc_bad),
    .cc_lanes_i         (cc_lanes),
    .cc_cause_i         (cc_cause),
    .cc_addr_i          (cc_addr),
    .ck_valid_o         (ck_valid),
    .ck_op_o            (ck_op),
    .ck_beat_o          (ck_beat),
    .ck_slot_o          (ck_slot),
    .ck_addr_o          (ck_addr),
    .ck_row_valid_o     (ck_row_valid),
    .ck_end_o           (ck_end),
    .ck_commit_o        (ck_commit),
    .ck_local_o         (ck_local_o),
    .ck_shared_o        (ck_shared_lanes_o),
    .ck_else_o          (lanes_else),
    .ck_exec_shared_o   (exec_shared),
    .ck_rows_local_o    (rows_local),
    .ck_rows_else_o     (rows_else),
    .ls_checked_valid_o (ls_checked_valid_o),
    .ls_checked_slot_o  (ls_checked_slot_o),
    .ck_res_valid_o     (res_valid_o),
    .ck_res_ready_i     (res_ready_i),
    .ck_res_o           (res_o)
  );

  // ---- shared addresses of asynchronous copies, judged beside the others, in the same two stages ----------
  logic [LANES-1:0][31:0]       far_q, far_addr_q;
  logic [LANES-1:0]             active, misaligned, beyond, bad_q, misaligned_q, lead;
  logic [mem_pkg::BEATS-1:0][LANES-1:0] lanes_q;
  logic                         fault_q, found;
  logic [3:0]                   smask;

  assign copied = mem_pkg::is_copy(op_q.mem);

  always_ff @(posedge clk_i) begin
    if (take && mem_pkg::is_copy(op_req_op_i.mem)) far_q <= op_req_data_i[2];
  end

  // First stage: each lane by itself. An aligned access ends at its address | smask.
  assign smask  = mem_pkg::size_mask(op_q.size);
  assign active = copied ? LANES'(op_q.exec >> (32'(beat_q) * LANES)) : '0;

  always_comb begin
    misaligned = '0;
    beyond     = '0;
    `HEDDLE_ONLY(copied) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        misaligned[l] = (far_q[l][3:0] & smask) != '0;
        beyond[l]     = {far_q[l][31:4], far_q[l][3:0] | smask} >= {8'd0, limits_i.shared_bytes};
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (ck_move) begin
      bad_q        <= active & (misaligned | beyond);
      misaligned_q <= misaligned;
      far_addr_q       <= far_q;
    end
  end

  // Second stage: the first beat with a lane at fault gives kind and address.
  assign found      = ck_fire && bad_q != '0 && (!fault_q || ck_beat == '0);
  assign lead       = bad_q & (~bad_q + LANES'(1));
  assign cc_bad     = cfg_pkg::HAS_ASYNC && (bad_q != '0 || (fault_q && ck_beat != '0));

  chosen #(.WIDTH(32), .N(LANES)) u_addr (
    .clk_i  (clk_i),
    .take_i (found),
    .sel_i  (lead),
    .data_i (far_addr_q),
    .data_o (cc_addr)
  );

  always_ff @(posedge clk_i) begin
    if (found)  cc_cause <= ((lead & misaligned_q) != '0) ? core_pkg::TRAP_MISALIGNED : core_pkg::TRAP_OUT_OF_RANGE;
    if (ck_fire) lanes_q[mem_pkg::BEAT_W'(ck_beat)] <= bad_q;
  end
  assign cc_lanes = lanes_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni)     fault_q <= 1'b0;
    else if (ck_fire) fault_q <= cc_bad;
  end

  // ---- what each space takes of it --------------------------------------------------------------------
  logic [SHM_W-1:0]             shm_base;
  logic                         ck_copy;

  // Each block's shared memory starts somewhere else.
  ram_async #(.WIDTH(SHM_W), .DEPTH(cfg_pkg::SM_WARPS)) u_base (
    .clk_i     (clk_i),
    .wr_en_i   (start_valid_i),
    .wr_addr_i (start_slot_i),
    .wr_data_i (start_shm_base_i),
    .rd_addr_i (op_q.id.slot),
    .rd_data_o (shm_base)
  );

  // Beside the check's second stage.
  always_ff @(posedge clk_i) begin
    if (ag_ready) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        ck_shared_addr_o[l] <= SHM_W'(copied ? far_q[l] : addr_q[l][31:0]) + shm_base;
      end
    end
  end

  // Local memory: key of the line, place in it; an address that passes the check is 0 above these bits.
  localparam int unsigned LOCAL_KEY_W = WARP_W + mem_pkg::LOCAL_W + 5;   // of slot, place and lane

  always_comb begin
    ck_global_addr_o = 'x;
    if (`HEDDLE_LIVE(ck_row_valid[0])) begin
      for (int unsigned l = 0; l < LANES; l++) begin
        ck_global_addr_o[l] = ck_local_o[l]
          ? {1'b1, ck_addr[l][mem_pkg::VA_W-1:LOCAL_KEY_W], ck_op.id.slot, ck_addr[l][mem_pkg::LOCAL_W-1:2],
             5'(ck_beat * 5'(LANES) + 5'(l)), ck_addr[l][1:0]}
          : {1'b0, ck_addr[l][mem_pkg::VA_W-1:0]};
      end
    end
  end
  always_comb begin
    ck_const_off_o = 'x;
    if (`HEDDLE_LIVE(ck_row_valid[2])) begin
      for (int unsigned l = 0; l < LANES; l++) ck_const_off_o[l] = ck_addr[l][15:0];
    end
  end

  assign ck_copy     = mem_pkg::is_copy(ck_op.mem);
  assign ck_global_o = '{valid: ck_row_valid[0], ends: ck_end[0], commit: ck_commit[0], slot: ck_slot,
    row: mem_pkg::GROW_W'(32'(ck_slot) * mem_pkg::BEATS + 32'(ck_beat)), lanes: lanes_else, rows: rows_else, rows_local: rows_local,
    copy: ck_copy, group: ck_copy && ck_op.atom == core_pkg::GROUP};
  assign ck_shared_o = '{valid: ck_row_valid[1], ends: ck_end[1], commit: ck_commit[1], beat: mem_pkg::BEAT_W'(ck_beat)};
  assign ck_const_o  = '{valid: ck_row_valid[2], ends: ck_end[2], commit: ck_commit[2], beat: mem_pkg::BEAT_W'(ck_beat)};

  always_comb begin
    ck_global_op_o = 'x;
    ck_shared_op_o = 'x;
    if (`HEDDLE_LIVE(ck_valid)) begin
      ck_global_op_o      = ck_op;
      ck_global_op_o.mem  = mem_pkg::in_global(ck_op.mem);
      ck_global_op_o.pair = ck_commit[0] && ck_commit[1];
      ck_shared_op_o      = ck_op;
      ck_shared_op_o.mem  = mem_pkg::in_shared(ck_op.mem);
      ck_shared_op_o.exec = exec_shared;
      ck_shared_op_o.pair = ck_global_op_o.pair;
    end
  end

endmodule
