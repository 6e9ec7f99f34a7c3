/*
 * Owns what the page knows: the workspace, the messages of each list, what the app is doing, and what has been read.
 * Views read `store.state` and never write it; all that happens goes through a method here, and each change is announced
 * once.
 */

import { HAPPENINGS } from "./happenings.js";
import { newest } from "./lists.js";
import { loadMarks, saveMarks } from "./marks.js";
import { label, listKey, named } from "./names.js";

export function createStore() {
  const state = {
    team: null, me: null, bot: null, users: new Map(), channels: [], directory: null, place: null, link: "connecting",
    lists: new Map(), statuses: new Map(), sessions: new Map(), prompts: new Map(), marks: {},
    home: null, modals: [], editing: null, news: null, held: null, journal: new Map(),
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
    goTo: (place) => change(() => goTo(state, place)),
    refresh: () => change(() => {}),
    setLink: (link) => change(() => { state.link = link; }),
    setWorkspace: (answer) => change(() => setWorkspace(state, answer)),
    setList: (channel, thread, messages) => change(() => setList(state, listKey(channel, thread), messages)),
    setJournal: (entries) => change(() => { state.journal = new Map(entries.map((entry) => [entry.number, entry])); }),
    edit: (key) => change(() => { state.editing = key; }),
    happen: (event) => change(() => HAPPENINGS[event.type]?.(state, event)),
    readThread: (channel, thread) => markThread(state, channel, thread),
    /** Let a place be unread after `since` while it is before one's eyes. */
    hold: (channel, since) => change(() => Object.assign(state, { held: channel, news: { channel, since } })),
    readChannel: (channel) => change(() => setRead(state, channel)),
  };
}

const keyed = (items, keyOf) => new Map(items.map((item) => [keyOf(item), item]));

function setWorkspace(state, answer) {
  const { team, me, users, channels, bot, home = null, modals = [] } = answer;
  Object.assign(state, { team, me, bot, home, modals, editing: null });
  state.users = keyed(users, ({ id }) => id);
  state.channels = channels.map((channel) => named(channel, state.users));
  const byThread = ({ channel, thread_ts }) => listKey(channel, thread_ts);
  state.statuses = keyed(answer.statuses ?? [], byThread);
  state.sessions = keyed(answer.sessions ?? [], byThread);
  state.prompts = keyed(answer.prompts ?? [], byThread);
  state.directory = directory(state);
  state.marks = loadMarks(me.id);
  state.news = null;
}

/** Names for ids, as the renderers ask for them; it looks when it is asked, so it stays true. */
function directory(state) {
  return {
    me: state.me.id,
    user: (id) => (state.users.has(id) ? label(state.users.get(id)) : id),
    channel: (id) => state.channels.find((channel) => channel.id === id)?.name,
  };
}

/** What only this person sees is in no history: it stays until the page is left. */
function setList(state, key, messages) {
  const own = (state.lists.get(key) ?? []).filter(({ is_ephemeral }) => is_ephemeral);
  const all = [...messages, ...own].sort((a, b) => Number(a.ts) - Number(b.ts));
  state.lists.set(key, own.length ? all : messages);
}

function goTo(state, place) {
  const channel = state.channels.find(({ id }) => id === place.channel);
  if (state.place?.channel !== place.channel) {
    state.held = null;
    state.news = channel?.unread ? { channel: channel.id, since: channel.last_read } : null;
  }
  state.place = place;
}

function setRead(state, id) {
  state.channels = state.channels.map((channel) => (channel.id === id ? { ...channel, unread: 0, mentions: 0 } : channel));
}

function markThread(state, channel, thread) {
  const ts = newest(state.lists.get(listKey(channel, thread)) ?? []);
  const key = listKey(channel, thread);
  if (!ts || (state.marks[key] ?? 0) >= ts) return;
  state.marks = { ...state.marks, [key]: ts };
  saveMarks(state.me.id, state.marks);
}

export function hasNewReplies(state, channel, message) {
  const mark = state.marks[listKey(channel, message.ts)] ?? state.marks.since;
  return Number(message.latest_reply ?? 0) > mark;
}

/** Whether somebody could stop what the app does in a thread. */
export function canStop(state, key) {
  const works = ({ streaming_state }) => streaming_state === "in_progress";
  return state.sessions.get(key)?.status === "processing" || (state.lists.get(key) ?? []).some(works);
}
