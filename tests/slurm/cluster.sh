#!/usr/bin/env bash
# A Slurm cluster on the loopback address of this machine, for tests: a controller and four nodes of one processor each, with
# their own key, ports and folders; nothing outside of the given folder is touched, and no service of the system is used.
#
#   cluster.sh up FOLDER          starts it, and returns when all nodes are ready
#   cluster.sh kill FOLDER NODE   kills the daemon of a node (n1 … n4) and all that runs on it, as when its power fails
#   cluster.sh down FOLDER        stops it, and removes the folder
#
# It needs Debian's packages slurm-wlm and munge. Commands find the cluster by SLURM_CONF=FOLDER/slurm.conf.
set -euo pipefail

NODES=(n1 n2 n3 n4)
PATH=$PATH:/usr/sbin:/sbin

fail() {
    echo "cluster.sh: $*" >&2
    exit 2
}

# A port that nobody listens on: the kernel chooses it.
free_ports() {
    python3 -c '
import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in held:
    one.bind(("127.0.0.1", 0))
print(*(one.getsockname()[1] for one in held))' "$1"
}

# Waits until a command succeeds, for at most a minute.
until_true() {
    local what=$1 tries
    shift
    for ((tries = 0; tries < 600; tries++)); do
        "$@" >/dev/null 2>&1 && return 0
        sleep 0.1
    done
    fail "$what: no success within a minute; see $folder/log"
}

start_munge() {
    mkdir -p -m 700 "$folder/munge"
    head -c 128 /dev/urandom >"$folder/munge/key"
    chmod 600 "$folder/munge/key"
    munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
        --log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --num-threads=2
}

write_configuration() {
    local ports user
    user=$(id -un)
    read -r -a ports < <(free_ports 5)
    cat >"$folder/slurm.conf" <<CONF
ClusterName=counterpoint
SlurmctldHost=localhost(127.0.0.1)
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
SlurmctldPort=${ports[0]}
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/%n
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000
SlurmdParameters=config_overrides
ReturnToService=2
SlurmctldTimeout=30
SlurmdTimeout=10
MinJobAge=2
KillWait=2
MaxArraySize=101
JobRequeue=1
$(for at in 0 1 2 3; do
        echo "NodeName=${NODES[at]} NodeHostname=localhost NodeAddr=127.0.0.1 Port=${ports[at + 1]} CPUs=1 RealMemory=100000"
    done)
PartitionName=all Nodes=n[1-4] Default=YES MaxTime=INFINITE State=UP
CONF
}

all_idle() {
    [[ $(sinfo --noheader --Node --format=%T | grep -c '^idle$') == "${#NODES[@]}" ]]
}

up() {
    local command node
    for command in munged slurmctld slurmd sbatch; do
        command -v "$command" >/dev/null || fail "there is no $command (Debian's packages slurm-wlm and munge have it)"
    done
    [[ ! -e "$folder" ]] || fail "$folder is there already"
    mkdir -p "$folder"/{state,log,spool}
    start_munge
    write_configuration
    slurmctld -f "$folder/slurm.conf" -L "$folder/log/slurmctld"
    for node in "${NODES[@]}"; do
        mkdir -p "$folder/spool/$node"
        slurmd -f "$folder/slurm.conf" -N "$node" -L "$folder/log/$node"
    done
    until_true "the nodes are not ready" all_idle
}

# The process of a node's daemon.
daemon_of() {
    cat "$folder/$1.pid" 2>/dev/null
}

# Kills the daemon first, so that it tells nobody of what comes next.
kill_node() {
    local node=$1 pid
    pid=$(daemon_of "$node") || fail "there is no node $node"
    kill -KILL "$pid" || true
    for pid in $(steps_on "$node"); do
        kill_tree "$pid"
    done
}

# The processes of this cluster's jobs that run on a node: their environment tells.
steps_on() {
    local pid
    for pid in /proc/[0-9]*; do
        if tr '\0' '\n' 2>/dev/null <"$pid/environ" | grep -qx "SLURMD_NODENAME=$1" &&
            tr '\0' '\n' 2>/dev/null <"$pid/environ" | grep -qx "SLURM_CONF=$folder/slurm.conf"; then
            basename "$pid"
        fi
    done
    return 0
}

kill_tree() {
    local child
    for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do
        kill_tree "$child"
    done
    kill -KILL "$1" 2>/dev/null || true
}

down() {
    local node pid
    [[ -d "$folder" ]] || return 0
    for node in "${NODES[@]}"; do
        for pid in $(steps_on "$node"); do
            kill_tree "$pid"
        done
        if pid=$(daemon_of "$node"); then kill -TERM "$pid" 2>/dev/null || true; fi
    done
    for pid in "$folder/slurmctld.pid" "$folder/munge/pid"; do
        if [[ -f "$pid" ]]; then kill -TERM "$(cat "$pid")" 2>/dev/null || true; fi
    done
    # Daemons write a last time when they end.
    until_true "the daemons do not end" gone
    rm -rf "$folder"
}

# The pid files of killed nodes stay behind: what counts is the process, if it is more than an entry that nobody waited for.
gone() {
    local file pid
    for file in "$folder"/*.pid "$folder/munge/pid"; do
        [[ -f "$file" ]] || continue
        pid=$(cat "$file")
        [[ ! -r "/proc/$pid/stat" ]] || grep -q ') Z ' "/proc/$pid/stat" || return 1
    done
}

(($# >= 2)) || fail "usage: cluster.sh up|down FOLDER, or cluster.sh kill FOLDER NODE"
folder=$(realpath -m "$2")
export SLURM_CONF=$folder/slurm.conf
case "$1" in
up) up ;;
down) down ;;
kill) kill_node "$3" ;;
*) fail "there is no command $1" ;;
esac
