/**
 * Media nodes receive a publisher's stream and offer it to subscribers. Three kinds implement the interface of contracts.ts:
 * `embedded`, a child process on node-datachannel, `janus`, any number of Janus servers, and `cloud`, for group calls whose media go by
 * the cloud of Agora. The caller checks permissions before it asks a node.
 */
import { Counter, Gauge, type Registry } from "prom-client";
import type { Logger } from "pino";
import type { ServerConfig } from "../../base/config.ts";
import type { Clock } from "../../base/module.ts";
import { createCloudNode } from "./cloud.ts";
import type { MediaNode, NodeStats } from "./contracts.ts";
import { createEmbeddedNode } from "./embedded/index.ts";
import { createJanusNode } from "./janus/index.ts";
import { NO_STATS } from "./stats.ts";

export type * from "./contracts.ts";

type MediaConfig = Pick<
  ServerConfig,
  | "MEDIA_EMBEDDED"
  | "MEDIA_PORT"
  | "MEDIA_TURN_PORT"
  | "MEDIA_BIND"
  | "MEDIA_PUBLIC_IP"
  | "MEDIA_MAX_CONNECTIONS"
  | "JANUS_URL"
  | "JANUS_SECRET"
  | "TURN_URL"
  | "AGORA_APP_ID"
>;

/** Whether browsers may come by TURN over TCP or TLS. */
const hasTurnByTcp = (url: string | undefined): boolean =>
  url !== undefined && /(^|,\s*)turns:|[?&]transport=tcp/.test(url);

/** Creates the configured nodes. Connects to Janus at once; starts the embedded process at first use. The caller closes them. */
export function createMediaNodes(deps: {
  readonly config: MediaConfig;
  readonly clock: Clock;
  readonly log: Logger;
  readonly metrics: Registry;
}): MediaNode[] {
  const { config, clock, log } = deps;
  const measured = createMeasures(deps.metrics);
  const nodes: MediaNode[] = config.AGORA_APP_ID === undefined ? [] : [createCloudNode()];
  if (config.MEDIA_EMBEDDED === "on") {
    nodes.push(
      createEmbeddedNode({
        options: {
          port: config.MEDIA_PORT,
          bind: config.MEDIA_BIND,
          announce: config.MEDIA_PUBLIC_IP,
          ...(hasTurnByTcp(config.TURN_URL) ? { turnPort: config.MEDIA_TURN_PORT } : {}),
          capacity: config.MEDIA_MAX_CONNECTIONS,
        },
        clock,
        log,
        onStats: measured.recorderFor("embedded"),
        onRestart: () => measured.restarts.inc({ node: "embedded" }),
      }),
    );
  }
  for (const [i, url] of (config.JANUS_URL?.split(",") ?? []).entries()) {
    const name = `janus-${i + 1}`;
    nodes.push(
      createJanusNode({
        name,
        url: url.trim(),
        secret: config.JANUS_SECRET,
        capacity: config.MEDIA_MAX_CONNECTIONS,
        clock,
        log,
        onStats: measured.recorderFor(name),
      }),
    );
  }
  return nodes;
}

/** Gauges and counters of all nodes, labelled by the node's name. `of` returns the function that takes a node's statistics. */
function createMeasures(metrics: Registry) {
  const labels = { labelNames: ["node"] as const, registers: [metrics] };
  const forwarded = new Gauge({
    name: "media_forwarded_streams",
    help: "Subscriptions that are connected",
    ...labels,
  });
  const publishers = new Gauge({
    name: "media_published_streams",
    help: "Publishers on the media node",
    ...labels,
  });
  const restarts = new Counter({
    name: "media_node_restarts_total",
    help: "Times that the media process was started again",
    ...labels,
  });
  const counters = {
    packetsIn: new Counter({
      name: "media_packets_in_total",
      help: "RTP packets received from publishers",
      ...labels,
    }),
    packetsOut: new Counter({
      name: "media_packets_out_total",
      help: "RTP packets sent to subscribers",
      ...labels,
    }),
    bytesIn: new Counter({
      name: "media_bytes_in_total",
      help: "Bytes of RTP received from publishers",
      ...labels,
    }),
    bytesOut: new Counter({
      name: "media_bytes_out_total",
      help: "Bytes of RTP sent to subscribers",
      ...labels,
    }),
    resent: new Counter({
      name: "media_packets_resent_total",
      help: "RTP packets sent again on request of a subscriber",
      ...labels,
    }),
  };
  const names = ["packetsIn", "packetsOut", "bytesIn", "bytesOut", "resent"] as const;
  return {
    restarts,
    recorderFor(node: string): (stats: NodeStats) => void {
      let before = NO_STATS;
      forwarded.set({ node }, 0);
      return (stats) => {
        forwarded.set({ node }, stats.forwarded);
        publishers.set({ node }, stats.publishers);
        // A restarted process counts from zero.
        const restarted =
          stats.packetsOut < before.packetsOut || stats.packetsIn < before.packetsIn;
        for (const name of names) {
          counters[name].inc({ node }, Math.max(0, stats[name] - (restarted ? 0 : before[name])));
        }
        before = stats;
      };
    },
  };
}
