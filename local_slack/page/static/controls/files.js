/* Owns bringing files: a place to drop them on, a button for those who do not drop, and what has come so far. */

import { tellWhy } from "../dialogs.js";
import { h } from "../dom.js";
import { icon } from "../icons.js";

/** The files of one form or message: `add(fileList)`, `list()`, `clear()`; `upload(file)` brings one to the server. */
export function createTray(upload, onchange) {
  const node = h("ul", { class: "tray", "aria-label": "Files to send", hidden: true });
  let held = [];

  async function add(files) {
    await Promise.all([...files].map(async (file) => {
      const entry = { name: file.name, brought: null };
      held.push(entry);
      show();
      try {
        entry.brought = await upload(file);
      } catch (error) {
        held = held.filter((one) => one !== entry);
        tellWhy(error, file.name);
      }
      show();
    }));
  }

  function show() {
    node.hidden = !held.length;
    node.replaceChildren(...held.map(chip));
    onchange();
  }

  function chip(entry) {
    const drop = () => {
      held = held.filter((one) => one !== entry);
      show();
    };
    return h("li", { class: "chip", "aria-busy": entry.brought === null }, icon("file"), h("span", {}, entry.name),
      h("button", { type: "button", "aria-label": `Remove ${entry.name}`, onclick: drop }, icon("close")));
  }

  return {
    node,
    add,
    list: () => held.map(({ brought }) => brought).filter(Boolean),
    waits: () => held.some(({ brought }) => brought === null),
    clear() {
      held = [];
      show();
    },
  };
}

/** Let files fall onto `place`, and be pasted into it. */
export function takeDrops(place, add) {
  const carries = ({ dataTransfer }) => dataTransfer?.types.includes("Files");
  const over = (is) => (event) => {
    if (!carries(event)) return;
    event.preventDefault();
    place.classList.toggle("dropping", is);
  };
  place.addEventListener("dragover", over(true));
  place.addEventListener("dragleave", over(false));
  place.addEventListener("drop", (event) => {
    over(false)(event);
    if (carries(event)) add(event.dataTransfer.files);
  });
  place.addEventListener("paste", ({ clipboardData }) => clipboardData.files.length && add(clipboardData.files));
}

/** A hidden field and the button that opens it. */
export function chooser(name, add, { accept, multiple = true, content = [] } = {}) {
  const field = h("input", { type: "file", multiple, accept, hidden: true, "aria-label": name, onchange: () => {
    add(field.files);
    field.value = "";
  } });
  const attributes = { type: "button", "aria-label": name, title: name, onclick: () => field.click() };
  return [field, h("button", { ...attributes, class: content.length ? "control" : "tool" }, content.length ? content : icon("plus"))];
}

/** The control of a `file_input`. */
export function files(element, { surface, block, commit, label }) {
  const { filetypes, max_files = 10 } = element;
  const tray = createTray(surface.upload, () => commit({ files: tray.list() }));
  const add = (list) => tray.add([...list].slice(0, max_files - tray.list().length));
  const accept = filetypes?.map((ending) => `.${ending}`).join(",");
  const place = h("div", { class: "drop", "aria-label": label },
    chooser("Choose files", add, { accept, multiple: max_files > 1, content: [icon("plus"), "Choose files"] }),
    h("small", {}, "or drop them here"), tray.node);
  takeDrops(place, add);
  surface.put(block, element, { files: [] });
  return place;
}
