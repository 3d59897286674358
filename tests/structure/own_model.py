# SPDX-License-Identifier: MIT
"""The course's own model: names, shapes and sizes in model.safetensors are those of config.json."""

import json
import os
import struct
import sys

LARGEST_BYTES = 8_000_000


def shapes_of(c):
    """Every tensor's shape by its name in Hugging Face's files; the head is the embedding's."""
    hidden, inner = c["hidden_size"], c["intermediate_size"]
    queries, keys = (c[name] * c["head_dim"] for name in ("num_attention_heads", "num_key_value_heads"))
    layer = {
        "input_layernorm": [hidden], "post_attention_layernorm": [hidden],
        "self_attn.q_proj": [queries, hidden], "self_attn.k_proj": [keys, hidden],
        "self_attn.v_proj": [keys, hidden], "self_attn.o_proj": [hidden, queries],
        "mlp.gate_proj": [inner, hidden], "mlp.up_proj": [inner, hidden], "mlp.down_proj": [hidden, inner],
    }
    shapes = {"model.embed_tokens.weight": [c["vocab_size"], hidden], "model.norm.weight": [hidden]}
    for i in range(c["num_hidden_layers"]):
        shapes |= {f"model.layers.{i}.{name}.weight": shape for name, shape in layer.items()}
    return shapes


def read_json(folder, name):
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        return json.load(file)


def main():
    folder = sys.argv[1]
    config = read_json(folder, "config.json")
    assert config["model_type"] == "llama" and config["tie_word_embeddings"], "a tied Llama was expected"

    with open(os.path.join(folder, "model.safetensors"), "rb") as file:
        content = file.read()
    assert len(content) <= LARGEST_BYTES, f"{len(content)} bytes, at most {LARGEST_BYTES} are allowed"
    (size,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + size])
    header.pop("__metadata__", None)
    wanted = shapes_of(config)
    for name in sorted(header.keys() | wanted.keys()):
        shape = header[name]["shape"] if name in header else None
        assert shape == wanted.get(name), f"{name}: {shape}, config.json says {wanted.get(name)}"
    end = 0
    for name, entry in sorted(header.items(), key=lambda item: item[1]["data_offsets"]):
        count = 1
        for extent in entry["shape"]:
            count *= extent
        assert entry["dtype"] == "BF16", f"{name}: {entry['dtype']}"
        assert entry["data_offsets"] == [end, end + 2 * count], f"{name}: {entry['data_offsets']}"
        end += 2 * count
    assert 8 + size + end == len(content), "the file does not end with its last tensor"

    tokenizer = read_json(folder, "tokenizer.json")
    ids = [*tokenizer["model"]["vocab"].values(), *(token["id"] for token in tokenizer["added_tokens"])]
    assert sorted(ids) == list(range(config["vocab_size"])), "ids are not 0 to vocab_size - 1, once each"
    assert config["bos_token_id"] in ids and config["eos_token_id"] in ids


if __name__ == "__main__":
    main()
