// SPDX-License-Identifier: Apache-2.0
// The launch registers: what the host wrote, as one launch_t, and readable again word by word.
// Latency: a write is seen from the next cycle on; reads are combinational.
// Handshake: events. lock_i keeps the launch as it is (a grid runs): writes are dropped.
// It does not judge the launch (the dispatcher does). Base and limit registers are not reset, region limits are.
`default_nettype none

module host_launch (
  input  logic              clk_i,
  input  logic              rst_ni,
  // from and to the register port (word numbers from the start of the launch registers, host_regs_pkg)
  input  logic              lock_i,
  input  logic              wr_valid_i,
  input  logic [9:0]        wr_word_i,
  input  logic [31:0]       wr_data_i,
  input  logic [9:0]        rd_word_i,
  output logic [31:0]       rd_data_o,
  // to the SM
  output core_pkg::launch_t launch_o
);

  core_pkg::launch_t launch_q;
  logic              wr;

  assign wr       = wr_valid_i && !lock_i;
  assign launch_o = launch_q;

  always_ff @(posedge clk_i) begin
    if (wr) begin
      case (wr_word_i)
        host_regs_pkg::W_GRID_X:       launch_q.grid[0] <= wr_data_i;
        host_regs_pkg::W_GRID_Y:       launch_q.grid[1] <= wr_data_i;
        host_regs_pkg::W_GRID_Z:       launch_q.grid[2] <= wr_data_i;
        host_regs_pkg::W_BLOCK_X:      launch_q.block[0] <= clip(wr_data_i);
        host_regs_pkg::W_BLOCK_Y:      launch_q.block[1] <= clip(wr_data_i);
        host_regs_pkg::W_BLOCK_Z:      launch_q.block[2] <= clip(wr_data_i);
        host_regs_pkg::W_ENTRY_PC:     launch_q.entry_pc <= wr_data_i;
        host_regs_pkg::W_REGS:         launch_q.regs <= (wr_data_i > 32'd511) ? 9'd511 : wr_data_i[8:0];
        host_regs_pkg::W_SHARED_BYTES: launch_q.shared_bytes <= (wr_data_i[31:24] != '0) ? 24'hff_ffff : wr_data_i[23:0];
        host_regs_pkg::W_CODE_BASE_LO: launch_q.code_base[31:0] <= wr_data_i;
        host_regs_pkg::W_CODE_BASE_HI: launch_q.code_base[39:32] <= wr_data_i[7:0];
        host_regs_pkg::W_CODE_BYTES:   launch_q.code_bytes <= wr_data_i;
        host_regs_pkg::W_MODE:         launch_q.scoreboard <= wr_data_i[0];
        host_regs_pkg::W_REGION_WRITE: launch_q.region_write <= wr_data_i[15:0];
        default: ;
      endcase
      for (int unsigned i = 0; i < 4; i++) begin
        if (wr_word_i == host_regs_pkg::W_CBANK + 10'(4 * i)) launch_q.cbank_base[i][31:0] <= wr_data_i;
        if (wr_word_i == host_regs_pkg::W_CBANK + 10'(4 * i + 1)) launch_q.cbank_base[i][39:32] <= wr_data_i[7:0];
        if (wr_word_i == host_regs_pkg::W_CBANK + 10'(4 * i + 2)) launch_q.cbank_bytes[i] <= wr_data_i[16:0];
      end
      for (int unsigned i = 0; i < 16; i++) begin
        if (wr_word_i == host_regs_pkg::W_REGION + 10'(4 * i)) launch_q.region_base[i][31:0] <= wr_data_i;
        if (wr_word_i == host_regs_pkg::W_REGION + 10'(4 * i + 1)) launch_q.region_base[i][39:32] <= wr_data_i[7:0];
        if (wr_word_i == host_regs_pkg::W_REGION + 10'(4 * i + 2)) launch_q.region_limit[i][31:0] <= wr_data_i;
        if (wr_word_i == host_regs_pkg::W_REGION + 10'(4 * i + 3)) launch_q.region_limit[i][40:32] <= wr_data_i[8:0];
      end
    end
    if (!rst_ni) begin
      launch_q.scoreboard   <= 1'b0;
      launch_q.region_write <= '0;
      launch_q.region_limit <= '0;
      launch_q.cbank_bytes  <= '0;
    end
  end

  // What does not fit becomes the largest value, which the dispatcher refuses.
  function automatic logic [10:0] clip(input logic [31:0] word);
    clip = (word > 32'd2047) ? 11'd2047 : word[10:0];
  endfunction

  logic [3:0] rd_region;
  logic [1:0] rd_cbank;
  assign rd_region = rd_word_i[5:2];
  assign rd_cbank  = rd_word_i[3:2];

  always_comb begin
    rd_data_o = '0;
    case (rd_word_i)
      host_regs_pkg::W_GRID_X:       rd_data_o = launch_q.grid[0];
      host_regs_pkg::W_GRID_Y:       rd_data_o = launch_q.grid[1];
      host_regs_pkg::W_GRID_Z:       rd_data_o = launch_q.grid[2];
      host_regs_pkg::W_BLOCK_X:      rd_data_o = 32'(launch_q.block[0]);
      host_regs_pkg::W_BLOCK_Y:      rd_data_o = 32'(launch_q.block[1]);
      host_regs_pkg::W_BLOCK_Z:      rd_data_o = 32'(launch_q.block[2]);
      host_regs_pkg::W_ENTRY_PC:     rd_data_o = launch_q.entry_pc;
      host_regs_pkg::W_REGS:         rd_data_o = 32'(launch_q.regs);
      host_regs_pkg::W_SHARED_BYTES: rd_data_o = 32'(launch_q.shared_bytes);
      host_regs_pkg::W_CODE_BASE_LO: rd_data_o = launch_q.code_base[31:0];
      host_regs_pkg::W_CODE_BASE_HI: rd_data_o = 32'(launch_q.code_base[39:32]);
      host_regs_pkg::W_CODE_BYTES:   rd_data_o = launch_q.code_bytes;
      host_regs_pkg::W_MODE:         rd_data_o = 32'(launch_q.scoreboard);
      host_regs_pkg::W_REGION_WRITE: rd_data_o = 32'(launch_q.region_write);
      default: begin
        if (rd_word_i[9:4] == host_regs_pkg::W_CBANK[9:4]) begin
          case (rd_word_i[1:0])
            2'd0:    rd_data_o = launch_q.cbank_base[rd_cbank][31:0];
            2'd1:    rd_data_o = 32'(launch_q.cbank_base[rd_cbank][39:32]);
            2'd2:    rd_data_o = 32'(launch_q.cbank_bytes[rd_cbank]);
            default: rd_data_o = '0;
          endcase
        end
        if (rd_word_i[9:6] == host_regs_pkg::W_REGION[9:6]) begin
          case (rd_word_i[1:0])
            2'd0:    rd_data_o = launch_q.region_base[rd_region][31:0];
            2'd1:    rd_data_o = 32'(launch_q.region_base[rd_region][39:32]);
            2'd2:    rd_data_o = launch_q.region_limit[rd_region][31:0];
            default: rd_data_o = 32'(launch_q.region_limit[rd_region][40:32]);
          endcase
        end
      end
    endcase
  end

endmodule

`default_nettype wire
