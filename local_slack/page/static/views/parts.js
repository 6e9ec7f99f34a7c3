/* Owns the small parts that several views share: faces, buttons with an icon, and the line of what is being done. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { label } from "../names.js";

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

const TURN_MS = 2500;

/** What the app does: its own words, or its loading messages one after the other. `onstop` adds the way to stop it. */
export function statusLine({ status, loading_messages: turns }, bot, onstop) {
  const words = h("span", { class: "status-words" });
  let at = 0;
  const say = () => { words.textContent = turns?.length ? turns[at++ % turns.length] : `${bot.name} ${status}`; };
  say();
  const line = h("p", { class: "status", role: "status" },
    h("span", { class: "dots", "aria-hidden": "true" }, [0, 1, 2].map(() => h("i", {}))),
    words,
    onstop && stopButton(onstop));
  if (turns?.length > 1) {
    const timer = setInterval(() => (line.isConnected ? say() : clearInterval(timer)), TURN_MS);
  }
  return line;
}

const stopButton = (onstop) => h("button", { type: "button", class: "control stop", onclick: onstop }, icon("stop"), "Stop");
