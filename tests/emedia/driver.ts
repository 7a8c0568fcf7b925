/** What the tests do in a page, and what they count there, whichever client the page has. */

/** What a page receives of one stream of another member. */
export interface Received {
  readonly member: string;
  readonly streamId: string;
  /** 0 camera and microphone, 1 screen. */
  readonly type: number;
  readonly voff: number;
  readonly aoff: number;
  readonly frames: number;
  readonly audioPackets: number;
  /** Energy of the sound that was played. It stands still while nothing is heard. */
  readonly energy: number;
  readonly width: number;
  /** Hash of the present picture; null when it is black. */
  readonly picture: string | null;
}

/** A stream of another member, and the element that shows it. */
export interface Shown {
  readonly member: string;
  readonly streamId: string;
  readonly type: number;
  readonly voff: number;
  readonly aoff: number;
  readonly video: HTMLVideoElement;
}

export interface ClientEvent {
  readonly name: string;
  readonly value: unknown;
}

/** What a client of a conference does. Members are named by their chat user names. */
export interface Actions {
  /** Creates a conference and enters it. @returns its id */
  create(config: Record<string, unknown>): Promise<string>;
  join(confrId: string, password: string): Promise<void>;
  joinRoom(wanted: { roomName: string; password: string; role: number }): Promise<number>;
  /** Outside a conference it does nothing. */
  leave(): Promise<void>;
  /** Ends the conference on leaving it. */
  close(): void;
  publish(parts: { audio: boolean; video: boolean }): Promise<string>;
  /** @returns the stream's id; null when it was refused */
  share(): Promise<string | null>;
  hangUp(streamId: string): void;
  turn(part: "Audio" | "Video", streamId: string, on: boolean): Promise<void>;
  changeCamera(): void;
  subscribe(member: string, video: boolean, audio: boolean): Promise<void>;
  unsubscribe(member: string): void;
  grant(member: string, role: number): Promise<void>;
  degrade(member: string, role: number): Promise<void>;
  kick(member: string): Promise<void>;
  muteAll(on: boolean): Promise<void>;
  mute(member: string, on: boolean): void;
  request(role: "Talker" | "Admin"): void;
  /** Answers the last request. */
  answer(agrees: boolean): void;
  /** `val` null removes it. */
  setAttribute(key: string, val: string | null): Promise<void>;
  send(member: string, text: string): Promise<void>;
}

export interface Driver {
  readonly events: ClientEvent[];
  readonly actions: Actions;
  members(): string[];
  received(): Promise<Received[]>;
}

/** What the driver of a client builds on. */
export interface Base {
  log(name: string, value?: unknown): void;
  readonly events: ClientEvent[];
  /** An element that shows a picture. */
  element(): HTMLVideoElement;
  count(shown: readonly Shown[]): Promise<Received[]>;
}

declare global {
  var driver: Driver;
  var driverBase: Base;
}

/** Runs in the page. */
export function installBase(): void {
  const events: ClientEvent[] = [];
  const connectionOf = (video: HTMLVideoElement): RTCPeerConnection | undefined => {
    const ids = ((video.srcObject as MediaStream | null)?.getTracks() ?? []).map(({ id }) => id);
    return (globalThis.peerConnections ?? []).findLast(
      (pc) =>
        pc.connectionState !== "closed" &&
        pc.getReceivers().some(({ track }) => ids.includes(track.id)),
    );
  };
  globalThis.driverBase = {
    events,
    log: (name, value = null) => void events.push({ name, value }),
    element() {
      const video = document.createElement("video");
      video.autoplay = true;
      video.muted = true;
      document.body.append(video);
      return video;
    },
    count: (shown) =>
      Promise.all(
        shown.map(async ({ video, ...stream }) => {
          const sum = { frames: 0, audioPackets: 0, energy: 0 };
          const report = await connectionOf(video)?.getStats();
          report?.forEach((entry: Record<string, unknown>) => {
            if (entry["type"] !== "inbound-rtp") return;
            if (entry["kind"] === "video") sum.frames += Number(entry["framesDecoded"] ?? 0);
            else {
              sum.audioPackets += Number(entry["packetsReceived"] ?? 0);
              sum.energy += Number(entry["totalAudioEnergy"] ?? 0);
            }
          });
          return {
            ...stream,
            ...sum,
            width: video.videoWidth,
            picture: globalThis.pictureHash(video),
          };
        }),
      ),
  };
}
