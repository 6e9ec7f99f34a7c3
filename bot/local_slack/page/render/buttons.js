/* Owns buttons and other controls in messages. Presses are not carried to the app yet, and the controls say so. */

import { h } from "../dom.js";
import { link } from "./links.js";

const WHY = "This local workspace shows buttons but does not press them yet: write the same in words.";

export function button({ type, text, placeholder, url, style }) {
  const label = text?.text ?? placeholder?.text ?? type.replaceAll("_", " ");
  return (url && link(url, label)) || off(label, style);
}

/** The elements of a context_actions block: a pair of feedback buttons, or an icon button. */
export function feedback({ positive_button, negative_button, text, type }) {
  const labels = [positive_button?.text?.text, negative_button?.text?.text].filter(Boolean);
  return (labels.length ? labels : [text?.text ?? type.replaceAll("_", " ")]).map((label) => off(label));
}

function off(label, style) {
  const look = style ? `control control-${style}` : "control";
  return h("button", { type: "button", class: look, disabled: true, title: WHY }, label);
}
