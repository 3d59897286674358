# SPDX-License-Identifier: MIT
"""The package: bounds, arrays without copies, types, errors, docstrings."""

import inspect
import math
import unittest

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


class Counting(unittest.TestCase):
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
