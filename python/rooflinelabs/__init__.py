# SPDX-License-Identifier: MIT
"""Roofline models in Python: the course's C++ library, with plots and tables.

Amounts are floats in base units: B, FLOP, s, B/s, FLOP/s, FLOP/B. ::

    import rooflinelabs as rl

    h200 = rl.machine("h200-sxm")
    saxpy = rl.axpy(1 << 26, "fp32")
    rl.attainable(h200.roof("fp32"), saxpy.intensity)        # FLOP/s
    rl.predict("llama-3.1-8b", "h200-sxm", batch=16, context=4096).tokens_per_second
"""

from . import _core
from ._core import *  # noqa: F401,F403  the library's functions are this package's
from ._data import data_folder, machine, machines, model, models
from ._predict import Prediction, predict
from .counting import Counted, Counts, counted
from .virtual_gpu import profile_kernel

__all__ = [name for name in dir(_core) if not name.startswith("_")] + [
    "Counted",
    "Counts",
    "Prediction",
    "counted",
    "data_folder",
    "machine",
    "machines",
    "model",
    "models",
    "predict",
    "profile_kernel",
]
