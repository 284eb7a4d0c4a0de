"""The Hugging Face hub: cards as it reads them, and uploads. Alone knows huggingface_hub."""

from __future__ import annotations

import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from wikibias.errors import UsageError, WikibiasError
from wikibias.kits.plugins import how_to_install, within

if TYPE_CHECKING:
    from huggingface_hub import HfApi

Kind = Literal["dataset", "model"]
_TEMPLATE = "---\n{{ card_data }}\n---\n\n{{ body }}"
_PATIENCE = 15  # seconds
_LONGEST = 200  # characters of what a server says
_NO_NAME = "no name of a repository; give one as me/my-corpus"
_REFUSED: Mapping[int, str] = {
    401: "the token is not accepted; make a new one with the right to write, then `hf auth login`",
    403: "this token may not write there; give a repository of your own, or another token",
    404: "there is no such repository or server; check the name and HF_ENDPOINT",
    413: "the server takes no files of this size",
}


def check(instead: str = "") -> None:
    """Make sure that huggingface_hub is installed.

    Args:
        instead: what else may be done, as the end of the message.

    Raises:
        UsageError: it is not; the message says what to type.
    """
    if find_spec("huggingface_hub") is None:
        raise UsageError(
            f"this needs the library huggingface_hub; run: {how_to_install('hub')}{instead}"
        )


def check_name(repo: str) -> None:
    """Check that a text can be the name of a repository.

    Raises:
        UsageError: it cannot.
    """
    if not re.fullmatch(r"[\w.-]+/[\w.-]+", repo, re.ASCII):
        raise UsageError(f"{repo!r}: {_NO_NAME}")


def dataset_card(data: Mapping[str, Any], body: str) -> str:
    """Return the card of a data set: a YAML block, then Markdown."""
    from huggingface_hub import DatasetCard, DatasetCardData

    made = DatasetCard.from_template(DatasetCardData(**data), template_str=_TEMPLATE, body=body)
    return f"{str(made).rstrip()}\n"


def model_card(data: Mapping[str, Any], scores: Sequence[Mapping[str, Any]], body: str) -> str:
    """Return the card of a model: a YAML block with its scores, then Markdown.

    Args:
        data: for the block.
        scores: of each `dataset_name`, `dataset_split`, `metric_type` and `metric_value`.
        body: the Markdown.
    """
    from huggingface_hub import EvalResult, ModelCard, ModelCardData

    kind: dict[str, Any] = {"task_type": "text-classification", "dataset_type": "wikibias"}
    results = [EvalResult(**kind, **score) for score in scores]
    described = ModelCardData(**data, eval_results=results or None)
    made = ModelCard.from_template(described, template_str=_TEMPLATE, body=body)
    return f"{str(made).rstrip()}\n"


def own_token() -> str:
    """Return the token with which one uploads.

    Raises:
        UsageError: the library is missing, or nobody has logged in.
    """
    check()
    from huggingface_hub import get_token

    token = get_token()
    if token is None:
        raise UsageError("no token; run `hf auth login`, or set HF_TOKEN, then upload again")
    return token


def push(files: Mapping[str, Path], repo: str, kind: Kind, *, private: bool) -> tuple[str, bool]:
    """Upload files to a repository as one commit; return its address, and whether any was new.

    Args:
        files: by the name in the repository, the file.
        repo: such as `someone/corpus`; made where it is missing.
        kind: of what the repository holds.
        private: nobody else may see it.

    Raises:
        UsageError: the library is missing, nobody has logged in, or the repository has no right
            name, or is public though `private` is asked for.
        WikibiasError: the server cannot be reached, or refuses.
    """
    token = own_token()
    from huggingface_hub import CommitOperationAdd, HfApi
    from huggingface_hub.utils.tqdm import disable_progress_bars

    disable_progress_bars()
    # It warns where nothing is new, which we say ourselves.
    logging.getLogger("huggingface_hub").setLevel(logging.ERROR)
    api = HfApi(endpoint=os.environ.get("HF_ENDPOINT"), token=token, library_name="wikibias")
    with _errors(api, repo):
        _ask(api)
        address = str(api.create_repo(repo, repo_type=kind, private=private, exist_ok=True))
        before = api.repo_info(repo, repo_type=kind)
        if private and not before.private:
            raise UsageError(
                f"{repo} is public already; make it private on the server, or leave --private out"
            )
        operations = [
            CommitOperationAdd(path_in_repo=name, path_or_fileobj=path)
            for name, path in files.items()
        ]
        message = "Upload with wikibias"
        # There is none where the server has the same files already.
        made = api.create_commit(repo, operations, commit_message=message, repo_type=kind)
    return address, made.oid != before.sha


def _ask(api: HfApi) -> None:
    """Make one request, so that what is wrong is said at once: the library waits for ever.

    Raises:
        WikibiasError: there is no answer within some seconds.
        Exception: what the library raises.
    """
    try:
        within(_PATIENCE, api.whoami)
    except TimeoutError as error:
        raise WikibiasError(
            f"{api.endpoint} does not answer within {_PATIENCE} seconds; check the network and "
            "HF_ENDPOINT, then upload again"
        ) from error


@contextmanager
def _errors(api: HfApi, repo: str) -> Iterator[None]:
    """Turn what the library raises into one line."""
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError

    # The library that it speaks HTTP with differs by version; its errors are a base of this one.
    bases: list[Any] = [each for each in HfHubHTTPError.__bases__ if issubclass(each, Exception)]
    try:
        yield
    except HFValidationError as error:
        raise UsageError(f"{repo!r}: {_NO_NAME}") from error
    except HfHubHTTPError as error:
        status = error.response.status_code
        said = " ".join(str(error.server_message or "").split())[:_LONGEST]
        reason = _REFUSED.get(status, said or "the server refuses it")
        raise WikibiasError(f"{repo} at {api.endpoint}: {reason} (status {status})") from error
    except (OSError, *bases) as error:
        said = " ".join(str(error).split())[:_LONGEST] or type(error).__name__
        raise WikibiasError(
            f"{api.endpoint} cannot be reached ({said}); check the network and HF_ENDPOINT, then "
            "upload again"
        ) from error
