/* Owns changing one's own message in its place: Enter saves, Esc leaves it as it was. */

import { h } from "../dom.js";
import { decoded, encoded } from "../mentions.js";
import { createWriting } from "../writing.js";

export function editor(message, { state, channel, does }) {
  const { users } = state;
  const save = h("button", { type: "button", class: "control control-primary", onclick: done }, "Save");
  const cancel = h("button", { type: "button", class: "control", onclick: does.leaveEdit }, "Cancel");
  const onchange = (words) => { save.disabled = !words.trim(); };
  const writing = createWriting({ usersOf: () => users, done, onchange });

  function done() {
    const text = writing.field.value.trim();
    if (text) does.edit(channel, message, encoded(text, users));
  }

  const leave = (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    does.leaveEdit();
  };
  writing.field.setAttribute("aria-label", "Edit message");
  writing.set(decoded(message.text, users));
  queueMicrotask(writing.focusAtEnd);
  return h("div", { class: "editor", onkeydown: leave },
    h("div", { class: "composer-box" }, writing.node),
    h("div", { class: "actions" }, save, cancel));
}
