// Words of a sentence, chosen and marked with labels, by keyboard, mouse or finger.

export function make(name, content, className) {
  const element = document.createElement(name);
  if (content) element.textContent = content;
  if (className) element.className = className;
  return element;
}

const phrases = JSON.parse(document.body.dataset.phrases);

// A text of the page in the language of the guidelines; {0}, {1} ... stand for the other arguments.
export function t(text, ...parts) {
  return (phrases[text] || text).replace(/\{(\d)\}/g, (_, number) => parts[number]);
}

// `marks` holds {start, end, label}. Places count characters, as Python does, and not UTF-16 units.
export class Marking {
  marks = [];
  #characters = [];
  #words = []; // {start, end, element}
  #gaps = []; // what stands between them
  #picked = null; // {anchor, head}: numbers of words
  #buttons = [...document.querySelectorAll("#marking .mark")];
  #list = document.getElementById("marks");

  // `tell` says what was done, `left` is called when the sentence is left by key.
  constructor(text, tell, left) {
    this.text = text;
    this.tell = tell;
    this.left = left;
    this.labels = this.#buttons.map((button) => button.dataset.label);
    if (this.labels.length) this.#listen();
  }

  show(item) {
    this.#characters = [...item.text];
    this.#words = [];
    this.#gaps = [];
    const part = (start, end, kind) => ({ start, end, element: make("span", this.#said(start, end), kind) });
    let at = 0;
    for (const [start, end] of item.words) {
      if (at < start) this.#gaps.push(part(at, start, "gap"));
      this.#words.push(part(start, end, "word"));
      at = end;
    }
    const length = this.#characters.length;
    if (at < length) this.#gaps.push(part(at, length, "gap"));
    const parts = [...this.#words, ...this.#gaps].sort((one, other) => one.start - other.start);
    this.#words.forEach((word, number) => (word.element.dataset.number = number));
    // In one piece: a browser looks again which way the text runs whenever its children change.
    const whole = make("span");
    whole.append(...parts.map((each) => each.element));
    this.text.replaceChildren(whole);
    this.#picked = null;
  }

  fill(marks) {
    this.marks = marks.map((mark) => ({ ...mark }));
    this.#paint();
  }

  leave() {
    this.#picked = null;
    this.#paint();
  }

  // Returns whether the key meant something here.
  onKey(event, key) {
    const forward = getComputedStyle(this.text).direction === "rtl" ? "ArrowLeft" : "ArrowRight";
    const head = this.#picked ? this.#picked.head : -1;
    const to = {
      ArrowLeft: head + (forward === "ArrowLeft" ? 1 : -1),
      ArrowRight: head + (forward === "ArrowRight" ? 1 : -1),
      Home: 0,
      End: this.#words.length - 1,
    }[event.key];
    if (to !== undefined) this.#pick(event.shiftKey && this.#picked ? this.#picked.anchor : to, to);
    else if (event.key === "Delete" || event.key === "Backspace") this.#unmark();
    else if (event.key === "Escape" || key === "m") {
      this.leave();
      this.tell("");
      this.left();
    } else if (/^[1-9]$/.test(key) && this.labels[key - 1]) this.#toggle(this.labels[key - 1]);
    else return false;
    return true;
  }

  #said(start, end) {
    return this.#characters.slice(start, end).join("");
  }

  // Returns the first place and the last of the words that are chosen; null of none.
  #range() {
    if (!this.#picked) return null;
    const { anchor, head } = this.#picked;
    return [this.#words[Math.min(anchor, head)].start, this.#words[Math.max(anchor, head)].end];
  }

  #pick(anchor, head) {
    if (!this.#words.length) return;
    const within = (number) => Math.max(0, Math.min(this.#words.length - 1, number));
    this.#picked = { anchor: within(anchor), head: within(head) };
    this.#paint();
    this.tell(this.#said(...this.#range()));
  }

  #toggle(label) {
    const range = this.#range();
    if (!range) return;
    const [start, end] = range;
    const around = (mark) => mark.label === label && mark.start <= start && end <= mark.end;
    const touches = (mark) => mark.label === label && mark.start < end && start < mark.end;
    if (this.marks.some(around)) {
      this.marks = this.marks.filter((mark) => !around(mark));
      this.tell(t("Unmarked: {0}", this.#said(start, end)));
    } else {
      const joined = this.marks.filter(touches).concat({ start, end });
      this.marks = this.marks.filter((mark) => !touches(mark)).concat({
        start: Math.min(...joined.map((mark) => mark.start)),
        end: Math.max(...joined.map((mark) => mark.end)),
        label,
      });
      this.marks.sort((one, other) => one.start - other.start || one.end - other.end);
      this.tell(t("Marked as {0}: {1}", label, this.#said(start, end)));
    }
    this.#paint();
  }

  #unmark() {
    const range = this.#range();
    if (!range) return;
    this.marks = this.marks.filter((mark) => mark.end <= range[0] || range[1] <= mark.start);
    this.#paint();
    this.tell(t("Unmarked"));
  }

  #paint() {
    const [from, to] = this.#range() || [-1, -1];
    const paint = (part, kind) => {
      const covers = (mark) => mark.start <= part.start && part.end <= mark.end;
      const numbers = [...this.labels.keys()].filter((number) =>
        this.marks.some((mark) => mark.label === this.labels[number] && covers(mark)),
      );
      const lines = numbers.slice(0, 3).map((number, line) => `${"abd"[line]}${number % 5}`);
      const picked = from <= part.start && part.end <= to;
      part.element.className = [kind, lines.length && "marked", ...lines, picked && "picked"]
        .filter(Boolean)
        .join(" ");
    };
    for (const word of this.#words) paint(word, "word");
    for (const gap of this.#gaps) paint(gap, "gap");
    for (const button of this.#buttons) button.disabled = from < 0;
    if (this.#list) this.#list.replaceChildren(...this.marks.map((mark) => this.#entry(mark)));
  }

  #entry(mark) {
    const entry = make("li");
    const button = make("button", "", `l${this.labels.indexOf(mark.label) % 5}`);
    const said = this.#said(mark.start, mark.end);
    button.type = "button";
    button.append(make("span", `${mark.label}: `, "quiet"), make("bdi", said), " ✕");
    button.title = t("Unmark");
    button.addEventListener("click", () => {
      this.marks = this.marks.filter((each) => each !== mark);
      this.#paint();
      this.tell(t("Unmarked: {0}", said));
      this.text.focus();
    });
    entry.append(button);
    return entry;
  }

  #listen() {
    const { text } = this;
    text.tabIndex = 0;
    text.setAttribute("aria-describedby", "marking");
    // Arrows go to the page, not to a screen reader, only while words are chosen.
    text.addEventListener("focus", () => {
      text.setAttribute("role", "application");
      text.setAttribute("aria-label", t("Words of the sentence"));
      if (!this.#picked) this.#pick(0, 0);
    });
    text.addEventListener("blur", () => {
      text.removeAttribute("role");
      text.removeAttribute("aria-label");
    });
    const numberAt = (event) => {
      const element = document.elementFromPoint(event.clientX, event.clientY);
      const word = element && element.closest("#text .word");
      return word ? Number(word.dataset.number) : null;
    };
    let dragging = false;
    text.addEventListener("pointerdown", (event) => {
      const number = numberAt(event);
      if (number === null || event.button) return;
      event.preventDefault();
      dragging = true;
      this.#pick(event.shiftKey && this.#picked ? this.#picked.anchor : number, number);
      text.focus({ preventScroll: true });
    });
    document.addEventListener("pointermove", (event) => {
      const number = dragging ? numberAt(event) : null;
      if (number !== null && this.#picked) this.#pick(this.#picked.anchor, number);
    });
    for (const name of ["pointerup", "pointercancel"]) {
      document.addEventListener(name, () => (dragging = false));
    }
    for (const button of this.#buttons) {
      button.addEventListener("click", () => this.#toggle(button.dataset.label));
    }
  }
}
