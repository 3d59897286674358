#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the commands of a workflow's steps as shell scripts: workflow_steps.py WORKFLOW FOLDER.

It reads what our template has (`run:` with one line, or a block after `|`), and no other YAML.
"""
import pathlib
import re
import sys

lines = pathlib.Path(sys.argv[1]).read_text(encoding="utf-8").splitlines()
folder = pathlib.Path(sys.argv[2])
folder.mkdir(parents=True)
count = 0
at = 0
while at < len(lines):
    found = re.match(r"( +)(?:- )?run: *(.*)$", lines[at])
    at += 1
    if not found:
        continue
    body = found[2]
    if body == "|":
        inner = []
        while at < len(lines) and (not lines[at].strip() or lines[at].startswith(found[1] + "  ")):
            inner.append(lines[at].strip())
            at += 1
        body = "\n".join(inner)
    count += 1
    (folder / str(count)).write_text(body + "\n", encoding="utf-8")
if count == 0:
    sys.exit("no step of the workflow runs a command")
