/** Builds the frames that the gateway sends, one function per frame. */
import { asciiJson } from "./ascii-json.ts";
import type { EditMark } from "../messages/edit-mark.ts";
import {
  COMMAND,
  LogoutCodec,
  NAMESPACE,
  NoticeCodec,
  ProvisionCodec,
  STATUS,
  StatisticsCodec,
  SyncDownCodec,
  USER_DOMAIN,
  UnreadDownCodec,
  encodeSyncDown,
  frame,
} from "./wire.ts";
import type { Jid, Meta, Status } from "./wire.ts";

/** `now` is in milliseconds since the epoch everywhere. */
export interface Frames {
  /** The inbox of a user, as the SDK names it. */
  queueOf(userName: string): Jid;
  /** Tells the client that its inbox has a new message. */
  notice(userName: string): Uint8Array;
  /** @param n number of messages in the inbox that the device has not pulled */
  unread(userName: string, n: number, now: number): Uint8Array;
  /** @param tokenExpiresAt milliseconds since the epoch */
  loggedIn(resource: string, sessionId: string | undefined, tokenExpiresAt: number): Uint8Array;
  loginRefused(resource: string, reason: string): Uint8Array;
  loggedOut(): Uint8Array;
  /** The answer to an uploaded meta. */
  receipt(clientId: string, status: Status, serverId: string, now: number): Uint8Array;
  /** The answer to an uploaded edit. The SDK reads the mark and fails without it. */
  edited(clientId: string, serverId: string, mark: EditMark, now: number): Uint8Array;
  /** A batch of encoded metas. The client acknowledges it by sending `nextKey` back. */
  batch(userName: string, metas: readonly Uint8Array[], nextKey: string, now: number): Uint8Array;
  /** Tells the client that nothing is left to pull. */
  end(userName: string, now: number): Uint8Array;
  /** Encoded metas outside any queue: only connected clients receive them, and they are never acknowledged. */
  push(metas: readonly Uint8Array[], now: number): Uint8Array;
  /** @param operation one of KICK */
  kick(userName: string, operation: number, reason: string, id: string, now: number): Uint8Array;
  /** @param json the values in the SDK's format: uid, last_time, expiry (seconds), ext, status by resource */
  presence(userName: string, to: string, json: string, id: string, now: number): Meta;
}

const OK: Status = { errorCode: STATUS.ok, reason: "" };

export function createFrames(appKey: string): Frames {
  const jid = (name: string): Jid => ({ appKey, name, domain: USER_DOMAIN });
  const down = (value: Parameters<typeof SyncDownCodec.encode>[0]): Uint8Array =>
    frame(COMMAND.sync, SyncDownCodec.encode({ status: OK, ...value }));
  const downWith = (
    metas: readonly Uint8Array[],
    value: Parameters<typeof SyncDownCodec.encode>[0],
  ): Uint8Array => frame(COMMAND.sync, encodeSyncDown({ status: OK, ...value }, metas));
  // The client never pulls this queue, so a push does not disturb a running pull.
  const pushQueue = jid("online");

  return {
    queueOf: jid,
    notice: (userName) => frame(COMMAND.notice, NoticeCodec.encode({ queue: jid(userName) })),
    unread: (userName, n, now) =>
      frame(
        COMMAND.unread,
        UnreadDownCodec.encode({
          status: OK,
          unread: n > 0 ? [{ queue: jid(userName), n }] : [],
          timestamp: String(now),
        }),
      ),
    loggedIn: (resource, sessionId, tokenExpiresAt) =>
      frame(
        COMMAND.provision,
        ProvisionCodec.encode({
          status: OK,
          resource,
          ...(sessionId === undefined ? {} : { sessionId }),
          protocolCompressType: [],
          authToken: JSON.stringify({ expires_in: tokenExpiresAt }),
        }),
      ),
    loginRefused: (resource, reason) =>
      frame(
        COMMAND.provision,
        ProvisionCodec.encode({
          status: { errorCode: STATUS.fail, reason },
          resource,
          protocolCompressType: [],
        }),
      ),
    loggedOut: () => frame(COMMAND.logout, LogoutCodec.encode({ status: OK })),
    receipt: (clientId, status, serverId, now) =>
      frame(
        COMMAND.sync,
        SyncDownCodec.encode({ status, metaId: clientId, serverId, timestamp: String(now) }),
      ),
    edited: (clientId, serverId, mark, now) =>
      frame(
        COMMAND.sync,
        SyncDownCodec.encode({
          status: OK,
          metaId: clientId,
          serverId,
          timestamp: String(now),
          metas: [
            {
              id: serverId,
              ns: NAMESPACE.notify,
              timestamp: String(now),
              payload: Buffer.from(asciiJson({ edit_msg: mark })),
            },
          ],
        }),
      ),
    batch: (userName, metas, nextKey, now) =>
      downWith(metas, { nextKey, queue: jid(userName), isLast: false, timestamp: String(now) }),
    end: (userName, now) => down({ queue: jid(userName), isLast: true, timestamp: String(now) }),
    push: (metas, now) =>
      downWith(metas, { queue: pushQueue, isLast: true, timestamp: String(now) }),
    kick: (userName, operation, reason, id, now) =>
      down({
        metas: [
          {
            id,
            from: jid("admin"),
            to: jid(userName),
            timestamp: String(now),
            ns: NAMESPACE.statistic,
            payload: StatisticsCodec.encode({ operation, reason }),
            routetype: 0,
          },
        ],
        queue: pushQueue,
        isLast: true,
        timestamp: String(now),
      }),
    presence: (userName, to, json, id, now) => ({
      id,
      from: jid(userName),
      to: jid(to),
      timestamp: String(now),
      ns: NAMESPACE.notify,
      payload: Buffer.from(json),
      routetype: 1,
    }),
  };
}
