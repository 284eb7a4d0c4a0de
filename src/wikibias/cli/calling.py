"""Calls a command from Python: keyword arguments become the words that one would type.

So an option of a command is one of Python from the day that it exists.
"""

import os
import re
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from wikibias.cli import imported
from wikibias.cli.ending import check_arguments
from wikibias.cli.options import Logs, follow
from wikibias.errors import DumpError, UsageError, WikibiasError, nearest
from wikibias.kits.files import to_json
from wikibias.kits.terminal import heard

_GENERAL = ("config_dir", "log_file")
_HELP = ("help", "help_all")
# What is to be typed; or the short name of an option that click puts before the long one; or the
# long one, and what stands behind it: a value, as no word looks so or no word can end the phrase
# there, or the next word.
_OPTION = re.compile(
    r"""(`[^`]*`|\bwikibias[ ][a-z]+[ ][^;,)]*)|'-\w'[ ]/[ ]|(?<![\w-])('?)--([a-z][a-z-]*[a-z])
    (?:[ ](?:([A-Z,]+\b|\d+\b|'[^']*')|([\w./-]*\w(?=[,;:.)]|$))|([\w-]+)))?""",
    re.VERBOSE,
)


def call(name: str, places: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """Run a command, show nothing, and return what it made.

    Args:
        name: of the command.
        places: its arguments.
        keywords: its options, by their long names with `_` for `-`; None and False are as good as
            not given, and a list is an option given again.

    Raises:
        UsageError: a keyword or a value that the command does not know.
        DumpError: a part of a dump failed, the others are done.
    """
    given = dict(keywords)
    general = {each: given.pop(each) for each in _GENERAL if each in given}
    shared: dict[str, Any] = {"debug": False}
    lines, options = list[str](), dict[str, click.Option]()
    token = heard.set(lines)
    try:
        options |= _options(command := imported(name))
        words = [name, *_words(name, options, given)]
        arguments = [os.fspath(each) for each in places if each is not None]
        words += ["--"] * any(each.startswith("-") for each in arguments) + arguments
        check_arguments(words)
        shared |= {"words": words, "arguments": words, "logs": Logs(words, shows=False)}
        with click.Context(click.Group("wikibias"), info_name="wikibias", obj=shared) as root:
            follow(root, general)
            with command.make_context(name, words[1:], parent=root) as context:
                shared["value"] = command.invoke(context)
    except click.ClickException as error:
        raise UsageError(_in_python(error.format_message(), options)) from error
    except WikibiasError as error:
        error.args = (_in_python(str(error), options),)
        raise
    except SystemExit as end:  # of an interrupt, which a notebook may outlive
        raise KeyboardInterrupt from end
    finally:
        heard.reset(token)
        if "logs" in shared:
            shared["logs"].close(0 if "value" in shared else 1)
        said = [_in_python(line, options).partition(": ")[::2] for line in lines]
        for text in (text for kind, text in said if kind == "Warning"):
            warnings.warn(text, stacklevel=4)
    if failed := [text for kind, text in said if kind == "Error"]:
        raise DumpError(failed[0])
    return shared.get("result", shared["value"])


def _options(command: click.Command) -> dict[str, click.Option]:
    """Return the options of a command by the keywords that they are called."""
    return {
        opt[2:].replace("-", "_"): each
        for each in command.params
        for opt in each.opts
        if isinstance(each, click.Option) and each.name not in _HELP and opt.startswith("--")
    }


def _words(
    name: str, options: Mapping[str, click.Option], keywords: Mapping[str, Any]
) -> Iterator[str]:
    """Yield the options of a command as they are typed.

    Raises:
        UsageError: a keyword is none of its options, or its value none of the choices.
    """
    for keyword, value in keywords.items():
        if keyword not in options:
            known = [each for each, option in options.items() if not option.hidden]
            hint = nearest(keyword, [*known, *_GENERAL])
            raise UsageError(f"{name} takes no keyword {keyword!r}{hint}")
        long, option = f"--{keyword.replace('_', '-')}", options[keyword]
        if option.is_flag and not isinstance(value, (bool, type(None))):
            raise UsageError(f"{keyword} must be True or False, not {value!r}")
        if value is True and option.is_flag:
            yield long
        elif value is not None and value is not False:
            texts = _texts(value)
            _check_choices(keyword, option, texts)
            for text in texts if option.multiple else [",".join(texts)]:
                yield from [f"{long}={text}"] if text.startswith("-") else [long, text]


def _check_choices(keyword: str, option: click.Option, texts: Sequence[str]) -> None:
    choices = _choices(option)
    for part in (part for text in texts if text not in choices for part in text.split(",")):
        if choices and part not in choices:
            raise UsageError(f"{keyword}={part!r} is none{nearest(part, choices)}")


def _choices(option: click.Option) -> list[str]:
    return [str(each) for each in getattr(option.type, "choices", ())]


def _texts(value: Any) -> list[str]:
    if isinstance(value, Mapping):  # of parameters
        return [f"{key}={of if isinstance(of, str) else to_json(of)}" for key, of in value.items()]
    return [str(each) for each in (value if isinstance(value, (list, tuple)) else [value])]


def _in_python(message: str, options: Mapping[str, click.Option]) -> str:
    """Return what a command says with keywords for its options; what is to be typed stays."""

    def said(found: re.Match[str]) -> str:
        typed, quote, name, plain, text, word = found.groups("")
        keyword = name.replace("-", "_")
        option = options.get(keyword)
        if option and not option.is_flag and (plain or text or word in _choices(option)):
            return f"{keyword}={plain}" if plain else f'{keyword}="{text or word}"'
        keyword += "=True" * bool(option and option.is_flag)
        mark = "`" * (not quote and "=" not in keyword)
        return f"{quote}{mark}{keyword}{mark} {plain or text or word}".rstrip() if name else typed

    return _OPTION.sub(said, message)
