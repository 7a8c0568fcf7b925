/** What a call or a conference needs of its owner tab, and what it can ask (docs/calls.md#owner-tab). */
import type { AppError } from "../../../shared/errors.ts";
import type { MediaCommand, MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { CallConfig } from "../calls/config.ts";
import type { Claim, CoreEnv, Tabs } from "../contracts.ts";

export type Opened = Extract<MediaEvent, { t: "opened" }>;
type WithoutEpoch<T> = T extends unknown ? Omit<T, "epoch"> : never;
export type OwnerCommand = WithoutEpoch<Exclude<MediaCommand, { t: "own" | "release" | "replay" }>>;
export type OwnRequest = Omit<Extract<MediaCommand, { t: "own" }>, "t" | "epoch">;

export interface OwnerInfo {
  readonly tabId: string;
  readonly epoch: number;
  readonly ready: boolean;
}

export interface OwnerDeps {
  readonly env: Pick<CoreEnv, "clock" | "report">;
  readonly tabs: Tabs;
  readonly config: CallConfig;
  /**
   * Whether the owner needs open devices, as in a call. Otherwise a tab is ready once it holds the lock, and a permission prompt has no
   * deadline.
   */
  readonly needsDevices: boolean;
  /**
   * Returns the epoch after `last`. Calls and conferences share one sequence, because a tab drops a command whose epoch is older than the
   * last one that it obeyed.
   */
  readonly nextEpoch: (last: number) => number;
  /** Builds the request for a tab to open the media; called for each tab. */
  readonly request: () => OwnRequest;
  readonly onChange: (owner: OwnerInfo | null) => void;
  /** A tab was asked and receives commands from now on. */
  readonly onAsked: (epoch: number) => void;
  /** The current owner has opened its devices; only called when they are needed. */
  readonly onOpened?: (event: Opened) => void;
  /** The current owner is ready. */
  readonly onReady?: () => void;
  /** Every other event of the current owner. */
  readonly onEvent: (event: MediaEvent) => void;
  /** No tab could open the media. */
  readonly onFailed: (error: AppError) => void;
  /** There was no tab during the whole grace time. */
  readonly onAbandoned: () => void;
}

export interface Owner {
  readonly info: OwnerInfo | null;
  /** The last epoch. It is kept over calls, so that a late message of an earlier call never matches. */
  readonly epoch: number;
  /** Continues after the last epoch of an earlier core. */
  seed(epoch: number): void;
  /** Chooses a tab (`preferred` if present) and makes it open the media. */
  acquire(preferred?: string): void;
  /** Moves the media to a tab at the person's request. */
  moveTo(tabId: string): void;
  /** Accepts a tab's claim to be the owner, after a restart of the core. */
  adopt(tabId: string, claim: Claim): boolean;
  /** After a restart without a claim: waits for tabs, then chooses one. */
  await(): void;
  /**
   * Tabs queue commands until their devices are open, so that negotiation need not wait for them.
   * @returns false when there is no owner that could receive it
   */
  send(command: OwnerCommand): boolean;
  release(): void;
  /** Stops without informing the tab. */
  stop(): void;
}
