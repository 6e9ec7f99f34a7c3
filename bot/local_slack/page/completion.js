/* Owns the list that "@" opens above a composer: typing filters it, arrows move, Enter and Tab choose, Esc closes. */

import { h } from "./dom.js";
import { candidates } from "./mentions.js";
import { label } from "./store.js";
import { avatar } from "./views/parts.js";

const TYPED = /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u;
let made = 0;

/** `usersOf()` gives the people of the workspace. `onKey(event)` says whether the list has taken the key for itself. */
export function createCompletion(field, usersOf) {
  const id = `people-${++made}`;
  const node = h("ul", { class: "completion", role: "listbox", id, "aria-label": "People to mention", hidden: true });
  Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": "false" })
    .forEach(([name, value]) => field.setAttribute(name, value));
  let found = [];
  let chosen = 0;

  function update() {
    const typed = TYPED.exec(field.value.slice(0, field.selectionStart));
    found = typed ? candidates(typed[1], usersOf()) : [];
    chosen = 0;
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

  function option(user, index) {
    const take = (event) => {
      event.preventDefault();
      choose(user);
    };
    return h("li", { id: `${id}-${index}`, role: "option", "aria-selected": index === chosen, onmousedown: take },
      avatar(user),
      h("span", {}, label(user)),
      h("span", { class: "handle" }, user.is_bot ? "app" : user.name));
  }

  function choose(user) {
    const end = field.selectionStart;
    const start = field.value.lastIndexOf("@", end - 1);
    const gap = field.value[end] === " " ? "" : " ";
    field.setRangeText(`@${label(user)}${gap}`, start, end, "end");
    if (!gap) field.selectionStart = field.selectionEnd += 1;
    close();
    field.dispatchEvent(new Event("input", { bubbles: true }));
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
