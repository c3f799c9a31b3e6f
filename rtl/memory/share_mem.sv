// SPDX-License-Identifier: Apache-2.0
// One load/store unit for the N partitions of an SM: an instruction at a time, all its beats in a row, in turns.
// Latency: none.
// Handshake: valid/ready on both sides, held until taken.
// It does not look at operations. With one partition it is wires.
`default_nettype none

module share_mem #(
  parameter  int unsigned N      = 2,
  localparam int unsigned DATA_W = core_pkg::SLOTS * cfg_pkg::LANES * 32,
  localparam int unsigned OP_W   = $bits(core_pkg::memop_t)
) (
  input  logic                                            clk_i,
  input  logic                                            rst_ni,
  // from the partitions
  input  logic [N-1:0]                                    op_mem_valid_i,
  output logic [N-1:0]                                    op_mem_ready_o,
  input  logic [N-1:0][OP_W-1:0]                          op_memop_i,     // core_pkg::memop_t each
  input  logic [N-1:0][4:0]                               op_mem_beat_i,
  input  logic [N-1:0][DATA_W-1:0]                        op_mem_data_i,
  // to the load/store unit
  output logic                                            sh_valid_o,
  input  logic                                            sh_ready_i,
  output core_pkg::memop_t                                sh_memop_o,
  output logic [4:0]                                      sh_beat_o,
  output logic [core_pkg::SLOTS-1:0][cfg_pkg::LANES-1:0][31:0] sh_data_o
);

  if (N == 1) begin : gen_wires
    assign sh_valid_o     = op_mem_valid_i[0];
    assign op_mem_ready_o = sh_ready_i;
    assign sh_memop_o     = op_memop_i[0];
    assign sh_beat_o      = op_mem_beat_i[0];
    assign sh_data_o      = op_mem_data_i[0];
    logic unused;
    assign unused         = &{1'b0, clk_i, rst_ni};
  end else begin : gen_share
    logic [N-1:0] pick, turn, held_q;
    logic         last;

    arb_rr #(.N(N)) u_turn (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .req_i   (op_mem_valid_i),
      .grant_o (turn),
      .take_i  (last)
    );

    // Who has begun goes on to the last beat; who was offered stays.
    assign pick = (held_q != '0) ? held_q : turn;
    assign last = sh_valid_o && sh_ready_i && sh_beat_o == 5'(cfg_pkg::BEATS - 1);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= '0;
      else         held_q <= last ? '0 : pick;
    end

    assign sh_valid_o     = (pick & op_mem_valid_i) != '0;
    assign op_mem_ready_o = sh_ready_i ? pick : '0;

    onehot_mux #(.N(N), .WIDTH(OP_W)) u_op (
      .sel_i  (pick),
      .data_i (op_memop_i),
      .data_o (sh_memop_o)
    );
    onehot_mux #(.N(N), .WIDTH(5)) u_beat (
      .sel_i  (pick),
      .data_i (op_mem_beat_i),
      .data_o (sh_beat_o)
    );
    onehot_mux #(.N(N), .WIDTH(DATA_W)) u_data (
      .sel_i  (pick),
      .data_i (op_mem_data_i),
      .data_o (sh_data_o)
    );
  end

endmodule

`default_nettype wire
