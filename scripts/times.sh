#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What tests and targets cost. Of a build folder: writes BUILD/times.txt from ninja's and ctest's logs, a line for each
# test and target ("test 12.3 run.cc"), and prints sums by area and the thirty dearest. Of two such tables: what has
# changed. Seconds are those that a step held one of ninja's or ctest's places: those of a processor, where no more steps
# run at a time than there are. tests/times.txt is the table of a run that has landed: what took long starts first.
set -euo pipefail
help() {
  cat <<'END_HELP'
usage: times.sh BUILD | times.sh OLD NEW     example: scripts/times.sh tests/times.txt build/times.txt
  BUILD      a folder that ninja built in: writes BUILD/times.txt; its thirty dearest, and sums by area
  OLD NEW    two tables: sums by area, and the thirty that have changed most
END_HELP
}
case ${1:-} in -h | --help) help; exit 0 ;; esac
[ $# = 1 ] || [ $# = 2 ] || { help | head -1 >&2; exit 2; }
for file in "$@"; do
  [ -e "$file" ] || { echo "times: there is no '$file'" >&2; exit 2; }
done
# An area of tests is the first word of their names; one of targets its folder, two deep.
area='function area(kind, name) {
  if (kind == "test") { sub(/\..*/, "", name); return name }
  if (name ~ /\//) { sub(/\/[^\/]*$/, "", name); if (match(name, /^[^\/]*\/[^\/]*/)) name = substr(name, 1, RLENGTH) }
  return name
}'

if [ $# = 2 ]; then
  awk "$area"'
    $1 != "test" && $1 != "target" { next }
    FNR == NR { old[$1 " " $3] = $2; olds[$1 " " area($1, $3)] += $2; all[$1, 1] += $2; keys[$1 " " $3] = 1; next }
    { new[$1 " " $3] = $2; news[$1 " " area($1, $3)] += $2; all[$1, 2] += $2; keys[$1 " " $3] = 1 }
    function line(was, is, what) { return sprintf("%9.1f %9.1f  %s", was, is, what) }
    END {
      print "seconds before, now: by area"
      for (a in olds) areas[a] = 1
      for (a in news) areas[a] = 1
      sort = "sort -k2,2nr"
      for (a in areas) print line(olds[a], news[a], a) | sort
      close(sort)
      print line(all["test", 1], all["test", 2], "all tests")
      print line(all["target", 1], all["target", 2], "all targets")
      print "seconds before, now: the thirty that have changed most"
      sort = "sort -k1,1nr | head -30 | cut -d: -f2"
      for (k in keys) { d = new[k] - old[k]; if (d < 0) d = -d; print d ":" line(old[k], new[k], k) | sort }
      close(sort)
    }' "$1" "$2"
  exit
fi

build=$1
[ -d "$build" ] || { echo "times: '$build' is no folder" >&2; exit 2; }
{
  # Start and end in ms, mtime, output, hash of the command: one that makes several files stands in a line for each.
  [ ! -e "$build/.ninja_log" ] || awk -F '\t' '
    /^#/ || ($1 $2 $5) in seen { next }
    {
      seen[$1 $2 $5]; name = $4
      if (match(name, /CMakeFiles\/[^\/]*\.dir\//)) {
        object = substr(name, RSTART + 11, RLENGTH - 16)
        name = substr(name, 1, RSTART - 1) object
      }
      time[name] += ($2 - $1) / 1000
    }
    END { for (n in time) printf "target %.1f %s\n", time[n], n }' "$build/.ninja_log"
  [ ! -e "$build/ctest.log" ] || awk '
    /^ *[0-9]+\/[0-9]+ Test +#[0-9]+: / {
      name = $0; sub(/^[^:]*: */, "", name); sub(/ .*$/, "", name)
      printf "test %.1f %s\n", $(NF - 1), name
    }' "$build/ctest.log"
} | sort -k1,1 -k2,2nr -k3,3 >"$build/times.txt"
awk "$area"'
  { sum[$1 " " area($1, $3)] += $2; n[$1 " " area($1, $3)]++; all[$1] += $2; line[NR] = $2 " " $1 " " $3 }
  END {
    sort = "sort -k2,2nr | head -40"
    for (a in sum) printf "time %8.1f s  %s (%d)\n", sum[a], a, n[a] | sort
    close(sort)
    printf "time %8.1f s  all tests\ntime %8.1f s  all targets\nthe dearest:\n", all["test"], all["target"]
    sort = "sort -k1,1nr | head -30"
    for (i = 1; i <= NR; i++) print line[i] | sort
  }' "$build/times.txt" 
