#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes tokenizers.json next to this file: small tokenizers of the kinds that GPT-2, Llama 2,
Llama 3, Qwen 2 and SmolLM use, texts, and their tokens by another implementation. That one splits texts with the module
regex (Debian: python3-regex) and the expressions from the models' files, composes characters with
unicodedata, and merges one pair at a time in the few lines below. Needs Unicode 14 or later."""
import json
import pathlib
import random
import unicodedata

import regex

GPT2 = r"'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+"
NEWER = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|%s| ?[^\s\p{L}\p{N}]+[\r\n]*"
         r"|\s*[\r\n]+|\s+(?!\S)|\s+")
LLAMA3, QWEN2 = NEWER % r"\p{N}{1,3}", NEWER % r"\p{N}"

TEXTS = [
    "", "Hello world", "I'll don't WE'RE it'S O'Dd 'ſ's", "a  b", "a   ", "a\n\nb", "a \n b\r\n\r\n  c",
    "\tx\t\ty", "1234567 12 3", "x12y345z", "... (a)!?\n\n\nb", " 'word", "—'s", "größer 12½ ²³", "日本語。テスト",
    "a\u00a0b\u2003c", "_name_with_underscores = {1: 'x'}", "😀😀 \U0001F44D\U0001F3FD ok",
    "e\u0301te\u0301 cafe\u0301", "if (x != 0) {\n    return x / 2;  // half\n}\n", "$100.50, 50%",
    "hello hello helloworld", "the thethe THE", "\r\n", " \r", "\n ", " ", "   \n   ", "٣٤٥٦ Ⅻ",
]
ALPHABET = ["a", "B", "é", "e\u0301", "1", "2", "²", "٣", "Ⅻ", " ", " ", "\t", "\n", "\r", "'", "s",
            "S", "ſ", "l", "L", "t", "v", "e", ".", ",", "-", "日", "。", "\u00a0", "\u2003", "\u200b",
            "😀", "\u0301", "_", "\u0903", "𝟘"]
MARKS = ["a", "o", "q", "\u00e2", "\u1ea5", "\u0300", "\u0301", "\u0302", "\u0323", "\u0328", "\u031b",
         "\u0345", "\u1100", "\u1161", "\u11a8", "\uac00", "\u212b", "\u0958", "\u0915", "\u093c", "\u0f71",
         "\u0f72", "\u2126", "\u3099", "\u304b", "\U0001d15e", "\u0340", "\u1e9b", "\u0f73", "\u09c7",
         "\u09be", "\u05b0", "\u05bc", " "]


def characters_of_bytes():
    """GPT-2's, by the rule as its authors wrote it down."""
    shown = [*range(33, 127), *range(161, 173), *range(174, 256)]
    hidden = [byte for byte in range(256) if byte not in shown]
    return {**{b: chr(b) for b in shown}, **{b: chr(256 + i) for i, b in enumerate(hidden)}}


CHARACTERS = characters_of_bytes()


def visible(text):
    return "".join(CHARACTERS[byte] for byte in text.encode())


MERGES = [visible(a) + " " + visible(b) for a, b in [
    ("h", "e"), ("l", "l"), ("he", "ll"), ("hell", "o"), (" ", "w"), ("t", "he"), (" ", "the"),
    ("1", "2"), ("12", "3"), ("\n", "\n"), (" ", " "), ("'", "s"), ("o", "r"), (" w", "or")]]
# "é" is two bytes, which a merge may join.
MERGES.append(f"{CHARACTERS[0xC3]} {CHARACTERS[0xA9]}")


def tokenizer(kind):
    vocabulary = {CHARACTERS[byte]: byte for byte in range(256)}
    for merge in MERGES:
        vocabulary.setdefault(merge.replace(" ", ""), len(vocabulary))
    if kind == "llama3":  # a token that no merges produce
        vocabulary[visible("wörld")] = len(vocabulary)
    special = len(vocabulary)
    split = lambda expression: {"type": "Sequence", "pretokenizers": [
        {"type": "Split", "pattern": {"Regex": expression}, "behavior": "Isolated", "invert": False},
        {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": False}]}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    result = {
        "version": "1.0",
        "added_tokens": [{"id": special, "content": "<|begin|>", "single_word": False, "lstrip": False,
                          "rstrip": False, "normalized": False, "special": True}],
        "normalizer": {"type": "NFC"} if kind == "qwen2" else None,
        "pre_tokenizer": {"gpt2": byte_level, "llama3": split(LLAMA3), "qwen2": split(QWEN2)}[kind],
        "post_processor": byte_level,
        "model": {"type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False,
                  "ignore_merges": kind == "llama3", "vocab": vocabulary, "merges": MERGES}}
    if kind == "llama3":
        result["post_processor"] = {"type": "Sequence", "processors": [byte_level, {
            "type": "TemplateProcessing",
            "single": [{"SpecialToken": {"id": "<|begin|>", "type_id": 0}},
                       {"Sequence": {"id": "A", "type_id": 0}}],
            "special_tokens": {"<|begin|>": {"id": "<|begin|>", "ids": [special],
                                             "tokens": ["<|begin|>"]}}}]}
    return result


# Over characters; the last pairs can only be merged one at a time: "bcbc" becomes "bcb", "c".
CHARACTER_MERGES = ["h e", "l l", "he ll", "hell o", "\u2581 hello", "\u2581 w", "o r", "\u2581w or",
                    "\u2581 \u2581", "\u2581\u2581 \u2581\u2581", "bc b", "a bc", "b c"]


def whole_tokenizer(prefix):
    """Llama 2's kind, with its spaces marked by a normalizer, or as newer files do it."""
    vocabulary = {"<unk>": 0, "<s>": 1, **{f"<0x{byte:02X}>": 2 + byte for byte in range(256)}}
    for merge in CHARACTER_MERGES:
        vocabulary.setdefault(merge.replace(" ", ""), len(vocabulary))
    for character in "\u2581abcdefghijklmnopqrstuvwxyz.\u00e9":
        vocabulary.setdefault(character, len(vocabulary))
    replace = {"type": "Replace", "pattern": {"String": " "}, "content": "\u2581"}
    prepend = {"type": "Prepend", "prepend": "\u2581"}
    return {
        "version": "1.0",
        "added_tokens": [{"id": 1, "content": "<s>", "single_word": False, "lstrip": False, "rstrip": False,
                          "normalized": False, "special": True}],
        "normalizer": {"type": "Sequence", "normalizers": [prepend, replace]} if prefix == "space" else None,
        "pre_tokenizer": None if prefix == "space" else {
            "type": "Metaspace", "replacement": "\u2581", "prepend_scheme": prefix, "split": False},
        "post_processor": None,
        "model": {"type": "BPE", "dropout": None, "unk_token": "<unk>", "continuing_subword_prefix": None,
                  "end_of_word_suffix": None, "fuse_unk": True, "byte_fallback": True,
                  "ignore_merges": False, "vocab": vocabulary, "merges": CHARACTER_MERGES}}


def whole_ids(text, prefix, file):
    vocabulary = file["model"]["vocab"]
    ids = []
    for number, part in enumerate(text.split("<s>")):
        ids += [vocabulary["<s>"]] if number > 0 else []
        part = part.replace(" ", "\u2581")
        wanted = {"space": True, "never": False, "first": number == 0 and not part.startswith("\u2581"),
                  "always": not part.startswith("\u2581")}[prefix]
        parts = list("\u2581" + part if part and wanted else part)
        parts = [token for c in parts for token in (
            [c] if c in vocabulary else [f"<0x{byte:02X}>" for byte in c.encode()])]
        ids += [vocabulary[token] for token in merged(parts, file["model"])]
    return ids


def digits_tokenizer():
    file = tokenizer("gpt2")
    file["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [
        {"type": "Digits", "individual_digits": True}, file["pre_tokenizer"]]}
    return file


def ids_of(piece, model):
    parts = list(visible(piece))
    if model["ignore_merges"] and "".join(parts) in model["vocab"]:
        return [model["vocab"]["".join(parts)]]
    return [model["vocab"][part] for part in merged(parts, model)]


def merged(parts, model):
    ranks = {tuple(merge.split(" ")): rank for rank, merge in enumerate(model["merges"])}
    while True:
        known = [(ranks[pair], i) for i, pair in enumerate(zip(parts, parts[1:])) if pair in ranks]
        if not known:
            return parts
        _, i = min(known)
        parts[i:i + 2] = [parts[i] + parts[i + 1]]


def main():
    draw = random.Random(3)
    texts = TEXTS + ["wörld wörld hello"] + [
        "".join(draw.choices(ALPHABET, k=draw.randint(1, 12))) for _ in range(150)]
    marks = ["".join(draw.choices(MARKS, k=draw.randint(1, 7))) for _ in range(300)]
    kinds = []
    for kind, expression in (("gpt2", GPT2), ("llama3", LLAMA3), ("qwen2", QWEN2)):
        file = tokenizer(kind)
        cases = []
        for text in texts:
            pieces = regex.findall(expression, text)
            assert "".join(pieces) == text
            used = unicodedata.normalize("NFC", text) if file["normalizer"] else text
            ids = [i for piece in regex.findall(expression, used) for i in ids_of(piece, file["model"])]
            if kind == "llama3":
                ids = [file["added_tokens"][0]["id"]] + ids
            cases.append({"text": text, "pieces": pieces, "ids": ids})
        kinds.append({"kind": kind, "expression": expression, "tokenizer": file, "cases": cases})
    others = []
    for prefix in ("space", "first", "always", "never"):
        file = whole_tokenizer(prefix)
        cases = [{"text": text, "ids": whole_ids(text, prefix, file)} for text in texts + [
            "bcbc abcbcbc", "hello<s>hello", " hello<s> hello", "<s>hello", "<s><s> ", "\u2581hello"]]
        others.append({"kind": prefix, "tokenizer": file, "cases": cases})
    file = digits_tokenizer()
    others.append({"kind": "digits", "tokenizer": file, "cases": [{"text": text, "ids": [
        i for part in regex.findall(r"\p{N}|\P{N}+", text)
        for piece in regex.findall(GPT2, part) for i in ids_of(piece, file["model"])]} for text in texts]})
    composed = [[text, unicodedata.normalize("NFC", text)] for text in texts + marks]
    path = pathlib.Path(__file__).with_name("tokenizers.json")
    path.write_text(json.dumps({"unicode": unicodedata.unidata_version, "kinds": kinds,
                                "others": others, "composed": composed}, separators=(",", ":")) + "\n")


if __name__ == "__main__":
    main()
