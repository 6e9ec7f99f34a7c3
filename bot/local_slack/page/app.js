/* Owns the wiring: the address says what is shown, events change the store, and each change draws the views. */

import * as api from "./api.js";
import { FIRST_PERSON, go, place, redirect } from "./route.js";
import { enter } from "./session.js";
import { createStore, listKey } from "./store.js";
import { createConversation, nameOf } from "./views/conversation.js";
import { createSidebar } from "./views/sidebar.js";
import { createThread } from "./views/thread.js";

const SIDE_BY_SIDE = matchMedia("(min-width: 64rem)");

const store = createStore();
const { state } = store;
const element = (id) => document.getElementById(id);
const begun = new Set(); // the threads whose first message this window sent, until they are opened

const sidebar = createSidebar(element("sidebar"), { actAs: (as) => go({ as }) });
const conversation = createConversation(element("conversation"), { send, openThread, showSidebar });
const thread = createThread(element("thread"), { send, close: closeThread });
let leave = () => {};
let present = null;
let heard = 0; // how many events this window has had

store.subscribe(draw);
addEventListener("hashchange", arrive);
document.addEventListener("visibilitychange", store.refresh);
document.addEventListener("keydown", ({ key }) => key === "Escape" && hideSidebar());
element("scrim").addEventListener("click", hideSidebar);
arrive();

function draw() {
  const channel = state.channels.find(({ id }) => id === state.place?.channel);
  if (!channel) return;
  if (document.visibilityState === "visible") store.read(channel.id, state.place.thread);
  [sidebar, conversation, thread].forEach((view) => view.render(state));
  document.body.classList.toggle("with-thread", Boolean(state.place.thread));
  document.title = `${nameOf(channel)} · Datathread`;
}

/** Bring the page to the place that the address names. */
function arrive() {
  const wanted = place();
  if (wanted.as !== present) return become(wanted.as);
  if (wanted.as !== state.me?.id) return null;
  if (!state.channels.some(({ id }) => id === wanted.channel)) return redirect({ channel: state.channels[0].id });
  hideSidebar();
  store.goTo(wanted);
  return wanted.thread && loadThread(wanted);
}

function become(as) {
  leave();
  begun.clear();
  present = as;
  leave = enter(as, store, { entered: arrive, heard: hear, refused: () => redirect({ as: FIRST_PERSON }) });
}

function hear(event) {
  heard += 1;
  followBegun(event);
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

async function send(channel, text, thread_ts) {
  const { ts } = await api.post(state.me.id, channel, text, thread_ts);
  if (!thread_ts) begun.add(listKey(channel, ts));
}

/** Where there is room, the thread of one's own question opens when the bot begins to answer it. */
function followBegun({ type, channel, thread_ts, message }) {
  const ts = type === "status" ? thread_ts : message?.bot_id && message.thread_ts;
  const free = state.place?.channel === channel && !state.place.thread && SIDE_BY_SIDE.matches;
  if (!ts || !begun.delete(listKey(channel, ts)) || !free) return;
  if (conversation.composer.isEmpty()) openThread(ts);
  else go({ thread: ts });
}

function openThread(ts) {
  thread.focusSoon();
  go({ thread: ts });
}

function closeThread() {
  go({ thread: null });
  conversation.composer.focus();
}

function showSidebar() {
  document.body.classList.add("with-sidebar");
}

function hideSidebar() {
  document.body.classList.remove("with-sidebar");
}
