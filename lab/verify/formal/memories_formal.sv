// SPDX-License-Identifier: Apache-2.0
// rtl/lib/ram_apart.sv, ram_seen.sv, ram_1r1w.sv and ram_async.sv, eight words of four bits: any word is followed. Tops with `// memories: free` assume it.
// config: tiny
// quick
`include "properties.svh"

module memories_formal (
  input logic       clk_i,
  input logic       wr_en,
  input logic [2:0] wr_addr,
  input logic [3:0] wr_data,
  input logic       rd_en,
  input logic [2:0] rd_addr
);
  `RESET

  logic [3:0] data, now, watched, seen, grained;

  ram_apart #(.WIDTH(4), .DEPTH(8)) u_dut (
    .clk_i     (clk_i),
    .rst_ni    (rst_ni),
    .wr_en_i   (wr_en),
    .wr_addr_i (wr_addr),
    .wr_data_i (wr_data),
    .rd_en_i   (rd_en),
    .rd_addr_i (rd_addr),
    .rd_data_o (data)
  );
  ram_seen #(.WIDTH(4), .DEPTH(8)) u_seen (
    .clk_i      (clk_i),
    .rst_ni     (rst_ni),
    .wr_en_i    (wr_en),
    .wr_addr_i  (wr_addr),
    .wr_data_i  (wr_data),
    .rd_en_i    (rd_en),
    .rd_addr_i  (rd_addr),
    .rd_data_o  (watched),
    .see_addr_i (rd_addr),
    .see_data_o (seen)
  );
  ram_1r1w #(.WIDTH(4), .DEPTH(8), .GRAIN(2), .RACE(1'b1)) u_grained (
    .clk_i     (clk_i),
    .wr_en_i   ({2{wr_en}}),
    .wr_addr_i (wr_addr),
    .wr_data_i (wr_data),
    .rd_en_i   (rd_en),
    .rd_addr_i (rd_addr),
    .rd_data_o (grained)
  );
  ram_async #(.WIDTH(4), .DEPTH(8)) u_async (
    .clk_i     (clk_i),
    .wr_en_i   (wr_en),
    .wr_addr_i (wr_addr),
    .wr_data_i (wr_data),
    .rd_addr_i (rd_addr),
    .rd_data_o (now)
  );

  // A word that is read is not written in that cycle: divergence_formal.sv proves it of that unit's.
  `GIVEN(g_apart, !(wr_en && rd_en) || wr_addr != rd_addr)

  // Any word, from its first write on; and whether it is what was read last.
  logic [2:0] at_q;
  logic [3:0] word_q, read_q, data_q;
  logic       known_q, was_q, rd_q;
  always_ff @(posedge clk_i) begin
    at_q   <= at_q;
    data_q <= data;
    rd_q   <= rst_ni && rd_en;
    if (!rst_ni) known_q <= 1'b0;
    else if (wr_en && wr_addr == at_q) begin
      known_q <= 1'b1;
      word_q  <= wr_data;
    end
    if (!rst_ni) was_q <= 1'b0;
    else if (rd_en) begin
      was_q  <= known_q && rd_addr == at_q;
      read_q <= word_q;
    end
  end

  // A read gives the last write there.
  `PROVE(p_word, (!was_q || (data == read_q && watched == read_q && grained == read_q))
    && (!(known_q && rd_addr == at_q) || (now == word_q && seen == word_q)))
  // A word that was read holds until the next one is.
  `PROVE(p_stands, !(known_q && !rd_q) || data == data_q)
  // It is written again after it was read.
  `REACH(r_again, was_q && read_q != word_q)
endmodule
