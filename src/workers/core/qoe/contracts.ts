/** What the calls room tells the quality room, and the other way round. */
import type { StreamSample } from "../../../shared/protocol/qoe.ts";

export interface QoeCall {
  readonly callId: string;
  readonly confrId: string;
  readonly sessionId: string;
  readonly memId: string;
  readonly memName: string;
  readonly peerName: string;
  /** From the ticket; null: nothing is uploaded. A path is completed with the gateway or the page's origin. */
  readonly uploadUrl: string | null;
  /** From the ticket, for the upload's socket; null: the access token goes into its address. */
  readonly uploadTicket: string | null;
  /** Asks the owner tab for samples; false when there is none that could answer. */
  readonly sample: (id: string) => boolean;
  /** What should be flowing: false for muted, paused or missing media. */
  readonly expected: () => Readonly<
    Record<"local" | "remote", { readonly audio: boolean; readonly video: boolean }>
  >;
  /** The call monitor. `report` is true once a direction (onNetWorkDisconnect). */
  readonly onNoData: (direction: "local" | "remote", noData: boolean, report: boolean) => void;
}

export interface Qoe {
  /** After join success. A call that is watched already is left as it is. */
  start(call: QoeCall): void;
  /** An event record (type 2): 0 enter, 2 ICE connected, 4 poor or failed, 5 disconnected, 14, 16, 20. */
  event(code: number, about?: { readonly rtcId?: string; readonly detail?: string }): void;
  /** A line of the event lane that is not uploaded. */
  mark(kind: string, text: string): void;
  samples(id: string, samples: readonly StreamSample[]): void;
  /** The call is over; the upload goes on for 3 s. */
  stop(): void;
  /** Ends everything at once. */
  close(): void;
}
