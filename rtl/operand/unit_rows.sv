// SPDX-License-Identifier: Apache-2.0
// Gathers the beats of a partition's memory instruction into rows of the load/store unit, or takes them apart where the unit
// is narrower than a beat, and puts the operation beside them: the request that leaves the partition.
// Latency: none; a row is offered in the cycle in which its last beat is. All but that beat are taken, a beat a cycle, while
// others' rows pass the unit, and are kept here. A beat of several rows is there until its last row is taken. With LSU_LANES =
// LANES it is wires.
// Handshake: op_mem valid/ready on both sides, held until taken.
// It does not look at operations and does not reorder.
`include "heddle_assert.svh"

module unit_rows #(
  parameter  int unsigned LANES = cfg_pkg::LANES,
  localparam int unsigned SLOTS = core_pkg::MEM_SLOTS,
  localparam int unsigned WIDTH = cfg_pkg::LSU_LANES,
  localparam int unsigned PARTS = (WIDTH > LANES) ? WIDTH / LANES : 1,   // beats of a row
  localparam int unsigned ROWS  = (LANES > WIDTH) ? LANES / WIDTH : 1    // rows of a beat
) (
  input  logic                               clk_i,
  input  logic                               rst_ni,
  // from the queue of memory: a beat
  input  logic                               op_mem_valid_i,
  output logic                               op_mem_ready_o,
  input  core_pkg::memop_t                   op_memop_i,
  input  logic [4:0]                         op_mem_beat_i,
  input  logic [SLOTS-1:0][LANES-1:0][31:0]  op_mem_data_i,
  // to the load/store unit: a row
  output logic                               op_req_valid_o,
  input  logic                               op_req_ready_i,
  output core_pkg::memreq_t                  op_req_o
);

  assign op_req_o.op = op_memop_i;

  if (ROWS > 1) begin : gen_split
    localparam int unsigned ROW_W = $clog2(ROWS);

    logic [ROW_W-1:0] row_q;   // of the beat

    assign op_req_valid_o = op_mem_valid_i;
    assign op_mem_ready_o = op_req_ready_i && row_q == ROW_W'(ROWS - 1);
    assign op_req_o.row   = (op_mem_beat_i << ROW_W) | 5'(row_q);

    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      logic [ROWS-1:0][WIDTH-1:0][31:0] rows;
      assign rows             = op_mem_data_i[s];
      assign op_req_o.data[s] = rows[row_q];
    end

    always_ff @(posedge clk_i) begin
      if (!rst_ni)                               row_q <= '0;
      else if (op_mem_valid_i && op_req_ready_i) row_q <= row_q + 1'b1;
    end
  end else if (PARTS == 1) begin : gen_wires
    assign op_req_valid_o = op_mem_valid_i;
    assign op_mem_ready_o = op_req_ready_i;
    assign op_req_o.row   = op_mem_beat_i;
    assign op_req_o.data  = op_mem_data_i;
    logic unused;
    assign unused         = &{1'b0, clk_i, rst_ni};
  end else begin : gen_gather
    localparam int unsigned PART_W = $clog2(PARTS);

    logic [PART_W-1:0]                            part, part_q;   // of the row
    logic                                         final_part;
    logic [PARTS-2:0][SLOTS-1:0][LANES-1:0][31:0] held_q;         // the beats before its last

    assign part           = PART_W'(op_mem_beat_i);
    assign final_part     = part == PART_W'(PARTS - 1);
    assign op_req_valid_o = op_mem_valid_i && final_part;
    assign op_mem_ready_o = !final_part || op_req_ready_i;
    assign op_req_o.row   = op_mem_beat_i >> PART_W;

    for (genvar s = 0; s < SLOTS; s++) begin : gen_slot
      for (genvar p = 0; p < PARTS; p++) begin : gen_part
        assign op_req_o.data[s][p*LANES +: LANES] = (p == PARTS - 1) ? op_mem_data_i[s] : held_q[(p == PARTS - 1) ? 0 : p][s];
      end
    end

    always_ff @(posedge clk_i) begin
      if (op_mem_valid_i) begin
        for (int unsigned p = 0; p < PARTS - 1; p++) begin
          if (part == PART_W'(p)) held_q[p] <= op_mem_data_i;
        end
      end
    end

    // Beats ascend, none is left out.
    always_ff @(posedge clk_i) begin
      if (!rst_ni)                               part_q <= '0;
      else if (op_mem_valid_i && op_mem_ready_o) part_q <= part_q + 1'b1;
    end
    `ASSERT(a_ascend, !op_mem_valid_i || part == part_q)
  end

endmodule
