/* Owns what opens above everything else: where it stands, menus that arrows walk through, and the closing of it. */

import { h } from "./dom.js";
import { icon } from "./icons.js";

const GAP_PX = 4;

/** Put `node`, which is a popover, below its anchor, or above where there is no room. */
export function stand(node, anchor) {
  const box = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = node;
  const below = box.bottom + GAP_PX + height <= innerHeight || box.top < height + GAP_PX;
  const left = Math.max(GAP_PX, Math.min(box.left, innerWidth - width - GAP_PX));
  const top = below ? Math.min(box.bottom + GAP_PX, innerHeight - height - GAP_PX) : box.top - height - GAP_PX;
  node.style.setProperty("left", `${left}px`);
  node.style.setProperty("top", `${Math.max(GAP_PX, top)}px`);
}

/** Open a popover at `anchor` that goes away by itself and gives the focus back. Returns the function that closes it. */
export function pop(anchor, node) {
  const back = document.activeElement;
  node.setAttribute("popover", "auto");
  node.classList.add("popup");
  (anchor.closest("dialog") ?? document.body).append(node);
  const close = () => node.hidePopover();
  node.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    close();
  });
  node.addEventListener("toggle", ({ newState }) => {
    if (newState !== "closed") return;
    if (node.contains(document.activeElement) || document.activeElement === document.body) back?.focus();
    anchor.setAttribute("aria-expanded", "false");
    removeEventListener("resize", close);
    node.remove();
  });
  node.showPopover();
  stand(node, anchor);
  anchor.setAttribute("aria-expanded", "true");
  addEventListener("resize", close);
  return close;
}

/** A menu of `{label, note?, drawing?, danger?, onchoose}`. */
export function openMenu(anchor, name, items) {
  const choose = (item) => () => {
    close();
    item.onchoose();
  };
  const entries = items.map((item) =>
    h("button", { type: "button", role: "menuitem", class: item.danger ? "danger" : false, onclick: choose(item) },
      item.drawing && icon(item.drawing),
      h("span", {}, item.label, item.note && h("small", {}, item.note))));
  const node = h("div", { class: "menu", role: "menu", "aria-label": name, onkeydown: walk(entries) }, entries);
  const close = pop(anchor, node);
  entries[0]?.focus();
}

const STEPS = { ArrowDown: 1, ArrowUp: -1 };

const walk = (entries) => (event) => {
  if (!(event.key in STEPS)) return;
  event.preventDefault();
  const at = entries.indexOf(document.activeElement) + STEPS[event.key];
  entries.at(at % entries.length).focus();
};
