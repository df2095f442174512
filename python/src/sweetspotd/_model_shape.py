# SPDX-License-Identifier: Apache-2.0
"""Layers, width and type of a model, from its Hugging Face configuration or from the model itself.

The spellings are those that `sweetspot --model` knows; one table of samples in the repository holds both against each other.
"""

from __future__ import annotations

import json
import os
from typing import Any, Dict, Mapping, NamedTuple, Optional, Sequence

# In the order of preference: some configurations repeat one number under several names.
_LAYER_KEYS = ("num_hidden_layers", "n_layer", "n_layers", "num_layers", "num_transformer_layers")
_ENCODER_KEYS = ("encoder_layers", "num_encoder_layers", "num_layers")
_DECODER_KEYS = ("decoder_layers", "num_decoder_layers")
_WIDTH_KEYS = ("hidden_size", "n_embd", "d_model", "dim", "emb_dim", "n_embed", "model_dim")
# Where a multimodal model keeps its text part.
_TEXT_PARTS = ("text_config", "llm_config", "language_config", "thinker_config")
# What wraps a model: data parallelism, torch.compile, adapters.
_WRAPPERS = ("module", "_orig_mod", "base_model", "model")
_MOST = 1_000_000


class ModelShape(NamedTuple):
    """What a policy may ask of a model. None: not found."""

    layers: Optional[int] = None
    hidden_size: Optional[int] = None
    model_type: Optional[str] = None


def model_shape(model: Any) -> ModelShape:
    """The shape of a model, of its config, of a config.json or of the folder that holds one.

    A model without a Hugging Face config is looked at itself: its longest list of equal blocks are its layers. Raises OSError
    or ValueError for a file that cannot be read or understood; whatever else is unknown is None.
    """
    if isinstance(model, (str, os.PathLike)):
        return _shape_of_file(os.fspath(model))
    config = _config_of(model)
    if config is not None:
        return _shape(config)
    return _shape_of_modules(model)


def _shape_of_file(path: str) -> ModelShape:
    file = os.path.join(path, "config.json") if os.path.isdir(path) else path
    with open(file, encoding="utf-8") as text:
        config = json.load(text)
    if not isinstance(config, dict):
        raise ValueError(f"{file}: not a JSON object; expected a model's config.json")
    return _shape(config)


def _config_of(model: Any) -> Optional[Dict[str, Any]]:
    if isinstance(model, Mapping):
        return dict(model)
    for _ in range(len(_WRAPPERS)):
        config = model if hasattr(model, "to_dict") else getattr(model, "config", None)
        if config is not None and hasattr(config, "to_dict"):
            return dict(config.to_dict())
        if isinstance(config, Mapping):
            return dict(config)
        inner = next((getattr(model, name) for name in _WRAPPERS if hasattr(model, name)), None)
        if inner is None:
            return None
        model = inner
    return None


def _count_at(config: Mapping[str, Any], keys: Sequence[str]) -> Optional[int]:
    for key in keys:
        value = config.get(key)
        if isinstance(value, int) and not isinstance(value, bool) and 1 <= value <= _MOST:
            return value
    return None


def _layers(config: Mapping[str, Any]) -> Optional[int]:
    both = config.get("is_encoder_decoder")
    encoder = _count_at(config, _ENCODER_KEYS)
    decoder = _count_at(config, _DECODER_KEYS)
    if (both is True or "is_encoder_decoder" not in config) and encoder and decoder:
        return encoder + decoder
    if both is True and encoder:
        return 2 * encoder  # T5's decoder is as deep unless it says so
    return _count_at(config, _LAYER_KEYS) or encoder or decoder


def _shape(config: Mapping[str, Any]) -> ModelShape:
    shape = ModelShape()
    for part in _TEXT_PARTS:
        if shape.layers is None and isinstance(config.get(part), Mapping):
            shape = _shape(config[part])
    encoder, decoder = config.get("encoder"), config.get("decoder")
    if shape.layers is None and isinstance(encoder, Mapping) and isinstance(decoder, Mapping):
        first, second = _shape(encoder), _shape(decoder)
        shape = first._replace(layers=first.layers + second.layers if first.layers and second.layers else None)
    if shape.layers is None:
        shape = shape._replace(layers=_layers(config))
    if shape.hidden_size is None:
        shape = shape._replace(hidden_size=_count_at(config, _WIDTH_KEYS))
    kind = config.get("model_type")
    return shape._replace(model_type=kind) if isinstance(kind, str) and kind else shape


def _shape_of_modules(model: Any) -> ModelShape:
    modules = getattr(model, "modules", None)
    if not callable(modules):
        return ModelShape()
    longest = 0
    for module in modules():
        if type(module).__name__ not in ("ModuleList", "Sequential"):
            continue
        blocks = list(module)
        # Equal blocks that are made of parts themselves; a list of plain linear layers is no transformer.
        if blocks and len({type(block) for block in blocks}) == 1 and any(True for _ in blocks[0].children()):
            longest = max(longest, len(blocks))
    return ModelShape(layers=longest or None)


