# SPDX-License-Identifier: MIT
# Distribution packages: lists the missing ones, installs them, and implements ./lab doctor.

# packages_of GROUP... prints "package<TAB>what it adds" for each package of the groups.
packages_of() {
  local wanted=" $* " group package brings
  while read -r group package brings; do
    [[ -n $group && $group != \#* && $wanted == *" $group "* ]] && printf '%s\t%s\n' "$package" "$brings"
  done <cli/packages.txt
  return 0
}

is_installed() {
  [[ $(dpkg-query -W -f='${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# missing_of GROUP... prints the lines of packages_of whose package is not installed.
missing_of() {
  local package brings
  while IFS=$'\t' read -r package brings; do
    is_installed "$package" || printf '%s\t%s\n' "$package" "$brings"
  done < <(packages_of "$@")
}

has_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

# Without apt the build still works if the libraries exist; CMake reports missing ones.
explain_no_apt() {
  echo "This system has no apt-get, so nothing is installed for you. Use its own"
  echo "package manager to install what these Debian packages contain, then run ./lab start again:"
  packages_of core extra | cut -f1 | paste -sd' ' | fold -s -w 76 | sed 's/^/    /'
}

require_installed() {
  has_apt || return 0
  local missing
  missing="$(missing_of "$@" | cut -f1 | paste -sd' ')"
  if [[ -n $missing ]]; then
    echo "Not installed yet: $missing" >&2
    echo "Run ./lab start first; it installs what is missing." >&2
    exit 1
  fi
}

install_missing() {
  if ! has_apt; then
    explain_no_apt
    return 0
  fi
  local missing names
  missing="$(missing_of "$@")"
  if [[ -z $missing ]]; then
    return 0
  fi
  names="$(cut -f1 <<<"$missing" | paste -sd' ')"
  echo "Missing on this machine:"
  while IFS=$'\t' read -r package brings; do
    printf '  %-22s %s\n' "$package" "$brings"
  done <<<"$missing"

  local as_root=()
  if [[ $(id -u) != 0 ]]; then
    if ! command -v sudo >/dev/null || { [[ $assume_yes == yes || ! -t 0 ]] && ! sudo -n true 2>/dev/null; }; then
      echo "You are not allowed to install packages here. Ask an administrator to run this command:"
      echo "    apt-get update && apt-get install -y --no-install-recommends $names"
      exit 1
    fi
    as_root=(sudo)
  fi
  if [[ $assume_yes != yes ]]; then
    if [[ ! -t 0 ]]; then
      echo "Not asking, because this is not a terminal. To install them: ./lab start --yes"
      exit 1
    fi
    local answer
    read -r -p "Install them from the distribution now? [Y/n] " answer
    if [[ -n $answer && $answer != [yYjJ]* ]]; then
      echo "Nothing was installed. To install them by hand:"
      echo "    sudo apt-get install --no-install-recommends $names"
      exit 1
    fi
  fi
  local log=".lab/install.log"
  mkdir -p .lab
  echo "Installing $(wc -w <<<"$names") packages; the log is $log ..."
  # shellcheck disable=SC2086  # the names are separate words
  if ! { "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update -q &&
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
      apt-get install -y -q --no-install-recommends $names; } >"$log" 2>&1 </dev/null; then
    tail -n 15 "$log" >&2
    echo "The packages could not be installed (see above). Check the network and the package" >&2
    echo "sources in /etc/apt, then run ./lab start again; what is installed stays." >&2
    exit 1
  fi
}

# first_line COMMAND... prints the first line of its output, or nothing when it fails.
first_line() { "$@" 2>/dev/null | head -n 1 || true; }

show_tool() {
  local name="$1" version="$2" without="$3"
  if [[ -n $version ]]; then
    printf '  %-14s %s\n' "$name" "$version"
  else
    printf '  %-14s not found: %s\n' "$name" "$without"
  fi
}

nvcc_path() {
  command -v nvcc || { [[ -x /usr/local/cuda/bin/nvcc ]] && echo /usr/local/cuda/bin/nvcc; } || true
}

# The first GPU of each maker, or nothing.
nvidia_gpu() {
  nvidia-smi --list-gpus >/dev/null 2>&1 || return 0 # it prints errors to standard output
  first_line nvidia-smi --query-gpu=name,driver_version,memory.total --format=csv,noheader
}
amd_gpu() {
  [[ -d /sys/class/kfd/kfd/topology/nodes ]] || return 0
  first_line grep -l -r '^simd_count [1-9]' /sys/class/kfd/kfd/topology/nodes
}

# The processor's name, or nothing.
processor() {
  [[ ! -r /proc/cpuinfo ]] || sed -n '/^model name/{s/^[^:]*: //p;q}' /proc/cpuinfo
}

doctor() {
  local cpu cores memory nvcc
  cpu="$(processor)"
  cores="$(getconf _NPROCESSORS_ONLN)"
  memory="$(awk '/^MemTotal/ {printf "%.1f GiB", $2 / 1048576}' /proc/meminfo 2>/dev/null || true)"
  echo "Machine"
  printf '  %-14s %s (%s cores, %s)\n' "CPU" "${cpu:-unknown}" "$cores" "${memory:-memory unknown}"
  show_tool "NVIDIA GPU" "$(nvidia_gpu)" \
    "the cuda preset builds, its GPU tests are skipped"
  show_tool "AMD GPU" "$(amd_gpu)" \
    "the hip preset builds, its GPU tests are skipped"
  echo "Compilers"
  show_tool "g++" "$(first_line g++ --version)" "needed, 12 or later"
  show_tool "clang++" "$(first_line clang++ --version)" "optional second CPU compiler, 14 or later"
  nvcc="$(nvcc_path)"
  show_tool "nvcc" "$([[ -n $nvcc ]] && "$nvcc" --version | sed -n 's/.*release/CUDA/p')" \
    "the cuda preset needs the CUDA Toolkit, 12 or later"
  show_tool "hipcc" "$(first_line env ROCM_TARGET_LST=/dev/null hipcc --version)" \
    "the hip preset needs it (Debian: hipcc libamdhip64-dev)"
  show_tool "cmake" "$(first_line cmake --version)" "needed, 3.25 or later"
  if ! has_apt; then
    explain_no_apt
    return 0
  fi
  local group title
  for group in core extra amd dev; do
    case $group in
      core) title="Libraries and tools the course needs" ;;
      extra) title="Libraries and tools that add a part" ;;
      amd) title="For AMD GPUs (hip preset)" ;;
      dev) title="For work on the course itself" ;;
    esac
    echo "$title"
    local package brings
    while IFS=$'\t' read -r package brings; do
      if is_installed "$package"; then
        printf '  %-22s %s\n' "$package" "$(dpkg-query -W -f='${Version}' "$package")"
      else
        printf '  %-22s MISSING: %s\n' "$package" "$brings"
      fi
    done < <(packages_of "$group")
  done
  if [[ -n $(missing_of core extra) ]]; then
    echo "To install what is missing: ./lab start"
  fi
}
