/** The interface between the call module and the quality module. */
import type { StreamType } from "../../../shared/domain/conference-types.ts";
import type { OwnDevice } from "../../../shared/domain/device-errors.ts";
import type { DeviceState } from "../../../shared/domain/device-states.ts";
import type { Asked } from "../../../shared/domain/quality.ts";
import type { QualityEvent, StreamSample } from "../../../shared/protocol/qoe.ts";

export interface AboutStream extends Asked {
  readonly id: string;
  readonly type: StreamType;
  /** Chat user name and id of its member. */
  readonly memName: string;
  readonly memId: string;
  /** Which media of it should flow; left out: those of its direction. */
  readonly flows?: Flows;
}
type Flows = { readonly audio: boolean; readonly video: boolean };
export interface QoeCall {
  readonly callId: string;
  readonly confrId: string;
  readonly sessionId: string;
  readonly memId: string;
  readonly memName: string;
  readonly peerName: string;
  /** From the ticket; null: no upload. A path is completed with the gateway or the page's origin. */
  readonly uploadUrl: string | null;
  /** Requests samples from the owner tab; false when no tab can answer. */
  readonly sample: (id: string) => boolean;
  /** Which media should be flowing: false for muted, paused or missing media. */
  readonly expected: () => Readonly<Record<"local" | "remote", Flows>>;
  /**
   * Whose stream a connection carries and what is asked of it; undefined when that is not known: a camera of the usual
   * size.
   */
  readonly about?: (rtcId: string, direction: "local" | "remote") => AboutStream | undefined;
  /** States of the own devices. What changes goes into the records. */
  readonly devices: () => Readonly<Partial<Record<OwnDevice, DeviceState | undefined>>>;
  /** Result of the call monitor. `report` is true once per outage of a direction (onNetWorkDisconnect). */
  readonly onNoData: (direction: "local" | "remote", noData: boolean, report: boolean) => void;
}

export interface Qoe {
  /** Begins watching after a successful join. Does nothing for a call that is already watched. */
  start(call: QoeCall): void;
  /** Adds an event record (docs/calls.md#quality-upload). */
  event(code: QualityEvent, about?: { readonly rtcId?: string; readonly detail?: string }): void;
  /** Adds a line to the event list without uploading it. */
  mark(kind: string, text: string): void;
  /** @param late ms by which the tab's timers were late; left out: the tab was hidden, or is older */
  samples(id: string, samples: readonly StreamSample[], late?: number): void;
  /** The call is over; the upload continues for 3 s. */
  stop(): void;
  /** Ends everything at once. */
  close(): void;
}
