// SPDX-License-Identifier: Apache-2.0
// The records of operands, tapped at the operand buses: of a row for the fixed pipes and register
// branches one, by the number of its bus, of a row for memory or a unit of the partition another.
// Latency: none.
// Handshake: events. A record means something where it is valid.
// It does not see results, and holds no words.
`include "heddle_assert.svh"
`include "heddle_idle.svh"

module retire_operands (
  input  logic                        clk_i,
  input  logic                        rst_ni,
  input  logic [cfg_pkg::PART_W-1:0]  part_i,
  // from the operand buses; rows for memory or a unit come on the last one
  input  bus_pkg::line_t [core_pkg::READERS-1:0]          op_bus_i,
  // to the retire port
  output logic [retire_pkg::BUSES-1:0]                    ret_operands_valid_o,
  output retire_pkg::operands_t [retire_pkg::BUSES-1:0]   ret_operands_o,
  output logic                        ret_operands_memory_valid_o,
  output retire_pkg::operands_t       ret_operands_memory_o
);

  // ---- a row for the pipes ---------------------------------------------------------------------
  // It is formed at once, whether it is valid or not: to clear it first would cost as much in
  // simulation.
  for (genvar k = 0; k < retire_pkg::BUSES; k++) begin : gen_bus
    if (k < core_pkg::READERS) begin : gen_here
      back_pkg::row_t  row;
      bus_pkg::words_t words;
      logic [9:0]      used;
      assign row   = op_bus_i[k].row;
      assign words = op_bus_i[k].words;
      assign used  = 10'(row.used);
      assign ret_operands_valid_o[k] = row.valid;
      assign ret_operands_o[k] = '{
        id:      core_pkg::who(row.dest.id, part_i),
        mask:    32'(row.dest.mask),
        index:   {used[1] ? 8'd1 : 8'd5, 8'd4, 8'd2, 8'd0},
        beat:    8'(row.dest.beat),
        used:    {4'd0, used[1] || used[5], used[4], used[2], used[0]},
        data:    words,
        default: '0
      };
      // No row of a bus holds two words.
      `ASSERT(a_rows, !(row.valid && used[1] && used[5]) && !(row.valid && used[3]))
      logic unused;
      assign unused = ^{row, used};
    end else begin : gen_silent
      assign ret_operands_valid_o[k] = 1'b0;
      assign ret_operands_o[k]       = '0;
    end
  end

  // ---- a row for memory or a unit: a in words 0, 1, b in 2 to 5, of which a row shows two; c in 4, 5,
  // of which 4 may stand where 1 would (kind_pkg::near_c: words 2 and 4 in one row). Of matrices also
  // a in words 6, 7, c in 8, 9 --------------------------------------------------------------------
  bus_pkg::line_t  last;
  back_pkg::dest_t dest;
  logic [9:0]      used;
  logic            c_near;
  assign last   = op_bus_i[core_pkg::READERS-1];
  assign dest   = last.row.dest;
  assign used   = 10'(last.row.used);
  assign c_near = used[2] && used[4];

  assign ret_operands_memory_valid_o = last.row.into != '0;

  always_comb begin
    `HEDDLE_IDLE(ret_operands_memory_o, '0);
    if (last.row.into != '0) begin
      ret_operands_memory_o = '{
        id:      core_pkg::who(dest.id, part_i),
        mask:    32'(dest.mask),
        index:   {used[9] ? 8'd9 : used[3] ? 8'd3 : 8'd5, used[8] ? 8'd8 : used[2] ? 8'd2 : 8'd4,
                  used[7] ? 8'd7 : c_near ? 8'd4 : 8'd1, used[6] ? 8'd6 : 8'd0},
        beat:    8'(dest.beat),
        used:    {4'd0, used[3] || used[5] || used[9], used[2] || used[4] || used[8],
                  used[1] || c_near || used[7], used[0] || used[6]},
        data:    last.words,
        default: '0
      };
    end
  end

  logic unused;
  assign unused = ^{last, dest};

  // No row of a bus holds two words.
  `ASSERT(a_rows_memory, last.row.into == '0 || ((used[3:2] & used[5:4]) == '0) || (c_near && !used[1] && !used[3]))

endmodule
