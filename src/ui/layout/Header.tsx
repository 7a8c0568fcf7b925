/** The fixed top bar: hamburger, breadcrumb, company, language, theme, person. */
import { Button, Dropdown, Menu } from "@arco-design/web-react";
import {
  IconCheck,
  IconDown,
  IconHome,
  IconMenuFold,
  IconMenuUnfold,
  IconPoweroff,
  IconSearch,
  IconSettings,
  IconStorage,
  IconUser,
} from "@arco-design/web-react/icon";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router-dom";
import { subscribe } from "valtio";
import { SYSTEM_NAMES } from "../../shared/protocol/config.ts";
import type { SessionSlice } from "../../shared/protocol/state.ts";
import { BulletinBell } from "../features/bulletins/BulletinBell.tsx";
import { Avatar } from "../components/Avatar.tsx";
import { texts, useTexts } from "../i18n/texts.ts";
import { showError } from "../state/show-message.ts";
import { useSwitchCompany, useSwitchSystem } from "../state/company.ts";
import { useMay } from "../state/may.ts";
import { retrying } from "../state/retrying.ts";
import { useCore, useSlice } from "../state/services.ts";
import { displayName } from "../state/person.ts";
import { Breadcrumb } from "./Breadcrumb.tsx";
import { HeaderProgress } from "./HeaderProgress.tsx";
import { useFullScreen } from "./useFullScreen.ts";
import { LanguageSwitch, ThemeSwitch } from "../components/Switches.tsx";
import { Part } from "../components/Part.tsx";

const AlertBell = lazy(() => retrying(() => import("../features/alerts/live/AlertBell.tsx")));
const SizeSwitch = lazy(() => retrying(() => import("./SizeSwitch.tsx")));
const LOGOUT_WAIT_MS = 2000;

export function Header(props: {
  readonly open: boolean;
  readonly onToggle: () => void;
  readonly onSearch: () => void;
  readonly onSettings: () => void;
  readonly onKeys: () => void;
}) {
  const { t } = useTranslation();
  const may = useMay();
  return (
    <header className="header">
      <Button
        type="text"
        className="header-icon"
        aria-label={t(props.open ? "layout.closeSidebar" : "layout.openSidebar")}
        aria-expanded={props.open}
        icon={props.open ? <IconMenuFold /> : <IconMenuUnfold />}
        onClick={props.onToggle}
      />
      <Breadcrumb />
      <div className="header-right">
        <HeaderProgress />
        <Button
          type="text"
          className="header-icon header-search"
          aria-label={t("layout.search")}
          aria-keyshortcuts="Control+K Meta+K"
          title={`${t("layout.search")} (Ctrl/⌘ K)`}
          icon={<IconSearch />}
          onClick={props.onSearch}
        />
        {may("alerts.open") && (
          <Part>
            <AlertBell />
          </Part>
        )}
        <BulletinBell />
        <CompanySwitcher />
        <Part fallback={<span className="header-size-place" />}>
          <SizeSwitch />
        </Part>
        <LanguageSwitch />
        <ThemeSwitch />
        <UserMenu onSettings={props.onSettings} onKeys={props.onKeys} />
      </div>
    </header>
  );
}

function CompanySwitcher() {
  const { t } = useTranslation();
  const { employees, employee, supplierId, supplierName, systemName } = useSlice("session");
  const ask = useSwitchCompany();
  const switchSystem = useSwitchSystem();
  const name = supplierName === "" ? t("layout.noCompany") : supplierName;
  const current = (e: { id: string; supplierId: string }): boolean =>
    employee === null ? e.supplierId === supplierId : e.id === employee.id;
  return (
    <Dropdown
      trigger="click"
      position="br"
      droplist={
        <Menu
          onClickMenuItem={(id) => {
            const system = SYSTEM_NAMES.find((one) => one === id);
            const chosen = employees.find((e) => e.id === id);
            if (system !== undefined && system !== systemName) switchSystem(system);
            else if (chosen !== undefined && !current(chosen)) ask(chosen);
          }}
        >
          {employees.length > 0 && (
            <Menu.ItemGroup title={t("layout.companies")}>
              {employees.map((e) => (
                <Menu.Item key={e.id}>
                  <span className="menu-line">
                    {e.supplierName}
                    {current(e) && <IconCheck aria-label={t("dashboard.current")} />}
                  </span>
                </Menu.Item>
              ))}
            </Menu.ItemGroup>
          )}
          <Menu.ItemGroup title={t("layout.systems")}>
            {SYSTEM_NAMES.map((name) => (
              <Menu.Item key={name}>
                <span className="menu-line">
                  {t(`systems.${name}`)}
                  {name === systemName && <IconCheck aria-label={t("dashboard.current")} />}
                </span>
              </Menu.Item>
            ))}
          </Menu.ItemGroup>
        </Menu>
      }
    >
      <button type="button" className="company" aria-label={`${t("layout.company")}: ${name}`}>
        <IconStorage aria-hidden="true" />
        <span className="ellipsis" translate="no">
          {name}
        </span>
        <IconDown aria-hidden="true" />
      </button>
    </Dropdown>
  );
}

/** Resolves when the session is over, or after a short time at the latest. */
function loggedOut(session: SessionSlice): Promise<void> {
  return new Promise((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(finish, LOGOUT_WAIT_MS);
    const check = (): void => {
      if (session.status === "anonymous") queueMicrotask(finish);
    };
    const stop = subscribe(session, check);
    check();
  });
}

const TEXTS = texts({
  profile: ["个人中心", "Profile"],
  lock: ["锁定屏幕", "Lock the console"],
  keys: ["键盘快捷键", "Keyboard shortcuts"],
  fullScreen: ["全屏显示", "Full screen"],
  window: ["退出全屏", "Leave full screen"],
});

/** An icon as the library draws them, without the weight of its component. */
const LineIcon = ({ path }: { readonly path: string }) => (
  <svg className="arco-icon" viewBox="0 0 48 48" fill="none" stroke="currentColor" strokeWidth="4">
    <path d={path} />
  </svg>
);

function UserMenu(props: { readonly onSettings: () => void; readonly onKeys: () => void }) {
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const core = useCore();
  const navigate = useNavigate();
  const session = useSlice("session");
  const fullScreen = useFullScreen();
  const name = displayName(session);
  const logout = async (): Promise<void> => {
    try {
      await core.commands.session.logout({});
      // The state changes after the answer; until then the guard would redirect the login page to the home page.
      await loggedOut(core.state.session);
      void navigate("/login", { replace: true });
    } catch (error) {
      showError(error);
    }
  };
  return (
    <Dropdown
      trigger="click"
      position="br"
      droplist={
        <Menu
          onClickMenuItem={(key) => {
            if (key === "home") void navigate("/");
            else if (key === "settings") props.onSettings();
            else if (key === "keys") props.onKeys();
            else if (key === "screen") fullScreen?.toggle().catch(showError);
            else if (key === "lock") core.commands.session.lock({}).catch(showError);
            else if (key === "profile") void navigate("/profile/index");
            else void logout();
          }}
        >
          <Menu.Item key="home">
            <span className="menu-line menu-line-start">
              <IconHome aria-hidden="true" />
              {t("common.home")}
            </span>
          </Menu.Item>
          <Menu.Item key="settings">
            <span className="menu-line menu-line-start">
              <IconSettings aria-hidden="true" />
              {t("layout.settings")}
            </span>
          </Menu.Item>
          <Menu.Item key="profile">
            <span className="menu-line menu-line-start">
              <IconUser aria-hidden="true" />
              {text("profile")}
            </span>
          </Menu.Item>
          <Menu.Item key="keys">
            <span className="menu-line menu-line-start">
              <LineIcon path="M4 12h40v24H4zM12 20h2m8 0h2m8 0h2M14 28h20" />
              {text("keys")}
            </span>
          </Menu.Item>
          {fullScreen !== null && (
            <Menu.Item key="screen">
              <span className="menu-line menu-line-start">
                <LineIcon path="M8 18V8h10M30 8h10v10M40 30v10H30M18 40H8V30" />
                {text(fullScreen.on ? "window" : "fullScreen")}
              </span>
            </Menu.Item>
          )}
          <Menu.Item key="lock">
            <span className="menu-line menu-line-start">
              <LineIcon path="M10 21h28v21H10zM15 21v-6a9 9 0 0 1 18 0v6M24 29v5" />
              {text("lock")}
            </span>
          </Menu.Item>
          <Menu.Item key="logout">
            <span className="menu-line menu-line-start">
              <IconPoweroff aria-hidden="true" />
              {t("layout.logout")}
            </span>
          </Menu.Item>
        </Menu>
      }
    >
      <button type="button" className="user" aria-label={`${t("layout.userMenu")}: ${name}`}>
        <Avatar name={name} src={session.avatar} size={28} />
        <span className="user-name ellipsis" translate="no">
          {name}
        </span>
        <IconDown aria-hidden="true" />
      </button>
    </Dropdown>
  );
}
