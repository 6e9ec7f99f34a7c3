/* Owns blocks that frame others: cards, carousels, containers that fold, and alerts. `inner` draws what stands inside. */

import { acting } from "../controls/elements.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { emojiText } from "./emoji.js";
import { picture } from "./pictures.js";
import { mrkdwnLine } from "./prose.js";
import { inline } from "./rich_text.js";

const WIDTHS = ["narrow", "standard", "wide", "full"];
const LEVELS = { warning: "alert", error: "alert", success: "check" };

const words = (object, { directory }) =>
  object && (object.type === "mrkdwn" ? mrkdwnLine(object.text, directory) : emojiText(object.text));

export function alertBox({ text, level = "default" }, surface) {
  return h("div", { class: `alert alert-${level}`, role: level === "error" ? "alert" : "note" },
    icon(LEVELS[level] ?? "info"), h("p", {}, words(text, surface)));
}

export function card(block, surface) {
  const { hero_image, icon: small, title, subtitle, body, actions } = block;
  return h("div", { class: "card" },
    hero_image && h("div", { class: "card-hero" }, picture(hero_image)),
    h("div", { class: "card-head" },
      small && picture(small),
      h("div", {}, h("strong", {}, words(title, surface)), subtitle && h("p", { class: "card-sub" }, words(subtitle, surface)))),
    body && h("p", {}, words(body, surface)),
    actions && h("div", { class: "actions" }, actions.map((element) => acting(element, block, surface))));
}

export function carousel({ elements }, surface) {
  return h("div", { class: "carousel", role: "region", "aria-label": "Cards", tabindex: "0" },
    elements.map((one) => card(one, surface)));
}

export function container(block, surface, inner) {
  const { child_blocks, is_collapsible, default_collapsed, has_header_divider, width = "standard" } = block;
  const look = `container container-${WIDTHS.includes(width) ? width : "standard"}`;
  const inside = h("div", { class: has_header_divider ? "container-body ruled" : "container-body" },
    inner(child_blocks, surface));
  if (!is_collapsible) return h("section", { class: look }, h("div", { class: "container-head" }, head(block, surface)), inside);
  return h("details", { class: look, open: !default_collapsed },
    h("summary", { class: "container-head" }, icon("down"), head(block, surface)), inside);
}

function head({ icon: small, title, rich_text_title, subtitle }, surface) {
  const name = rich_text_title ? inline(rich_text_title.elements[0], surface.directory) : words(title, surface);
  return [
    small && picture(small),
    h("span", { class: "container-title" }, name, subtitle && h("small", {}, words(subtitle, surface))),
  ];
}
