/**
 * Alerts that began while this core was connected, which the tabs of a person show until they end or the person closes them
 * (docs/server.md#sending-alerts). The server's message has all that is shown.
 */
import { AppError } from "../../../shared/errors.ts";
import type { AlertMessage } from "../../../shared/protocol/alert-message.ts";
import type { Handlers } from "../../../shared/protocol/core-rpc.ts";
import { alertCalls } from "../../../shared/protocol/rest/alerts.ts";
import type { Http, Session, Store } from "../contracts.ts";

/** Alerts that are kept; the oldest go first. */
const KEPT = 50;

export interface Alerts {
  readonly handlers: Handlers<"alerts">;
  heard(message: AlertMessage): void;
  /** The connection was away, and with it perhaps the message that an alert has ended: each is looked at. */
  missed(): void;
  stop(): void;
}

export function createAlerts(deps: {
  readonly store: Pick<Store, "get" | "set" | "del">;
  readonly http: Pick<Http, "call">;
  readonly session: Pick<Session, "onUser">;
}): Alerts {
  const { store, http } = deps;
  const keys = (): string[] => Object.keys(store.get("alerts").byKey);
  const drop = (key: string): void => {
    if (Object.hasOwn(store.get("alerts").byKey, key)) store.del(["alerts", "byKey", key]);
  };
  const stopListening = deps.session.onUser((user) => {
    if (user === null && keys().length > 0) store.set(["alerts"], { byKey: {} });
  });

  async function look(key: string): Promise<void> {
    try {
      const { endTime } = await http.call(alertCalls.alertGet, { params: { id: key } });
      if (endTime !== null) drop(key);
    } catch (error) {
      if (AppError.from(error).code === "request.not-found") drop(key);
    }
  }

  return {
    handlers: {
      dismiss({ key }) {
        drop(key);
        return Promise.resolve(null);
      },
    },
    heard({ event, subjectKind, subjectName, ...alert }) {
      const { key } = alert;
      if (event === "ended") return drop(key);
      const subject = { kind: subjectKind, name: subjectName };
      store.set(["alerts", "byKey", key], { ...alert, subject });
      for (const old of keys().slice(0, -KEPT)) drop(old);
    },
    missed() {
      for (const key of keys()) void look(key);
    },
    stop: stopListening,
  };
}
