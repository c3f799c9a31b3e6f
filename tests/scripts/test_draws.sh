#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A seed means the same under every compiler (draws.py): in the C of the tree that names a source of draws, with --full in all
# of it; and what draws.py must find, it finds.
# usage: test_draws.sh ROOT BUILD [--full]
set -uo pipefail
root=$1 build=$2
here=$root/tests/scripts
source "$root/tests/lib.sh"
draws() { "$root/build/venv/bin/python" -B "$here/draws.py" "$@"; }

cat >"$dir/draw.h" <<'END'
static inline unsigned splitmix64(unsigned *s) { return *s += 7; }
static inline unsigned below(unsigned *s, unsigned n) { return splitmix64(s) % n; }
unsigned elsewhere(unsigned *s);
unsigned two(unsigned a, unsigned b);
#define PUT(...) two(__VA_ARGS__)
END
cat >"$dir/elsewhere.c" <<'END'
#include "draw.h"
unsigned elsewhere(unsigned *s) { return below(s, 9); }
unsigned two(unsigned a, unsigned b) { return a - b; }
END
# One of each kind, a line each; then what has an order, or draws once.
cat >"$dir/wrong.c" <<'END'
#include "draw.h"
unsigned call(unsigned *s) { return two(below(s, 2), below(s, 3)); }
unsigned macro(unsigned *s) { return PUT(splitmix64(s), 1 + elsewhere(s)); }
unsigned sum(unsigned *s) { return below(s, 2) - elsewhere(s); }
void store(unsigned *s, unsigned *v) { v[below(s, 2)] = below(s, 3); }
void add(unsigned *s, unsigned *v) { v[below(s, 2)] += below(s, 3); }
unsigned list(unsigned *s) { const unsigned v[2] = {below(s, 2), below(s, 3)}; return v[0]; }
END
cat >"$dir/right.c" <<'END'
#include "draw.h"
unsigned both(unsigned *s) { return below(s, 2) && below(s, 3); }
unsigned either(unsigned *s) { return below(s, 2) || below(s, 3); }
unsigned choice(unsigned *s) { return below(s, 2) ? below(s, 3) : below(s, 4); }
unsigned comma(unsigned *s) { return below(s, 2), below(s, 3); }
unsigned lines(unsigned *s) { const unsigned a = below(s, 2), b = below(s, 3); return two(a, b) + splitmix64(s); }
unsigned within(unsigned *s) { return below(s, 1 + below(s, 3)); }
END
commands() { # FILE ...
  for f in "$@"; do printf '{"directory": "%s", "file": "%s", "command": "cc -I%s -c %s"}\n' "$dir" "$dir/$f" "$dir" "$f"; done |
    python3 -c 'import json, sys; print(json.dumps([json.loads(l) for l in sys.stdin]))'
}
mkdir "$dir/build"
commands elsewhere.c wrong.c >"$dir/build/wrong.json"
commands elsewhere.c right.c >"$dir/build/right.json"
for line in 2 3 4 5 6 7; do expect 1 "wrong.c:$line:" draws "$dir" "$dir/build/wrong.json"; done
expect 1 "2 sources, 9 functions that draw, 6 places" draws "$dir" "$dir/build/wrong.json"
expect 0 " 0 places" draws "$dir" "$dir/build/right.json"
draw='splitmix64|random_|below\('
files=()
[ "${3:-}" = --full ] || mapfile -t files < <(cd "$root" && git ls-files '*.c' | xargs grep -lE "$draw" | sed "s,^,$root/,")
[ "${3:-}" = --full ] || [ ${#files[@]} -gt 100 ] || { echo "FAILED: ${#files[@]} sources name a source of draws"; exit 1; }
expect 0 " 0 places" draws "$root" "$build/compile_commands.json" "${files[@]}"
