#!/bin/sh
# SPDX-License-Identifier: MIT
# Every write-up has the parts that a topic must have. Usage: write_ups.sh PROJECT_ROOT
set -u
cd "$1" || exit 1
failed=0
complain() { echo "$page: $*"; failed=1; }
section() { # section ANCHOR: the lines from this anchor to the next heading of its own level
  awk -v anchor="<a id=\"$1\"></a>" '
    $0 == anchor {on = 1; next}
    on && /^## / {if (++headings > 1) exit}
    on {print}' "$page"
}

pages=0
for page in topics/[0-9]*/README.md; do
  pages=$((pages + 1))
  for anchor in why gpu run checklist trouble acceptance further; do
    [ "$(section $anchor | wc -l)" -ge 5 ] || complain "no section $anchor, or an empty one"
  done
  for word in '\*\*NVIDIA' '\*\*AMD' '[Ww]arp' '[Ww]avefront' 'MFMA' 'ncu' 'Predict before you run'; do
    grep -q "$word" "$page" || complain "nothing about $word"
  done
  # A section that teaches asks for a prediction, has a worked example and a picture, says what goes wrong, and is
  # checked by an exercise.
  anchors="$(sed -n 's/^writeup = "\(.*\)"$/\1/p' "${page%README.md}exercises.toml" | sort -u | tr '\n' ' ')"
  awk -v checked=" $anchors" '
    function close_section() {
      if (!teaches) return
      if (!predicts) print title ": no box to predict in"
      if (!works) print title ": no worked example"
      if (!shows) print title ": no picture"
      if (!warns) print title ": nothing about what goes wrong"
      if (!checks) print title ": no exercise checks it"
    }
    /^<a id="/ {split($0, parts, "\""); anchor = parts[2]; next}
    /^## / {
      close_section()
      title = $0
      teaches = title !~ /Build, run|Checklist|Troubleshooting|Worked problems|Done when|Further|Profile and|Summary/
      predicts = works = shows = warns = checks = 0
    }
    anchor != "" {checks = checks || index(checked, " " anchor " "); anchor = ""}
    /Predict before you/ {predicts = 1}
    /\*\*Worked example/ {works = 1}
    /What goes wrong/ {warns = 1}
    /^!\[/ {shows = 1}
    END {close_section()}' "$page" >"${TMPDIR:-/tmp}/sections.$$"
  while read -r complaint; do complain "$complaint"; done <"${TMPDIR:-/tmp}/sections.$$"
  rm -f "${TMPDIR:-/tmp}/sections.$$"
  # A prediction is followed by its answer, folded.
  awk '
    /^> \*\*Predict before you/ {asked = $0; next}
    asked == "" || /^>/ || /^$/ {next}
    {if ($0 !~ /^<details>/) print asked; asked = ""}' "$page" >"${TMPDIR:-/tmp}/unanswered.$$"
  while read -r box; do complain "no answer under: $box"; done <"${TMPDIR:-/tmp}/unanswered.$$"
  rm -f "${TMPDIR:-/tmp}/unanswered.$$"
  [ "$(section worked | grep -c '^<details><summary>Solution')" -ge 2 ] || complain "fewer than two worked problems"
  # Wider tables do not fit a phone.
  awk -F'|' '/^[|]-/ || /^[|]:?-/ {if (NF > 8) print NR ": a table of " NF - 2 " columns"}' "$page" >"${TMPDIR:-/tmp}/wide.$$"
  while read -r table; do complain "line $table"; done <"${TMPDIR:-/tmp}/wide.$$"
  rm -f "${TMPDIR:-/tmp}/wide.$$"
  # A heading has an empty line below it, a picture a caption.
  awk '
    /^```/ {in_code = !in_code}
    in_code {next}
    heading && FNR == heading + 1 && $0 != "" {print heading ": a heading without an empty line below it"}
    picture && FNR == picture + 2 && $0 !~ /^[*][^* ]/ {print picture ": a picture without a caption"}
    /^#+ / {heading = FNR}
    /^!\[/ {picture = FNR}' "$page" >"${TMPDIR:-/tmp}/layout.$$"
  while read -r place; do complain "line $place"; done <"${TMPDIR:-/tmp}/layout.$$"
  rm -f "${TMPDIR:-/tmp}/layout.$$"
  # No AMD GPU was at hand: whoever prints a command for one says so.
  ! grep -q rocprof "$page" || grep -q '[Nn]ot run here' "$page" ||
    complain "its AMD commands are not marked as not run here"
  [ "$(section trouble | grep -c '^| ')" -ge 6 ] || complain "fewer than five symptoms"
  section checklist | grep '^| ' | sed 1d | while IFS='|' read -r _ claim command _; do
    case $command in *'`'*) ;; *) echo "$page: no command for:$claim" ;; esac
  done | grep . && failed=1
  # The page shows what checklist.txt runs.
  list=${page%README.md}checklist.txt
  [ -e "$list" ] || continue
  while read -r name program rest; do
    case $name in '' | '#'*) continue ;; esac
    section checklist | grep "\`$program " >/dev/null || complain "checklist.txt runs $program, and the page does not show it"
  done <"$list"
done
# Exercises that a page says to check are there: by their whole id, or by its first words.
sed -n 's/^id = "\(.*\)"$/\1/p' topics/[0-9]*/exercises.toml >"${TMPDIR:-/tmp}/ids.$$"
for id in $(grep -rhoE '\./lab check [^`#|]*' README.md topics/[0-9]*/README.md docs/pages | sed 's|-->||' | tr ' ' '\n' |
  grep -E '^[0-9]{2}[.]' | sort -u); do
  grep -qE "^$(printf %s "$id" | sed 's/[.]/[.]/g')([.]|\$)" "${TMPDIR:-/tmp}/ids.$$" || {
    echo "./lab check $id: no such exercise"
    failed=1
  }
done
rm -f "${TMPDIR:-/tmp}/ids.$$"
# Places that `grader new` left for its author to fill in.
if grep -rn 'CHANGE:' topics solutions tests/wrong; then
  echo "places of a new exercise that nobody changed"
  failed=1
fi
[ "$pages" -ge 4 ] || { echo "only $pages write-ups found"; exit 1; }
exit $failed
