/*
 * Owns what may stand inside a line. A dialect is a list of rules `{pattern, make, word?}`: the first sticky pattern
 * that matches makes a node (or null: then its text stays text); `word` asks that no letter stands directly before it.
 */

import { h } from "../dom.js";
import { emoji } from "./emoji.js";
import { channel, everybody, link, person } from "./links.js";

const LETTER = /[\p{L}\p{N}]/u;

/** The nodes and strings of one run of text. */
export function spans(text, rules, directory) {
  const found = [];
  let plain = "";
  for (let at = 0; at < text.length; ) {
    const hit = LETTER.test(text[at]) && text[at] !== "h" ? null : match(text, at, rules, directory);
    if (hit === null) plain += text[at++];
    else {
      found.push(plain, hit.node);
      plain = "";
      at += hit.length;
    }
  }
  return [...found, plain].filter((node) => node !== "");
}

function match(text, at, rules, directory) {
  for (const { pattern, make, word } of rules) {
    if (word && at > 0 && LETTER.test(text[at - 1])) continue;
    pattern.lastIndex = at;
    const groups = pattern.exec(text);
    const node = groups && make(groups, (inner) => spans(inner, rules, directory), directory);
    if (node !== null) return { node, length: groups[0].length };
  }
  return null;
}

const ENTITIES = { "&amp;": "&", "&lt;": "<", "&gt;": ">" };
const decoded = (text) => text.replace(/&(amp|lt|gt);/g, (entity) => ENTITIES[entity]);

/** Text in which control sequences are only spelled out, as code wants it. */
export function spelled(text, directory) {
  const words = text.replace(/<([^<>\n]+)>/g, (whole, body) => control(body, directory)?.textContent ?? whole);
  return decoded(words);
}

/** What stands between < and >: a person, a channel, a call to everybody, a date or a link; null when it is none. */
function control(body, directory) {
  const [target, given] = split(body);
  if (/^@[UWB]\w+$/.test(target)) return person(target.slice(1), directory);
  if (/^#[CGD]\w+$/.test(target)) return channel(target.slice(1), directory, given);
  if (target.startsWith("!date^")) return h("span", {}, decoded(given ?? ""));
  if (target.startsWith("!")) return everybody(decoded(given ?? target.slice(1)).replace(/^@/, ""));
  return link(decoded(target), decoded(given ?? target).replace(/^mailto:/, ""));
}

function split(body) {
  const bar = body.indexOf("|");
  return bar < 0 ? [body, undefined] : [body.slice(0, bar), body.slice(bar + 1)];
}

const wrap = (tag) => ([, inner], recur) => h(tag, {}, recur(inner));

const CONTROL = { pattern: /<([^<>\n]+)>/y, make: ([, body], _, directory) => control(body, directory) };
const ENTITY = { pattern: /&(?:amp|lt|gt);/y, make: ([entity]) => ENTITIES[entity] };
const EMOJI = { pattern: /:([a-z0-9_+-]+):/y, word: true, make: ([, name]) => emoji(name) };
const ADDRESS = {
  pattern: /https?:\/\/[^\s<>|]*[^\s<>|.,;:!?)\]'"*_~`]/y,
  word: true,
  make: ([address]) => link(decoded(address), decoded(address)),
};

export const MRKDWN_SPANS = [
  { pattern: /`([^`\n]+)`/y, make: ([, code], _, directory) => h("code", {}, spelled(code, directory)) },
  CONTROL,
  { pattern: /\*(?=\S)([^*\n]*[^*\s])\*(?![\p{L}\p{N}])/uy, word: true, make: wrap("strong") },
  { pattern: /_(?=\S)([^_\n]*[^_\s])_(?![\p{L}\p{N}])/uy, word: true, make: wrap("em") },
  { pattern: /~(?=\S)([^~\n]*[^~\s])~(?![\p{L}\p{N}])/uy, word: true, make: wrap("s") },
  EMOJI, ADDRESS, ENTITY,
];

export const MARKDOWN_SPANS = [
  { pattern: /\\([\\`*_{}[\]()#+\-.!~|<>])/y, make: ([, character]) => character },
  { pattern: /(`+)([^\n]*?[^`\n])\1(?!`)/y, make: ([, , code]) => h("code", {}, code.trim()) },
  { pattern: /!\[([^\]\n]*)\]\(([^()\s]+)\)/y, make: ([, name, address]) => link(address, `Image: ${name}`) },
  {
    pattern: /\[([^\]\n]+)\]\(([^()\s]*(?:\([^()\s]*\)[^()\s]*)*)(?:\s+"[^"\n]*")?\)/y,
    make: ([, text, address], recur) => link(decoded(address), recur(text)),
  },
  CONTROL,
  { pattern: /\*\*(?=\S)((?:[^*\n]|\*(?!\*))*[^\s*])\*\*/y, make: wrap("strong") },
  { pattern: /__(?=\S)((?:[^_\n]|_(?!_))*[^\s_])__(?![\p{L}\p{N}])/uy, word: true, make: wrap("strong") },
  { pattern: /\*(?=\S)([^*\n]*[^*\s])\*/y, make: wrap("em") },
  { pattern: /_(?=\S)([^_\n]*[^_\s])_(?![\p{L}\p{N}])/uy, word: true, make: wrap("em") },
  { pattern: /~~(?=\S)([^~\n]*[^~\s])~~/y, make: wrap("s") },
  EMOJI, ADDRESS, ENTITY,
];
