// SPDX-License-Identifier: Apache-2.0
// The records of the uniform datapath: what an instruction has read, and what is written to uniform registers and predicates.
// Latency: none.
// Handshake: events. A record means something where it is valid.
// It does not look into the words.
`include "heddle_idle.svh"

module retire_uniform (
  input  logic [cfg_pkg::PART_W-1:0]        part_i,
  // from issue: an instruction of the pipe stands, or a new one of any other unit, of which ULDC reads its address here
  input  logic                              is_uni_valid_i,
  input  logic                              is_new_i,
  input  core_pkg::uop_t                    is_uop_i,
  // from the datapath
  input  exec_pkg::uni_words_t                   un_words_i,
  input  exec_pkg::uni_write_t                   un_write_i,
  // to the retire port
  output logic                              ret_uniform_read_valid_o,
  output retire_pkg::uniform_read_t         ret_uniform_read_o,
  output logic                              ret_uniform_write_valid_o,
  output retire_pkg::uniform_write_t        ret_uniform_write_o
);

  isa_pkg::dec_t dec;
  assign dec = is_uop_i.dec;

  assign ret_uniform_read_valid_o  = (is_uni_valid_i || (is_new_i && kind_pkg::uniform_load(dec))) && is_uop_i.exec != '0;
  assign ret_uniform_write_valid_o = un_write_i.en != '0 || un_write_i.pred_en != '0;

  always_comb begin
    `HEDDLE_IDLE(ret_uniform_read_o, '0);
    if (`HEDDLE_LIVE(ret_uniform_read_valid_o)) begin
      ret_uniform_read_o = '{
        id:      core_pkg::who(is_uop_i.id, part_i),
        data:    un_words_i,
        used:    {4'd0, dec.c_kind == isa_pkg::SRC_UREG && dec.c_n != 2'd0, dec.c_kind != isa_pkg::SRC_NONE,
                  dec.b_kind != isa_pkg::SRC_NONE || dec.op == isa_pkg::OP_S2UR, dec.a_kind != isa_pkg::SRC_NONE},
        default: '0
      };
    end
  end

  always_comb begin
    `HEDDLE_IDLE(ret_uniform_write_o, '0);
    if (`HEDDLE_LIVE(ret_uniform_write_valid_o)) begin
      ret_uniform_write_o = '{
        id:      core_pkg::who(un_write_i.id, part_i),
        data:    {un_write_i.data[1], un_write_i.en[0] ? un_write_i.data[0] : un_write_i.data[1]},
        used:    {6'd0, un_write_i.en == 2'b11, un_write_i.en != '0},
        rd:      un_write_i.rd,
        pred:    {1'b0, un_write_i.pred_en},
        value:   {1'b0, un_write_i.pred & un_write_i.pred_en},
        default: '0
      };
    end
  end

  // Fields that concern others.
  logic unused;
  assign unused = ^is_uop_i;

endmodule
