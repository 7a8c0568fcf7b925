/** The media host of a tab: one port to the core, at most one ownership. */
import { AppError } from "../../shared/errors.ts";
import type { MediaHost, MediaHostState } from "../contracts.ts";
import type { MediaDeps } from "../deps.ts";
import { createScreen } from "../conference/screen.ts";
import { createStreamElements } from "../conference/streams.ts";
import { createElements } from "../elements/elements.ts";
import { createDevices } from "../media/devices.ts";
import { createTally, type DebugCounts } from "../tally.ts";
import { readCommand, type OwnCommand } from "./commands.ts";
import type { OutEvent } from "./events.ts";
import { createOwnership, type Ownership } from "./ownership.ts";

export interface CountingMediaHost extends MediaHost {
  /** Counts of open resources; all zero when no media is owned and no element is bound (the host may keep one listener). */
  debugCounts(): DebugCounts;
}

const IDLE: MediaHostState = {
  owning: false,
  callId: null,
  autoplayBlocked: false,
  localVideo: false,
  remoteVideo: false,
};

/** Creates the media half of this tab: contracts.ts has the console's interface, media-port.ts the core's commands. */
export function createMediaHost(deps: MediaDeps): CountingMediaHost {
  const tally = createTally();
  const handlers = new Set<() => void>();
  let port: MessagePort | null = null;
  let current: { epoch: number; ownership: Ownership } | null = null;
  /** The newest epoch received on this port. Commands with an older epoch are dropped. */
  let known: number | null = null;
  let state = IDLE;
  let disposed = false;

  const send = (epoch: number, event: OutEvent): void => {
    try {
      port?.postMessage({ ...event, epoch });
    } catch (error) {
      deps.report(`${event.t} not sent: ${String(error)}`);
    }
  };
  const onBlocked = (blocked: boolean): void => {
    if (current !== null) send(current.epoch, { t: "autoplay", blocked });
    changed();
  };
  const elements = createElements(deps, tally, onBlocked);
  const streams = createStreamElements(deps, tally, {
    blocked: onBlocked,
    wish: () => current?.ownership.tilesChanged(),
  });
  const screen = createScreen(deps, tally);
  const devices = createDevices(deps.devices, {
    tracks: () => current?.ownership.tracks ?? null,
    async use(kind, choice) {
      await current?.ownership.use(kind, choice);
      changed();
    },
    sink: (deviceId) => streams.sink(deviceId),
  });

  function changed(): void {
    const owner = current?.ownership ?? null;
    const next: MediaHostState =
      owner === null || !owner.held
        ? IDLE
        : {
            owning: true,
            callId: owner.callId,
            autoplayBlocked: elements.blocked || streams.blocked,
            localVideo: owner.localVideo,
            remoteVideo: owner.remoteVideo,
          };
    const keys = Object.keys(IDLE) as (keyof MediaHostState)[];
    if (keys.every((key) => next[key] === state[key])) return;
    state = next;
    for (const handler of handlers) handler();
  }

  const end = (): void => {
    const owner = current?.ownership;
    current = null;
    owner?.end();
    changed();
  };

  const own = (command: OwnCommand): void => {
    if (current?.ownership.fits(command) === true) {
      current.epoch = command.epoch;
      current.ownership.renew(command);
      return;
    }
    end();
    const ownership: Ownership = createOwnership(
      { ...deps, tally, elements, streams, screen, preferences: devices.preferences },
      command,
      (event) => {
        // Drop late events of an ended ownership.
        if (current?.ownership === ownership) send(current.epoch, event);
      },
      changed,
    );
    current = { epoch: command.epoch, ownership };
  };

  const release = (epoch: number): void => {
    end();
    send(epoch, { t: "released" });
  };

  const onMessage = (event: MessageEvent): void => {
    const command = readCommand(event.data, known, deps.report);
    if (command === null) return;
    known = command.epoch;
    if (command.t === "own") own(command);
    else if (command.t === "release") release(command.epoch);
    else if (current === null) deps.report(`${command.t} dropped: this tab carries nothing`);
    else current.ownership.command(command);
  };

  const disconnect = (): void => {
    if (port === null) return;
    port.onmessage = null;
    port.close();
    port = null;
  };
  const undoFreeze = deps.onFreeze(() => {
    // In the back/forward cache the page would keep the lock and block every other tab.
    const epoch = current?.epoch;
    end();
    if (epoch !== undefined) send(epoch, { t: "released" });
  });

  return {
    requireConnections() {
      if (!deps.hasConnections()) throw new AppError("media.no-connections");
    },
    connect(next) {
      if (disposed) return next.close();
      if (next === port) return;
      disconnect();
      port = next;
      // A new core may restart its epochs. Owned media keeps its epoch, which the core learns from the claim.
      known = current?.epoch ?? null;
      next.onmessage = onMessage; // starts the port
      current?.ownership.replay();
    },
    claim() {
      if (current === null || !current.ownership.held) return null;
      const { epoch, ownership } = current;
      return { callId: ownership.callId, ownerEpoch: epoch, rtcIds: ownership.rtcIds() };
    },
    bindVideo: (which, element) => elements.bind(which, element),
    getState: () => state,
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    async resumePlayback() {
      await Promise.all([elements.resume(), streams.resume()]);
    },
    bindStream: (id, element) => streams.bind(id, element),
    captureScreen: (options) => screen.capture(options),
    stopScreen: () => screen.stop(),
    mediaDevices: (kind) => devices.list(kind),
    changeDevice: (kind, deviceId) => devices.change(kind, { deviceId }),
    changeCameraTo: (facingMode) => devices.change("videoinput", { facingMode }),
    localLevel: () => current?.ownership.ownLevel ?? 0,
    dispose() {
      if (disposed) return;
      disposed = true;
      undoFreeze();
      end();
      screen.stop();
      handlers.clear();
      disconnect();
    },
    debugCounts: () => tally.read(),
  };
}
