# SPDX-License-Identifier: Apache-2.0
"""The mean length of the sequences a training will see, in tokens, special tokens included, padding not.

Looks at a bounded sample, evenly spread over the data, and changes nothing: streams are not consumed, the order of nothing
changes, and every random generator is afterwards where it was, so that a training with and without this gives the same losses.
"""

from __future__ import annotations

import contextlib
import random
import sys
from typing import Any, Iterable, Iterator, List, Mapping, Optional, Sequence

SAMPLE = 512
"""Sequences looked at, at most: the mean of so many is within some per cent, and the tree's thresholds lie far apart."""


def mean_sequence_length(
    data: Any, *, tokenizer: Any = None, pad_token_id: Optional[int] = None, sample: int = SAMPLE
) -> Optional[float]:
    """The mean over a data loader's or a data set's sequences; None where they cannot be looked at without consuming them.

    `tokenizer` is used where the items are texts; its padding token, or `pad_token_id`, is not counted where items have no
    attention_mask.
    """
    if pad_token_id is None:
        pad_token_id = getattr(tokenizer, "pad_token_id", None)
    with _random_states_kept():
        lengths: List[int] = []
        for item in _items(data, sample):
            lengths += _lengths(item, tokenizer, pad_token_id)
            if len(lengths) >= sample:
                break
    return sum(lengths) / len(lengths) if lengths else None


def batch_lengths(batch: Any, pad_token_id: Optional[int] = None) -> List[int]:
    """The lengths of the sequences in a batch as it comes out of a loader; empty where it shows none."""
    return _lengths(batch, None, pad_token_id)


def _items(data: Any, sample: int) -> Iterator[Any]:
    """Items of the data, evenly spread, the first of them when it can only be read from the beginning."""
    source = getattr(data, "dataset", data)
    try:
        count = len(source)
    except TypeError:
        # An iterable that can be started anew is not consumed by that: only Hugging Face's streams promise it.
        if type(source).__module__.partition(".")[0] == "datasets" and hasattr(source, "take"):
            yield from source.take(sample)
        return
    if count == 0:
        return
    collate = getattr(data, "collate_fn", None)
    shown = _shows_tokens(source[0])
    for index in _spread(count, sample):
        item = source[index]
        yield item if shown or collate is None else collate([item])


def _spread(count: int, sample: int) -> Iterable[int]:
    if count <= sample:
        return range(count)
    return (index * count // sample for index in range(sample))


def _shows_tokens(item: Any) -> bool:
    return isinstance(item, Mapping) and ("attention_mask" in item or "input_ids" in item)


def _lengths(item: Any, tokenizer: Any, pad: Optional[int]) -> List[int]:
    if isinstance(item, Mapping) or hasattr(item, "keys"):
        if "attention_mask" in item:
            return [sum(1 for token in row if token) for row in _rows(item["attention_mask"])]
        if "input_ids" in item:
            return [sum(1 for token in row if token != pad) for row in _rows(item["input_ids"])]
        texts = [value for value in item.values() if isinstance(value, str)]
        return [_text_length(texts, tokenizer)] if texts and tokenizer is not None else []
    if isinstance(item, str):
        return [_text_length([item], tokenizer)] if tokenizer is not None else []
    if isinstance(item, (tuple, list)) and item:
        # (inputs, labels), as plain PyTorch data sets give them; or a bare list of tokens.
        if all(isinstance(token, int) for token in item):
            return [sum(1 for token in item if token != pad)]
        first = item[0]
        if isinstance(first, (Mapping, str)) or hasattr(first, "keys"):
            return _lengths(first, tokenizer, pad)
        item = first
    if _holds_whole_numbers(item):
        return [sum(1 for token in row if token != pad) for row in _rows(item)]
    return []


def _text_length(texts: Sequence[str], tokenizer: Any) -> int:
    # Two texts are a pair, as in GLUE; a third column is no part of the input.
    return len(tokenizer(*texts[:2], truncation=True)["input_ids"])


def _holds_whole_numbers(value: Any) -> bool:
    """A tensor or an array of token numbers, not one of pixels or of samples of sound."""
    kind = str(getattr(value, "dtype", ""))
    return "int" in kind and getattr(value, "ndim", 0) in (1, 2)


def _rows(value: Any) -> List[List[int]]:
    """Nested lists of tokens from a list, an array or a tensor of one or two dimensions."""
    plain = value.tolist() if hasattr(value, "tolist") else list(value)
    if plain and not isinstance(plain[0], (list, tuple)):
        return [plain]
    return [list(row) for row in plain]


@contextlib.contextmanager
def _random_states_kept() -> Iterator[None]:
    """Data sets and collators may draw random numbers; the training must not see that they did."""
    torch, numpy = sys.modules.get("torch"), sys.modules.get("numpy")
    python_state = random.getstate()
    numpy_state = numpy.random.get_state() if numpy is not None else None
    torch_state = torch.random.get_rng_state() if torch is not None else None
    cuda_states = torch.cuda.get_rng_state_all() if torch is not None and torch.cuda.is_initialized() else None
    try:
        yield
    finally:
        random.setstate(python_state)
        if numpy is not None:
            numpy.random.set_state(numpy_state)
        if torch is not None:
            torch.random.set_rng_state(torch_state)
        if torch is not None and cuda_states is not None:
            torch.cuda.set_rng_state_all(cuda_states)
