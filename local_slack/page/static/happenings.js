/* Owns what each event of the workspace changes in the page's state; one entry for each type of event. */

import { isReply, withChange, without, withMessage, withReply } from "./lists.js";
import { listKey, named } from "./names.js";

const MOST_ENTRIES = 1000;

export const HAPPENINGS = {
  message(state, { channel, message }) {
    const reply = isReply(message);
    if (reply) {
      change(state, listKey(channel, message.thread_ts), (list) => withMessage(list, message));
      if (!message.is_ephemeral) countReply(state, channel, message);
    }
    if (reply && message.subtype !== "thread_broadcast") return;
    change(state, channel, (list) => withMessage(list, message));
    count(state, channel, message);
  },
  message_changed(state, { channel, message }) {
    changeAll(state, channel, (list) => withChange(list, message.ts, () => message));
  },
  message_deleted(state, { channel, deleted_ts }) {
    changeAll(state, channel, (list) => without(list, deleted_ts));
  },
  status(state, status) {
    const key = listKey(status.channel, status.thread_ts);
    if (status.status) state.statuses.set(key, status);
    else state.statuses.delete(key);
  },
  session(state, session) {
    const key = listKey(session.channel, session.thread_ts);
    state.sessions.set(key, { ...state.sessions.get(key), ...session });
  },
  title(state, { channel, thread_ts, title }) {
    HAPPENINGS.session(state, { channel, thread_ts, title });
  },
  prompts(state, prompts) {
    state.prompts.set(listKey(prompts.channel, prompts.thread_ts), prompts);
  },
  presence(state, { bot_connected }) {
    state.bot = { ...state.bot, connected: bot_connected };
  },
  channel(state, { channel }) {
    const known = state.channels.some(({ id }) => id === channel.id);
    const now = named(channel, state.users);
    state.channels = known ? state.channels.map((one) => (one.id === now.id ? now : one)) : [...state.channels, now];
  },
  channel_gone(state, { channel }) {
    state.channels = state.channels.filter(({ id }) => id !== channel);
  },
  read(state, { channel, last_read, unread, mentions }) {
    state.channels = state.channels.map((one) => (one.id === channel ? { ...one, last_read, unread, mentions } : one));
  },
  home(state, { view }) {
    state.home = view;
  },
  view_opened(state, { view }) {
    state.modals = [view];
  },
  view_pushed(state, { view }) {
    state.modals = [...state.modals, view];
  },
  view_updated(state, { view }) {
    state.modals = state.modals.map((one) => (one.id === view.id ? view : one));
  },
  view_closed(state, { view_id }) {
    state.modals = state.modals.filter(({ id }) => id !== view_id);
  },
  views_cleared(state) {
    state.modals = [];
  },
  /** The workspace begins anew; what only this person saw goes, too. */
  reset(state) {
    state.lists = new Map();
  },
  journal(state, { entry }) {
    state.journal = new Map(state.journal).set(entry.number, entry);
    const [oldest] = state.journal.keys();
    if (state.journal.size > MOST_ENTRIES) state.journal.delete(oldest);
  },
};

/** Change a list, if it has been loaded. */
function change(state, key, next) {
  const list = state.lists.get(key);
  if (list) state.lists.set(key, next(list));
}

/** A message may stand in its channel and in a thread. */
function changeAll(state, channel, next) {
  const keys = [...state.lists.keys()].filter((key) => key === channel || key.startsWith(`${channel}/`));
  keys.forEach((key) => change(state, key, next));
}

/** A thread's root stands in the channel and at the head of its thread. */
function countReply(state, channel, reply) {
  changeAll(state, channel, (list) => withChange(list, reply.thread_ts, (root) => withReply(root, reply)));
}

/** What others write is unread until this person looks. */
function count(state, id, message) {
  if (message.user === state.me.id || message.is_ephemeral) return;
  const forMe = (channel) => channel.is_im || (message.text ?? "").includes(`<@${state.me.id}>`);
  state.channels = state.channels.map((channel) => (channel.id === id
    ? { ...channel, unread: (channel.unread ?? 0) + 1, mentions: (channel.mentions ?? 0) + Number(forMe(channel)) }
    : channel));
}
