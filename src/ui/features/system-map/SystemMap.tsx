/** 运行拓扑 (docs/session.md#system-map): what runs now and how it is connected, with its states, for operators of the platform. */
import { useLayoutEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router-dom";
import type { Alert } from "../../../shared/protocol/rest/alerts.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ReadShape } from "../../components/ReadShape.tsx";
import { StateDot } from "../../components/StateDot.tsx";
import { currentLanguage } from "../../i18n/index.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { useRead } from "../../state/useRead.ts";
import { useAlertWords } from "../alerts/words.ts";
import { FleetHead } from "../fleet/FleetHead.tsx";
import { useSteadyRead } from "../fleet/useSteadyRead.ts";
import { COLUMNS, type MapBox, type MapGraph, mapGraph, neighbours } from "./map-graph.ts";
import { mapLayout } from "./map-layout.ts";
import { MAP_TEXTS } from "./texts.ts";
import "../fleet/fleet.css";
import "./system-map.css";

/** ms between two reads: processes give a sign every 5 s, figures are those of 10 s. */
const [EVERY, FIGURES_EVERY] = [5_000, 10_000];
/** Alerts above the map. */
const ALERTS = 5;
const NO_ALERTS: readonly Alert[] = [];
const SHAPE: MapGraph = {
  boxes: COLUMNS.map((column) => ({
    id: column,
    column,
    name: column,
    verbatim: false,
    tone: "off" as const,
    state: "1",
    detail: "1",
    to: "/monitor/map",
    alerts: [],
  })),
  lines: [],
};
const alertAddress = (id: string): string => `/monitor/alerts?alert=${encodeURIComponent(id)}`;

export function SystemMap() {
  const text = useTexts(MAP_TEXTS);
  const may = useMay();
  const language = currentLanguage();
  const { answer, again } = useSteadyRead({ call: "system.map" }, EVERY);
  const figures = useSteadyRead(
    { call: "fleet.figures", query: { scope: "all" } },
    FIGURES_EVERY,
  ).answer;
  const { answer: open } = useRead(may("alerts.open") ? { call: "alerts.open" } : null);
  const map = answer.state === "ready" ? answer.data : null;
  const alerts = open.state === "ready" ? open.data.alerts : NO_ALERTS;
  const cores =
    figures.state === "ready" ? figures.data : figures.state === "failed" ? "failed" : null;
  const graph = useMemo(
    () =>
      map === null ? null : mapGraph(map, cores, alerts, text as Parameters<typeof mapGraph>[3]),
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the words depend on the language alone
    [map, cores, alerts, language],
  );
  return (
    <div className="fleet">
      <FleetHead title={text("title")} subtitle={text("subtitle")} />
      {graph === null ? (
        <ReadShape shape={<Drawing graph={SHAPE} />}>
          <ReadNote
            className="panel fleet-note"
            answer={answer}
            failed={text("failed")}
            onRetry={again}
          />
        </ReadShape>
      ) : (
        <>
          <Summary graph={graph} alerts={alerts} />
          <Drawing graph={graph} />
        </>
      )}
    </div>
  );
}

type OpenAlerts = readonly Alert[];

/** How many parts are not well, and the alerts that say why. */
function Summary({ graph, alerts }: { readonly graph: MapGraph; readonly alerts: OpenAlerts }) {
  const text = useTexts(MAP_TEXTS);
  const words = useAlertWords();
  const wrong = graph.boxes.filter(({ tone }) => tone === "bad" || tone === "warn");
  const worst = wrong.some(({ tone }) => tone === "bad") ? "bad" : "warn";
  const isWell = wrong.length === 0 && alerts.length === 0;
  return (
    <section className="panel fleet-panel map-summary">
      <p role="status">
        <StateDot tone={isWell ? "good" : worst}>
          {isWell ? text("well") : text("wrong", { count: Math.max(1, wrong.length) })}
        </StateDot>
      </p>
      {alerts.length > 0 && (
        <ul aria-label={text("openAlerts")}>
          {alerts.slice(0, ALERTS).map((alert) => (
            <li key={alert.id}>
              <Link to={alertAddress(alert.id)}>
                <StateDot tone={alert.level === "critical" ? "bad" : "warn"}>
                  {words.title(alert)} · {words.subject(alert.subject)}
                </StateDot>
              </Link>
            </li>
          ))}
          {alerts.length > ALERTS && (
            <li>
              <Link to="/monitor/alerts">
                {text("moreAlerts", { count: alerts.length - ALERTS })}
              </Link>
            </li>
          )}
        </ul>
      )}
    </section>
  );
}

function Drawing({ graph }: { readonly graph: MapGraph }) {
  const text = useTexts(MAP_TEXTS);
  const area = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  /** The box at the pointer or with the focus: its lines stand out. */
  const [lit, setLit] = useState<string | null>(null);
  useLayoutEffect(() => {
    const element = area.current;
    if (element === null) return undefined;
    const read = (): void => setWidth(element.clientWidth);
    read();
    const watch = new ResizeObserver(read);
    watch.observe(element);
    return () => watch.disconnect();
  }, []);
  const layout = useMemo(() => mapLayout(graph, width), [graph, width]);
  return (
    <section className="panel fleet-panel map" aria-label={text("map")}>
      <div
        ref={area}
        className="map-area"
        data-layout={layout === null ? "list" : "drawing"}
        style={layout === null ? undefined : { height: layout.height }}
      >
        {layout !== null && (
          <svg className="map-lines" width="100%" height={layout.height} aria-hidden="true">
            {graph.lines.map(({ from, to, tone }, at) => (
              <path
                key={`${from} ${to}`}
                d={layout.paths[at] ?? ""}
                data-tone={tone}
                data-line={`${from} → ${to}`}
                data-lit={lit === from || lit === to ? "" : undefined}
              />
            ))}
          </svg>
        )}
        {COLUMNS.map((column) => {
          const boxes = graph.boxes.filter((box) => box.column === column);
          if (boxes.length === 0) return null;
          return (
            <div key={column} className="map-column" role="group" aria-label={text(column)}>
              <h2 aria-hidden="true">{text(column)}</h2>
              <ul>
                {boxes.map((box) => (
                  <Box
                    key={box.id}
                    box={box}
                    near={neighbours(graph, box.id)}
                    place={layout?.places.get(box.id) ?? null}
                    onLit={(is) => setLit(is ? box.id : null)}
                  />
                ))}
              </ul>
            </div>
          );
        })}
      </div>
    </section>
  );
}

function Box(props: {
  readonly box: MapBox;
  /** Names of what it is connected with. */
  readonly near: readonly string[];
  readonly place: {
    readonly x: number;
    readonly y: number;
    readonly width: number;
    readonly height: number;
  } | null;
  readonly onLit: (is: boolean) => void;
}) {
  const text = useTexts(MAP_TEXTS);
  const { box, near, place, onLit } = props;
  const { id, name, verbatim, tone, state, detail, to, alerts } = box;
  const [first] = alerts;
  return (
    <li
      className="map-box"
      data-box={id}
      data-tone={tone}
      style={
        place === null
          ? undefined
          : { left: place.x, top: place.y, width: place.width, height: place.height }
      }
      onPointerEnter={() => onLit(true)}
      onPointerLeave={() => onLit(false)}
      onFocus={() => onLit(true)}
      onBlur={() => onLit(false)}
    >
      <Link to={to} title={name}>
        <strong className="ellipsis" {...(verbatim ? { translate: "no" as const } : {})}>
          {name}
        </strong>
        <StateDot tone={tone}>{state}</StateDot>
        <small className="ellipsis tnum">{detail}</small>
        {near.length > 0 && (
          <small className={place === null ? "map-near" : "visually-hidden"}>
            {text("connected", { names: near.join("、") })}
          </small>
        )}
      </Link>
      {first !== undefined && (
        <Link
          className="map-alert"
          data-level={alerts.some(({ level }) => level === "critical") ? "critical" : first.level}
          to={alerts.length === 1 ? alertAddress(first.id) : "/monitor/alerts"}
          aria-label={text("alertsOf", { name, count: alerts.length })}
        >
          {alerts.length}
        </Link>
      )}
    </li>
  );
}
