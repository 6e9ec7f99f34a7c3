/* Owns input blocks: their label, their hint, what is wrong with what was put in, and the place where that is said. */

import { keeping } from "../controls/elements.js";
import { h } from "../dom.js";

export function inputBlock(block, surface) {
  const { label, hint, element, optional } = block;
  const complaint = h("p", { class: "complaint", role: "alert", hidden: true });
  const quiet = () => { complaint.hidden = true; };
  return h("div", { class: "input", "data-block": block.block_id },
    h("div", { class: "input-label" }, label.text, optional && h("small", {}, " (optional)")),
    keeping(element, block, surface, quiet),
    complaint,
    hint && h("p", { class: "input-hint" }, hint.text));
}

/** Show `{block_id: words}` at the blocks under `root`; the first of them gets the focus. Returns what found no place. */
export function complain(root, errors) {
  const places = [...root.querySelectorAll(".input[data-block]")];
  const hit = places.filter((place) => {
    const words = errors[place.dataset.block];
    const line = place.querySelector(".complaint");
    line.textContent = words ?? "";
    line.hidden = !words;
    return words;
  });
  hit[0]?.querySelector("input:not([hidden]), textarea")?.focus();
  const shown = hit.map((place) => place.dataset.block);
  return Object.entries(errors).filter(([id]) => !shown.includes(id)).map(([, words]) => words);
}

const EMPTY = "Please complete this required field.";
const ADDRESS = /^[^\s@]+@[^\s@]+\.[^\s@]+$/;

/** What a person has to mend before a view can be sent, as `{block_id: words}`. */
export function problems(blocks, values) {
  const found = blocks
    .filter(({ type }) => type === "input")
    .map((block) => [block.block_id, problem(block, values[block.block_id]?.[block.element.action_id] ?? {})]);
  return Object.fromEntries(found.filter(([, words]) => words));
}

function problem({ element, optional }, { type, ...fields }) {
  const given = Object.values(fields).find((value) => value !== null && value !== undefined && value.length !== 0);
  if (given === undefined) return optional ? null : EMPTY;
  return CHECKS[element.type]?.(given, element) ?? null;
}

const CHECKS = {
  plain_text_input(text, { min_length = 0 }) {
    return text.length < min_length ? `Please write at least ${min_length} characters.` : null;
  },
  email_text_input: (text) => (ADDRESS.test(text) ? null : "Please write an e-mail address."),
  url_text_input: (text) => (URL.canParse(text) ? null : "Please write a whole address, with https://"),
  number_input(text, { min_value, max_value, is_decimal_allowed }) {
    const value = Number(text);
    if (!Number.isFinite(value)) return "Please write a number.";
    if (!is_decimal_allowed && !Number.isInteger(value)) return "Please write a whole number.";
    if (min_value !== undefined && value < Number(min_value)) return `Please write ${min_value} or more.`;
    return max_value !== undefined && value > Number(max_value) ? `Please write ${max_value} or less.` : null;
  },
};
