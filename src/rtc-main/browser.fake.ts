/** Fakes of the browser for unit tests: devices, tracks, connections, elements, and a clock that the test moves. */
import type { MediaDeps, MediaTimer } from "./deps.ts";
import type { Kind } from "./engines/engine.ts";
import type { Permission, PermissionPort } from "./media/permission.ts";

export class FakeTrack extends EventTarget {
  readonly kind: Kind;
  readonly label: string;
  enabled = true;
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
  readonly clones: FakeTrack[] = [];
  clone(): FakeTrack {
    const made = new FakeTrack(this.kind, `${this.label} small`);
    this.clones.push(made);
    return made;
  }
  getSettings(): MediaTrackSettings {
    return this.settings;
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
  gate: Promise<void> = Promise.resolve();
  /** The constraints of every call, in the order of `asked`. */
  readonly constraints: MediaStreamConstraints[] = [];
  /** Whether a device is busy while another one of its kind is open. */
  exclusive = false;
  list: { kind: string; deviceId: string; label: string }[] = [];
  readonly displayAsked: DisplayMediaStreamOptions[] = [];
  /** Name of the error that getDisplayMedia throws; null makes it return tracks. */
  refuseDisplay: string | null = null;

  enumerateDevices(): Promise<MediaDeviceInfo[]> {
    return Promise.resolve(this.list as MediaDeviceInfo[]);
  }
  async getDisplayMedia(options: DisplayMediaStreamOptions): Promise<MediaStream> {
    this.displayAsked.push(options);
    const name = this.refuseDisplay;
    if (name !== null) throw Object.assign(new Error(name), { name });
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
      this.refuse[key] ?? refused.find(Boolean) ?? (busy ? "NotReadableError" : undefined);
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
  of = (kind: Kind): Promise<Permission | null> => Promise.resolve(this.states[kind]);
  onGranted(handler: (kind: Kind) => void): () => void {
    this.handlers.add(handler);
    return () => this.handlers.delete(handler);
  }
  allow(kind: Kind): void {
    this.states[kind] = "granted";
    for (const handler of this.handlers) handler(kind);
  }
}

export class FakeClock {
  time = 1_700_000_000_000;
  #timers: { at: number; run: () => void }[] = [];
  now(): number {
    return this.time;
  }
  after(ms: number, run: () => void): MediaTimer {
    const timer = { at: this.time + ms, run };
    this.#timers.push(timer);
    return {
      cancel: () => {
        this.#timers = this.#timers.filter((each) => each !== timer);
      },
    };
  }
  /** Advances the time and runs the due timers. */
  pass(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.#timers.filter((t) => t.at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.time = next.at;
      next.run();
    }
    this.time = end;
  }
  get pending(): number {
    return this.#timers.length;
  }
}

interface FakeTransceiver {
  mid: string | null;
  direction: string;
  currentDirection: string | null;
  encodings: RTCRtpEncodingParameters[];
  codecs: RTCRtpCodec[];
  readonly sender: {
    track: unknown;
    parameters: Record<string, unknown>;
    replaceTrack(track: unknown): Promise<void>;
    getStats(): Promise<Map<string, unknown>>;
    getParameters(): Record<string, unknown>;
    setParameters(parameters: Record<string, unknown>): Promise<void>;
  };
  readonly receiver: {
    track: FakeTrack;
    /** Level of the received sound, 0..1. */
    level: number;
    getStats(): Promise<Map<string, unknown>>;
    getSynchronizationSources(): { audioLevel: number }[];
  };
  setCodecPreferences(codecs: RTCRtpCodec[]): void;
  stop(): void;
}

/** Follows the states of a real connection as far as the code under test reads them. */
export class FakeConnection extends EventTarget {
  config: RTCConfiguration;
  signalingState = "stable";
  iceConnectionState = "new";
  connectionState = "new";
  localDescription: { type: string; sdp: string } | null = null;
  remoteDescription: { type: string; sdp: string } | null = null;
  readonly added: RTCIceCandidateInit[] = [];
  readonly transceivers: FakeTransceiver[] = [];
  readonly log: string[] = [];
  stats = new Map<string, unknown>();
  closed = false;
  #offers = 0;

  constructor(config: RTCConfiguration) {
    super();
    this.config = config;
  }
  #transceiver(kind: Kind, track: unknown, mid: string | null): FakeTransceiver {
    const made: FakeTransceiver = {
      mid,
      direction: "recvonly",
      currentDirection: null,
      encodings: [],
      codecs: [],
      sender: {
        track,
        parameters: {},
        replaceTrack(next) {
          made.sender.track = next;
          return Promise.resolve();
        },
        getStats: () => Promise.resolve(this.stats),
        getParameters: () => ({}),
        setParameters(parameters) {
          made.sender.parameters = parameters;
          return Promise.resolve();
        },
      },
      receiver: {
        track: new FakeTrack(kind),
        level: 0,
        getStats: () => Promise.resolve(this.stats),
        getSynchronizationSources: () => [{ audioLevel: made.receiver.level }],
      },
      setCodecPreferences(codecs) {
        made.codecs = codecs;
      },
      stop: () => {
        this.transceivers.splice(this.transceivers.indexOf(made), 1);
      },
    };
    this.transceivers.push(made);
    return made;
  }
  getReceivers(): FakeTransceiver["receiver"][] {
    return this.transceivers.map(({ receiver }) => receiver);
  }
  addTransceiver(
    what: FakeTrack | Kind,
    init: { direction: string; sendEncodings?: RTCRtpEncodingParameters[] },
  ): FakeTransceiver {
    const kind = typeof what === "string" ? what : what.kind;
    const made = this.#transceiver(kind, typeof what === "string" ? null : what, null);
    made.direction = init.direction;
    made.encodings = init.sendEncodings ?? [];
    return made;
  }
  getTransceivers(): FakeTransceiver[] {
    return [...this.transceivers];
  }
  createOffer(options: { iceRestart?: boolean } = {}): Promise<{ type: string; sdp: string }> {
    this.#offers += 1;
    const lines = this.transceivers.map((t) => `m=${t.receiver.track.kind} 9`).join("\r\n");
    const sdp = `offer ${this.#offers}${options.iceRestart ? " restart" : ""}\r\n${lines}\r\n`;
    return Promise.resolve({ type: "offer", sdp });
  }
  createAnswer(): Promise<{ type: string; sdp: string }> {
    return Promise.resolve({ type: "answer", sdp: "answer\r\n" });
  }
  setLocalDescription(description: { type: string; sdp: string }): Promise<void> {
    this.log.push(`local ${description.type}`);
    this.localDescription = description;
    this.signalingState = description.type === "offer" ? "have-local-offer" : "stable";
    // A browser may find candidates before the description has been sent.
    this.find(`of ${description.type}`);
    return Promise.resolve();
  }
  setRemoteDescription(description: { type: string; sdp: string }): Promise<void> {
    this.log.push(`remote ${description.type}`);
    if (description.sdp === "bad") return Promise.reject(new Error("bad sdp"));
    this.remoteDescription = description;
    this.signalingState = description.type === "offer" ? "have-remote-offer" : "stable";
    const kinds = [...description.sdp.matchAll(/^m=(audio|video)/gm)].map((m) => m[1] as Kind);
    if (description.type === "answer") {
      for (const [index, each] of this.transceivers.entries()) each.mid = String(index);
    } else {
      for (const [index, kind] of kinds.entries()) {
        if (this.transceivers.some((t) => t.mid === String(index))) continue;
        this.#transceiver(kind, null, String(index));
      }
    }
    return Promise.resolve();
  }
  addIceCandidate(candidate: RTCIceCandidateInit): Promise<void> {
    if (this.remoteDescription === null) return Promise.reject(new Error("no description"));
    if (candidate.candidate === "bad") return Promise.reject(new Error("bad candidate"));
    this.added.push(candidate);
    return Promise.resolve();
  }
  getStats(): Promise<Map<string, unknown>> {
    return Promise.resolve(this.stats);
  }
  setConfiguration(config: RTCConfiguration): void {
    this.config = config;
  }
  close(): void {
    this.closed = true;
  }
  find(candidate: string | null): void {
    const event = new Event("icecandidate");
    const found = candidate === null ? null : { candidate, sdpMid: "0", sdpMLineIndex: 0 };
    this.dispatchEvent(Object.assign(event, { candidate: found }));
  }
  receive(transceiver: FakeTransceiver): void {
    const { receiver } = transceiver;
    const event = Object.assign(new Event("track"), { receiver, transceiver });
    this.dispatchEvent(Object.assign(event, { track: receiver.track }));
  }
  ice(state: string): void {
    this.iceConnectionState = state;
    this.dispatchEvent(new Event("iceconnectionstatechange"));
  }
}

export class FakeElement extends EventTarget {
  clientWidth = 640;
  sink = "";
  /** Id of an output device that does not exist. */
  static readonly noSink = "gone";
  setSinkId(id: string): Promise<void> {
    if (id === FakeElement.noSink) return Promise.reject(new Error("no such output"));
    this.sink = id;
    return Promise.resolve();
  }
  srcObject: unknown = null;
  muted = false;
  playsInline = false;
  removed = false;
  refuse: string | null = null;
  played = 0;
  play(): Promise<void> {
    this.played += 1;
    if (this.refuse === null) return Promise.resolve();
    return Promise.reject(Object.assign(new Error(this.refuse), { name: this.refuse }));
  }
  remove(): void {
    this.removed = true;
  }
}

/** A lock with one holder at a time. */
export class FakeLock {
  holders = 0;
  #queue: (() => void)[] = [];
  acquire(_name: string, signal: AbortSignal): Promise<{ release(): void }> {
    return new Promise((resolve, reject) => {
      const grant = (): void => {
        this.holders += 1;
        let held = true;
        resolve({
          release: () => {
            if (!held) return;
            held = false;
            this.holders -= 1;
            this.#queue.shift()?.();
          },
        });
      };
      if (this.holders === 0) return grant();
      this.#queue.push(grant);
      signal.addEventListener("abort", () => {
        this.#queue = this.#queue.filter((each) => each !== grant);
        reject(new Error("aborted"));
      });
    });
  }
}

export interface FakeWorld {
  readonly deps: MediaDeps;
  readonly devices: FakeDevices;
  readonly permission: FakePermission;
  readonly clock: FakeClock;
  readonly lock: FakeLock;
  readonly connections: FakeConnection[];
  readonly audio: FakeElement[];
  readonly reports: string[];
  freeze: () => void;
  hasConnections: boolean;
  /** Level of every track that is listened to, 0..1. */
  loudness: number;
  /** Ids of the tracks that are listened to now. */
  readonly listening: Set<string>;
  /** Observed elements. `look` reports the visibility and width of one. */
  readonly tiles: Set<FakeTile>;
  look(element: FakeElement, now: { visible: boolean; width: number }): void;
}
interface FakeTile {
  readonly element: unknown;
  readonly changed: (now: { visible: boolean; width: number }) => void;
}

export function fakeWorld(options: { lock?: FakeLock; serial?: boolean } = {}): FakeWorld {
  const devices = new FakeDevices();
  const permission = new FakePermission();
  const clock = new FakeClock();
  const lock = options.lock ?? new FakeLock();
  const connections: FakeConnection[] = [];
  const audio: FakeElement[] = [];
  const reports: string[] = [];
  const world: FakeWorld = {
    devices,
    permission,
    clock,
    lock,
    connections,
    audio,
    reports,
    freeze: () => undefined,
    hasConnections: true,
    loudness: 0,
    listening: new Set(),
    tiles: new Set(),
    look(element, now) {
      for (const tile of world.tiles) if (tile.element === element) tile.changed(now);
    },
    deps: {
      devices,
      permission,
      clock,
      hasConnections: () => world.hasConnections,
      createConnection(config) {
        const made = new FakeConnection(config);
        connections.push(made);
        return made as unknown as RTCPeerConnection;
      },
      createStream: (tracks) => ({ getTracks: () => tracks }) as unknown as MediaStream,
      createAudioElement() {
        const made = new FakeElement();
        audio.push(made);
        return made as unknown as HTMLAudioElement;
      },
      createProbeElement: () => null,
      freezeFrame: () => null,
      listen(track) {
        world.listening.add(track.id);
        return { level: () => world.loudness, close: () => void world.listening.delete(track.id) };
      },
      observeTile(element, changed) {
        const tile = { element, changed };
        world.tiles.add(tile);
        return () => world.tiles.delete(tile);
      },
      videoCodecs: () =>
        ["video/VP8", "video/rtx", "video/H264", "video/AV1"].map((mimeType) => ({
          mimeType,
          clockRate: 90_000,
        })),
      serialSubscriptions: options.serial ?? false,
      acquireLock: (name, signal) => lock.acquire(name, signal),
      loadAgora: () => Promise.reject(new Error("no agora here")),
      onFreeze(handler) {
        world.freeze = handler;
        return () => undefined;
      },
      report: (message) => reports.push(message),
    },
  };
  return world;
}

/** A port whose other end is the test. */
export class FakePort {
  readonly sent: Record<string, unknown>[] = [];
  onmessage: ((event: { data: unknown }) => void) | null = null;
  closed = false;
  postMessage(data: Record<string, unknown>): void {
    // Like a real port: a message that cannot be cloned fails the test.
    this.sent.push(structuredClone(data));
  }
  close(): void {
    this.closed = true;
  }
  send(data: unknown): void {
    this.onmessage?.({ data });
  }
  of(type: string): Record<string, unknown>[] {
    return this.sent.filter((each) => each["t"] === type);
  }
  get types(): unknown[] {
    return this.sent.map((each) => each["t"]);
  }
}

/** Waits until all pending promises that can settle have settled. */
export const settle = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(() => setImmediate(resolve));
  });
