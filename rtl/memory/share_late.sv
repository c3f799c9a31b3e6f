// SPDX-License-Identifier: Apache-2.0
// Late results of the load/store unit, on the way out: each to the partition of its warp.
// Latency: combinational.
// Handshake: valid/ready, those of the partition that it is for.
// It holds nothing: the payload is wires to all of them.
module share_late #(
  parameter int unsigned N = 2
) (
  // from the load/store unit
  input  logic            ls_late_valid_i,
  output logic            ls_late_ready_o,
  input  core_pkg::late_t ls_late_i,
  // to the partitions
  output logic [N-1:0]    p_ls_late_valid_o,
  input  logic [N-1:0]    p_ls_late_ready_i
);

  always_comb begin
    for (int unsigned p = 0; p < N; p++) begin
      p_ls_late_valid_o[p] = ls_late_valid_i && core_pkg::part_of(ls_late_i.id.slot) == cfg_pkg::PART_W'(p);
    end
  end
  assign ls_late_ready_o = (p_ls_late_valid_o & p_ls_late_ready_i) != '0;

  // Whose it is is all that counts here.
  logic unused;
  assign unused = ^ls_late_i;

endmodule
