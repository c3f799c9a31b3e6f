#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# What a newcomer gets: ./demo.sh and ./test.sh in a clone of HEAD on a minimal Debian, with nothing remembered.
# Each command has a root of its own, which debootstrap makes, no ccache, no cache of pip, an empty home; mounts and
# processes are private and go with it, however it ends. apt and pip inside ask where those of this machine ask: mirror,
# proxies, certificates, folders of wheels. What is not committed is not tested.
# Needs root or sudo, and the right to mount: in a container, a privileged one.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
help() {
  cat <<'END'
usage: fresh.sh [bookworm | trixie] [demo | test | more] [OPTION ...]     example: scripts/fresh.sh trixie test --keep
  (no word)      bookworm, ./demo.sh and ./test.sh; more: ./test.sh --more
  --into DIR     the folder to work in, new or empty (default: a new one in TMPDIR, or /var/tmp)
  --keep         leave that folder there: the root is ROOT-demo or ROOT-test in it
  --logs DIR     where the logs go (default: build/fresh)
  --base FILE    take the system from this archive; make the archive if it is not there (default: a new system each time)
  --mirror URL   where Debian is (default: this machine's mirror, else deb.debian.org)
  --dry-run      say what would be done
exit status: 0 all passed and nothing was skipped, 1 not so, 2 usage, 5 something is missing here
END
}
usage() {
  [ $# = 0 ] || echo "fresh: $1" >&2
  help | head -1 >&2
  exit 2
}
suite="" command="" into="" keep="" logs="" base="" mirror="" dry=""
given=("$@")
while [ $# -gt 0 ]; do
  case $1 in
    bookworm | trixie) [ -z "$suite" ] || usage "one system at a time"; suite=$1 ;;
    demo | test | more) [ -z "$command" ] || usage "demo, test or more, or none of them for demo and test"; command=$1 ;;
    --into | --logs | --base | --mirror)
      [ -n "${2:-}" ] || usage "$1 wants a word"
      printf -v "${1#--}" %s "$2"
      shift ;;
    --keep) keep=yes ;;
    --dry-run) dry=yes ;;
    -h | --help) help; exit 0 ;;
    *) usage "what is '$1'?" ;;
  esac
  shift
done
suite=${suite:-bookworm}
commands=(demo test)
[ -z "$command" ] || commands=("$command")
fail() { # STATUS WHY
  echo "fresh: $2" >&2
  exit "$1"
}

# ---- what is tested: HEAD, and nothing beside it. Under sudo the clone is somebody else's, which git asks about.
git() { command git -c safe.directory='*' "$@"; }
source=$(git -C "$here" rev-parse --show-toplevel 2>/dev/null) || fail 5 "$here is in no git clone"
commit=$(git -C "$source" rev-parse --verify HEAD 2>/dev/null) || fail 5 "$source has no commit"
changed=$(git -C "$source" status --porcelain | wc -l)
if [ "$changed" = 0 ]; then tree="clean"; else tree="$changed files differ from it and are not tested"; fi
logs=${logs:-$source/build/fresh}
[ -z "$into" ] || [ -z "$(ls -A "$into" 2>/dev/null)" ] || fail 2 "$into is not empty"

# ---- where this machine's apt and pip ask, none of it by name
# first_uri WORD: the first source of apt whose address ends in it
first_uri() {
  # shellcheck disable=SC2016  # apt's words
  apt-get indextargets --format '$(REPO_URI)' 2>/dev/null | sort -u | grep -E "/$1/?\$" | head -1 || true
}
if [ -n "$mirror" ]; then
  mirror=${mirror%/} security=${mirror%/}-security
else
  mirror=$(first_uri debian) security=$(first_uri debian-security)
  mirror=${mirror:-http://deb.debian.org/debian} security=${security:-http://deb.debian.org/debian-security}
fi
# Settings of pip that say where from, from its files and its environment, as PIP_NAME=value.
pip_settings() {
  {
    python3 -m pip config list 2>/dev/null || true
    env | sed -n "s/^PIP_\([A-Z_]*\)=\(.*\)/:env:.\1='\2'/p"
  } | sed -nE "s/^(global|install|:env:)\.([A-Za-z_-]+)='(.*)'\$/\2 \3/p" | while read -r name value; do
    name=$(tr a-z- A-Z_ <<<"$name")
    case $name in
      INDEX_URL | EXTRA_INDEX_URL | FIND_LINKS | NO_INDEX | TRUSTED_HOST | PROXY | CERT | TIMEOUT | DEFAULT_TIMEOUT | RETRIES)
        echo "PIP_$name=${value//\\n/ }" ;;
    esac
  done | awk -F = '{ last[$1] = $0 } END { for (name in last) print last[name] }'
}
mapfile -t pip < <(pip_settings)
mapfile -t proxies < <(env | grep -iE '^(https?|ftp|all|no)_proxy=' || true)
certificates=""
for v in "${pip[@]+"${pip[@]}"}"; do [[ $v != PIP_CERT=* ]] || certificates=${v#*=}; done
certificates=${certificates:-${SSL_CERT_FILE:-${REQUESTS_CA_BUNDLE:-${CURL_CA_BUNDLE:-}}}}
[ -f "$certificates" ] || certificates=""
wheels=() # folders of packages that pip looks into
for v in "${pip[@]+"${pip[@]}"}"; do
  [[ $v == PIP_FIND_LINKS=* ]] || continue
  for folder in ${v#*=}; do
    folder=${folder#file://}
    [ ! -d "$folder" ] || wheels+=("$folder")
  done
done

declare -A line=([demo]=./demo.sh [test]=./test.sh [more]="./test.sh --more")
echo "fresh: $suite, ${line[${commands[0]}]}${commands[1]:+ and ${line[test]}}, commit $commit ($tree)"
if [ -n "$dry" ]; then
  echo "fresh: Debian from $mirror and $security${base:+, or from $base}; logs to $logs"
  echo "fresh: pip: ${pip[*]:-as it is}; certificates: ${certificates:-those of the system}; proxies: ${#proxies[@]}"
  exit 0
fi

if [ "$(id -u)" != 0 ]; then
  command -v sudo >/dev/null || fail 5 "run this as root, or install sudo"
  exec sudo env "${pip[@]}" "${proxies[@]}" ${certificates:+"SSL_CERT_FILE=$certificates"} ${TMPDIR:+"TMPDIR=$TMPDIR"} \
    "$here/fresh.sh" "${given[@]}"
fi

# ---- a folder, and what ends with it
if [ -n "$into" ]; then
  mkdir -p "$into"
  work=$(cd "$into" && pwd)
else
  work=$(mktemp -d -p "${TMPDIR:-/var/tmp}" heddle-fresh.XXXXXX)
fi
chmod 755 "$work"
running=""
end() {
  # The one process that this waits for holds the namespaces: with it goes everything in them.
  [ -z "$running" ] || { kill -KILL "$running" && wait "$running"; } 2>/dev/null || true
  [ -n "$keep" ] || rm -rf --one-file-system "$work"
}
trap end EXIT
trap 'echo "fresh: interrupted" >&2; exit 1' INT TERM HUP

mkdir -p "$logs"
logs=$(cd "$logs" && pwd)

# stage WHAT LOG WATCHED COMMAND...: run it; a line that moves on a terminal (with the last line of the files WATCHED),
# else one line. Its exit status in $status, its time in $took.
stage() {
  local what=$1 log=$2 watched=$3 began=$SECONDS last
  shift 3
  [ -t 1 ] || echo "fresh: $suite: $what"
  "$@" >"$log" 2>&1 </dev/null &
  running=$!
  while [ -t 1 ] && kill -0 $running 2>/dev/null; do
    # shellcheck disable=SC2086  # several files
    last=$(tail -q -n 1 $watched "$log" 2>/dev/null | tail -n 1 | tr -d '\r' | cut -c 1-60 || true)
    printf '\r\033[Kfresh: %s: %s %d:%02d  %s' "$suite" "$what" $(((SECONDS - began) / 60)) $(((SECONDS - began) % 60)) "$last"
    sleep 1
  done
  status=0
  wait $running || status=$?
  running=""
  took=$((SECONDS - began))
  [ ! -t 1 ] || printf '\r\033[Kfresh: %s: %s: %d s\n' "$suite" "$what" "$took"
}
must() { # the same, and an end if it fails
  stage "$@"
  [ "$status" = 0 ] || { tail -n 15 "$2" >&2; fail "${broken:-5}" "$1: exit status $status ($2)"; }
}

# ---- debootstrap
install_tools() {
  command -v apt-get >/dev/null || { echo "no debootstrap, and no apt-get to install it"; return 1; }
  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    debootstrap debian-archive-keyring util-linux git tar
}
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
if ! command -v debootstrap >/dev/null || [ ! -e $keyring ]; then must "installing debootstrap" "$logs/$suite-tools.log" "" install_tools; fi
unshare --mount --pid --fork true || fail 5 "this machine does not let us mount (in a container: run it privileged)"

more=()
[[ $mirror$security != *https:* ]] || more+=(--include=ca-certificates)
make_base() {
  # Whatever it mounts is gone at its end.
  exec unshare --mount --pid --fork --kill-child \
    debootstrap --variant=minbase --keyring=$keyring "${more[@]+"${more[@]}"}" "$suite" "$work/base" "$mirror"
}
take_base() {
  mkdir -p "$work/base"
  exec tar -C "$work/base" --numeric-owner -xpf "$base"
}
keep_base() {
  mkdir -p "$(dirname "$base")"
  tar -C "$work/base" --numeric-owner -cpf "$base.part" . && mv "$base.part" "$base"
}
if [ -n "$base" ] && [ -e "$base" ]; then
  must "unpacking $base" "$logs/$suite-base.log" "" take_base
else
  must "debootstrap" "$logs/$suite-base.log" "" make_base
  [ -z "$base" ] || must "packing $base" "$logs/$suite-pack.log" "" keep_base
fi
found=$(sed -n 's/^VERSION_CODENAME=//p' "$work/base/etc/os-release")
[ "$found" = "$suite" ] || fail 2 "$base holds ${found:-no Debian}, not $suite"

# ---- it asks where this machine asks
configure() {
  local root=$1 line path
  rm -f "$root/etc/resolv.conf" # may be a link
  cp -L /etc/resolv.conf /etc/hosts "$root/etc"
  printf 'deb %s %s main\n' "$mirror" "$suite" "$mirror" "$suite-updates" "$security" "$suite-security" \
    >"$root/etc/apt/sources.list"
  apt-config dump 2>/dev/null | grep -E '^Acquire::(http|https|ftp|Check-|Retries|ForceIPv|Max-ValidTime)[^ ]* "[^"]+";' \
    >"$root/etc/apt/apt.conf.d/90fresh" || true
  # Files that it names are there by the same name.
  while read -r _ line; do
    path=${line#\"} path=${path%\";}
    [[ $path == /* && -f $path ]] && install -D -m 644 "$path" "$root$path"
  done <"$root/etc/apt/apt.conf.d/90fresh"
  [ ! -d /etc/apt/auth.conf.d ] || cp -r /etc/apt/auth.conf.d "$root/etc/apt"
  mkdir -p "$root/home/newcomer"
  [ -z "$certificates" ] || install -D -m 644 "$certificates" "$root/etc/ssl/fresh.crt"
}
configure "$work/base"

# What is set inside: the paths, an empty home, no caches, and from where.
inside=(HOME=/home/newcomer PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin TERM=dumb
  CCACHE_DISABLE=1 PIP_NO_CACHE_DIR=1 "${proxies[@]+"${proxies[@]}"}" "${pip[@]+"${pip[@]}"}")
[ -z "$certificates" ] || inside+=(PIP_CERT=/etc/ssl/fresh.crt SSL_CERT_FILE=/etc/ssl/fresh.crt)

# ROOT COMMAND...: in that root, with mounts and processes of its own; a pseudo-terminal is what board tests ask for.
# The command is not the first process there: to that one some signals mean nothing.
# shellcheck disable=SC2016
enter='
  root=$1 wheels=$2
  shift 2
  mount --make-rprivate /
  mount -t proc proc "$root/proc"
  mount --rbind /sys "$root/sys"
  mount --bind /dev "$root/dev"
  mkdir -p "$root/dev/pts" "$root/dev/shm"
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts "$root/dev/pts"
  mount -t tmpfs -o mode=1777 tmpfs "$root/dev/shm"
  for folder in $wheels; do
    mkdir -p "$root$folder"
    mount --bind -o ro "$folder" "$root$folder"
  done
  chroot "$root" env -i "$@" || exit
  exit 0'
within() {
  local root=$1
  shift
  exec unshare --mount --pid --fork --kill-child bash -euc "$enter" enter "$root" "${wheels[*]-}" "${inside[@]}" "$@"
}

clone() { # ROOT
  cp -a --reflink=auto "$work/base" "$1"
  # A file says it to the other end of the clone as well.
  printf '[safe]\n\tdirectory = *\n' >"$work/gitconfig"
  GIT_CONFIG_GLOBAL=$work/gitconfig git clone --quiet --no-hardlinks "$source" "$1/srv/heddle"
  git -C "$1/srv/heddle" checkout --quiet --force "$commit"
  [ "$(git -C "$1/srv/heddle" rev-parse HEAD)" = "$commit" ]
}

# What the root was, a line each.
# shellcheck disable=SC2016  # expanded inside
describe() { # ROOT
  (within "$1" bash -c '
    . /etc/os-release
    echo "system       $PRETTY_NAME, $(nproc) cores, $(sed -n "s/^model name[^:]*: //p" /proc/cpuinfo | head -1)"
    for tool in gcc clang-19 cmake python3 verilator; do
      said=$(command -v "$tool" >/dev/null && "$tool" --version 2>/dev/null | head -1) || continue
      echo "             $said"
    done
    cd /srv/heddle/build/venv 2>/dev/null && bin/pip list --format freeze 2>/dev/null | grep -iE "^(verilator|yowasp)" | sed "s/^/             /"
    true') </dev/null 2>/dev/null || true
}

failures=0
for c in "${commands[@]}"; do
  root=$work/root-$c
  must "a clone of HEAD for ${line[$c]}" "$logs/$suite-$c-clone.log" "" clone "$root"
  build=$root/srv/heddle/build
  stage "${line[$c]}" "$logs/$suite-$c.log" "$build/demo.log $build/build.log $build/ctest.log" \
    within "$root" bash -c "cd /srv/heddle && exec ${line[$c]}"
  for log in cmake.log build.log demo.log ctest.log times.txt; do
    [ ! -f "$build/$log" ] || cp "$build/$log" "$logs/$suite-$c-$log"
  done
  "$here/fresh-summary.sh" "$c" "$status" "$took" "$logs/$suite-$c.log" "$logs/$suite-$c-ctest.log" || failures=$((failures + 1))
  echo "commit       $commit ($tree)"
  describe "$root"
  echo "logs         $logs/$suite-$c*.log"
  [ -n "$keep" ] || rm -rf --one-file-system "$root"
done
[ -z "$keep" ] || echo "fresh: kept: $work"
[ $failures = 0 ]
