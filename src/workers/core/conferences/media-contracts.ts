/** What the media of a conference (media.ts) need, and what they offer. */
import type { ConfrStream } from "../../../shared/protocol/confr-model.ts";
import type {
  ConfrDescription,
  ConfrServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import type { Candidate } from "../../../shared/protocol/signalling.ts";
import type { Claim, CoreEnv, Store, Tabs } from "../contracts.ts";
import type { ConferenceConfig } from "./config.ts";
import type { OwnType } from "./connection.ts";
import type { OnQuality } from "./connection-reports.ts";
import type { Terminated } from "./connections.ts";
import type { Choice } from "./wanted-streams.ts";
import type { ConferenceRecord } from "./kept.ts";
import type { LocalWish } from "./local.ts";
import type { Model } from "./model.ts";
import type { ConferenceSession } from "./session.ts";

export interface MediaDeps {
  readonly env: CoreEnv;
  readonly config: ConferenceConfig;
  readonly tabs: Tabs;
  readonly onTakeover: (() => void) | undefined;
  readonly notice: Store["notice"];
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly wire: () => ConferenceSession | null;
  /** Applies an event of the conference to the model, with its consequences. */
  readonly apply: (signal: ConfrServerSignal) => void;
  readonly nextEpoch: (last: number) => number;
  /** The tab keeps the call that it carries. */
  readonly beside: () => boolean;
  /** The first sound or picture of a stream came. */
  readonly onMedia: () => void;
  /** No tab was open during the whole grace time. */
  readonly onAbandoned: () => void;
  readonly onSamples: (id: string, samples: readonly StreamSample[]) => void;
  readonly onQuality?: OnQuality;
}

export interface Media {
  /** The epoch of the last owner tab. */
  readonly ownerEpoch: number;
  /** Continues after the last epoch of an earlier core. */
  seedEpoch(epoch: number): void;
  /** Makes this tab the owner, or the best tab if it is gone. */
  acquire(tabId: string): void;
  /** Moves the media to a tab at the person's request. */
  moveTo(tabId: string): void;

  /** The conference was entered or resumed: publishes and subscribes what is wanted. */
  entered(resumed: boolean): void;
  /** A stream was published or republished. */
  added(stream: ConfrStream): void;
  removed(stream: ConfrStream): void;
  /** The person chose what to receive of a stream; null: nothing. */
  choose(stream: ConfrStream, want: Choice | null): void;

  /** Publishes the devices that are on. Rejects with Refused or AppError conference.invalid; then it is not tried again. */
  publishCamera(wish: LocalWish, ext: string): Promise<ConfrStream>;
  /** Moves the media to the tab of the capture and publishes it. Rejects with Refused. */
  shareScreen(tabId: string, ext: string): Promise<ConfrStream>;
  /** Whether the capture that this tab reported has sound. */
  screenHasSound(tabId: string): boolean;
  /** Whether a stream of this type is published or being published. */
  isPublishing(type: OwnType): boolean;
  unpublish(type: OwnType): void;
  /** The type of an own stream; null when the stream is not an own one. */
  typeOf(streamId: string): OwnType | null;
  /** The person turns a device on or off. */
  turn(wish: LocalWish, publish: boolean): void;
  /** Turns the devices off until the person turns one on. */
  turnOff(): void;
  /** Applies the admins' mutes to the own microphone. */
  followMutes(): void;

  /** Whether everything that this stream sends has come. */
  receives(stream: ConfrStream): boolean;
  /** Whether a tile shows its picture, if it sends one. */
  shows(stream: ConfrStream): boolean;

  candidates(rtcId: string, cands: readonly Candidate[]): void;
  terminated(signal: Terminated): void;
  described(rtcId: string, description: ConfrDescription): void;
  /** Asks the owner tab for samples. @returns false when there is no owner */
  sample(id: string): boolean;

  /** An earlier core was in the conference: the tab that claims the media keeps them. */
  restore(): void;
  claimed(tabId: string, claim: Claim): void;
  /** Ends all media. A later conference starts from the initial state. */
  end(): void;
  /** Stops and sends nothing, so that the next core can continue. */
  stop(): void;
}
