# SPDX-License-Identifier: MIT
"""Continues a text with a trained model, greedily or by sampling at a temperature.

Usage: sample.py FOLDER PROMPT [--temperature T] [--tokens N] [--seed S]
"""

import argparse
import json
import os

import torch

from bpe import Tokenizer
from model import Decoder, read_safetensors


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("folder", help="config.json, tokenizer.json and model.safetensors are there")
    options.add_argument("prompt")
    options.add_argument("--temperature", type=float, default=0.8, help="0 is greedy")
    options.add_argument("--tokens", type=int, default=100)
    options.add_argument("--seed", type=int, default=1)
    o = options.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(o.seed)
    with open(os.path.join(o.folder, "config.json"), encoding="utf-8") as file:
        config = json.load(file)
    decoder = Decoder(config)
    decoder.load_state_dict(read_safetensors(os.path.join(o.folder, "model.safetensors")))
    tokenizer = Tokenizer.read(os.path.join(o.folder, "tokenizer.json"))
    ids = tokenizer.encode(o.prompt)
    for _ in range(o.tokens):
        with torch.no_grad():
            logits = decoder(torch.tensor([ids[-config["max_position_embeddings"] :]]))[0, -1]
        if o.temperature > 0:
            ids.append(int((logits / o.temperature).softmax(-1).multinomial(1)))
        else:
            ids.append(int(logits.argmax()))
        if ids[-1] == tokenizer.end_of_text:
            break
    print(tokenizer.decode(ids))


if __name__ == "__main__":
    main()
