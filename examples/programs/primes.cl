// SPDX-License-Identifier: Apache-2.0
// The primes below 256, in any order that an atomic counter gives them places in; the host sorts. Then their number.
// run: heddle run examples/programs/primes.cl --global 256 --local 64 --arg out:256:u32:- --arg out:4:u32:-
kernel void primes(global uint *found, global uint *count) {
  const uint n = get_global_id(0);
  bool prime = n >= 2;
  for (uint d = 2; d * d <= n; d++)
    if (n % d == 0) prime = false;
  if (prime) found[atomic_inc(count)] = n;
}
