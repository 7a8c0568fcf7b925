/** The people of the bench of chat: a socket each, which does what the provider's SDK does on the wire. */
import { once } from "node:events";
import { WebSocket } from "ws";
import {
  BODY,
  COMMAND,
  CONTENT,
  GROUP_DOMAIN,
  MessageBodyCodec,
  MSyncCodec,
  NAMESPACE,
  NoticeCodec,
  ProvisionCodec,
  SyncDownCodec,
  SyncUpCodec,
  UnreadDownCodec,
  USER_DOMAIN,
} from "../../../src/server/modules/chat/wire/wire.ts";

/** Accounts, all of them in one group. */
export const PEOPLE = 5000;
export const GROUP = "5000";
const APP_KEY = "hyzh#console";

export interface BenchClient {
  send(to: string, text: string): void;
  close(): void;
}

/** @param onText called with each received text */
export async function connectToGateway(
  port: number,
  name: string,
  token: string,
  onText: (text: string) => void,
): Promise<BenchClient> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/websocket`, { perMessageDeflate: false });
  await once(socket, "open");
  const sync = (up: object): void =>
    socket.send(
      MSyncCodec.encode({ command: COMMAND.sync, payload: SyncUpCodec.encode(up as never) }),
    );
  let loggedIn: () => void = () => undefined;
  const unread = (): void => socket.send(MSyncCodec.encode({ command: COMMAND.unread }));
  const ready = new Promise<void>((resolve) => (loggedIn = resolve));
  socket.on("message", (data: Buffer) => {
    const { command, payload = new Uint8Array() } = MSyncCodec.decode(data);
    if (command === COMMAND.provision) unread();
    else if (command === COMMAND.unread) {
      for (const { queue } of UnreadDownCodec.decode(payload).unread ?? []) sync({ queue });
      loggedIn();
    } else if (command === COMMAND.notice) sync({ queue: NoticeCodec.decode(payload).queue });
    else if (command === COMMAND.sync) {
      const down = SyncDownCodec.decode(payload);
      for (const meta of down.metas ?? []) {
        if (meta.ns !== NAMESPACE.chat) continue;
        const body = MessageBodyCodec.decode(meta.payload ?? new Uint8Array());
        onText(body.contents?.[0]?.text ?? "");
      }
      // The key acknowledges the batch.
      if (down.nextKey !== undefined && (down.metas ?? []).length > 0) {
        sync({ queue: down.queue, key: down.nextKey });
      }
    }
  });
  socket.send(
    MSyncCodec.encode({
      guid: { appKey: APP_KEY, name, domain: USER_DOMAIN },
      auth: `$t$${token}`,
      command: COMMAND.provision,
      payload: ProvisionCodec.encode({
        resource: `web_${name}`,
        osType: 16,
        authToken: JSON.stringify({ token: `$t$${token}` }),
      } as never),
    }),
  );
  await ready;
  let serial = Date.now() * 1000;
  return {
    send(to, text) {
      const group = to === GROUP;
      const domain = group ? GROUP_DOMAIN : USER_DOMAIN;
      sync({
        meta: {
          id: String((serial += 1)),
          ns: NAMESPACE.chat,
          to: { appKey: APP_KEY, name: to, domain },
          routetype: 0,
          payload: MessageBodyCodec.encode({
            type: group ? BODY.groupChat : BODY.chat,
            from: { name },
            to: { name: to },
            contents: [{ type: CONTENT.text, text }],
          } as never),
        },
      });
    },
    close: () => socket.terminate(),
  };
}

export async function connectToRelay(
  port: number,
  name: string,
  onText: (text: string) => void,
): Promise<BenchClient> {
  const url = `ws://127.0.0.1:${port}/?name=${name}`;
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await once(socket, "open");
  socket.on("message", (data: Buffer) => {
    const text = data.toString();
    onText(text.slice(text.indexOf(" ") + 1));
  });
  return {
    send: (to, text) => socket.send(`${to} ${text}`),
    close: () => socket.terminate(),
  };
}
