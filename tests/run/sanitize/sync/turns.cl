// Work-items turn a loop with a barrier in it as often as each likes.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
kernel void k(global const uint *in, global uint *out) {
  const uint i = get_local_id(0);
  uint sum = 0;
  for (uint t = 0; t < 2 + i / 32; t++) { // broken
  // mended: for (uint t = 0; t < 3; t++) {
    sum += in[i + t];
    barrier(CLK_LOCAL_MEM_FENCE); // told: sync
  }
  out[i] = sum;
}
