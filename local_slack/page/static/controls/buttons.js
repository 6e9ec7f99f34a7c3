/* Owns what is pressed: buttons, feedback, buttons of an icon, and the menu behind three dots. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { openMenu } from "../popup.js";
import { link } from "../render/links.js";
import { emojiText } from "../render/emoji.js";

const DRAWINGS = { trash: "trash", edit: "pencil", copy: "copy", link: "link" };

export function button(element, { surface, commit }) {
  const { text, url, style, value, accessibility_label } = element;
  if (hidden(element, surface)) return null;
  const look = style ? `control control-${style}` : "control";
  const attributes = { class: look, "aria-label": accessibility_label };
  const anchor = url && link(url, emojiText(text.text), { ...attributes, onclick: () => commit({ value, url }) });
  return anchor || pressing(attributes, [emojiText(text.text)], () => commit({ value }));
}

/** Two buttons of which one may stay pressed. */
export function feedback({ positive_button, negative_button }, { commit }) {
  const group = h("span", { class: "feedback", role: "group", "aria-label": "Feedback" });
  const pair = [["good", positive_button], ["bad", negative_button]].map(([drawing, { text, value, accessibility_label }]) => {
    const press = async () => {
      if (await commit({ value })) pair.forEach((one) => one.setAttribute("aria-pressed", String(one === node)));
    };
    const attributes = { class: "control control-quiet", "aria-label": accessibility_label ?? text.text, "aria-pressed": false };
    const node = pressing(attributes, [icon(drawing), h("span", {}, text.text)], press);
    return node;
  });
  group.append(...pair);
  return group;
}

export function iconAction(element, { surface, commit }) {
  const { text, value, accessibility_label, icon: drawing } = element;
  if (hidden(element, surface)) return null;
  const attributes = { class: "control control-quiet", "aria-label": accessibility_label ?? text.text, title: text.text };
  return pressing(attributes, [icon(DRAWINGS[drawing] ?? "bolt")], () => commit({ value }));
}

export function overflow({ options }, { commit }) {
  const open = () => openMenu(node, "More choices", options.map((option) => ({
    label: option.text.text,
    note: option.description?.text,
    onchoose: () => {
      if (option.url) window.open(option.url, "_blank", "noopener,noreferrer");
      commit({ selected_option: option });
    },
  })));
  const attributes = { type: "button", class: "control", "aria-label": "More choices", "aria-haspopup": "menu", onclick: open };
  const node = h("button", attributes, icon("more"));
  return node;
}

/** A button that cannot be pressed again while the app thinks. */
function pressing(attributes, content, press) {
  const onclick = async () => {
    if (node.getAttribute("aria-busy") === "true") return;
    node.setAttribute("aria-busy", "true");
    await press();
    node.removeAttribute("aria-busy");
  };
  const node = h("button", { type: "button", ...attributes, onclick }, content);
  return node;
}

const hidden = ({ visible_to_user_ids }, { state }) =>
  Boolean(visible_to_user_ids?.length) && !visible_to_user_ids.includes(state.me.id);
