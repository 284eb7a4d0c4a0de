"""Neural models of a few thousand weights, made in seconds from the words of a test.

Import it where torch and transformers are known to be installed.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import tokenizers
import torch
from transformers import (
    BartConfig,
    BartForConditionalGeneration,
    BertConfig,
    BertModel,
    GPT2Config,
    GPT2LMHeadModel,
    PreTrainedTokenizerFast,
)

_WORDS = 300


def tokenizer(texts: Iterable[str]) -> Any:
    """Return a tokeniser of the commonest lower-cased words of texts, and of letters."""
    learnt = tokenizers.Tokenizer(tokenizers.models.WordPiece(unk_token="[UNK]"))
    learnt.normalizer = tokenizers.normalizers.BertNormalizer(lowercase=True)
    learnt.pre_tokenizer = tokenizers.pre_tokenizers.BertPreTokenizer()
    learnt.decoder = tokenizers.decoders.WordPiece()
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]"]
    # A trainer makes other pieces in each process, and with them other networks.
    words = Counter(
        word
        for text in texts
        for word, _ in learnt.pre_tokenizer.pre_tokenize_str(learnt.normalizer.normalize_str(text))
    )
    letters = sorted({letter for word in words for letter in word})
    common = sorted(words, key=lambda word: (-words[word], word))[:_WORDS]
    pieces = dict.fromkeys([*marks, *letters, *(f"##{one}" for one in letters), *common])
    numbers = {piece: number for number, piece in enumerate(pieces)}
    learnt.model = tokenizers.models.WordPiece(numbers, unk_token="[UNK]")
    learnt.post_processor = tokenizers.processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        special_tokens=[(mark, learnt.token_to_id(mark)) for mark in ("[CLS]", "[SEP]")],
    )
    names = dict(zip(("pad_token", "unk_token", "cls_token", "sep_token"), marks, strict=True))
    return PreTrainedTokenizerFast(tokenizer_object=learnt, model_max_length=64, **names)


def encoder(folder: Path, texts: Iterable[str]) -> Path:
    """Write a BERT of two layers to a folder, with its tokeniser."""
    pieces = tokenizer(texts)
    torch.manual_seed(0)
    config = BertConfig(
        vocab_size=len(pieces),
        hidden_size=32,
        num_hidden_layers=2,
        num_attention_heads=2,
        intermediate_size=64,
        max_position_embeddings=64,
    )
    BertModel(config).save_pretrained(folder)
    pieces.save_pretrained(folder)
    return folder


def rewriter(folder: Path, texts: Iterable[str]) -> Path:
    """Write a BART of one layer to a folder, with its tokeniser."""
    pieces = tokenizer(texts)
    torch.manual_seed(0)
    config = BartConfig(
        vocab_size=len(pieces),
        d_model=32,
        encoder_layers=1,
        decoder_layers=1,
        encoder_attention_heads=2,
        decoder_attention_heads=2,
        encoder_ffn_dim=64,
        decoder_ffn_dim=64,
        max_position_embeddings=64,
        pad_token_id=pieces.pad_token_id,
        bos_token_id=pieces.cls_token_id,
        eos_token_id=pieces.sep_token_id,
        decoder_start_token_id=pieces.cls_token_id,
        forced_eos_token_id=pieces.sep_token_id,
    )
    BartForConditionalGeneration(config).save_pretrained(folder)
    pieces.save_pretrained(folder)
    return folder


def language_model(folder: Path, texts: Iterable[str]) -> Path:
    """Write a GPT-2 of two layers to a folder, with a tokeniser of whole words and a chat form."""
    words = sorted({word for text in texts for word in text.split()} | {"judge"})
    marks = ["[PAD]", "[UNK]", "[END]"]
    numbers = {word: number for number, word in enumerate([*marks, *words])}
    pieces = tokenizers.Tokenizer(tokenizers.models.WordLevel(numbers, unk_token="[UNK]"))
    pieces.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    names = dict(zip(("pad_token", "unk_token", "eos_token"), marks, strict=True))
    made = PreTrainedTokenizerFast(tokenizer_object=pieces, **names)
    made.chat_template = "{% for message in messages %}{{ message['content'] }} {% endfor %}"
    torch.manual_seed(0)
    config = GPT2Config(
        vocab_size=len(numbers),
        n_positions=64,
        n_embd=32,
        n_layer=2,
        n_head=2,
        bos_token_id=2,
        eos_token_id=2,
        initializer_range=0.5,
    )
    GPT2LMHeadModel(config).save_pretrained(folder)
    made.save_pretrained(folder)
    return folder
