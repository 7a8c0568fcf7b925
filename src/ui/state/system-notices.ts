/** Notifications of the system, for a person who looks at another window (docs/calls.md#ringing). */
import { BASE_PATH } from "../../core-client/base-path.ts";
import { serviceRegistration } from "../../core-client/service-worker.ts";
import { ringTag } from "../../shared/protocol/push.ts";

export const canNotify = (): boolean => "Notification" in globalThis;
export const mayNotify = (): boolean => canNotify() && Notification.permission === "granted";

/** Asks the person once; a refusal can only be changed in the browser's settings. @returns whether notices will be shown */
export async function allowNotices(on: boolean): Promise<boolean> {
  if (!on || !canNotify()) return false;
  return mayNotify() || (await Notification.requestPermission()) === "granted";
}

/**
 * Shows a notification; a click on it brings this tab to the front.
 *
 * @param tag a later notification with the same tag replaces this one
 * @param more.stays it stays until the person acts
 * @returns a function that takes it away
 */
export function notify(
  title: string,
  body: string,
  tag: string,
  more: { readonly stays: boolean; readonly onClick?: () => void } = { stays: true },
): () => void {
  try {
    const notification = new Notification(title, { body, tag, requireInteraction: more.stays });
    notification.addEventListener("click", () => {
      focus();
      notification.close();
      more.onClick?.();
    });
    return () => notification.close();
  } catch {
    // Browsers of phones take notifications from service workers only.
    return () => undefined;
  }
}

/** A ring as the notification shows it. */
interface RingNotice {
  readonly callId: string;
  /** Chat user name of the caller. */
  readonly from: string;
  readonly title: string;
  readonly body: string;
  readonly language: "zh" | "en";
  /** Of the buttons that answer and refuse. */
  readonly labels: readonly [answer: string, refuse: string];
}

/**
 * Shows a ring with buttons that answer and refuse. Only a service worker can show buttons; it sends the click to a tab
 * (src/workers/service/push.ts). Without one the notification has none.
 *
 * @returns a function that takes it away
 */
export function notifyRing(ring: RingNotice): () => void {
  const { callId, from, title, body, language, labels } = ring;
  const tag = ringTag(callId);
  const options = {
    body,
    tag,
    lang: language,
    icon: `${BASE_PATH}/favicon.svg`,
    requireInteraction: true,
    data: { callId, from, language },
    actions: [
      { action: "answer", title: labels[0] },
      { action: "refuse", title: labels[1] },
    ],
  };
  let over = false;
  let takeAway = (): void => undefined;
  const show = async (): Promise<void> => {
    const registration = "serviceWorker" in navigator ? await serviceRegistration() : null;
    if (registration === null || over) throw new Error("no service worker");
    await registration.showNotification(title, options);
    takeAway = () =>
      void registration.getNotifications({ tag }).then((all) => all.forEach((one) => one.close()));
    if (over) takeAway();
  };
  show().catch(() => {
    if (!over) takeAway = notify(title, body, tag);
  });
  return () => {
    over = true;
    takeAway();
  };
}
