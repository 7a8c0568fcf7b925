/** The websocket as the transport of a signalling session (docs/calls.md#resuming, docs/conferences.md#loss). */
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { CoreEnv, Stats } from "../contracts.ts";
import { createJsonSocket, type JsonSocketOptions, type Loss } from "../sockets/index.ts";
import type { ConnectTransport, TransportLoss } from "./transport.ts";

export interface SocketTransportDeps {
  readonly env: Pick<
    CoreEnv,
    "clock" | "openSocket" | "online" | "random" | "config" | "home" | "rewrites"
  >;
  readonly stats: Pick<Stats, "socket" | "socketTraffic">;
  /** Pauses before the next attempt; by default those of shared/domain/backoff. */
  readonly delays?: NonNullable<JsonSocketOptions["delays"]>;
  /** ms between two beats. A socket without any frame for two beats and one ping's timeout counts as dead. */
  readonly pingIntervalMillis: number;
  readonly pingTimeoutMillis: number;
}

/** Counts the connections of a session, so that logs of proxies tell them apart. Servers ignore it. */
const CONNECTION_COUNT = "_n";

/** The socket's address. A bare path is completed with the configured gateway, else with the console's. The server's paths begin with its base path. */
export function socketUrl(url: string, gatewayBaseUrl: string, home: string): string {
  return new URL(url, new URL(gatewayBaseUrl, home)).toString().replace(/^http/, "ws");
}

const CAUSES: Readonly<Record<number, TransportLoss["why"]>> = {
  [WS_CLOSE.unauthorised]: "bad-ticket",
  [WS_CLOSE.replaced]: "replaced",
};
const lossOf = ({ code, attempts }: Loss): TransportLoss => ({
  why: CAUSES[code] ?? "failed",
  attempts,
});

export function socketTransport(deps: SocketTransportDeps): ConnectTransport {
  const { env } = deps;
  return (user) => {
    let connections = 0;
    return createJsonSocket({
      env,
      name: "signalling",
      stats: deps.stats,
      ...(deps.delays === undefined ? {} : { delays: deps.delays }),
      url() {
        const { url } = user.ticket();
        const rewritten = env.rewrites?.().socket(url) ?? url;
        const address = new URL(socketUrl(rewritten, env.config.gatewayBaseUrl, env.home));
        connections += 1;
        address.searchParams.set(CONNECTION_COUNT, String(connections));
        return address.toString();
      },
      onOpen: () => user.onOpen(),
      onMessage: (message) => user.onMessage(message),
      onBadMessage: (reason) => user.onBadMessage(reason),
      onLoss: (loss) => user.onLoss(lossOf(loss)),
      heartbeat: {
        every: deps.pingIntervalMillis,
        beat: () => {
          user.onBeat();
          return undefined;
        },
        silence: deps.pingIntervalMillis * 2 + deps.pingTimeoutMillis,
      },
    });
  };
}
