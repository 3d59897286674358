# SPDX-License-Identifier: MIT
# Sourced: a cluster of three nodes with one processor each on this machine, in the folder $work, which
# ends with the script; and a class of 24, or of $students, in $class. The third node has the feature
# "fast", and $fast_processors if that is set. Exits with 77 (skipped) where this is impossible.
skip() { echo "$1" && exit 77; }
for program in munged slurmctld slurmd sbatch; do
  PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null || skip "$program is not installed"
done
PATH="$PATH:/usr/sbin"
[[ $(id -u) == 0 ]] || skip "starting slurmd needs root"

work=$(mktemp -d)
chmod 755 "$work"
export SLURM_CONF=$work/slurm.conf
stop() {
  local file process
  for file in "$work"/*.pid; do [[ ! -f $file ]] || kill -9 "$(cat "$file")" 2>/dev/null || true; done
  # Job steps and their jobs: Slurm's steps would wait for their controller forever.
  for file in $(grep -lsz "^SLURM_CONF=$SLURM_CONF\$" /proc/[0-9]*/environ); do
    process=$(cut -d/ -f3 <<<"$file")
    if [[ $(cat "/proc/$process/comm" 2>/dev/null) == slurmstepd ]] || grep -qsz '^SLURM_JOB_ID=' "$file"; then
      kill -9 "$process" 2>/dev/null || true
    fi
  done
  rm -rf "$work"
}
trap stop EXIT

# Ports per run, so that two checkouts can test at the same time.
port=$((20000 + $$ % 20000))
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$(hostname)(127.0.0.1)
SlurmctldPort=$port
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$work/munge.socket
CredType=cred/munge
StateSaveLocation=$work/state
SlurmctldPidFile=$work/slurmctld.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdPidFile=$work/slurmd.%n.pid
SlurmdSpoolDir=$work/spool.%n
SlurmdLogFile=$work/slurmd.%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=1
JobAcctGatherParams=OverMemoryKill
ReturnToService=2
SlurmdTimeout=10
InactiveLimit=0
KillWait=1
MinJobAge=600
SlurmdParameters=config_overrides
NodeName=n[1-2] NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=[$((port + 1))-$((port + 2))] CPUs=1 RealMemory=2000
NodeName=n3 NodeHostname=$(hostname) NodeAddr=127.0.0.1 Port=$((port + 3)) CPUs=${fast_processors:-1} RealMemory=2000 Feature=fast
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF
mkdir -p "$work/state"
dd if=/dev/urandom of="$work/munge.key" bs=128 count=1 2>/dev/null
chmod 400 "$work/munge.key"
munged --force --key-file="$work/munge.key" --socket="$work/munge.socket" \
  --pid-file="$work/munged.pid" --log-file="$work/munged.log" --seed-file="$work/munge.seed" ||
  skip "munged does not start here"
slurmctld || skip "slurmctld does not start here"
declare -F start_node >/dev/null || start_node() { slurmd -N "$1"; }
for node in n1 n2 n3; do start_node "$node" || skip "slurmd does not start here"; done

# wait_for TIMES WHAT COMMAND...: until the command succeeds; tries it every second, or every $pause.
wait_for() {
  local left=$1 what=$2
  shift 2
  until "$@" >/dev/null 2>&1; do
    ((left-- > 0)) || {
      echo "FAILED: waited for $what"
      squeue -a || true
      sinfo || true
      tail -n 20 "$work"/slurmctld.log "$work"/out/slurm/*.log || true
      exit 1
    }
    sleep "${pause:-1}"
  done
}
nodes_idle() { (($(sinfo --noheader --Node --states=idle | wc -l) == 3)); }
wait_for 60 "three idle nodes" nodes_idle


class=$work/class
# fill_class COURSE: everybody has individual formulas to compile, and half of the intensities are
# wrong.
fill_class() {
  local course=$1 folder value i
  echo "id" >"$work/roster.csv"
  for i in $(seq -w 1 "${students:-24}"); do
    folder=$class/s$i/topics/90-course
    mkdir -p "$folder"
    { cat "$course/solutions/90-course/formulas.cpp" && echo "// student $i"; } >"$folder/formulas.cpp"
    value=0.1667
    ((10#$i % 2 == 0)) || value=6
    printf '["90.intensity"]\nvalue = "%s"\n' "$value" >"$folder/answers.toml"
    echo "s$i" >>"$work/roster.csv"
  done
  echo "absent" >>"$work/roster.csv"
}
quiet() { grep -v "about .* s left" || true; }
# True when the merge has finished.
merged() { [[ -z $(squeue --noheader --jobs="$1" 2>/dev/null) ]]; }
jobs_of() { grep -o 'scancel [0-9]* [0-9]*' "$1" | cut -d' ' -f2-; }
