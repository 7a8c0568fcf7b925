/**
 * What of the server's own metrics is kept over time, beside the figures of the cores (docs/server.md#figures-of-servers): under which
 * name, from which metric of `/metrics`, and how it is read. Pure.
 */

export interface ServerFigure {
  /** A metric of `/metrics`. */
  readonly from: string;
  /** counter: how much more it is. level: what it is. latency: the durations of a histogram, or a gauge in s as one duration. */
  readonly kind: "counter" | "level" | "latency";
  /** Only what has labels like these. */
  readonly where?: Readonly<Record<string, RegExp>>;
  /** What the number is divided by. */
  readonly per?: number;
}

const MIB = 2 ** 20;
const LOGIN = /^\/uaa\/login\//;

export const SERVER_FIGURES = {
  "server.requests": { from: "http_requests_total", kind: "counter" },
  "server.failures": { from: "http_requests_total", kind: "counter", where: { status: /^5/ } },
  "server.http": { from: "http_request_duration_seconds", kind: "latency" },
  "server.connections": { from: "http_connections", kind: "level" },
  "server.refused": { from: "http_connections_refused_total", kind: "counter" },
  "server.logins": {
    from: "http_requests_total",
    kind: "counter",
    where: { route: LOGIN, status: /^2/ },
  },
  "server.logins-refused": {
    from: "http_requests_total",
    kind: "counter",
    where: { route: LOGIN, status: /^[45]/ },
  },
  "server.cpu": { from: "process_cpu_seconds_total", kind: "counter" },
  "server.memory": { from: "process_resident_memory_bytes", kind: "level", per: MIB },
  "server.heap": { from: "nodejs_heap_size_used_bytes", kind: "level", per: MIB },
  "server.lag": { from: "nodejs_eventloop_lag_p99_seconds", kind: "latency" },
  "server.fleet-sockets": { from: "fleet_sockets", kind: "level" },
  "server.chat-sockets": { from: "chat_sockets", kind: "level" },
  "server.chat-messages": { from: "chat_messages_total", kind: "counter" },
  "server.signalling-sockets": { from: "signalling_sockets", kind: "level" },
  "server.conference-members": { from: "conference_members", kind: "level" },
  "server.import-rows": { from: "import_rows_total", kind: "counter" },
  "server.streams-in": { from: "media_published_streams", kind: "level" },
  "server.streams-out": { from: "media_forwarded_streams", kind: "level" },
  "server.media-in": { from: "media_bytes_in_total", kind: "counter", per: MIB },
  "server.media-out": { from: "media_bytes_out_total", kind: "counter", per: MIB },
  "server.media-resent": { from: "media_packets_resent_total", kind: "counter" },
  "server.media-restarts": { from: "media_node_restarts_total", kind: "counter" },
} as const satisfies Readonly<Record<`server.${string}`, ServerFigure>>;

/** Measured by the server itself and no metric: how long the database takes to answer. */
export const DATABASE_FIGURE = "server.database";
export type ServerMetric = keyof typeof SERVER_FIGURES | typeof DATABASE_FIGURE;

/** Durations of a route are kept as `route.GET /path`. */
export const ROUTE_FIGURES = { begin: "route.", from: "http_request_duration_seconds" } as const;

/** @returns how a metric of the server is read; null: it is none */
export function serverKind(metric: string): ServerFigure["kind"] | null {
  if (metric === DATABASE_FIGURE || metric.startsWith(ROUTE_FIGURES.begin)) return "latency";
  return Object.hasOwn(SERVER_FIGURES, metric)
    ? SERVER_FIGURES[metric as keyof typeof SERVER_FIGURES].kind
    : null;
}
