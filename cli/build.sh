# SPDX-License-Identifier: MIT
# Configures and builds a preset quietly: the log is shown only if something fails.

# The CUDA toolkit's installer does not add nvcc to PATH; CMake reads CUDACXX.
if [[ -z ${CUDACXX:-} && -n $(nvcc_path) ]]; then
  CUDACXX="$(nvcc_path)"
  export CUDACXX
fi

# quietly LOG COMMAND... runs a command; on failure prints the end of its output.
quietly() {
  local log="$1"
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1; then
    tail -n 40 "$log" >&2
    echo "Failed: $*" >&2
    echo "The whole log is in $log" >&2
    return 1
  fi
}

# lock_9 [-n] locks file descriptor 9; with -n it fails if somebody else holds the lock. macOS has
# no program flock, but perl takes the same kind of lock. The lock belongs to the open file and
# outlives both programs.
lock_9() {
  if command -v flock >/dev/null; then
    flock "$@" 9
  else
    perl -e 'open(F, ">&=9") && flock(F, @ARGV ? 6 : 2) or exit 1' -- "$@"
  fi
}

# locked PRESET COMMAND... runs a command while nothing else builds in that build tree: two ninjas
# in one tree would write the same files. ./lab check and the grader take the same lock
# (grader/src/program/build.cpp). The system releases it when the command and everything that it
# started have ended, however they ended.
locked() {
  local name="$1"
  shift
  mkdir -p "build/$name"
  (
    exec 9>>"build/$name/.build-lock"
    if ! lock_9 -n; then
      echo "Another ./lab is building in build/$name; waiting for it (Ctrl-C gives up)." >&2
      lock_9 || echo "Cannot lock build/$name; start no second build before this one is done." >&2
    fi
    "$@"
  )
}

configure() {
  local name="$1"
  shift
  quietly "build/$name/configure.log" cmake --preset "$name" "$@"
}

# Builds the command and what the first exercises need; the command builds the rest when an exercise
# needs it. Call it through locked().
configure_and_build() {
  local name="$1"
  echo "Configuring and building (preset $name; the first time takes minutes:"
  echo "three to nine on two cores) ..."
  configure "$name" || return
  if [[ -t 1 ]]; then
    cmake --build --preset "$name" --target first || return
  else
    quietly "build/$name/build.log" cmake --build --preset "$name" --target first || return
  fi
  current_commit >"build/$name/.built-from"
}

# Builds everything for judging, without the course's own tests. Call it through locked().
build_everything() {
  build_unless_built "$1" && quietly "build/$1/build.log" cmake --build --preset "$1" --target course
}

build_course() { locked "$1" configure_and_build "$1"; }

# The checked-out commit; empty without git.
current_commit() { git rev-parse HEAD 2>/dev/null || true; }

# The file must exist: without git the commit is empty, like the text of a file that an interrupted
# first build never wrote.
is_built() {
  local built_from="build/$1/.built-from"
  [[ -x build/$1/bin/lab && -f $built_from && $(<"$built_from") == "$(current_commit)" ]]
}

# Checks again: another ./lab may have built it while this one waited.
build_unless_built() { is_built "$1" || configure_and_build "$1"; }

# Builds what is missing, and rebuilds when the course has been updated (git pull) since.
ensure_built() { is_built "$1" || locked "$1" build_unless_built "$1"; }

# Runs in the folder from which ./lab was called, because file names in arguments are relative to
# it.
run_lab() {
  local build="$lab_root/build/$1"
  shift
  cd "$called_from"
  exec "$build/bin/lab" --root "$lab_root" --build "$build" "$@"
}

configure_and_build_docs() {
  [[ -f build/$1/build.ninja ]] || configure "$1" || return
  quietly "build/$1/docs.log" cmake --build --preset "$1" --target docs
}

build_docs() {
  local name="$1"
  locked "$name" configure_and_build_docs "$name" || return
  echo "The docs site is built. Open it in a browser:"
  local page="$lab_root/build/$name/docs/html/index.html"
  echo "    file://${page// /%20}"
}
