/** For tests: a platform, and people of the demo data who use the provider's unmodified SDK. A file that imports this runs alone. */
import { setTimeout as pause } from "node:timers/promises";
import { accountCall } from "../../../shared/protocol/rest/auth.ts";
import { chatAccountCall } from "../../../shared/protocol/rest/im.ts";
import { systemClock } from "../../base/clock.ts";
import { startTestPlatform, type TestPlatform } from "../../platform.harness.ts";
import { loadSdk, type SdkEvent, sdkUser, type SdkUser } from "./groups/sdk.harness.ts";

const HANDLERS = [
  "onTextMessage",
  "onModifiedMessage",
  "onRecallMessage",
  "onReactionChange",
  "onMultiDeviceEvent",
  "onCmdMessage",
  "onCustomMessage",
  "onLocationMessage",
  "onCombineMessage",
  "onReadMessage",
  "onDeliveredMessage",
  "onChannelMessage",
  "onContactInvited",
  "onContactAgreed",
  "onContactAdded",
  "onContactRefuse",
  "onContactDeleted",
  "onMessagePinEvent",
  "onPresenceStatusChange",
] as const;

/** Milliseconds after which a test counts an event as missing. */
const PATIENCE = 10_000;

export interface Person {
  readonly user: SdkUser;
  /** The events that the SDK reported, oldest first. */
  readonly heard: readonly SdkEvent[];
  /** Resolves with the first event of this handler that fits. */
  hears(handler: (typeof HANDLERS)[number], fits?: (event: SdkEvent) => boolean): Promise<SdkEvent>;
  /** Calls a method of the SDK. @returns its answer's data */
  call(method: string, given?: object): Promise<unknown>;
  /** The type by which the SDK names a refusal. */
  refused(method: string, given: object): Promise<unknown>;
  /** Sends a message. @returns its server id */
  sendText(to: string, msg: string, more?: object): Promise<string>;
  /** Sends a message of any type. @returns its server id */
  sends(message: object): Promise<string>;
  /** The type by which the SDK names the refusal of a message. */
  refusedSend(message: object): Promise<unknown>;
  edit(to: string, messageId: string, msg: string, more?: object): Promise<unknown>;
}

export interface SdkPeople {
  readonly platform: TestPlatform;
  login(name: string, device?: string): Promise<Person>;
  /** Logs everybody out. */
  leave(): void;
  close(): Promise<void>;
}

export async function startSdkPeople(): Promise<SdkPeople> {
  // The SDK compares times with its own clock.
  const platform = await startTestPlatform({ clock: systemClock });
  // After the database, which would take this process for a browser.
  const sdk = loadSdk();
  const passwords = new Map<string, string>();
  const open: SdkUser[] = [];

  async function passwordOf(name: string): Promise<string> {
    const known = passwords.get(name);
    if (known !== undefined) return known;
    const token = (await platform.login(name)).access_token;
    const { id } = (await platform.ask("GET", accountCall.path, { token })).body.data as {
      id: string;
    };
    const query = new URLSearchParams({
      accountId: id,
      source: "环信",
      systemName: "hyzh#console",
    });
    const path = `${chatAccountCall.path}?${query.toString()}`;
    const account = (await platform.ask("GET", path, { token })).body.data as { password: string };
    passwords.set(name, account.password);
    return account.password;
  }

  return {
    platform,
    async login(name, device) {
      const password = await passwordOf(name);
      const user = await sdkUser(sdk, platform.origin, {
        name,
        password,
        ...(device === undefined ? {} : { device }),
      });
      open.push(user);
      const heard: SdkEvent[] = [];
      const listen = (handler: string) => (event: Record<string, unknown>) =>
        void heard.push({ ...event, handler });
      await user.conn["addEventHandler"]?.(
        "people",
        Object.fromEntries(HANDLERS.map((handler) => [handler, listen(handler)])),
      );
      const create = (to: string, msg: string, more: object = {}) =>
        sdk.message.create({ type: "txt", chatType: "singleChat", to, msg, ...more });
      const call: Person["call"] = async (method, given) =>
        (await user.conn[method]?.(given))?.data;
      return {
        user,
        heard,
        call,
        refused: (method, given) =>
          Promise.resolve()
            .then(() => user.conn[method]?.(given))
            .then(
              () => "not refused",
              (error: { type?: unknown }) => error.type,
            ),
        async hears(handler, fits = () => true) {
          const deadline = performance.now() + PATIENCE;
          for (;;) {
            const found = heard.find((e) => e.handler === handler && fits(e));
            if (found !== undefined) return found;
            if (performance.now() > deadline) throw new Error(`${name} did not hear ${handler}`);
            await pause(5);
          }
        },
        async sendText(to, msg, more) {
          const answer = await user.conn["send"]?.(create(to, msg, more));
          return String(answer?.["serverMsgId"]);
        },
        async sends(message) {
          const answer = await user.conn["send"]?.(sdk.message.create(message));
          return String(answer?.["serverMsgId"]);
        },
        refusedSend: (message) =>
          Promise.resolve(user.conn["send"]?.(sdk.message.create(message))).then(
            () => "not refused",
            (error: { type?: unknown }) => error.type,
          ),
        edit: (to, messageId, msg, more) =>
          Promise.resolve(
            user.conn["modifyMessage"]?.({ messageId, modifiedMessage: create(to, msg, more) }),
          ),
      };
    },
    leave() {
      for (const user of open.splice(0)) user.close();
    },
    close: () => platform.close(),
  };
}
