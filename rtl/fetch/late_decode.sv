// SPDX-License-Identifier: Apache-2.0
// The entry of a word a cycle after it has arrived. In an FPGA, where the machine is to be small (kind_pkg::DECODE_TABLE), it is
// decoded in that cycle: what depends on the opcode is read from a table in block RAM (isa_pkg::TABLE). Elsewhere it is a register.
// Latency: the entry of a word taken in cycle t stands in t+1, until the next is taken.
// No handshake.
// Legal words are decoded as predecode does (tests/lab/fpga/synth/test_simulated.sh proves it), and illegal ones are illegal; what else these
// are decoded to means nothing.
module late_decode (
  input  logic                clk_i,
  // from fetch
  input  logic                take_i,
  input  logic [127:0]        word_i,
  input  core_pkg::err_t      err_i,
  // from predecode
  input  issue_pkg::stored_t  entry_i,
  // to the instruction buffer
  output issue_pkg::stored_t  entry_o
);

  localparam int unsigned INDEX_W = isa_pkg::TABLE_INDEX_W, REST_W = isa_pkg::TABLE_REST_W, ROW_W = isa_pkg::TABLE_W;

  typedef logic [ROW_W-1:0] rows_t [1 << INDEX_W];
  typedef struct packed {
    logic               uni;
    logic [15:0]        units;
    logic [INDEX_W-1:0] index;
    logic [ROW_W-1:0]   row;
  } encoding_t;

  // Rows of what the machine has. Where no word belongs stands what another row has, but for bit 0: so a bit that is the same in
  // all rows is the same everywhere, and no bit of the memory.
  function automatic logic [ROW_W-1:0] other_row();
    logic               uni;
    logic [15:0]        units;
    logic [ROW_W-1:0]   row;
    for (int unsigned i = 0; i < isa_pkg::TABLE_ROWS; i++) begin
      uni   = isa_pkg::TABLE[i][ROW_W+INDEX_W+16];
      units = isa_pkg::TABLE[i][ROW_W+INDEX_W+:16];
      row   = isa_pkg::TABLE[i][ROW_W-1:0];
      if ((units & kind_pkg::UNITS_THERE[15:0]) != '0 && !uni) other_row = row & ~ROW_W'(1);
    end
  endfunction
  localparam logic [ROW_W-1:0] OTHER = other_row();

  // The default is not written by a loop: a simulator copies the whole table at each step of one.
  function automatic rows_t rows_there();
    encoding_t e;
    rows_there = '{default: OTHER};
    for (int unsigned i = 0; i < isa_pkg::TABLE_ROWS; i++) begin
      e = isa_pkg::TABLE[i];
      if ((e.units & kind_pkg::UNITS_THERE[15:0]) != '0 && (cfg_pkg::HAS_UNI || !e.uni)) rows_there[e.index] = e.row;
    end
  endfunction

  if (kind_pkg::DECODE_TABLE && isa_pkg::TABLE_THERE) begin : gen_table
    logic [INDEX_W-1:0] index [1];
    logic [REST_W-1:0]  rest, rest_q;
    logic [ROW_W-1:0]   row_q [1];
    logic [127:0]       word_q;
    core_pkg::err_t     err_q;

    assign {rest, index[0]} = isa_pkg::table_index(word_i);

    rom #(.WIDTH(ROW_W), .DEPTH(1 << INDEX_W), .WORDS(rows_there())) u_rows (
      .clk_i     (clk_i),
      .rd_en_i   (take_i),
      .rd_addr_i (index),
      .rd_data_o (row_q)
    );

    always_ff @(posedge clk_i) begin
      if (take_i) begin
        rest_q <= rest;
        word_q <= word_i;
        err_q  <= err_i;
      end
    end

    isa_pkg::dec_t dec;
    assign dec = isa_pkg::dec_by_row(word_q, rest_q, row_q[0]);

    always_comb begin
      entry_o.bus_err = err_q;
      entry_o.illegal = !dec.legal || !kind_pkg::UNITS_THERE[5'(dec.unit)]
                        || (!kind_pkg::UNITS_THERE[kind_pkg::PART_FATOM] && kind_pkg::adds_floats(dec, word_q));
      entry_o.word    = word_q;
      entry_o.dec     = dec;
      if (kind_pkg::uniform_load(dec)) entry_o.dec.unit = isa_pkg::UNIT_MEM;
    end

    logic unused;
    assign unused = ^entry_i;
  end else begin : gen_register
    always_ff @(posedge clk_i) begin
      if (take_i) entry_o <= entry_i;
    end

    logic unused;
    assign unused = ^{word_i, err_i};
  end

endmodule
