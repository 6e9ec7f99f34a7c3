/* Owns rich_text blocks: sections, lists, quotes and code, and the elements that stand in them. */

import { h } from "../dom.js";
import { codeBlock } from "./code.js";
import { emoji } from "./emoji.js";
import { channel, everybody, link, person } from "./links.js";

const PARTS = new Map(Object.entries({
  rich_text_section: (part, directory) => h("p", {}, inline(part, directory)),
  rich_text_quote: (part, directory) => h("blockquote", {}, h("p", {}, inline(part, directory))),
  rich_text_preformatted: (part, directory) => codeBlock(textOf(inline(part, directory)), part.language),
  rich_text_list: listPart,
}));

const ELEMENTS = new Map(Object.entries({
  text: ({ text }) => text,
  link: ({ url, text }) => link(url, text || url) ?? text ?? url,
  user: ({ user_id }, directory) => person(user_id, directory),
  channel: ({ channel_id }, directory) => channel(channel_id, directory),
  usergroup: ({ usergroup_id }) => everybody(usergroup_id),
  broadcast: ({ range }) => everybody(range),
  emoji: ({ name }) => emoji(name),
  color: ({ value }) => h("code", {}, value),
  date: ({ fallback, timestamp }) => fallback ?? new Date(timestamp * 1000).toLocaleString("en-GB"),
}));

const textOf = (nodes) => h("p", {}, nodes).textContent;

const STYLES = { bold: "strong", italic: "em", strike: "s", code: "code" };

export const richText = (block, directory) =>
  block.elements.map((part) => PARTS.get(part.type)?.(part, directory) ?? h("p", {}, `[${part.type}]`));

/** The content of one part without a paragraph around it. */
export const inline = (part, directory) => part.elements.map((element) => styled(element, directory));

function styled(element, directory) {
  const node = ELEMENTS.get(element.type)?.(element, directory) ?? `[${element.type}]`;
  const tags = Object.keys(STYLES).filter((style) => element.style?.[style]).map((style) => STYLES[style]);
  return tags.reduce((inner, tag) => h(tag, {}, inner), node);
}

function listPart({ style, indent = 0, offset = 0, elements }, directory) {
  const items = elements.map((item) => h("li", {}, inline(item, directory)));
  const attributes = { class: `indent-${Math.min(indent, 4)}` };
  return style === "ordered" ? h("ol", { ...attributes, start: offset + 1 }, items) : h("ul", attributes, items);
}
