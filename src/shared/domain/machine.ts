/**
 * State machines as tables: states, events, guards, effects. A table is data, so tests walk it and ARCHITECTURE.md draws it.
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

/** The changes of state as a mermaid diagram: one arrow per pair of states, with the events that lead there. */
export function toMermaid(table: MachineTable<string, string, string, string>): string {
  const events = new Map<string, Set<string>>();
  for (const rule of table.rules) {
    for (const from of rule.from === "*" ? table.states : rule.from) {
      if (rule.to === "same" || rule.to === from) continue;
      const arrow = `${from} --> ${rule.to}`;
      events.set(arrow, (events.get(arrow) ?? new Set()).add(rule.on));
    }
  }
  const arrows = [...events].map(([arrow, names]) => `  ${arrow}: ${[...names].join(", ")}`);
  return ["stateDiagram-v2", `  [*] --> ${table.initial}`, ...arrows].join("\n");
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
