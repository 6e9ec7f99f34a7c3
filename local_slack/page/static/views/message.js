/* Owns one message: who, when, what, its files, what others felt about it, and the line that leads to its thread. */

import { h } from "../dom.js";
import { renderBlocks } from "../render/blocks.js";
import { emoji } from "../render/emoji.js";
import { fileView } from "../render/files.js";
import { mrkdwn } from "../render/prose.js";
import { label, standing } from "../names.js";
import { clock, dayAndClock, full } from "../time.js";
import { editor } from "./editor.js";
import { avatar, statusLine } from "./parts.js";
import { toolbar } from "./tools.js";

const FACES = 3;
const PEOPLE_COME_AND_GO = new Set(["channel_join", "channel_leave", "group_join", "group_leave"]);

/**
 * `how` is `{headed, state, channel, surfaceOf, does, unread, status, canStop, editing, alone}`: `alone` says that it stands
 * in its thread, `does` what a person may do with a message.
 */
export function messageView(message, how) {
  const { users } = how.state;
  const author = users.get(message.user);
  const name = message.username ?? (author ? label(author) : "Somebody");
  const looks = ["message", how.headed && "headed", message.is_ephemeral && "ephemeral", how.editing && "editing"];
  const attributes = {
    class: looks.filter(Boolean).join(" "),
    "data-ts": message.ts,
    "aria-label": `${name}, ${dayAndClock(message.ts)}`,
  };
  return h("article", attributes,
    how.headed ? avatar(author) : h("time", { class: "gutter", title: full(message.ts) }, clock(message.ts)),
    h("div", { class: "message-body" },
      how.headed && byline(message, name, author),
      message.is_ephemeral && h("p", { class: "aside" }, "Only visible to you"),
      how.editing ? editor(message, how) : content(message, how),
      message.files?.map(fileView),
      reactions(message, how),
      !how.alone && footer(message, how)),
    !how.editing && message.subtype !== "tombstone" && toolbar(message, how));
}

function byline(message, name, author) {
  const kind = standing(author);
  return h("div", { class: "byline" },
    h("span", { class: "author" }, name),
    message.bot_id && h("span", { class: "badge" }, "APP"),
    kind && h("span", { class: "badge badge-outside" }, kind),
    h("time", { title: full(message.ts) }, clock(message.ts)));
}

/** An app fills its message step by step; only what people change is marked as edited. */
function content(message, how) {
  const byPerson = message.edited && !message.bot_id;
  const streams = message.streaming_state === "in_progress";
  return h("div", { class: streams ? "content streaming" : "content", "aria-busy": streams || null },
    message.subtype === "thread_broadcast" && h("p", { class: "aside" }, "Replied to a thread, and sent to the channel"),
    body(message, how),
    message.attachments?.map((attachment) => attached(attachment, how.state.directory)),
    ENDINGS[message.streaming_state] && h("p", { class: "ending" }, ENDINGS[message.streaming_state]),
    byPerson && h("span", { class: "edited", title: full(message.edited.ts) }, "(edited)"));
}

const ENDINGS = {
  stopped: "Stopped.",
  expired: "This answer was cut off: a stream ends five minutes after it began.",
};

/** Slack shows blocks instead of text. What a person typed is shown from the text, which holds all of it. */
function body({ subtype, bot_id, blocks, text, ...message }, { state, surfaceOf }) {
  if (subtype === "tombstone") return h("p", { class: "gone" }, "This message was deleted.");
  const words = mrkdwn(text ?? "", state.directory);
  if (PEOPLE_COME_AND_GO.has(subtype)) return h("div", { class: "gone" }, words);
  return bot_id && blocks?.length ? renderBlocks(blocks, surfaceOf(message)) : words;
}

function attached({ text, fallback, title, title_link: address, color }, directory) {
  const stripe = /^#?[0-9a-f]{6}$/i.test(color ?? "") ? { "--stripe": `#${color.replace("#", "")}` } : {};
  return h("div", { class: "attachment", style: stripe },
    title && h("strong", {}, address ? mrkdwn(`<${address}|${title}>`, directory) : title),
    mrkdwn(text ?? fallback ?? "", directory));
}

function reactions(message, { state, channel, does }) {
  if (!message.reactions?.length) return null;
  return h("ul", { class: "reactions", "aria-label": "Reactions" }, message.reactions.map(({ name, count, users }) => {
    const mine = users.includes(state.me.id);
    const who = `${users.map(state.directory.user).join(", ")} with :${name}:`;
    const press = () => does.react(channel, message, name);
    const named = { title: who, "aria-label": `${emoji(name)} ${who}` };
    return h("li", {}, h("button", { type: "button", ...named, "aria-pressed": mine, onclick: press },
      `${emoji(name)} `, h("span", {}, count)));
  }));
}

function footer(message, how) {
  const open = () => how.does.openThread(message.ts);
  const stop = how.canStop && (() => how.does.stop({ channel: how.channel, thread: message.ts }));
  return [
    message.reply_count > 0 && replies(message, how, open),
    how.status && statusLine(how.status, how.state.bot, stop),
  ];
}

function replies({ reply_count, reply_users, latest_reply }, { state, unread }, onclick) {
  const faces = (reply_users ?? []).slice(0, FACES).map((id) => avatar(state.users.get(id)));
  return h("button", { type: "button", class: "replies", onclick },
    h("span", { class: "faces" }, faces),
    h("span", { class: "replies-count" }, reply_count === 1 ? "1 reply" : `${reply_count} replies`),
    latest_reply && h("span", { class: "replies-last" }, `last ${dayAndClock(latest_reply)}`),
    unread && h("span", { class: "dot", role: "img", "aria-label": "new" }));
}
