"""Language models on this machine: folders of the transformers library, and GGUF files.

Nothing is fetched from a hub, and no code of a model runs.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cached_property
from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import PACKAGE, how_to_install, package_folders
from wikibias.research.language_models import asking
from wikibias.research.neural.calibration import missing

GGUF = ".gguf"
_WEIGHTS = ("*.safetensors", "*.safetensors.index.json", "config.json", "tokenizer.json")


def open_model(name: str) -> LocalModel:
    """Return a model of this machine.

    Args:
        name: its folder, a file that ends in .gguf, or `package:NAME` for a package that holds one.

    Raises:
        UsageError: there is none, or a library is missing.
        WikibiasError: its files cannot be read.
    """
    path = _place(name)  # first, for nobody should install a gigabyte for a wrong name
    if absent := missing():
        raise UsageError(absent)
    if path.suffix == GGUF and not find_spec("gguf"):
        raise UsageError(f"GGUF files need gguf; run: {how_to_install('neural')}")
    return LocalModel(name, path)


def _place(name: str) -> Path:
    """Return the folder of a model, or its GGUF file."""
    if not name.startswith(PACKAGE):
        path = Path(name)
        if (path.suffix == GGUF and path.is_file()) or (path / "config.json").is_file():
            return path
        raise UsageError(
            f"{name}: no model; give a folder with a config.json, or a file that ends in {GGUF}"
        )
    folders = package_folders(name)
    for place in folders or ():
        for found in sorted(place.rglob(f"*{GGUF}")):
            return found
        for found in sorted(place.rglob("config.json")):
            return found.parent
    why = "is not installed" if folders is None else "holds no language model"
    raise UsageError(f"{name}: the package {why}; give a folder, or a file that ends in {GGUF}")


class LocalModel:
    """A language model on this machine; see `asking.BatchModel`. Loaded when first asked."""

    batch = 8

    def __init__(self, name: str, path: Path) -> None:
        self.name = path.stem if path.suffix == GGUF else path.name or name
        self._path = path

    def version(self) -> str:
        """Return the beginning of a SHA-256 of its files."""
        files = [self._path]
        if not self._path.is_file():
            files = sorted(path for pattern in _WEIGHTS for path in self._path.glob(pattern))
        whole = sha256()
        try:
            for path in files:
                with path.open("rb") as stream:
                    whole.update(file_digest(stream, "sha256").digest())
        except OSError as error:
            raise WikibiasError(f"{self._path}: cannot be read ({error.strerror})") from error
        return f"sha256:{whole.hexdigest()[:16]}"

    def answer(self, messages: Sequence[asking.Message], decoding: asking.Decoding) -> asking.Reply:
        """Return the answer to messages.

        Raises:
            NoAnswerError: they are longer than the model can read.
        """
        (reply,) = self.answer_all([messages], decoding)
        if isinstance(reply, asking.NoAnswerError):
            raise reply
        return reply

    def answer_all(
        self, asked: Sequence[Sequence[asking.Message]], decoding: asking.Decoding
    ) -> list[asking.Reply | asking.NoAnswerError]:
        """Return an answer to each, made together."""
        model, tokenizer = self._loaded
        pieces = [_pieces(tokenizer, messages) for messages in asked]
        most = getattr(model.config, "max_position_embeddings", None) or 10**9
        fits = [len(each) + decoding.max_tokens <= most for each in pieces]
        short = [each for each, fit in zip(pieces, fits, strict=True) if fit]
        answers = iter(_answers(model, tokenizer, short, decoding.max_tokens) if short else ())
        return [
            self._reply(tokenizer, len(each), *next(answers))
            if fit
            else asking.RefusedError(
                f"a prompt of {len(each):,} tokens, with its answer more than {most:,}"
            )
            for each, fit in zip(pieces, fits, strict=True)
        ]

    def _reply(self, tokenizer: Any, tokens_in: int, words: list[int], ended: bool) -> asking.Reply:
        text = tokenizer.decode(words, skip_special_tokens=True).strip()
        finish = "stop" if ended else "length"
        return asking.Reply(asking.bounded(text), tokens_in, len(words) + ended, finish, self.name)

    @cached_property
    def _loaded(self) -> tuple[Any, Any]:
        os.environ.setdefault("TQDM_DISABLE", "1")  # a GGUF file is read with a bar of its own
        import torch
        import transformers

        from wikibias.research.neural.sentence_network import pretrained
        from wikibias.research.neural.training_loop import device_of

        device = device_of("auto")
        folder, options = self._path, dict[str, Any]()
        if self._path.suffix == GGUF:
            folder, options = self._path.parent, {"gguf_file": self._path.name}
        tokenizer = pretrained(transformers.AutoTokenizer, folder, **options)
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        options = options or {"use_safetensors": True}
        options["dtype"] = torch.bfloat16 if device.type == "cuda" else torch.float32
        model = pretrained(transformers.AutoModelForCausalLM, folder, **options)
        return model.to(device).train(False), tokenizer


def _pieces(tokenizer: Any, messages: Sequence[asking.Message]) -> list[int]:
    """Return a conversation in the form that the model was trained on, as tokens."""
    if not getattr(tokenizer, "chat_template", None):
        plain = "\n\n".join(message.content for message in messages)
        return list(tokenizer(plain)["input_ids"])
    turns = [{"role": message.role, "content": message.content} for message in messages]
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def _answers(
    model: Any, tokenizer: Any, pieces: list[list[int]], most: int
) -> list[tuple[list[int], bool]]:
    """Return the tokens of each answer, and whether the model itself ended it."""
    import torch

    # What is filled up stands before the words, which the answer then follows.
    batch = tokenizer.pad({"input_ids": pieces}, padding_side="left", return_tensors="pt")
    with torch.inference_mode():
        found = model.generate(
            **{name: batch[name].to(model.device) for name in ("input_ids", "attention_mask")},
            max_new_tokens=most,
            pad_token_id=tokenizer.pad_token_id,
            do_sample=False,
        )
    own = model.generation_config.eos_token_id
    ends = {tokenizer.eos_token_id, *(own if isinstance(own, list) else [own])}
    answers = []
    for row in found[:, batch["input_ids"].shape[1] :].tolist():
        end = next((place for place, word in enumerate(row) if word in ends), None)
        answers.append((row[:end], end is not None))
    return answers
