/* Owns what an empty channel says: what this is, and three questions that a click puts into the composer. */

import { h } from "../dom.js";
import { icon } from "../icons.js";

const QUESTIONS = ["how many apps do we have?", "how many apps per platform?", "top 5 apps by installs"];

/** The hint as a row of the list; `fill(text)` puts a question into the composer. */
export function hint(channel, { bot, prompts }, fill) {
  const suggests = prompts.get(channel.id)?.prompts.length > 0;
  return { key: "hint", stamp: [channel.id, suggests], make: () => view(channel.is_im, bot.name, suggests ? null : fill) };
}

/** Where the app suggests questions itself, below, there are none here (`fill` is null). */
function view(direct, name, fill) {
  const words = direct
    ? `Write to ${name} as you would to a colleague. Each question begins a thread of its own.`
    : `Mention @${name} and ask in plain words. It answers in a thread, and remembers what was said there.`;
  return h("section", { class: "hint", "aria-label": "How to begin" },
    h("span", { class: "hint-mark", "aria-hidden": "true" }, icon("mark")),
    h("h2", {}, "Ask your data a question"),
    h("p", {}, words),
    fill && h("ul", {}, QUESTIONS.map((question) => h("li", {}, example(question, direct ? null : `@${name}`, fill)))));
}

function example(question, mention, fill) {
  const onclick = () => fill(mention ? `${mention} ${question}` : question);
  return h("button", { type: "button", class: "example", onclick },
    mention && h("span", { class: "mention" }, mention),
    question);
}
