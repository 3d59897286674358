#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The templates as the services run them: in a fresh minimal Debian, as root, with nothing of this
# machine's but its apt configuration. Gradescope runs setup.sh when the image is built and
# run_autograder for a submission; GitHub Classroom runs the steps of the workflow in a student's
# repository. Usage: chroot.sh gradescope|classroom PROJECT_ROOT BUILD
set -euo pipefail
service="${1:?usage: chroot.sh gradescope|classroom PROJECT_ROOT BUILD}"
root="$(realpath "$2")" build="$(realpath "$3")"
PATH="$PATH:/usr/sbin:/sbin"
fail() { echo "FAILED: $*"; exit 1; }
skip() { echo "skipped: $*"; exit 77; }

[[ $(id -u) == 0 ]] || skip "only root may make another system's root"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"
git -C "$root" rev-parse HEAD >/dev/null 2>&1 || skip "the course is not a git checkout"
# Mounts of its own, which go away with it.
if [[ -z ${OWN_MOUNTS:-} ]]; then
  unshare --mount true 2>/dev/null || skip "no mounts of one's own here"
  OWN_MOUNTS=yes exec unshare --mount --propagation private bash "$0" "$service" "$root" "$build"
fi

work="$(mktemp -d "$build/services-XXXXXX")"
# Nothing is removed below what could not be unmounted: it is not this test's.
remove() {
  for place in proc dev ccache; do
    mountpoint -q "$work/system/$place" || continue
    umount -R -l "$work/system/$place" || return
  done
  rm -rf --one-file-system "$work"
}
trap remove EXIT
system="$work/system"
took() { echo "$1: $((SECONDS - since)) s"; since=$SECONDS; }
since=$SECONDS

mirror="$(grep -hoE 'https?://[^ ]*debian\.org/debian/?( |$)' /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | head -n 1 || true)"
debootstrap --variant=minbase bookworm "$system" "${mirror:-http://deb.debian.org/debian}" >"$work/log" 2>&1 ||
  skip "debootstrap reaches no mirror: $(tail -n 2 "$work/log")"
cp -r /etc/apt/apt.conf.d "$system/etc/apt/"
cp /etc/resolv.conf "$system/etc/"
mount -t proc proc "$system/proc"
mount --rbind /dev "$system/dev"
took "a minimal Debian"
# Nothing of the environment goes along but where a proxy is.
proxy=()
for name in http_proxy https_proxy no_proxy; do [[ -z ${!name:-} ]] || proxy+=("$name=${!name}"); done
inside() { chroot "$system" env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin "${proxy[@]}" "$@"; }
inside apt-get update -qq >"$work/log" 2>&1 || skip "apt reaches no mirror: $(tail -n 2 "$work/log")"

# If this is run with a compiler cache, the new system uses it as well, and its times mean little.
if [[ -n ${CCACHE_DIR:-} && -n ${CMAKE_CXX_COMPILER_LAUNCHER:-} ]]; then
  inside apt-get install -y -qq --no-install-recommends ccache >"$work/log" 2>&1 || fail "$(tail "$work/log")"
  mkdir "$system/ccache"
  mount --bind "$CCACHE_DIR" "$system/ccache"
  proxy+=(CCACHE_DIR=/ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CMAKE_C_COMPILER_LAUNCHER=ccache)
  for name in CCACHE_BASEDIR CCACHE_NOHASHDIR CCACHE_SLOPPINESS CCACHE_UMASK CCACHE_MAXSIZE; do
    [[ -z ${!name:-} ]] || proxy+=("$name=${!name}")
  done
  echo "with a compiler cache"
fi

case "$service" in
  gradescope)
    "$root/templates/gradescope/make_zip.sh" "$work/autograder.zip" >/dev/null || fail "make_zip.sh"
    mkdir -p "$system/autograder"/{source,submission,results}
    (cd "$system/autograder/source" && cmake -E tar xf "$work/autograder.zip")
    cp "$system/autograder/source/run_autograder" "$system/autograder/"
    took "the zip, $(($(stat -c %s "$work/autograder.zip") / 1000000)) MB"
    inside bash /autograder/source/setup.sh >"$work/log" 2>&1 || fail "setup.sh: $(tail -n 30 "$work/log")"
    took "setup.sh"
    for case in lone answers; do
      rm -rf "$system/autograder"/{submission,results}/*
      if [[ $case == lone ]]; then
        cp "$root/solutions/02-peaks/code/saxpy.cu" "$system/autograder/submission/"
      else
        printf '["02.saxpy.ai"]\nvalue = "0.1667"\n' >"$system/autograder/submission/answers.toml"
        cp "$root/solutions/02-peaks/formulas.cpp" "$system/autograder/submission/"
      fi
      inside EXERCISES=02 /autograder/run_autograder >"$work/log" 2>&1 || fail "run_autograder: $(tail -n 30 "$work/log")"
      took "run_autograder, $case"
      grep -h -i isolation "$work/log" || true
      python3 "$(dirname "$0")/expect_scores.py" "$system/autograder/results/results.json" "$case" ||
        fail "$case: $(tail -n 30 "$work/log")"
    done
    ;;
  classroom)
    "$build/bin/grader" export-student "$system/student" --root "$root" --build "$build" --all-files >"$work/log" ||
      fail "export-student: $(tail "$work/log")"
    cp -r "$root/templates/github-classroom/.github" "$system/student/"
    took "the handout"
    cp "$root/solutions/02-peaks/code/saxpy.cu" "$system/student/topics/02-peaks/code/"
    sed -i '/^\["02.saxpy.ai"\]/{n;s|""|"0.1667"|}' "$system/student/topics/02-peaks/answers.toml"
    # The commands of the workflow's own steps, one file each.
    python3 "$(dirname "$0")/workflow_steps.py" "$system/student/.github/workflows/classroom.yml" "$system/steps"
    for step in "$system"/steps/*; do
      name="$(basename "$step")"
      inside GITHUB_OUTPUT=/output bash -e -c "cd /student && bash -e /steps/$name" >"$work/log" 2>&1 ||
        fail "step $name: $(tail -n 30 "$work/log")"
      took "step $name"
    done
    grep -q '^result=' "$system/output" || fail "no result for the reporter"
    grep '^result=' "$system/output" | cut -d= -f2- | base64 -d >"$work/result.json"
    python3 "$(dirname "$0")/expect_scores.py" "$work/result.json" classroom || fail "$(tail -n 30 "$work/log")"
    ;;
  *) fail "no service $service" ;;
esac
echo "$service: done as the service would, in $SECONDS s"
