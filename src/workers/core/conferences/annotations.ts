/**
 * Annotations in the core (docs/conferences.md#annotations): the marks of each stream as the server has them, the tabs that watch them, and
 * the own changes of all tabs on their way to the server.
 */
import {
  applyBoardChanges,
  type Board,
  boardOf,
  type BoardCopy,
  copyOfBoard,
  emptyBoard,
} from "../../../shared/domain/annotations.ts";
import { AppError } from "../../../shared/errors.ts";
import type { ConferenceServerSignal } from "../../../shared/protocol/confr-signalling.ts";
import type { Handlers, MessagePortLike } from "../../../shared/protocol/core-rpc.ts";
import { type MarksEvent, marksRequestSchema } from "../../../shared/protocol/marks-port.ts";
import { OP, RESULT } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Tabs } from "../contracts.ts";
import { createMarkSender } from "./mark-sender.ts";
import type { Model } from "./model.ts";
import { notInside } from "./rules.ts";
import type { ConferenceSession } from "./session.ts";

type MarksSignal = Extract<ConferenceServerSignal, { op: typeof OP.annotate }>;

export interface Annotations {
  readonly handlers: Pick<Handlers<"conference">, "annotate" | "watchMarks">;
  /** The conference was entered: the server's marks replace those here. */
  entered(boards: readonly BoardCopy[] | undefined): void;
  /** Op 312. */
  received(signal: MarksSignal): void;
  /** The slice changed: the marks of streams that are gone are forgotten. */
  followStreams(): void;
  /** The conference is over. */
  reset(): void;
  stop(): void;
}

export function createAnnotations(deps: {
  readonly env: Pick<CoreEnv, "clock">;
  readonly tabs: Pick<Tabs, "onLeave">;
  readonly ready: () => Promise<void>;
  readonly model: Pick<Model, "slice">;
  readonly wire: () => ConferenceSession | null;
}): Annotations {
  const { model } = deps;
  const boards = new Map<string, Board>();
  /** The streams that the slice had when it was last looked at. */
  let known = new Set<string>();
  const ports = new Map<MessagePortLike, string>();
  let copying = false;
  const sender = createMarkSender({ clock: deps.env.clock, wire: deps.wire });

  const post = (event: MarksEvent): void => {
    for (const port of ports.keys()) port.postMessage(event);
  };
  const whole = (): MarksEvent => ({
    t: "boards",
    boards: [...boards].map(([id, board]) => copyOfBoard(id, board)),
  });
  const forgetPort = (port: MessagePortLike): void => {
    if (!ports.delete(port)) return;
    port.onmessage = null;
    port.close();
  };
  const unlisten = deps.tabs.onLeave((tabId) => {
    for (const [port, watcher] of ports) if (watcher === tabId) forgetPort(port);
  });
  const replace = (copies: readonly BoardCopy[]): void => {
    boards.clear();
    for (const copy of copies) boards.set(copy.streamId, boardOf(copy));
    post(whole());
  };
  /** Changes are missing: the server is asked for all marks. */
  async function copy(): Promise<void> {
    const wire = deps.wire();
    if (copying || wire?.entered !== true) return;
    copying = true;
    const { signal } = await wire.ask({ op: OP.copy, annotations: true });
    copying = false;
    if (wire !== deps.wire() || signal?.op !== OP.response || signal.result !== RESULT.ok) return;
    replace(signal.annotations ?? []);
  }

  return {
    handlers: {
      async annotate({ streamId, changes }) {
        await deps.ready();
        if (model.slice.status === "idle") throw notInside(model.slice);
        return { seq: await sender.send(streamId, changes) };
      },
      async watchMarks({ port }, { tabId }) {
        ports.set(port, tabId);
        port.onmessage = (event) => {
          if (marksRequestSchema.safeParse(event.data).success) forgetPort(port);
        };
        await deps.ready();
        // A core that takes over has no marks until it has entered. The tab keeps what it shows until then.
        const unknown = boards.size === 0 && model.slice.status === "reconnecting";
        if (ports.has(port) && !unknown) port.postMessage(whole());
        return null;
      },
    },
    entered: (copies) => replace(copies ?? []),
    received({ streamId, seq, changes }) {
      const board = boards.get(streamId) ?? emptyBoard();
      if (!applyBoardChanges(board, { seq, changes })) return void copy();
      boards.set(streamId, board);
      post({ t: "changes", streamId, seq, changes });
    },
    followStreams() {
      const { streams } = model.slice;
      for (const id of known) {
        if (streams[id] === undefined && boards.delete(id)) post({ t: "gone", streamId: id });
      }
      known = new Set(Object.keys(streams));
    },
    reset() {
      sender.reset();
      if (boards.size === 0) return;
      boards.clear();
      post(whole());
    },
    stop() {
      unlisten();
      sender.reset(new AppError("core.gone"));
      post({ t: "ended" });
      for (const port of ports.keys()) forgetPort(port);
    },
  };
}
