/** What the parts that carry a call need, and what the call machine asks of them. */
import type { CallEvent } from "../../../shared/domain/call-events.ts";
import type { AppError } from "../../../shared/errors.ts";
import type { GrowthMessage } from "../../../shared/protocol/call-growth.ts";
import type { VideoCodecs } from "../../../shared/protocol/confr-model.ts";
import type { ChatSignals, CoreEnv, Stats, Tabs } from "../contracts.ts";
import type { Qoe } from "../qoe/contracts.ts";
import type { CallConfig } from "./config.ts";
import type { Restoring } from "./restoring.ts";
import type { CallSignallingDeps } from "./signalling.ts";
import type { CallStore } from "./state.ts";
import type { Tickets } from "./tickets.ts";

export interface CallCoordinatorDeps {
  readonly nextEpoch: (last: number) => number;
  readonly env: CoreEnv;
  readonly tabs: Tabs;
  readonly stats: Pick<Stats, "socket" | "socketTraffic" | "takeover">;
  readonly config: CallConfig;
  readonly calls: CallStore;
  readonly tickets: Tickets;
  readonly qoe: Qoe;
  readonly overChat: CallSignallingDeps["overChat"];
  readonly signals: ChatSignals;
  readonly dispatch: (event: CallEvent) => void;
  /** A notice about the devices for the person, e.g. that there is no camera. */
  readonly onDeviceNotice: (error: AppError) => void;
  /** What the other side says about becoming a group call. */
  readonly onGrowth: (message: GrowthMessage) => void;
  /** The tab keeps the conference that it carries. */
  readonly beside: () => boolean;
  readonly onNoData: (direction: "local" | "remote", noData: boolean, report: boolean) => void;
}

export interface CallCoordinator extends Pick<Restoring, "restore" | "claimed"> {
  /** Continues the owner epochs after the last one of an earlier core. */
  seed(epoch: number): void;
  /** A call begins: requests the ticket and, for the caller, enters the signalling session before the answer. */
  begin(): void;
  /** Opens the media in a tab, preferably that of the gesture. A failure becomes the event prepareFailed. */
  prepare(tabId?: string): void;
  /** Calls `run` once the media are open; never if the call ends before. */
  whenOpened(run: () => void): void;
  enterSession(): void;
  /** @returns false when the session has not entered; the caller must then inform the other side by chat, as when `unheard` is called */
  terminate(reason: number, unheard: () => void): boolean;
  /** What the owner's browser receives and sends; undefined when it did not say. */
  readonly codecs: VideoCodecs | undefined;
  /** @returns whether the other side was reached */
  tellGrowth(message: GrowthMessage): Promise<boolean>;
  /** @param retry devices to open again even though that failed before, because the person asked for them */
  localChanged(retry?: readonly ("audio" | "video")[]): void;
  moveTo(tabId: string): void;
  close(): void;
  stop(): void;
}
