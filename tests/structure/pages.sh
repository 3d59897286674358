#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The write-ups' Markdown: a heading has an empty line below it, a picture a caption, and a table at most
# six columns, which is what a phone shows.
set -euo pipefail
cd "${1:?usage: pages.sh PROJECT_ROOT}"

awk '
  function complain(line, text) { printf "%s:%d: %s\n", FILENAME, line, text; bad = 1 }
  FNR == 1 { in_code = 0; heading = 0; picture = 0 }
  /^```/ { in_code = !in_code }
  in_code { next }
  heading == FNR - 1 && FNR > 1 && $0 != "" { complain(heading, "no empty line below this heading") }
  picture && FNR == picture + 2 && $0 !~ /^\*[^* ]/ { complain(picture, "this picture has no caption") }
  /^#+ / { heading = FNR; headings++ }
  /^!\[/ { picture = FNR; pictures++ }
  /^\|[-:| ]+\|$/ && gsub(/\|/, "|") > 7 { complain(FNR, "this table has more than six columns") }
  END {
    if (headings == 0 || pictures == 0) { print "no heading or no picture: is this the project'"'"'s root?"; exit 1 }
    printf "%d headings and %d pictures looked at\n", headings, pictures
    exit bad
  }' topics/*/README.md
