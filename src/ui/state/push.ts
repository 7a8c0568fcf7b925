/**
 * Whether this browser rings without a tab (docs/calls.md#web-push). The browser remembers for whose account it was turned on; the
 * subscription itself ends with the login, and each new login of that account renews it.
 */
import { createStore, del, get } from "idb-keyval";
import { BASE_PATH } from "../../core-client/base-path.ts";
import {
  hasPush,
  serviceRegistration,
  registerServiceWorker,
} from "../../core-client/service-worker.ts";
import type { CoreClient } from "../../core-client/contracts.ts";
import { nameBelow } from "../../shared/domain/base-path.ts";
import { PUSH_STORE, PUSH_WISH_MS, pushWishSchema } from "../../shared/protocol/push.ts";
import { pushSubscribeCall } from "../../shared/protocol/rest/push.ts";
import { allowNotices, mayNotify } from "./system-notices.ts";
import { dropLocal, readLocal, writeLocal } from "../storage.ts";

const KEY = "push";

export type PushState =
  /** The browser has no Web Push, or the page came without https. */
  | "unsupported"
  /** The browser blocks notifications of this site. */
  | "denied"
  | "on"
  | "off";
type Language = "zh" | "en";

export function pushState(accountId: string | null): PushState {
  if (!hasPush()) return "unsupported";
  if (Notification.permission === "denied") return "denied";
  return mayNotify() && accountId !== null && readLocal(KEY) === accountId ? "on" : "off";
}

const keyBytes = (text: string): Uint8Array<ArrayBuffer> => {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(binary, (char) => char.charCodeAt(0));
};
const sameBytes = (a: ArrayBuffer | null, b: Uint8Array): boolean =>
  a !== null && new Uint8Array(a).join() === b.join();

async function subscribe(core: CoreClient, language: Language): Promise<void> {
  const registration = await registerServiceWorker();
  const { publicKey } = await core.commands.rest.call({ call: "push.key" });
  const key = keyBytes(publicKey);
  let subscription = await registration.pushManager.getSubscription();
  // A subscription to another key takes no pushes of this server.
  if (subscription !== null && !sameBytes(subscription.options.applicationServerKey, key)) {
    await subscription.unsubscribe();
    subscription = null;
  }
  subscription ??= await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  });
  const body = pushSubscribeCall.body.parse({ ...subscription.toJSON(), language });
  await core.commands.rest.call({ call: "push.subscribe", body });
}

/**
 * Asks for the permission and subscribes. Call it in a gesture of the person.
 *
 * @returns false when the browser does not allow notifications
 * @throws the browser's error when its push service cannot be reached; AppError of the server
 */
export async function turnPushOn(
  core: CoreClient,
  accountId: string,
  language: Language,
): Promise<boolean> {
  if (!(await allowNotices(true))) return false;
  await subscribe(core, language);
  writeLocal(KEY, accountId);
  return true;
}

/** @param core null: the login is over, and the server has forgotten the subscription with it */
export async function turnPushOff(core: CoreClient | null): Promise<void> {
  dropLocal(KEY);
  const registration = await serviceRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  for (const shown of (await registration?.getNotifications()) ?? []) shown.close();
  if (subscription == null) return;
  const { endpoint } = subscription;
  await subscription.unsubscribe();
  await core?.commands.rest.call({ call: "push.unsubscribe", body: { endpoint } });
}

/** After a login or a change of the language. */
export async function renewPush(
  core: CoreClient,
  accountId: string,
  language: Language,
): Promise<void> {
  if (pushState(accountId) === "on") await subscribe(core, language);
}

/** @returns the id of the call that the notification which opened this tab was asked to answer; null: none */
export async function takeWish(): Promise<string | null> {
  if (readLocal(KEY) === null) return null;
  try {
    const store = createStore(nameBelow(BASE_PATH, PUSH_STORE.database), PUSH_STORE.store);
    const parsed = pushWishSchema.safeParse(await get(PUSH_STORE.key, store));
    await del(PUSH_STORE.key, store);
    return parsed.success && Date.now() - parsed.data.at < PUSH_WISH_MS ? parsed.data.callId : null;
  } catch {
    // A refused storage: the call rings in the tab, and the person answers there.
    return null;
  }
}
