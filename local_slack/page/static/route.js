/* Owns the address: who looks, at which channel and thread. It is the hash, so two windows can be two people. */

export const FIRST_PERSON = "U0ANA";

/** The place `{as, channel, thread, tab}` that the address names; a tab is a part of the app's conversation. */
export function place() {
  const hash = new URLSearchParams(location.hash.slice(1));
  const [channel, thread, tab] = ["channel", "thread", "tab"].map((name) => hash.get(name));
  return { as: hash.get("as") ?? FIRST_PERSON, channel, thread, tab };
}

/** Change parts of the place; a new person or channel leaves the thread behind unless one is given. */
export function go(changes) {
  location.hash = address({ ...place(), thread: null, tab: null, ...changes });
}

/** As `go`, for places that nobody chose: the way back leaves them out. */
export function redirect(changes) {
  location.replace(address({ ...place(), thread: null, tab: null, ...changes }));
}

export function address(target) {
  const entries = Object.entries(target).filter(([, value]) => value);
  return `#${new URLSearchParams(entries)}`;
}
