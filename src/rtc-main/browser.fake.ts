/** A fake browser for unit tests: the dependencies of the media half (deps.ts), made of the fakes that lie beside what they replace. */
import { FakeClock } from "./clock.fake.ts";
import { FakePictures } from "./conference/pictures.fake.ts";
import { FakeConnection } from "./connections/connection.fake.ts";
import type { MediaDeps } from "./deps.ts";
import { FakeEffects } from "./effects/effects.fake.ts";
import { FakeElement } from "./element.fake.ts";
import { FakeDevices, FakePermission } from "./media/devices.fake.ts";
import { FakeLock } from "./owner/lock.fake.ts";
import { DEFAULT_METER } from "./sound/meter.ts";
import { SILENT } from "./sound/reading.ts";

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
  readonly effects: FakeEffects;
  readonly pictures: FakePictures;
  hasConnections: boolean;
  /** What `hasMoved` finds. */
  hasMoved: boolean;
  /** Level of every track that is listened to, 0..1. */
  loudness: number;
  /** Ids of the tracks that are listened to now. */
  readonly listening: Set<string>;
  /** Observed elements. `look` reports the visibility and width of one. */
  readonly tiles: Set<FakeTile>;
  look(element: FakeElement, now: { visible: boolean; width: number }): void;
  /** Shows or hides the page, which is visible at first. */
  showPage(visible: boolean): void;
}
interface FakeTile {
  readonly element: unknown;
  readonly changed: (now: { visible: boolean; width: number }) => void;
}

export function fakeWorld(options: { lock?: FakeLock; serial?: boolean } = {}): FakeWorld {
  const devices = new FakeDevices();
  const permission = new FakePermission();
  const clock = new FakeClock();
  const effects = new FakeEffects();
  const pictures = new FakePictures();
  const lock = options.lock ?? new FakeLock();
  const connections: FakeConnection[] = [];
  const audio: FakeElement[] = [];
  const reports: string[] = [];
  const pageObservers = new Set<(visible: boolean) => void>();
  let pageVisible = true;
  const world: FakeWorld = {
    devices,
    permission,
    clock,
    effects,
    pictures,
    lock,
    connections,
    audio,
    reports,
    freeze: () => undefined,
    hasConnections: true,
    hasMoved: false,
    loudness: 0,
    listening: new Set(),
    tiles: new Set(),
    look(element, now) {
      for (const tile of world.tiles) if (tile.element === element) tile.changed(now);
    },
    showPage(visible) {
      pageVisible = visible;
      for (const changed of pageObservers) changed(visible);
    },
    deps: {
      devices,
      permission,
      clock,
      effects,
      control: null,
      pictures,
      recorder: null,
      hasConnections: () => world.hasConnections,
      createConnection(config) {
        const made = new FakeConnection(config);
        connections.push(made);
        return made as unknown as RTCPeerConnection;
      },
      hasMoved: () => Promise.resolve(world.hasMoved),
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
        return {
          level: () => world.loudness,
          reading: () => ({ ...SILENT, instant: world.loudness }),
          runs: () => world.loudness > 0,
          close: () => void world.listening.delete(track.id),
        };
      },
      observeTile(element, changed) {
        const tile = { element, changed };
        world.tiles.add(tile);
        return () => world.tiles.delete(tile);
      },
      observePage(changed) {
        pageObservers.add(changed);
        changed(pageVisible);
        return () => pageObservers.delete(changed);
      },
      meter: DEFAULT_METER,
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
