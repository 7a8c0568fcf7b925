/** How every suite starts Firefox: the ESR of the system, headless, with fake devices and no traffic of its own. */
import { join } from "node:path";

const PREFERENCES: Readonly<Record<string, string | number | boolean>> = {
  "media.navigator.streams.fake": true,
  "media.navigator.permission.disabled": true,
  "media.autoplay.default": 0,
  // both ends are on this machine: addresses as they are, the loopback too
  "media.peerconnection.ice.obfuscate_host_addresses": false,
  "media.peerconnection.ice.loopback": true,
  // each tab a process of its own, as with Chromium here: a test kills one of them
  "dom.ipc.processCount": 100,
  "dom.ipc.processCount.webIsolated": 100,
  "network.trr.mode": 5,
  "network.captive-portal-service.enabled": false,
  "services.settings.server": "data:,#remote-settings-dummy/v1",
};

/** @param preferences added to those of every suite */
export const firefoxOptions = (preferences: typeof PREFERENCES = {}) => ({
  executablePath: join(import.meta.dirname, "firefox.sh"),
  firefoxUserPrefs: { ...PREFERENCES, ...preferences },
});
