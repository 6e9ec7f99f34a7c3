/* Owns what an empty channel says: what this is, and three questions that a click puts into the composer. */

import { h } from "../dom.js";
import { icon } from "../icons.js";

const QUESTIONS = ["how many apps do we have?", "how many apps per platform?", "top 5 apps by installs"];

export function hint(channel, { bot }, fill) {
  const ask = channel.is_im ? "" : `@${bot.name} `;
  return {
    key: "hint",
    stamp: [channel.id],
    make: () => h("section", { class: "hint", "aria-label": "How to begin" },
      h("span", { class: "hint-mark", "aria-hidden": "true" }, icon("mark")),
      h("h2", {}, "Ask your data a question"),
      h("p", {}, channel.is_im
        ? `Write to ${bot.name} as you would to a colleague. Each question begins a thread of its own.`
        : `Mention @${bot.name} and ask in plain words. It answers in a thread, and remembers what was said there.`),
      h("ul", {}, QUESTIONS.map((question) =>
        h("li", {}, h("button", { type: "button", class: "example", onclick: () => fill(ask + question) }, ask && h("span", { class: "mention" }, ask.trim()), question))))),
  };
}
