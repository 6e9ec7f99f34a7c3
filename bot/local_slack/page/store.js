/*
 * Owns what the page knows: the workspace, the messages of each list, statuses and what has been read. Views read
 * `store.state` and never write it; all that happens goes through a method here, and each change is announced once.
 * A list is a channel's top level (key "C1") or one thread (key "C1/ts").
 */

import { loadMarks, saveMarks } from "./marks.js";

export const listKey = (channel, thread) => (thread ? `${channel}/${thread}` : channel);

const isReply = (message) => message.thread_ts && message.thread_ts !== message.ts;
const newest = (message) => Math.max(Number(message.ts), Number(message.latest_reply ?? 0));

export function createStore() {
  const state = {
    team: null, me: null, bot: null, users: new Map(), channels: [], directory: null, place: null,
    lists: new Map(), statuses: new Map(), marks: {}, link: "connecting",
  };
  const listeners = [];
  let announced = false;

  function change(apply) {
    apply();
    if (announced) return;
    announced = true;
    queueMicrotask(() => {
      announced = false;
      listeners.forEach((listener) => listener(state));
    });
  }

  return {
    state,
    subscribe: (listener) => listeners.push(listener),
    goTo: (place) => change(() => { state.place = place; }),
    refresh: () => change(() => {}),
    setLink: (link) => change(() => { state.link = link; }),
    setWorkspace: (answer) => change(() => setWorkspace(state, answer)),
    setList: (channel, thread, messages) => change(() => state.lists.set(listKey(channel, thread), messages)),
    happen: (event) => change(() => HAPPENINGS[event.type]?.(state, event)),
    read: (channel, thread) => markRead(state, channel, thread),
  };
}

function setWorkspace(state, { team, me, users, channels, bot }) {
  Object.assign(state, { team, me, bot });
  state.users = new Map(users.map((user) => [user.id, user]));
  state.channels = channels.map((channel) => named(channel, state.users));
  state.directory = directory(state);
  state.marks = loadMarks(me.id);
}

/** A direct conversation is called by the name of its other side. */
function named(channel, users) {
  return channel.is_im ? { ...channel, name: label(users.get(channel.user)) } : channel;
}

/** Names for ids, as the renderers ask for them. */
function directory({ me, users, channels }) {
  return {
    me: me.id,
    user: (id) => (users.has(id) ? label(users.get(id)) : id),
    channel: (id) => channels.find((channel) => channel.id === id)?.name,
  };
}

const HAPPENINGS = {
  message(state, { channel, message }) {
    if (isReply(message)) {
      put(state, listKey(channel, message.thread_ts), message);
      update(state, channel, message.thread_ts, (root) => withReply(root, message));
    }
    if (!isReply(message) || message.subtype === "thread_broadcast") put(state, channel, message);
    if (message.user === state.me.id) markRead(state, channel, isReply(message) && message.thread_ts);
  },
  message_changed(state, { channel, message }) {
    state.lists.forEach((_, key) => {
      if (key === channel || key.startsWith(`${channel}/`)) replace(state, key, message.ts, () => message);
    });
  },
  message_deleted(state, { channel, deleted_ts }) {
    state.lists.forEach((list, key) => {
      if (key !== channel && !key.startsWith(`${channel}/`)) return;
      state.lists.set(key, list.flatMap((message) => (message.ts === deleted_ts ? remains(message) : [message])));
    });
  },
  status(state, { channel, thread_ts, status }) {
    state.statuses.set(listKey(channel, thread_ts), status);
  },
  presence(state, { bot_connected }) {
    state.bot = { ...state.bot, connected: bot_connected };
  },
};

/** What is left of a deleted message: the place of its thread, if it has one. */
function remains({ ts, thread_ts, reply_count, reply_users, latest_reply }) {
  return reply_count ? [{ subtype: "tombstone", ts, thread_ts, reply_count, reply_users, latest_reply }] : [];
}

/** Add a message to a list that has been loaded, in the order of time, once. */
function put(state, key, message) {
  const list = state.lists.get(key);
  if (!list) return;
  const others = list.filter(({ ts }) => ts !== message.ts);
  const at = others.findLastIndex(({ ts }) => Number(ts) < Number(message.ts)) + 1;
  state.lists.set(key, others.toSpliced(at, 0, message));
}

function replace(state, key, ts, change) {
  state.lists.set(key, state.lists.get(key).map((message) => (message.ts === ts ? change(message) : message)));
}

/** A thread's root stands in the channel and at the head of its thread. */
function update(state, channel, ts, change) {
  const keys = [channel, listKey(channel, ts)].filter((key) => state.lists.has(key));
  keys.forEach((key) => replace(state, key, ts, change));
}

/** The root as it stands after a reply; a reply that it counts already changes nothing. */
function withReply(root, reply) {
  if (Number(root.latest_reply ?? 0) >= Number(reply.ts)) return root;
  return {
    ...root,
    thread_ts: root.ts,
    reply_count: (root.reply_count ?? 0) + 1,
    latest_reply: reply.ts,
    reply_users: [...new Set([...(root.reply_users ?? []), reply.user])],
  };
}

function markRead(state, channel, thread) {
  const list = state.lists.get(channel);
  if (!list) return;
  const marks = { ...state.marks };
  marks[channel] = Math.max(0, ...list.map(newest));
  if (thread) marks[listKey(channel, thread)] = marks[channel];
  if (Object.keys(marks).every((key) => marks[key] === state.marks[key])) return;
  state.marks = marks;
  saveMarks(state.me.id, marks);
}

/** How many top-level messages of a channel have something in them that this person has not seen. */
export function unreadCount(state, channel) {
  const mark = state.marks[channel] ?? state.marks.since;
  const list = state.lists.get(channel) ?? [];
  return list.filter((message) => newest(message) > mark).length;
}

export function hasNewReplies(state, channel, message) {
  const mark = state.marks[listKey(channel, message.ts)] ?? state.marks.since;
  return Number(message.latest_reply ?? 0) > mark;
}

export const label = (user) => (user.is_bot ? user.name : user.real_name || user.name);
