# SPDX-License-Identifier: MIT
"""Writes _core.pyi, the types of the C++ module, from the docstrings of the built module.

usage: make_stub.py OUTPUT     with the built package on PYTHONPATH
"""

import inspect
import re
import sys
from pathlib import Path

# The package next to this script lacks its module; the built one is on PYTHONPATH.
sys.path.remove(str(Path(__file__).resolve().parent))

from rooflinelabs import _core  # noqa: E402

HEAD = '''# SPDX-License-Identifier: MIT
# Written by make_stub.py from the docstrings of the C++ module; do not edit.
import os
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Union, overload

import numpy

_PathLike = Union[str, os.PathLike[str]]

built_data_folder: str
'''

# Types that an argument accepts besides its own.
WIDER = [
    (r"\bos\.PathLike\b", "_PathLike"),
    (r"\bPrecision\b", "Union[Precision, str]"),
    (r"\bUnit\b", "Union[Unit, str]"),
    (r"\bList\[", "Sequence["),
]


def python_type(text: str) -> str:
    text = text.replace("rooflinelabs._core.", "")
    return re.sub(r"numpy\.ndarray\[[^]]*\]", "numpy.ndarray", text)


def split_arguments(text: str) -> list:
    parts, depth, part = [], 0, ""
    for character in text:
        depth += (character in "[(<{") - (character in "])>}")
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return parts + [part.strip()] if part.strip() else parts


def argument(text: str) -> str:
    name, _, rest = text.partition(":")
    if not rest:
        return name
    kind, equals, default = rest.partition(" = ")
    kind = python_type(kind.strip())
    for pattern, wider in WIDER:
        kind = re.sub(pattern, wider, kind)
    if default.strip() == "None" and not kind.startswith("Optional["):
        kind = f"Optional[{kind}]"
    if equals and not re.fullmatch(r"[\w.'\"\[\]-]+", default.strip()):
        default = "..."
    return f"{name}: {kind}" + (f" = {default.strip()}" if equals else "")


def signature(text: str) -> tuple:
    """'f(a: int) -> float' as arguments and result; None if it is not a signature."""
    match = re.fullmatch(r"\w*\((.*)\)(?: -> (.*))?", text)
    if not match:
        return None
    arguments = [argument(part) for part in split_arguments(match[1])]
    result = python_type(match[2] or "Any").replace("os.PathLike", "Path")
    return arguments, result


def documented(lines: list, indent: str) -> list:
    text = "\n".join(lines).strip().split("\n")
    if not text[0]:
        return [indent + "..."]
    if len(text) == 1:
        return [f'{indent}"""{text[0]}"""']
    return [f'{indent}"""{text[0]}'] + [indent + line for line in text[1:]] + [indent + '"""']


def overloads(name: str, doc: str) -> list:
    """(signature, lines of the docstring) of every overload."""
    lines = doc.split("\n")
    if "Overloaded function." not in lines:
        return [(signature(lines[0]), lines[1:])]
    found = []
    for line in lines[2:]:
        match = re.fullmatch(rf"\d+\. ({re.escape(name)}\(.*)", line)
        if match:
            found.append((signature(match[1]), []))
        elif found:
            found[-1][1].append(line)
    return found


def function(name: str, doc: str, indent: str = "") -> list:
    lines = []
    variants = overloads(name, doc)
    for (arguments, result), text in variants:
        if indent and arguments and arguments[0].startswith("self"):
            arguments[0] = "self"
        if len(variants) > 1:
            lines.append(f"{indent}@overload")
        lines.append(f"{indent}def {name}({', '.join(arguments)}) -> {result}:")
        lines += documented(text, indent + "    ")
    return lines


def enumeration(name: str, cls) -> list:
    lines = [f"class {name}:"] + documented((cls.__doc__ or "").split("\n\n")[:1], "    ")
    for member in cls.__members__:
        lines.append(f"    {member}: {name}")
    lines += ["    def __init__(self, name: Union[str, int]) -> None: ..."]
    lines += ["    @property", "    def name(self) -> str: ..."]
    lines += ["    @property", "    def value(self) -> int: ..."]
    lines += [f"    __members__: Dict[str, {name}]"]
    lines += ["    def __int__(self) -> int: ...", "    def __index__(self) -> int: ..."]
    return lines


def record(name: str, cls) -> list:
    bases = [base.__name__ for base in cls.__bases__ if hasattr(_core, base.__name__)]
    head = f"class {name}({', '.join(bases)}):" if bases else f"class {name}:"
    lines = [head] + documented((cls.__doc__ or "").split("\n"), "    ")
    for member, value in vars(cls).items():
        if isinstance(value, property):
            _, result = signature(value.fget.__doc__.split("\n")[0])
            lines += ["    @property", f"    def {member}(self) -> {result}:"]
            lines += documented((value.__doc__ or "").split("\n"), "        ")
            if value.fset:
                lines += [f"    @{member}.setter"]
                lines += [f"    def {member}(self, value: {result}) -> None: ..."]
        elif callable(value) and value.__doc__ and member in ("__init__",):
            if "Initialize self" not in value.__doc__:
                lines += function(member, value.__doc__, "    ")
        elif callable(value) and not member.startswith("_"):
            lines += function(member, value.__doc__, "    ")
    return lines


def stub() -> str:
    lines = [HEAD]
    for name, value in vars(_core).items():
        if name.startswith("_") or name == "built_data_folder":
            continue
        if inspect.isclass(value):
            lines += enumeration(name, value) if hasattr(value, "__members__") else record(name, value)
        else:
            lines += function(name, value.__doc__)
        lines.append("")
    return "\n".join(lines)


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    output = Path(sys.argv[1])
    output.unlink(missing_ok=True)  # an older build tree has a link there
    output.write_text(stub())
    return 0


if __name__ == "__main__":
    sys.exit(main())
