#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# The term of five hundred students whose first assignment is graded on three nodes, one of which goes
# down in the middle.
#   term.sh TEST_GRADER_TERM
set -euo pipefail
source "$(dirname "$0")/nodes.sh"
ROOFLINE_STUDENTS=500 ROOFLINE_LOSE_NODE="bash $(dirname "$0")/lose_node.sh $work" "$1" '[term]'
