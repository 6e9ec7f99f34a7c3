/* Owns which addresses may become links, and what stands for a person, a channel or a file in running text. */

import { h } from "../dom.js";

const ALLOWED = ["http:", "https:", "mailto:"];

/** An anchor, or null when the address is none that a message may open (javascript:, data:, relative ones…). */
export function link(address, content, more = {}) {
  if (!URL.canParse(address) || !ALLOWED.includes(new URL(address).protocol)) return null;
  return h("a", { href: address, target: "_blank", rel: "noopener noreferrer", class: "link", ...more }, content);
}

export function person(id, directory) {
  const mine = id === directory.me;
  return h("span", { class: mine ? "mention mention-me" : "mention" }, `@${directory.user(id)}`);
}

export function channel(id, directory, given) {
  return h("span", { class: "mention" }, `#${directory.channel(id) ?? given ?? id}`);
}

export const everybody = (word) => h("span", { class: "mention" }, `@${word}`);

/** The path of a file kept by this server, or null: a page under a strict policy loads nothing from elsewhere. */
export function localFile(address) {
  if (!address || !URL.canParse(address, location.origin)) return null;
  const { hostname, port, pathname } = new URL(address, location.origin);
  const here = port === location.port && ["127.0.0.1", "localhost", location.hostname].includes(hostname);
  return here && pathname.startsWith("/files/") ? pathname : null;
}
