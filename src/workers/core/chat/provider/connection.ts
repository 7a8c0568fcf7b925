/**
 * Keeps one person logged in to chat (docs/chat.md#connection): looks the chat account up, opens a connection, and opens a new one
 * with growing pauses whenever the SDK has given up, for as long as the person is logged in and the machine online.
 */
import { reconnectDelay } from "../../../../shared/domain/backoff.ts";
import { AppError } from "../../../../shared/errors.ts";
import { CHAT_SOURCE, chatAccountCall } from "../../../../shared/protocol/rest/im.ts";
import type { ChatSlice, ConnectionState } from "../../../../shared/protocol/state.ts";
import type { CoreEnv, Http, SessionUser, Timer } from "../../contracts.ts";
import { connectionOptions } from "./connection-options.ts";
import { type Phase, shownIn } from "./connection-phase.ts";
import { credentialError, isDeadToken, isKicked } from "./failures.ts";
import {
  ChatFailure,
  type ChatConnection,
  type ConnectionEvents,
  type ConnectionOptions,
} from "./port.ts";

/** ms for opening. The SDK allows 10 s for the socket and 10 s for the login, but its token request has no timeout. */
const OPEN_DEADLINE = 30_000;
/** ms between two attempts when the account itself was refused. */
const REFUSED_DELAY = 30_000;
/** ms between two probes, because a network can die without an event. */
const PROBE_EVERY = 20_000;

export interface ChatLoginEvents extends Omit<
  ConnectionEvents,
  "connected" | "reconnecting" | "disconnected" | "error" | "tokenExpired"
> {
  /** The chat account of the user is known. */
  account(userName: string): void;
  /** Logged in; messages can be sent. */
  open(): void;
  /** No longer logged in; pending messages may be lost. */
  lost(): void;
  state(state: ConnectionState, text: ChatSlice["statusText"], attempts: number): void;
  kicked(): void;
  /** The account was refused; called once per cause. */
  refused(error: AppError): void;
}

export interface ChatLogin {
  login(user: SessionUser): void;
  logout(): void;
  /** The connection while messages can be sent, else null. */
  connection(): ChatConnection | null;
  /** The person uses the chat: logs in again after a kick. */
  nudge(): void;
  /** Closes the connection until `wake`, because the person has no tab. */
  rest(): void;
  wake(): void;
  /** The server is back: a scheduled attempt starts now. */
  hurry(): void;
}

export function createChatLogin(deps: {
  readonly env: Pick<CoreEnv, "clock" | "online" | "random" | "config" | "home" | "log">;
  readonly http: Pick<Http, "call">;
  readonly createConnection: (
    options: ConnectionOptions,
    events: ConnectionEvents,
  ) => Promise<ChatConnection>;
  readonly device: () => Promise<string>;
  readonly events: ChatLoginEvents;
}): ChatLogin {
  const { env, events } = deps;
  let user: SessionUser | null = null;
  let phase: Phase = "idle";
  /** Raised with every login and end, so that events of an older connection are dropped. */
  let generation = 0;
  let current: ChatConnection | null = null;
  let attempts = 0;
  /**
   * After a refused token or password the core asks for the account again at once: the login may have ended since it asked, and the
   * answer says so. If the new credentials are refused too, the usual pauses apply.
   */
  let askedAgain = false;
  let wasOpen = false;
  let refusedFor: string | null = null;
  let pause: Timer | null = null;
  let deadline: Timer | null = null;
  let probe: Timer | null = null;
  let unlisten: (() => void) | null = null;

  const show = (): void => {
    const [state, text] = shownIn(phase, wasOpen);
    events.state(state, text, attempts);
  };
  const enter = (next: Phase): void => {
    const lost = phase === "open" && next !== "open";
    phase = next;
    show();
    if (lost) {
      probe?.cancel();
      events.lost();
    }
  };
  /** Ends the connection and all timers; the caller sets the phase. */
  const drop = (): void => {
    generation += 1;
    for (const timer of [pause, deadline, probe]) timer?.cancel();
    const old = current;
    current = null;
    old?.close();
  };
  const retry = (wait?: number): void => {
    drop();
    if (!env.online.online) return enter("offline");
    const ms = wait ?? reconnectDelay(attempts, env.random());
    attempts += 1;
    enter("pause");
    pause = env.clock.after(ms, () => void open());
  };
  const failed = (error: unknown): void => {
    if (error instanceof ChatFailure) {
      if (isKicked(error.type)) return kicked();
      const refusal = credentialError(error);
      if (refusal !== null) return askedAgain ? refused(refusal) : askAgain();
      if (isDeadToken(error.type)) return deadToken();
      return retry();
    }
    const app = AppError.from(error, "chat.not-connected");
    if (app.code === "request.not-found" || app.code === "auth.forbidden") return refused(app);
    retry();
  };
  const refused = (error: AppError): void => {
    if (refusedFor !== error.code) events.refused(error);
    refusedFor = error.code;
    retry(REFUSED_DELAY + Math.round(env.random() * REFUSED_DELAY));
  };
  const kicked = (): void => {
    drop();
    enter("kicked");
    events.kicked();
  };
  const askAgain = (): void => {
    askedAgain = true;
    void open();
  };
  const deadToken = (): void => (askedAgain ? retry() : askAgain());
  const alive = (ownGeneration: number): boolean => ownGeneration === generation && user !== null;

  const probeLater = (ownGeneration: number): void => {
    probe = env.clock.after(PROBE_EVERY, () => {
      if (!alive(ownGeneration) || phase !== "open") return;
      current?.probe();
      probeLater(ownGeneration);
    });
  };
  const opened = (ownGeneration: number): void => {
    if (!alive(ownGeneration) || phase === "open") return;
    attempts = 0;
    askedAgain = false;
    refusedFor = null;
    wasOpen = true;
    deadline?.cancel();
    enter("open");
    probeLater(ownGeneration);
    events.open();
  };

  const connectionEvents = (ownGeneration: number): ConnectionEvents => {
    const when =
      <A extends unknown[]>(run: (...args: A) => void) =>
      (...args: A): void => {
        if (alive(ownGeneration)) run(...args);
      };
    return {
      connected: () => opened(ownGeneration),
      reconnecting: when(() => {
        if (phase !== "open" && phase !== "reconnecting") return;
        attempts += 1;
        enter("reconnecting");
      }),
      disconnected: when((reason) => {
        // while opening, the rejected login reports the same failure
        if (phase === "opening") return;
        if (reason === null) retry();
        else failed(reason);
      }),
      error: when((failure) => {
        if (isKicked(failure.type)) return kicked();
        if (phase === "opening") return;
        if (isDeadToken(failure.type)) return deadToken();
        env.log("chat", "warn", `error ${failure.type} ${failure.message}`);
      }),
      tokenExpired: when(() => deadToken()),
      message: when(events.message),
      command: when(events.command),
      delivered: when(events.delivered),
      read: when(events.read),
      readAll: when(events.readAll),
      readBy: when(events.readBy),
      erased: when(events.erased),
      forgotten: when(events.forgotten),
      recalled: when(events.recalled),
      edited: when(events.edited),
      reacted: when(events.reacted),
      kept: when(events.kept),
      presence: when(events.presence),
      group: when(events.group),
      contact: when(events.contact),
      bad: when(events.bad),
    };
  };

  const open = async (): Promise<void> => {
    const who = user;
    if (who === null) return;
    drop();
    const ownGeneration = generation;
    enter("opening");
    deadline = env.clock.after(OPEN_DEADLINE, () => {
      if (alive(ownGeneration) && phase === "opening") retry();
    });
    try {
      const account = await deps.http.call(chatAccountCall, {
        query: {
          accountId: who.accountId,
          source: CHAT_SOURCE,
          systemName: env.config.easemob.appKey,
        },
      });
      if (!alive(ownGeneration)) return;
      const { userName: name, password, accessToken } = account;
      if (accessToken === undefined && password === undefined) {
        throw new ChatFailure(2, "no password for the account");
      }
      events.account(account.userName);
      const deviceId = await deps.device();
      const connection = await deps.createConnection(
        connectionOptions(env, deviceId),
        connectionEvents(ownGeneration),
      );
      if (!alive(ownGeneration)) return connection.close();
      current = connection;
      // A provider's own token needs no login by REST.
      await connection.open(
        accessToken === undefined
          ? { user: name, pwd: password ?? "" }
          : { user: name, accessToken },
      );
      // the "connected" event usually came first; the socket may also be lost again already
      if (alive(ownGeneration) && phase === "opening") opened(ownGeneration);
    } catch (error) {
      if (!alive(ownGeneration)) return;
      // a failed attempt, such as an invalid token (type 28), is only reported to the developers
      const why = error instanceof ChatFailure ? `type ${error.type} ` : "";
      const text = error instanceof Error ? error.message : "unknown";
      env.log("chat", "warn", `login failed, ${why}${text}`);
      failed(error);
    }
  };

  const onOnline = (online: boolean): void => {
    if (user === null || phase === "kicked" || phase === "resting") return;
    if (!online) {
      drop();
      enter("offline");
    } else if (phase === "offline") {
      attempts = 0;
      void open();
    }
  };

  return {
    login(next) {
      const same = user?.accountId === next.accountId;
      // a company switch reports the same user again: keep the open connection
      if (same && phase !== "kicked") return;
      user = next;
      attempts = 0;
      askedAgain = false;
      refusedFor = null;
      if (!same) wasOpen = false;
      unlisten ??= env.online.onChange(onOnline);
      if (env.online.online) void open();
      else {
        drop();
        enter("offline");
      }
    },
    logout() {
      user = null;
      wasOpen = false;
      unlisten?.();
      unlisten = null;
      drop();
      enter("idle");
    },
    rest() {
      if (user === null || phase === "kicked") return;
      drop();
      enter("resting");
    },
    wake() {
      if (user === null || phase !== "resting") return;
      attempts = 0;
      if (env.online.online) void open();
      else enter("offline");
    },
    connection: () => (phase === "open" && current !== null && current.isOpen() ? current : null),
    hurry() {
      if (user === null || (phase !== "pause" && phase !== "reconnecting")) return;
      attempts = 0;
      void open();
    },
    nudge() {
      if (user === null || phase !== "kicked" || !env.online.online) return;
      attempts = 0;
      void open();
    },
  };
}
