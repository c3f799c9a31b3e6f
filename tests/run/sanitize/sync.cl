// Barriers that not all come to: tests/tools/test_sanitize.py says what the comments mean.

// Work-items that have left do not come to the barrier.
// run: --grid 1 --block 64 --arg in:in --arg out:256:- --arg u32:40
// says: have ended and do not come to it
kernel void ended(global const uint *in, global uint *out, uint n) {
  local uint room[64];
  const uint i = get_local_id(0);
  if (i >= n) return; // broken
  room[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE); // told: sync
  out[i] = i > 0 ? room[i - 1] : 0;
}

// Work-items turn a loop with a barrier in it as often as each likes.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
kernel void turns(global const uint *in, global uint *out) {
  const uint i = get_local_id(0);
  uint sum = 0;
  for (uint t = 0; t < 2 + i / 32; t++) { // broken
  // mended: for (uint t = 0; t < 3; t++) {
    sum += in[i + t];
    barrier(CLK_LOCAL_MEM_FENCE); // told: sync
  }
  out[i] = sum;
}
