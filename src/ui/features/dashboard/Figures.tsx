/** Figures of the company and the trend of two weeks, as far as the person may see them (docs/server.md#figures). */
import { Link } from "react-router-dom";
import type { PageCallData } from "../../../shared/protocol/rest/page-calls.ts";
import { ReadNote } from "../../components/ReadNote.tsx";
import { ReadShape } from "../../components/ReadShape.tsx";
import { texts, useTexts } from "../../i18n/texts.ts";
import { useMay } from "../../state/may.ts";
import { findRoute, useMenus } from "../../state/menus.ts";
import { useSlice } from "../../state/services.ts";
import { useRead } from "../../state/useRead.ts";
import "./figures.css";

const TEXTS = texts({
  title: ["企业概况", "The company"],
  employees: ["在职员工", "Employees"],
  joined: ["近 14 天新增 {{count}} 人", "{{count}} new in 14 days"],
  departments: ["部门", "Departments"],
  applies: ["待处理申请", "Open applications"],
  online: ["当前在线", "Logged in now"],
  lastDay: ["近 24 小时", "The last 24 hours"],
  errors: ["页面错误", "Errors in consoles"],
  failedSignIns: ["登录失败", "Failed sign-ins"],
  failedTasks: ["任务失败", "Failed tasks"],
  companyCalls: ["企业通话", "Calls of the company"],
  ownCalls: ["我的通话", "My calls"],
  calls: ["通话次数", "Calls"],
  minutes: ["通话分钟", "Minutes"],
  loss: ["平均丢包率", "Mean packet loss"],
  callsOf: ["{{day}}：{{value}} 次", "{{day}}: {{value}} {value|call|calls}"],
  minutesOf: ["{{day}}：{{value}} 分钟", "{{day}}: {{value}} min"],
  lossOf: ["{{day}}：{{value}}%", "{{day}}: {{value}}%"],
  lossNone: ["{{day}}：没有测量", "{{day}}: not measured"],
  noCalls: [
    "近 14 天还没有通话。通话结束后，这里显示每天的次数、时长和质量。",
    "No calls in the last 14 days. After a call this shows number, time and quality by day.",
  ],
  start: [
    "企业刚刚建立。可以先建立部门和角色，再邀请员工或批量导入。",
    "The company is new. Make departments and roles, then invite people or import them.",
  ],
  startInvite: ["去邀请员工", "Invite people"],
  failed: ["企业概况未能加载", "The figures could not be loaded"],
});

type Data = PageCallData<"dashboard.figures">;
/** Figures of any company that has been at work, as far as the person may see them. */
const shapeFor = (may: ReturnType<typeof useMay>): Data => ({
  employees: 2,
  joined: 1,
  departments: 1,
  applies: 0,
  online: 1,
  lastDay: {
    errors: may("errors.list") ? 1 : null,
    failedSignIns: may("signIns.list") ? 1 : null,
    failedTasks: may("tasks.list") ? 1 : null,
  },
  scope: "company",
  days: Array.from({ length: 14 }, (_, n) => ({
    day: `2026-01-${String(n + 10)}`,
    calls: 1,
    minutes: 1,
    loss: null,
  })),
});
type Text = ReturnType<typeof useTexts<typeof TEXTS>>;

export function Figures() {
  const text = useTexts(TEXTS);
  const may = useMay();
  const { isGuest, supplierId } = useSlice("session");
  const shown = supplierId !== null && isGuest !== "1";
  const { answer, again } = useRead(shown ? { call: "dashboard.figures" } : null);
  if (!shown) return null;
  return (
    <section className="panel dash-panel figures" aria-label={text("title")}>
      <h2>{text("title")}</h2>
      {answer.state !== "ready" && (
        <ReadShape shape={<Known data={shapeFor(may)} text={text} />}>
          <ReadNote
            className="dash-empty"
            answer={answer}
            failed={text("failed")}
            onRetry={again}
          />
        </ReadShape>
      )}
      {answer.state === "ready" && <Known data={answer.data} text={text} />}
    </section>
  );
}

function Known({ data, text }: { readonly data: Data; readonly text: Text }) {
  const menus = useMenus();
  const open = (path: string): string | null =>
    findRoute(menus, path) === undefined ? null : path;
  const tiles = [
    {
      label: text("employees"),
      value: data.employees,
      to: open("/supplier/employees"),
      note: data.joined > 0 ? text("joined", { count: data.joined }) : "",
    },
    { label: text("departments"), value: data.departments, to: open("/system/dept"), note: "" },
    { label: text("online"), value: data.online, to: open("/monitor/online"), note: "" },
    { label: text("applies"), value: data.applies, to: open("/supplier/applies"), note: "" },
  ].filter(({ value }) => value !== null);
  const { days, lastDay } = data;
  const failures = [
    { label: text("errors"), value: lastDay.errors, to: open("/monitor/errors"), note: "" },
    {
      label: text("failedSignIns"),
      value: lastDay.failedSignIns,
      to: open("/monitor/logininfor"),
      note: "",
    },
    {
      label: text("failedTasks"),
      value: lastDay.failedTasks,
      to: open("/monitor/jobLog"),
      note: "",
    },
  ].filter(({ value }) => value !== null);
  const noCalls = days.every(({ calls }) => calls === 0);
  const invites = open("/supplier/employees");
  return (
    <div>
      <Tiles tiles={tiles} />
      {data.employees <= 1 && invites !== null && (
        <p className="figure-start">
          {text("start")} <Link to={invites}>{text("startInvite")}</Link>
        </p>
      )}
      {failures.length > 0 && (
        <>
          <h3>{text("lastDay")}</h3>
          <Tiles tiles={failures} tone="failures" />
        </>
      )}
      <h3>{text(data.scope === "company" ? "companyCalls" : "ownCalls")}</h3>
      {noCalls ? (
        <p className="dash-empty">{text("noCalls")}</p>
      ) : (
        <div className="figure-trends">
          <Trend
            label={text("calls")}
            sum={String(days.reduce((sum, { calls }) => sum + calls, 0))}
            bars={days.map(({ day, calls }) => ({
              value: calls,
              title: text("callsOf", { day: short(day), value: calls }),
            }))}
            days={days}
          />
          <Trend
            label={text("minutes")}
            sum={String(days.reduce((sum, { minutes }) => sum + minutes, 0))}
            bars={days.map(({ day, minutes }) => ({
              value: minutes,
              title: text("minutesOf", { day: short(day), value: minutes }),
            }))}
            days={days}
          />
          <Trend
            label={text("loss")}
            sum={mean(days.flatMap(({ loss }) => loss ?? []))}
            bars={days.map(({ day, loss }) => ({
              value: loss ?? 0,
              title:
                loss === null
                  ? text("lossNone", { day: short(day) })
                  : text("lossOf", { day: short(day), value: loss }),
            }))}
            days={days}
          />
        </div>
      )}
    </div>
  );
}

interface Tile {
  readonly label: string;
  readonly value: number | null;
  /** Where the label leads; null: nowhere. */
  readonly to: string | null;
  readonly note: string;
}

/** @param props.tone failures: none of them is good */
function Tiles(props: { readonly tiles: readonly Tile[]; readonly tone?: "failures" }) {
  return (
    <ul className="figure-tiles" data-tone={props.tone}>
      {props.tiles.map(({ label, value, to, note }) => (
        <li key={label} data-some={(value ?? 0) > 0}>
          <span className="figure-label">{to === null ? label : <Link to={to}>{label}</Link>}</span>
          <strong className="tnum">{value}</strong>
          <span className="figure-note">{note}</span>
        </li>
      ))}
    </ul>
  );
}

/** Month and day. */
const short = (day: string): string => day.slice(5);
const mean = (values: readonly number[]): string =>
  values.length === 0
    ? "–"
    : `${Math.round((values.reduce((sum, value) => sum + value, 0) / values.length) * 10) / 10}%`;

interface Bar {
  readonly value: number;
  readonly title: string;
}

function Trend(props: {
  readonly label: string;
  readonly sum: string;
  readonly bars: readonly Bar[];
  readonly days: Data["days"];
}) {
  const { label, sum, bars, days } = props;
  const top = Math.max(...bars.map(({ value }) => value), 1);
  return (
    <figure className="figure-trend">
      <figcaption>
        {label} <strong className="tnum">{sum}</strong>
      </figcaption>
      <ul>
        {bars.map(({ value, title }) => (
          <li key={title} title={title}>
            <span className="visually-hidden">{title}</span>
            <span
              className="figure-bar"
              data-none={value === 0}
              style={{ height: `${Math.max(2, (value / top) * 100)}%` }}
            />
          </li>
        ))}
      </ul>
      <div className="figure-days tnum" aria-hidden="true">
        <span>{short(days[0]?.day ?? "")}</span>
        <span>{short(days.at(-1)?.day ?? "")}</span>
      </div>
    </figure>
  );
}
