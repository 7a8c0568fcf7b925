/** The interface of the core for a tab: commands, one valtio proxy per slice, notices. This folder implements it. */
import type {
  CommandInput,
  CommandOutput,
  Commands,
  Namespace,
} from "../shared/protocol/core-rpc.ts";
import type {
  PageCallData,
  PageCallId,
  PageCallInput,
} from "../shared/protocol/rest/page-calls.ts";
import type { MarksEvent } from "../shared/protocol/marks-port.ts";
import type { WatchAnswer } from "../shared/protocol/watch-port.ts";
import type { UnsupportedReason } from "./host.ts";
import type { Notice, Slices } from "../shared/protocol/state.ts";

/**
 * `core.commands.call.start({ ... })` resolves to the command's output or rejects with AppError. When the core dies meanwhile, the
 * command is sent once more, to the next core and with the same id.
 */
export type CoreCommands = {
  readonly [N in Exclude<Namespace, "rest">]: {
    readonly [M in keyof Commands[N]]: (input: CommandInput<N, M>) => Promise<CommandOutput<N, M>>;
  };
} & {
  readonly rest: {
    /** `core.commands.rest.call({ call: "employees.list", query: { limit: 20 } })`; only calls with `page: true`. */
    readonly call: <I extends PageCallId>(input: PageCallInput<I>) => Promise<PageCallData<I>>;
  };
};

/** A watched read. */
export interface Watch {
  /** Fetches the answer again. */
  again(): void;
  end(): void;
}
/** The present answer of a watched read. */
export type Answer<T> = Pick<WatchAnswer, "error" | "at"> &
  ({ readonly state: "ready"; readonly data: T } | { readonly state: "loading" | "failed" });

/** Watches the marks over the streams of the conference (docs/conferences.md#annotations). */
export type WatchMarks = (onEvent: (event: MarksEvent) => void) => { end(): void };

/** Which build the server has. same: this tab's. unknown: it answers, but does not say. */
export type Deployed = "same" | "other" | "unreachable" | "unknown";

/** State of the tab's connection to the core. */
export interface CoreState {
  /** respawning: the core died, and another is being started. failed: no core answers; the attempts continue. */
  state: "connecting" | "ready" | "respawning" | "unsupported" | "failed";
  /** Set when state is "unsupported". */
  unsupported: UnsupportedReason | null;
  /** Build of a newer deployment, which a reload of the page loads; null while this build is the newest. */
  newerBuild: string | null;
  /** The server did not answer this tab, which misses a script or its core. */
  unreachable: boolean;
}

export interface CoreClient {
  /** Random id of this tab. */
  readonly tabId: string;
  readonly commands: CoreCommands;
  /**
   * Watches a read (a call with `page: true` and `shows`): `onAnswer` gets the answer, and each newer one when the data change, by
   * whomever (docs/session.md#live-data). It goes on with the next core when the core dies.
   */
  watch<I extends PageCallId>(
    input: PageCallInput<I>,
    onAnswer: (answer: Answer<PageCallData<I>>) => void,
  ): Watch;
  /** It goes on with the next core when the core dies. */
  readonly watchMarks: WatchMarks;
  /** One valtio proxy per slice; read with useSnapshot, never written by the UI. */
  readonly state: Slices;
  /** A valtio proxy of the connection's state. */
  readonly connection: CoreState;
  /** Asks the server which build it has, because this tab misses a script, and writes the answer to `connection`. */
  look(): Promise<Deployed>;
  /** Starts the core at once instead of at the next attempt. */
  retry(): void;
  /** Notices that came while no handler was there, or the tab was hidden, follow later. @returns a function that removes the handler */
  onNotice(handler: (notice: Notice) => void): () => void;
  dispose(): void;
}
