/* Owns what a person may do with a message: the small bar at its corner, the menu behind it, and the choice of emoji. */

import { confirmed } from "../dialogs.js";
import { h } from "../dom.js";
import { openMenu, pop } from "../popup.js";
import { emoji, emojiNames } from "../render/emoji.js";
import { iconButton } from "./parts.js";

export function toolbar(message, how) {
  const { channel, does, alone } = how;
  const react = (name) => does.react(channel, message, name);
  const more = ({ currentTarget }) => openMenu(currentTarget, "More", menu(message, how));
  const tools = message.is_ephemeral
    ? [iconButton("close", "Dismiss", () => does.dismiss(channel, message))]
    : [
        iconButton("smile", "Add reaction", ({ currentTarget }) => chooseEmoji(currentTarget, react)),
        !alone && iconButton("thread", "Reply in thread", () => does.openThread(message.ts)),
        iconButton("more", "More", more, { "aria-haspopup": "menu" }),
      ];
  return h("div", { class: "tools", role: "toolbar", "aria-label": "With this message" }, tools);
}

function menu(message, { state, channel, does, alone }) {
  const mine = message.user === state.me.id && !message.subtype?.startsWith("channel_");
  const shortcuts = (state.bot.shortcuts ?? []).filter(({ type }) => type === "message");
  return [
    mine && { label: "Edit", drawing: "pencil", onchoose: () => does.startEdit(channel, message) },
    !alone && { label: "Mark unread from here", drawing: "eye", onchoose: () => does.markUnread(channel, message) },
    { label: "Copy link", drawing: "link", onchoose: () => does.copyLink(channel, message) },
    ...shortcuts.map(({ name, callback_id }) => ({
      label: name, note: state.bot.name, drawing: "bolt", onchoose: () => does.shortcut(callback_id, { channel, ts: message.ts }),
    })),
    mine && { label: "Delete", drawing: "trash", danger: true, onchoose: () => remove(channel, message, does) },
  ].filter(Boolean);
}

async function remove(channel, message, does) {
  const question = {
    title: "Delete this message?",
    text: "It goes for everybody, and cannot be brought back.",
    confirm: "Delete",
    deny: "Keep",
    style: "danger",
  };
  if (await confirmed(question)) does.remove(channel, message);
}

function chooseEmoji(anchor, take) {
  const choose = (name) => () => {
    close();
    take(name);
  };
  const all = emojiNames().map((name) =>
    h("button", { type: "button", title: `:${name}:`, "aria-label": name, onclick: choose(name) }, emoji(name)));
  const filter = () => {
    const typed = field.value.trim().toLowerCase();
    all.forEach((button) => { button.hidden = !button.ariaLabel.includes(typed); });
  };
  const first = ({ key }) => key === "Enter" && all.find(({ hidden }) => !hidden)?.click();
  const name = "Find an emoji";
  const looks = { class: "field", type: "search", placeholder: name, "aria-label": name };
  const field = h("input", { ...looks, oninput: filter, onkeydown: first });
  const node = h("div", { class: "emoji-choice", role: "dialog", "aria-label": "Add reaction" },
    field, h("div", { class: "emoji-grid" }, all));
  const close = pop(anchor, node);
  field.focus();
}
