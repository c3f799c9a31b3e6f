// SPDX-License-Identifier: Apache-2.0
// The parts of issue that partitions share, in plain ports: barrier_turn and sm_trap, N partitions each.
// Latency, handshake: those of the parts.
// It holds no state. Element i of a port is at bit i * its width.
module turn_tb #(
  parameter  int unsigned N      = 2,
  localparam int unsigned SLOT_W = cfg_pkg::SM_WARP_W,
  localparam int unsigned TRAP_W = $bits(core_pkg::trap_t)
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  // barriers
  input  logic [N-1:0]        bar_ask_i,
  input  logic [N-1:0]        bar_valid_i,
  input  logic [N-1:0][7:0]   bar_slot_i,
  input  logic [N-1:0][3:0]   bar_id_i,
  input  logic [N-1:0][11:0]  bar_count_i,
  output logic [N-1:0]        bar_grant_o,
  input  logic                bar_hold_i,
  output logic                bt_pick_o,
  output logic                bt_ask_o,
  output logic                bt_valid_o,
  output logic [7:0]          bt_slot_o,
  output logic [3:0]          bt_id_o,
  output logic [11:0]         bt_count_o,
  // traps
  input  logic [N-1:0]        halt_i,
  input  logic [N-1:0]        drained_i,
  input  logic [N-1:0]        trap_valid_i,
  input  logic [N-1:0][31:0]  trap_pc_i,
  input  logic [N-1:0][63:0]  trap_addr_i,
  output logic                halt_o,
  output logic                trap_valid_o,
  output logic [31:0]         trap_pc_o,
  output logic [63:0]         trap_addr_o
);

  logic [N-1:0][SLOT_W-1:0] slot;
  logic [N-1:0][TRAP_W-1:0] trap;
  logic [SLOT_W-1:0]        bt_slot;
  core_pkg::bar_t           bt_bar;
  logic [N-1:0][$bits(core_pkg::bar_t)-1:0] bar;
  logic                     unused_halt, unused_drained, unused;
  core_pkg::trap_t          chosen;

  for (genvar p = 0; p < N; p++) begin : gen_partition
    core_pkg::trap_t one;
    always_comb begin
      one      = '0;
      one.pc   = trap_pc_i[p];
      one.addr = trap_addr_i[p];
    end
    core_pkg::bar_t it;
    always_comb begin
      it       = '0;
      it.id    = bar_id_i[p];
      it.count = bar_count_i[p];
    end
    assign bar[p]  = it;
    assign slot[p] = SLOT_W'(bar_slot_i[p]);
    assign trap[p] = one;
    logic unused_slot;
    assign unused_slot = ^bar_slot_i[p];
  end

  barrier_turn #(.N(N)) u_turn (
    .clk_i          (clk_i),
    .rst_ni         (rst_ni),
    .is_bar_ask_i   (bar_ask_i),
    .is_bar_valid_i (bar_valid_i),
    .is_bar_slot_i  (slot),
    .is_bar_i       (bar),
    .ba_grant_o     (bar_grant_o),
    .ba_hold_i      (bar_hold_i),
    .bt_pick_o      (bt_pick_o),
    .bt_ask_o       (bt_ask_o),
    .bt_valid_o     (bt_valid_o),
    .bt_slot_o      (bt_slot),
    .bt_bar_o       (bt_bar)
  );

  assign bt_slot_o  = 8'(bt_slot);
  assign bt_id_o    = bt_bar.id;
  assign bt_count_o = bt_bar.count;

  sm_trap #(.N(N)) u_trap (
    .clk_i           (clk_i),
    .rst_ni          (rst_ni),
    .is_halt_i       (halt_i),
    .is_drained_i    (drained_i),
    .is_trap_valid_i (trap_valid_i),
    .is_trap_i       (trap),
    .gpu_halt_i      (1'b0),
    .sm_halt_o       (halt_o),
    .own_halt_o      (unused_halt),
    .drained_o       (unused_drained),
    .sm_trap_valid_o (trap_valid_o),
    .sm_trap_o       (chosen)
  );

  assign trap_pc_o   = chosen.pc;
  assign trap_addr_o = chosen.addr;
  assign unused      = ^{chosen, bt_bar};

endmodule
