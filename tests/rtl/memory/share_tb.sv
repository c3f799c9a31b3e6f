// SPDX-License-Identifier: Apache-2.0
// The way from the partitions into what they share, in plain ports: unit_rows of each, behind them a stream_arb as in `sm`;
// share_req.
// Latency, handshake: those of the parts.
// It holds no state. Element i of a port is at bit i * its width.
module share_tb #(
  parameter  int unsigned N     = 2,
  parameter  int unsigned LANES = 16,
  localparam int unsigned SLOTS = core_pkg::MEM_SLOTS,
  localparam int unsigned WIDTH = cfg_pkg::LSU_LANES,
  localparam int unsigned TAG_W = 4,
  localparam int unsigned ALL_W = TAG_W + $clog2(N)
) (
  input  logic                                    clk_i,
  input  logic                                    rst_ni,
  output logic [31:0]                             cfg_width_o,
  // beats of the partitions
  input  logic [N-1:0]                            beat_valid_i,
  output logic [N-1:0]                            beat_ready_o,
  input  logic [N-1:0][7:0]                       beat_slot_i,
  input  logic [N-1:0][31:0]                      beat_seq_i,
  input  logic [N-1:0][31:0]                      beat_exec_i,
  input  logic [N-1:0][4:0]                       beat_i,
  input  logic [N-1:0][SLOTS-1:0][LANES-1:0][31:0] beat_data_i,
  // rows to the unit
  output logic                                    row_valid_o,
  input  logic                                    row_ready_i,
  output logic [7:0]                              row_slot_o,
  output logic [31:0]                             row_seq_o,
  output logic [31:0]                             row_exec_o,
  output logic [4:0]                              row_o,
  output logic [SLOTS-1:0][WIDTH-1:0][31:0]       row_data_o,
  // requests with answers
  input  logic [N-1:0]                            req_valid_i,
  output logic [N-1:0]                            req_ready_o,
  input  logic [N-1:0][31:0]                      req_i,
  input  logic [N-1:0][TAG_W-1:0]                 req_tag_i,
  output logic                                    all_valid_o,
  input  logic                                    all_ready_i,
  output logic [31:0]                             all_o,
  output logic [ALL_W-1:0]                        all_tag_o,
  input  logic                                    rsp_valid_i,
  input  logic [ALL_W-1:0]                        rsp_tag_i,
  output logic [N-1:0]                            rsp_valid_o,
  output logic [TAG_W-1:0]                        rsp_tag_o
);

  logic [N-1:0]            valid, ready;
  core_pkg::memreq_t [N-1:0] req;
  core_pkg::memreq_t       row;
  logic                    unused;
  logic [N-1:0]            unused_turn;

  assign cfg_width_o = WIDTH;

  for (genvar p = 0; p < N; p++) begin : gen_partition
    core_pkg::memop_t op;
    always_comb begin
      op         = '0;
      op.id.slot = cfg_pkg::SM_WARP_W'(beat_slot_i[p]);
      op.id.seq  = beat_seq_i[p];
      op.exec    = beat_exec_i[p];
    end
    logic unused_slot;
    assign unused_slot = ^beat_slot_i[p];

    unit_rows #(.LANES(LANES)) u_rows (
      .clk_i          (clk_i),
      .rst_ni         (rst_ni),
      .op_mem_valid_i (beat_valid_i[p]),
      .op_mem_ready_o (beat_ready_o[p]),
      .op_memop_i     (op),
      .op_mem_beat_i  (beat_i[p]),
      .op_mem_data_i  (beat_data_i[p]),
      .op_req_valid_o (valid[p]),
      .op_req_ready_i (ready[p]),
      .op_req_o       (req[p])
    );
  end

  stream_arb #(.N(N), .WIDTH($bits(core_pkg::memreq_t))) u_mem (
    .clk_i   (clk_i),
    .rst_ni  (rst_ni),
    .valid_i (valid),
    .ready_o (ready),
    .data_i  (req),
    .valid_o (row_valid_o),
    .ready_i (row_ready_i),
    .last_i  (row.row == 5'(cfg_pkg::LSU_BEATS - 1)),
    .data_o  (row),
    .sel_o   (unused_turn)
  );

  assign row_slot_o = 8'(row.op.id.slot);
  assign row_seq_o  = row.op.id.seq;
  assign row_exec_o = row.op.exec;
  assign row_o      = row.row;
  assign unused     = ^row.op;

  for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
    for (genvar l = 0; l < WIDTH; l++) begin : gen_lane
      assign row_data_o[s][l] = row.data[s][l];
    end
  end

  share_req #(.N(N), .WIDTH(32), .TAG_W(TAG_W)) u_req (
    .clk_i       (clk_i),
    .rst_ni      (rst_ni),
    .req_valid_i (req_valid_i),
    .req_ready_o (req_ready_o),
    .req_i       (req_i),
    .req_tag_i   (req_tag_i),
    .valid_o     (all_valid_o),
    .ready_i     (all_ready_i),
    .req_o       (all_o),
    .req_tag_o   (all_tag_o),
    .rsp_valid_i (rsp_valid_i),
    .rsp_tag_i   (rsp_tag_i),
    .rsp_valid_o (rsp_valid_o),
    .rsp_tag_o   (rsp_tag_o)
  );

endmodule
