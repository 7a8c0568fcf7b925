/** The tab's port for the marks over streams (docs/conferences.md#annotations). Every new connection to a core gets another port. */
import { transfer } from "comlink";
import type { CoreFacade } from "../shared/protocol/core-rpc.ts";
import type { MarksRequest } from "../shared/protocol/marks-port.ts";
import type { Connection } from "./connection.ts";
import type { WatchMarks } from "./contracts.ts";
import { readMarksEvent, readRpcResult } from "./received.ts";

/** ms until the next attempt after a core has refused the port. */
const RETRY_MS = 2_000;

export function createMarksWatch(deps: {
  readonly connection: Pick<Connection, "session">;
  readonly newId: () => string;
  readonly after: (ms: number, run: () => void) => { cancel(): void };
}): WatchMarks {
  return (onEvent) => {
    let port: MessagePort | null = null;
    let timer: { cancel(): void } | null = null;
    let over = false;

    const drop = (closing: MessagePort): boolean => {
      if (port !== closing) return false;
      port = null;
      closing.onmessage = null;
      closing.close();
      return true;
    };
    const again = (): void => {
      timer?.cancel();
      timer = deps.after(RETRY_MS, () => void connect());
    };
    async function connect(): Promise<void> {
      // rejects only when this browser has no core or the client was disposed: nothing will ever answer
      const session = await deps.connection.session().catch(() => null);
      if (session === null || over || port !== null) return;
      const { port1, port2 } = new MessageChannel();
      port = port1;
      port1.onmessage = ({ data }) => {
        const event = readMarksEvent(data);
        if (event === null) return;
        if (event.t !== "ended") onEvent(event);
        else if (drop(port1)) again();
      };
      void session.ended.then(() => {
        if (drop(port1) && !over) void connect();
      });
      // `Remote` makes remote objects of the namespaces too; their methods are called as the facade declares them.
      (session.rpc as unknown as CoreFacade).conference
        .watchMarks(transfer({ port: port2 }, [port2]), { id: deps.newId() })
        .then(
          (answer) => {
            if (readRpcResult(answer)?.ok !== true && drop(port1)) again();
          },
          () => undefined,
        );
    }
    void connect();

    return {
      end() {
        over = true;
        timer?.cancel();
        const last: MarksRequest = { t: "end" };
        port?.postMessage(last);
        if (port !== null) drop(port);
      },
    };
  };
}
