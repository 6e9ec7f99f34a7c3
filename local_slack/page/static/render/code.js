/* Owns blocks of code: their language, and the button that copies them. */

import { h } from "../dom.js";
import { icon } from "../icons.js";

const SAID_MS = 1600;

export function codeBlock(text, language) {
  return h("div", { class: "code" },
    h("pre", { tabindex: "0", "aria-label": language ? `${language} code` : "Code" }, h("code", {}, text)),
    language && h("span", { class: "code-language" }, language),
    copyButton(text));
}

function copyButton(text) {
  const attributes = { type: "button", class: "code-copy", onclick: copy, "aria-live": "polite" };
  const button = h("button", attributes, icon("copy"), "Copy");

  async function copy() {
    const done = await navigator.clipboard.writeText(text).then(() => true, () => false);
    button.replaceChildren(icon(done ? "check" : "close"), done ? "Copied" : "Not allowed");
    setTimeout(() => button.replaceChildren(icon("copy"), "Copy"), SAID_MS);
  }

  return button;
}
