# SPDX-License-Identifier: MIT
"""What the engine must say: tokens, logits and greedy continuations, computed by PyTorch in float32.

Writes expected.json next to a model's files, from those files alone.
Usage: make_expected.py FOLDER
"""

import json
import os
import sys

import torch

from bpe import Tokenizer
from model import Decoder, read_safetensors

PROMPTS = [
    "And God said",
    "In the beginning",
    "The LORD is my shepherd; I shall not want. He maketh me to lie down in green pastures:",
    "And it came to pass, when Joshua was old, that he called for all Israel, and for their elders, "
    "and for their heads, and for their judges, and for their officers, and said unto them, I am old.\n",
    "Blessed are the naïve – 3.14 ☕",
    "A",
]
TEXTS = [
    "", " ", "  ", "   two   spaces  ", "\n", "\n\nand\n", "a\tb", "And God said, Let there be light.",
    "don't we'll they're I'm he'd you've it's", "DON'T", "1 22 333 4444", "3.14159", "x=y+1;", "naïve café",
    "☕ and 日本語", "\u00a0no-break", "trailing ", "<|endoftext|>", "one<|endoftext|>two", "¹²³ ½ Ⅷ",
]
NEW_TOKENS = 40


def top(logits, count):
    values, ids = logits.topk(count)
    return ids.tolist(), [round(float(value), 5) for value in values]


def continued(decoder, tokenizer, prompt):
    ids = tokenizer.encode(prompt)
    logits = decoder(torch.tensor([ids]))[0, -1]
    top_ids, top_logits = top(logits, 5)
    greedy, margin = [], float("inf")
    for _ in range(NEW_TOKENS):
        (first, _), (best, second) = top(logits, 2)
        margin = min(margin, best - second)
        greedy.append(first)
        logits = decoder(torch.tensor([ids + greedy]))[0, -1]
    return {
        "text": prompt, "ids": ids, "top_ids": top_ids, "top_logits": top_logits, "greedy_ids": greedy,
        "greedy_text": tokenizer.decode(greedy), "min_margin": round(margin, 5),
    }


def main():
    folder = sys.argv[1]
    with open(os.path.join(folder, "config.json"), encoding="utf-8") as file:
        decoder = Decoder(json.load(file))
    decoder.load_state_dict(read_safetensors(os.path.join(folder, "model.safetensors")))
    tokenizer = Tokenizer.read(os.path.join(folder, "tokenizer.json"))
    for text in TEXTS:
        assert tokenizer.decode(tokenizer.encode(text)) == text, text
    with torch.no_grad():
        prompts = [continued(decoder, tokenizer, prompt) for prompt in PROMPTS]
    content = {"prompts": prompts, "tokenizer": [{"text": t, "ids": tokenizer.encode(t)} for t in TEXTS]}
    with open(os.path.join(folder, "expected.json"), "w", encoding="utf-8") as file:
        json.dump(content, file, ensure_ascii=False, indent=1)
        file.write("\n")


if __name__ == "__main__":
    main()
