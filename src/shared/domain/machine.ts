/**
 * State machines as tables: states, events, guards, effects. A table is data, so tests walk it and docs/state-machines.md draws it.
 * The first rule that fits is applied. Without a fitting rule the event is ignored.
 */
export interface Rule<S extends string, E extends string, G extends string, F extends string> {
  readonly from: readonly S[] | "*";
  readonly on: E;
  /** Names of guards that must all be true; a leading "!" negates. */
  readonly when?: readonly (G | `!${G}`)[];
  readonly to: S | "same";
  readonly do: readonly F[];
  /** The reason for the rule, for the reader. */
  readonly note?: string;
}

export interface MachineTable<
  S extends string,
  E extends string,
  G extends string,
  F extends string,
> {
  readonly name: string;
  readonly initial: S;
  readonly states: readonly S[];
  readonly rules: readonly Rule<S, E, G, F>[];
}

export interface Step<S extends string, F extends string> {
  readonly from: S;
  readonly to: S;
  /** Names of the effects to run, in order. */
  readonly effects: readonly F[];
  /** Index of the rule in the table, -1 when the event was ignored. */
  readonly rule: number;
}

export type Guards<G extends string, C, V> = Readonly<Record<G, (context: C, event: V) => boolean>>;

/** Applies one event. Pure: the caller keeps the state and runs the effects. */
export function step<
  S extends string,
  E extends string,
  G extends string,
  F extends string,
  C,
  V extends { readonly type: E },
>(
  table: MachineTable<S, E, G, F>,
  guards: Guards<G, C, V>,
  state: S,
  context: C,
  event: V,
): Step<S, F> {
  const index = table.rules.findIndex(
    (rule) =>
      rule.on === event.type &&
      (rule.from === "*" || rule.from.includes(state)) &&
      (rule.when ?? []).every((name) =>
        name.startsWith("!")
          ? !guards[name.slice(1) as G](context, event)
          : guards[name as G](context, event),
      ),
  );
  const rule = table.rules[index];
  if (rule === undefined) return { from: state, to: state, effects: [], rule: -1 };
  return {
    from: state,
    to: rule.to === "same" ? state : rule.to,
    effects: rule.do,
    rule: index,
  };
}

/** From this number of states on, arrows with the same events to the same state are drawn as one arrow from a box. */
const BOXED = 3;

/**
 * The changes of state as a mermaid diagram. An event that leads from several states to the same one is drawn once, from a box that
 * names these states, so that a reader follows an event instead of a web of arrows.
 */
export function toMermaid(table: MachineTable<string, string, string, string>): string {
  /** By `sources > target`: the events that lead there. */
  const groups = new Map<string, string[]>();
  const add = (sources: readonly string[], target: string, event: string): void => {
    const key = `${sources.join(",")} > ${target}`;
    const events = groups.get(key) ?? [];
    if (!events.includes(event)) groups.set(key, [...events, event]);
  };
  for (const { event, sources, target } of changesOf(table)) {
    if (sources.length >= BOXED) add(sources, target, event);
    else for (const source of sources) add([source], target, event);
  }
  const boxes = new Map<string, string>();
  const arrows = [...groups].map(([key, events]) => {
    const [names = "", target = ""] = key.split(" > ");
    const sources = names.split(",");
    let from = names;
    if (sources.length > 1) {
      from = boxes.get(names) ?? `box${boxes.size + 1}`;
      boxes.set(names, from);
    }
    return `  ${from} --> ${target}: ${events.join(", ")}`;
  });
  const drawn = [...boxes].map(
    ([names, id]) => `  state "${boxText(table.states, names.split(","))}" as ${id}`,
  );
  return ["stateDiagram-v2", ...drawn, `  [*] --> ${table.initial}`, ...arrows].join("\n");
}

/** The changes of state: each event with a state to which it leads, and the other states from which it does. */
export function changesOf(
  table: MachineTable<string, string, string, string>,
): { event: string; sources: string[]; target: string }[] {
  const found = new Map<string, { event: string; sources: string[]; target: string }>();
  for (const { from, on: event, to: target } of table.rules) {
    if (target === "same") continue;
    const sources = (from === "*" ? table.states : from).filter((state) => state !== target);
    const key = `${event} ${target}`;
    const change = found.get(key) ?? { event, sources: [], target };
    found.set(key, change);
    change.sources.push(...sources.filter((state) => !change.sources.includes(state)));
  }
  const order = (state: string): number => table.states.indexOf(state);
  return [...found.values()]
    .map((change) => ({ ...change, sources: change.sources.sort((a, b) => order(a) - order(b)) }))
    .filter(({ sources }) => sources.length > 0);
}

/** Nearly all states are named by the few that are missing. */
function boxText(states: readonly string[], sources: readonly string[]): string {
  const missing = states.filter((state) => !sources.includes(state));
  return missing.length * 2 <= sources.length
    ? `any state but ${missing.join(", ")}`
    : sources.join(", ");
}

/** The rules as text, grouped by event, in the order in which they are tried. */
export function toText(table: MachineTable<string, string, string, string>): string {
  const events = [...new Set(table.rules.map((rule) => rule.on))];
  return events
    .map((event) => {
      const rules = table.rules.filter((rule) => rule.on === event);
      return [event, ...rules.map((rule) => `  ${ruleText(rule)}`)].join("\n");
    })
    .join("\n");
}

function ruleText(rule: Rule<string, string, string, string>): string {
  const from = rule.from === "*" ? "any" : rule.from.join(", ");
  const guards = rule.when === undefined ? "" : ` [${rule.when.join(", ")}]`;
  const to = rule.to === "same" ? "" : ` → ${rule.to}`;
  const effects = rule.do.length === 0 ? "" : `: ${rule.do.join(", ")}`;
  return `${from}${guards}${to}${effects}`;
}
