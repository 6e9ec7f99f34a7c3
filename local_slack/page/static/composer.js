/*
 * Owns writing a message: each place keeps its draft, a message that could not be sent is kept, files fall in and go along,
 * and while the app works the arrow that sends stands beside a square that stops it.
 */

import { chooser, createTray, takeDrops } from "./controls/files.js";
import { h, present } from "./dom.js";
import { encoded } from "./mentions.js";
import { iconButton } from "./views/parts.js";
import { createWriting } from "./writing.js";

/**
 * `send(target, {text, files})` posts one message; when it rejects, the composer says so and keeps the words.
 * `does` has more: `upload(file)`, `commands()`, `stop(target)` and `editLast(target)`.
 */
export function createComposer(send, does) {
  const failure = h("p", { class: "failure", role: "alert", hidden: true });
  const button = iconButton("send", "Send", submit, { class: "send", title: "Send (Enter)", disabled: true });
  const stop = iconButton("stop", "Stop", () => does.stop(place.target), { class: "send halt", hidden: true });
  const suggestions = h("div", { class: "prompts", hidden: true });
  const tray = createTray(does.upload, reflect);
  const drafts = new Map();
  let place = { key: null, target: null, users: new Map() };
  const writing = createWriting({ usersOf: () => place.users, commands: does.commands, done: submit, onchange: reflect });
  const { field } = writing;
  const box = h("div", { class: "composer-box" }, chooser("Add files", tray.add), writing.node, stop, button);

  function reflect() {
    button.disabled = tray.waits() || !(field.value.trim() || tray.list().length);
  }

  async function submit() {
    const text = field.value.trim();
    if (button.disabled) return;
    const { key, target, users } = place;
    const files = tray.list();
    failure.hidden = true;
    writing.set("");
    try {
      await send(target, { text: encoded(text, users), typed: text, files: files.map(({ id }) => id) });
      tray.clear();
    } catch (error) {
      failure.textContent = error.words ?? `This was not sent (${error.code ?? "no connection"}). Your words are kept: try again.`;
      failure.hidden = false;
      if (place.key === key && !field.value) writing.set(text);
      else drafts.set(key, text);
    }
  }

  /** Send words that the person did not type, and leave those that they did. */
  async function say(words) {
    const draft = field.value;
    writing.set(words);
    await submit();
    if (!field.value) writing.set(draft);
  }

  field.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowUp" || field.value || event.defaultPrevented || !does.editLast(place.target)) return;
    event.preventDefault();
  });

  return {
    node: h("div", { class: "composer" }, suggestions, failure, tray.node, box, keys()),
    open(key, target, name, users) {
      const moved = key !== place.key;
      if (moved) drafts.set(place.key, field.value);
      const changed = moved || users !== place.users;
      place = { key, target, users };
      field.setAttribute("aria-label", name);
      field.placeholder = name;
      if (moved) failure.hidden = true;
      if (moved) writing.set(drafts.get(key) ?? "");
      else if (changed) writing.reflect();
    },
    /** What may be done here at this moment: stop the app, and ask what it suggests. */
    offer(canStop, prompts) {
      stop.hidden = !canStop;
      suggestions.hidden = !prompts?.prompts?.length;
      if (suggestions.dataset.shown === JSON.stringify(prompts)) return;
      suggestions.dataset.shown = JSON.stringify(prompts);
      suggestions.replaceChildren(...present(suggestions.hidden ? [] : [
        prompts.title && h("p", {}, prompts.title),
        prompts.prompts.map(({ title, message }) => h("button", {
          type: "button", class: "prompt", title: message,
          onclick: () => say(message),
        }, title)),
      ]));
    },
    takeDrops: (pane) => takeDrops(pane, tray.add),
    fill(text) {
      writing.set(text);
      writing.focusAtEnd();
    },
    focus: () => field.focus(),
    isEmpty: () => !field.value,
  };
}

function keys() {
  const key = (name) => h("kbd", {}, name);
  return h("p", { class: "keys", "aria-hidden": "true" },
    key("Enter"), " sends · ", key("Shift Enter"), " new line · ", key("@"), " mentions · ", key("/"), " commands · ",
    key("↑"), " edits");
}
