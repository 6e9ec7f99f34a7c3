/* Owns mentions in what a person types: "@name" in the composer, <@ID> on the wire. */

import { label } from "./names.js";

const ESCAPES = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };

/** The typed text in pieces `{text}` and `{text, user}`, in order and complete. */
export function pieces(text, users) {
  const byName = namesOf(users);
  if (byName.size === 0) return [{ text }];
  const names = [...byName.keys()].sort((a, b) => b.length - a.length).map(escaped).join("|");
  const parts = text.split(new RegExp(`(?<![\\p{L}\\p{N}])(@(?:${names}))(?![\\p{L}\\p{N}])`, "iu"));
  const piece = (text, index) => (index % 2 ? { text, user: byName.get(text.slice(1).toLowerCase()) } : { text });
  return parts.map(piece);
}

/** What is sent: mentions by id, and the three characters that are control characters in Slack text escaped. */
export function encoded(text, users) {
  const plain = (words) => words.replace(/[&<>]/g, (character) => ESCAPES[character]);
  return pieces(text, users).map((piece) => (piece.user ? `<@${piece.user.id}>` : plain(piece.text))).join("");
}

const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };

/** What a person typed, from what was sent. */
export function decoded(text, users) {
  const spoken = text.replace(/<@([UW]\w+)>/g, (whole, id) => (users.has(id) ? `@${label(users.get(id))}` : whole));
  return spoken.replace(/&(?:amp|lt|gt);/g, (entity) => ENTITIES[entity]);
}

/** Whom "@typed" may mean: the bot first, then people, by the beginning of any of their names. */
export function candidates(typed, users) {
  const wanted = typed.toLowerCase();
  const words = (user) => [user.name, label(user), ...label(user).split(" ")];
  return [...users.values()]
    .filter((user) => words(user).some((word) => word.toLowerCase().startsWith(wanted)))
    .sort((a, b) => Number(b.is_bot) - Number(a.is_bot) || label(a).localeCompare(label(b)));
}

function namesOf(users) {
  const named = (user) => [user.name, label(user)].map((name) => [name.toLowerCase(), user]);
  return new Map([...users.values()].flatMap(named));
}

const escaped = (name) => name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
