# SPDX-License-Identifier: MIT
"""Byte-level BPE in plain Python: learns merges, and reads and writes tokenizer.json.

The pre-tokenizer and the map from bytes to letters are GPT-2's (Radford et al., "Language Models are
Unsupervised Multitask Learners", 2019, encoder.py), so that other tools read the file. Needs Debian's
python3-regex: Python's own `re` has no classes of Unicode letters and numbers.
"""

import collections
import json

import regex

PIECES = regex.compile(
    r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
)
END_OF_TEXT = "<|endoftext|>"


def byte_letters():
    """A printable character for each byte: itself if printable, otherwise one from U+0100 on."""
    printable = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    letters = {byte: chr(byte) for byte in printable}
    for byte in range(256):
        letters.setdefault(byte, chr(0x100 + len(letters) - len(printable)))
    return letters


LETTERS = byte_letters()
BYTES = {letter: byte for byte, letter in LETTERS.items()}


def learn(text, vocabulary_size):
    """The merges, most frequent pair first; ties go to the pair that sorts first."""
    words = [
        ([LETTERS[b] for b in piece.encode()], count)
        for piece, count in collections.Counter(PIECES.findall(text)).items()
    ]
    merges = []
    while 256 + len(merges) + 1 < vocabulary_size:
        pairs = collections.Counter()
        for word, count in words:
            for pair in zip(word, word[1:]):
                pairs[pair] += count
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        merges.append(best)
        for word, _ in words:
            merge(word, best)
    return merges


def merge(word, pair):
    """Joins every occurrence of the pair in the list, from the left."""
    i = 0
    while i + 1 < len(word):
        if (word[i], word[i + 1]) == pair:
            word[i : i + 2] = ["".join(pair)]
        i += 1


class Tokenizer:
    """Text to ids and back. Ids: 256 bytes, then one per merge, then the end of a text."""

    def __init__(self, merges):
        self.merges = [tuple(pair) for pair in merges]
        tokens = [LETTERS[b] for b in sorted(LETTERS, key=lambda b: LETTERS[b])]
        tokens += ["".join(pair) for pair in self.merges] + [END_OF_TEXT]
        self.ids = {token: i for i, token in enumerate(tokens)}
        self.tokens = tokens
        self.ranks = {pair: rank for rank, pair in enumerate(self.merges)}
        self.end_of_text = self.ids[END_OF_TEXT]
        self.known = {}

    @classmethod
    def read(cls, path):
        with open(path, encoding="utf-8") as file:
            model = json.load(file)["model"]
        tokenizer = cls(merge.split(" ") for merge in model["merges"])
        if tokenizer.ids != {**model["vocab"], END_OF_TEXT: tokenizer.end_of_text}:
            raise ValueError(f"{path}: another order of tokens than this program's")
        return tokenizer

    def write(self, path):
        special = {
            "id": self.end_of_text, "content": END_OF_TEXT, "special": True, "normalized": False,
            "single_word": False, "lstrip": False, "rstrip": False,
        }
        byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
        content = {
            "version": "1.0", "truncation": None, "padding": None, "added_tokens": [special],
            "normalizer": None, "pre_tokenizer": byte_level, "post_processor": None,
            "decoder": byte_level,
            "model": {
                "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                "vocab": {t: i for t, i in self.ids.items() if t != END_OF_TEXT},
                "merges": [" ".join(pair) for pair in self.merges],
            },
        }
        with open(path, "w", encoding="utf-8") as file:
            json.dump(content, file, ensure_ascii=False, indent=1)
            file.write("\n")

    def encode_piece(self, piece):
        if piece not in self.known:
            word = [LETTERS[b] for b in piece.encode()]
            while len(word) > 1:
                best = min(zip(word, word[1:]), key=lambda pair: self.ranks.get(pair, len(self.ranks)))
                if best not in self.ranks:
                    break
                merge(word, best)
            self.known[piece] = [self.ids[token] for token in word]
        return self.known[piece]

    def encode(self, text):
        """Ids of the text; the end of a text is written as itself."""
        ids = []
        for i, part in enumerate(text.split(END_OF_TEXT)):
            if i > 0:
                ids.append(self.end_of_text)
            for piece in PIECES.findall(part):
                ids += self.encode_piece(piece)
        return ids

    def decode(self, ids):
        text = b""
        for i in ids:
            token = self.tokens[i]
            text += token.encode() if i == self.end_of_text else bytes(BYTES[c] for c in token)
        return text.decode("utf-8", errors="replace")
