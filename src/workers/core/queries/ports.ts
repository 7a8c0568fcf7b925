/** The ports over which tabs watch reads. A tab's watches end with the watch, with its port, and with the tab. */
import { AppError } from "../../../shared/errors.ts";
import type { MessagePortLike } from "../../../shared/protocol/core-rpc.ts";
import type { RestCall } from "../../../shared/protocol/rest/index.ts";
import {
  type WatchAnswer,
  type WatchEvent,
  type WatchRequest,
  watchRequestSchema,
} from "../../../shared/protocol/watch-port.ts";
import type { Stats, Tabs } from "../contracts.ts";
import type { Queries, Watch } from "./cache.ts";

export interface WatchPorts {
  /** Takes the port of a tab; it replaces an earlier port of the same tab. */
  connect(tabId: string, port: MessagePortLike): void;
  stop(): void;
}

export function createWatchPorts(deps: {
  readonly queries: Pick<Queries, "watch">;
  readonly tabs: Pick<Tabs, "onLeave">;
  readonly stats: Pick<Stats, "error">;
  /** The call with this id, if pages may watch it. */
  readonly find: (id: string) => RestCall | undefined;
  /** The company that the session is in. */
  readonly company: () => string | null;
  /** Resolves when the session was read from storage. */
  readonly settled: () => Promise<unknown> | null;
}): WatchPorts {
  const open = new Map<string, { close(): void }>();

  const serve = (port: MessagePortLike): { close(): void } => {
    /** null while the watch waits for the session. */
    const watches = new Map<number, Watch | null>();
    const answer = (id: number, given: WatchAnswer): void => {
      const event: WatchEvent = { id, answer: given };
      port.postMessage(event);
    };
    const refuse = (id: number, error: AppError): void => {
      watches.delete(id);
      answer(id, { state: "failed", data: null, error: error.toWire(), at: null });
    };
    const begin = ({ id, supplierId, call: name, ...request }: Begin): void => {
      if (!watches.has(id)) return;
      const call = deps.find(name);
      if (call === undefined) {
        return refuse(id, new AppError("core.bad-message", { details: { call: name } }));
      }
      if (supplierId !== null && supplierId !== deps.company()) {
        return refuse(id, new AppError("auth.company-changed", { details: { call: name } }));
      }
      const { t: _t, ...input } = request;
      watches.set(
        id,
        deps.queries.watch(call, input, (given) => answer(id, given)),
      );
    };
    port.onmessage = (event) => {
      const parsed = watchRequestSchema.safeParse(event.data);
      if (!parsed.success) {
        return deps.stats.error(
          new AppError("core.bad-message", { details: { port: "watch", field: "" } }),
        );
      }
      const request = parsed.data;
      const { id } = request;
      if (request.t === "watch") {
        if (watches.has(id)) return;
        watches.set(id, null);
        const settled = deps.settled();
        if (settled === null) begin(request);
        else
          settled.then(
            () => begin(request),
            (error: unknown) => refuse(id, AppError.from(error)),
          );
        return;
      }
      const watch = watches.get(id);
      if (request.t === "again") return watch?.again();
      watch?.end();
      watches.delete(id);
    };
    return {
      close() {
        for (const watch of watches.values()) watch?.end();
        watches.clear();
        port.close();
      },
    };
  };
  const leave = (tabId: string): void => {
    open.get(tabId)?.close();
    open.delete(tabId);
  };
  const unlisten = deps.tabs.onLeave(leave);

  return {
    connect(tabId, port) {
      leave(tabId);
      open.set(tabId, serve(port));
    },
    stop() {
      unlisten();
      for (const port of open.values()) port.close();
      open.clear();
    },
  };
}

type Begin = Extract<WatchRequest, { t: "watch" }>;
