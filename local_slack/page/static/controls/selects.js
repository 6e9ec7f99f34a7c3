/* Owns the menus of Block Kit: what each kind chooses from, and the field in which its choice is sent. */

import { tellWhy } from "../dialogs.js";
import { label as nameOfUser } from "../names.js";
import { createPicker } from "./picker.js";

const fits = (typed) => ({ label }) => label.toLowerCase().includes(typed.trim().toLowerCase());

const ofOption = (group) => (option) => ({
  key: option.value, label: option.text.text, note: option.description?.text, group, raw: option,
});
const ofAll = ({ options, option_groups }) =>
  option_groups ? option_groups.flatMap((group) => group.options.map(ofOption(group.label.text))) : options.map(ofOption());

const people = ({ users }) => [...users.values()].map((user) => ({ key: user.id, label: nameOfUser(user), raw: user.id }));
const places = (wanted) => ({ channels }) =>
  channels.filter(wanted).map(({ id, name, is_im }) => ({ key: id, label: is_im ? name : `#${name}`, raw: id }));

/* kind: the names of the fields for one and for many, and where the choices come from. */
const KINDS = {
  static: { one: "option", source: (element) => local(ofAll(element)) },
  external: { one: "option", source: external },
  users: { one: "user", source: (_, { surface }) => local(people(surface.state)) },
  channels: { one: "channel", source: (_, { surface }) => local(places(({ is_im }) => !is_im)(surface.state)) },
  conversations: { one: "conversation", source: (_, { surface }) => local(places(() => true)(surface.state)) },
};

const local = (choices) => (typed) => choices.filter(fits(typed));

function external({ min_query_length = 3, ...element }, { surface, block }) {
  return async (typed) => {
    if (typed.length < min_query_length) return [];
    try {
      return ofAll(await surface.options(block, element, typed));
    } catch (error) {
      tellWhy(error, surface.state.bot.name);
      return [];
    }
  };
}

export function select(element, use) {
  const many = element.type.startsWith("multi_");
  const { one, source } = KINDS[element.type.replace(/^multi_/, "").replace(/_select$/, "")];
  const field = many ? `selected_${one}s` : `selected_${one}`;
  const initial = element[many ? `initial_${one}s` : `initial_${one}`] ?? (many ? [] : null);
  const before = use.surface.value(use.block, element)?.[field] ?? initial;
  const valueOf = (chosen) => ({ [field]: many ? chosen.map(({ raw }) => raw) : chosen[0]?.raw ?? null });
  use.surface.put(use.block, element, { [field]: before });
  return createPicker({
    label: use.label,
    placeholder: element.placeholder?.text ?? "Choose…",
    many,
    most: element.max_selected_items,
    autofocus: element.focus_on_load,
    chosen: [before ?? []].flat().map((raw) => choiceOf(raw, use.surface.state)),
    find: source(element, use),
    onchange: (chosen) => use.commit(valueOf(chosen)),
  });
}

/** What was chosen earlier: an option, or the id of a person or a place. */
function choiceOf(raw, state) {
  if (typeof raw === "object") return ofOption()(raw);
  const [known] = [...people(state), ...places(() => true)(state)].filter(({ key }) => key === raw);
  return known ?? { key: raw, label: raw, raw };
}
