# SPDX-License-Identifier: Apache-2.0
# Sourced: a Slurm of this machine alone, a controller and two nodes, in $dir/farm: own key, own ports, bound to loopback.
# No service of the system is asked or touched. farm_up starts it or says why it can't; farm_down ends it.
farm=$dir/farm
export SLURM_CONF=$farm/slurm.conf
# A Slurm that the caller may be in is not this one.
for v in $(compgen -e | grep -E '^(SLURM_|SBATCH_|SQUEUE_|SCANCEL_)' | grep -vx SLURM_CONF); do unset "$v"; done

# Three ports that nobody listens on, from the kernel.
farm_ports() {
  python3 - <<'P'
import socket
s = [socket.socket() for _ in range(3)]
for k in s: k.bind(("127.0.0.1", 0))
print(*sorted(k.getsockname()[1] for k in s))
P
}

farm_conf() {
  local host user ctld node
  host=$(hostname -s) user=$(id -un)
  read -r ctld node1 node2 < <(farm_ports)
  cat >"$SLURM_CONF" <<C
ClusterName=heddle
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$ctld

SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=$farm/munge/socket
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
StateSaveLocation=$farm/state
SlurmdSpoolDir=$farm/spool-%n
SlurmctldPidFile=$farm/slurmctld.pid
SlurmdPidFile=$farm/slurmd-%n.pid
SlurmctldLogFile=$farm/slurmctld.log
SlurmdLogFile=$farm/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/builtin
SchedulerParameters=sched_interval=1,sched_min_interval=100000,batch_sched_delay=1
SlurmdParameters=config_overrides
PlugStackConfig=/dev/null
ReturnToService=2
KillWait=2
NodeName=farm[1-2] NodeHostname=$host NodeAddr=127.0.0.1 Port=[$node1,$node2] CPUs=2 State=UNKNOWN
PartitionName=farm Nodes=farm[1-2] Default=YES MaxTime=10 State=UP
C
}

farm_broken() { # WHAT LOG...
  echo "error: the farm does not start: $1. Install Slurm and munge (scripts/setup.sh), and let this run where processes"
  echo "  may open sockets on 127.0.0.1, resolve it, and write in ${TMPDIR:-/tmp}; slurmd wants /sys/fs/cgroup mounted."
  shift
  local log
  for log in "$@"; do tail -n 8 "$log" 2>/dev/null | sed "s/^/  ${log##*/}: /"; done
  return 1
}

# until_ok SECONDS COMMAND...: the command, until it succeeds
until_ok() {
  local end=$((SECONDS + $1))
  shift
  until "$@" >/dev/null 2>&1; do
    [ $SECONDS -lt $end ] || return 1
    sleep 0.1
  done
}
farm_gone() { ! kill -0 "$1"; }
# Whether no job is left, waiting or under way. A controller that does not answer is no answer.
farm_empty() { local jobs; jobs=$(timeout 5 squeue -h) && [ -z "$jobs" ]; }
farm_idle() { [ "$(timeout 5 sinfo -h -o %T)" = idle ]; }

farm_pids=()
farm_daemon() { # NAME COMMAND...: a process of ours, so that its number is known, and that ends when this shell is killed
  local log=$farm/$1.out
  shift
  setpriv --pdeathsig KILL "$@" >"$log" 2>&1 </dev/null &
  farm_pids+=($!)
  daemon=$! # for the caller
  disown $daemon
}
farm_node() { farm_daemon "$1" slurmd -D -N "$1"; }

farm_up() {
  local tool
  for tool in munged munge slurmctld slurmd sbatch squeue scancel scontrol sinfo setpriv pgrep; do
    PATH=$PATH:/usr/sbin command -v $tool >/dev/null || { farm_broken "no $tool is installed"; return; }
  done
  PATH=$PATH:/usr/sbin
  # munged wants to know who may write to its folders; who asks it must get to its socket.
  mkdir -p "$farm/munge" "$farm/state" "$farm/spool" && chmod 755 "$dir" "$farm" "$farm/munge"
  (umask 077 && head -c 1024 /dev/urandom >"$farm/munge/key")
  farm_conf
  farm_daemon munged munged --foreground --socket="$farm/munge/socket" --key-file="$farm/munge/key" \
    --log-file="$farm/munge/log" --pid-file="$farm/munge/pid" --seed-file="$farm/munge/seed"
  until_ok 10 munge -n --socket="$farm/munge/socket" ||
    { farm_broken "munged does not answer" "$farm/munged.out" "$farm/munge/log"; return; }
  farm_daemon slurmctld slurmctld -D
  until_ok 15 timeout 5 scontrol ping ||
    { farm_broken "slurmctld does not answer" "$farm/slurmctld.out" "$farm/slurmctld.log"; return; }
  farm_node farm2
  farm2_pid=$daemon
  farm_node farm1
  until_ok 20 farm_idle ||
    { farm_broken "a slurmd does not report to slurmctld" "$farm"/farm[12].out "$farm"/slurmd-farm[12].log "$farm/slurmctld.log"; return; }
}

# Jobs first, then the daemons, then whatever runs with a path of this test's folder in its command.
farm_down() {
  local pid
  timeout 10 scancel --user="$(id -un)" 2>/dev/null
  until_ok 3 farm_empty
  for pid in "${farm_pids[@]}"; do kill "$pid" 2>/dev/null; done
  for pid in "${farm_pids[@]}"; do until_ok 5 farm_gone "$pid" || kill -9 "$pid" 2>/dev/null; done
  for pid in $(pgrep -f -- "$dir/"); do kill -9 "$pid" 2>/dev/null; done
  true
}
