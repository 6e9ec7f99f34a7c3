/*
 * Owns the field in which people write. Under it lies a mirror of the same words: it shows mentions as pills and makes the
 * field as tall as they are. Enter is done, Shift+Enter makes a line, "@" completes people, "/" what `commands()` offers.
 */

import { createCompletion } from "./completion.js";
import { h } from "./dom.js";
import { candidates, pieces } from "./mentions.js";
import { label } from "./names.js";
import { avatar } from "./views/parts.js";

const MENTION = /(?:^|[\s(])@([\p{L}\p{N}._-]*)$/u;
const COMMAND = /^\/([\w-]*)$/;

export function createWriting({ usersOf, commands = () => [], done, onchange }) {
  const field = h("textarea", { rows: "1", spellcheck: "true", autocomplete: "off" });
  const mirror = h("div", { class: "mirror", "aria-hidden": "true" });
  const completion = createCompletion(field, [
    { name: "People to mention", pattern: MENTION, find: (typed) => candidates(typed, usersOf()).map(person) },
    { name: "Commands", pattern: COMMAND, find: (typed) => commands().filter(({ label: name }) => begins(name, typed)) },
  ]);

  function reflect() {
    const shown = pieces(field.value, usersOf()).map(({ text, user }) => (user ? h("mark", {}, text) : text));
    mirror.replaceChildren(...shown, "\u200b");
    onchange(field.value);
  }

  field.addEventListener("input", reflect);
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || completion.onKey(event) || event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    done();
  });

  return {
    field,
    node: [completion.node, h("div", { class: "composer-field" }, mirror, field)],
    reflect,
    set(text) {
      field.value = text;
      reflect();
    },
    focusAtEnd() {
      field.focus();
      field.setSelectionRange(field.value.length, field.value.length);
    },
  };
}

const person = (user) => ({
  label: label(user), words: `@${label(user)}`, note: user.is_bot ? "app" : user.name, face: avatar(user),
});

const begins = (name, typed) => name.toLowerCase().replace(/^\//, "").includes(typed.toLowerCase());
