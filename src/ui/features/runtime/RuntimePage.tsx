/** 运行监控: the core of this machine: tabs, sockets, commands, streams. Everything comes from the mirrored slices. */
import { useTranslation } from "react-i18next";
import { formatDate, formatDuration } from "../../../shared/domain/format.ts";
import { useNow, useSlice } from "../../state/services.ts";
import { Commands, Errors, Events, Sockets, TabList } from "./tables.tsx";
import { StreamCharts } from "./StreamCharts.tsx";
import { Throughput } from "./Throughput.tsx";
import { figure } from "./series.ts";
import "../../components/table.css";
import "./runtime.css";

export default function RuntimePage() {
  const { t } = useTranslation();
  return (
    <div className="runtime">
      <header className="runtime-head">
        <h1>{t("runtime.title")}</h1>
        <p>{t("runtime.subtitle")}</p>
      </header>
      <Cards />
      {PANELS.map(([title, Content, width]) => (
        <section key={title} className={`panel runtime-panel ${width}`}>
          {title !== "throughput" && <h2>{t(`runtime.${title}`)}</h2>}
          <Content />
        </section>
      ))}
    </div>
  );
}

/** In the order of the page. */
const PANELS = [
  ["sockets", Sockets, "runtime-half"],
  ["throughput", Throughput, "runtime-half"],
  ["streams", StreamCharts, ""],
  ["latency", Commands, "runtime-half"],
  ["tabList", TabList, "runtime-half"],
  ["events", Events, "runtime-half"],
  ["errors", Errors, "runtime-half"],
] as const;

function Card(props: {
  readonly name: string;
  readonly value: string;
  readonly hint: string;
  readonly code?: boolean;
}) {
  return (
    <div className="panel runtime-card">
      <dt>{props.name}</dt>
      <dd className={props.code === true ? "runtime-code" : "tnum"} title={props.value}>
        {props.value}
      </dd>
      <dd className="runtime-hint ellipsis tnum">{props.hint}</dd>
    </div>
  );
}

function Cards() {
  const { t } = useTranslation();
  const worker = useSlice("worker");
  const { byId } = useSlice("tabs");
  const now = useNow(1000, worker.startedAt);
  const tabs = Object.values(byId);
  return (
    <dl className="runtime-cards">
      <Card
        name={t("runtime.tabs")}
        value={String(tabs.length)}
        hint={t("runtime.visible", { count: tabs.filter((tab) => tab.visible).length })}
      />
      <Card
        name={t("runtime.uptime")}
        value={formatDuration(now - worker.startedAt)}
        hint={t("runtime.since", { time: formatDate(worker.startedAt, "{m}-{d} {h}:{i}:{s}") })}
      />
      <Card
        name={t("runtime.restarts")}
        value={String(worker.restarts)}
        hint={t("runtime.refreshes", { count: worker.refreshes })}
      />
      <Card
        name={t("runtime.fanOut")}
        value={figure(worker.fanOut.count === 0 ? null : worker.fanOut.p50, " ms")}
        hint={`${t("runtime.p99")} ${figure(worker.fanOut.count === 0 ? null : worker.fanOut.p99, " ms")}`}
      />
      <Card
        code
        name={t("runtime.epoch")}
        value={worker.epoch.slice(0, 8) || "–"}
        hint={t("runtime.build", { build: worker.build })}
      />
    </dl>
  );
}
