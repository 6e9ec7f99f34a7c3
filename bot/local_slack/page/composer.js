/*
 * Owns writing a message: Enter sends, Shift+Enter makes a line, each place keeps its draft, a failed message is kept.
 * Under the field lies a mirror of the same words: it shows mentions as pills and makes the field as tall as they.
 */

import { createCompletion } from "./completion.js";
import { h } from "./dom.js";
import { encoded, pieces } from "./mentions.js";
import { iconButton } from "./views/parts.js";

/** `send(target, text)` posts one message; when it rejects, the composer says so and keeps the words. */
export function createComposer(send) {
  const field = h("textarea", { rows: "1", spellcheck: "true", autocomplete: "off" });
  const mirror = h("div", { class: "mirror", "aria-hidden": "true" });
  const failure = h("p", { class: "failure", role: "alert", hidden: true });
  const button = iconButton("send", "Send", submit, { class: "send", title: "Send (Enter)", disabled: true });
  const drafts = new Map();
  let place = { key: null, target: null, users: new Map() };
  const completion = createCompletion(field, () => place.users);

  function reflect() {
    const shown = pieces(field.value, place.users).map(({ text, user }) => (user ? h("mark", {}, text) : text));
    mirror.replaceChildren(...shown, "\u200b");
    button.disabled = !field.value.trim();
  }

  async function submit() {
    const text = field.value.trim();
    if (!text) return;
    const { key, target, users } = place;
    failure.hidden = true;
    set("");
    try {
      await send(target, encoded(text, users));
    } catch (error) {
      failure.textContent = `This was not sent (${error.code ?? "no connection"}). Your words are kept: try again.`;
      failure.hidden = false;
      if (place.key === key && !field.value) set(text);
      else drafts.set(key, text);
    }
  }

  function set(text) {
    field.value = text;
    reflect();
  }

  field.addEventListener("input", reflect);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || completion.onKey(event)) return;
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    submit();
  });

  return {
    node: h("div", { class: "composer" },
      failure,
      h("div", { class: "composer-box" },
        completion.node,
        h("div", { class: "composer-field" }, mirror, field),
        button),
      keys()),
    open(key, target, name, users) {
      const moved = key !== place.key;
      if (moved) drafts.set(place.key, field.value);
      const changed = moved || users !== place.users;
      place = { key, target, users };
      field.setAttribute("aria-label", name);
      field.placeholder = name;
      if (moved) failure.hidden = true;
      if (moved) set(drafts.get(key) ?? "");
      else if (changed) reflect();
    },
    fill(text) {
      set(text);
      field.focus();
      field.setSelectionRange(text.length, text.length);
    },
    focus: () => field.focus(),
    isEmpty: () => !field.value,
  };
}

function keys() {
  const key = (name) => h("kbd", {}, name);
  return h("p", { class: "keys", "aria-hidden": "true" },
    key("Enter"), " sends · ", key("Shift Enter"), " new line · ", key("@"), " mentions");
}
