/** The switch by which this browser rings without a tab (docs/calls.md#web-push). */
import { Switch } from "@arco-design/web-react";
import { useState } from "react";
import { currentLanguage } from "../i18n/index.ts";
import { texts, useTexts } from "../i18n/texts.ts";
import { pushState, turnPushOff, turnPushOn } from "../state/push.ts";
import { useAccount, useCore } from "../state/services.ts";
import { showMessage, showError } from "../state/show-message.ts";
import { AppError } from "../../shared/errors.ts";
import { Line } from "./SettingsLine.tsx";

const TEXTS = texts({
  label: ["关闭页面后来电提醒", "Ring with no page open"],
  on: [
    "浏览器在运行时，没有打开本页也会提醒来电；退出登录后停止",
    "While the browser runs, calls ring even with no page open. This ends when you log out",
  ],
  off: [
    "打开后，没有打开本页时也会提醒来电",
    "Turn on to be notified of calls while no page is open",
  ],
  unsupported: [
    "此浏览器不支持，或页面不是通过 https 打开的",
    "This browser cannot do it, or the page was not opened by https",
  ],
  denied: [
    "浏览器已禁止本站的通知，请在地址栏的网站设置中允许",
    "The browser blocks notifications of this site. Allow them in the site settings of the address bar",
  ],
  unreachable: [
    "浏览器连接不上它的推送服务，请检查网络后重试",
    "The browser cannot reach its push service. Check the network and try again",
  ],
});

export function PushLine() {
  const core = useCore();
  const account = useAccount();
  const text = useTexts(TEXTS);
  const [state, setState] = useState(() => pushState(account));
  const [busy, setBusy] = useState(false);

  async function turn(on: boolean): Promise<void> {
    if (account === null) return;
    setBusy(true);
    try {
      if (on) await turnPushOn(core, account, currentLanguage());
      else await turnPushOff(core);
    } catch (error) {
      // The browser's own errors are in its own words.
      if (error instanceof AppError) showError(error);
      else showMessage("warning", text("unreachable"));
    } finally {
      setState(pushState(account));
      setBusy(false);
    }
  }

  return (
    <Line label={text("label")} hint={text(state)}>
      {(id) => (
        <Switch
          aria-labelledby={id}
          checked={state === "on"}
          loading={busy}
          disabled={state === "unsupported" || state === "denied"}
          onChange={(on) => void turn(on)}
        />
      )}
    </Line>
  );
}
