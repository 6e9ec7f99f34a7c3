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

export const workspace = (as) => ask(`/_page/state?${query({ as })}`);

export const messages = async (as, channel, thread_ts) =>
  (await ask(`/_page/messages?${query({ as, channel, thread_ts })}`)).messages;

export const post = (as, channel, text, thread_ts) =>
  ask("/_page/post", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ as, channel, text, ...(thread_ts && { thread_ts }) }),
  });

/**
 * Listen to the workspace as one person, for ever: a lost connection is reported to `onLost` and opened again, and each
 * opening starts with an event of type "hello". Returns the function that ends it.
 */
export function listen(as, onEvent, onLost) {
  let source;
  let timer;
  const open = () => {
    source = new EventSource(`/_page/events?${query({ as })}`);
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
