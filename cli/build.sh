# SPDX-License-Identifier: MIT
# Configuring and building a preset, quietly: the log is shown when something fails.

# The toolkit's own installer leaves nvcc off PATH; CMake looks at CUDACXX.
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

configure() {
  local name="$1"
  shift
  quietly "build/$name/configure.log" cmake --preset "$name" "$@"
}

# Tools, labs and solutions, without the tests: what a student needs.
build_course() {
  local name="$1"
  echo "Configuring and building (preset $name; the first time takes a few minutes) ..."
  configure "$name"
  if [[ -t 1 ]]; then
    cmake --build --preset "$name" --target course
  else
    quietly "build/$name/build.log" cmake --build --preset "$name" --target course
  fi
  current_commit >"build/$name/.built-from"
}

# The commit that is checked out; nothing where there is no git.
current_commit() { git rev-parse HEAD 2>/dev/null || true; }

# Builds what is not there yet, and again when the course was updated (git pull) since.
ensure_built() {
  local built_from="build/$1/.built-from"
  # Without git the commit is empty, and so is what a first build that was interrupted left: nothing.
  if [[ ! -x build/$1/bin/lab || ! -f $built_from || $(<"$built_from") != "$(current_commit)" ]]; then
    build_course "$1"
  fi
}

run_lab() {
  local name="$1"
  shift
  exec "build/$name/bin/lab" --root "$lab_root" --build "build/$name" "$@"
}

build_docs() {
  local name="$1"
  [[ -f build/$name/build.ninja ]] || configure "$name"
  quietly "build/$name/docs.log" cmake --build --preset "$name" --target docs
  echo "The docs site is built. Open it in a browser:"
  echo "    file://$lab_root/build/$name/docs/html/index.html"
}
