/** States of a download in the queue of all tabs (docs/session.md#downloads). Pure: src/workers/core/downloads runs the effects. */
import type { MachineTable } from "./machine.ts";
import { TRANSFER_STATES, type TransferState } from "./transfer-states.ts";

export type DownloadEvent = "begin" | "received" | "broke" | "refused" | "back" | "retry";
export type DownloadEffect = "fetch" | "wait" | "stop waiting" | "next";

export const downloadTable: MachineTable<TransferState, DownloadEvent, never, DownloadEffect> = {
  name: "download",
  initial: "waiting",
  states: TRANSFER_STATES,
  rules: [
    { from: ["waiting"], on: "begin", to: "running", do: ["fetch"] },
    { from: ["running"], on: "received", to: "done", do: ["next"] },
    {
      from: ["running"],
      on: "broke",
      to: "paused",
      do: ["wait", "next"],
      note: "What has come of a stored file stays, so that only the rest is fetched.",
    },
    { from: ["running"], on: "refused", to: "failed", do: ["next"] },
    { from: ["paused"], on: "back", to: "waiting", do: ["stop waiting", "next"] },
    { from: ["paused"], on: "retry", to: "waiting", do: ["stop waiting", "next"] },
    { from: ["failed"], on: "retry", to: "waiting", do: ["next"] },
  ],
};
