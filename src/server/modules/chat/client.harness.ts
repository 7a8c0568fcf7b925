/** For tests: a chat client that speaks the wire protocol itself. */
import { EventEmitter, once } from "node:events";
import { WebSocket } from "ws";
import {
  BODY,
  COMMAND,
  CONTENT,
  MSyncCodec,
  MessageBodyCodec,
  NAMESPACE,
  NoticeCodec,
  ProvisionCodec,
  StatisticsCodec,
  SyncDownCodec,
  SyncUpCodec,
  UnreadDownCodec,
} from "./wire/wire.ts";
import type {
  Codec,
  MSync,
  MessageBody,
  Meta,
  Provision,
  SyncDown,
  SyncUp,
  UnreadDown,
} from "./wire/wire.ts";

export const APP_KEY = "hyzh#console";

export interface Received {
  readonly id: string;
  readonly from: string;
  readonly type: number;
  readonly text: string;
  readonly action: string;
  readonly about: string;
  readonly meta: Meta;
}

export interface TestClient {
  readonly socket: WebSocket;
  readonly received: Received[];
  readonly statistics: number[];
  readonly notices: number;
  /** Answers to pulls that reported nothing left. */
  readonly ends: number;
  /** Received batches that contained messages. */
  readonly batches: SyncDown[];
  /** When false, pulled batches are not acknowledged and notices are not followed by a pull. */
  auto: boolean;
  closed: { code: number; reason: string } | null;
  login(userName: string, resource: string, token: string): Promise<Provision>;
  /** A string is sent as a text frame. */
  sendRaw(bytes: Uint8Array | string): void;
  command(command: number, payload?: Uint8Array): void;
  sync(up: SyncUp): void;
  upload(
    id: string,
    to: string,
    body: Partial<MessageBody>,
    meta?: Partial<Meta>,
  ): Promise<SyncDown>;
  text(id: string, to: string, text: string, meta?: Partial<Meta>): Promise<SyncDown>;
  cmd(id: string, to: string, action: string, meta?: Partial<Meta>): Promise<SyncDown>;
  unread(): Promise<UnreadDown>;
  /** Resolves when the condition holds. It is checked after every frame and on close. */
  until(what: string, condition: () => boolean): Promise<void>;
}

export async function openClient(base: string): Promise<TestClient> {
  const socket = new WebSocket(`ws://${base}/websocket`);
  socket.binaryType = "nodebuffer";
  const changed = new EventEmitter();
  changed.setMaxListeners(0);
  const acks = new Map<string, (down: SyncDown) => void>();
  let onProvision: ((p: Provision) => void) | undefined;
  let onUnread: ((u: UnreadDown) => void) | undefined;
  let user = "";
  let notices = 0;
  let ends = 0;

  const client: TestClient = {
    socket,
    received: [],
    statistics: [],
    batches: [],
    get notices() {
      return notices;
    },
    get ends() {
      return ends;
    },
    auto: true,
    closed: null,
    login(userName, resource, token) {
      user = userName;
      return new Promise((resolve) => {
        onProvision = resolve;
        client.sendRaw(
          MSyncCodec.encode({
            guid: { appKey: APP_KEY, name: userName, domain: "easemob.com" },
            auth: `$t$${token}`,
            command: COMMAND.provision,
            payload: ProvisionCodec.encode({
              resource,
              osType: 16,
              authToken: JSON.stringify({ token: `$t$${token}` }),
            }),
          }),
        );
      });
    },
    sendRaw: (bytes) => socket.send(bytes),
    command: (command, payload = new Uint8Array()) =>
      socket.send(MSyncCodec.encode({ command, payload })),
    sync: (up) => client.command(COMMAND.sync, SyncUpCodec.encode(up)),
    upload(id, to, body, meta = {}) {
      return new Promise((resolve) => {
        acks.set(id, resolve);
        client.sync({
          meta: {
            id,
            ns: NAMESPACE.chat,
            to: { appKey: APP_KEY, name: to, domain: "easemob.com" },
            routetype: 0,
            payload: MessageBodyCodec.encode({
              type: BODY.chat,
              from: { name: user },
              to: { name: to },
              ...body,
            }),
            ...meta,
          },
        });
      });
    },
    text: (id, to, text, meta) =>
      client.upload(id, to, { contents: [{ type: CONTENT.text, text }] }, meta),
    cmd: (id, to, action, meta) =>
      client.upload(id, to, { contents: [{ type: CONTENT.command, action }] }, meta),
    unread() {
      return new Promise((resolve) => {
        onUnread = resolve;
        client.command(COMMAND.unread);
      });
    },
    async until(what, condition) {
      const deadline = AbortSignal.timeout(25_000);
      while (!condition()) {
        try {
          await once(changed, "change", { signal: deadline });
        } catch {
          const got = client.received.map(({ text, action, type }) => text || action || type);
          throw new Error(`still waiting: ${what}; received ${JSON.stringify(got)}`);
        }
      }
    },
  };

  function receive(meta: Meta): void {
    if (meta.ns === NAMESPACE.statistic) {
      client.statistics.push(StatisticsCodec.decode(meta.payload ?? new Uint8Array()).operation);
      return;
    }
    const body: MessageBody =
      meta.ns === NAMESPACE.chat
        ? MessageBodyCodec.decode(meta.payload ?? new Uint8Array())
        : { type: -meta.ns };
    client.received.push({
      id: meta.id,
      from: meta.from?.name ?? "",
      type: body.type,
      text:
        meta.ns === NAMESPACE.chat
          ? (body.contents?.[0]?.text ?? "")
          : Buffer.from(meta.payload ?? []).toString(),
      action: body.contents?.[0]?.action ?? "",
      about: body.ackMessageId ?? "",
      meta,
    });
  }

  socket.on("message", (data: Buffer) => {
    const message: MSync = MSyncCodec.decode(data);
    const payload = message.payload ?? new Uint8Array();
    const read = <T>(codec: Codec<T>): T => codec.decode(payload);
    if (message.command === COMMAND.provision) onProvision?.(read(ProvisionCodec));
    else if (message.command === COMMAND.unread) onUnread?.(read(UnreadDownCodec));
    else if (message.command === COMMAND.notice) {
      notices += 1;
      const { queue } = read(NoticeCodec);
      if (client.auto && queue !== undefined) client.sync({ queue });
    } else if (message.command === COMMAND.sync) {
      const down = read(SyncDownCodec);
      if (down.metaId !== undefined) {
        acks.get(down.metaId)?.(down);
        acks.delete(down.metaId);
      }
      if (down.isLast === true && (down.metas ?? []).length === 0) ends += 1;
      for (const meta of down.metas ?? []) receive(meta);
      if (down.nextKey !== undefined && (down.metas ?? []).length > 0) {
        client.batches.push(down);
        if (client.auto && down.queue !== undefined) {
          client.sync({ queue: down.queue, key: down.nextKey });
        }
      }
    }
    changed.emit("change");
  });
  socket.on("close", (code, reason) => {
    client.closed = { code, reason: reason.toString() };
    changed.emit("change");
  });
  socket.on("error", () => changed.emit("change"));
  await once(socket, "open");
  return client;
}
