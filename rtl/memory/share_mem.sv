// SPDX-License-Identifier: Apache-2.0
// One load/store unit for the N partitions of an SM: an instruction at a time, all its rows one after the other, in turns.
// Latency: none. A row a cycle, if those of an instruction come one a cycle; a turn comes after those of all others at the
// latest.
// Handshake: valid/ready on both sides, held until taken.
// It does not look at operations, nor gather beats into rows (operand/unit_rows). With one partition it is wires.
module share_mem #(
  parameter  int unsigned N     = 2,
  localparam int unsigned REQ_W = $bits(core_pkg::memreq_t)
) (
  input  logic                      clk_i,
  input  logic                      rst_ni,
  // from the partitions
  input  logic [N-1:0]              op_req_valid_i,
  output logic [N-1:0]              op_req_ready_o,
  input  logic [N-1:0][REQ_W-1:0]   op_req_i,       // core_pkg::memreq_t each
  // to the load/store unit
  output logic                      sh_req_valid_o,
  input  logic                      sh_req_ready_i,
  output core_pkg::memreq_t         sh_req_o
);

  if (N == 1) begin : gen_wires
    assign sh_req_valid_o = op_req_valid_i[0];
    assign op_req_ready_o = sh_req_ready_i;
    assign sh_req_o       = op_req_i[0];
    logic unused;
    assign unused         = &{1'b0, clk_i, rst_ni};
  end else begin : gen_share
    logic [N-1:0] pick, held_q;
    logic         last;

    arb_rr #(.N(N)) u_turn (
      .clk_i   (clk_i),
      .rst_ni  (rst_ni),
      .req_i   ((held_q != '0) ? held_q : op_req_valid_i),
      .grant_o (pick),
      .take_i  (last)
    );

    // Who has begun goes on to the last row; who was offered stays.
    assign last = sh_req_valid_o && sh_req_ready_i && sh_req_o.row == 5'(cfg_pkg::LSU_BEATS - 1);

    always_ff @(posedge clk_i) begin
      if (!rst_ni) held_q <= '0;
      else         held_q <= last ? '0 : pick;
    end

    assign sh_req_valid_o = (pick & op_req_valid_i) != '0;
    assign op_req_ready_o = sh_req_ready_i ? pick : '0;

    onehot_mux #(.N(N), .WIDTH(REQ_W)) u_req (
      .sel_i  (pick),
      .data_i (op_req_i),
      .data_o (sh_req_o)
    );
  end

endmodule
