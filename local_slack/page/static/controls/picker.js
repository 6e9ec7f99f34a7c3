/*
 * Owns choosing from a list: type to filter, arrows to move, Enter to choose, Backspace to take the last one back.
 * A choice is `{key, label, note?, group?}` with whatever else its maker put in.
 */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { stand } from "../popup.js";

let made = 0;

/** `find(typed)` gives, or promises, the choices; `onchange(chosen)` hears a list, of one at most unless `many`. */
export function createPicker({ label, placeholder, many, chosen, most = Infinity, find, onchange, autofocus }) {
  const id = `picker-${++made}`;
  const list = h("ul", { class: "completion popup", role: "listbox", id, "aria-label": label, popover: "manual" });
  const field = h("input", {
    class: "picker-field", type: "text", role: "combobox", autocomplete: "off", spellcheck: "false", autofocus,
    "aria-label": label, "aria-autocomplete": "list", "aria-controls": id, "aria-expanded": false,
  });
  const tokens = h("span", { class: "tokens" });
  const node = h("span", { class: many ? "picker field picker-many" : "picker field" }, tokens, field, icon("down"), list);
  let found = [];
  let at = 0;
  let asked = 0;

  async function open(typed = "") {
    const ticket = ++asked;
    const choices = await find(typed);
    if (ticket !== asked) return;
    found = choices.filter(({ key }) => !many || !chosen.some((one) => one.key === key));
    at = Math.max(0, many ? 0 : found.findIndex(({ key }) => key === chosen[0]?.key));
    show();
  }

  function close() {
    asked += 1;
    if (list.matches(":popover-open")) list.hidePopover();
    field.setAttribute("aria-expanded", "false");
    reflect();
  }

  function show() {
    const rows = found.map((choice, index) => [
      choice.group && choice.group !== found[index - 1]?.group && h("li", { class: "group", role: "presentation" }, choice.group),
      row(choice, index),
    ]);
    list.replaceChildren(...rows.flat().filter(Boolean));
    if (!found.length) list.append(h("li", { class: "nothing" }, "Nothing found"));
    if (!list.matches(":popover-open")) list.showPopover();
    list.style.setProperty("min-width", `${node.offsetWidth}px`);
    stand(list, node);
    field.setAttribute("aria-expanded", "true");
    point();
  }

  function row(choice, index) {
    const take = (event) => {
      event.preventDefault();
      choose(choice);
    };
    return h("li", { id: `${id}-${index}`, role: "option", onmousedown: take },
      h("span", {}, choice.label, choice.note && h("small", {}, choice.note)));
  }

  function point() {
    list.querySelectorAll("[role=option]").forEach((option, index) => {
      option.setAttribute("aria-selected", String(index === at));
      if (index === at) option.scrollIntoView({ block: "nearest" });
    });
    if (found.length) field.setAttribute("aria-activedescendant", `${id}-${at}`);
    else field.removeAttribute("aria-activedescendant");
  }

  function choose(choice) {
    if (!choice || chosen.length >= most) return;
    change(many ? [...chosen, choice] : [choice]);
    if (many) open();
    else close();
  }

  function change(next) {
    chosen = next;
    field.value = "";
    reflect();
    onchange(chosen);
  }

  function reflect() {
    tokens.replaceChildren(...(many ? chosen.map(token) : []));
    field.value = many ? "" : chosen[0]?.label ?? "";
    field.placeholder = chosen.length ? "" : placeholder;
  }

  function token(choice) {
    const drop = () => change(chosen.filter(({ key }) => key !== choice.key));
    return h("span", { class: "token" }, choice.label,
      h("button", { type: "button", "aria-label": `Remove ${choice.label}`, onclick: drop }, icon("close")));
  }

  const KEYS = {
    ArrowDown: () => move(1),
    ArrowUp: () => move(-1),
    Enter: () => choose(found[at]),
    Escape: close,
  };

  function move(by) {
    at = (at + by + found.length) % Math.max(1, found.length);
    point();
  }

  field.addEventListener("keydown", (event) => {
    const isOpen = list.matches(":popover-open");
    if (event.key === "Backspace" && many && !field.value && chosen.length) return change(chosen.slice(0, -1));
    if (!isOpen && event.key === "ArrowDown") return open();
    if (!isOpen || !(event.key in KEYS)) return null;
    event.preventDefault();
    event.stopPropagation();
    return KEYS[event.key]();
  });
  field.addEventListener("input", () => open(field.value));
  field.addEventListener("focus", () => field.select());
  field.addEventListener("click", () => open());
  field.addEventListener("blur", close);
  reflect();
  return node;
}
