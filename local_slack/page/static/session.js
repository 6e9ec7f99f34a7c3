/*
 * Owns being one person in the workspace: hear first, then load, then apply what was heard meanwhile, so that nothing
 * falls between the two. After a lost connection, and after a reset of the workspace, all of it happens again.
 */

import * as api from "./api.js";

const ANEW = new Set(["hello", "reset"]);

/** Enter as `as`; `entered()` is called after each loading, `heard(event)` for each event. Returns the way to leave. */
export function enter(as, store, { entered, heard, refused }) {
  let early = [];
  let loading = 0;
  let left = false;

  function happen(event) {
    if (event.type === "reset") store.happen(event);
    if (ANEW.has(event.type)) load();
    else if (early) early.push(event);
    else apply(event);
  }

  function apply(event) {
    store.happen(event);
    heard(event);
  }

  async function load() {
    const ticket = ++loading;
    early = [];
    try {
      const [answer, entries] = await Promise.all([api.workspace(as), api.journal()]);
      const lists = await Promise.all(answer.channels.map(({ id }) => api.messages(as, id)));
      if (!left && ticket === loading) take(answer, entries, lists);
    } catch {
      lost();
    }
  }

  function take(answer, entries, lists) {
    store.setWorkspace(answer);
    store.setJournal(entries);
    answer.channels.forEach(({ id }, index) => store.setList(id, null, lists[index]));
    store.setLink("live");
    const waiting = early;
    early = null;
    waiting.forEach(apply);
    entered();
  }

  /** The server is away, or it does not know this person. */
  async function lost() {
    if (left) return;
    store.setLink("lost");
    await api.workspace(as).catch((error) => error instanceof api.Refused && !left && refused());
  }

  const hangUp = api.listen(as, happen, lost);
  return () => {
    left = true;
    hangUp();
  };
}
