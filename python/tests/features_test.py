# SPDX-License-Identifier: Apache-2.0
"""What is read from models and data: the same as the command line reads, and without changing anything."""

import json
import random
import unittest

from support import ROOT, governed_board

import sweetspotd

CONFIGS = ROOT / "tests/data/model-configs"


class ModelShape(unittest.TestCase):
    def test_every_family_is_read_as_the_command_line_reads_it(self):
        table = json.loads((CONFIGS / "expected.json").read_text(encoding="utf-8"))
        for family, expected in table.items():
            with self.subTest(family):
                shape = sweetspotd.model_shape(CONFIGS / family)
                if "error" in expected:
                    self.assertIsNone(shape.layers)
                    continue
                found = (shape.model_type or "", shape.layers, shape.hidden_size or 0)
                self.assertEqual(found, (expected["model_type"], expected["layers"], expected["hidden_size"]))

    def test_a_wrapped_model_is_unwrapped(self):
        class Config:
            def to_dict(self):
                return {"model_type": "bert", "num_hidden_layers": 3, "hidden_size": 64}

        class Model:
            config = Config()

        class Parallel:
            module = Model()

        self.assertEqual(sweetspotd.model_shape(Parallel()), (3, 64, "bert"))

    def test_what_is_no_model_has_no_shape(self):
        self.assertEqual(sweetspotd.model_shape(object()), (None, None, None))


class MeanSequenceLength(unittest.TestCase):
    def test_padding_is_not_counted(self):
        items = [{"input_ids": [5, 6, 7, 0], "attention_mask": [1, 1, 1, 0]}, {"input_ids": [5], "attention_mask": [1]}]
        self.assertEqual(sweetspotd.mean_sequence_length(items), 2)

    def test_the_padding_token_counts_nowhere(self):
        self.assertEqual(sweetspotd.mean_sequence_length([{"input_ids": [5, 0, 0]}], pad_token_id=0), 1)

    def test_the_sample_is_bounded_and_spread(self):
        class Counting(list):
            looked_at = 0

            def __getitem__(self, index):
                type(self).looked_at += 1
                return super().__getitem__(index)

        items = Counting({"input_ids": [1] * (1 if index < 5000 else 3)} for index in range(10_000))
        self.assertAlmostEqual(sweetspotd.mean_sequence_length(items, sample=100), 2, places=1)
        self.assertLessEqual(Counting.looked_at, 101)

    def test_a_stream_is_not_consumed(self):
        stream = iter([{"input_ids": [1]}] * 3)
        self.assertIsNone(sweetspotd.mean_sequence_length(stream))
        self.assertEqual(len(list(stream)), 3)

    def test_random_numbers_drawn_by_the_data_are_drawn_again_by_the_training(self):
        class Noisy:
            def __len__(self):
                return 4

            def __getitem__(self, index):
                return {"input_ids": [1] * random.randint(1, 9)}

        random.seed(7)
        expected = random.random()
        random.seed(7)
        sweetspotd.mean_sequence_length(Noisy())
        self.assertEqual(random.random(), expected)

    def test_a_loader_that_tokenises_in_its_collator_is_asked_through_it(self):
        class Loader:
            dataset = ["a b c", "a"]

            @staticmethod
            def collate_fn(texts):
                return {"input_ids": [text.split() for text in texts]}

        self.assertEqual(sweetspotd.mean_sequence_length(Loader()), 2)


class Clock(unittest.TestCase):
    def test_every_unit_is_understood(self):
        for clock in ("612MHz", "0.612 GHz", "612000000", 612_000_000):
            self.assertEqual(sweetspotd.job_spec(clock=clock), {"frequency_hz": 612_000_000})

    def test_megahertz_without_their_unit_are_refused(self):
        for clock in ("612", 612, "fast", ""):
            with self.assertRaises(ValueError):
                sweetspotd.job_spec(clock=clock)


if __name__ == "__main__":
    governed_board.main()
