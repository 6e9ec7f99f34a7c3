/* Owns the wiring: the address says what is shown, events change the store, and each change draws the views. */

import * as api from "./api.js";
import { createDeeds } from "./deeds.js";
import { tellWhy } from "./dialogs.js";
import { createForms } from "./forms.js";
import { listKey, placeName } from "./names.js";
import { FIRST_PERSON, go, place, redirect } from "./route.js";
import { enter } from "./session.js";
import { createStore } from "./store.js";
import { createConversation } from "./views/conversation.js";
import { createInspector } from "./views/inspector.js";
import { createModals } from "./views/modals.js";
import { createSidebar } from "./views/sidebar.js";
import { createThread } from "./views/thread.js";

const SIDE_BY_SIDE = matchMedia("(min-width: 64rem)");

const store = createStore();
const { state } = store;
const element = (id) => document.getElementById(id);
const begun = new Set(); // the threads whose first message this window sent, until they are opened
const surfaces = createForms(state);
const does = { ...createDeeds(store), openThread };

const sidebar = createSidebar(element("sidebar"), { actAs: (as) => go({ as }) });
const conversation = createConversation(element("conversation"), { send, does, surfaces, showSidebar, inspect });
const thread = createThread(element("thread"), { send, does, surfaces, close: closeThread });
const modals = createModals({ surfaces, submit, close });
const inspector = createInspector(element("inspector"), inspect);
let leave = () => {};
let present = null;
let heard = 0; // how many events this window has had

store.subscribe(draw);
addEventListener("hashchange", arrive);
document.addEventListener("visibilitychange", store.refresh);
document.addEventListener("keydown", shortcuts);
element("scrim").addEventListener("click", hideSidebar);
arrive();

function shortcuts(event) {
  if (event.key === "Escape") hideSidebar();
  if (event.key !== "." || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  inspect();
}

function draw() {
  const channel = state.channels.find(({ id }) => id === state.place?.channel);
  if (!channel) return;
  if (document.visibilityState === "visible") look(channel);
  [sidebar, conversation, thread, modals, inspector].forEach((view) => view.render(state));
  document.body.classList.toggle("with-thread", Boolean(state.place.thread));
  document.title = `${placeName(channel)} · Datathread`;
}

/** Whoever has a place before their eyes has read it. */
function look({ id, unread }) {
  if (state.place.thread) store.readThread(id, state.place.thread);
  if (!unread || state.place.tab || state.held === id) return;
  store.readChannel(id);
  api.read({ as: state.me.id, channel: id }).catch((error) => tellWhy(error, state.bot.name));
}

/** Bring the page to the place that the address names. */
function arrive() {
  const wanted = place();
  if (wanted.as !== present) return become(wanted.as);
  if (wanted.as !== state.me?.id) return null;
  const channel = state.channels.find(({ id }) => id === wanted.channel);
  if (!channel) return redirect({ channel: state.channels[0].id });
  hideSidebar();
  tellWhere(channel, wanted);
  store.goTo(wanted);
  return wanted.thread && loadThread(wanted);
}

/** The app may want to know what a person looks at: its own parts, or the channel beside it. */
async function tellWhere(channel, { as, tab }) {
  const before = state.place;
  if (before?.channel === channel.id && before.tab === tab && before.as === as) return;
  if (channel.user !== state.bot.user_id) {
    if (!channel.is_im) await api.context({ as, channel: channel.id }).catch(() => null);
    return;
  }
  await api.home({ as, tab: tab === "home" ? "home" : "messages" }).catch(() => null);
}

function become(as) {
  leave();
  begun.clear();
  surfaces.clear();
  present = as;
  leave = enter(as, store, { entered, heard: hear, refused: () => redirect({ as: FIRST_PERSON }) });
}

function entered() {
  surfaces.clear();
  arrive();
}

function hear(event) {
  if (event.type === "journal") return;
  heard += 1;
  followBegun(event);
  if (event.type === "channel_gone" && event.channel === state.place?.channel) redirect({ channel: state.channels[0].id });
}

/** Load a thread; again if something happened meanwhile, since that may be missing in what was loaded. */
async function loadThread({ as, channel, thread: ts }) {
  const before = heard;
  try {
    const messages = await api.messages(as, channel, ts);
    if (heard !== before) return loadThread({ as, channel, thread: ts });
    return store.setList(channel, ts, messages);
  } catch (error) {
    return error instanceof api.Refused && redirect({ thread: null });
  }
}

async function send(channel, message, thread_ts) {
  const ts = await does.send(channel, message, thread_ts);
  if (!ts || thread_ts) return;
  const key = listKey(channel, ts);
  begun.add(key);
  const answered = state.lists.get(channel)?.some((one) => one.ts === ts && one.reply_count);
  if (answered || state.statuses.has(key)) followBegun({ type: "status", channel, thread_ts: ts });
}

/** Where there is room, the thread of one's own question opens when the bot begins to answer it. */
function followBegun({ type, channel, thread_ts, message }) {
  const ts = type === "status" ? thread_ts : message?.bot_id && message.thread_ts;
  const free = state.place?.channel === channel && !state.place.thread && SIDE_BY_SIDE.matches;
  if (!ts || !begun.delete(listKey(channel, ts)) || !free) return;
  if (conversation.composer.isEmpty()) openThread(ts);
  else go({ thread: ts });
}

async function submit({ id }, values) {
  try {
    return (await api.submit({ as: state.me.id, view_id: id, values })).errors;
  } catch (error) {
    tellWhy(error, state.bot.name);
    return null;
  }
}

function close({ id }, all) {
  return api.close({ as: state.me.id, view_id: id, ...(all && { is_cleared: true }) })
    .catch((error) => tellWhy(error, state.bot.name));
}

function openThread(ts) {
  thread.focusSoon();
  go({ thread: ts });
}

function closeThread() {
  go({ thread: null });
  conversation.composer.focus();
}

/** Open the inspector, or close it. */
function inspect() {
  const drawer = element("inspector");
  drawer.hidden = !drawer.hidden;
  document.body.classList.toggle("with-inspector", !drawer.hidden);
  if (drawer.hidden) return conversation.composer.focus();
  store.refresh();
  return inspector.focus();
}

function showSidebar() {
  document.body.classList.add("with-sidebar");
}

function hideSidebar() {
  document.body.classList.remove("with-sidebar");
}
