// An index that nobody wrote.
// run: --grid 1 --block 64 --arg in:in --arg out:256:-
kernel void k(global const uint *in, global uint *out) {
  local uint place[64];
  const uint i = get_local_id(0);
  if (i % 2 == 0) place[i] = i; // broken
  // mended: place[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = in[place[i] & 63]; // told: init
}
