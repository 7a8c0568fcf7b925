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

/** The table as a mermaid state diagram. */
export function toMermaid(table: MachineTable<string, string, string, string>): string {
  const lines = ["stateDiagram-v2", `  [*] --> ${table.initial}`];
  for (const rule of table.rules) {
    const froms = rule.from === "*" ? table.states : rule.from;
    const guard = rule.when === undefined ? "" : ` [${rule.when.join(", ")}]`;
    const effects = rule.do.length === 0 ? "" : ` / ${rule.do.join(", ")}`;
    for (const from of froms) {
      const to = rule.to === "same" ? from : rule.to;
      lines.push(`  ${from} --> ${to}: ${rule.on}${guard}${effects}`);
    }
  }
  return lines.join("\n");
}
