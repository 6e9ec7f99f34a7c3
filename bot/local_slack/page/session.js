/*
 * Owns being one person in the workspace: hear first, then load, then apply what was heard meanwhile, so that nothing
 * falls between the two. After a lost connection all of it happens again.
 */

import * as api from "./api.js";

/** Enter as `as`; `entered()` is called after each loading, `heard(event)` for each event. Returns the way to leave. */
export function enter(as, store, { entered, heard, refused }) {
  let early = [];
  let left = false;

  function happen(event) {
    if (event.type === "hello") load();
    else if (early) early.push(event);
    else apply(event);
  }

  function apply(event) {
    store.happen(event);
    heard(event);
  }

  async function load() {
    early = [];
    try {
      const answer = await api.workspace(as);
      const lists = await Promise.all(answer.channels.map(({ id }) => api.messages(as, id)));
      if (!left) take(answer, lists);
    } catch {
      lost();
    }
  }

  function take(answer, lists) {
    store.setWorkspace(answer);
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
