# SPDX-License-Identifier: MIT
# Written by make_stub.py from the docstrings of the C++ module; do not edit.
import os
from pathlib import Path
from typing import Any, Dict, List, Optional, Sequence, Union, overload

import numpy

PathLike = Union[str, os.PathLike[str]]

built_data_folder: str

class Bound:
    """What limits: MEMORY or COMPUTE."""
    MEMORY: Bound
    COMPUTE: Bound
    def __init__(self, name: Union[str, int]) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class Roof:
    """One compute ceiling over one bandwidth."""
    def __init__(self, flops_per_second: float, bytes_per_second: float) -> None:
        ...
    @property
    def flops_per_second(self) -> float:
        """Peak, FLOP/s."""
    @flops_per_second.setter
    def flops_per_second(self, value: float) -> None: ...
    @property
    def bytes_per_second(self) -> float:
        """Bandwidth, B/s."""
    @bytes_per_second.setter
    def bytes_per_second(self, value: float) -> None: ...

class LevelLoad:
    """A memory level and what goes through it."""
    def __init__(self, level: str, bytes_per_second: float, bytes: float) -> None:
        ...
    @property
    def level(self) -> str:
        """Name, such as 'DRAM'."""
    @level.setter
    def level(self, value: str) -> None: ...
    @property
    def bytes_per_second(self) -> float:
        """Bandwidth, B/s."""
    @bytes_per_second.setter
    def bytes_per_second(self, value: float) -> None: ...
    @property
    def bytes(self) -> float:
        """Traffic, B."""
    @bytes.setter
    def bytes(self, value: float) -> None: ...

class HierarchicalBound:
    """A bound over all levels."""
    @property
    def seconds(self) -> float:
        """Least time, s."""
    @property
    def flops_per_second(self) -> float:
        """FLOP/s."""
    @property
    def limit(self) -> str:
        """Level that sets the time, or 'compute'."""

class DenseLayer:
    """A layer y[B, out] = x[B, in] W[in, out]."""
    def __init__(self, in_features: float, out_features: float, bytes_per_weight: float = 2.0, bytes_per_activation: float = 2.0) -> None:
        ...

class Remedy:
    """A thing to try."""
    @property
    def move(self) -> str:
        """Where it moves the point on the chart."""
    @property
    def text(self) -> str:
        """What to do."""

class Advice:
    """What to try next, from where a kernel stands."""
    @property
    def bound(self) -> Bound:
        """What limits the kernel."""
    @property
    def fraction_of_roof(self) -> float:
        """Achieved over attainable."""
    @property
    def summary(self) -> str:
        """One sentence."""
    @property
    def remedies(self) -> List[Remedy]:
        """Most promising first."""

def arithmetic_intensity(flops: float, bytes: float) -> float:
    """FLOP/B from FLOP and B; infinity when no byte moves."""

def ridge(roof: Roof) -> float:
    """Intensity at which slope and ceiling meet, FLOP/B."""

@overload
def attainable(roof: Roof, intensity: float) -> float:
    """min(peak, intensity x bandwidth) in FLOP/s, for an intensity in FLOP/B."""
@overload
def attainable(roof: Roof, intensity: numpy.ndarray, out: Optional[numpy.ndarray] = None) -> numpy.ndarray:
    """FLOP/s for each intensity (FLOP/B) of a float64 array, which is not copied; into `out` if
    given, whose memory is used as it is.
    """

def classify(roof: Roof, intensity: float) -> Bound:
    """Memory-bound below the ridge, compute-bound at it and above; intensity in FLOP/B."""

@overload
def time_seconds(roof: Roof, flops: float, bytes: float) -> float:
    """max(flops / peak, bytes / bandwidth), s."""
@overload
def time_seconds(roof: Roof, flops: numpy.ndarray, bytes: numpy.ndarray, out: Optional[numpy.ndarray] = None) -> numpy.ndarray:
    """Seconds for each pair of FLOP and B of two float64 arrays, which are not copied."""
@overload
def time_seconds(roof: Roof, operation: Operation) -> float:
    """max(FLOPs / peak, bytes / bandwidth), s."""

@overload
def hierarchical_bound(peak_flops_per_second: float, flops: float, levels: Sequence[LevelLoad]) -> HierarchicalBound:
    """The least time over all levels and the peak (FLOP/s), for FLOP and B."""
@overload
def hierarchical_bound(machine: Machine, precision: Union[Precision, str], operation: Operation) -> HierarchicalBound:
    """The least time over all levels that machine and operation state."""

def layer_intensity(layer: DenseLayer, batch: float) -> float:
    """Intensity of a layer at a batch, FLOP/B."""

def critical_batch(layer: DenseLayer, ridge_flops_per_byte: float) -> Optional[float]:
    """Smallest batch at which the layer reaches the ridge (FLOP/B); None means never."""

def advise(roof: Roof, intensity: float, achieved_flops_per_second: float) -> Advice:
    """What to try next with a kernel of this intensity (FLOP/B) at this rate (FLOP/s).
    ValueError for a rate more than 2 % above the roof.
    """

def vector_peak(units: float, lanes: float, clock_hz: float, operations_per_lane: float = 2.0) -> float:
    """FLOP/s of `units` cores with `lanes` lanes each."""

def memory_peak(memory_clock_hz: float, bus_bits: float, transfers_per_clock: float = 2.0) -> float:
    """B/s of a memory bus."""

def parse_quantity(text: str) -> float:
    """A number in base units from text such as '2.039 TB/s' or '12.5 ms'."""

class Precision:
    """A number format; arguments take its name in any case as well."""
    FP64: Precision
    FP32: Precision
    TF32: Precision
    FP16: Precision
    BF16: Precision
    FP8: Precision
    FP6: Precision
    FP4: Precision
    INT32: Precision
    INT8: Precision
    INT4: Precision
    def __init__(self, name: Union[str, int]) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

class Unit:
    """Which units compute: VECTOR or MATRIX."""
    VECTOR: Unit
    MATRIX: Unit
    def __init__(self, name: Union[str, int]) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

def bytes_per_element(precision: Union[Precision, str]) -> float:
    """Bytes of one element in memory, B."""

class Provenance:
    """Where a figure comes from."""
    @property
    def source(self) -> str:
        """Document or command."""
    @property
    def note(self) -> str:
        """Remarks."""
    @property
    def confidence(self) -> str:
        """How far it can be trusted."""

class Peak:
    """The highest rate of one format on one kind of unit."""
    @property
    def precision(self) -> Precision:
        """Number format."""
    @property
    def unit(self) -> Unit:
        """Kind of unit."""
    @property
    def operations_per_second(self) -> float:
        """FLOP/s, or OP/s of integers."""
    @property
    def sparse(self) -> bool:
        """Counts operations that 2:4 sparsity skips."""
    @property
    def clock_hz(self) -> Optional[float]:
        """Clock that it holds at, Hz; None if unknown."""
    @property
    def provenance(self) -> Provenance:
        """Where it comes from."""

class MemoryLevel:
    """One level of the memory hierarchy."""
    @property
    def name(self) -> str:
        """'L1', 'L2', 'LLC' or 'DRAM'."""
    @property
    def capacity_bytes(self) -> Optional[float]:
        """Of one instance, B; None if unknown."""
    @property
    def instances(self) -> float:
        """How many there are."""
    @property
    def bytes_per_second(self) -> Optional[float]:
        """Of all instances, B/s; None if unknown."""
    @property
    def provenance(self) -> Provenance:
        """Where it comes from."""

class Machine:
    """A machine as the model sees it, in base units."""
    @property
    def id(self) -> str:
        """Name of its file."""
    @property
    def name(self) -> str:
        """Full name."""
    @property
    def vendor(self) -> str:
        """Maker."""
    @property
    def kind(self) -> str:
        """'gpu' or 'cpu'."""
    @property
    def architecture(self) -> str:
        """Architecture."""
    @property
    def measured(self) -> bool:
        """From measurements, not from a datasheet."""
    @property
    def peaks(self) -> List[Peak]:
        """All peaks."""
    @property
    def levels(self) -> List[MemoryLevel]:
        """Memory levels, nearest to the core first."""
    @property
    def streams(self) -> Dict[str, float]:
        """Measured DRAM rates by pattern, B/s."""
    @property
    def launch_overhead_seconds(self) -> Optional[float]:
        """Of one kernel launch, s; None if unknown."""
    def peak(self, precision: Union[Precision, str], unit: Optional[Union[Unit, str]] = None) -> Peak:
        """The highest dense peak, on any unit by default."""
    def bandwidth(self, level: str = 'DRAM') -> float:
        """Bandwidth of a level, B/s."""
    def roof(self, precision: Union[Precision, str], level: str = 'DRAM') -> Roof:
        """The best dense peak over a level's bandwidth."""

def load_machine(file: PathLike) -> Machine:
    """A machine from a .toml file, or from the .json of `roofline measure`."""

def resolve_machine(name_or_path: str, folder: PathLike) -> Path:
    """The file of a machine by id, or a path as it stands."""

def machine_files(folder: PathLike) -> List[Path]:
    """Machine files of a folder."""

class Spread:
    """Median and spread of samples, in the samples' unit."""
    @property
    def median(self) -> float:
        """Median."""
    @property
    def percentile_5(self) -> float:
        """5th percentile."""
    @property
    def percentile_95(self) -> float:
        """95th percentile."""
    @property
    def samples(self) -> int:
        """Number of samples."""

class MeasuredRoof:
    """One measured roof."""
    @property
    def name(self) -> str:
        """Such as 'triad' or 'fp32.vector'."""
    @property
    def kind(self) -> str:
        """Bandwidth, compute or latency."""
    @property
    def level(self) -> str:
        """Memory level of a bandwidth."""
    @property
    def rate(self) -> Spread:
        """B/s, FLOP/s (OP/s), or s of a latency."""
    @property
    def datasheet(self) -> Optional[float]:
        """The vendor's figure; None if unknown."""
    @property
    def refused(self) -> str:
        """Why it must not be used; empty if it may."""
    @property
    def note(self) -> str:
        """Traffic convention and remarks."""

class Report:
    """What `roofline measure` wrote."""
    @property
    def device(self) -> str:
        """Name of the device."""
    @property
    def started(self) -> str:
        """UTC, ISO 8601."""
    @property
    def command(self) -> str:
        """The command that measured."""
    @property
    def complete(self) -> bool:
        """False when it was interrupted."""
    @property
    def roofs(self) -> List[MeasuredRoof]:
        """All roofs."""
    @property
    def problems(self) -> List[str]:
        """What could not be measured, and why."""

def read_report(file: PathLike) -> Report:
    """Reads a report of `roofline measure`."""

def machine_from_report(report: Report) -> Machine:
    """The machine that a report describes."""

class LevelBytes:
    """Bytes through a level nearer than DRAM."""
    @property
    def level(self) -> str:
        """Name."""
    @property
    def bytes(self) -> float:
        """Traffic, B."""

class Operation:
    """FLOPs and bytes of an operation. DRAM traffic is compulsory: every operand
    is read once and every result written once. A multiply-add is 2 FLOP.
    """
    def __init__(self, name: str, flops: float, bytes_read: float, bytes_written: float) -> None:
        ...
    @property
    def name(self) -> str:
        """Name."""
    @property
    def flops(self) -> float:
        """FLOP."""
    @property
    def bytes_read(self) -> float:
        """Read from DRAM, B."""
    @property
    def bytes_written(self) -> float:
        """Written to DRAM, B."""
    @property
    def inner(self) -> List[LevelBytes]:
        """Traffic of nearer levels, where it is fixed."""
    @property
    def bytes(self) -> float:
        """Read and written, B."""
    @property
    def intensity(self) -> float:
        """FLOP per DRAM byte."""

def time_of_sequence(roof: Roof, operations: Sequence[Operation]) -> float:
    """Sum of the operations' own times, s."""

def fused(name: str, first: Operation, second: Operation, intermediate_bytes: float, still_written: bool = False) -> Operation:
    """Two operations as one; what the first hands to the second (B) stays in registers."""

def vector_add(n: float, precision: Union[Precision, str]) -> Operation:
    """z = x + y over n elements."""

def copy(n: float, precision: Union[Precision, str]) -> Operation:
    """y = x over n elements."""

def scal(n: float, precision: Union[Precision, str]) -> Operation:
    """x = a x over n elements."""

def axpy(n: float, precision: Union[Precision, str]) -> Operation:
    """y = a x + y over n elements."""

def dot(n: float, precision: Union[Precision, str]) -> Operation:
    """x . y over n elements."""

def nrm2(n: float, precision: Union[Precision, str]) -> Operation:
    """||x|| over n elements."""

def asum(n: float, precision: Union[Precision, str]) -> Operation:
    """Sum of |x_i| over n elements."""

def sum(n: float, precision: Union[Precision, str]) -> Operation:
    """Sum of x_i over n elements."""

def symv(n: float, precision: Union[Precision, str]) -> Operation:
    """y = A x, A symmetric n x n, one triangle stored."""

def trmv(n: float, precision: Union[Precision, str]) -> Operation:
    """x = A x in place, A triangular n x n."""

def relu(n: float, precision: Union[Precision, str]) -> Operation:
    """max(x, 0) over n elements."""

def gelu(n: float, precision: Union[Precision, str]) -> Operation:
    """GELU by its tanh form over n elements, 12 FLOP each."""

def silu(n: float, precision: Union[Precision, str]) -> Operation:
    """x / (1 + exp(-x)) over n elements, 4 FLOP each."""

def residual_add(n: float, precision: Union[Precision, str]) -> Operation:
    """x + residual over n elements."""

def dropout(n: float, precision: Union[Precision, str]) -> Operation:
    """Mask and scale over n elements."""

def softmax(rows: float, columns: float, precision: Union[Precision, str]) -> Operation:
    """Softmax over rows, 5 FLOP an element."""

def layer_norm(rows: float, columns: float, precision: Union[Precision, str]) -> Operation:
    """LayerNorm over rows, 8 FLOP an element."""

def rms_norm(rows: float, columns: float, precision: Union[Precision, str]) -> Operation:
    """RMSNorm over rows, 5 FLOP an element."""

def gemv(m: float, n: float, precision: Union[Precision, str], read_y: bool = False) -> Operation:
    """y = A x, or y = A x + b y with read_y; A is m x n."""

def ger(m: float, n: float, precision: Union[Precision, str]) -> Operation:
    """A = A + x y^T, A m x n."""

def gemm(m: float, n: float, k: float, precision: Union[Precision, str], read_c: bool = False) -> Operation:
    """C = A B, or C = A B + b C with read_c; A is m x k, B k x n. Ideal reuse."""

def symm(m: float, n: float, precision: Union[Precision, str]) -> Operation:
    """C = A B, A symmetric m x m."""

def syrk(n: float, k: float, precision: Union[Precision, str]) -> Operation:
    """C = A A^T, one triangle of C."""

def trmm(m: float, n: float, precision: Union[Precision, str]) -> Operation:
    """B = A B in place, A triangular."""

def naive_gemm(m: float, n: float, k: float, precision: Union[Precision, str]) -> Operation:
    """C = A B without reuse: 'L1' holds the issued loads."""

def tiled_gemm(m: float, n: float, k: float, tile: float, precision: Union[Precision, str], cache_reuse: bool = True) -> Operation:
    """C = A B in square tiles: 'L2' holds the tile loads."""

class StencilReuse:
    """What a stencil finds in cache."""
    PERFECT: StencilReuse
    NONE: StencilReuse
    def __init__(self, name: Union[str, int]) -> None: ...
    @property
    def name(self) -> str: ...
    @property
    def value(self) -> int: ...

def elementwise(name: str, n: float, flops_per_element: float, inputs: float, precision: Union[Precision, str]) -> Operation:
    """`inputs` arrays of n elements read, one written."""

def stencil(n: float, points: float, precision: Union[Precision, str], reuse: StencilReuse = ..., coefficients: bool = False) -> Operation:
    """Sum of `points` neighbours over n grid points."""

def convolution(batch: float, in_channels: float, out_channels: float, height: float, width: float, kernel_height: float, kernel_width: float, precision: Union[Precision, str]) -> Operation:
    """2-D convolution, stride 1, padding that keeps the size."""

class WeightFormat:
    """How weights are stored."""
    def __init__(self, element: Union[Precision, str] = ..., group: float = 0.0, scale: Union[Precision, str] = ..., zero_point_bits: float = 0.0) -> None:
        ...

def bits_per_weight(format: WeightFormat) -> float:
    """Bits of a weight with its scales."""

def linear(batch: float, in_features: float, out_features: float, weights: WeightFormat = ..., activations: Union[Precision, str] = ...) -> Operation:
    """y[B, out] = x[B, in] W."""

def fused_attention(batch: float, query_heads: float, kv_heads: float, sequence: float, head_dim: float, precision: Union[Precision, str], causal: bool = False) -> Operation:
    """Attention of a prompt in one kernel; scores never leave the chip."""

def unfused_attention(batch: float, query_heads: float, kv_heads: float, sequence: float, head_dim: float, precision: Union[Precision, str], causal: bool = False, score_passes: int = 4) -> Operation:
    """As fused_attention(), and the scores pass through DRAM score_passes times."""

def decode_attention(batch: float, query_heads: float, kv_heads: float, head_dim: float, context: float, cache: Union[Precision, str]) -> Operation:
    """One new token per sequence attends to `context` cached tokens."""

def mla_decode_attention(batch: float, heads: float, latent_dim: float, rope_dim: float, context: float, cache: Union[Precision, str]) -> Operation:
    """Latent attention with absorbed projections."""

class Ceiling:
    """A horizontal ceiling."""
    def __init__(self, name: str, flops_per_second: float) -> None:
        ...
    @property
    def name(self) -> str:
        """Name."""
    @property
    def flops_per_second(self) -> float:
        """FLOP/s."""

class Slope:
    """A bandwidth."""
    def __init__(self, name: str, bytes_per_second: float) -> None:
        ...
    @property
    def name(self) -> str:
        """Name."""
    @property
    def bytes_per_second(self) -> float:
        """B/s."""

class ChartPoint:
    """A kernel on the chart."""
    def __init__(self, name: str, intensity: float, flops_per_second: float) -> None:
        ...
    @property
    def name(self) -> str:
        """Name."""
    @property
    def intensity(self) -> float:
        """FLOP/B, above zero and finite."""
    @property
    def flops_per_second(self) -> float:
        """Achieved, FLOP/s."""

class ChartRange:
    """The ends of the axes."""
    @property
    def intensity_low(self) -> float:
        """FLOP/B."""
    @property
    def intensity_high(self) -> float:
        """FLOP/B."""
    @property
    def rate_low(self) -> float:
        """FLOP/s."""
    @property
    def rate_high(self) -> float:
        """FLOP/s."""

class Ridge:
    """Where a ceiling meets the lowest slope."""
    @property
    def ceiling(self) -> str:
        """Name of the ceiling."""
    @property
    def intensity(self) -> float:
        """FLOP/B."""
    @property
    def flops_per_second(self) -> float:
        """FLOP/s."""

class Chart:
    """Ceilings, slopes and points on logarithmic axes."""
    def __init__(self, title: str, ceilings: Sequence[Ceiling], slopes: Sequence[Slope], points: Sequence[ChartPoint] = []) -> None:
        ...
    @property
    def title(self) -> str:
        """Title."""
    @title.setter
    def title(self, value: str) -> None: ...
    @property
    def ceilings(self) -> List[Ceiling]:
        """A copy of the list; assign to change it."""
    @ceilings.setter
    def ceilings(self, value: List[Ceiling]) -> None: ...
    @property
    def slopes(self) -> List[Slope]:
        """A copy of the list; assign to change it."""
    @slopes.setter
    def slopes(self, value: List[Slope]) -> None: ...
    @property
    def points(self) -> List[ChartPoint]:
        """A copy of the list; assign to change it."""
    @points.setter
    def points(self, value: List[ChartPoint]) -> None: ...
    def add(self, name: str, intensity: float, flops_per_second: float) -> None:
        """Adds a point: FLOP/B and FLOP/s."""
    def range(self) -> ChartRange:
        """The ends of the axes around ridges and points."""
    def ridges(self) -> List[Ridge]:
        """The ridge of every ceiling over the lowest slope."""
    def text(self, columns: int = 80, rows: int = 22, unicode: bool = True) -> str:
        """The chart as characters, with a legend."""

def chart_of(machine: Machine, precisions: Sequence[Union[Precision, str]] = []) -> Chart:
    """Dense ceilings and known bandwidths of a machine."""

class KernelCounts:
    """What counters say about one launch."""
    @property
    def operations(self) -> Dict[str, float]:
        """FLOP (OP of integers) by kind, such as 'fp32.vector'."""
    @property
    def bytes(self) -> Dict[str, float]:
        """B by level: 'DRAM', 'L2', 'L1', 'fabric'."""
    @property
    def seconds(self) -> float:
        """Duration, s."""
    @property
    def uncounted(self) -> Dict[str, List[str]]:
        """Counters that the file lacks, by kind of arithmetic."""
    @property
    def flops(self) -> Optional[float]:
        """FLOP of all kinds, a lower bound where anything is uncounted; None when unknown."""

class KernelProfile:
    """One launch."""
    @property
    def id(self) -> str:
        """Of the launch in its file."""
    @property
    def name(self) -> str:
        """As the profiler prints it."""
    @property
    def short_name(self) -> str:
        """Without return type, namespaces and parameters."""
    @property
    def device(self) -> str:
        """GPU."""
    @property
    def counts(self) -> Optional[KernelCounts]:
        """None where counters are missing."""
    @property
    def problem(self) -> str:
        """Why there are no counts."""
    @property
    def notes(self) -> List[str]:
        """What the counters cannot tell."""
    @property
    def counters(self) -> Dict[str, float]:
        """All counters, in base units."""

class ProfilePoint:
    """Where a kernel stands on the roofline."""
    @property
    def level(self) -> str:
        """Level of the intensity."""
    @property
    def intensity(self) -> float:
        """FLOP/B; infinity when no byte moved, NaN when FLOPs are unknown."""
    @property
    def flops_per_second(self) -> float:
        """FLOP/s, or NaN."""
    @property
    def bytes_per_second(self) -> float:
        """B/s."""
    @property
    def bound(self) -> Optional[Bound]:
        """None without a machine."""
    @property
    def fraction_of_roof(self) -> float:
        """0 to 1."""

class Profile:
    """The launches of a profiler's file."""
    @property
    def format(self) -> str:
        """Such as 'ncu raw' or 'rocpd'."""
    @property
    def kernels(self) -> List[KernelProfile]:
        """In the order of the file."""
    @property
    def rerun(self) -> str:
        """The command that collects what is missing, or ''."""
    @property
    def complete(self) -> bool:
        """All launches could be counted."""
    def json(self, machine: Machine = None) -> str:
        """As `roofline import --out` writes it."""

def import_profile(file: PathLike, architecture: str = '') -> Profile:
    """Reads Nsight Compute's CSV or report, rocprofv3's CSV or a rocpd database. `architecture`
    (gfx90a, gfx942, gfx950) is for AMD files that do not show it.
    """

def place(counts: KernelCounts, machine: Machine = None) -> ProfilePoint:
    """Places counts on a machine's roofline."""

def short_kernel_name(name: str, width: int = 76) -> str:
    """A kernel's name, short enough to read."""

class Model:
    """A transformer's architecture."""
    @property
    def name(self) -> str:
        """Name."""
    @property
    def architecture(self) -> str:
        """model_type of its config.json."""
    @property
    def hidden(self) -> int:
        """Width of the residual stream."""
    @property
    def vocabulary(self) -> int:
        """Tokens."""
    @property
    def max_positions(self) -> int:
        """Longest context, tokens."""
    @property
    def stored_as(self) -> Precision:
        """torch_dtype."""
    @property
    def notes(self) -> List[str]:
        """What was derived when the file was read."""
    @property
    def layer_count(self) -> int:
        """Layers."""
    @property
    def parameters(self) -> int:
        """All parameters."""
    @property
    def active_parameters(self) -> int:
        """Parameters that one token uses."""

def load_model(file: PathLike) -> Model:
    """A model from a Hugging Face config.json."""

def resolve_model(name_or_path: str, folder: PathLike) -> Path:
    """The file of a model by id, or a path as it stands."""

def model_files(folder: PathLike) -> List[Path]:
    """Model files of a folder."""

class Format:
    """How one element is stored."""
    @property
    def name(self) -> str:
        """As it was written."""
    @property
    def bits_per_element(self) -> float:
        """Bits, scales included."""

def parse_format(text: str) -> Format:
    """A storage format: 'bf16', 'int4/128', 'fp4/32:8', 'q4_0', '4.9bit'."""

def plain_format(precision: Union[Precision, str]) -> Format:
    """A precision without scales."""

class Formats:
    """How a model is stored and computed."""
    @property
    def weights(self) -> Format:
        """Of matrices."""
    @weights.setter
    def weights(self, value: Format) -> None: ...
    @property
    def experts(self) -> Format:
        """Of routed experts' matrices."""
    @experts.setter
    def experts(self, value: Format) -> None: ...
    @property
    def head(self) -> Format:
        """Of embedding and output head."""
    @head.setter
    def head(self, value: Format) -> None: ...
    @property
    def kv(self) -> Format:
        """Of keys and values."""
    @kv.setter
    def kv(self, value: Format) -> None: ...
    @property
    def activations(self) -> Precision:
        """Of activations."""
    @activations.setter
    def activations(self, value: Precision) -> None: ...
    @property
    def arithmetic(self) -> Precision:
        """Of products with weights."""
    @arithmetic.setter
    def arithmetic(self, value: Precision) -> None: ...
    @property
    def attention_arithmetic(self) -> Precision:
        """Of attention."""
    @attention_arithmetic.setter
    def attention_arithmetic(self, value: Precision) -> None: ...

def stored_formats(model: Model) -> Formats:
    """Everything as the file stores it."""

def choose_formats(model: Model, machine: Machine, weights: Optional[Format] = None, experts: Optional[Format] = None, head: Optional[Format] = None, kv: Optional[Format] = None, activations: Optional[Union[Precision, str]] = None, arithmetic: Optional[Union[Precision, str]] = None, attention_arithmetic: Optional[Union[Precision, str]] = None) -> Formats:
    """The formats of a run; what is not stated follows from model and machine."""

def weight_bytes(model: Model, formats: Formats) -> float:
    """Bytes of all weights, B."""

def streamed_weight_bytes(model: Model, formats: Formats, tokens: float) -> float:
    """Bytes of weights that a step over `tokens` tokens streams, B."""

def kv_bytes_per_token(model: Model, formats: Formats) -> float:
    """Cache bytes that one token adds, B."""

def kv_bytes(model: Model, formats: Formats, context: float) -> float:
    """Cache bytes of one sequence of `context` tokens, B."""

def decode_floor_seconds(model: Model, formats: Formats, batch: float, context: float, bytes_per_second: float) -> float:
    """Streamed weights and cache over the bandwidth (B/s), s."""

class Efficiencies:
    """The part of a roof that kernels reach."""
    def __init__(self) -> None:
        ...
    @property
    def weights(self) -> float:
        """Of the bandwidth, for weights, 0 to 1."""
    @weights.setter
    def weights(self, value: float) -> None: ...
    @property
    def kv(self) -> float:
        """Of the bandwidth, for the cache, 0 to 1."""
    @kv.setter
    def kv(self, value: float) -> None: ...
    @property
    def compute(self) -> float:
        """Of the peak, 0 to 1."""
    @compute.setter
    def compute(self, value: float) -> None: ...

class AllReduce:
    """Cost of an all-reduce."""
    def __init__(self, latency_seconds: float, bytes_per_second: float) -> None:
        ...
    @property
    def latency_seconds(self) -> float:
        """Of the whole call, s."""
    @property
    def bytes_per_second(self) -> float:
        """B/s."""

class Overheads:
    """Time that no roof explains."""
    @property
    def per_kernel_seconds(self) -> float:
        """Of every call, s."""
    @per_kernel_seconds.setter
    def per_kernel_seconds(self, value: float) -> None: ...
    @property
    def per_step_seconds(self) -> float:
        """Once per pass, s."""
    @per_step_seconds.setter
    def per_step_seconds(self, value: float) -> None: ...
    @property
    def per_layer_seconds(self) -> float:
        """Of every layer, s."""
    @per_layer_seconds.setter
    def per_layer_seconds(self, value: float) -> None: ...

class System:
    """Machines that work on one model."""
    def __init__(self, machine: Machine) -> None:
        ...
    @property
    def machine(self) -> Machine:
        """One of `ranks` equal ones."""
    @machine.setter
    def machine(self, value: Machine) -> None: ...
    @property
    def ranks(self) -> int:
        """Of tensor parallelism."""
    @ranks.setter
    def ranks(self, value: int) -> None: ...
    @property
    def all_reduce(self) -> Optional[AllReduce]:
        """Needed for more than one rank."""
    @all_reduce.setter
    def all_reduce(self, value: Optional[AllReduce]) -> None: ...
    @property
    def efficiencies(self) -> Efficiencies:
        """1 gives the bound."""
    @efficiencies.setter
    def efficiencies(self, value: Efficiencies) -> None: ...
    @property
    def overheads(self) -> Overheads:
        """0 gives the bound."""
    @overheads.setter
    def overheads(self, value: Overheads) -> None: ...

class Calibration:
    """What measured rows say about a system."""
    @property
    def group(self) -> str:
        """Rows that it was made from."""
    @property
    def efficiencies(self) -> Efficiencies:
        """Parts of the roofs."""
    @property
    def per_layer_seconds(self) -> float:
        """s."""
    @property
    def all_reduce(self) -> Optional[AllReduce]:
        """None if not measured."""

def read_calibration(file: PathLike, group: str = '') -> Calibration:
    """A calibration of the file that `roofline predict --fit ... --json` wrote."""

class OperatorTime:
    """An operator's time, of all its calls."""
    @property
    def name(self) -> str:
        """Name."""
    @property
    def calls(self) -> float:
        """Number of calls."""
    @property
    def flops(self) -> float:
        """Of one call, FLOP."""
    @property
    def bytes(self) -> float:
        """Of one call, B."""
    @property
    def seconds(self) -> float:
        """Of all calls, s."""
    @property
    def compute_seconds(self) -> float:
        """At the peak, s."""
    @property
    def memory_seconds(self) -> float:
        """At the bandwidth, s."""
    @property
    def intensity(self) -> float:
        """FLOP/B."""
    @property
    def bound(self) -> Bound:
        """What limits it."""

class PassTime:
    """The time of one forward pass."""
    @property
    def operators(self) -> List[OperatorTime]:
        """In order of execution."""
    @property
    def operator_seconds(self) -> float:
        """Sum over operators of max(compute, memory), s."""
    @property
    def collective_seconds(self) -> float:
        """All-reduces, s."""
    @property
    def overhead_seconds(self) -> float:
        """Overheads, s."""
    @property
    def max_of_sums_seconds(self) -> float:
        """max of the sums, the wrong and lower bound, s."""
    @property
    def seconds(self) -> float:
        """All of it, s."""

class MemoryUse:
    """Memory of one rank."""
    @property
    def weight_bytes(self) -> float:
        """B."""
    @property
    def kv_bytes(self) -> float:
        """B."""
    @property
    def usable_bytes(self) -> float:
        """B."""
    @property
    def largest_batch(self) -> Optional[int]:
        """None: the weights do not fit."""

class PassWork:
    """What the ranks do."""
    @property
    def bytes(self) -> float:
        """To and from DRAM, B."""
    @property
    def vector_flops(self) -> float:
        """Of element-wise operators, FLOP."""
    @property
    def products(self) -> Dict[Precision, float]:
        """FLOPs of matrix products by precision."""
    @property
    def seconds(self) -> float:
        """Of all ranks together, s."""

class Joules:
    """An energy and its range."""
    @property
    def middle(self) -> float:
        """Median over the measured runs, J."""
    @property
    def low(self) -> float:
        """J."""
    @property
    def high(self) -> float:
        """J."""

class EnergyPrices:
    """Measured prices of a machine."""
    @property
    def runs(self) -> int:
        """Number of measurements."""

def energy_prices(machine: Machine, folder: PathLike) -> Optional[EnergyPrices]:
    """Prices of a measured machine, or of the report that the data folder has for it; None where there are none."""

class Question:
    """A whole question to the predictor."""
    def __init__(self, model: Model, formats: Formats, system: System) -> None:
        ...
    @property
    def model(self) -> Model:
        """The model."""
    @property
    def formats(self) -> Formats:
        """How it is stored and computed."""
    @formats.setter
    def formats(self, value: Formats) -> None: ...
    @property
    def system(self) -> System:
        """What it runs on."""
    @system.setter
    def system(self, value: System) -> None: ...
    @property
    def batch(self) -> float:
        """Sequences at once."""
    @batch.setter
    def batch(self, value: float) -> None: ...
    @property
    def prompt(self) -> Optional[float]:
        """Tokens; asks for the time to first token."""
    @prompt.setter
    def prompt(self, value: Optional[float]) -> None: ...
    @property
    def output(self) -> float:
        """Tokens generated per sequence."""
    @output.setter
    def output(self, value: float) -> None: ...
    @property
    def context(self) -> Optional[float]:
        """Of the decode step, tokens."""
    @context.setter
    def context(self, value: Optional[float]) -> None: ...
    @property
    def continuous(self) -> bool:
        """Continuous batching."""
    @continuous.setter
    def continuous(self, value: bool) -> None: ...
    @property
    def energy(self) -> Optional[EnergyPrices]:
        """Prices; asks for joules."""
    @energy.setter
    def energy(self, value: Optional[EnergyPrices]) -> None: ...
    @property
    def memory_fraction(self) -> float:
        """Usable part of the memory."""
    @memory_fraction.setter
    def memory_fraction(self, value: float) -> None: ...

class Times:
    """What a request takes on one system."""
    @property
    def prefill(self) -> Optional[PassTime]:
        """None without a prompt."""
    @property
    def decode(self) -> PassTime:
        """One decode step."""
    @property
    def interference_seconds(self) -> float:
        """Of other prompts, per token, s."""
    @property
    def time_to_first_token(self) -> Optional[float]:
        """s; None without a prompt."""
    @property
    def time_per_output_token(self) -> float:
        """s."""
    @property
    def tokens_per_second(self) -> float:
        """Of the whole batch."""
    @property
    def request_seconds(self) -> Optional[float]:
        """None without prompt and output."""
    @property
    def token(self) -> PassWork:
        """Work of one output token, all ranks."""
    @property
    def request(self) -> Optional[PassWork]:
        """Work of a request; None as request_seconds."""

class Answer:
    """The predictor's answer: the bound, and more."""
    @property
    def context(self) -> float:
        """Of the decode step, tokens."""
    @property
    def expected(self) -> Optional[Times]:
        """What an engine is expected to reach, or None."""
    @property
    def memory(self) -> Optional[MemoryUse]:
        """None if the capacity is not known."""
    @property
    def remarks(self) -> List[str]:
        """What is unusual about the question."""

def expect(question: Question, folder: PathLike, engine: str = '') -> None:
    """Asks for what an engine is expected to reach beside the bound; '' is the usual one."""

def answer(question: Question) -> Answer:
    """Answers a question. ValueError says what is wrong."""

def joules(question: Question, work: PassWork) -> Optional[Joules]:
    """Joules for a part of the work of an answer; None without prices."""

def answer_json(question: Question, answer: Answer) -> str:
    """As `roofline predict --json` writes it."""

def answer_csv(answer: Answer) -> str:
    """As `roofline predict --csv` writes it."""

def chart_of_pass(question: Question, pass_time: PassTime, title: str) -> Chart:
    """The operators of a pass on the machine's chart."""
