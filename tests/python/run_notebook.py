# SPDX-License-Identifier: MIT
"""Executes a notebook from its first cell to its last; fails if a cell does.

usage: run_notebook.py NOTEBOOK
"""

import json
import os
import sys
import tempfile
from pathlib import Path

INSTALL = "on Debian and Ubuntu: apt-get install jupyter-nbconvert python3-ipykernel python3-numba python3-matplotlib python3-pandas"


def main() -> int:
    notebook = Path(sys.argv[1])
    for line in json.loads(notebook.read_text())["cells"]:
        if line["cell_type"] == "code" and (line["outputs"] or line["execution_count"]):
            print(f"{notebook.name}: clear its outputs before it is committed")
            return 1
    os.environ["PYDEVD_DISABLE_FILE_VALIDATION"] = "1"  # its warnings
    os.environ["MPLBACKEND"] = "module://matplotlib_inline.backend_inline"
    try:
        import ipykernel  # noqa: F401
        import matplotlib  # noqa: F401
        import nbformat
        import pandas  # noqa: F401
        from nbconvert.preprocessors import CellExecutionError, ExecutePreprocessor

        if "numba" in notebook.read_text():
            import numba  # noqa: F401
    except ImportError as missing:
        print(f"SKIPPED: {missing}; {INSTALL}")
        return 0
    cells = nbformat.read(notebook, as_version=4)
    with tempfile.TemporaryDirectory() as folder:
        try:
            ExecutePreprocessor(timeout=600, kernel_name="python3").preprocess(
                cells, {"metadata": {"path": folder}}
            )
        except CellExecutionError as error:
            print(error)
            return 1
    done = sum(cell.cell_type == "code" and cell.execution_count is not None for cell in cells.cells)
    drawn = sum(
        "image/png" in output.get("data", {})
        for cell in cells.cells
        if cell.cell_type == "code"
        for output in cell.outputs
    )
    print(f"{notebook.name}: {done} cells executed, {drawn} charts drawn")
    return 0 if done > 0 and drawn > 0 else 1


if __name__ == "__main__":
    sys.exit(main())
