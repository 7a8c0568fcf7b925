/** Tables and lists of the operations page. */
import { useTranslation } from "react-i18next";
import { ScrollBox } from "../../components/ScrollBox.tsx";
import { abbreviate, formatDate, formatDuration } from "../../../shared/domain/format.ts";
import { StateDot, type Tone } from "../../components/StateDot.tsx";
import { useCore, useNow, useSlice } from "../../state/services.ts";
import { eventWords } from "./events.ts";
import { figure } from "./series.ts";

const SOCKETS = ["chat", "signalling", "quality"] as const;
const TONE: Readonly<Record<string, Tone>> = {
  open: "good",
  connecting: "warn",
  waiting: "warn",
  closed: "off",
};

export function Sockets() {
  const { t } = useTranslation();
  const { sockets } = useSlice("worker");
  const { uploadQueued } = useSlice("quality");
  const now = useNow(1000);
  return (
    <ScrollBox className="table-scroll">
      <table className="table">
        <thead>
          <tr>
            <th>{t("runtime.name")}</th>
            <th>{t("runtime.state")}</th>
            <th className="num">{t("runtime.sinceCol")}</th>
            <th className="num">{t("runtime.attempts")}</th>
            <th className="num">{t("runtime.sent")}</th>
            <th className="num">{t("runtime.received")}</th>
          </tr>
        </thead>
        <tbody>
          {SOCKETS.map((name) => {
            const socket = sockets[name];
            return (
              <tr key={name} data-socket={name} data-state={socket.state}>
                <th scope="row">{t(`runtime.socket.${name}`)}</th>
                <td>
                  <StateDot tone={TONE[socket.state] ?? "off"}>
                    {t(`connection.${socket.state}`)}
                  </StateDot>
                </td>
                <td className="num">
                  {socket.since > 0 ? formatDuration(now - socket.since) : "–"}
                </td>
                <td className="num">{socket.attempts}</td>
                <td className="num">{abbreviate(socket.sent)}</td>
                <td className="num">{abbreviate(socket.received)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      <p className="table-note">{t("runtime.uploadQueue", { count: uploadQueued })}</p>
    </ScrollBox>
  );
}

export function Commands() {
  const { t } = useTranslation();
  const { commands } = useSlice("worker");
  const rows = Object.entries(commands).sort((a, b) => b[1].count - a[1].count);
  if (rows.length === 0) return <p className="runtime-waiting">{t("runtime.noCommands")}</p>;
  return (
    <ScrollBox className="table-scroll table-tall">
      <table className="table">
        <thead>
          <tr>
            <th>{t("runtime.command")}</th>
            <th className="num">{t("runtime.count")}</th>
            <th className="num">{t("runtime.p50")}</th>
            <th className="num">{t("runtime.p99")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, latency]) => (
            <tr key={name}>
              <th scope="row" translate="no">
                <code>{name}</code>
              </th>
              <td className="num">{abbreviate(latency.count)}</td>
              <td className="num">{figure(latency.p50, " ms")}</td>
              <td className="num">{figure(latency.p99, " ms")}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

export function TabList() {
  const { t } = useTranslation();
  const { tabId } = useCore();
  const { byId } = useSlice("tabs");
  const { owner } = useSlice("call");
  const now = useNow(1000);
  const rows = Object.values(byId).sort((a, b) => a.connectedAt - b.connectedAt);
  return (
    <ScrollBox className="table-scroll table-tall">
      <table className="table">
        <thead>
          <tr>
            <th>{t("runtime.path")}</th>
            <th>{t("runtime.visibility")}</th>
            <th className="num">{t("runtime.opened")}</th>
            <th className="num">{t("runtime.unacked")}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((tab) => (
            <tr key={tab.tabId} data-tab={tab.tabId} data-owner={owner?.tabId === tab.tabId}>
              <th scope="row" className="table-path" title={tab.path}>
                {tab.path}
                {tab.tabId === tabId && <span className="table-tag">{t("runtime.thisTab")}</span>}
              </th>
              <td>
                <StateDot tone={tab.visible ? "good" : "off"}>
                  {t(tab.visible ? "runtime.shown" : "runtime.hiddenTab")}
                </StateDot>
              </td>
              <td className="num">{formatDuration(now - tab.connectedAt)}</td>
              <td className="num">{tab.unacked}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

export function Events() {
  const { t } = useTranslation();
  const { events } = useSlice("quality");
  if (events.length === 0) return <p className="runtime-waiting">{t("runtime.noEvents")}</p>;
  return (
    <ul className="log table-tall">
      {events.map((event, index) => {
        const { title, detail } = eventWords(event, t);
        return (
          <li key={`${event.at}:${events.length - index}`} data-kind={event.kind}>
            <time className="tnum">{formatDate(event.at, "{h}:{i}:{s}")}</time>
            <span>{title}</span>
            {detail !== "" && <small title={event.text}>{detail}</small>}
          </li>
        );
      })}
    </ul>
  );
}

export function Errors() {
  const { t } = useTranslation();
  const { errors } = useSlice("worker");
  if (errors.length === 0) return <p className="runtime-waiting">{t("runtime.noErrors")}</p>;
  return (
    <ul className="log log-errors table-tall">
      {errors.map((error, index) => (
        <li key={`${error.at}:${errors.length - index}`}>
          <time className="tnum">{formatDate(error.at, "{h}:{i}:{s}")}</time>
          <span>{error.message}</span>
        </li>
      ))}
    </ul>
  );
}
