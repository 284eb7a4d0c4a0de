// The labelling page: asks for an item, shows it, and sends what is answered. All texts are set as
// text, never as markup.
"use strict";

(() => {
  const $ = (id) => document.getElementById(id);
  const annotator = document.body.dataset.annotator;
  const pairView = document.body.dataset.view === "pair";
  const fieldsets = [...document.querySelectorAll("fieldset")];
  const inputs = [...document.querySelectorAll("fieldset input")];
  const labelButtons = [...document.querySelectorAll("#marking .mark")];
  const spanLabels = labelButtons.map((button) => button.dataset.label);
  const text = $("text");

  let state = null; // as the server told it last
  let after = null; // what comes after the feedback of a practice item
  let busy = false;
  let characters = []; // of the text; places count these, as Python does, and not UTF-16 units
  let words = []; // {start, end, element}
  let gaps = [];
  let marks = []; // {start, end, label}
  let picked = null; // {anchor, head}: numbers of words

  const make = (name, content, className) => {
    const element = document.createElement(name);
    if (content) element.textContent = content;
    if (className) element.className = className;
    return element;
  };

  function tell(message, wrong = false) {
    $("status").textContent = message;
    $("status").classList.toggle("wrong", wrong);
  }

  async function ask(what, body) {
    const address = `/api/${what}?as=${encodeURIComponent(annotator)}`;
    const how = body && {
      method: "POST",
      headers: { "Content-Type": "application/json", "X-Wikibias": "1" },
      body: JSON.stringify(body),
    };
    let response;
    try {
      response = await fetch(address, how);
    } catch {
      throw new Error(
        "Not saved: the server does not answer. Your answer stays on this page. Start the command again, then press Enter.",
      );
    }
    if ((response.headers.get("content-type") || "").startsWith("application/json")) {
      const told = await response.json();
      if (response.ok) return told;
      throw new Error(told.error);
    }
    throw new Error(await response.text());
  }

  // One request at a time: a key that is held down sends one answer.
  async function once(work) {
    if (busy) return;
    busy = true;
    try {
      await work();
    } catch (error) {
      tell(error.message, true);
    } finally {
      busy = false;
    }
  }

  // ---- showing

  function show(told) {
    state = told;
    after = null;
    const { item, practice } = state;
    $("progress").max = Math.max(state.of, 1);
    $("progress").value = state.done;
    $("count").textContent = `${state.done} of ${state.of}`;
    document.title = `${state.done}/${state.of} ${document.querySelector("h1").textContent}`;
    $("undo").disabled = !state.can_undo;
    $("practice").hidden = !practice;
    if (practice) {
      $("practice").textContent = `Practice ${practice.number} of ${practice.of}: this one does not count.`;
    }
    $("feedback").hidden = true;
    if ($("marking")) $("marking").hidden = false;
    $("item").hidden = $("answers").hidden = !item;
    $("end").hidden = Boolean(item);
    if (item) {
      showItem(item);
      fill(state.draft);
      $("item").setAttribute(
        "aria-label",
        practice ? `Practice ${practice.number} of ${practice.of}` : `Sentence ${state.done + 1} of ${state.of}`,
      );
    }
    window.scrollTo(0, 0);
    (item ? $("item") : $("end")).focus();
  }

  function showItem(item) {
    for (const name of ["section", "previous", "next"]) {
      $(name).textContent = item[name] || "";
      $(name).hidden = !item[name];
    }
    $("item").lang = item.language || "";
    text.hidden = pairView && !spanLabels.length;
    showText(item);
    $("edit").replaceChildren(...(item.edit ? editParts(item.edit) : []));
  }

  function showText(item) {
    characters = [...item.text];
    const slice = (start, end) => characters.slice(start, end).join("");
    words = [];
    gaps = [];
    let at = 0;
    for (const [start, end] of item.words) {
      if (at < start) gaps.push({ start: at, end: start, element: make("span", slice(at, start), "gap") });
      words.push({ start, end, element: make("span", slice(start, end), "word") });
      at = end;
    }
    if (at < characters.length) {
      gaps.push({ start: at, end: characters.length, element: make("span", slice(at), "gap") });
    }
    const parts = [...words, ...gaps].sort((one, other) => one.start - other.start);
    text.replaceChildren(...parts.map((part) => part.element));
    words.forEach((word, number) => (word.element.dataset.number = number));
    picked = null;
  }

  function editParts(edit) {
    const diff = make("div", "", "diff");
    diff.append(pair(edit.before, edit.after, "before", "after"));
    const { before, after: added } = edit.others;
    const rows = Math.max(before.length, added.length);
    if (!rows) return [diff];
    const rest = make("details");
    rest.append(make("summary", "Other sentences of this edit"));
    rest.open = !edit.before.length || !edit.after.length; // what it became may be among them
    const others = make("div", "", "diff");
    for (let row = 0; row < rows; row += 1) {
      const plain = (texts) => (texts[row] ? [[texts[row], false]] : null);
      others.append(pair(plain(before), plain(added)));
    }
    rest.append(others);
    return [diff, rest];
  }

  function pair(before, added, ...names) {
    const row = make("div", "", "pair");
    for (const [pieces, kind, element, name] of [
      [before, "before", "del", names[0]],
      [added, "after", "ins", names[1]],
    ]) {
      const side = make("div", "", pieces ? `side ${kind}` : "side empty");
      if (name) side.append(make("span", name, "sign"));
      const line = make("p");
      line.dir = "auto";
      for (const [piece, changed] of pieces || []) {
        line.append(changed ? make(element, piece) : piece);
      }
      if (pieces && !pieces.length) line.append(make("span", "(no sentence that matches it)", "quiet"));
      side.append(line);
      row.append(side);
    }
    return row;
  }

  function fill(draft) {
    for (const input of inputs) {
      const said = draft ? draft[input.name] : null;
      if (input.dataset.none) input.checked = Array.isArray(said) && !said.length;
      else input.checked = Array.isArray(said) ? said.includes(input.value) : said === input.value;
    }
    $("comment").value = (draft && draft.comment) || "";
    marks = ((draft && draft.spans) || []).map((mark) => ({ ...mark }));
    paint();
    tell(draft ? "This is what you answered; change it, or save it again." : "");
  }

  // ---- marking words

  const chosen = () =>
    picked && [Math.min(picked.anchor, picked.head), Math.max(picked.anchor, picked.head)];

  function paint() {
    const range = chosen();
    const from = range ? words[range[0]].start : -1;
    const to = range ? words[range[1]].end : -1;
    for (const part of [...words, ...gaps]) {
      const on = spanLabels
        .map((label, number) => [label, number])
        .filter(([label]) =>
          marks.some((mark) => mark.label === label && mark.start <= part.start && part.end <= mark.end),
        );
      const kind = words.includes(part) ? "word" : "gap";
      const lines = on.slice(0, 3).map(([, number], line) => `${"abd"[line]}${number % 5}`);
      const isPicked = from <= part.start && part.end <= to;
      part.element.className = [kind, on.length && "marked", ...lines, isPicked && "picked"]
        .filter(Boolean)
        .join(" ");
    }
    for (const button of labelButtons) button.disabled = !range;
    if ($("marks")) $("marks").replaceChildren(...marks.map(markEntry));
  }

  function markEntry(mark) {
    const entry = make("li");
    const button = make("button", "", `l${spanLabels.indexOf(mark.label) % 5}`);
    button.type = "button";
    const said = characters.slice(mark.start, mark.end).join("");
    button.append(make("span", `${mark.label}: `, "quiet"), make("bdi", said), " ✕");
    button.setAttribute("aria-label", `Unmark ${said}: ${mark.label}`);
    button.addEventListener("click", () => {
      marks = marks.filter((each) => each !== mark);
      paint();
      tell(`Unmarked: ${said}`);
      text.focus();
    });
    entry.append(button);
    return entry;
  }

  function toggle(label) {
    const range = chosen();
    if (!range) return;
    const start = words[range[0]].start;
    const end = words[range[1]].end;
    const said = characters.slice(start, end).join("");
    const inside = (mark) => mark.label === label && mark.start <= start && end <= mark.end;
    if (marks.some(inside)) {
      marks = marks.filter((mark) => !inside(mark));
      tell(`Unmarked: ${said}`);
    } else {
      const touching = (mark) => mark.label === label && mark.start < end && start < mark.end;
      const joined = marks.filter(touching).concat({ start, end });
      marks = marks.filter((mark) => !touching(mark));
      marks.push({
        start: Math.min(...joined.map((mark) => mark.start)),
        end: Math.max(...joined.map((mark) => mark.end)),
        label,
      });
      marks.sort((one, other) => one.start - other.start || one.end - other.end);
      tell(`Marked as ${label}: ${said}`);
    }
    paint();
  }

  function unmark() {
    const range = chosen();
    if (!range) return;
    const start = words[range[0]].start;
    const end = words[range[1]].end;
    marks = marks.filter((mark) => mark.end <= start || end <= mark.start);
    paint();
    tell("Unmarked");
  }

  function pick(anchor, head) {
    if (!words.length) return;
    const within = (number) => Math.max(0, Math.min(words.length - 1, number));
    picked = { anchor: within(anchor), head: within(head) };
    paint();
    const [from, to] = chosen();
    tell(characters.slice(words[from].start, words[to].end).join(""));
  }

  function onText(event, key) {
    const forward = getComputedStyle(text).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const head = picked ? picked.head : -1;
    const to = {
      ArrowLeft: head + (forward === "ArrowLeft" ? 1 : -1),
      ArrowRight: head + (forward === "ArrowRight" ? 1 : -1),
      Home: 0,
      End: words.length - 1,
    }[event.key];
    if (to !== undefined) pick(event.shiftKey && picked ? picked.anchor : to, to);
    else if (event.key === "Delete" || event.key === "Backspace") unmark();
    else if (event.key === "Escape" || key === "m") leaveText();
    else if (/^[1-9]$/.test(key) && spanLabels[key - 1]) toggle(spanLabels[key - 1]);
    else return false;
    return true;
  }

  function leaveText() {
    picked = null;
    paint();
    tell("");
    $("item").focus();
  }

  function wordAt(event) {
    const element = document.elementFromPoint(event.clientX, event.clientY);
    return element && element.closest("#text .word");
  }

  if (spanLabels.length) {
    text.tabIndex = 0;
    text.setAttribute("aria-describedby", "marking");
    // Arrows go to the page, not to a screen reader, only while words are chosen.
    text.addEventListener("focus", () => {
      text.setAttribute("role", "application");
      text.setAttribute("aria-label", "Words of the sentence");
      if (!picked) pick(0, 0);
    });
    text.addEventListener("blur", () => {
      text.removeAttribute("role");
      text.removeAttribute("aria-label");
    });
    let dragging = false;
    text.addEventListener("pointerdown", (event) => {
      const word = wordAt(event);
      if (!word || event.button) return;
      event.preventDefault();
      dragging = true;
      const number = Number(word.dataset.number);
      pick(event.shiftKey && picked ? picked.anchor : number, number);
      text.focus({ preventScroll: true });
    });
    document.addEventListener("pointermove", (event) => {
      const word = dragging && wordAt(event);
      if (word) pick(picked.anchor, Number(word.dataset.number));
    });
    for (const name of ["pointerup", "pointercancel"]) {
      document.addEventListener(name, () => (dragging = false));
    }
    for (const button of labelButtons) {
      button.addEventListener("click", () => toggle(button.dataset.label));
    }
  }

  // ---- answering

  function answers() {
    const found = {};
    for (const fieldset of fieldsets) {
      const checked = [...fieldset.querySelectorAll(":checked")];
      if (!checked.length) {
        tell(`Choose an answer first: ${fieldset.querySelector("legend").textContent}`, true);
        fieldset.querySelector("input").focus();
        return null;
      }
      const values = checked.filter((input) => !input.dataset.none).map((input) => input.value);
      found[fieldset.dataset.question] = fieldset.dataset.several ? values : values[0];
    }
    return found;
  }

  function save() {
    if (!state || state.place === null) return;
    const given = answers();
    if (!given) return;
    once(async () => {
      const body = { place: state.place, answers: given, comment: $("comment").value };
      if (spanLabels.length) body.spans = marks;
      const told = await ask("answer", body);
      if (told.feedback) {
        giveFeedback(told);
        return;
      }
      show(told);
      if (!told.taken) tell("You had answered that already. This is where you are.");
      else if (!told.draft) tell(`Saved. ${told.done} of ${told.of}.`);
    });
  }

  function giveFeedback(told) {
    after = told;
    const { right, said, expected, why } = told.feedback;
    $("verdict").textContent = right
      ? `Yes: ${expected}`
      : `You chose: ${said}. The guidelines say: ${expected}.`;
    $("why").textContent = why;
    $("feedback").classList.toggle("missed", !right);
    $("feedback").hidden = false;
    $("answers").hidden = true;
    if ($("marking")) $("marking").hidden = true;
    picked = null;
    paint();
    tell("");
    $("feedback").focus();
  }

  function goOn() {
    if (after) show(after);
    else save();
  }

  function undo() {
    if (!state || !state.can_undo) return;
    const place = after ? after.place : state.place;
    once(async () => show(await ask("undo", { place })));
  }

  function choose(input) {
    if (input.type === "radio") input.checked = true;
    else input.checked = !input.checked;
    input.focus({ preventScroll: true });
    settle(input);
  }

  // "None of these" and the others shut each other out.
  function settle(input) {
    if (!input.checked || input.type === "radio") return;
    for (const other of inputs) {
      const shutOut = other.name === input.name && other !== input;
      if (shutOut && (input.dataset.none || other.dataset.none)) other.checked = false;
    }
  }

  function step(by) {
    const now = inputs.indexOf(document.activeElement);
    const next = now < 0 ? (by > 0 ? 0 : inputs.length - 1) : now + by;
    if (!inputs[next]) return;
    inputs[next].focus();
    if (inputs[next].type === "radio") inputs[next].checked = true;
  }

  // Of several questions "0" means the one in use, else the first without an answer.
  function keyed(key) {
    const of = inputs.filter((input) => input.dataset.key === key);
    const here = document.activeElement.closest && document.activeElement.closest("fieldset");
    return (
      of.find((input) => here && here.contains(input)) ||
      of.find((input) => !input.closest("fieldset").querySelector(":checked")) ||
      of[0]
    );
  }

  // What a key means on a keyboard of any script: by its place where it writes no Latin letter, and
  // in the row of digits where that needs Shift.
  function meant(event) {
    if (event.key === "?") return "?";
    const letter = /^Key([A-Z])$/.exec(event.code);
    if (letter && event.key.length === 1 && event.key > "\x7f") return letter[1].toLowerCase();
    const digit = /^Digit([0-9])$/.exec(event.code);
    if (digit && !event.shiftKey) return digit[1];
    return event.key;
  }

  function onKey(event) {
    const inComment = event.target === $("comment");
    if (inComment && event.key === "Enter" && (event.ctrlKey || event.metaKey)) return goOn();
    if (event.ctrlKey || event.metaKey || event.altKey) return false;
    if (inComment) {
      if (event.key !== "Escape") return false;
      return $("item").focus();
    }
    const key = meant(event);
    if (event.target === text && !after && onText(event, key)) return undefined;
    // A key that is held down goes on once.
    if (event.repeat && (event.key === "Enter" || key === "u" || event.key === "ArrowRight")) return undefined;
    if (event.key === "Enter") {
      return event.target.matches("button:not(#save, #on), summary, a") ? false : goOn();
    }
    if (after && event.key === "ArrowRight") return goOn();
    if (!$("letters").checked && key.length === 1) return false;
    if (key === "u") return undo();
    if (key === "g") return $("guidelines").showModal();
    if (key === "?") return $("keys").showModal();
    if (after || !state || !state.item) return false;
    if (event.key === "ArrowRight") return goOn();
    if (event.key === "ArrowDown") return step(1);
    if (event.key === "ArrowUp") return step(-1);
    if (key === "c") return $("comment").focus();
    if (key === "m" && spanLabels.length) return text.focus();
    const input = keyed(key);
    if (input) return choose(input);
    return false;
  }

  document.addEventListener("keydown", (event) => {
    if (document.querySelector("dialog[open]") || event.isComposing) return;
    if (onKey(event) !== false) event.preventDefault();
  });
  $("answers").addEventListener("submit", (event) => {
    event.preventDefault();
    save();
  });
  for (const input of inputs) input.addEventListener("change", () => settle(input));
  $("on").addEventListener("click", goOn);
  $("undo").addEventListener("click", undo);
  $("guide").addEventListener("click", () => $("guidelines").showModal());
  $("help").addEventListener("click", () => $("keys").showModal());
  $("letters").checked = localStorage.getItem("letters") !== "off";
  $("letters").addEventListener("change", () =>
    localStorage.setItem("letters", $("letters").checked ? "on" : "off"),
  );
  once(async () => show(await ask("state")));
})();
