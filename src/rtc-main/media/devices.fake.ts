/** Fakes of tracks, navigator.mediaDevices and the permissions for them. */
import type { Kind } from "../engine.ts";
import type { Permission, PermissionPort } from "./permission.ts";

export class FakeTrack extends EventTarget {
  readonly kind: Kind;
  readonly label: string;
  enabled = true;
  muted = false;
  stopped = false;
  constructor(kind: Kind, label = `fake ${kind}`) {
    super();
    this.kind = kind;
    this.label = label;
  }
  stop(): void {
    this.stopped = true;
  }
  settings: MediaTrackSettings = {};
  contentHint = "";
  /** What the device can beyond sending a picture, such as {torch: true}. */
  capabilities: Record<string, unknown> = {};
  readonly constraints: MediaTrackConstraints[] = [];
  /** Name of the error that constraints cause; null for none. */
  refuses: string | null = null;
  getCapabilities(): Record<string, unknown> {
    return this.capabilities;
  }
  applyConstraints(constraints: MediaTrackConstraints): Promise<void> {
    if (this.refuses !== null) return Promise.reject(new Error(this.refuses));
    this.constraints.push(constraints);
    return Promise.resolve();
  }
  readonly clones: FakeTrack[] = [];
  clone(): FakeTrack {
    const made = new FakeTrack(this.kind, `${this.label} small`);
    this.clones.push(made);
    return made;
  }
  getSettings(): MediaTrackSettings {
    return this.settings;
  }
  /** The system silences the device, or no longer does. */
  silence(on: boolean): void {
    this.muted = on;
    this.dispatchEvent(new Event(on ? "mute" : "unmute"));
  }
  /** Ends the track as if the device was removed or the person stopped sharing. */
  end(): void {
    this.dispatchEvent(new Event("ended"));
  }
}

const asTrack = (track: FakeTrack): MediaStreamTrack => track as unknown as MediaStreamTrack;

/** Fake of navigator.mediaDevices. `refuse` sets which calls of getUserMedia fail. */
export class FakeDevices extends EventTarget {
  readonly asked: string[] = [];
  readonly tracks: FakeTrack[] = [];
  /** Name of the error by the requested kinds ("audio", "video", "audio+video"). */
  refuse: Record<string, string> = {};
  /** Name of the error that these constraints cause; undefined for none. */
  refuseWhen: (constraints: MediaStreamConstraints) => string | undefined = () => undefined;
  gate: Promise<void> = Promise.resolve();
  /** The constraints of every call, in the order of `asked`. */
  readonly constraints: MediaStreamConstraints[] = [];
  /** Whether a device is busy while another one of its kind is open. */
  exclusive = false;
  list: { kind: string; deviceId: string; label: string }[] = [];
  readonly displayAsked: DisplayMediaStreamOptions[] = [];
  /** What getDisplayMedia throws, by name, or by name and message; null makes it return tracks. */
  refuseDisplay: string | readonly [name: string, message: string] | null = null;

  enumerateDevices(): Promise<MediaDeviceInfo[]> {
    return Promise.resolve(this.list as MediaDeviceInfo[]);
  }
  async getDisplayMedia(options: DisplayMediaStreamOptions): Promise<MediaStream> {
    this.displayAsked.push(options);
    if (this.refuseDisplay !== null) {
      const [name, message] = [this.refuseDisplay].flat();
      throw Object.assign(new Error(message), { name });
    }
    const video = new FakeTrack("video", "screen");
    const audio = options.audio ? [new FakeTrack("audio", "screen")] : [];
    this.tracks.push(video, ...audio);
    return {
      getVideoTracks: () => [asTrack(video)],
      getAudioTracks: () => audio.map(asTrack),
      getTracks: () => [video, ...audio].map(asTrack),
    } as unknown as MediaStream;
  }
  async getUserMedia(constraints: MediaStreamConstraints): Promise<MediaStream> {
    const kinds = (["audio", "video"] as const).filter((kind) => constraints[kind]);
    const key = kinds.join("+");
    this.asked.push(key);
    this.constraints.push(constraints);
    await this.gate;
    const wanted = kinds.map((kind) => {
      const { deviceId } = constraints[kind] as MediaTrackConstraints;
      return (deviceId as ConstrainDOMStringParameters | undefined)?.exact as string | undefined;
    });
    const busy =
      this.exclusive && this.tracks.some((one) => !one.stopped && one.kind === kinds.at(-1));
    const refused = wanted.map((id) => (id === undefined ? undefined : this.refuse[id]));
    const name =
      this.refuse[key] ??
      this.refuseWhen(constraints) ??
      refused.find(Boolean) ??
      (busy ? "NotReadableError" : undefined);
    if (name !== undefined) throw Object.assign(new Error(name), { name });
    const tracks = kinds.map((kind, index) => {
      const made = new FakeTrack(kind);
      made.settings = {
        deviceId: wanted[index] ?? `${kind}-1`,
        ...(kind === "video" ? { width: 640, height: 360 } : {}),
      };
      return made;
    });
    this.tracks.push(...tracks);
    return { getTracks: () => tracks.map(asTrack) } as unknown as MediaStream;
  }
}

/** The person's permissions. A test changes them by `allow`. */
export class FakePermission implements PermissionPort {
  readonly states: Record<Kind, Permission | null> = { audio: null, video: null };
  readonly handlers = new Set<(kind: Kind) => void>();
  stateOf = (kind: Kind): Promise<Permission | null> => Promise.resolve(this.states[kind]);
  onGranted(handler: (kind: Kind) => void): () => void {
    this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }
  allow(kind: Kind): void {
    this.states[kind] = "granted";
    for (const handler of this.handlers) handler(kind);
  }
}
