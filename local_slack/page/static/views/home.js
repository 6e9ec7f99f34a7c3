/* Owns the app's home: the view that it published for this person, or a word that there is none. */

import { h } from "../dom.js";
import { renderBlocks } from "../render/blocks.js";

export function createHome(surfaces) {
  const content = h("div", { class: "content" });
  const node = h("section", { class: "scroller home", "aria-label": "Home of the app", tabindex: "0", hidden: true }, content);
  let shown = null;

  return {
    node,
    render(state, isShown) {
      node.hidden = !isShown;
      if (!isShown || (shown === state.home && content.hasChildNodes())) return;
      shown = state.home;
      const empty = h("p", { class: "gone" }, `${state.bot.name} has not put anything here yet.`);
      content.replaceChildren(...(shown ? renderBlocks(shown.blocks, surfaces.ofView(shown)) : [empty]));
    },
  };
}
