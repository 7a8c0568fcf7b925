import { describe, expect, it } from "vitest";
import type { SystemMap } from "../../../shared/protocol/rest/system-map.ts";
import { mapGraph, neighbours } from "./map-graph.ts";
import { mapLayout, NARROW } from "./map-layout.ts";

const text = (word: string, values: Readonly<Record<string, unknown>> = {}): string =>
  [word, ...Object.values(values)].join(" ");
const TIME = "2026-11-28T05:00:00.000Z";
const process = (name: string, over: Partial<SystemMap["processes"][number]> = {}) => ({
  name,
  state: "up" as const,
  startTime: TIME,
  signTime: TIME,
  load: { cpu: 12, memory: 310, connections: 24, requests: 5 },
  database: true,
  bus: true,
  ...over,
});
const MAP: SystemMap = {
  processes: [process("a:1"), process("b:2", { bus: false })],
  nodes: [
    { name: "embedded@a:1", state: "up", processes: ["a:1"], streams: 3 },
    { name: "janus", state: "down", processes: ["a:1", "b:2"], streams: null },
  ],
  database: { name: "pg/console", state: "up", ms: 1.26 },
  bus: { state: "away" },
};
const FIGURES = {
  people: 20,
  cores: 30,
  builds: [
    { name: "b1", cores: 28 },
    { name: "", cores: 2 },
  ],
  companies: Array.from({ length: 9 }, (_, i) => ({
    id: `${i + 1}`,
    name: `c${i + 1}`,
    cores: 9 - i,
  })),
};
const alert = (
  kind: "process" | "media-node" | "database" | "metric" | "error",
  name: string,
  over: object = {},
) => ({
  id: `${kind} ${name}`,
  level: "critical" as const,
  metric: kind,
  companyId: null,
  subject: { kind, name },
  ...over,
});
const graph = (
  alerts: ReturnType<typeof alert>[] = [],
  figures: typeof FIGURES | null | "failed" = FIGURES,
) => mapGraph(MAP, figures, alerts, text);
const box = (id: string, alerts: ReturnType<typeof alert>[] = []) =>
  graph(alerts).boxes.find((one) => one.id === id);

describe("The map of the system", () => {
  it("has a box for each part with its state, and each leads to its page", () => {
    expect(graph().boxes.map(({ id, tone, to }) => [id, tone, to])).toEqual([
      ...[1, 2, 3, 4, 5, 6].map((id) => [
        `company ${id}`,
        "good",
        `/monitor/cores?scope=all&company=${id}`,
      ]),
      ["other companies", "good", "/monitor/cores?scope=all"],
      ["build b1", "good", "/monitor/cores?scope=all&build=b1"],
      ["build ", "good", "/monitor/cores?scope=all"],
      ["browsers", "good", "/monitor/cores?scope=all"],
      ["process a:1", "good", "/monitor/servers"],
      ["process b:2", "good", "/monitor/servers"],
      ["node embedded@a:1", "good", "/monitor/servers?page=media"],
      ["node janus", "bad", "/monitor/servers?page=media"],
      ["database", "good", "/monitor/servers?page=database"],
      ["bus", "bad", "/monitor/servers"],
    ]);
    expect(box("other companies")?.detail).toBe("coreCount 6");
    expect(box("process a:1")?.detail).toBe("load 12 310 24");
    expect(box("database")?.detail).toBe("query pg/console 1.3");
  });

  it("draws what is connected, and a connection that is broken", () => {
    const { lines } = graph();
    const tone = (from: string, to: string) =>
      lines.find((line) => line.from === from && line.to === to)?.tone;
    expect(tone("browsers", "process a:1")).toBe("good");
    expect([tone("process a:1", "bus"), tone("process b:2", "bus")]).toEqual(["good", "bad"]);
    expect(tone("process b:2", "node janus")).toBe("bad");
    expect(tone("process b:2", "node embedded@a:1")).toBeUndefined();
    expect(neighbours(graph(), "process b:2")).toEqual(["browsers", "janus", "database", "redis"]);
  });

  it("puts each alert to the part that it is about, which is not well then", () => {
    const about = (id: string, one: ReturnType<typeof alert>) => {
      const found = box(id, [one]);
      return [found?.alerts.length, found?.tone];
    };
    expect(about("process a:1", alert("process", "a:1"))).toEqual([1, "bad"]);
    expect(about("node embedded@a:1", alert("media-node", "embedded@a:1"))).toEqual([1, "bad"]);
    expect(
      about(
        "database",
        alert("metric", "server.database", { metric: "server.database", level: "warning" }),
      ),
    ).toEqual([1, "warn"]);
    expect(about("company 2", alert("error", "x", { companyId: "2", level: "notice" }))).toEqual([
      1,
      "warn",
    ]);
    // A company that is among the others, and what is of no company.
    expect(about("browsers", alert("error", "x", { companyId: "9" }))).toEqual([1, "bad"]);
    expect(about("browsers", alert("metric", "cores", { metric: "cores" }))).toEqual([1, "bad"]);
    // The alert does not say which of the two processes is busy, so neither shows it.
    const busy = graph([alert("metric", "server.lag", { metric: "server.lag" })]);
    expect(busy.boxes.every(({ alerts }) => alerts.length === 0)).toBe(true);
  });

  it("says that nobody is online, that figures are loaded, or could not be read", () => {
    const browsers = (figures: typeof FIGURES | null | "failed") => {
      const found = graph([], figures).boxes.filter(
        ({ id }) => id === "browsers" || id.startsWith("company"),
      );
      return found.map(({ tone, state, detail }) => [tone, state, detail]);
    };
    expect(browsers(null)).toEqual([["off", "loading", ""]]);
    expect(browsers("failed")).toEqual([["off", "unknown", "figuresFailed"]]);
    expect(browsers({ people: 0, cores: 0, builds: [], companies: [] })).toEqual([
      ["off", "nobody", "firstReport"],
    ]);
  });
});

describe("The layout of the map", () => {
  it.each([NARROW, 1000, 1400, 3600])(
    "at %i px has no box over another one or outside",
    (width) => {
      const layout = mapLayout(graph(), width);
      const places = [...(layout?.places.values() ?? [])];
      expect(places).toHaveLength(graph().boxes.length);
      for (const [at, a] of places.entries()) {
        expect([a.x >= 0, a.x + a.width <= width + 1, a.y >= 0]).toEqual([true, true, true]);
        expect(a.y + a.height).toBeLessThanOrEqual(layout?.height ?? 0);
        for (const b of places.slice(at + 1)) {
          const apart =
            a.x + a.width <= b.x ||
            b.x + b.width <= a.x ||
            a.y + a.height <= b.y ||
            b.y + b.height <= a.y;
          expect(apart).toBe(true);
        }
      }
    },
  );

  it("leads each line from the right of one box to the left of the next", () => {
    const layout = mapLayout(graph(), 1200);
    const { lines } = graph();
    for (const [at, { from, to }] of lines.entries()) {
      const [a, b] = [layout?.places.get(from), layout?.places.get(to)];
      const numbers = (layout?.paths[at] ?? "").match(/-?\d+(\.\d+)?/g)?.map(Number) ?? [];
      expect(numbers.slice(0, 2)).toEqual([(a?.x ?? 0) + (a?.width ?? 0), (a?.y ?? 0) + 46]);
      expect(numbers.slice(-2)).toEqual([b?.x, (b?.y ?? 0) + 46]);
    }
  });

  it("is a list where there is no room", () => {
    expect(mapLayout(graph(), NARROW - 1)).toBeNull();
  });
});
