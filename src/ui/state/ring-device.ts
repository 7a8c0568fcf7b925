/** On which device this browser plays the ringtone. Ids of devices differ between browsers, so the choice stays in this one. */
import { dropLocal, readLocal, writeLocal } from "../storage.ts";

const KEY = "ringDevice";

/** @returns the id of the device; "" is the browser's own choice */
export function keptRingDevice(): string {
  const kept = readLocal(KEY);
  return typeof kept === "string" ? kept : "";
}

export function keepRingDevice(deviceId: string): void {
  if (deviceId === "") dropLocal(KEY);
  else writeLocal(KEY, deviceId);
}

/** Whether this browser can play the ringtone on a chosen device. */
export const canChooseRingDevice = (): boolean =>
  typeof AudioContext !== "undefined" && "setSinkId" in AudioContext.prototype;
