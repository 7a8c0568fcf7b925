/**
 * A foreign gateway in front of the platform. It passes on all requests and sockets until a test makes it refuse with its own
 * answers.
 */
import { createServer, request, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { createNextBuild, type NextBuild } from "./next-build.ts";

/** What the gateway does with one request: passes it on, keeps it until the treatment changes, cuts its connection, answers it. */
export type Treatment =
  | "pass"
  | "hold"
  | "cut"
  | { readonly status: number; readonly body: unknown }
  /** Passes it on and changes what the platform answers. */
  | { readonly change: (answer: unknown) => unknown };

export interface Gateway {
  readonly url: string;
  /** From now on each request is treated as the function says, also those that are held; null passes all on. */
  treat(how: ((path: string, method: string) => Treatment) | null): void;
  /** Paths that the gateway answers itself with a plain page without an error code, after it has passed so many on; null passes all on. */
  refuse(path: RegExp | null, status?: number, after?: number): void;
  /** Number of requests that it has refused since the last call of `refuse`. */
  refusals(): number;
  /**
   * From now on the gateway has another build than the open pages: build.json and the service worker name it, and these assets are gone.
   * null ends it.
   */
  deploy(build: string | null, gone?: RegExp): void;
  /**
   * From now on the gateway serves a second build: other names of all scripts, styles and workers, and another build. The assets of the
   * first are gone, unless they are kept. null ends it.
   */
  replace(build: string | null, old?: "gone" | "kept"): void;
  /** From now on the gateway puts this code before that of the core: its worker runs it first. */
  beforeCore(code: string): void;
  /** Number of requests that are not answered yet. */
  pending(): number;
  /** Number of requests so far whose path matches. */
  count(path: RegExp): number;
  /** Number of those that it has passed on, by their method. */
  passed(path: RegExp, method: string): number;
  close(): Promise<void>;
}

const CORE = /^\/assets\/core-[^/]*\.js$/;

/** Files that name the build. */
const NAMED: ReadonlySet<string> = new Set(["/build.json", "/service-worker.js"]);

/** The platform's file as another build would have it. */
async function renamed(platform: string, path: string, build: string): Promise<string> {
  const own = (await (await fetch(`${platform}/build.json`)).json()) as { readonly build: string };
  return (await (await fetch(platform + path)).text()).replaceAll(own.build, build);
}

/** @param foreign true: it sets no cookies, and its console-config.json has only the fields that every platform has */
export async function startGateway(
  platform: string,
  {
    foreign = false,
    onJson,
  }: {
    readonly foreign?: boolean;
    /** Called with every answer in JSON. Only with it answers can be changed. */
    readonly onJson?: (path: string, answer: unknown) => void;
  } = {},
): Promise<Gateway> {
  const { hostname, port } = new URL(platform);
  let refused: RegExp | null = null;
  let refusal = 401;
  let passes = 0;
  let refusals = 0;
  let deployed: { readonly build: string; readonly gone: RegExp } | null = null;
  let next: { readonly build: NextBuild; readonly old: "gone" | "kept" } | null = null;
  let prefix = "";
  let treatment: ((path: string, method: string) => Treatment) | null = null;
  let held: (readonly [IncomingMessage, ServerResponse])[] = [];
  let waiting = 0;
  const seen: string[] = [];
  const onwards: { readonly path: string; readonly method: string }[] = [];
  const target = (incoming: IncomingMessage) => ({
    hostname,
    port,
    method: incoming.method ?? "GET",
    path: incoming.url ?? "/",
    // Responses that the gateway changes must arrive uncompressed.
    headers:
      foreign || onJson !== undefined
        ? { ...incoming.headers, "accept-encoding": "identity" }
        : incoming.headers,
  });
  const handle = (incoming: IncomingMessage, answer: ServerResponse): void => {
    const path = incoming.url ?? "/";
    const treated = treatment?.(path, incoming.method ?? "GET") ?? "pass";
    if (treated === "hold") return void held.push([incoming, answer]);
    if (treated === "cut") return void answer.destroy();
    if (treated !== "pass" && "status" in treated) {
      incoming.resume();
      answer.writeHead(treated.status, { "content-type": "application/json" });
      answer.end(JSON.stringify(treated.body));
      return;
    }
    if (refused?.test(path) === true && (passes -= 1) < 0) {
      refusals += 1;
      incoming.resume();
      answer.writeHead(refusal, { "content-type": "text/html" });
      answer.end("<html><body>Unauthorized</body></html>");
      return;
    }
    if (prefix !== "" && CORE.test(path)) {
      fetch(platform + path)
        .then(async (reply) => {
          // with the policy that belongs to this script; its code is longer now, and uncompressed
          const headers = [...reply.headers].filter(
            ([key]) => !/^(content-(length|encoding)|etag)$/.test(key),
          );
          const text = await reply.text();
          answer.writeHead(200, Object.fromEntries(headers));
          answer.end(`${prefix}\n${text}`);
        })
        .catch(() => answer.destroy());
      return;
    }
    if (deployed !== null && NAMED.has(path)) {
      const { build } = deployed;
      const type = path.endsWith(".js") ? "text/javascript" : "application/json";
      renamed(platform, path, build).then(
        (text) => {
          answer.writeHead(200, { "content-type": type, "cache-control": "no-cache" });
          answer.end(text);
        },
        () => answer.destroy(),
      );
      return;
    }
    if (next !== null) {
      const { build, old } = next;
      if (old === "gone" && build.isOld(path)) {
        answer.writeHead(404, { "content-type": "application/json" });
        answer.end("{}");
        return;
      }
      if (build.has(path, incoming.headers.accept ?? "")) {
        void build.answer(platform, path, incoming.headers).then(
          ({ status, headers, body }) => {
            answer.writeHead(status, headers);
            answer.end(body);
          },
          () => answer.destroy(),
        );
        return;
      }
    }
    if (deployed?.gone.test(path) === true) {
      answer.writeHead(404, { "content-type": "application/json" });
      answer.end("{}");
      return;
    }
    onwards.push({ path, method: incoming.method ?? "GET" });
    const onward = request(target(incoming), (reply) => {
      const { "set-cookie": _, "content-length": length, ...rest } = reply.headers;
      const isConfig = path === "/console-config.json";
      const sized = length === undefined || isConfig ? rest : { ...rest, "content-length": length };
      if (
        onJson !== undefined &&
        reply.headers["content-type"]?.startsWith("application/json") === true
      ) {
        void reply.toArray().then(
          (chunks: Buffer[]) => {
            const text = Buffer.concat(chunks).toString();
            const found: unknown = text === "" ? null : JSON.parse(text);
            onJson(path, found);
            const { "content-length": _, ...headers } = reply.headers;
            answer.writeHead(reply.statusCode ?? 502, headers);
            answer.end(JSON.stringify(treated === "pass" ? found : treated.change(found)));
          },
          () => answer.destroy(),
        );
        return;
      }
      answer.writeHead(reply.statusCode ?? 502, foreign ? sized : reply.headers);
      if (!foreign || !isConfig) return void reply.pipe(answer);
      void reply.toArray().then((chunks: Buffer[]) => {
        const {
          tokenCookie: _cookie,
          uploadsInParts: _parts,
          reports: _reports,
          ...config
        } = JSON.parse(Buffer.concat(chunks).toString()) as Record<string, unknown>;
        answer.end(JSON.stringify(config));
      });
    });
    onward.on("error", () => answer.destroy());
    // The client is gone, so the platform waits for the rest in vain.
    answer.on("close", () => answer.writableFinished || onward.destroy());
    incoming.pipe(onward);
  };
  const server = createServer((incoming, answer) => {
    seen.push(incoming.url ?? "/");
    waiting += 1;
    answer.on("close", () => (waiting -= 1));
    handle(incoming, answer);
  });
  const upgraded = new Set<Duplex>();
  server.on("upgrade", (incoming, socket, head) => {
    upgraded.add(socket);
    socket.on("close", () => upgraded.delete(socket));
    const onward = connect(Number(port), hostname, () => {
      const headers = Object.entries(incoming.headers).map(([k, v]) => `${k}: ${String(v)}\r\n`);
      onward.write(`GET ${incoming.url ?? "/"} HTTP/1.1\r\n${headers.join("")}\r\n`);
      onward.write(head);
      onward.pipe(socket).pipe(onward);
    });
    onward.on("error", () => socket.destroy());
    socket.on("error", () => onward.destroy());
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const address = server.address();
  if (typeof address !== "object" || address === null) throw new Error("no port");
  return {
    url: `http://localhost:${address.port}`,
    treat(how) {
      treatment = how;
      const kept = held;
      held = [];
      for (const [incoming, answer] of kept) handle(incoming, answer);
    },
    refuse(path, status = 401, after = 0) {
      refused = path;
      refusal = status;
      passes = after;
      refusals = 0;
    },
    refusals: () => refusals,
    deploy(build, gone = /^$/) {
      deployed = build === null ? null : { build, gone };
    },
    replace(build, old = "gone") {
      next = build === null ? null : { build: createNextBuild(build), old };
    },
    beforeCore(code) {
      prefix = code;
    },
    pending: () => waiting,
    count: (path) => seen.filter((one) => path.test(one)).length,
    passed: (path, method) =>
      onwards.filter((one) => path.test(one.path) && one.method === method).length,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        // The server no longer counts these as its connections, but waits for them.
        for (const socket of upgraded) socket.destroy();
        server.close(() => resolve());
      }),
  };
}
