"""Takes invented tasks to a Label Studio on this machine, answers them, and fetches the answers.

    python -m venv ls && ls/bin/pip install label-studio
    LABEL_STUDIO_BASE_DATA_DIR=ls-data COLLECT_ANALYTICS=false LATEST_VERSION_CHECK=0 \
      ls/bin/label-studio start --no-browser --internal-host 127.0.0.1 --port 8411
    python scripts/label_studio_round_trip.py http://127.0.0.1:8411 FOLDER [GUIDELINES]

Signs two accounts up, makes a project with the configuration of `wikibias annotate export`, answers
24 tasks as each of them through the API, one of them twice and one not at all, and writes what
Label Studio exports (JSON, JSON-MIN, CSV, TSV) into FOLDER. Each comes back by `wikibias annotate
import`; what differs from what was answered is shown, and ends with 1. Agreement is measured at the
end. Tried with Label Studio 1.23.2.
"""

from __future__ import annotations

import argparse
import json
import secrets
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import requests

from wikibias.config.guidelines import Guidelines, load_guidelines
from wikibias.research.annotation.tables import write_rows
from wikibias.research.annotation.tasks import Task, as_row

EXPORTS = {"JSON": "json", "JSON_MIN": "min.json", "CSV": "csv", "TSV": "tsv"}
_PRAISED = ("legendary", "world-famous", "so-called", "infamous")
_TOWNS = ("Arlen", "Borvik", "Český Les", "Dąbrowa", "Élan", "Финово")


class Annotator:
    """An account of Label Studio that is signed up and logged in; `number` is its id there."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self._session = requests.Session()
        self._session.get(f"{url}/user/signup/", timeout=60)
        form = {
            "csrfmiddlewaretoken": self._session.cookies["csrftoken"],
            "email": f"{name}-{secrets.token_hex(4)}@example.org",
            "password": secrets.token_urlsafe(12),
        }
        self._session.post(
            f"{url}/user/signup/", form, headers={"Referer": url}, timeout=60
        ).raise_for_status()
        self.number: int = self.call("GET", "/api/current-user/whoami")["id"]

    def call(self, method: str, path: str, content: Any = None) -> Any:
        """Return what the API answers, as JSON, or as bytes where it is none."""
        headers = {"Referer": self.url, "X-CSRFToken": str(self._session.cookies["csrftoken"])}
        done = self._session.request(
            method, self.url + path, json=content, headers=headers, timeout=120
        )
        if not done.ok:
            raise SystemExit(f"{method} {path}: {done.status_code} {done.text[:1000]}")
        is_json = done.headers.get("Content-Type", "").startswith("application/json")
        return done.json() if is_json and "/export" not in path else done.content


def invented_tasks() -> list[Task]:
    """Return 24 tasks of our own words, some with letters of two units of UTF-16."""
    tasks = []
    for number in range(24):
        praise, town = _PRAISED[number % 4], _TOWNS[number % 6]
        end = " 🚲, and the station" if number % 5 == 0 else ""
        biased = f"The {praise} mill of {town}{end} was rebuilt in {1900 + number}."
        plain = f"The mill of {town}{end} was rebuilt in {1900 + number}."
        text, other = (biased, plain) if number % 3 else (plain, biased)
        tasks.append(
            Task(
                f"s{number + 1}",
                text,
                counterpart=other,
                previous=f"{town} lies on a river." if number % 2 else None,
                section="History",
            )
        )
    return tasks


def said(task: Task, guidelines: Guidelines, annotator: int) -> dict[str, Any]:
    """Return the answers of one of two annotators who differ in every sixth task, as a row."""
    number = int(task.item[1:])
    row: dict[str, Any] = {"item": task.item, "comment": ""}
    word = next((word for word in _PRAISED if word in task.text), None)
    for question in guidelines.questions:
        yes = (word is not None) != (annotator == 1 and number % 6 == 0)
        values = question.values
        if question.several:
            row[question.name] = list(values[: 1 + number % 2]) if yes else []
        else:
            row[question.name] = values[0] if yes else values[1]
    if guidelines.spans:
        row["spans"] = []
    if guidelines.spans and word is not None:
        place = task.text.index("mill")  # behind nothing wide, and a second one that is
        spans = [{"start": place, "end": place + 4, "label": guidelines.spans[0]}]
        if "station" in task.text:
            place = task.text.index("station")
            spans.append({"start": place, "end": place + 7, "label": guidelines.spans[-1]})
        row["spans"] = spans
    if number % 7 == 0:
        row["comment"] = 'I was "in doubt"; why?\nSee the rules.'
    return row


def as_result(row: Mapping[str, Any], task: Task, guidelines: Guidelines) -> list[dict[str, Any]]:
    """Return a row of answers as Label Studio's page sends it, offsets in characters."""
    to = "text" if guidelines.view == "sentence" else "before_edit"
    result = []
    for question in guidelines.questions:
        values = row[question.name]
        chosen = (values or ["none"]) if question.several else [values]
        result.append(_item(question.name, to, "choices", {"choices": chosen}))
    for span in row.get("spans", ()):
        start, end = span["start"], span["end"]
        value = {"start": start, "end": end, "text": task.text[start:end]}
        result.append(_item("spans", to, "labels", {**value, "labels": [span["label"]]}))
    if row["comment"]:
        result.append(_item("comment", to, "textarea", {"text": [row["comment"]]}))
    return result


def _item(name: str, to: str, kind: str, value: Mapping[str, Any]) -> dict[str, Any]:
    return {"from_name": name, "to_name": to, "type": kind, "value": value}


def wikibias(*words: object) -> None:
    """Run a command, and show it."""
    print("$ wikibias", *words, flush=True)
    code = f"import sys; from wikibias.cli import main; main({[str(word) for word in words]!r})"
    subprocess.run([sys.executable, "-c", code], check=True)


def answered(
    people: Sequence[Annotator], project: int, tasks: Sequence[Task], guidelines: Guidelines
) -> dict[tuple[str, str], dict[str, Any]]:
    """Answer the tasks of a project; returns the rows that are to come back, by who and what."""
    by_item = {task.item: task for task in tasks}
    listed = people[0].call("GET", f"/api/projects/{project}/tasks?page_size=100")
    expected = {}
    for place, person in enumerate(people):
        for found in listed:
            task = by_item[found["data"]["item"]]
            path = f"/api/tasks/{found['id']}/annotations/"
            row = said(task, guidelines, place)
            if task.item == "s5" and place == 1:
                person.call("POST", path, {"result": [], "was_cancelled": True})
                continue
            if task.item == "s3" and place == 0:  # first what the other one says of another
                first = said(by_item["s1"], guidelines, place)
                person.call("POST", path, {"result": as_result(first, task, guidelines)})
            result = as_result(row, task, guidelines)
            person.call("POST", path, {"result": result, "lead_time": 4.2})
            expected[task.item, str(person.number)] = row
    return expected


def main() -> int:
    """Go there and back, and compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("url")
    parser.add_argument("folder", type=Path)
    parser.add_argument("guidelines", nargs="?", default="bias")
    given = parser.parse_args()
    guidelines, folder = load_guidelines(given.guidelines), given.folder
    folder.mkdir(parents=True, exist_ok=True)
    tasks = invented_tasks()
    write_rows(folder / "tasks.jsonl", [as_row(task) for task in tasks])
    asked = ("--guidelines", given.guidelines)
    wikibias(
        *("annotate", "export", folder / "tasks.jsonl", "--to", "label-studio", *asked),
        *("--out", folder / "label-studio"),
    )
    people = [Annotator(given.url, name) for name in ("ann", "bob")]
    exported = folder / "label-studio"
    facts = {
        "title": f"Round trip: {guidelines.name}",
        "label_config": (exported / "labels.xml").read_text("utf-8"),
        "expert_instruction": (exported / "instructions.html").read_text("utf-8"),
        "show_instruction": True,
        "maximum_annotations": 2,
    }
    project = people[0].call("POST", "/api/projects", facts)["id"]
    rows = json.loads((exported / "tasks.json").read_text("utf-8"))
    people[0].call("POST", f"/api/projects/{project}/import", rows)
    expected = answered(people, project, tasks, guidelines)
    print(f"project {project}: {len(expected)} answers to {len(tasks)} tasks", flush=True)
    faults = 0
    for form, ending in EXPORTS.items():
        path = folder / f"export.{ending}"
        query = f"exportType={form}&download_all_tasks=true"
        path.write_bytes(people[0].call("GET", f"/api/projects/{project}/export?{query}"))
        out = folder / f"answers-{form}.jsonl"
        wikibias(
            *("annotate", "import", path, "--tasks", folder / "tasks.jsonl", *asked),
            *("--overwrite", "--out", out),
        )
        faults += compared(out, expected, form)
    question = guidelines.questions[0].name
    answers = folder / "answers-JSON.jsonl"
    wikibias(
        *("annotate", "agree", answers, "--label", question, "--tasks", folder / "tasks.jsonl"),
        *("--out", folder / "agreement.json"),
    )
    return min(faults, 1)


def compared(out: Path, expected: Mapping[tuple[str, str], Mapping[str, Any]], form: str) -> int:
    """Show where what came back is not what was answered; returns in how many rows."""
    rows = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    found = {(row["item"], row.pop("annotator")): row for row in rows}
    differing = [key for key in {**expected, **found} if expected.get(key) != found.get(key)]
    for key in differing[:5]:
        print(f"{form}: {key}: expected {expected.get(key)}, found {found.get(key)}")
    print(f"{form}: {len(found)} answers, {len(differing)} not as they were given", flush=True)
    return len(differing)


if __name__ == "__main__":
    sys.exit(main())
