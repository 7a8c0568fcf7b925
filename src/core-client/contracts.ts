/** What the console uses of the core: commands, one valtio proxy per slice, notices. Implemented in this folder. */
import type {
  CommandInput,
  CommandOutput,
  Commands,
  Namespace,
} from "../shared/protocol/core-rpc.ts";
import type { UnsupportedReason } from "./host.ts";
import type { Notice, Slices } from "../shared/protocol/state.ts";

/** `core.commands.call.start({ ... })` resolves to the output or throws AppError. When the core dies, it retries once with the same id. */
export type CoreCommands = {
  readonly [N in Namespace]: {
    readonly [M in keyof Commands[N]]: (input: CommandInput<N, M>) => Promise<CommandOutput<N, M>>;
  };
};

export interface CoreState {
  state: "connecting" | "ready" | "respawning" | "unsupported" | "failed";
  /** Set when state is "unsupported". */
  unsupported: UnsupportedReason | null;
  /** Build of a newer deployment that waits for a reload. */
  newerBuild: string | null;
}

export interface CoreClient {
  readonly tabId: string;
  readonly commands: CoreCommands;
  /** One valtio proxy per slice; read with useSnapshot, never written by the UI. */
  readonly state: Slices;
  /** valtio proxy of the connection to the core. */
  readonly link: CoreState;
  onNotice(handler: (notice: Notice) => void): () => void;
  dispose(): void;
}
