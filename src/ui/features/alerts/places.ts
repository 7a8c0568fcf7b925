/** The pages behind an alert, and their addresses (docs/session.md#alerts-pages). Pure. */
import { REPORTED_SOCKETS } from "../../../shared/domain/fleet-names.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import type { TimeRange } from "../../components/charts/time-range.ts";
import { type CoreFilter, coresAddress, type Scope, viewAddress } from "../fleet/fleet-view.ts";
import type { Place } from "./guide-lines.ts";
import { guideOf } from "./guides.ts";

/** The parts of the alert that a link needs. */
export interface Around {
  readonly range: TimeRange | null;
  readonly scope: Scope;
  readonly filters: Readonly<Partial<Record<CoreFilter, string>>>;
}

const PATHS: Readonly<Record<Place, string>> = {
  fleet: "/monitor/fleet",
  cores: "/monitor/cores",
  processes: "/monitor/servers",
  http: "/monitor/servers",
  logins: "/monitor/servers",
  chat: "/monitor/servers",
  media: "/monitor/servers",
  database: "/monitor/servers",
  calls: "/monitor/calls",
  tasks: "/monitor/job",
  errors: "/monitor/errors",
  signIns: "/monitor/logininfor",
  online: "/monitor/online",
};
export const pathOf = (place: Place): string => PATHS[place];

export function placeAddress(place: Place, { range, scope, filters }: Around): string {
  if (place === "cores") return coresAddress(scope, filters);
  const path = PATHS[place];
  if (place === "fleet") return path + viewAddress({ time: "hour", zoom: range, scope });
  if (path !== "/monitor/servers") return path;
  const params = new URLSearchParams(viewAddress({ time: "hour", zoom: range, scope: "company" }));
  if (place !== "processes") params.set("page", place);
  return `${path}?${params.toString()}`;
}

const HAVING: Readonly<Record<string, string>> = {
  "core-restarts": "restarted",
  "sockets-lost": "lost",
  "errors-jump": "errors",
  "commands-slow": "slow",
  "outbox-waits": "outbox",
};

/** Which of the browsers that are online the alert is about. */
export function coreFilters({ rule, subject }: Pick<Alert, "rule" | "subject">): Around["filters"] {
  if (subject.kind === "error" && subject.name !== "") return { error: subject.name };
  const isSocket = (REPORTED_SOCKETS as readonly string[]).includes(subject.name);
  if (subject.kind === "socket" && isSocket) return { socket: subject.name };
  const having = HAVING[rule];
  return having === undefined ? {} : { having };
}

const PREFIXES: readonly (readonly [begin: string, places: readonly Place[]])[] = [
  ["server.database", ["database", "processes"]],
  ["server.login", ["logins", "signIns"]],
  ["server.chat", ["chat", "processes"]],
  ["server.media", ["media", "calls"]],
  ["server.streams", ["media", "calls"]],
  ["server.conference", ["media", "calls"]],
  ["server.", ["processes", "http"]],
  ["route.", ["http", "processes"]],
  ["errors", ["fleet", "cores", "errors"]],
  ["process", ["processes", "http"]],
  ["media-node", ["media", "calls"]],
  ["database", ["database", "processes"]],
];

/** The pages where the cause of an alert may be seen, the nearest first. */
export function placesOf({ rule, metric }: Pick<Alert, "rule" | "metric">): readonly Place[] {
  const guide = guideOf(rule);
  const named = [...(guide?.look ?? []), ...(guide?.act ?? [])].flatMap(({ place }) => place ?? []);
  const usual = PREFIXES.find(([begin]) => metric.startsWith(begin))?.[1] ?? ["fleet", "cores"];
  return [...new Set([...named, ...usual])];
}
