/* Owns the wire: the requests of the page and the stream of what happens in the workspace. It keeps no state. */

const RETRY_MS = 1000;

/** The server said no; `code` is its word for why. */
export class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

async function ask(path, options) {
  const response = await fetch(path, options);
  const answer = await response.json();
  if (!answer.ok) throw new Refused(answer.error ?? `http_${response.status}`);
  return answer;
}

const query = (fields) => new URLSearchParams(Object.entries(fields).filter(([, value]) => value));

const send = (verb) => (body) =>
  ask(`/_page/${verb}`, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });

export const workspace = (as) => ask(`/_page/state?${query({ as })}`);

export const messages = async (as, channel, thread_ts) =>
  (await ask(`/_page/messages?${query({ as, channel, thread_ts })}`)).messages;

export const journal = async () => (await ask("/_page/journal")).entries;

/* What a person does; each takes one object with "as" in it. */
export const post = send("post");
export const edit = send("edit");
export const remove = send("delete");
export const react = send("react");
export const read = send("read");
export const stop = send("stop");
export const action = send("action");
export const options = send("options");
export const submit = send("submit");
export const close = send("close");
export const home = send("home");
export const context = send("context");
export const command = send("command");
export const shortcut = send("shortcut");

/** Bring a file here; a message or an input names it afterwards. */
export const upload = async (as, file) => {
  const headers = { "content-type": "application/octet-stream" };
  return (await ask(`/_page/upload?${query({ as, name: file.name })}`, { method: "POST", headers, body: file })).file;
};

/**
 * Listen to the workspace as one person, for ever: a lost connection is reported to `onLost` and opened again, and each
 * opening starts with an event of type "hello". Returns the function that ends it.
 */
export function listen(as, onEvent, onLost) {
  let source;
  let timer;
  const open = () => {
    source = new EventSource(`/_page/events?${query({ as, journal: 1 })}`);
    source.onmessage = ({ data }) => onEvent(JSON.parse(data));
    source.onerror = () => {
      source.close();
      onLost();
      timer = setTimeout(open, RETRY_MS);
    };
  };
  open();
  return () => {
    clearTimeout(timer);
    source.close();
  };
}
