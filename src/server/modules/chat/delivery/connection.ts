/**
 * One WebSocket of the gateway: login first, then uploads, pulls and heartbeats. Frames are handled in order. A frame that
 * cannot be parsed closes the socket, and no part of it is stored.
 */
import type { WebSocket } from "ws";
import type { Logger } from "pino";
import { WS_CLOSE } from "../../../../shared/protocol/signalling.ts";
import type { Clock } from "../../../base/module.ts";
import { createSocketGuard, type SocketLimits } from "../../../base/socket-guard.ts";
import type { ChatIdentity, Credentials } from "../credentials.ts";
import type { Cursors } from "./cursors.ts";
import { editMarkOf } from "../messages/edits.ts";
import type { Frames } from "../wire/frames.ts";
import type { Hub, Device } from "./hub.ts";
import { CHAT_LIMITS } from "../limits.ts";
import { prepare } from "../messages/messages.ts";
import type { MessageRules } from "../messages/messages.ts";
import { createPuller } from "./puller.ts";
import type { Puller } from "./puller.ts";
import type { RecentInbox } from "./recent-inbox.ts";
import type { ChatStore } from "../store.ts";
import {
  COMMAND,
  MSyncCodec,
  MalformedError,
  NAMESPACE,
  ProvisionCodec,
  STATUS,
  SyncUpCodec,
} from "../wire/wire.ts";
import type { MSync, Meta } from "../wire/wire.ts";
import type { Writer } from "./writer.ts";

export interface ConnectionDeps {
  readonly hub: Hub;
  readonly store: ChatStore;
  readonly recent: Pick<RecentInbox, "after">;
  readonly cursors: Cursors;
  readonly writer: Writer;
  readonly frames: Frames;
  readonly credentials: Credentials;
  readonly rules: MessageRules;
  readonly clock: Clock;
  readonly log: Logger;
  readonly nextId: () => bigint;
  /** Whether the login that issued the token is still valid. */
  readonly isCurrent: (identity: ChatIdentity) => Promise<boolean>;
  /**
   * Counts the socket towards its account.
   *
   * @returns false when the account has too many
   */
  readonly identify: (userName: string) => boolean;
  /** Called for each accepted message. */
  readonly onMessage: () => void;
  /** Called once, when the socket is gone. */
  readonly onClosed: () => void;
}

/** The first malformed frame, and the first frame over the rate, closes the socket, because the SDK never sends such frames. */
const SOCKET_LIMITS: SocketLimits = {
  framesPerSecond: CHAT_LIMITS.framesPerSecond,
  burst: CHAT_LIMITS.burst,
  badFrames: 1,
  pingMs: CHAT_LIMITS.pingMs,
  sendBufferBytes: CHAT_LIMITS.sendBufferBytes,
};
/** Frames that may wait behind the current one. A peer above this limit is not reading the answers. */
const MAX_WAITING = 1000;
const RESOURCE = /^[\x20-\x7e]{1,160}$/;

/** Serves an accepted socket until it closes. Never throws. */
export function serveConnection(socket: WebSocket, deps: ConnectionDeps): void {
  const { clock, frames, hub, store, log } = deps;
  let session: { device: Device; puller: Puller } | null = null;
  let waiting = 0;
  let tail: Promise<void> = Promise.resolve();
  const guard = createSocketGuard(socket, clock, SOCKET_LIMITS, {
    onText: () => close(WS_CLOSE.badFrames, "binary frames only"),
    onBinary: enqueue,
    onLimited: () => close(WS_CLOSE.tooMany, "too many frames"),
    onGone() {
      loginTimer.cancel();
      if (session !== null) hub.leave(session.device);
      deps.onClosed();
    },
  });
  const send = (bytes: Uint8Array): void => void guard.send(bytes);
  const loginTimer = clock.setTimeout(() => {
    if (session === null) close(WS_CLOSE.unauthorised, "no login");
  }, CHAT_LIMITS.loginMs);

  function close(code: number, reason: string): void {
    if (!guard.open) return;
    // Leave now, not when the peer has confirmed the end: nothing more may be delivered here.
    if (session !== null) hub.leave(session.device);
    guard.close(code, reason);
  }

  async function login(message: MSync): Promise<void> {
    if (session !== null) throw new MalformedError("a second login on one socket");
    const provision = ProvisionCodec.decode(message.payload ?? new Uint8Array());
    const resource = provision.resource ?? "";
    if (!RESOURCE.test(resource)) throw new MalformedError("no device resource");
    const checked = await deps.credentials.check(tokenOf(message.auth, provision.authToken));
    if (!checked.ok || checked.identity.userName !== message.guid?.name) {
      refuseLogin(
        resource,
        !checked.ok && checked.expired
          ? "Sorry, token expired"
          : "Sorry, token or password does not match login info",
      );
      return;
    }
    const { identity } = checked;
    if (!(await deps.isCurrent(identity))) {
      refuseLogin(resource, "Sorry, token expired");
      return;
    }
    if (!deps.identify(identity.userName)) {
      close(WS_CLOSE.tooMany, "too many sockets");
      return;
    }
    const acked = await deps.cursors.open(identity.userName, resource);
    if (!guard.open) return;
    const puller = createPuller({
      userName: identity.userName,
      resource,
      acked,
      store,
      recent: deps.recent,
      acknowledge: deps.cursors.acknowledge,
      frames,
      clock,
      send,
      // The SDK answers every delivered message with a receipt, so grant one frame per message. Otherwise the receipts after a
      // long absence would exceed the rate limit.
      onDelivered: (n) => guard.grant(n + 1),
    });
    session = { puller, device: deviceOf(identity, resource, puller) };
    loginTimer.cancel();
    send(frames.loggedIn(resource, provision.sessionId, identity.expiresAt));
    hub.join(session.device);
    // An end of the login before the hub knew the device has not closed it.
    if (!(await deps.isCurrent(identity))) {
      session.device.drop(WS_CLOSE.unauthorised, "the session has ended");
    }
  }

  function refuseLogin(resource: string, reason: string): void {
    send(frames.loginRefused(resource, reason));
    // Close the socket: the SDK would treat an open one as connected.
    close(WS_CLOSE.unauthorised, "login refused");
  }

  function deviceOf(identity: ChatIdentity, resource: string, puller: Puller): Device {
    return {
      connectionId: deps.nextId(),
      userName: identity.userName,
      resource,
      sessionId: identity.sessionId,
      notify: (inbox) => puller.notify(inbox),
      push(meta) {
        guard.grant(2);
        send(frames.push([meta], clock.now()));
      },
      kick(operation, reason) {
        send(frames.kick(identity.userName, operation, reason, String(deps.nextId()), clock.now()));
        close(WS_CLOSE.replaced, reason);
      },
      drop: close,
    };
  }

  async function upload(device: Device, meta: Meta): Promise<void> {
    // The SDK uploads its statistics as a meta. It expects no answer and fails on one.
    if (meta.ns === NAMESPACE.statistic) return;
    if (meta.id === "0") throw new MalformedError("a message without an id");
    const answer = (errorCode: number, reason: string, serverId: string, at: number): void =>
      send(frames.receipt(meta.id, { errorCode, reason }, serverId, at));
    if (meta.ns !== NAMESPACE.chat) {
      answer(STATUS.fail, "unsupported operation", "0", clock.now());
      return;
    }
    const prepared = await prepare(device, meta, deps.rules);
    if ("refused" in prepared) {
      answer(prepared.refused.errorCode, prepared.refused.reason ?? "", "0", clock.now());
      return;
    }
    // Not awaited, so that the message of the next frame can share the transaction. The writer keeps the order.
    deps.writer.write(prepared.outgoing).then(
      (written) => {
        if (!written.duplicate) deps.onMessage();
        const mark = written.outgoing.edit == null ? null : editMarkOf(written.meta);
        if (mark === null) answer(STATUS.ok, "", String(written.id), written.sentAt);
        else send(frames.edited(meta.id, String(written.id), mark, written.sentAt));
      },
      (error: unknown) => {
        log.error({ err: error }, "chat message not stored");
        answer(STATUS.fail, "server busy", "0", clock.now());
      },
    );
  }

  async function handle(bytes: Uint8Array): Promise<void> {
    const message = MSyncCodec.decode(bytes);
    if (message.command === COMMAND.provision) return await login(message);
    if (session === null) {
      close(WS_CLOSE.unauthorised, "log in first");
      return;
    }
    const { device, puller } = session;
    switch (message.command) {
      case COMMAND.unread:
        return await puller.unread();
      case COMMAND.sync: {
        const up = SyncUpCodec.decode(message.payload ?? new Uint8Array());
        return await (up.meta === undefined ? puller.pull(up) : upload(device, up.meta));
      }
      case COMMAND.logout:
        send(frames.loggedOut());
        close(1000, "logged out");
        return;
      default:
        throw new MalformedError("unsupported command");
    }
  }

  function enqueue(bytes: Uint8Array): void {
    if (waiting >= MAX_WAITING) {
      close(WS_CLOSE.tooMany, "too many frames");
      return;
    }
    waiting += 1;
    tail = tail.then(async () => {
      try {
        if (guard.open) await handle(bytes);
      } catch (error) {
        if (error instanceof MalformedError) close(WS_CLOSE.badFrames, error.message);
        else {
          log.error({ err: error }, "chat frame failed");
          close(1011, "server error");
        }
      } finally {
        waiting -= 1;
      }
    });
  }
}

/** The SDK sends the token twice: as `$t$<token>` in the frame, and as JSON in the provision. */
function tokenOf(auth: string | undefined, authToken: string | undefined): string {
  let text = auth ?? "";
  if (authToken !== undefined && authToken !== "") {
    try {
      const parsed: unknown = JSON.parse(authToken);
      if (typeof parsed === "object" && parsed !== null && "token" in parsed) {
        text = String(parsed.token);
      }
    } catch {
      // An older client sends none there.
    }
  }
  return text.startsWith("$t$") ? text.slice(3) : text;
}
