/**
 * The tab's watched reads (docs/session.md#live-data): one port to the core carries all of them, and every new connection gets them
 * again.
 */
import { transfer } from "comlink";
import type { CoreFacade } from "../shared/protocol/core-rpc.ts";
import type { PageCallId, PageCallInput } from "../shared/protocol/rest/page-calls.ts";
import type { WatchRequest } from "../shared/protocol/watch-port.ts";
import type { Connection } from "./connection.ts";
import type { Answer, CoreClient } from "./contracts.ts";
import { readWatchEvent } from "./received.ts";

interface Watched {
  readonly input: PageCallInput<PageCallId>;
  /** The company that the tab showed when the watch began. */
  readonly supplierId: string | null;
  readonly onAnswer: (answer: Answer<unknown>) => void;
}

export function createWatching(deps: {
  readonly connection: Pick<Connection, "session">;
  readonly newId: () => string;
  /** The company that the tab shows. */
  readonly company: () => string | null;
}): { readonly watch: CoreClient["watch"]; dispose(): void } {
  const watches = new Map<number, Watched>();
  let port: MessagePort | null = null;
  let connecting = false;
  let disposed = false;
  let ids = 0;

  const postRequest = (request: WatchRequest): void => port?.postMessage(request);
  const begin = (id: number, { input, supplierId }: Watched): void =>
    postRequest({ t: "watch", id, supplierId, ...input });
  const connect = async (): Promise<void> => {
    if (port !== null || connecting || disposed) return;
    connecting = true;
    // rejects only when this browser has no core or the client was disposed: nothing will ever answer
    const session = await deps.connection.session().catch(() => null);
    connecting = false;
    if (session === null || disposed) return;
    const { port1, port2 } = new MessageChannel();
    port = port1;
    port1.onmessage = (event) => {
      const heard = readWatchEvent(event.data);
      if (heard === null) return;
      const { id, answer } = heard;
      watches.get(id)?.onAnswer(answer as Answer<unknown>);
    };
    void session.ended.then(() => {
      port1.close();
      if (port === port1) port = null;
      if (watches.size > 0) return connect();
    });
    // what is said before the core has taken its end waits in the channel
    // `Remote` makes remote objects of the namespaces too; their methods are called as the facade declares them.
    (session.rpc as unknown as CoreFacade).rest
      .watch(transfer({ port: port2 }, [port2]), { id: deps.newId() })
      .catch(() => undefined);
    for (const [id, watched] of watches) begin(id, watched);
  };

  return {
    watch(input, onAnswer) {
      const id = (ids += 1);
      const watched: Watched = {
        input,
        supplierId: deps.company(),
        // the core checked the answer by the schema of the call
        onAnswer: onAnswer as Watched["onAnswer"],
      };
      watches.set(id, watched);
      if (port === null) void connect();
      else begin(id, watched);
      return {
        again: () => postRequest({ t: "again", id }),
        end() {
          if (watches.delete(id)) postRequest({ t: "end", id });
        },
      };
    },
    dispose() {
      disposed = true;
      watches.clear();
      port?.close();
      port = null;
    },
  };
}
