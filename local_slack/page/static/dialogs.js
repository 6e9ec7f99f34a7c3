/* Owns the two ways in which the page speaks for itself: a question that wants an answer, and a word that passes. */

import { h } from "./dom.js";

const SHOWN_MS = 6000;

/** Ask; `{title, text, confirm, deny, style}` hold words. Resolves to whether the answer was yes. */
export function confirmed({ title, text, confirm, deny, style }) {
  return new Promise((resolve) => {
    const answer = (value) => () => dialog.close(value);
    const yes = h("button", { type: "button", class: `control control-${style ?? "strong"}`, onclick: answer("yes") }, confirm);
    const no = h("button", { type: "button", class: "control", onclick: answer("") }, deny);
    const dialog = h("dialog", { class: "dialog question", "aria-label": title },
      h("h2", {}, title), h("div", { class: "content" }, text), h("div", { class: "dialog-foot" }, no, yes));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
    document.body.append(dialog);
    dialog.showModal();
    yes.focus();
  });
}

/** Say something that needs no answer; it stands above everything, and goes by itself. */
export function tell(words) {
  const close = () => toast.remove();
  const toast = h("p", { class: "toast", role: "alert", popover: "manual", onclick: close }, words);
  (document.querySelector("dialog[open]") ?? document.body).append(toast);
  toast.showPopover();
  setTimeout(close, SHOWN_MS);
}

const REASONS = {
  operation_timeout: (app) => `${app} did not respond in time.`,
  app_not_connected: (app) => `${app} is not connected, so it did not hear this.`,
  cant_update_message: () => "This message cannot be edited.",
  cant_delete_message: () => "This message cannot be deleted.",
};

/** Say why something that a person did came to nothing. */
export function tellWhy(error, app) {
  const known = REASONS[error.code];
  tell(known ? known(app) : `This did not work (${error.code ?? "no connection"}).`);
}
