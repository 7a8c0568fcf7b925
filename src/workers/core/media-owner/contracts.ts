/** What a call or a conference needs of its owner tab, and what it can ask (docs/calls.md#owner-tab). */
import type { AppError } from "../../../shared/errors.ts";
import type { MediaCommand, MediaEvent } from "../../../shared/protocol/media-port.ts";
import type { Claim, CoreEnv, Tabs } from "../contracts.ts";
import type { OwnerTimings } from "./timings.ts";

export type Opened = Extract<MediaEvent, { t: "opened" }>;
type WithoutEpoch<T> = T extends unknown ? Omit<T, "epoch"> : never;
export type OwnerCommand = WithoutEpoch<Exclude<MediaCommand, { t: "own" | "release" | "replay" }>>;
export type OwnRequest = Omit<Extract<MediaCommand, { t: "own" }>, "t" | "epoch">;

export interface OwnerInfo {
  readonly tabId: string;
  readonly epoch: number;
  readonly ready: boolean;
}

/** A tab that takes over, seen by the media. */
export interface Successor {
  /** @returns false when the tab cannot receive it */
  send(command: OwnerCommand): boolean;
  /** The other side hears the tab: it becomes the owner. */
  carries(): void;
  /** The tab cannot carry the media: the owner keeps them. */
  failed(error: AppError): void;
}

/** The media of a tab that takes over. */
export interface SuccessorMedia {
  event(event: MediaEvent): void;
  /** The tab is the owner now. */
  promoted(): void;
  /** The owner keeps the media. */
  dropped(): void;
}

export interface OwnerDeps {
  readonly env: Pick<CoreEnv, "clock" | "log">;
  readonly tabs: Tabs;
  readonly config: OwnerTimings;
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
  readonly request: (tabId: string) => OwnRequest;
  readonly onChange: (owner: OwnerInfo | null) => void;
  /** Another tab is to have the media, because the owner has left or gives them up. */
  readonly onTakeover?: (() => void) | undefined;
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
  /** Begins the media in a tab that takes over, beside those of the owner. Without it the owner stops first. */
  readonly successor?: (epoch: number, successor: Successor) => SuccessorMedia;
  /** Whether a tab can take over that way now. */
  readonly maySucceed?: () => boolean;
  /** The tab could not take over; the owner keeps the media. */
  readonly onSuccessionFailed?: (error: AppError) => void;
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
