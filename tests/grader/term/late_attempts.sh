#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# A batch with several attempts per student, through `grader batch --attempt best` and `grader
# book`: every attempt is penalised by its own lateness. Usage: late_attempts.sh GRADER COURSE BUILD
set -euo pipefail
grader="${1:?usage: late_attempts.sh GRADER COURSE BUILD}" course="$2" build="$3"
. "$(dirname "$0")/../../support/shell.sh"
cd "$work"

# 90.intensity is worth 1 point, 90.memory 2: 16 GB for 8e9 parameters of two bytes.
hand_in() { # NAME ANSWER_1 ANSWER_2
  mkdir -p "in/$1"
  printf '["90.intensity"]\nvalue = "%s"\n["90.memory"]\nvalue = "%s"\n' "$2" "$3" >"in/$1/answers.toml"
}
hand_in ada_1 7 "16 GB"       # 2 of 3, in time
hand_in ada_2 0.1667 "16 GB"  # 3 of 3, two days late
hand_in ben_1 0.1667 "1 GB"   # 1 of 3, in time
hand_in ben_2 0.1667 "16 GB"  # 3 of 3, two days late
hand_in cyd 0.1667 "16 GB"    # 3 of 3, in time
printf 'id,name\nada,Ada L.\nben,Ben C.\ncyd,Cyd R.\n' >roster.csv
cat >times.csv <<'TIMES'
id,attempt,time
ada,ada_1,2026-10-20T10:00:00Z
ada,ada_2,2026-10-22T12:00:00Z
ben,ben_1,2026-10-20T10:00:00Z
ben,ben_2,2026-10-22T12:00:00Z
cyd,,2026-10-20T11:59:59Z
TIMES
"$grader" batch in --root "$course" --build "$build" --roster roster.csv --out graded --attempt best \
  --exercise 90.intensity --exercise 90.memory --isolation-light >log || { cat log; fail "the batch"; }

# books NAME COUNT PENALTY ADA BEN: the percentages of one policy
books() {
  printf 'course = "x"\ncount = "%s"\nlate-penalty = %s\n[[assignment]]\nname = "One"\nexercises = ["90."]\n' \
    "$1" "$2" >policy.toml
  printf 'deadline = 2026-10-20T12:00:00Z\n[[assignment.submission]]\nresults = "graded"\ntimes = "times.csv"\n' \
    >>policy.toml
  sed -i 's/"90."/"90.intensity", "90.memory"/' policy.toml
  rm -rf book
  "$grader" book policy.toml --roster roster.csv --root "$course" --out book >log || { cat log; fail "the book"; }
  local percents
  percents="$(tail -n +2 book/book.csv | sed 's/.*,//' | paste -sd' ')"
  [[ $percents == "$3 $4 100.00" ]] || { cat book/book.csv; fail "$1 at $2 per day: $percents, not $3 $4 100.00"; }
}
# Two days late, everything right: 60 % at 0.2 a day. Ada's 2 of 3 in time are more, Ben's 1 of 3 are less.
books best 0.2 66.67 60.00
# At 0.1 a day the late ones keep 80 %.
books best 0.1 80.00 80.00
# At 0.4 a day they keep 20 %.
books best 0.4 66.67 33.33
books last 0.4 20.00 20.00
books first 0.4 66.67 33.33
grep 'of 2 attempts ada_1 counts, handed in 2026-10-20 10:00:00 UTC' book/students/ada.html >/dev/null ||
  fail "the page does not say which attempt counts"
sed -i '/ben_2/d' times.csv
if "$grader" book policy.toml --roster roster.csv --root "$course" --out book >log 2>&1; then fail "no time, no refusal"; fi
grep "no time for ben's attempt ben_2" log >/dev/null || { cat log; fail "another refusal"; }
echo "every attempt is as late as it came"
