// SPDX-License-Identifier: Apache-2.0
// The records of writes: of each bank of the register file what its write port gets, and of the predicates what theirs does.
// Latency: none; a record stands in the cycle of its write.
// Handshake: events. A record means something where it is valid.
// A write of no lane has none.
`include "heddle_idle.svh"

module retire_writes (
  input  logic [cfg_pkg::PART_W-1:0]                 part_i,
  // to the register file, and the instruction at each port
  input  bus_pkg::write_t                            wb_write_i,
  input  bus_pkg::writer_t [cfg_pkg::BANKS-1:0]      wb_writer_i,
  // to issue
  input  front_pkg::pred_write_t                     wb_pred_i,
  // to the retire port
  output logic [retire_pkg::PORTS-1:0]               ret_write_valid_o,
  output retire_pkg::write_t [retire_pkg::PORTS-1:0] ret_write_o,
  output logic                                       ret_predicate_valid_o,
  output retire_pkg::predicate_t                     ret_predicate_o
);

  // Banks that the machine does not have show nothing.
  always_comb begin
    ret_write_valid_o = '0;
    `HEDDLE_IDLE(ret_write_o, '0);
    for (int unsigned b = 0; b < cfg_pkg::BANKS; b++) begin
      if (wb_write_i.en[b] != '0) begin
        ret_write_valid_o[b] = 1'b1;
        ret_write_o[b] = '{
          id:      core_pkg::who(wb_writer_i[b].id, part_i),
          mask:    32'(wb_write_i.en[b]),
          row:     16'(wb_write_i.row[b]),
          port:    8'(b),
          bank:    8'(b),
          rd:      wb_writer_i[b].rd,
          beat:    8'(wb_writer_i[b].beat),
          data:    wb_write_i.data[b],
          default: '0
        };
      end
    end
  end

  assign ret_predicate_valid_o = wb_pred_i.valid;
  always_comb begin
    `HEDDLE_IDLE(ret_predicate_o, '0);
    if (wb_pred_i.valid) begin
      ret_predicate_o = '0;
      ret_predicate_o.id             = core_pkg::who(wb_pred_i.id, part_i);
      ret_predicate_o.beat           = 8'(wb_pred_i.beat);
      ret_predicate_o.used           = {6'd0, wb_pred_i.pd1 != isa_pkg::PT, wb_pred_i.pd0 != isa_pkg::PT};
      ret_predicate_o.value[0].mask  = 32'(wb_pred_i.mask);
      ret_predicate_o.value[0].data  = 32'(wb_pred_i.d0);
      ret_predicate_o.value[0].index = 8'(wb_pred_i.pd0);
      ret_predicate_o.value[1].mask  = 32'(wb_pred_i.mask);
      ret_predicate_o.value[1].data  = 32'(wb_pred_i.d1);
      ret_predicate_o.value[1].index = 8'(wb_pred_i.pd1);
      if (wb_pred_i.all) begin
        for (int unsigned p = 0; p < 7; p++) begin
          ret_predicate_o.used[p]        = wb_pred_i.en[p] != '0;
          ret_predicate_o.value[p].mask  = 32'(wb_pred_i.en[p]);
          ret_predicate_o.value[p].data  = 32'(wb_pred_i.val[p]);
          ret_predicate_o.value[p].index = 8'(p);
        end
      end
    end
  end

endmodule
