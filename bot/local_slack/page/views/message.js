/* Owns one message: who, when, what, its files, and the line that leads to its thread. */

import { h } from "../dom.js";
import { renderBlocks } from "../render/blocks.js";
import { emoji } from "../render/emoji.js";
import { fileView } from "../render/files.js";
import { mrkdwn } from "../render/prose.js";
import { label } from "../store.js";
import { clock, dayAndClock, full } from "../time.js";
import { avatar, iconButton, statusLine } from "./parts.js";

const FACES = 3;

/** `how` is `{headed, directory, users, openThread, unread, status}`; without `openThread` it stands in its thread. */
export function messageView(message, how) {
  const author = how.users.get(message.user);
  const name = message.username ?? (author ? label(author) : "Somebody");
  const attributes = {
    class: how.headed ? "message headed" : "message",
    "data-ts": message.ts,
    "aria-label": `${name}, ${dayAndClock(message.ts)}`,
  };
  return h("article", attributes,
    how.headed ? avatar(author) : h("time", { class: "gutter", title: full(message.ts) }, clock(message.ts)),
    h("div", { class: "message-body" },
      how.headed && byline(message, name),
      content(message, how.directory),
      message.files?.map(fileView),
      reactions(message, how),
      how.openThread && footer(message, how)));
}

function byline(message, name) {
  return h("div", { class: "byline" },
    h("span", { class: "author" }, name),
    message.bot_id && h("span", { class: "badge" }, "APP"),
    h("time", { title: full(message.ts) }, clock(message.ts)),
    message.is_ephemeral && h("span", { class: "aside" }, "Only visible to you"));
}

/** An app fills its message step by step; only what people change is marked as edited. */
function content(message, directory) {
  const byPerson = message.edited && !message.bot_id;
  return h("div", { class: "content" },
    body(message, directory),
    message.attachments?.map((attachment) => attached(attachment, directory)),
    byPerson && h("span", { class: "edited", title: full(message.edited.ts) }, "(edited)"));
}

/** Slack shows blocks instead of text. What a person typed is shown from the text, which holds all of it. */
function body({ subtype, bot_id, blocks, text }, directory) {
  if (subtype === "tombstone") return h("p", { class: "gone" }, "This message was deleted.");
  return bot_id && blocks?.length ? renderBlocks(blocks, directory) : mrkdwn(text ?? "", directory);
}

function attached({ blocks, text, fallback }, directory) {
  const inside = blocks ? renderBlocks(blocks, directory) : mrkdwn(text ?? fallback ?? "", directory);
  return h("div", { class: "attachment" }, inside);
}

function reactions(message, { directory }) {
  if (!message.reactions?.length) return null;
  return h("ul", { class: "reactions", "aria-label": "Reactions" }, message.reactions.map(({ name, count, users }) => {
    const who = `${users.map(directory.user).join(", ")} with :${name}:`;
    return h("li", { title: who }, `${emoji(name)} `, h("span", {}, count));
  }));
}

function footer(message, how) {
  const open = () => how.openThread(message.ts);
  return [
    message.reply_count > 0 && replies(message, how, open),
    how.status && statusLine(how.status),
    !message.is_ephemeral && iconButton("thread", "Reply in thread", open, { class: "reply-tool" }),
  ];
}

function replies({ reply_count, reply_users, latest_reply }, { users, unread }, onclick) {
  const faces = (reply_users ?? []).slice(0, FACES).map((id) => avatar(users.get(id)));
  return h("button", { type: "button", class: "replies", onclick },
    h("span", { class: "faces" }, faces),
    h("span", { class: "replies-count" }, reply_count === 1 ? "1 reply" : `${reply_count} replies`),
    latest_reply && h("span", { class: "replies-last" }, `last ${dayAndClock(latest_reply)}`),
    unread && h("span", { class: "dot", role: "img", "aria-label": "new" }));
}
