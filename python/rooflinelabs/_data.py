# SPDX-License-Identifier: MIT
"""Machines and models by name, from the course's data files."""

import os
from pathlib import Path

from . import _core


def data_folder() -> Path:
    """The folder with ``machines`` and ``models``: $ROOFLINE_DATA if set, otherwise the package's,
    otherwise that of the source tree it was built from."""
    chosen = os.environ.get("ROOFLINE_DATA")
    if chosen:
        return Path(chosen)
    packaged = Path(__file__).resolve().parent / "data"
    return packaged if packaged.is_dir() else Path(_core.built_data_folder)


def machine(name_or_path: str) -> _core.Machine:
    """A machine by id ("h200-sxm"), or from a file: .toml, or .json of ``roofline measure``.

    RuntimeError lists the ids when there is no such machine.
    """
    return _core.load_machine(
        _core.resolve_machine(os.fspath(name_or_path), data_folder() / "machines")
    )


def machines() -> list:
    """All machines of the data folder, sorted by id."""
    return [_core.load_machine(file) for file in _core.machine_files(data_folder() / "machines")]


def model(name_or_path: str) -> _core.Model:
    """A model by id ("llama-3.1-8b"), or from a Hugging Face config.json or its folder.

    RuntimeError lists the ids when there is no such model.
    """
    return _core.load_model(_core.resolve_model(os.fspath(name_or_path), data_folder() / "models"))


def models() -> list:
    """All models of the data folder, sorted by id."""
    return [_core.load_model(file) for file in _core.model_files(data_folder() / "models")]
