// SPDX-License-Identifier: Apache-2.0
// What gmem writes to memory: 256 bits and 32 byte enables for each of its entries, twice, since what goes to memory and what is
// shown in a record are read at once.
// Latency: reads 0; what is written in cycle t is read from t+1 on.
// Handshake: none. One of a beat read from memory (of an atomic's sector), bytes of a store and an atomic's sum is written a
// cycle: a beat goes first, then a store, and whoever gives the others knows it.
// It does not know what an entry is for.
`default_nettype none
`include "heddle_idle.svh"

module gmem_data #(
  localparam int unsigned ENTRIES  = mem_pkg::ENTRIES,
  localparam int unsigned ENTRY_W  = mem_pkg::ENTRY_W,
  localparam int unsigned AXI_BITS = mem_pkg::AXI_BITS,
  localparam int unsigned ST_BITS  = mem_pkg::ST_BITS,
  localparam int unsigned CNT_W    = mem_pkg::AXI_CNT_W
) (
  input  logic                clk_i,
  // a beat from memory
  input  logic                ax_valid_i,
  input  logic [ENTRY_W-1:0]  ax_entry_i,
  input  logic [CNT_W-1:0]    ax_beat_i,
  input  logic [AXI_BITS-1:0] ax_data_i,
  // bytes of a store
  input  logic                st_valid_i,
  input  logic [ENTRY_W-1:0]  st_entry_i,
  input  logic [31:0]         st_strb_i,
  input  logic [ST_BITS-1:0]  st_data_i,
  // the sum of an atomic, one word or two from a word of the sector on
  input  logic                at_valid_i,
  input  logic [ENTRY_W-1:0]  at_entry_i,
  input  logic                at_wide_i,
  input  logic [2:0]          at_word_i,
  input  logic [63:0]         at_sum_i,
  // byte enables
  input  logic                strb_valid_i,
  input  logic [ENTRY_W-1:0]  strb_entry_i,
  input  logic [31:0]         strb_i,
  // read on the way to memory: data, or words of an atomic's sector; byte enables
  input  logic                rd_live_i,          // somebody looks: only saves work in simulation, as fr_live_i
  input  logic [7:0][ENTRY_W-1:0] rd_entry_i,     // of each word
  output logic [255:0]        rd_data_o,
  input  logic [ENTRY_W-1:0]  rd_strb_entry_i,
  output logic [31:0]         rd_strb_o,
  // read for the record
  input  logic                fr_live_i,
  input  logic [ENTRY_W-1:0]  fr_entry_i,
  output logic [255:0]        fr_data_o,
  output logic [31:0]         fr_strb_o
);

  logic               wr_any;
  logic [31:0]        wr_en, beat_bytes;
  logic [ENTRY_W-1:0] wr_entry;
  logic [255:0]       wr_data;

  for (genvar b = 0; b < 32; b++) begin : gen_byte
    assign beat_bytes[b] = ax_beat_i == CNT_W'(b * 8 / AXI_BITS);
  end

  assign wr_any   = ax_valid_i || st_valid_i || at_valid_i;
  assign wr_entry = ax_valid_i ? ax_entry_i : st_valid_i ? st_entry_i : at_entry_i;

  always_comb begin
    wr_en   = '0;
    wr_data = 'x;
    if (`HEDDLE_LIVE(wr_any)) begin
      if (ax_valid_i) begin
        wr_en   = beat_bytes;
        wr_data = {mem_pkg::AXI_BEATS{ax_data_i}};
      end else if (st_valid_i) begin
        wr_en   = st_strb_i;
        wr_data = {(256/ST_BITS){st_data_i}};
      end else begin
        if (at_valid_i) wr_en = (at_wide_i ? 32'hff : 32'hf) << {at_word_i, 2'b00};
        wr_data = {4{at_sum_i}};
      end
    end
  end

  logic [1:0][7:0][ENTRY_W-1:0] data_entry;
  logic [1:0][ENTRY_W-1:0] strb_entry;
  logic [1:0][255:0]       data;
  logic [1:0][31:0]        strb;
  logic [1:0]              live;

  assign live       = {fr_live_i, rd_live_i};
  assign data_entry = {{8{fr_entry_i}}, rd_entry_i};
  assign strb_entry = {fr_entry_i, rd_strb_entry_i};
  assign {fr_data_o, rd_data_o} = data;
  assign {fr_strb_o, rd_strb_o} = strb;

  for (genvar i = 0; i < 2; i++) begin : gen_copy
    sector_ram u_data (
      .clk_i     (clk_i),
      .wr_any_i  (wr_any),
      .wr_en_i   (wr_en),
      .wr_addr_i (wr_entry),
      .wr_data_i (wr_data),
      .rd_live_i (live[i]),
      .rd_addr_i (data_entry[i]),
      .rd_data_o (data[i])
    );
    ram_async #(.WIDTH(32), .DEPTH(ENTRIES)) u_strb (
      .clk_i     (clk_i),
      .wr_en_i   (strb_valid_i),
      .wr_addr_i (strb_entry_i),
      .wr_data_i (strb_i),
      .rd_addr_i (strb_entry[i]),
      .rd_data_o (strb[i])
    );
  end

endmodule

`default_nettype wire
