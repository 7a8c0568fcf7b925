/** For tests of alerts: steps of processes as the fleet says them, and rules. */
import { type AlertRule, SHIPPED_RULES } from "../../../shared/domain/alert-rules.ts";
import type { FleetStep } from "../../base/cluster/fleet-step.ts";
import { NO_COMPANY } from "../fleet/server-figures.ts";
import type { Sign } from "./messages.ts";
import { STEP_MS } from "./windows.ts";

type Figures = FleetStep["rows"][number]["figures"];

/** The begin of a step, and of 10 min. */
export const BEGIN = 1_700_000_400_000;

export function stepOf(
  at: number,
  figures: Readonly<Record<string, Partial<Figures>>>,
  more: { readonly process?: string; readonly named?: FleetStep["named"] } = {},
): FleetStep {
  return {
    process: more.process ?? "p1",
    name: `${more.process ?? "p1"}:8080`,
    at,
    rows: Object.entries(figures).map(([companyId, given]) => ({
      companyId,
      figures: { c: {}, h: {}, l: {}, ...given },
    })),
    named: more.named ?? [],
  };
}

/** Levels as a step of one reading has them. */
export const levels = (
  values: Readonly<Record<string, number>>,
): Record<string, [number, number, number]> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, [value, value, 1]]));

/** A shipped rule, or a copy of it with what a test changes. */
export function ruleOf(id: (typeof SHIPPED_RULES)[number]["id"], over: Partial<AlertRule> = {}) {
  const rule = SHIPPED_RULES.find((one) => one.id === id);
  if (rule === undefined) throw new Error(`no rule ${id}`);
  return { ...rule, ...over } as AlertRule;
}

export const signOf = (id: string, over: Partial<Sign> = {}): Sign => ({
  id,
  name: `${id}:8080`,
  startedAt: BEGIN,
  nodes: [],
  database: { name: "db", silent: 0 },
  bus: "none",
  asks: false,
  ...over,
});

export { NO_COMPANY, STEP_MS };
