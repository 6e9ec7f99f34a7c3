/* Owns Block Kit: one renderer for each type of block. A type it does not know becomes a small note, never silence. */

import { acting } from "../controls/elements.js";
import { h } from "../dom.js";
import { alertBox, card, carousel, container } from "./cards.js";
import { chart } from "./chart.js";
import { dataTable, plainTable } from "./data_table.js";
import { emojiText } from "./emoji.js";
import { inputBlock } from "./inputs.js";
import { link } from "./links.js";
import { picture } from "./pictures.js";
import { markdown, mrkdwn, mrkdwnLine } from "./prose.js";
import { richText } from "./rich_text.js";
import { plan, taskCard } from "./tasks.js";

const RENDERERS = new Map(Object.entries({
  section, header, context, image, actions, video, card, carousel, plan, container,
  alert: alertBox,
  divider: () => h("hr"),
  rich_text: (block, { directory }) => richText(block, directory),
  markdown: ({ text }, { directory }) => markdown(text, directory),
  table: (block, { directory }) => plainTable(block, directory),
  data_table: (block, { directory }) => dataTable(block, directory),
  data_visualization: chart,
  task_card: taskCard,
  context_actions: actions,
  input: inputBlock,
  file: ({ external_id }) => note(`A file kept elsewhere, “${external_id}”.`),
}));

/** A block that was drawn before and says the same is the very same node, with whatever is open or sorted in it. */
export function renderBlocks(blocks, surface) {
  const before = new Map(surface.drawn);
  surface.drawn.clear();
  return blocks.map((block) => {
    const words = contentOf(block);
    const node = before.get(words) ?? framed(block, surface);
    before.delete(words);
    surface.drawn.set(words, node);
    return node;
  });
}

/** What a block says. Its id, which may be new each time, matters only where a control is used under it. */
function contentOf(block) {
  const whole = JSON.stringify(block);
  return whole.includes('"action_id"') ? whole : JSON.stringify(block, (name, value) => (name === "block_id" ? undefined : value));
}

const framed = (block, surface) => h("div", { class: `block block-${block.type}` }, renderBlock(block, surface));

/** Blocks that stand inside another block. */
const inner = (blocks, surface) => blocks.map((block) => framed(block, surface));

function renderBlock(block, surface) {
  const render = RENDERERS.get(block.type);
  if (!render) return note(`A block of type “${block.type}”, which this page does not show yet.`);
  try {
    return render(block, surface, inner);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return note(`A block of type “${block.type}” that lacks a part it needs.`);
  }
}

const note = (...words) => h("p", { class: "note", role: "note" }, words);

/** A text object, as paragraphs. */
function paragraphs(object, directory) {
  return object.type === "mrkdwn" ? mrkdwn(object.text, directory) : [h("p", {}, emojiText(object.text))];
}

function section(block, surface) {
  const { text, fields, accessory } = block;
  const columns = fields?.map((field) => h("div", {}, paragraphs(field, surface.directory)));
  return h("div", { class: "section" },
    h("div", { class: "section-main" },
      text && paragraphs(text, surface.directory),
      columns && h("div", { class: "fields" }, columns)),
    accessory && h("div", { class: "section-side" }, acting(accessory, block, surface)));
}

function header({ text }) {
  return h("h3", { class: "block-title" }, emojiText(text.text));
}

function context({ elements }, { directory }) {
  return h("div", { class: "context" }, elements.map((part) => {
    if (part.type === "image") return picture(part);
    return h("span", {}, part.type === "mrkdwn" ? mrkdwnLine(part.text, directory) : emojiText(part.text));
  }));
}

function image(block) {
  return h("figure", {}, block.title && h("figcaption", {}, block.title.text), picture(block));
}

function video({ title, title_url, video_url, description, alt_text }) {
  return h("div", { class: "card" },
    h("strong", {}, link(title_url ?? video_url, title.text) ?? title.text),
    h("p", {}, description?.text ?? alt_text));
}

function actions(block, surface) {
  return h("div", { class: "actions" }, block.elements.map((element) => acting(element, block, surface)));
}
