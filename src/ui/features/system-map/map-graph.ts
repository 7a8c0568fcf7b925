/** What the map of the system shows: boxes in four columns and the lines between them (docs/session.md#system-map). Pure. */
import { formatDate } from "../../../shared/domain/format.ts";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import type { SystemMap } from "../../../shared/protocol/rest/system-map.ts";
import type { Tone } from "../../components/StateDot.tsx";
import { coresAddress } from "../fleet/fleet-view.ts";
import type { MAP_TEXTS } from "./texts.ts";

type Figures = Pick<PageCallData<"fleet.figures">, "people" | "cores" | "builds" | "companies">;
type MapAlert = Pick<Alert, "id" | "level" | "metric" | "companyId" | "subject">;
type Text = (
  word: keyof typeof MAP_TEXTS,
  values?: Readonly<Record<string, string | number>>,
) => string;

/** Companies and builds have the first one, all browsers together the second. */
export const COLUMNS = ["companies", "browsers", "processes", "behind"] as const;

export interface MapBox {
  readonly id: string;
  readonly column: (typeof COLUMNS)[number];
  readonly name: string;
  /** Whether a person chose the name, so that browsers must not translate it. */
  readonly verbatim: boolean;
  /** Of its state, or of the worst alert about it. */
  readonly tone: Tone;
  readonly state: string;
  readonly detail: string;
  /** The page that it leads to. */
  readonly to: string;
  readonly alerts: readonly MapAlert[];
}
export interface MapLine {
  readonly from: string;
  readonly to: string;
  readonly tone: Tone;
}
export interface MapGraph {
  readonly boxes: readonly MapBox[];
  readonly lines: readonly MapLine[];
}

/** Companies and builds with a box of their own. */
const [COMPANIES, BUILDS] = [6, 4];
const BROWSERS = "browsers";
const DATABASE = "database";
const BUS = "bus";
const process = (name: string): string => `process ${name}`;
const node = (name: string): string => `node ${name}`;
const company = (id: string): string => `company ${id}`;

const STATES: Readonly<Record<string, Tone>> = {
  up: "good",
  restarted: "warn",
  silent: "warn",
  down: "bad",
  gone: "bad",
  away: "bad",
  none: "off",
};
const toneOf = (state: string): Tone => STATES[state] ?? "off";
const ORDER: readonly Tone[] = ["off", "good", "warn", "bad"];
const worse = (a: Tone, b: Tone): Tone => (ORDER.indexOf(a) >= ORDER.indexOf(b) ? a : b);

/** The box that an alert is about. */
function boxOf({ subject, companyId, metric }: MapAlert, processes: readonly string[]): string {
  if (subject.kind === "process") return process(subject.name);
  if (subject.kind === "media-node") return node(subject.name);
  if (subject.kind === "database" || metric === "server.database") return DATABASE;
  if (companyId !== null) return company(companyId);
  const [only, ...others] = processes;
  // Figures of the server are those of all processes together.
  if (!/^(server|route)\./.test(metric)) return BROWSERS;
  return only !== undefined && others.length === 0 ? process(only) : "";
}

function coreBoxes(figures: Figures | null | "failed", text: Text): MapBox[] {
  const box = (id: string, over: Partial<MapBox>): MapBox => ({
    id,
    column: "companies",
    name: "",
    verbatim: true,
    tone: "good",
    alerts: [],
    state: text("online"),
    detail: "",
    to: coresAddress("all"),
    ...over,
  });
  const all = box(BROWSERS, { column: "browsers", name: text("browsers"), verbatim: false });
  if (figures === null) return [{ ...all, tone: "off", state: text("loading") }];
  if (figures === "failed") {
    return [{ ...all, tone: "off", state: text("unknown"), detail: text("figuresFailed") }];
  }
  const { people, cores } = figures;
  const count = (n: number): string => text("coreCount", { count: n });
  const rest = (list: readonly { readonly cores: number }[]): number =>
    list.reduce((sum, one) => sum + one.cores, 0);
  const otherCompanies = figures.companies.slice(COMPANIES);
  const otherBuilds = figures.builds.slice(BUILDS);
  return [
    ...figures.companies.slice(0, COMPANIES).map(({ id, name, cores: n }) =>
      box(company(id), {
        name: name || text("unknownCompany", { id }),
        detail: count(n),
        to: coresAddress("all", { company: id }),
      }),
    ),
    ...(otherCompanies.length === 0
      ? []
      : [
          box("other companies", {
            name: text("otherCompanies", { count: otherCompanies.length }),
            verbatim: false,
            detail: count(rest(otherCompanies)),
          }),
        ]),
    ...figures.builds.slice(0, BUILDS).map(({ name, cores: n }) =>
      box(`build ${name}`, {
        name: name === "" ? text("unknownBuild") : text("build", { name }),
        detail: count(n),
        to: coresAddress("all", name === "" ? {} : { build: name }),
      }),
    ),
    ...(otherBuilds.length === 0
      ? []
      : [
          box("other builds", {
            name: text("otherBuilds", { count: otherBuilds.length }),
            verbatim: false,
            detail: count(rest(otherBuilds)),
          }),
        ]),
    cores === 0
      ? { ...all, tone: "off", state: text("nobody"), detail: text("firstReport") }
      : { ...all, detail: text("people", { people, cores }) },
  ];
}

function serverBoxes(map: SystemMap, text: Text): MapBox[] {
  const { database, bus } = map;
  const page = (name: string): string => `/monitor/servers${name === "" ? "" : `?page=${name}`}`;
  const clock = (time: string): string => formatDate(Date.parse(time), "{m}-{d} {h}:{i}:{s}");
  return [
    ...map.processes.map(({ name, state, load, startTime, signTime }): MapBox => ({
      id: process(name),
      column: "processes",
      name,
      verbatim: true,
      tone: toneOf(state),
      state: text(state),
      detail:
        state !== "up"
          ? text("lastSign", { time: clock(signTime) })
          : load === null
            ? text("since", { time: clock(startTime) })
            : text("load", { cpu: load.cpu, memory: load.memory, connections: load.connections }),
      to: page(""),
      alerts: [],
    })),
    ...map.nodes.map(({ name, state, streams }): MapBox => ({
      id: node(name),
      column: "behind",
      name,
      verbatim: true,
      tone: toneOf(state),
      state: text(state),
      detail: streams === null || state === "gone" ? "" : text("streams", { count: streams }),
      to: page("media"),
      alerts: [],
    })),
    {
      id: DATABASE,
      column: "behind",
      name: text("database"),
      verbatim: false,
      tone: toneOf(database.state),
      state: text(database.state),
      detail: databaseWords(database, text),
      to: page("database"),
      alerts: [],
    },
    {
      id: BUS,
      column: "behind",
      name: text("redis"),
      verbatim: false,
      tone: toneOf(bus.state),
      state: text(bus.state === "none" ? "unused" : bus.state),
      detail: text(bus.state === "none" ? "oneProcess" : "between"),
      to: page(""),
      alerts: [],
    },
  ];
}

function databaseWords({ name, ms, state }: SystemMap["database"], text: Text): string {
  const place = name === "embedded" || name === "" ? text("embedded") : name;
  if (ms === null || state === "away") return place;
  return text("query", { name: place, ms: ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms) });
}

function linesOf(map: SystemMap, boxes: readonly MapBox[]): MapLine[] {
  return [
    ...boxes
      .filter(({ column }) => column === "companies")
      .map(({ id }): MapLine => ({ from: id, to: BROWSERS, tone: "good" })),
    ...map.processes.flatMap(({ name, state, database, bus }): MapLine[] => {
      const here = process(name);
      const tone = toneOf(state);
      const reaches = (is: boolean | null): Tone => (is === null ? tone : is ? "good" : "bad");
      return [
        { from: BROWSERS, to: here, tone },
        { from: here, to: DATABASE, tone: reaches(database) },
        ...(bus === null ? [] : [{ from: here, to: BUS, tone: reaches(bus) }]),
      ];
    }),
    ...map.nodes.flatMap(({ name, state, processes }) =>
      processes.map((user): MapLine => ({
        from: process(user),
        to: node(name),
        tone: toneOf(state),
      })),
    ),
  ];
}

/** @param figures null: they are loaded */
export function mapGraph(
  map: SystemMap,
  figures: Figures | null | "failed",
  alerts: readonly MapAlert[],
  text: Text,
): MapGraph {
  const bare = [...coreBoxes(figures, text), ...serverBoxes(map, text)];
  const names = map.processes.map(({ name }) => name);
  const known = new Set(bare.map(({ id }) => id));
  const about = new Map<string, MapAlert[]>();
  for (const alert of alerts) {
    const wanted = boxOf(alert, names);
    // A company without a box of its own is among all browsers.
    const id = known.has(wanted) || !wanted.startsWith("company ") ? wanted : BROWSERS;
    about.set(id, [...(about.get(id) ?? []), alert]);
  }
  const boxes = bare.map((box): MapBox => {
    const own = about.get(box.id) ?? [];
    const tones = own.map(({ level }): Tone => (level === "critical" ? "bad" : "warn"));
    return { ...box, alerts: own, tone: tones.reduce(worse, box.tone) };
  });
  return { boxes, lines: linesOf(map, boxes) };
}

/** The names of what a box is connected with. */
export const neighbours = ({ boxes, lines }: MapGraph, id: string): string[] =>
  boxes
    .filter((box) =>
      lines.some(
        ({ from, to }) => (from === id && to === box.id) || (to === id && from === box.id),
      ),
    )
    .map(({ name }) => name);
