/**
 * An import that the core sends, as a table (docs/import.md#sending). A restarted core keeps the states paused, cancelling and the final ones;
 * an import that was being sent is staged again and continues after the last acknowledged chunk. The core runs the effects.
 */
import { IMPORT_STATES, type ImportState } from "./import-states.ts";
import { type MachineTable, type Step, step } from "./machine.ts";

export type ImportEventType =
  /** It is this import's turn: one import is sent at a time. */
  | "begin"
  /** A temporary failure of the network or the server. */
  | "lost"
  | "tick"
  | "online"
  | "pause"
  | "resume"
  | "cancel"
  /** The server has acknowledged every chunk. */
  | "done"
  /** The server refuses the job, or the staged rows are gone. */
  | "refused"
  /** The server reports the job as cancelled, by this side or by someone else. */
  | "cancelled";

export type ImportEffect =
  | "send"
  /** Stops sending and the retry timer. */
  | "halt"
  | "retryLater"
  | "sendCancel"
  /** Another import may be sent now. */
  | "next"
  /** Deletes the staged rows. */
  | "cleanUp"
  | "tellDone"
  /** Notice that the import was cancelled, with the number of rows already stored. */
  | "tellCancelled"
  | "tellFailed";

type ImportTable = MachineTable<ImportState, ImportEventType, never, ImportEffect>;

const ACTIVE: readonly ImportState[] = ["sending", "waiting"];

export const importTable: ImportTable = {
  name: "import",
  initial: "staged",
  states: IMPORT_STATES,
  rules: [
    { from: ["staged"], on: "begin", to: "sending", do: ["send"] },
    { from: ACTIVE, on: "lost", to: "waiting", do: ["halt", "retryLater"] },
    { from: ["waiting"], on: "tick", to: "sending", do: ["send"] },
    { from: ["waiting"], on: "online", to: "sending", do: ["halt", "send"] },
    { from: ACTIVE, on: "done", to: "done", do: ["halt", "cleanUp", "tellDone", "next"] },
    { from: ACTIVE, on: "refused", to: "failed", do: ["halt", "tellFailed", "next"] },
    {
      from: ACTIVE,
      on: "cancelled",
      to: "cancelled",
      do: ["halt", "cleanUp", "tellCancelled", "next"],
      note: "cancelled by someone else",
    },

    { from: ["staged", ...ACTIVE], on: "pause", to: "paused", do: ["halt", "next"] },
    { from: ["paused", "failed"], on: "resume", to: "staged", do: ["next"] },

    {
      from: ["staged", ...ACTIVE, "paused", "failed"],
      on: "cancel",
      to: "cancelling",
      do: ["halt", "sendCancel", "next"],
    },
    { from: ["cancelling"], on: "lost", to: "same", do: ["halt", "retryLater"] },
    { from: ["cancelling"], on: "tick", to: "same", do: ["sendCancel"] },
    { from: ["cancelling"], on: "online", to: "same", do: ["halt", "sendCancel"] },
    {
      from: ["cancelling"],
      on: "cancelled",
      to: "cancelled",
      do: ["halt", "cleanUp", "tellCancelled"],
    },
    {
      from: ["cancelling"],
      on: "done",
      to: "done",
      do: ["halt", "cleanUp", "tellDone"],
      note: "the server stored the last chunk before it got the cancellation",
    },
    { from: ["cancelling"], on: "refused", to: "failed", do: ["halt", "tellFailed"] },
  ],
};

/** Final states, in which an import may be removed from the list. */
export const IMPORT_OVER: ReadonlySet<ImportState> = new Set(["done", "cancelled", "failed"]);

/** One step of the import's machine. */
export const importStep = (
  state: ImportState,
  type: ImportEventType,
): Step<ImportState, ImportEffect> => step(importTable, {}, state, null, { type });
