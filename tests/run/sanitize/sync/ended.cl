// Work-items that have left do not come to the barrier.
// run: --grid 1 --block 64 --arg in:in --arg out:256:- --arg u32:40
// says: have ended and do not come to it
kernel void k(global const uint *in, global uint *out, uint n) {
  local uint room[64];
  const uint i = get_local_id(0);
  if (i >= n) return; // broken
  room[i] = in[i];
  barrier(CLK_LOCAL_MEM_FENCE); // told: sync
  out[i] = i > 0 ? room[i - 1] : 0;
}
