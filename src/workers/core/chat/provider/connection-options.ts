import type { CoreEnv } from "../../contracts.ts";
import type { ConnectionOptions } from "./port.ts";

/** Reconnects that the SDK attempts by itself before it gives up. */
export const AUTO_RECONNECT = 5;
/** Options for the SDK; "" in the configuration means the console's own server. */
export function connectionOptions(
  env: Pick<CoreEnv, "config" | "home">,
  deviceId: string,
): ConnectionOptions {
  const { appKey, url, apiUrl, isHttpDNS, resumableUploads } = env.config.easemob;
  return {
    appKey,
    url: url === "" ? `${env.home.replace(/^http/, "ws")}/websocket` : url,
    apiUrl: apiUrl === "" ? env.home : apiUrl,
    isHttpDNS,
    resumableUploads,
    deviceId,
    delivery: true,
    autoReconnectNumMax: AUTO_RECONNECT,
  };
}
