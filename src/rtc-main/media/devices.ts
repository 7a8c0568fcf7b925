/** Lists the devices and keeps this tab's choices, which apply when a device opens next. */
import { AppError } from "../../shared/errors.ts";
import type { DeviceEntry } from "../contracts.ts";
import type { MediaDevicesPort } from "../deps.ts";
import type { Kind, LocalTracks } from "../engine.ts";
import type { DeviceChoice, Preferences } from "./open.ts";

export type DeviceKind = "audioinput" | "videoinput" | "audiooutput";

export interface Devices {
  readonly preferences: Preferences;
  /** Rejects with AppError media.no-device when the browser cannot list devices. */
  list(kind: DeviceKind): Promise<DeviceEntry[]>;
  /** Rejects with AppError media.* and keeps the former device. */
  change(kind: DeviceKind, choice: DeviceChoice): Promise<void>;
  /** Changes to the device after the present one. @returns false when there is no other. Rejects like change. */
  next(kind: DeviceKind): Promise<boolean>;
}

export function createDevices(
  port: MediaDevicesPort | null,
  now: {
    /** null when this tab owns no media */
    readonly tracks: () => LocalTracks | null;
    readonly use: (kind: Kind, choice: DeviceChoice) => Promise<void>;
    /** Sets the output device; rejects when the browser does not have it. */
    readonly sink: (deviceId: string) => Promise<void>;
    readonly report: (message: string) => void;
  },
): Devices {
  const preferences: Preferences = {};
  let output = "";
  const current = (kind: DeviceKind): string | undefined => {
    if (kind === "audiooutput") return output === "" ? "default" : output;
    const slot = kind === "audioinput" ? "audio" : "video";
    const used = now.tracks()?.[slot]?.getSettings?.().deviceId;
    if (used !== undefined) return used;
    const chosen = preferences[slot];
    return chosen !== undefined && "deviceId" in chosen ? chosen.deviceId : undefined;
  };
  const devices: Devices = {
    preferences,
    async next(kind) {
      const all = await devices.list(kind);
      const at = all.findIndex((one) => one.current);
      const next = all[(at + 1) % all.length];
      if (all.length < 2 || next === undefined) return false;
      await devices.change(kind, { deviceId: next.deviceId });
      return true;
    },
    async list(kind) {
      if (port?.enumerateDevices === undefined) {
        now.report("devices cannot be listed: the page has no access to them");
        throw new AppError("media.no-device");
      }
      let found: MediaDeviceInfo[];
      try {
        found = await port.enumerateDevices();
      } catch (cause) {
        now.report(`devices cannot be listed: ${String(cause)}`);
        throw new AppError("media.open-failed", { cause });
      }
      const used = current(kind);
      return found
        .filter((one) => one.kind === kind)
        .map(({ deviceId, label }) => ({ deviceId, label, current: deviceId === used }));
    },
    async change(kind, choice) {
      if (kind === "audiooutput") {
        if (!("deviceId" in choice)) throw new AppError("media.no-device");
        await now.sink(choice.deviceId);
        output = choice.deviceId;
        return;
      }
      const slot: Kind = kind === "audioinput" ? "audio" : "video";
      if (now.tracks() !== null) await now.use(slot, choice);
      preferences[slot] = choice;
    },
  };
  return devices;
}
