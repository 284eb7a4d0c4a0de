"""Language models on this machine: folders of the transformers library, and GGUF files.

Nothing is fetched from a hub, and no code of a model runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from hashlib import file_digest, sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import PACKAGE, how_to_install, package_folders
from wikibias.research.language_models.messages import (
    Decoding,
    Message,
    NoAnswerError,
    RefusedError,
    Reply,
    bounded,
    prompt_hash,
)
from wikibias.research.neural.calibration import missing

GGUF = ".gguf"
BATCH = 8
_WEIGHTS = ("*.safetensors", "*.safetensors.index.json", "config.json", "tokenizer.json")


def open_model(name: str, *, batch: int = BATCH, device: str = "auto") -> LocalModel:
    """Return a model of this machine.

    Args:
        name: its folder, a file that ends in .gguf, or `package:NAME` for a package that holds one.
        batch: how many questions it takes at a time.
        device: "auto", "cpu" or "cuda".

    Raises:
        UsageError: there is none, or a library is missing.
        WikibiasError: its files cannot be read.
    """
    path = _place(name)  # first, for nobody should install a gigabyte for a wrong name
    if absent := missing():
        raise UsageError(absent)
    if path.suffix == GGUF and not (find_spec("gguf") and find_spec("accelerate")):
        raise UsageError(f"GGUF files need gguf and accelerate; run: {how_to_install('neural')}")
    return LocalModel(name, path, batch, device)


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
    """A language model on this machine; see `registry.BatchModel`. Loaded when first asked."""

    def __init__(self, name: str, path: Path, batch: int, device: str) -> None:
        self.name = path.stem if path.suffix == GGUF else path.name or name
        self.batch = batch
        self._path, self._device_name = path, device
        self._loaded: tuple[Any, Any, Any] | None = None

    def version(self) -> str:
        """Return the beginning of a SHA-256 of its files."""
        files = [self._path] if self._path.is_file() else sorted(self._files())
        whole = sha256()
        try:
            for path in files:
                with path.open("rb") as stream:
                    whole.update(file_digest(stream, "sha256").digest())
        except OSError as error:
            raise WikibiasError(f"{self._path}: cannot be read ({error.strerror})") from error
        return f"sha256:{whole.hexdigest()[:16]}"

    def _files(self) -> Iterator[Path]:
        for pattern in _WEIGHTS:
            yield from self._path.glob(pattern)

    def answer(self, messages: Sequence[Message], decoding: Decoding) -> Reply:
        """Return the answer to messages.

        Raises:
            NoAnswerError: they are longer than the model can read.
        """
        (reply,) = self.answer_all([messages], decoding)
        if isinstance(reply, NoAnswerError):
            raise reply
        return reply

    def answer_all(
        self, asked: Sequence[Sequence[Message]], decoding: Decoding
    ) -> list[Reply | NoAnswerError]:
        """Return an answer to each, made together."""
        model, tokenizer, device = self._loaded = self._loaded or self._load()
        pieces = [_pieces(tokenizer, messages) for messages in asked]
        most = getattr(model.config, "max_position_embeddings", None) or 10**9
        fits = [len(each) + decoding.max_tokens <= most for each in pieces]
        chosen = [each for each, short in zip(pieces, fits, strict=True) if short]
        mark = prompt_hash(self.name, "", [m for each in asked for m in each], decoding)
        made = iter(_generate(model, tokenizer, device, chosen, decoding, mark) if chosen else ())
        return [
            self._reply(tokenizer, len(each), next(made)) if short else _too_long(len(each), most)
            for each, short in zip(pieces, fits, strict=True)
        ]

    def _reply(self, tokenizer: Any, tokens_in: int, made: tuple[list[int], bool]) -> Reply:
        words, ended = made
        text = tokenizer.decode(words, skip_special_tokens=True).strip()
        finish = "stop" if ended else "length"
        return Reply(bounded(text), tokens_in, len(words) + ended, finish, self.name)

    def _load(self) -> tuple[Any, Any, Any]:
        os.environ.setdefault("TQDM_DISABLE", "1")  # a GGUF file is read with a bar of its own
        import torch
        import transformers

        from wikibias.research.neural.training_loop import device_of

        device = device_of(self._device_name)
        folder = self._path
        options: dict[str, Any] = {"local_files_only": True, "trust_remote_code": False}
        if self._path.suffix == GGUF:
            folder, options = self._path.parent, {**options, "gguf_file": self._path.name}
        weights: Any = torch.bfloat16 if device.type == "cuda" else torch.float32
        transformers.logging.set_verbosity_error()
        transformers.logging.disable_progress_bar()
        try:
            tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options)
            options |= {} if "gguf_file" in options else {"use_safetensors": True}
            model = transformers.AutoModelForCausalLM.from_pretrained(
                folder, dtype=weights, **options
            )
        except (OSError, ValueError, KeyError, RuntimeError, TypeError, ImportError) as error:
            said = " ".join(str(error).split())[:300]
            raise WikibiasError(f"{self._path}: no language model can be read ({said})") from error
        if tokenizer.pad_token_id is None:
            tokenizer.pad_token = tokenizer.eos_token
        return model.to(device).train(False), tokenizer, device


def _too_long(tokens: int, most: int) -> RefusedError:
    return RefusedError(f"a prompt of {tokens:,} tokens, with its answer more than {most:,}")


def _pieces(tokenizer: Any, messages: Sequence[Message]) -> list[int]:
    """Return a conversation in the form that the model was trained on, as tokens."""
    if not getattr(tokenizer, "chat_template", None):
        plain = "\n\n".join(message.content for message in messages)
        return list(tokenizer(plain)["input_ids"])
    turns = [{"role": message.role, "content": message.content} for message in messages]
    text = tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
    return list(tokenizer(text, add_special_tokens=False)["input_ids"])


def _generate(
    model: Any, tokenizer: Any, device: Any, pieces: list[list[int]], decoding: Decoding, mark: str
) -> list[tuple[list[int], bool]]:
    """Return the tokens of each answer, and whether the model itself ended it."""
    import torch

    from wikibias.research.neural.training_loop import seeded

    longest = max(map(len, pieces))
    pad = tokenizer.pad_token_id
    # What is filled up stands before the words, which the answer then follows.
    rows = [[pad] * (longest - len(each)) + each for each in pieces]
    seen = [[0] * (longest - len(each)) + [1] * len(each) for each in pieces]
    drawn: dict[str, Any] = {"do_sample": False}
    if decoding.temperature > 0:
        drawn = {"do_sample": True, "temperature": decoding.temperature, "top_k": 0}
    with torch.inference_mode(), seeded(decoding.seed ^ int(mark[:8], 16), device):
        found = model.generate(
            input_ids=torch.tensor(rows, device=device),
            attention_mask=torch.tensor(seen, device=device),
            max_new_tokens=decoding.max_tokens,
            pad_token_id=pad,
            **drawn,
        )
    ends = {tokenizer.eos_token_id}
    told = model.generation_config.eos_token_id
    ends |= set(told if isinstance(told, list) else [told])
    return [_ended(row[longest:].tolist(), ends) for row in found]


def _ended(words: list[int], ends: set[Any]) -> tuple[list[int], bool]:
    for place, word in enumerate(words):
        if word in ends:
            return words[:place], True
    return words, False
