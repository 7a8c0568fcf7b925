/**
 * For tests: people who use the provider's unmodified SDK, in this process. The SDK needs a few globals of a browser, so a test file
 * that imports this one runs alone.
 */
import { createRequire } from "node:module";
import { setTimeout as pause } from "node:timers/promises";
import { WebSocket } from "ws";

type Run = () => void;

/** The part of XMLHttpRequest that the SDK uses, over fetch. */
class Request {
  readyState = 0;
  status = 0;
  responseText = "";
  responseURL = "";
  response: string | Blob = "";
  timeout = 0;
  responseType = "";
  onreadystatechange: Run | null = null;
  onload: Run | null = null;
  onerror: Run | null = null;
  ontimeout: Run | null = null;
  upload = { addEventListener: () => undefined };
  readonly #headers: Record<string, string> = {};
  #method = "GET";
  #url = "";
  open(method: string, url: string): void {
    this.#method = method;
    this.#url = url;
    this.readyState = 1;
  }
  setRequestHeader(name: string, value: string): void {
    this.#headers[name] = value;
  }
  readonly #listeners = new Map<string, (event: { target: Request }) => void>();
  addEventListener(kind: string, listener: (event: { target: Request }) => void): void {
    this.#listeners.set(kind, listener);
  }
  getResponseHeader(): string | null {
    return null;
  }
  abort(): void {}
  send(body?: string | null): void {
    const answered = (): void => {
      this.readyState = 4;
      this.onreadystatechange?.();
      if (this.status > 0) this.onload?.();
      else this.onerror?.();
      this.#listeners.get(this.status > 0 ? "load" : "error")?.({ target: this });
    };
    const init = { method: this.#method.toUpperCase(), headers: this.#headers };
    fetch(this.#url, { ...init, ...(body === null || body === undefined ? {} : { body }) })
      .then(async (answer) => {
        const blob = await answer.blob();
        const text = await blob.text();
        this.responseURL = answer.url;
        this.status = answer.status;
        this.responseText = text;
        this.response = this.responseType === "blob" ? blob : text;
      })
      .then(answered, answered);
  }
}

/** The part of FileReader that the SDK uses. */
class Reader {
  onload: ((event: { target: { result: ArrayBuffer } }) => void) | null = null;
  onerror: ((error: unknown) => void) | null = null;
  #onEnd: ((event: { target: { result: string } }) => void) | null = null;
  addEventListener(
    _kind: "loadend",
    listener: (event: { target: { result: string } }) => void,
  ): void {
    this.#onEnd = listener;
  }
  readAsText(blob: Blob): void {
    void blob.text().then((result) => this.#onEnd?.({ target: { result } }));
  }
  readAsArrayBuffer(blob: Blob): void {
    blob.arrayBuffer().then(
      (result) => this.onload?.({ target: { result } }),
      (error: unknown) => this.onerror?.(error),
    );
  }
}

export interface SdkEvent {
  readonly handler: string;
  readonly [field: string]: unknown;
}
type Method = (...given: unknown[]) => Promise<Record<string, unknown> & { data?: unknown }>;
export interface SdkUser {
  readonly name: string;
  /** The SDK's connection: any of its methods. */
  readonly conn: Readonly<Record<string, Method>>;
  /** The events that the SDK reported, oldest first. */
  readonly events: readonly SdkEvent[];
  /** Sends a text to a group. */
  sendText(groupId: string, msg: string): Promise<string>;
  /** Texts of a group, as they came. */
  texts(groupId: string): string[];
  /** Resolves with the first event that fits. */
  until(what: string, fits: (event: SdkEvent) => boolean): Promise<SdkEvent>;
  /** Resolves when a group event of this operation about the group came. */
  groupEvent(operation: string, groupId: string): Promise<SdkEvent>;
  close(): void;
}

interface Sdk {
  connection: new (options: object) => Record<string, Method> & {
    addEventHandler(id: string, handlers: object): void;
    close(): void;
    dataReport?: { setIsCollectDt?(collect: boolean): void };
  };
  message: { create(options: object): Record<string, unknown> };
  logger: { disableAll(): void };
}

const HANDLERS = [
  "onTextMessage",
  "onCmdMessage",
  "onGroupEvent",
  "onRecallMessage",
  "onChannelMessage",
  "onReadMessage",
] as const;
/** Milliseconds after which a test counts an event as missing. */
const PATIENCE = 10_000;

export function loadSdk(): Sdk {
  Object.assign(globalThis, {
    self: globalThis,
    window: globalThis,
    WebSocket,
    XMLHttpRequest: Request,
    FileReader: Reader,
    // Keeps nothing: the SDK would give every connection the device of the first.
    localStorage: {
      getItem: () => null,
      setItem: () => undefined,
      removeItem: () => undefined,
    },
  });
  let found = createRequire(import.meta.url)("easemob-websdk") as Sdk & { default?: typeof found };
  while (!("connection" in found) || found.connection === undefined) {
    if (found.default === undefined) throw new Error("the SDK has no connection");
    found = found.default;
  }
  found.logger.disableAll();
  return found;
}

/** @param origin of the platform; `device` names one of several devices of a person */
export async function sdkUser(
  sdk: Sdk,
  origin: string,
  account: { readonly name: string; readonly password: string; readonly device?: string },
): Promise<SdkUser> {
  const { name, password, device = "one" } = account;
  const conn = new sdk.connection({
    appKey: "hyzh#console",
    isHttpDNS: false,
    url: `${origin.replace("http", "ws")}/websocket`,
    apiUrl: origin,
    https: false,
    delivery: false,
    deviceId: device,
    autoReconnectNumMax: 0,
  });
  conn.dataReport?.setIsCollectDt?.(false);
  const events: SdkEvent[] = [];
  conn.addEventHandler(
    "test",
    Object.fromEntries(
      HANDLERS.map((handler) => [
        handler,
        (event: Record<string, unknown>) => void events.push({ ...event, handler }),
      ]),
    ),
  );
  await conn["open"]?.({ user: name, pwd: password });
  const until: SdkUser["until"] = async (what, fits) => {
    const deadline = performance.now() + PATIENCE;
    for (;;) {
      const found = events.find(fits);
      if (found !== undefined) return found;
      if (performance.now() > deadline) throw new Error(`${name} still waits: ${what}`);
      await pause(5);
    }
  };
  return {
    name,
    conn,
    events,
    until,
    groupEvent: (operation, groupId) =>
      until(
        `${operation} of ${groupId}`,
        (e) => e.handler === "onGroupEvent" && e["operation"] === operation && e["id"] === groupId,
      ),
    async sendText(groupId, msg) {
      const message = sdk.message.create({ type: "txt", chatType: "groupChat", to: groupId, msg });
      const answer = await conn["send"]?.(message);
      return String(answer?.["serverMsgId"]);
    },
    texts: (groupId) =>
      events
        .filter((e) => e.handler === "onTextMessage" && e["to"] === groupId)
        .map((e) => String(e["msg"])),
    close: () => conn.close(),
  };
}
