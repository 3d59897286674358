# SPDX-License-Identifier: MIT
"""The package: bounds, arrays without copies, types, errors, docstrings."""

import copy
import inspect
import math
import os
import tempfile
import unittest
import unittest.mock
from pathlib import Path

import numpy

import rooflinelabs as rl


class Bounds(unittest.TestCase):
    def test_formulas(self):
        roof = rl.Roof(2e12, 1e12)
        self.assertEqual(rl.ridge(roof), 2.0)
        for intensity in (0.01, 1 / 6, 2.0, 7.5, 1e6):
            self.assertEqual(rl.attainable(roof, intensity), min(2e12, intensity * 1e12))
        self.assertEqual(rl.classify(roof, 1.99), rl.Bound.MEMORY)
        self.assertEqual(rl.classify(roof, 2.0), rl.Bound.COMPUTE)
        self.assertEqual(rl.time_seconds(roof, 4e12, 1e12), 2.0)
        self.assertTrue(math.isinf(rl.arithmetic_intensity(1, 0)))

    def test_hierarchy(self):
        bound = rl.hierarchical_bound(
            1e12, 1e9, [rl.LevelLoad("L2", 4e12, 8e9), rl.LevelLoad("DRAM", 1e12, 1e9)]
        )
        self.assertEqual((bound.limit, bound.seconds), ("L2", 2e-3))

    def test_operations(self):
        saxpy = rl.axpy(1000, "fp32")
        self.assertEqual((saxpy.flops, saxpy.bytes, saxpy.intensity), (2000, 12000, 1 / 6))
        product = rl.gemm(64, 32, 16, "FP64")
        self.assertEqual(product.flops, 2 * 64 * 32 * 16)
        self.assertEqual(product.bytes, 8 * (64 * 16 + 16 * 32 + 64 * 32))
        roof = rl.Roof(1e12, 1e11)
        self.assertEqual(
            rl.time_of_sequence(roof, [saxpy, product]),
            rl.time_seconds(roof, saxpy) + rl.time_seconds(roof, product),
        )


class Machines(unittest.TestCase):
    def test_by_name(self):
        h200 = rl.machine("h200-sxm")
        # NVIDIA's datasheet: 4.8 TB/s, 67 TFLOP/s in FP32, 989 in dense BF16.
        self.assertEqual(h200.bandwidth("DRAM"), 4.8e12)
        self.assertAlmostEqual(h200.peak("fp32", "vector").operations_per_second / 67e12, 1, 2)
        self.assertAlmostEqual(h200.peak("bf16").operations_per_second / 989e12, 1, 2)
        self.assertEqual(h200.peak("bf16").precision, rl.Precision("bf16"))
        self.assertGreater(len(rl.machines()), 20)

    def test_errors_say_what_to_do(self):
        with self.assertRaisesRegex(RuntimeError, "h200-sxm"):
            rl.machine("no-such-machine")
        with self.assertRaisesRegex(ValueError, "fp32"):
            rl.machine("h200-sxm").peak("fp31")
        with self.assertRaisesRegex(ValueError, "positive|above zero"):
            rl.ridge(rl.Roof(0, 1))
        with self.assertRaises(TypeError):
            rl.ridge(3)


class Wheel(unittest.TestCase):
    """What pip installs has these folders of the course's data, and no others."""

    def test_its_data_is_enough(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in os.environ["ROOFLINE_WHEEL_DATA"].split(":"):
                (Path(folder) / name).symlink_to(rl.data_folder() / name)
            with unittest.mock.patch.dict(os.environ, {"ROOFLINE_DATA": folder}):
                prediction = rl.predict("llama-3.1-8b", "h200-sxm", batch=4, context=1000)
                self.assertIsNotNone(prediction.answer.expected)
                self.assertIsNotNone(prediction.joules_per_output_token)
                self.assertGreater(len(rl.machines()), 20)
                self.assertGreater(len(rl.models()), 20)


class Arrays(unittest.TestCase):
    roof = rl.Roof(2e12, 1e12)

    def test_result_is_written_where_it_is_wanted(self):
        intensity = numpy.geomspace(1e-3, 1e5, 1000)
        out = numpy.empty_like(intensity)
        result = rl.attainable(self.roof, intensity, out=out)
        self.assertIs(result, out)
        self.assertEqual(list(out), [rl.attainable(self.roof, x) for x in intensity])
        in_place = intensity.copy()
        self.assertIs(rl.attainable(self.roof, in_place, out=in_place), in_place)
        numpy.testing.assert_array_equal(in_place, out)

    def test_any_layout_is_read_where_it_lies(self):
        table = numpy.geomspace(1e-3, 1e5, 240).reshape(12, 20)
        for view in (table, table.T, table[::2, 3::4], table[::-1], table[3], numpy.array(2.5)):
            result = rl.attainable(self.roof, view)
            self.assertEqual(result.shape, view.shape)
            numpy.testing.assert_array_equal(result, numpy.minimum(2e12, view * 1e12))
        window = numpy.zeros((12, 20))
        rl.attainable(self.roof, table[:, ::2], out=window[:, ::2])
        numpy.testing.assert_array_equal(window[:, 1::2], 0)
        numpy.testing.assert_array_equal(window[:, ::2], numpy.minimum(2e12, table[:, ::2] * 1e12))

    def test_two_arrays(self):
        flops = numpy.array([1e12, 4e12])
        moved = numpy.array([3e12, 1e12])
        numpy.testing.assert_array_equal(rl.time_seconds(self.roof, flops, moved), [3.0, 2.0])

    def test_what_would_need_a_copy_is_refused(self):
        with self.assertRaises(TypeError):
            rl.attainable(self.roof, numpy.ones(3, numpy.float32))
        with self.assertRaises(TypeError):
            rl.attainable(self.roof, [1.0, 2.0])
        with self.assertRaisesRegex(ValueError, "shape"):
            rl.attainable(self.roof, numpy.ones(3), out=numpy.ones(4))
        frozen = numpy.ones(3)
        frozen.setflags(write=False)
        rl.attainable(self.roof, frozen)
        with self.assertRaises(ValueError):
            rl.attainable(self.roof, numpy.ones(3), out=frozen)
        with self.assertRaisesRegex(ValueError, "intensity"):
            rl.attainable(self.roof, numpy.array([1.0, -1.0]))


    def test_messages_name_the_type_and_the_way_out(self):
        for kind in ("f4", "f2", "i8", "c16", "?", "O", "U3", ">f8"):
            with self.assertRaisesRegex(TypeError, r"must hold float64: pass its \.astype"):
                rl.attainable(self.roof, numpy.ones(3).astype(kind))
        with self.assertRaisesRegex(TypeError, "out holds float32"):
            rl.attainable(self.roof, numpy.ones(3), out=numpy.ones(3, numpy.float32))
        with self.assertRaisesRegex(TypeError, "masked"):
            rl.attainable(self.roof, numpy.ma.array([1.0, 2.0], mask=[False, True]))
        with self.assertRaisesRegex(ValueError, "another shape"):
            rl.time_seconds(self.roof, numpy.ones(3), numpy.ones(4))
        with self.assertRaisesRegex(ValueError, "nan"):
            rl.attainable(self.roof, numpy.array([1.0, math.nan]))

    def test_empty_and_unaligned_arrays(self):
        for shape in ((0,), (0, 3), (3, 0)):
            self.assertEqual(rl.attainable(self.roof, numpy.empty(shape)).shape, shape)
        shifted = numpy.zeros(3 * 8 + 1, numpy.uint8)[1:].view(numpy.float64)
        shifted[:] = [0.5, 1.0, 8.0]
        self.assertEqual(list(rl.attainable(self.roof, shifted)), [5e11, 1e12, 2e12])

    def test_results_do_not_overwrite_what_is_still_to_be_read(self):
        values = numpy.arange(1.0, 11.0)
        for out, source in ((values[1:], values[:-1]), (values, values[::-1])):
            with self.assertRaisesRegex(ValueError, "overlaps"):
                rl.attainable(self.roof, source, out=out)
        numpy.testing.assert_array_equal(values, numpy.arange(1.0, 11.0))
        rl.attainable(self.roof, values[::2], out=values[1::2])  # interleaved, but not overlapping
        numpy.testing.assert_array_equal(values[1::2], [1e12, 2e12, 2e12, 2e12, 2e12])


class OddInputs(unittest.TestCase):
    def test_numbers(self):
        for bad in (-1, 0, math.nan, math.inf):
            for call in (rl.axpy, rl.dot, rl.gelu):
                with self.assertRaisesRegex(ValueError, "size|elements"):
                    call(bad, "fp32")
            with self.assertRaises(ValueError):
                rl.gemm(4, 4, bad, "fp32")
            with self.assertRaises(ValueError):
                rl.ridge(rl.Roof(1e12, bad))
        # Two wrong halves do not make a right whole.
        with self.assertRaisesRegex(ValueError, "bytes read"):
            rl.Operation("x", 1, -1, 1)
        for number in (-1, 99):
            with self.assertRaisesRegex(ValueError, str(number)):
                rl.Precision(number)
            with self.assertRaisesRegex(ValueError, str(number)):
                rl.Unit(number)
        self.assertEqual(rl.Precision(int(rl.Precision("bf16"))), rl.Precision("bf16"))

    def test_names_of_machines(self):
        for wrong in (None, 3, 2.5, ["h200-sxm"]):
            for find in (rl.machine, rl.model):
                with self.assertRaisesRegex(TypeError, type(wrong).__name__):
                    find(wrong)
        with self.assertRaisesRegex(TypeError, "Machine"):
            rl.predict(rl.machine("h200-sxm"), "h200-sxm", context=1)

    def test_quantities(self):
        self.assertAlmostEqual(rl.parse_quantity("40 us", "s"), 40e-6, 15)
        with self.assertRaisesRegex(ValueError, "bytes"):
            rl.parse_quantity("3 GB", "s")

    def test_predictions(self):
        def predict(**arguments):
            return rl.predict("llama-3.1-8b", "h200-sxm", **{"context": 1024, **arguments})

        for name in ("batch", "prompt", "output", "context", "weight_efficiency", "memory_fraction"):
            for wrong in ("x", [1], 3j, numpy.ones(2)):
                with self.assertRaisesRegex(TypeError, name):
                    predict(**{name: wrong})
            for wrong in (-1, math.nan, math.inf):
                with self.assertRaises(ValueError):
                    predict(**{name: wrong})
        with self.assertRaisesRegex(ValueError, "per_kernel: .*bytes"):
            predict(per_kernel="3 GB")
        with self.assertRaisesRegex(ValueError, "allreduce_bandwidth"):
            predict(tp=2, allreduce_latency="1 us", allreduce_bandwidth="3 s")
        with self.assertRaises(TypeError):
            predict(tp=1.5)
        prediction = predict()
        self.assertEqual(copy.copy(prediction).tokens_per_second, prediction.tokens_per_second)
        with self.assertRaises(AttributeError):
            prediction.no_such_figure

    def test_charts(self):
        chart = rl.chart_of(rl.machine("h200-sxm"), ["fp32"])
        for bad in (0, -1, math.nan, math.inf):
            with self.assertRaisesRegex(ValueError, "intensity of k"):
                chart.add("k", bad, 1e12)
            with self.assertRaisesRegex(ValueError, "rate of k"):
                chart.add("k", 1, bad)
        self.assertEqual(chart.points, [])


class Counting(unittest.TestCase):
    def test_what_failed_is_not_counted(self):
        counts = rl.Counts()
        frozen = numpy.ones(3)
        frozen.setflags(write=False)
        array = rl.counted(numpy.ones(3), counts)
        for target, index, value, error in (
            (array, 7, 1.0, IndexError),
            (array, 0, "x", ValueError),
            (array, 0, None, TypeError),
            (rl.counted(frozen, counts), 0, 1.0, ValueError),
        ):
            with self.assertRaises(error):
                target[index] = value
        self.assertEqual(counts.stores, 0)
        with self.assertRaisesRegex(TypeError, "masked"):
            rl.counted(numpy.ma.ones(3), counts)
        with self.assertRaisesRegex(TypeError, "Counts"):
            rl.counted(numpy.ones(3), None)

    def test_a_loop(self):
        x, y = numpy.ones(10, numpy.float32), numpy.ones(10)
        counts = rl.Counts()
        a, b = rl.counted(x, counts), rl.counted(y, counts)
        for i in range(len(a)):
            b[i] = 2.0 * a[i] + b[i] / 4 - 1
        self.assertEqual((counts.additions, counts.multiplications, counts.divisions), (20, 10, 10))
        self.assertEqual((counts.loads, counts.stores), (20, 10))
        self.assertEqual(counts.bytes, 10 * (4 + 8 + 8))
        self.assertEqual(counts.intensity, 40 / 200)
        numpy.testing.assert_array_equal(y, 1.25)

    def test_rows_and_refusals(self):
        counts = rl.Counts()
        table = rl.counted(numpy.ones((3, 4)), counts)
        self.assertEqual(float(table[1][2] + table[0, 0]), 2.0)
        self.assertEqual(counts.loads, 2)
        self.assertTrue(math.isinf(rl.Counts().intensity))
        with self.assertRaises(TypeError):
            table[0] = 1.0
        with self.assertRaises(TypeError):
            rl.counted(numpy.ones(3, numpy.int32), counts)


class Documentation(unittest.TestCase):
    def test_everything_public_is_explained(self):
        for name in rl.__all__:
            value = getattr(rl, name)
            if name == "built_data_folder":
                continue
            self.assertTrue(value.__doc__, name)
            if not inspect.isclass(value) or hasattr(value, "__members__"):
                continue
            for member, attribute in vars(value).items():
                if isinstance(attribute, property):
                    self.assertTrue(attribute.__doc__, f"{name}.{member}")

    def test_names_say_the_unit_or_the_docstring_does(self):
        units = ("B", "s", "FLOP", "Hz", "FLOP/s", "B/s", "FLOP/B")
        for name in ("ridge", "attainable", "time_seconds", "weight_bytes", "kv_bytes"):
            words = getattr(rl, name).__doc__.replace(",", " ").replace(".", " ").split()
            self.assertTrue(any(word in units for word in words), name)


if __name__ == "__main__":
    unittest.main()
