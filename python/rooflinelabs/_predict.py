# SPDX-License-Identifier: MIT
"""``predict()``: the answers of the program ``roofline predict``, with the same defaults."""

import json
import numbers
import operator
from typing import Any, Dict, Optional, Union

from . import _core
from ._data import data_folder
from ._data import machine as machine_named
from ._data import model as model_named


class Prediction:
    """A question and its answer.

    Attributes of the answer are the prediction's own: ``prediction.tokens_per_second``,
    ``prediction.decode.seconds`` (see Answer).
    """

    def __init__(self, question: _core.Question, answer: _core.Answer):
        self.question = question
        self.answer = answer

    def __getattr__(self, name):
        if name == "answer":  # not set yet: copy and pickle ask before __init__
            raise AttributeError(name)
        return getattr(self.answer, name)

    def __repr__(self):
        return (
            f"<Prediction {self.question.model.name} on {self.question.system.machine.id}: "
            f"{self.answer.time_per_output_token:.6g} s per token>"
        )

    def json(self) -> dict:
        """The output of ``roofline predict --json``."""
        return json.loads(_core.answer_json(self.question, self.answer))

    @property
    def joules_per_output_token(self) -> Optional[_core.Joules]:
        """For the expected time if there is one, else the bound; None without measured costs."""
        times = self.answer.expected or self.answer
        return _core.joules(self.question, times.token)

    def chart(self, title: Optional[str] = None) -> _core.Chart:
        """The operators of the decode step on the machine's roofline."""
        return _core.chart_of_pass(self.question, self.answer.decode, title or "Decode step")


def _number(value, name: str) -> float:
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    return float(value)


def _amount(value, name: str, unit: str) -> float:
    if isinstance(value, str):
        try:
            return _core.parse_quantity(value, unit)
        except ValueError as error:
            raise ValueError(f"{name}: {error}") from None
    if not isinstance(value, numbers.Real):
        raise TypeError(f"{name} must be a number of {unit} or text with a unit")
    return float(value)


def predict(
    model: Union[str, _core.Model],
    machine: Union[str, _core.Machine],
    *,
    batch: float = 1,
    prompt: Optional[float] = None,
    output: float = 0,
    context: Optional[float] = None,
    continuous: bool = False,
    weights: str = "",
    experts: str = "",
    head: str = "",
    kv: str = "",
    activations: str = "",
    arithmetic: str = "",
    attention_arithmetic: str = "",
    tp: int = 1,
    allreduce_latency: Union[str, float, None] = None,
    allreduce_bandwidth: Union[str, float, None] = None,
    weight_efficiency: Optional[float] = None,
    kv_efficiency: Optional[float] = None,
    compute_efficiency: Optional[float] = None,
    per_kernel: Union[str, float] = 0,
    per_step: Union[str, float] = 0,
    per_layer: Union[str, float] = 0,
    engine: str = "",
    memory_fraction: float = 0.9,
) -> Prediction:
    """Predicts LLM inference.

    Tokens: ``prompt``, ``output``, ``context``. Formats are text as parse_format() reads it, by
    default as the model is stored. Seconds (or text such as "40us"): ``allreduce_latency``,
    ``per_kernel``, ``per_step``, ``per_layer``; B/s (or "300 GB/s"): ``allreduce_bandwidth``.
    Efficiencies are fractions of a roof, 0 to 1. Without them the answer is the bound, which no
    machine beats, and ``expected`` is what ``engine`` is expected to reach ("none": only the bound;
    see ``roofline predict --engine``). ValueError says what is wrong with the question.
    """
    if not isinstance(model, _core.Model):
        model = model_named(model)
    if not isinstance(machine, _core.Machine):
        machine = machine_named(machine)
    if (allreduce_latency is None) != (allreduce_bandwidth is None):
        raise ValueError("allreduce_latency and allreduce_bandwidth go together")

    system = _core.System(machine)
    system.ranks = operator.index(tp)
    if allreduce_latency is not None:
        system.all_reduce = _core.AllReduce(
            _amount(allreduce_latency, "allreduce_latency", "s"),
            _amount(allreduce_bandwidth, "allreduce_bandwidth", "B/s"),
        )
    if weight_efficiency is not None:
        system.efficiencies.weights = _number(weight_efficiency, "weight_efficiency")
    if kv_efficiency is not None:
        system.efficiencies.kv = _number(kv_efficiency, "kv_efficiency")
    if compute_efficiency is not None:
        system.efficiencies.compute = _number(compute_efficiency, "compute_efficiency")
    system.overheads.per_kernel_seconds = _amount(per_kernel, "per_kernel", "s")
    system.overheads.per_step_seconds = _amount(per_step, "per_step", "s")
    system.overheads.per_layer_seconds = _amount(per_layer, "per_layer", "s")

    stored = {"weights": weights, "experts": experts, "head": head, "kv": kv}
    computed = {
        "activations": activations,
        "arithmetic": arithmetic,
        "attention_arithmetic": attention_arithmetic,
    }
    chosen: Dict[str, Any] = {name: text for name, text in computed.items() if text}
    chosen.update({name: _core.parse_format(text) for name, text in stored.items() if text})
    formats = _core.choose_formats(model, machine, **chosen)
    question = _core.Question(model, formats, system)
    question.batch = _number(batch, "batch")
    question.prompt = None if prompt is None else _number(prompt, "prompt")
    question.output = _number(output, "output")
    question.context = None if context is None else _number(context, "context")
    question.continuous = continuous
    question.memory_fraction = _number(memory_fraction, "memory_fraction")
    stated = [weight_efficiency, kv_efficiency, compute_efficiency]
    states = any(value is not None for value in stated) or any([per_kernel, per_step, per_layer])
    if states and engine:
        raise ValueError("engine says what is reached, and so do efficiencies and costs: choose one")
    if not states and engine != "none":
        _core.expect(question, data_folder() / "expected", engine)
    question.energy = _core.measured_energy_costs(machine, data_folder())
    return Prediction(question, _core.answer(question))
