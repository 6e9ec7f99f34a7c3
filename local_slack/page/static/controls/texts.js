/* Owns what is typed into forms: lines, paragraphs, addresses and numbers. */

import { h } from "../dom.js";

const KINDS = { email_text_input: "email", url_text_input: "url" };

export const text = (element, use) => {
  const rich = element.type === "rich_text_input";
  return typed(element, use, rich || element.multiline, rich ? RICH : PLAIN, { type: KINDS[element.type] ?? "text" });
};

export function number(element, use) {
  const { is_decimal_allowed, min_value, max_value } = element;
  const limits = { min: min_value, max: max_value, step: is_decimal_allowed ? "any" : "1" };
  return typed(element, use, false, PLAIN, { type: "number", inputmode: "decimal", ...limits });
}

const PLAIN = {
  wrap: (words) => ({ value: words || null }),
  unwrap: (kept) => kept.value ?? "",
  initial: (value) => value ?? "",
};

const RICH = {
  wrap: (words) => ({ rich_text_value: words ? richText(words) : null }),
  unwrap: (kept) => plain(kept.rich_text_value),
  initial: plain,
};

const richText = (words) => ({
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements: [{ type: "text", text: words }] }],
});

function plain(value) {
  const sections = value?.elements ?? [];
  return sections.map(({ elements }) => elements.map((part) => part.text ?? "").join("")).join("\n");
}

function typed(element, { surface, block, label, commit, keep, dispatches }, many, shape, more) {
  const { placeholder, min_length, max_length, focus_on_load, dispatch_action_config } = element;
  const kept = surface.value(block, element);
  const before = kept ? shape.unwrap(kept) : shape.initial(element.initial_value);
  const when = dispatch_action_config?.trigger_actions_on ?? ["on_enter_pressed"];
  surface.put(block, element, shape.wrap(before));
  const enters = ({ key, shiftKey }) => dispatches && key === "Enter" && !shiftKey && when.includes("on_enter_pressed");
  const attributes = {
    class: "field", "aria-label": label, placeholder: placeholder?.text, minlength: min_length, maxlength: max_length,
    autofocus: focus_on_load,
    oninput: () => (dispatches && when.includes("on_character_entered") ? commit : keep ?? commit)(shape.wrap(node.value)),
    onkeydown: (event) => {
      if (!enters(event)) return;
      event.preventDefault();
      commit(shape.wrap(node.value));
    },
  };
  const node = many ? h("textarea", { ...attributes, rows: 4 }) : h("input", { ...attributes, ...more });
  node.value = before;
  return node;
}
