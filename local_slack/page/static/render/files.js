/* Owns files in a message: images are shown, everything can be taken along. */

import { h } from "../dom.js";
import { icon } from "../icons.js";
import { localFile } from "./links.js";

const SHOWN = ["image/png", "image/jpeg", "image/gif", "image/webp", "image/svg+xml"];

export function fileView(file) {
  const path = localFile(file.url_private_download ?? file.url_private);
  const name = file.title || file.name;
  if (!path) return h("p", { class: "note", role: "note" }, `The file “${name}” is not kept here.`);
  return h("div", { class: "file" },
    SHOWN.includes(file.mimetype) && h("img", { src: path, alt: file.alt_txt || name, loading: "lazy" }),
    h("a", { class: "file-card", href: path, download: file.name, "aria-label": `Download ${file.name}` },
      icon("file"),
      h("span", { class: "file-words" },
        h("span", { class: "file-name" }, name),
        h("span", { class: "file-facts" }, [kind(file), size(file.size)].filter(Boolean).join(" · "))),
      icon("download")));
}

function kind({ name, mimetype }) {
  const ending = /\.(\w{1,5})$/.exec(name ?? "");
  return ending ? ending[1].toUpperCase() : mimetype;
}

function size(bytes) {
  if (bytes === undefined) return null;
  if (bytes < 1000) return `${bytes} bytes`;
  const [unit, divisor] = bytes < 1_000_000 ? ["kB", 1000] : ["MB", 1_000_000];
  return `${(bytes / divisor).toFixed(1)} ${unit}`;
}
