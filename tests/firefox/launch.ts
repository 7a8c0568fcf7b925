/** How every suite starts Firefox: the system's ESR, headless, with fake devices and without background traffic. */
import { join } from "node:path";

const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  "media.navigator.streams.fake": true,
  "media.navigator.permission.disabled": true,
  "media.autoplay.default": 0,
  // Both ends run on this machine, so candidates need real addresses, including the loopback.
  "media.peerconnection.ice.obfuscate_host_addresses": false,
  "media.peerconnection.ice.loopback": true,
  // Each tab gets its own process, as in Chromium, so that a test can kill one of them.
  "dom.ipc.processCount": 100,
  "dom.ipc.processCount.webIsolated": 100,
  "network.trr.mode": 5,
  "network.captive-portal-service.enabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
};

/** @param preferences added to the preferences of every suite */
export const firefoxOptions = (preferences: typeof PREFERENCES = {}) => ({
  executablePath: join(import.meta.dirname, "firefox.sh"),
  firefoxUserPrefs: { ...PREFERENCES, ...preferences },
});
