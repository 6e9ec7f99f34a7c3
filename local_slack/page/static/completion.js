/*
 * Owns the list that opens above a field while somebody types: typing filters it, arrows move, Enter and Tab choose, Esc
 * closes. What it offers comes from sources: "@" for people, "/" for commands.
 */

import { h } from "./dom.js";

let made = 0;

/**
 * A source is `{name, pattern, find(typed)}`; what it finds is `{label, note, face, words}` or has `run()` instead of words.
 * `onKey(event)` says whether the list has taken the key for itself.
 */
export function createCompletion(field, sources) {
  const id = `completion-${++made}`;
  const node = h("ul", { class: "completion", role: "listbox", id, hidden: true });
  Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": "false" })
    .forEach(([name, value]) => field.setAttribute(name, value));
  let found = [];
  let begins = 0;
  let chosen = 0;

  function update() {
    const before = field.value.slice(0, field.selectionStart);
    const source = sources.find(({ pattern }) => pattern.test(before));
    const typed = source?.pattern.exec(before)[1];
    found = source ? source.find(typed) : [];
    begins = before.length - (typed?.length ?? 0) - 1;
    chosen = 0;
    if (source) node.setAttribute("aria-label", source.name);
    show();
  }

  function close() {
    found = [];
    show();
  }

  function show() {
    const open = found.length > 0;
    node.hidden = !open;
    field.setAttribute("aria-expanded", String(open));
    if (open) field.setAttribute("aria-activedescendant", `${id}-${chosen}`);
    else field.removeAttribute("aria-activedescendant");
    node.replaceChildren(...found.map(option));
    node.children[chosen]?.scrollIntoView({ block: "nearest" });
  }

  function option(one, index) {
    const take = (event) => {
      event.preventDefault();
      choose(one);
    };
    return h("li", { id: `${id}-${index}`, role: "option", "aria-selected": index === chosen, onmousedown: take },
      one.face,
      h("span", {}, one.label),
      h("span", { class: "handle" }, one.note));
  }

  function choose(one) {
    const end = field.selectionStart;
    const words = one.run ? "" : one.words;
    const gap = one.run || field.value[end] === " " ? "" : " ";
    field.setRangeText(`${words}${gap}`, begins, end, "end");
    if (words && !gap) field.selectionStart = field.selectionEnd += 1;
    close();
    field.dispatchEvent(new Event("input", { bubbles: true }));
    one.run?.();
  }

  const KEYS = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => choose(found[chosen]),
    Tab: () => choose(found[chosen]),
    Escape: close,
  };

  function move(by) {
    chosen = (chosen + by + found.length) % found.length;
    show();
  }

  function onKey(event) {
    if (found.length === 0 || !(event.key in KEYS)) return false;
    event.preventDefault();
    KEYS[event.key]();
    return true;
  }

  field.addEventListener("input", update);
  field.addEventListener("click", update);
  field.addEventListener("blur", close);
  return { node, onKey };
}
