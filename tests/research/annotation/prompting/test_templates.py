"""Templates of prompts: what they are given is data, and what they may reach is nothing."""

from __future__ import annotations

import pytest

from wikibias.errors import UsageError, WikibiasError
from wikibias.research.annotation.prompts import template


def test_what_is_filled_in_is_no_template_and_is_not_escaped() -> None:
    text = "{{ 7 * 7 }} {% raw %} <b>&amp;</b> '\" # not a comment"
    assert template("Say: '{{ text }}'", "t")({"text": text}) == f"Say: '{text}'"


def test_a_line_with_a_command_leaves_no_trace_and_the_last_line_end_goes() -> None:
    source = (
        "{% for each in some %}\n  {% if each %}\n{{ each }}\n  {% endif %}\n{% endfor %}\nend\n"
    )
    assert template(source, "t")({"some": ["a", "", "b"]}) == "a\nb\nend"


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("{{ text", "t:1: no template of Jinja2"),
        ("a\nb\n{% for %}", "t:3: no template of Jinja2"),
        ("{{ sentence }}", "'sentence' is undefined); it is given text"),
        ("{{ text | nofilter }}", "t:1: no template of Jinja2"),
        ("{{ text.__class__.__mro__ }}", "unsafe"),
        ("{{ ''.__class__.__base__.__subclasses__() }}", "unsafe"),
        ("{% include '/etc/passwd' %}", "cannot be filled"),
        ("{{ 1 / 0 }}", "division by zero"),
        ("{{ text + 1 }}", "cannot be filled"),
        ("{{ '{0}'.format() }}", "cannot be filled"),
        ("{{ 'a' * 10 ** 18 }}", "cannot be filled"),
        ("{% for n in range(10 ** 9) %}{% endfor %}", "cannot be filled"),
    ],
)
def test_a_template_that_is_broken_or_reaches_out_is_refused_in_one_line(
    source: str, said: str
) -> None:
    with pytest.raises(UsageError) as caught:
        template(source, "t")({"text": "A mill."})
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "source",
    [
        "Is it so? {# {{ text }} #}",
        "{% raw %}{{ text }}{% endraw %}",
        "{% set text = 'X' %}{{ text }}",
    ],
)
def test_a_template_must_use_what_is_asked_about(source: str) -> None:
    with pytest.raises(UsageError, match=r"t never uses text; write {{ text }} where"):
        template(source, "t", needed="text")
    assert template("{% if text %}{{ text }}{% endif %}", "t", needed="text")({"text": "a"}) == "a"


@pytest.mark.parametrize(
    "source",
    [
        "{{ text * 100 }}",
        "{% for a in range(99999) %}{% for b in range(99999) %}{{ text }}{% endfor %}{% endfor %}",
    ],
)
def test_a_prompt_has_a_longest_length(source: str) -> None:
    with pytest.raises(WikibiasError, match="more than 1,000,000 characters"):
        template(source, "t")({"text": "a" * 20_000})
