/** The settings drawer: colour, theme, language, size, and parts of the frame (docs/session.md#appearance). */
import { Button, Drawer, Radio, Switch } from "@arco-design/web-react";
import "@arco-design/web-react/es/Drawer/style/css.js";
import "@arco-design/web-react/es/Radio/style/css.js";
import "@arco-design/web-react/es/Switch/style/css.js";
import { IconCheck, IconClose } from "@arco-design/web-react/icon";
import { useTranslation } from "react-i18next";
import { useFocusBack } from "../components/useFocusBack.ts";
import { currentLanguage, setLanguage } from "../i18n/index.ts";
import { texts, useTexts } from "../i18n/texts.ts";
import { DEFAULT_APPEARANCE } from "../state/appearance.ts";
import { useAppearance, useCore, useSize, useSlice, useTheme } from "../state/services.ts";
import { SIZES } from "../state/size.ts";
import { allowNotices, canNotify, mayNotify } from "../state/system-notices.ts";
import { showMessage, showError } from "../state/show-message.ts";
import { CallLines } from "./CallLines.tsx";
import { Line } from "./SettingsLine.tsx";
import { PushLine } from "./PushLine.tsx";
import "./settings.css";

const TEXTS = texts({
  title: ["系统布局配置", "Settings"],
  color: ["主题颜色", "Theme colour"],
  ownColor: ["自定义颜色", "Custom colour"],
  dark: ["深色模式", "Dark mode"],
  language: ["语言", "Language"],
  size: ["布局大小", "Size"],
  tagsView: ["开启 Tags-View", "Open Tags-View"],
  sidebarLogo: ["侧边栏 Logo", "Sidebar Logo"],
  conferenceKeys: ["会议快捷键", "Conference shortcuts"],
  conferenceKeysHint: [
    "在会议中用 Alt 加字母操作，按 ? 查看",
    "Alt and a letter in a conference; ? lists them",
  ],
  chatKeys: ["聊天快捷键", "Chat shortcuts"],
  chatKeysHint: ["按 R 回复消息", "R answers a message"],
  callNotices: ["来电桌面通知", "Desktop notifications for calls"],
  messageNotices: ["新消息桌面通知", "Desktop notifications for messages"],
  quiet: ["消息免打扰", "Do not disturb"],
  noticesDenied: [
    "浏览器已禁止本站的通知，请在地址栏的网站设置中允许",
    "The browser blocks notifications of this site. Allow them in the site settings of the address bar",
  ],
  reset: ["恢复默认", "Restore defaults"],
  side: ["侧边栏", "Sidebar"],
  sideOfCompany: ["跟随企业", "As the company"],
  sideDark: ["深色", "Dark"],
  sideLight: ["浅色", "Light"],
  byCompany: ["跟随企业", "As the company"],
  blue: ["科技蓝", "Blue"],
  cyan: ["青色", "Cyan"],
  green: ["绿色", "Green"],
  orange: ["橙色", "Orange"],
  red: ["红色", "Red"],
  purple: ["紫色", "Purple"],
  ink: ["墨色", "Ink"],
});

/** The first is what the company asks for, else the console's own. */
const COLORS = [
  ["byCompany", null, "linear-gradient(135deg, #1890ff 50%, #ffffff 50%)"],
  ["blue", "#1890ff", "#1890ff"],
  ["cyan", "#13a8a8", "#13a8a8"],
  ["green", "#389e0d", "#389e0d"],
  ["orange", "#d46b08", "#d46b08"],
  ["red", "#cf1322", "#cf1322"],
  ["purple", "#722ed1", "#722ed1"],
  ["ink", "#34495e", "#34495e"],
] as const;

export function SettingsDrawer(props: { readonly onClose: () => void }) {
  // the entry of the menu that opened it is gone
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const [appearance, setAppearance] = useAppearance();
  const [theme, setTheme] = useTheme();
  const [size, setSize] = useSize();
  const core = useCore();
  const { keeping } = useSlice("chat");
  const own = COLORS.every(([, color]) => color !== appearance.color);
  return (
    <Drawer
      visible
      width={Math.min(320, innerWidth - 48)}
      title={null}
      closable={false}
      footer={null}
      onCancel={props.onClose}
      escToExit
      wrapClassName="settings"
    >
      <div role="dialog" aria-modal="true" aria-label={text("title")}>
        <header>
          <h2>{text("title")}</h2>
          <Button
            type="text"
            className="header-icon"
            aria-label={t("common.close")}
            icon={<IconClose />}
            onClick={props.onClose}
          />
        </header>
        <h3 id="settings-color">{text("color")}</h3>
        <div className="settings-colors" role="radiogroup" aria-labelledby="settings-color">
          {COLORS.map(([name, color, shown]) => (
            <button
              key={name}
              type="button"
              role="radio"
              aria-checked={appearance.color === color}
              aria-label={text(name)}
              title={text(name)}
              style={{ background: shown }}
              onClick={() => setAppearance({ color })}
            >
              {appearance.color === color && <IconCheck aria-hidden="true" />}
            </button>
          ))}
          <label className="settings-own" data-checked={own} title={text("ownColor")}>
            <input
              type="color"
              aria-label={text("ownColor")}
              value={appearance.color ?? "#1890ff"}
              onChange={(event) => setAppearance({ color: event.target.value })}
            />
          </label>
        </div>
        <Line label={text("side")}>
          {(id) => (
            <Radio.Group
              type="button"
              size="small"
              aria-labelledby={id}
              value={appearance.side ?? ""}
              onChange={(side: "" | "dark" | "light") =>
                setAppearance({ side: side === "" ? null : side })
              }
              options={[
                { label: text("sideOfCompany"), value: "" },
                { label: text("sideDark"), value: "dark" },
                { label: text("sideLight"), value: "light" },
              ]}
            />
          )}
        </Line>
        <Line label={text("dark")}>
          {(id) => (
            <Switch
              aria-labelledby={id}
              checked={theme === "dark"}
              onChange={(dark) => setTheme(dark ? "dark" : "light")}
            />
          )}
        </Line>
        <Line label={text("language")}>
          {(id) => (
            <Radio.Group
              type="button"
              size="small"
              aria-labelledby={id}
              value={currentLanguage()}
              onChange={(language: "zh" | "en") => void setLanguage(language)}
              options={[
                { label: "中文", value: "zh" },
                { label: "English", value: "en" },
              ]}
            />
          )}
        </Line>
        <Line label={text("size")}>
          {(id) => (
            <Radio.Group
              type="button"
              size="small"
              aria-labelledby={id}
              value={size}
              onChange={setSize}
              options={SIZES.map((value) => ({ label: t(`sizes.${value}`), value }))}
            />
          )}
        </Line>
        <Line label={text("tagsView")}>
          {(id) => (
            <Switch
              aria-labelledby={id}
              checked={appearance.tagsView}
              onChange={(tagsView) => setAppearance({ tagsView })}
            />
          )}
        </Line>
        <Line label={text("sidebarLogo")}>
          {(id) => (
            <Switch
              aria-labelledby={id}
              checked={appearance.sidebarLogo}
              onChange={(sidebarLogo) => setAppearance({ sidebarLogo })}
            />
          )}
        </Line>
        <Line label={text("conferenceKeys")} hint={text("conferenceKeysHint")}>
          {(id) => (
            <Switch
              aria-labelledby={id}
              checked={appearance.conferenceKeys}
              onChange={(conferenceKeys) => setAppearance({ conferenceKeys })}
            />
          )}
        </Line>
        <Line label={text("chatKeys")} hint={text("chatKeysHint")}>
          {(id) => (
            <Switch
              aria-labelledby={id}
              checked={appearance.chatKeys}
              onChange={(chatKeys) => setAppearance({ chatKeys })}
            />
          )}
        </Line>
        {canNotify() &&
          (["callNotices", "messageNotices"] as const).map((kind) => (
            <Line key={kind} label={text(kind)}>
              {(id) => (
                <Switch
                  aria-labelledby={id}
                  checked={appearance[kind] && mayNotify()}
                  onChange={(on) =>
                    void allowNotices(on).then((allowed) => {
                      setAppearance({ [kind]: allowed });
                      if (on && !allowed) showMessage("warning", text("noticesDenied"));
                    })
                  }
                />
              )}
            </Line>
          ))}
        <PushLine />
        <CallLines />
        <Line label={text("quiet")}>
          {(id) => (
            <Switch
              aria-labelledby={id}
              checked={keeping.quiet}
              onChange={(on) => void core.commands.chat.mute({ chatId: null, on }).catch(showError)}
            />
          )}
        </Line>
        <Button long onClick={() => setAppearance(DEFAULT_APPEARANCE)}>
          {text("reset")}
        </Button>
      </div>
    </Drawer>
  );
}
