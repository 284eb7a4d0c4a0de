// The labelling page: asks for an item, shows it, and sends what is answered. All texts are set as
// text, never as markup.

import { Marking, make, t } from "/marks.js";

const $ = (id) => document.getElementById(id);
const annotator = document.body.dataset.annotator;
const pairView = document.body.dataset.view === "pair";
const fieldsets = [...document.querySelectorAll("fieldset")];
const inputs = [...document.querySelectorAll("fieldset input")];
const text = $("text");
const marking = new Marking(text, tell, () => $("item").focus());

let state = null; // as the server told it last
let after = null; // what comes after the feedback of a practice item
let busy = false;
let paintedAt = 0; // when the item that is asked for came to be seen

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
      t("Not saved: the server does not answer. Your answer stays on this page. Start the command again, then press Enter."),
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

// Nobody answers what he cannot see yet: keys count when the item has been painted, and those that
// were pressed before, while a slow page stood still, never do.
function notYetSeen() {
  paintedAt = Infinity;
  delete document.body.dataset.painted;
  requestAnimationFrame(() =>
    setTimeout(() => {
      paintedAt = performance.now();
      document.body.dataset.painted = "1";
    }),
  );
}

function show(told) {
  notYetSeen();
  state = told;
  after = null;
  const { item, practice } = state;
  $("progress").max = Math.max(state.of, 1);
  $("progress").value = state.done;
  $("count").textContent = t("{0} of {1}", state.done, state.of);
  document.title = `${state.done}/${state.of} ${document.querySelector("h1").textContent}`;
  $("undo").disabled = !state.can_undo;
  $("practice").hidden = !practice;
  if (practice) {
    $("practice").textContent = t("Practice {0} of {1}: this one does not count.", practice.number, practice.of);
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
      practice
        ? t("Practice {0} of {1}", practice.number, practice.of)
        : t("Sentence {0} of {1}", state.done + 1, state.of),
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
  $("cut").hidden = !item.cut;
  if (item.cut) {
    const [shown, of] = [item.cut.shown, item.cut.of].map((number) => number.toLocaleString(document.documentElement.lang));
    $("cut").textContent = t("Too long to show: these are the first {0} of {1} characters.", shown, of);
  }
  $("item").lang = item.language || "";
  text.hidden = pairView && !marking.labels.length;
  marking.show(item);
  $("edit").replaceChildren(...(item.edit ? editParts(item.edit) : []));
  $("said").hidden = !item.said.length;
  $("said").replaceChildren(
    ...item.said.flatMap(({ who, said, comment }) => [
      make("dt", who),
      make("dd", comment ? `${said} (${comment})` : said),
    ]),
  );
}

function editParts(edit) {
  const diff = make("div", "", "diff");
  diff.append(pair(edit.before, edit.after, t("before"), t("after")));
  const { before, after: added } = edit.others;
  const rows = Math.max(before.length, added.length);
  const parts = [diff];
  if (edit.before.length && said(edit.before) === said(edit.after)) {
    const same = t("Both sides read the same. References and markup, which are not shown, may differ.");
    parts.push(make("p", same, "quiet"));
  }
  if (!rows) return parts;
  const rest = make("details");
  const title = rows < 40 ? "Other sentences of this edit" : "Other sentences of this edit, the first 40";
  rest.append(make("summary", t(title)));
  rest.open = !edit.before.length || !edit.after.length; // what it became may be among them
  const others = make("div", "", "diff");
  for (let row = 0; row < rows; row += 1) {
    const plain = (texts) => (texts[row] ? [[texts[row], false]] : null);
    others.append(pair(plain(before), plain(added)));
  }
  rest.append(others);
  return [...parts, rest];
}

function said(pieces) {
  return pieces.map(([piece]) => piece).join("");
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
    if (pieces && !pieces.length) line.append(make("span", t("(no sentence that matches it)"), "quiet"));
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
  marking.fill((draft && draft.spans) || []);
  tell(draft ? t("This is what you answered; change it, or save it again.") : "");
}

// ---- answering

function answers() {
  const found = {};
  for (const fieldset of fieldsets) {
    const checked = [...fieldset.querySelectorAll(":checked")];
    if (!checked.length) {
      tell(t("Choose an answer first: {0}", fieldset.querySelector("legend").textContent), true);
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
    if (marking.labels.length) body.spans = marking.marks;
    const told = await ask("answer", body);
    if (told.feedback) {
      giveFeedback(told);
      return;
    }
    show(told);
    if (!told.taken) tell(t("You had answered that already. This is where you are."));
    else if (!told.draft) tell(t("Saved. {0} of {1}.", told.done, told.of));
  });
}

function giveFeedback(told) {
  after = told;
  const { right, said, expected, why } = told.feedback;
  $("verdict").textContent = right
    ? t("Yes: {0}", expected)
    : t("You chose: {0}. The guidelines say: {1}.", said, expected);
  $("why").textContent = why;
  $("feedback").classList.toggle("missed", !right);
  $("undo").disabled = !told.can_undo;
  $("feedback").hidden = false;
  $("answers").hidden = true;
  if ($("marking")) $("marking").hidden = true;
  marking.leave();
  tell("");
  $("feedback").focus();
}

function goOn() {
  if (after) show(after);
  else save();
}

function undo() {
  const now = after || state;
  if (!now || !now.can_undo) return;
  const { place } = now;
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

// A browser may refuse to remember anything.
function remembered(value) {
  try {
    if (value) localStorage.setItem("letters", value);
    return localStorage.getItem("letters");
  } catch {
    return null;
  }
}

function tooEarly(event) {
  const ofTheBrowser = event.ctrlKey || event.metaKey || event.altKey;
  return event.timeStamp < paintedAt && !ofTheBrowser && /^(.|Enter|Arrow.*)$/u.test(event.key);
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
  if (event.target === text && !after && marking.onKey(event, key)) return undefined;
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
  if (key === "m" && marking.labels.length) return text.focus();
  const input = keyed(key);
  if (input) return choose(input);
  return false;
}

document.addEventListener("keydown", (event) => {
  if (document.querySelector("dialog[open]") || event.isComposing) return;
  if (tooEarly(event) || onKey(event) !== false) event.preventDefault();
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
$("letters").checked = remembered() !== "off";
$("letters").addEventListener("change", () => remembered($("letters").checked ? "on" : "off"));
once(async () => show(await ask("state")));
