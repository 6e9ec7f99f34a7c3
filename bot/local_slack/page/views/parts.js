/* Owns the small parts that several views share: faces, buttons with an icon, and the line of what is being done. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { label } from "../store.js";

const COLOUR = /^#[0-9a-f]{6}$/i;
const PLAIN = "#5b6770";

/** The face of somebody; `user` may be unknown. */
export function avatar(user) {
  if (user?.is_bot) return h("span", { class: "avatar avatar-bot", "aria-hidden": "true" }, icon("mark"));
  const words = user ? label(user).split(/\s+/) : ["?"];
  const initials = words.map((word) => word[0]).slice(0, 2).join("").toUpperCase();
  const colour = COLOUR.test(user?.color ?? "") ? user.color : PLAIN;
  return h("span", { class: "avatar", style: { "--who": colour }, "aria-hidden": "true" }, initials);
}

/** A button that shows only an icon; `name` says what it does. */
export function iconButton(drawing, name, onclick, more = {}) {
  const attributes = { type: "button", class: "tool", "aria-label": name, title: name, onclick, ...more };
  return h("button", attributes, icon(drawing));
}

export function statusLine(text) {
  const dots = [0, 1, 2].map(() => h("i", {}));
  return h("p", { class: "status", role: "status" },
    h("span", { class: "dots", "aria-hidden": "true" }, dots),
    text);
}
