# SPDX-License-Identifier: MIT
"""Trains the course's own language model on the King James text of Debian's package bible-kjv-text.

Writes config.json, tokenizer.json, model.safetensors (bf16) and loss.csv to --out. Needs python3-torch,
python3-regex, bible-kjv and bible-kjv-text. A run ends after --minutes: the learning rate follows the
clock, so that it has come down by then, on any machine.
"""

import argparse
import csv
import json
import math
import os
import re
import subprocess
import time

import torch
from torch.nn import functional

from bpe import Tokenizer, learn
from model import CONFIG, Decoder, read_safetensors, write_safetensors

TOKENS = 256  # per sequence
WARM_UP = 100  # steps


def chapters():
    """The text of each chapter, one verse per line, without numbers."""
    verses = subprocess.run(
        ["bible", "-f", "gen1:1-rev22:21"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
    found = {}
    for verse in verses:
        place, text = re.fullmatch(r"(\w+:)\d+ (.*)", verse).groups()
        found.setdefault(place, []).append(text)
    return ["\n".join(lines) + "\n" for lines in found.values()]


def token_stream(tokenizer, texts):
    ids = []
    for text in texts:
        ids += [tokenizer.end_of_text, *tokenizer.encode(text)]
    return torch.tensor(ids)


def mean_loss(decoder, ids, device):
    """Over all complete sequences, in nats per token."""
    sequences = ids[: len(ids) // TOKENS * TOKENS].view(-1, TOKENS).to(device)
    with torch.no_grad():
        losses = [
            functional.cross_entropy(decoder(part[:, :-1]).flatten(0, 1), part[:, 1:].flatten()) * len(part)
            for part in sequences.split(16)
        ]
    return float(sum(losses)) / len(sequences)


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--out", required=True, help="folder of the model's files")
    options.add_argument("--minutes", type=float, default=30)
    options.add_argument("--batch", type=int, default=8, help="sequences a step")
    options.add_argument("--rate", type=float, default=2e-3, help="highest learning rate")
    options.add_argument("--from", dest="earlier", help="model.safetensors of an earlier run, to go on with")
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--threads", type=int, default=os.cpu_count())
    options.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    o = options.parse_args()
    torch.set_num_threads(o.threads)
    torch.manual_seed(o.seed)
    os.makedirs(o.out, exist_ok=True)

    texts = chapters()
    held_out = texts[10::20]
    texts = [text for i, text in enumerate(texts) if i % 20 != 10]
    tokenizer = Tokenizer(learn("".join(texts), CONFIG["vocab_size"]))
    assert tokenizer.end_of_text == CONFIG["eos_token_id"]
    tokenizer.write(os.path.join(o.out, "tokenizer.json"))
    with open(os.path.join(o.out, "config.json"), "w", encoding="utf-8") as file:
        json.dump(CONFIG, file, indent=2)
        file.write("\n")
    training, validation = token_stream(tokenizer, texts), token_stream(tokenizer, held_out)
    bytes_a_token = len("".join(held_out).encode()) / len(validation)
    print(f"{len(training)} tokens to train on, {len(validation)} held out, "
          f"{bytes_a_token:.3f} bytes a token", flush=True)

    decoder = Decoder(CONFIG)
    if o.earlier:
        decoder.load_state_dict(read_safetensors(o.earlier))
    decoder.to(o.device)
    print(f"{sum(p.numel() for p in decoder.parameters())} parameters", flush=True)
    matrices = [p for p in decoder.parameters() if p.dim() == 2]
    vectors = [p for p in decoder.parameters() if p.dim() == 1]
    optimizer = torch.optim.AdamW(
        [{"params": matrices, "weight_decay": 0.1}, {"params": vectors, "weight_decay": 0.0}],
        lr=o.rate, betas=(0.9, 0.95))
    rows, step, recent = [], 0, []
    start = time.monotonic()
    while True:
        done = min((time.monotonic() - start) / (60 * o.minutes), 1)
        if step % 50 == 0 or done == 1:
            loss = mean_loss(decoder, validation if done == 1 else validation[: 32 * TOKENS], o.device)
            train = sum(recent) / len(recent) if recent else math.nan
            rows.append([step, step * o.batch * TOKENS, f"{train:.4f}" if recent else "", f"{loss:.4f}",
                         f"{time.monotonic() - start:.0f}"])
            recent = []
            print(f"step {step}: training {train:.3f}, held out {loss:.3f} nats a token, "
                  f"{loss / math.log(2) / bytes_a_token:.3f} bits a byte, {100 * done:.0f} %", flush=True)
        if done == 1:
            break
        for group in optimizer.param_groups:
            group["lr"] = o.rate * min(1, (step + 1) / WARM_UP) * (0.05 + 0.475 * (1 + math.cos(math.pi * done)))
        begins = torch.randint(len(training) - TOKENS - 1, (o.batch,))
        ids = torch.stack([training[b : b + TOKENS + 1] for b in begins]).to(o.device)
        loss = functional.cross_entropy(decoder(ids[:, :-1]).flatten(0, 1), ids[:, 1:].flatten())
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(decoder.parameters(), 1.0)
        optimizer.step()
        recent.append(float(loss))
        step += 1
        if step % 200 == 0:
            write_safetensors(decoder, os.path.join(o.out, "model.safetensors"))
    write_safetensors(decoder, os.path.join(o.out, "model.safetensors"))
    with open(os.path.join(o.out, "loss.csv"), "w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["step", "tokens_seen", "training_nats", "held_out_nats", "seconds"])
        writer.writerows(rows)


if __name__ == "__main__":
    main()
