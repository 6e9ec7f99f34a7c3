/* Owns modals: the topmost of the stack is shown, filled in, sent, and told what is wrong with it. */

import { tell } from "../dialogs.js";
import { h } from "../dom.js";
import { renderBlocks } from "../render/blocks.js";
import { complain, problems } from "../render/inputs.js";
import { iconButton } from "./parts.js";

/** `submit(view, values)` resolves to errors by block, or null when the app did not answer; `close(view, all)` closes. */
export function createModals({ surfaces, submit, close }) {
  const dialog = h("dialog", { class: "dialog modal" });
  document.body.append(dialog);
  let shown = null;
  let depth = 0;

  dialog.addEventListener("cancel", (event) => {
    event.preventDefault();
    close(shown, false);
  });

  return {
    render({ modals }) {
      const top = modals.at(-1) ?? null;
      if (top === shown && depth === modals.length) return;
      const same = top?.id === shown?.id;
      shown = top;
      depth = modals.length;
      if (!top) return dialog.close();
      draw(top, same);
      if (!dialog.open) dialog.showModal();
      if (!same) focusFirst();
    },
  };

  function focusFirst() {
    const first = ".dialog-body :is(input:not([hidden]), textarea, button)";
    (dialog.querySelector("[autofocus]") ?? dialog.querySelector(first))?.focus();
  }

  function draw(view, same) {
    const active = document.activeElement;
    const surface = surfaces.ofView(view);
    const body = h("div", { class: "dialog-body content" }, renderBlocks(view.blocks, surface));
    const back = () => close(view, false);
    const send = h("button", { type: "submit", class: "control control-strong" }, view.submit?.text ?? "Submit");
    const form = h("form", { novalidate: true, onsubmit: (event) => sent(event, view, surface, body, send) },
      h("header", { class: "dialog-head" }, h("h2", {}, view.title.text),
        iconButton("close", "Close", () => close(view, depth > 1), { title: "Close (Esc)" })),
      body,
      h("footer", { class: "dialog-foot" },
        h("button", { type: "button", class: "control", onclick: back }, view.close?.text ?? (depth > 1 ? "Back" : "Cancel")),
        view.submit && send));
    dialog.setAttribute("aria-label", view.title.text);
    dialog.replaceChildren(form);
    if (same && active?.isConnected) active.focus();
  }

  async function sent(event, view, surface, body, button) {
    event.preventDefault();
    const wrong = problems(view.blocks, surface.values);
    complain(body, wrong);
    if (Object.keys(wrong).length || button.disabled || !view.submit) return;
    button.disabled = true;
    button.setAttribute("aria-busy", "true");
    const errors = await submit(view, surface.values);
    button.disabled = false;
    button.removeAttribute("aria-busy");
    complain(body, errors ?? {}).forEach(tell);
  }
}
