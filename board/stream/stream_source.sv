// SPDX-License-Identifier: Apache-2.0
// One of the words of a record, and what is known of it.
// Latency: none. Handshake: none; a choice. All outputs are zero unless it is chosen.
// It does not know which kind of record it is.
`default_nettype none

module stream_source #(
  parameter int unsigned WORDS = 1,
  parameter int unsigned CODE  = 0,
  parameter int          KEY   = -1,     // the word that is a key for others; -1: none
  parameter logic [WORDS-1:0][retire_stream_pkg::CONTEXT_W:0] CONTEXTS = '0
) (
  input  logic                                      chosen_i,
  input  logic [stream_pkg::WORD_W-1:0]             index_i,
  input  logic [WORDS-1:0][31:0]                    words_i,
  input  logic [WORDS-1:0]                          there_i,
  output logic [3:0]                                code_o,
  output logic [stream_pkg::WORDS_MAX-1:0]          there_o,
  output logic [31:0]                               word_o,
  output logic [retire_stream_pkg::CONTEXT_W:0]     context_o,
  output logic                                      key_o
);

  always_comb begin
    word_o    = '0;
    context_o = '0;
    for (int unsigned i = 0; i < WORDS; i++) begin
      if (chosen_i && index_i == stream_pkg::WORD_W'(i)) begin
        word_o    |= words_i[i];
        context_o |= CONTEXTS[i];
      end
    end
  end

  assign code_o  = chosen_i ? 4'(CODE) : '0;
  assign there_o = chosen_i ? stream_pkg::WORDS_MAX'(there_i) : '0;
  assign key_o   = chosen_i && KEY >= 0 && index_i == stream_pkg::WORD_W'(KEY);

endmodule

`default_nettype wire
