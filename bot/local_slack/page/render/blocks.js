/* Owns Block Kit: one renderer for each type of block. A type it does not know becomes a small note, never silence. */

import { h } from "../dom.js";
import { button, feedback } from "./buttons.js";
import { dataTable, plainTable } from "./data_table.js";
import { link, localFile } from "./links.js";
import { markdown, mrkdwn, mrkdwnLine } from "./prose.js";
import { richText } from "./rich_text.js";

const RENDERERS = new Map(Object.entries({
  section, header, context, image, actions,
  divider: () => h("hr"),
  rich_text: richText,
  markdown: ({ text }, directory) => markdown(text, directory),
  table: plainTable,
  data_table: dataTable,
  context_actions: ({ elements }) => h("div", { class: "actions" }, elements.map(feedback)),
}));

export function renderBlocks(blocks, directory) {
  return blocks.map((block) => h("div", { class: `block block-${block.type}` }, renderBlock(block, directory)));
}

function renderBlock(block, directory) {
  const render = RENDERERS.get(block.type);
  if (!render) return note(`A block of type “${block.type}”, which this page does not show yet.`);
  try {
    return render(block, directory);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return note(`A block of type “${block.type}” that lacks a part it needs.`);
  }
}

const note = (...words) => h("p", { class: "note", role: "note" }, words);

/** A text object, as paragraphs. */
function paragraphs(object, directory) {
  return object.type === "mrkdwn" ? mrkdwn(object.text, directory) : [h("p", {}, object.text)];
}

function section({ text, fields, accessory }, directory) {
  return h("div", { class: "section" },
    h("div", { class: "section-main" },
      text && paragraphs(text, directory),
      fields && h("div", { class: "fields" }, fields.map((field) => h("div", {}, paragraphs(field, directory))))),
    accessory && h("div", { class: "section-side" }, element(accessory)));
}

function header({ text }) {
  return h("h3", { class: "block-title" }, text.text);
}

function context({ elements }, directory) {
  return h("div", { class: "context" }, elements.map((part) => {
    if (part.type === "image") return picture(part);
    return h("span", {}, part.type === "mrkdwn" ? mrkdwnLine(part.text, directory) : part.text);
  }));
}

function image(block) {
  return h("figure", {}, block.title && h("figcaption", {}, block.title.text), picture(block));
}

function picture({ image_url, slack_file, alt_text }) {
  const address = image_url ?? slack_file?.url;
  const path = localFile(address);
  if (path) return h("img", { src: path, alt: alt_text ?? "", loading: "lazy" });
  return note("An image from elsewhere, not loaded: ", link(address, alt_text || address) ?? alt_text ?? "no address");
}

function actions({ elements }) {
  return h("div", { class: "actions" }, elements.map(element));
}

function element(part) {
  return part.type === "image" ? picture(part) : button(part);
}
