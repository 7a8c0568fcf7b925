/** A core live: why it is slow in words, and its last reports, read again while it is shown (docs/session.md#fleet). */
import { useTranslation } from "react-i18next";
import { abbreviate, formatDate } from "../../../shared/domain/format.ts";
import { type CoreCause, coreCauses } from "../../../shared/domain/core-causes.ts";
import {
  addSparse,
  countIn,
  emptyHistogram,
  quantile,
  type SparseHistogram,
} from "../../../shared/domain/latency-histogram.ts";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { StateDot, type Tone } from "../../components/StateDot.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useServerNow, useSlice } from "../../state/services.ts";
import { causeWords } from "./cause-texts.ts";
import { CORE_TEXTS } from "./texts.ts";
import { useFleetWords } from "./words.ts";
import { useSteadyRead } from "./useSteadyRead.ts";
import "../../components/table.css";
import "./fleet.css";

const EVERY = 5_000;
const ROWS = 40;

type Core = PageCallData<"fleet.core">;
type Report = Core["recent"][number]["report"];

export function CoreDetails({ id }: { readonly id: string }) {
  const text = useTexts(CORE_TEXTS);
  const { answer, again } = useSteadyRead({ call: "fleet.core", params: { id } }, EVERY);
  return (
    <section className="core" aria-label={text("live")} data-core={id}>
      {answer.state === "ready" ? (
        <Live core={answer.data} />
      ) : (
        <ReadNote className="fleet-note" answer={answer} failed={text("failed")} onRetry={again} />
      )}
    </section>
  );
}

function Live({ core }: { readonly core: Core }) {
  const text = useTexts(CORE_TEXTS);
  const { report } = core;
  if (report === null) return <p className="fleet-note">{text("noReport")}</p>;
  return (
    <>
      <Why core={core} />
      <Holds report={report} />
      <Sockets report={report} />
      <Commands recent={core.recent} />
      <Errors recent={core.recent} />
    </>
  );
}

function Why({ core }: { readonly core: Core }) {
  const text = useTexts(CORE_TEXTS);
  const words = useFleetWords();
  const { build: ownBuild } = useSlice("worker");
  const now = useServerNow(EVERY);
  const causes = coreCauses({
    reports: core.recent.map(({ time, report }) => ({ at: Date.parse(time), report })),
    build: core.build,
    ownBuild,
    now,
  });
  /** Names that are codes are shown in words. */
  const sentence = ({ key, values }: CoreCause): string => {
    const { name = "", why = "" } = values as { readonly name?: string; readonly why?: string };
    const named =
      key === "errors"
        ? words.error(name)
        : key === "unsteady" || key === "disconnected"
          ? words.socket(name)
          : name;
    return causeWords(key, { ...values, name: named, why: words.loss(why) });
  };
  return (
    // Focusable, so that the drawer can be scrolled by keyboard: nothing else in it may be.
    <section className="core-why" aria-label={text("whySlow")} tabIndex={0}>
      <h3>{text("whySlow")}</h3>
      {causes.length === 0 ? (
        <p data-cause="none">
          <StateDot tone="good">{text("fine")}</StateDot>
        </p>
      ) : (
        <ul>
          {causes.map((cause) => (
            <li key={cause.key} data-cause={cause.key} data-level={cause.level}>
              {sentence(cause)}
            </li>
          ))}
        </ul>
      )}
      <small>{text("since", { count: core.recent.length })}</small>
    </section>
  );
}

const QUEUES = ["outbox", "unacked", "uploads", "downloads", "imports", "quality"] as const;

function Holds({ report }: { readonly report: Report }) {
  const text = useTexts(CORE_TEXTS);
  const { tabs, ports, pages, queues } = report;
  const rows: readonly (readonly [string, string])[] = [
    [text("tabs"), text("tabsOf", tabs)],
    [text("ports"), String(ports)],
    [
      text("memory"),
      pages.measured === 0
        ? text("notMeasured")
        : text("memoryOf", { mib: pages.memory, largest: pages.largest }),
    ],
    ...QUEUES.map((name) => [text(name), String(queues[name])] as const),
  ];
  return (
    <section aria-label={text("holds")}>
      <h3>{text("holds")}</h3>
      <dl className="core-facts">
        {rows.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="tnum">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const TONES: Readonly<Record<string, Tone>> = {
  open: "good",
  connecting: "warn",
  waiting: "warn",
  closed: "off",
};

function Sockets({ report }: { readonly report: Report }) {
  const { t } = useTranslation();
  const text = useTexts(CORE_TEXTS);
  const words = useFleetWords();
  const sockets = Object.entries(report.sockets);
  return (
    <section aria-label={text("sockets")}>
      <h3>{text("sockets")}</h3>
      {sockets.length === 0 ? (
        <p className="fleet-note">{text("noSockets")}</p>
      ) : (
        <ScrollBox className="table-scroll">
          <table className="table">
            <thead>
              <tr>
                <th>{text("socket")}</th>
                <th>{text("state")}</th>
                <th className="num">{text("attempts")}</th>
                <th className="num">{text("messages")}</th>
                <th>{text("lostWhy")}</th>
              </tr>
            </thead>
            <tbody>
              {sockets.map(([name, { state, attempts, received, sent, lost }]) => (
                <tr key={name} data-socket={name}>
                  <th scope="row">{words.socket(name)}</th>
                  <td>
                    <StateDot tone={TONES[state] ?? "off"}>{t(`connection.${state}`)}</StateDot>
                  </td>
                  <td className="num">{attempts}</td>
                  <td className="num">
                    {abbreviate(received)} / {abbreviate(sent)}
                  </td>
                  <td>
                    {Object.entries(lost)
                      .map(([why, count]) => `${words.loss(why)} ${count}`)
                      .join(" · ") || "–"}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </section>
  );
}

function read(flat: SparseHistogram): { count: number; p50: number; p99: number } {
  const all = emptyHistogram();
  addSparse(all, flat);
  return { count: countIn(all), p50: quantile(all, 0.5) ?? 0, p99: quantile(all, 0.99) ?? 0 };
}

function Commands({ recent }: { readonly recent: Core["recent"] }) {
  const text = useTexts(CORE_TEXTS);
  const rows = recent
    .flatMap(({ time, report }) =>
      Object.entries(report.commands).map(([name, { ms, failed }]) => ({
        time,
        name,
        failed,
        ...read(ms),
      })),
    )
    .slice(0, ROWS);
  return (
    <section aria-label={text("commands")}>
      <h3>{text("commands")}</h3>
      {rows.length === 0 ? (
        <p className="fleet-note">{text("noCommands")}</p>
      ) : (
        <ScrollBox
          className="table-scroll table-tall"
          tabIndex={0}
          role="group"
          aria-label={text("commands")}
        >
          <table className="table">
            <thead>
              <tr>
                <th>{text("time")}</th>
                <th>{text("command")}</th>
                <th className="num">{text("count")}</th>
                <th className="num">{text("p50")}</th>
                <th className="num">{text("p99")}</th>
                <th className="num">{text("failedTimes")}</th>
              </tr>
            </thead>
            <tbody>
              {rows.map(({ time, name, count, p50, p99, failed }) => (
                <tr key={`${time} ${name}`} data-command={name}>
                  <td className="tnum">{formatDate(Date.parse(time), "{h}:{i}:{s}")}</td>
                  <th scope="row" translate="no">
                    <code>{name}</code>
                  </th>
                  <td className="num">{count}</td>
                  <td className="num">{abbreviate(p50)} ms</td>
                  <td className="num">{abbreviate(p99)} ms</td>
                  <td className="num">{failed}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </ScrollBox>
      )}
    </section>
  );
}

function Errors({ recent }: { readonly recent: Core["recent"] }) {
  const text = useTexts(CORE_TEXTS);
  const words = useFleetWords();
  const rows = recent.flatMap(({ time, report }) =>
    Object.entries(report.errors).map(([code, count]) => ({ time, code, count })),
  );
  return (
    <section aria-label={text("errors")}>
      <h3>{text("errors")}</h3>
      {rows.length === 0 ? (
        <p className="fleet-note">{text("noErrors")}</p>
      ) : (
        <ul className="core-errors">
          {rows.slice(0, ROWS).map(({ time, code, count }) => (
            <li key={`${time} ${code}`}>
              <time className="tnum">{formatDate(Date.parse(time), "{h}:{i}:{s}")}</time>
              <span>{words.error(code)}</span>
              <small translate="no">
                {code} × {count}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
