/* Owns boxes to tick and radio buttons. */

import { h } from "../dom.js";
import { mrkdwnLine } from "../render/prose.js";

let made = 0;

export function boxes(element, use) {
  const before = kept(use, element)?.selected_options ?? element.initial_options ?? [];
  const chosen = () => element.options.filter((_, index) => group.querySelectorAll("input")[index].checked);
  const group = options("checkbox", element, use, before, () => use.commit({ selected_options: chosen() }));
  use.surface.put(use.block, element, { selected_options: before });
  return group;
}

export function radios(element, use) {
  const before = kept(use, element)?.selected_option ?? element.initial_option ?? null;
  use.surface.put(use.block, element, { selected_option: before });
  return options("radio", element, use, before ? [before] : [], (option) => use.commit({ selected_option: option }));
}

const kept = ({ surface, block }, element) => surface.value(block, element);

function options(type, element, { label, surface }, before, onchange) {
  const name = `choice-${++made}`;
  const words = (text) => (text.type === "mrkdwn" ? mrkdwnLine(text.text, surface.directory) : text.text);
  return h("div", { class: "choices", role: type === "radio" ? "radiogroup" : "group", "aria-label": label },
    element.options.map((option) => {
      const checked = before.some(({ value }) => value === option.value);
      return h("label", { class: "choice" },
        h("input", { type, name, checked, onchange: () => onchange(option) }),
        h("span", {}, words(option.text), option.description && h("small", {}, words(option.description))));
    }));
}
