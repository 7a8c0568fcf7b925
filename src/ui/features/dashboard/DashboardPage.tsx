/** 首页: the person, figures of the company, shortcuts, the state of connections, and recent messages. */
import { Button } from "@arco-design/web-react";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { Link, useNavigate } from "react-router-dom";
import { greetingAt } from "../../../shared/domain/greeting.ts";
import { formatDate, formatDuration } from "../../../shared/domain/format.ts";
import type { SidebarItem } from "../../../shared/domain/menus.ts";
import { Avatar } from "../../components/Avatar.tsx";
import { CountBadge } from "../../components/Badge.tsx";
import { MenuIcon } from "../../components/MenuIcon.tsx";
import { StateDot, type Tone } from "../../components/StateDot.tsx";
import { currentLanguage } from "../../i18n/index.ts";
import { useSwitchCompany } from "../../state/company.ts";
import { findRoute, useMenus } from "../../state/menus.ts";
import { displayName } from "../../state/person.ts";
import { useMay } from "../../state/may.ts";
import { retrying } from "../../state/retrying.ts";
import { useRemarks } from "../../state/remarks.ts";
import { useNow, useServerNow, useSlice } from "../../state/services.ts";
import { MembershipNotice } from "../employees/MembershipNotice.tsx";
import { ApplyNotice } from "../register/ApplyNotice.tsx";
import { groupIdOf } from "../../../shared/domain/group-chat.ts";
import { useConversations, usePresence } from "../people/common/conversations-now.ts";
import { useRelativeTime } from "../../state/time.ts";
import { useGroupName } from "../people/common/group-texts.ts";
import { lastMessage, recentConversations } from "../people/common/conversations.ts";
import { MessagePreview } from "../people/list/MessagePreview.tsx";
import { DemoNotice } from "./DemoNotice.tsx";
import { Figures } from "./Figures.tsx";
import { Part } from "../../components/Part.tsx";
import "./dashboard.css";

/** Few platforms ever show it, so its words are loaded later. */
const SmsNotice = lazy(() =>
  retrying(() => import("../sms/SmsNotice.tsx")).then((m) => ({ default: m.SmsNotice })),
);

const leaves = (items: readonly SidebarItem[]): SidebarItem[] =>
  items.flatMap((item) => (item.children.length > 0 ? leaves(item.children) : [item]));

export default function DashboardPage() {
  const may = useMay();
  return (
    <div className="dashboard">
      <Greeting />
      {may("employees.invite") && (
        <Part>
          <SmsNotice />
        </Part>
      )}
      <ApplyNotice />
      <MembershipNotice />
      <Figures />
      <div className="dashboard-main">
        <Entries />
        <Recent />
      </div>
      <div className="dashboard-aside">
        <Connections />
        <Companies />
      </div>
      {/* Last, so that its coming moves nothing. */}
      <DemoNotice />
    </div>
  );
}

function Greeting() {
  const { t } = useTranslation();
  const session = useSlice("session");
  const now = useServerNow(1000);
  const part = greetingAt(new Date(now).getHours());
  const name = displayName(session) || t("layout.guest");
  const { employee } = session;
  const place = [employee?.department, employee?.position].filter((x) => x).join(" · ");
  const day = new Intl.DateTimeFormat(currentLanguage() === "zh" ? "zh-CN" : "en", {
    month: "long",
    day: "numeric",
    weekday: "long",
  }).format(now);
  return (
    <section className="panel greeting">
      <Avatar name={name} src={session.avatar} size={56} />
      <div className="greeting-text">
        <h1>{t(`dashboard.${part}`, { name })}</h1>
        <p>{[session.supplierName || t("layout.noCompany"), place].filter((x) => x).join(" · ")}</p>
      </div>
      <div className="greeting-time">
        <strong className="tnum">{formatDate(now, "{h}:{i}")}</strong>
        <span>{day}</span>
      </div>
      {session.isGuest === "1" && <p className="greeting-guest">{t("dashboard.guestHint")}</p>}
    </section>
  );
}

function Entries() {
  const { t } = useTranslation();
  const menus = useMenus();
  const entries = leaves(menus.sidebar);
  return (
    <section className="panel dash-panel">
      <h2>{t("dashboard.entries")}</h2>
      {entries.length === 0 ? (
        <p className="dash-empty">{t("dashboard.noEntries")}</p>
      ) : (
        <ul className="entries">
          {entries.map((item) => {
            const content = (
              <>
                <span className="entry-icon">
                  <MenuIcon name={item.icon} />
                </span>
                <span className="ellipsis">{item.title}</span>
              </>
            );
            return (
              <li key={item.id}>
                {item.external ? (
                  <a className="entry" href={item.to} target="_blank" rel="noopener noreferrer">
                    {content}
                  </a>
                ) : (
                  <Link className="entry" to={item.to}>
                    {content}
                  </Link>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

function Recent() {
  const { t } = useTranslation();
  const conversations = useConversations();
  const isOnline = usePresence();
  const navigate = useNavigate();
  const relative = useRelativeTime();
  const menus = useMenus();
  const groupName = useGroupName();
  const remark = useRemarks();
  const recent = recentConversations(conversations).slice(0, 6);
  const unread = Object.values(conversations).reduce((sum, c) => sum + c.unread, 0);
  // without a menu entry for conversations the person could not open them
  if (findRoute(menus, "/im/people") === undefined) return null;
  return (
    <section className="panel dash-panel">
      <h2>
        {t("dashboard.recent")}
        {unread > 0 && (
          <span className="dash-unread">
            {t("dashboard.unread")} {t("dashboard.unreadValue", { count: unread })}
          </span>
        )}
      </h2>
      {recent.length === 0 ? (
        <p className="dash-empty">{t("dashboard.noRecent")}</p>
      ) : (
        <ul className="recent">
          {recent.map((c) => {
            const last = lastMessage(c);
            const name =
              groupIdOf(c.chatId) === null ? remark(c.chatId, c.name) : groupName(c.name);
            return (
              <li key={c.chatId}>
                <button
                  type="button"
                  className="recent-row"
                  aria-label={t("dashboard.openChat", { name })}
                  onClick={() => void navigate(`/im/people?chat=${encodeURIComponent(c.chatId)}`)}
                >
                  <Avatar
                    name={name}
                    person={groupIdOf(c.chatId) === null ? c.chatId : undefined}
                    online={
                      groupIdOf(c.chatId) === null
                        ? (isOnline({ userName: c.chatId, online: false }) ?? undefined)
                        : undefined
                    }
                  />
                  <span className="recent-text">
                    <span className="ellipsis recent-name">{name}</span>
                    <span className="ellipsis recent-last">
                      {last !== undefined && <MessagePreview message={last} />}
                    </span>
                  </span>
                  <span className="recent-side">
                    <span>{last === undefined ? "" : relative(last.time)}</span>
                    <CountBadge count={c.unread} label={t("people.unread", { count: c.unread })} />
                  </span>
                </button>
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}

const CONNECTION_TONE: Readonly<Record<string, Tone>> = {
  open: "good",
  connecting: "warn",
  waiting: "warn",
  closed: "off",
};

function Connections() {
  const { t } = useTranslation();
  const chat = useSlice("chat");
  const worker = useSlice("worker");
  const tabs = useSlice("tabs");
  const now = useNow(1000, worker.startedAt);
  return (
    <section className="panel dash-panel">
      <h2>{t("dashboard.services")}</h2>
      <dl className="services">
        <div>
          <dt>{t("dashboard.chat")}</dt>
          <dd>
            <StateDot tone={CONNECTION_TONE[chat.connection] ?? "off"}>
              {t(chat.connection === "open" ? "connection.open" : `chatStatus.${chat.statusText}`)}
            </StateDot>
          </dd>
        </div>
        <div>
          <dt>{t("dashboard.worker")}</dt>
          <dd>
            <StateDot tone="good">
              <span className="tnum">
                {t("dashboard.running", { time: formatDuration(now - worker.startedAt) })}
              </span>
            </StateDot>
          </dd>
        </div>
        <div>
          <dt>{t("dashboard.tabs")}</dt>
          <dd className="tnum">
            {t("dashboard.tabsValue", { count: Object.keys(tabs.byId).length })}
          </dd>
        </div>
      </dl>
    </section>
  );
}

function Companies() {
  const { t } = useTranslation();
  const { employees, employee, supplierId } = useSlice("session");
  const ask = useSwitchCompany();
  return (
    <section className="panel dash-panel">
      <h2>{t("dashboard.companies")}</h2>
      {employees.length === 0 ? (
        <p className="dash-empty">{t("dashboard.noCompanies")}</p>
      ) : (
        <ul className="companies">
          {employees.map((e) => {
            const current = employee === null ? e.supplierId === supplierId : e.id === employee.id;
            const place = [e.department, e.position].filter((x) => x).join(" · ");
            return (
              <li key={e.id}>
                <span className="companies-text">
                  <span>{e.supplierName}</span>
                  {place !== "" && <span className="recent-last ellipsis">{place}</span>}
                </span>
                {current ? (
                  <span className="dash-current">{t("dashboard.current")}</span>
                ) : (
                  <Button
                    size="mini"
                    type="secondary"
                    aria-label={`${t("dashboard.switch")} ${e.supplierName}`}
                    onClick={() => ask(e)}
                  >
                    {t("dashboard.switch")}
                  </Button>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </section>
  );
}
