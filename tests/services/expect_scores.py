#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what a service reads with what was handed in: expect_scores.py RESULTS CASE."""
import json
import sys

CASES = {
    "lone": ["02.saxpy.kernel"],
    "answers": ["02.saxpy.ai", "02.function.vector-peak"],
    "classroom": ["02.saxpy.ai", "02.saxpy.kernel"],
}

with open(sys.argv[1], encoding="utf-8") as file:
    results = json.load(file)
right = CASES[sys.argv[2]]
scores = {}
for test in results["tests"]:
    if "score" in test:  # what is inconclusive has none
        scores[test.get("number", test["name"])] = test["score"], test.get("max_score", test["score"])
problems = [f"{name} is not there" for name in right if name not in scores]
for name, (score, most) in scores.items():
    if name in right and (score <= 0 or score < most):
        problems.append(f"{name} has {score} of {most}")
total = sum(score for score, _ in scores.values())
if "score" in results and abs(total - results["score"]) > 1e-9:
    problems.append(f"the tests add up to {total}, the score is {results['score']}")
print(f"{sys.argv[2]}: {total:g} points, {len(results['tests'])} tests")
if problems:
    sys.exit("; ".join(problems))
