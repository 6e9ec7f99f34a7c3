/* Owns one message: who, when, what, its files, and the line that leads to its thread. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { renderBlocks } from "../render/blocks.js";
import { emoji } from "../render/emoji.js";
import { fileView } from "../render/files.js";
import { mrkdwn } from "../render/prose.js";
import { label } from "../store.js";
import { clock, dayAndClock, full } from "../time.js";

const FACES = 3;

/** `how` is `{headed, directory, users, openThread, unread, status}`; without `openThread` it stands inside its thread. */
export function messageView(message, how) {
  const author = how.users.get(message.user);
  const name = message.username ?? (author ? label(author) : "Somebody");
  return h("article", { class: how.headed ? "message headed" : "message", "data-ts": message.ts, "aria-label": `${name}, ${dayAndClock(message.ts)}` },
    how.headed ? avatar(author, name) : h("time", { class: "gutter", title: full(message.ts) }, clock(message.ts)),
    h("div", { class: "message-body" },
      how.headed && byline(message, name),
      content(message, how.directory),
      message.files?.map(fileView),
      reactions(message, how),
      how.openThread && message.reply_count > 0 && replies(message, how),
      how.openThread && how.status && statusLine(how.status)),
    how.openThread && !message.is_ephemeral && replyTool(message, how));
}

export function avatar(user, name) {
  const initials = name.split(/\s+/).map((word) => word[0]).slice(0, 2).join("").toUpperCase();
  const colour = /^#[0-9a-f]{6}$/i.test(user?.color ?? "") ? user.color : "#5b6770";
  return h("span", { class: user?.is_bot ? "avatar avatar-bot" : "avatar", style: { "--who": colour }, "aria-hidden": "true" },
    user?.is_bot ? icon("mark") : initials);
}

export function statusLine(text) {
  const dots = [0, 1, 2].map(() => h("i", {}));
  return h("p", { class: "status", role: "status" }, h("span", { class: "dots", "aria-hidden": "true" }, dots), text);
}

function byline(message, name) {
  const isApp = Boolean(message.bot_id);
  return h("div", { class: "byline" },
    h("span", { class: "author" }, name),
    isApp && h("span", { class: "badge" }, "APP"),
    h("time", { title: full(message.ts) }, clock(message.ts)),
    message.is_ephemeral && h("span", { class: "aside" }, "Only visible to you"));
}

/** An app fills its message step by step; only what people change is marked as edited. */
function content(message, directory) {
  const edited = message.edited && !message.bot_id && h("span", { class: "edited", title: full(message.edited.ts) }, "(edited)");
  return h("div", { class: "content" }, body(message, directory), attachments(message, directory), edited);
}

/** Slack shows blocks instead of text. What a person typed is shown from the text, which holds all of it. */
function body({ subtype, bot_id, blocks, text }, directory) {
  if (subtype === "tombstone") return h("p", { class: "gone" }, "This message was deleted.");
  return bot_id && blocks?.length ? renderBlocks(blocks, directory) : mrkdwn(text ?? "", directory);
}

function attachments({ attachments: cards }, directory) {
  return cards?.map(({ blocks, text, fallback }) =>
    h("div", { class: "attachment" }, blocks ? renderBlocks(blocks, directory) : mrkdwn(text ?? fallback ?? "", directory)));
}

function reactions(message, { directory }) {
  if (!message.reactions?.length) return null;
  return h("ul", { class: "reactions", "aria-label": "Reactions" }, message.reactions.map(({ name, count, users }) =>
    h("li", { title: `${users.map(directory.user).join(", ")} with :${name}:` }, `${emoji(name)} `, h("span", {}, count))));
}

function replies(message, { users, openThread, unread }) {
  const faces = (message.reply_users ?? []).slice(0, FACES).map((id) => avatar(users.get(id), users.get(id) ? label(users.get(id)) : id));
  const count = message.reply_count === 1 ? "1 reply" : `${message.reply_count} replies`;
  return h("button", { type: "button", class: unread ? "replies unread" : "replies", onclick: () => openThread(message.ts) },
    h("span", { class: "faces" }, faces),
    h("span", { class: "replies-count" }, count),
    message.latest_reply && h("span", { class: "replies-last" }, `last ${dayAndClock(message.latest_reply)}`),
    unread && h("span", { class: "dot", role: "img", "aria-label": "new" }));
}

function replyTool(message, { openThread }) {
  return h("button", { type: "button", class: "reply-tool", title: "Reply in thread", "aria-label": "Reply in thread", onclick: () => openThread(message.ts) },
    icon("thread"));
}
