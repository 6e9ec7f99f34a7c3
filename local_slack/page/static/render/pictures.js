/* Owns pictures in blocks. A picture is shown from this server only; any other stays a link that a person may follow. */

import { h } from "../dom.js";
import { link, localFile } from "./links.js";

export function picture({ image_url, slack_file, alt_text }) {
  const address = image_url ?? slack_file?.url ?? (slack_file?.id && `/files/${slack_file.id}/${slack_file.id}`);
  const path = localFile(address);
  if (path) return h("img", { src: path, alt: alt_text ?? "", loading: "lazy" });
  const target = link(address, alt_text || address) ?? alt_text ?? "no address";
  return h("p", { class: "note", role: "note" }, "An image from elsewhere, not loaded: ", target);
}
