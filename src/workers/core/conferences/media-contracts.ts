/** What the media of a conference (media.ts) need, and what they offer. */
import type { ConferenceMediaCommand } from "../../../shared/protocol/confr-media.ts";
import type { ConferenceStream } from "../../../shared/protocol/confr-model.ts";
import type { ConferenceStreamView } from "../../../shared/protocol/state.ts";
import type {
  MediaDescription,
  ConferenceServerSignal,
} from "../../../shared/protocol/confr-signalling.ts";
import type { StreamSample } from "../../../shared/protocol/qoe.ts";
import type { Publication, TrackConstraints } from "../../../shared/protocol/confr-publish.ts";
import type { ControlCommand } from "../../../shared/protocol/remote-control.ts";
import type { Candidate } from "../../../shared/protocol/signalling.ts";
import type { Claim, CoreEnv, Store, Tabs } from "../contracts.ts";
import type { CameraEvent } from "./camera-requests.ts";
import type { Cloud } from "./cloud.ts";
import type { ConferenceConfig } from "./config.ts";
import type { OwnType } from "./connection.ts";
import type { OnQuality } from "./connection-reports.ts";
import type { Terminated } from "./connections.ts";
import type { Choice } from "./mixing.ts";
import type { ConferenceRecord } from "./kept.ts";
import type { LocalWish } from "./local.ts";
import type { Model } from "./model.ts";
import type { Recording } from "./recording.ts";
import type { Kind } from "./publication.ts";
import type { ConferenceSession } from "./session.ts";
import type { Signals } from "./signals.ts";

export interface MediaDeps {
  readonly env: CoreEnv;
  readonly config: ConferenceConfig;
  readonly tabs: Tabs;
  readonly onTakeover: (() => void) | undefined;
  readonly notice: Store["notice"];
  readonly model: Model;
  readonly record: ConferenceRecord;
  readonly cloud: Pick<Cloud, "engine" | "expiring">;
  readonly wire: () => ConferenceSession | null;
  /** Applies an event of the conference to the model, with its consequences. */
  readonly apply: (signal: ConferenceServerSignal) => void;
  readonly nextEpoch: (last: number) => number;
  /** The tab keeps the call that it carries. */
  readonly beside: () => boolean;
  /** The first sound or picture of a stream came. */
  readonly onMedia: () => void;
  /** What the owner tab says of its camera, which others control; that another tab owns the media; that the owner is ready. */
  readonly onCamera: (event: CameraEvent | "owner" | "ready") => void;
  /** No tab was open during the whole grace time. */
  readonly onAbandoned: () => void;
  /** @param late ms by which the tab's timers were late; undefined: unknown */
  readonly onSamples: (
    id: string,
    samples: readonly StreamSample[],
    late: number | undefined,
  ) => void;
  readonly onQuality?: OnQuality;
  readonly signals: Pick<Signals, "report">;
  /** The owner tab can execute input in its shared screen, or cannot; `moved`: another tab owns the media. */
  readonly onControl: (event: { readonly able: boolean } | "moved") => void;
  readonly recording: () => Pick<Recording, "heard" | "look" | "ownerChanged">;
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

  /**
   * The conference was entered or resumed: publishes and subscribes what is wanted.
   *
   * @param address of this machine as the server sees it; undefined when it does not say
   */
  entered(resumed: boolean, address: string | undefined): void;
  /** A stream was published or republished. */
  added(stream: ConferenceStream): void;
  removed(stream: ConferenceStream): void;
  /** The person chose what to receive of a stream; null: nothing. */
  choose(stream: ConferenceStream, want: Choice | null): void;

  /** Publishes the devices that are on. Rejects with Refused or AppError conference.invalid; then it is not tried again. */
  publishCamera(
    wish: LocalWish,
    ext: string,
    publication?: Publication | null,
  ): Promise<ConferenceStream>;
  /** Moves the media to the tab of the capture and publishes it. Rejects with Refused. */
  shareScreen(
    tabId: string,
    ext: string,
    publication?: Publication | null,
  ): Promise<ConferenceStream>;
  /** Whether the capture that this tab reported has sound. */
  screenHasSound(tabId: string): boolean;
  /** Whether a stream of this type is published or being published. */
  isPublishing(type: OwnType): boolean;
  unpublish(type: OwnType): void;
  /** The type of an own stream; null when the stream is not an own one. */
  typeOf(streamId: string): OwnType | null;
  /** The person turns a device on or off. */
  turn(wish: LocalWish, publish: boolean): void;
  /** The devices of the own camera stream are asked for this, now and later. Has no effect on a track of the host page. */
  constrain(kind: Kind, constraints: TrackConstraints, tabId: string): void;
  /** Turns the devices off until the person turns one on. */
  turnOff(): void;
  /** Applies the admins' mutes to the own microphone. */
  followMutes(): void;

  /** The rtcId of the stream's established connection; null for none. */
  rtcIdOf(stream: ConferenceStreamView): string | null;
  /** Whether a tab owns the media and hears commands. */
  isReady(): boolean;
  command(body: ConferenceMediaCommand): void;

  /** Whether everything that this stream sends has come. */
  receives(stream: ConferenceStream): boolean;
  /** Whether a tile shows its picture, if it sends one. */
  shows(stream: ConferenceStream): boolean;

  /** Sends a command of the control of the own screen to the owner tab. */
  control(command: ControlCommand): void;
  /** Id of the own shared screen; null when none is published. */
  screenId(): string | null;

  candidates(rtcId: string, cands: readonly Candidate[]): void;
  terminated(signal: Terminated): void;
  described(rtcId: string, description: MediaDescription): void;
  /** Has the owner tab control its camera. @returns false when there is no owner */
  controlCamera(command: Extract<ConferenceMediaCommand, { t: "camera" }>): boolean;
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
