/**
 * Devices that open while a call rings, so that they are there when the person answers (docs/calls.md#ahead-of-the-answer). Their tracks are
 * disabled, nothing shows or sends them, and they end when the person does not answer here. No question to the person comes of it.
 */
import type { CallMedia } from "../../shared/protocol/call-message.ts";
import type { MediaDevicesPort } from "../deps.ts";
import type { Kind } from "../engine.ts";
import type { Tally } from "../tally.ts";
import { constraintsOf, type Preferences } from "./open.ts";
import type { PermissionPort } from "./permission.ts";

export interface DevicesAhead {
  /** What the call's devices are opened by; it hands out the devices that are open if they are the ones that are asked for. */
  readonly port: MediaDevicesPort | null;
  /** Opens the devices of a call if the person has allowed them before; null closes the unused ones. */
  open(media: CallMedia | null): void;
}

interface Held {
  readonly key: string;
  readonly stream: Promise<MediaStream | null>;
  /** The tracks are taken, or no longer needed. */
  close(): void;
}

export function createDevicesAhead(
  devices: MediaDevicesPort | null,
  permission: Pick<PermissionPort, "stateOf">,
  preferences: Preferences,
  tally: Tally,
): DevicesAhead {
  if (devices === null) return { port: null, open: () => undefined };
  let held: Held | null = null;

  const takeHeld = (): Held | null => {
    const taken = held;
    held = null;
    taken?.close();
    return taken;
  };
  const openNow = async (
    kinds: readonly Kind[],
    constraints: MediaStreamConstraints,
  ): Promise<MediaStream | null> => {
    const states = await Promise.all(kinds.map((kind) => permission.stateOf(kind)));
    if (states.some((state) => state !== "granted")) return null;
    try {
      const stream = await devices.getUserMedia(constraints);
      for (const track of stream.getTracks()) track.enabled = false;
      return stream;
    } catch {
      // The call tries again by itself, and reports why it fails.
      return null;
    }
  };
  const stop = (): void => {
    void takeHeld()?.stream.then((stream) => stream?.getTracks().forEach((track) => track.stop()));
  };

  return {
    port: {
      addEventListener: devices.addEventListener.bind(devices),
      removeEventListener: devices.removeEventListener.bind(devices),
      ...(devices.enumerateDevices === undefined
        ? {}
        : { enumerateDevices: () => devices.enumerateDevices?.() ?? Promise.resolve([]) }),
      async getUserMedia(constraints) {
        if (held?.key !== JSON.stringify(constraints)) stop();
        const stream = await takeHeld()?.stream;
        if (stream == null) return devices.getUserMedia(constraints);
        for (const track of stream.getTracks()) track.enabled = true;
        return stream;
      },
    },
    open(media) {
      if (media === null) return stop();
      const kinds: readonly Kind[] = media === "voice" ? ["audio"] : ["audio", "video"];
      const constraints = constraintsOf(kinds, preferences);
      const key = JSON.stringify(constraints);
      if (held?.key === key) return;
      stop();
      held = { key, stream: openNow(kinds, constraints), close: tally.open("tracks") };
    },
  };
}
