# SPDX-License-Identifier: MIT
"""A decoder of Llama's shape in plain PyTorch, and its files as Hugging Face's tools name them."""

import json
import math
import os
import struct

import torch
from torch import nn
from torch.nn import functional

CONFIG = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 256,
    "num_hidden_layers": 4,
    "num_attention_heads": 8,
    "num_key_value_heads": 4,
    "head_dim": 32,
    "intermediate_size": 688,
    "vocab_size": 1024,
    "tie_word_embeddings": True,
    "rms_norm_eps": 1e-5,
    "rope_theta": 10000.0,
    "hidden_act": "silu",
    "max_position_embeddings": 512,
    "attention_bias": False,
    "mlp_bias": False,
    "torch_dtype": "bfloat16",
    "bos_token_id": 1023,
    "eos_token_id": 1023,
}


class RMSNorm(nn.Module):
    def __init__(self, size, epsilon):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.epsilon = epsilon

    def forward(self, x):
        return x * torch.rsqrt(x.square().mean(-1, keepdim=True) + self.epsilon) * self.weight


def rotate(x, positions, theta):
    """Rotary embedding of x[..., token, dimension]: dimension i is paired with i + half of them."""
    half = x.shape[-1] // 2
    frequency = theta ** (-torch.arange(half, device=x.device) / half)
    angle = positions[:, None] * frequency
    a, b = x[..., :half], x[..., half:]
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)


class Attention(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        heads, kv_heads, size = c["num_attention_heads"], c["num_key_value_heads"], c["head_dim"]
        self.q_proj = nn.Linear(c["hidden_size"], heads * size, bias=False)
        self.k_proj = nn.Linear(c["hidden_size"], kv_heads * size, bias=False)
        self.v_proj = nn.Linear(c["hidden_size"], kv_heads * size, bias=False)
        self.o_proj = nn.Linear(heads * size, c["hidden_size"], bias=False)

    def forward(self, x):
        batch, tokens, _ = x.shape
        size = self.c["head_dim"]
        positions = torch.arange(tokens, device=x.device)
        q, k, v = (
            project(x).view(batch, tokens, -1, size).transpose(1, 2)
            for project in (self.q_proj, self.k_proj, self.v_proj)
        )
        q, k = (rotate(y, positions, self.c["rope_theta"]) for y in (q, k))
        group = q.shape[1] // k.shape[1]
        k, v = (y.repeat_interleave(group, dim=1) for y in (k, v))
        scores = q @ k.transpose(-1, -2) / math.sqrt(size)
        later = torch.ones(tokens, tokens, dtype=torch.bool, device=x.device).triu(1)
        weights = scores.masked_fill(later, float("-inf")).softmax(-1)
        return self.o_proj((weights @ v).transpose(1, 2).reshape(batch, tokens, -1))


class Mlp(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.gate_proj = nn.Linear(c["hidden_size"], c["intermediate_size"], bias=False)
        self.up_proj = nn.Linear(c["hidden_size"], c["intermediate_size"], bias=False)
        self.down_proj = nn.Linear(c["intermediate_size"], c["hidden_size"], bias=False)

    def forward(self, x):
        return self.down_proj(functional.silu(self.gate_proj(x)) * self.up_proj(x))


class Layer(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.input_layernorm = RMSNorm(c["hidden_size"], c["rms_norm_eps"])
        self.self_attn = Attention(c)
        self.post_attention_layernorm = RMSNorm(c["hidden_size"], c["rms_norm_eps"])
        self.mlp = Mlp(c)

    def forward(self, x):
        x = x + self.self_attn(self.input_layernorm(x))
        return x + self.mlp(self.post_attention_layernorm(x))


class Decoder(nn.Module):
    """Logits[batch, token, vocabulary] of ids[batch, token]; the embedding is also the head."""

    def __init__(self, c):
        super().__init__()
        self.embed_tokens = nn.Embedding(c["vocab_size"], c["hidden_size"])
        self.layers = nn.ModuleList(Layer(c) for _ in range(c["num_hidden_layers"]))
        self.norm = RMSNorm(c["hidden_size"], c["rms_norm_eps"])
        for name, parameter in self.named_parameters():
            if parameter.dim() == 2:
                # The residual stream sums two such outputs per layer, so they start smaller.
                ends_in_stream = name.endswith(("o_proj.weight", "down_proj.weight"))
                scale = 1 / math.sqrt(2 * c["num_hidden_layers"]) if ends_in_stream else 1
                nn.init.normal_(parameter, std=0.02 * scale)

    def forward(self, ids):
        x = self.embed_tokens(ids)
        for layer in self.layers:
            x = layer(x)
        return self.norm(x) @ self.embed_tokens.weight.T


def write_safetensors(decoder, path):
    """bf16, rounded to nearest. The format: length of the header, header in JSON, the data."""
    header, data = {"__metadata__": {"format": "pt"}}, b""
    for name, parameter in decoder.state_dict().items():
        raw = parameter.detach().cpu().to(torch.bfloat16).contiguous().view(torch.int16).numpy().tobytes()
        header["model." + name] = {
            "dtype": "BF16", "shape": list(parameter.shape), "data_offsets": [len(data), len(data) + len(raw)],
        }
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path + ".part", "wb") as file:
        file.write(struct.pack("<Q", len(text)) + text + data)
    os.replace(path + ".part", path)


def read_safetensors(path):
    """Tensors by name, as float32."""
    with open(path, "rb") as file:
        content = file.read()
    (size,) = struct.unpack_from("<Q", content)
    header = json.loads(content[8 : 8 + size])
    tensors = {}
    for name, entry in header.items():
        if name == "__metadata__":
            continue
        begin, end = (8 + size + offset for offset in entry["data_offsets"])
        raw = torch.frombuffer(bytearray(content[begin:end]), dtype=torch.int16)
        tensors[name.removeprefix("model.")] = raw.view(torch.bfloat16).float().view(entry["shape"])
    return tensors
