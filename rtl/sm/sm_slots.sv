// SPDX-License-Identifier: Apache-2.0
// Warps of the SM and those of its partitions: warp w of partition p is warp w N + p of the SM.
// Latency: combinational. Handshake: none of its own.
// It holds no state.
module sm_slots #(
  parameter  int unsigned N     = cfg_pkg::PARTITIONS,
  localparam int unsigned WARPS = cfg_pkg::WARPS,
  localparam int unsigned RELEASE_W = $bits(front_pkg::release_t)
) (
  // from the partitions: warps that are idle, that end; of the SM
  input  logic [N-1:0][WARPS-1:0]     p_is_idle_i,
  input  logic [N-1:0][WARPS-1:0]     p_is_ended_i,
  output logic [N*WARPS-1:0]          is_idle_o,
  output logic [N*WARPS-1:0]          is_ended_o,
  // fences: to the cache, and back
  input  logic [N-1:0][WARPS-1:0]     p_is_want_i,
  output logic [N*WARPS-1:0]          is_want_o,
  input  logic [N*WARPS-1:0]          fence_ok_i,
  output logic [N-1:0][WARPS-1:0]     p_fence_ok_o,
  // from the barriers, to each partition: front_pkg::release_t each
  input  sm_pkg::release_t            ba_release_i,
  output logic [N-1:0][RELEASE_W-1:0] p_ba_release_o
);

  for (genvar p = 0; p < N; p++) begin : gen_partition
    front_pkg::release_t own;

    for (genvar w = 0; w < WARPS; w++) begin : gen_warp
      assign is_idle_o[w*N+p]  = p_is_idle_i[p][w];
      assign is_ended_o[w*N+p] = p_is_ended_i[p][w];
      assign own.warps[w]      = ba_release_i.warps[w*N+p];
      assign is_want_o[w*N+p]   = p_is_want_i[p][w];
      assign p_fence_ok_o[p][w] = fence_ok_i[w*N+p];
    end
    assign own.valid = ba_release_i.valid;
    assign own.red   = ba_release_i.red;
    assign own.busy  = ba_release_i.busy;

    assign p_ba_release_o[p] = own;
  end

  // Block and barrier are for the record.
  logic unused;
  assign unused = ^ba_release_i;

endmodule
