/** States of an upload in the queue of all tabs (docs/session.md#uploads). Pure: src/workers/core/uploads runs the effects. */
import type { MachineTable } from "./machine.ts";
import { TRANSFER_STATES, type TransferState } from "./transfer-states.ts";

export type UploadEvent = "begin" | "stored" | "broke" | "refused" | "back" | "retry";
export type UploadEffect = "send" | "save" | "drop contents" | "wait" | "stop waiting" | "next";

export const uploadTable: MachineTable<TransferState, UploadEvent, never, UploadEffect> = {
  name: "upload",
  initial: "waiting",
  states: TRANSFER_STATES,
  rules: [
    { from: ["waiting"], on: "begin", to: "running", do: ["send"] },
    {
      from: ["running"],
      on: "stored",
      to: "done",
      do: ["drop contents", "save", "next"],
      note: "The entry stays until somebody takes the stored file or clears the list.",
    },
    {
      from: ["running"],
      on: "broke",
      to: "paused",
      do: ["wait", "next"],
      note: "The contents and the address of the parts stay, so that it goes on where the server is.",
    },
    { from: ["running"], on: "refused", to: "failed", do: ["save", "next"] },
    { from: ["paused"], on: "back", to: "waiting", do: ["stop waiting", "next"] },
    { from: ["paused"], on: "retry", to: "waiting", do: ["stop waiting", "next"] },
    { from: ["failed"], on: "retry", to: "waiting", do: ["save", "next"] },
  ],
};
