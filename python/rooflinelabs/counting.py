# SPDX-License-Identifier: MIT
"""Counts what a kernel written in Python does: FLOPs, and bytes that its elements load and store.

A kernel that runs as plain Python (a Numba kernel's ``py_func``, or Numba's CUDA simulator) takes
counted arrays in place of NumPy's. Every use of an element counts: an element that is loaded twice
counts twice, as on a machine without a cache. ::

    counts = rl.Counts()
    saxpy.py_func(2.0, rl.counted(x, counts), rl.counted(y, counts))
    counts.flops, counts.bytes, counts.intensity
"""

import math
import threading
from dataclasses import dataclass, field

import numpy


@dataclass
class Counts:
    """The counts so far. A fused multiply-add appears as two operations."""

    additions: int = 0  #: subtractions are additions
    multiplications: int = 0
    divisions: int = 0
    loads: int = 0  #: elements
    stores: int = 0  #: elements
    bytes_loaded: int = 0
    bytes_stored: int = 0
    # Numba's simulator runs the threads of a block as real threads.
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False, compare=False)

    def add(self, **amounts: int) -> None:
        """Adds to several counts at once: ``counts.add(loads=1, bytes_loaded=4)``."""
        with self._lock:
            for name, amount in amounts.items():
                setattr(self, name, getattr(self, name) + amount)

    @property
    def flops(self) -> int:
        """FLOP."""
        return self.additions + self.multiplications + self.divisions

    @property
    def bytes(self) -> int:
        """B, loaded and stored."""
        return self.bytes_loaded + self.bytes_stored

    @property
    def intensity(self) -> float:
        """FLOP/B; infinity when nothing was loaded or stored."""
        return self.flops / self.bytes if self.bytes else math.inf


class Counted:
    """A floating-point number whose additions, multiplications and divisions are counted."""

    __slots__ = ("counts", "value")

    def __init__(self, value, counts: Counts):
        self.value = value
        self.counts = counts

    def _made(self, value):
        return Counted(value, self.counts)

    def __add__(self, other):
        self.counts.add(additions=1)
        return self._made(self.value + _plain(other))

    def __radd__(self, other):
        self.counts.add(additions=1)
        return self._made(_plain(other) + self.value)

    def __sub__(self, other):
        self.counts.add(additions=1)
        return self._made(self.value - _plain(other))

    def __rsub__(self, other):
        self.counts.add(additions=1)
        return self._made(_plain(other) - self.value)

    def __mul__(self, other):
        self.counts.add(multiplications=1)
        return self._made(self.value * _plain(other))

    def __rmul__(self, other):
        self.counts.add(multiplications=1)
        return self._made(_plain(other) * self.value)

    def __truediv__(self, other):
        self.counts.add(divisions=1)
        return self._made(self.value / _plain(other))

    def __rtruediv__(self, other):
        self.counts.add(divisions=1)
        return self._made(_plain(other) / self.value)

    # A change of sign and a comparison are not FLOPs, as elsewhere in the course.
    def __neg__(self):
        return self._made(-self.value)

    def __abs__(self):
        return self._made(abs(self.value))

    def __lt__(self, other):
        return self.value < _plain(other)

    def __le__(self, other):
        return self.value <= _plain(other)

    def __gt__(self, other):
        return self.value > _plain(other)

    def __ge__(self, other):
        return self.value >= _plain(other)

    def __eq__(self, other):
        return self.value == _plain(other)

    __hash__ = None  # type: ignore[assignment]

    def __float__(self):
        return float(self.value)


def _plain(value):
    return value.value if isinstance(value, Counted) else value


class CountedArray:
    """A NumPy array of floats, not copied, whose element accesses are counted."""

    def __init__(self, array: numpy.ndarray, counts: Counts):
        self.array = array
        self.counts = counts

    @property
    def shape(self):
        """Elements along each axis, as NumPy's."""
        return self.array.shape

    @property
    def size(self):
        """Number of elements."""
        return self.array.size

    @property
    def dtype(self):
        """NumPy's type of an element."""
        return self.array.dtype

    def __len__(self):
        return len(self.array)

    def __getitem__(self, index):
        value = self.array[index]
        if isinstance(value, numpy.ndarray):
            return CountedArray(value, self.counts)
        self.counts.add(loads=1, bytes_loaded=self.array.itemsize)
        return Counted(value, self.counts)

    def __setitem__(self, index, value):
        if numpy.ndim(self.array[index]) != 0:
            raise TypeError("a counted array is written one element at a time, as kernels do")
        plain = _plain(value)
        if plain is None:  # NumPy stores it as NaN
            raise TypeError("None is not a number to store")
        self.array[index] = plain
        self.counts.add(stores=1, bytes_stored=self.array.itemsize)


def counted(array: numpy.ndarray, counts: Counts) -> CountedArray:
    """A view of ``array`` that counts into ``counts``. TypeError unless its elements are floats."""
    if not isinstance(array, numpy.ndarray) or array.dtype.kind != "f":
        raise TypeError("only NumPy arrays of floats are counted")
    if isinstance(array, numpy.ma.MaskedArray):
        raise TypeError("a masked array is not counted; pass its .filled()")
    if not isinstance(counts, Counts):
        raise TypeError("counts must be a Counts object")
    return CountedArray(array, counts)
