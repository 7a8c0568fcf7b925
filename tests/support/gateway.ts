/**
 * A foreign gateway in front of the platform. It passes on all requests and sockets until a test makes it refuse with its own
 * answers.
 */
import { createServer, request, type IncomingMessage } from "node:http";
import { connect } from "node:net";

export interface Gateway {
  readonly url: string;
  /** Paths that the gateway answers itself with a plain page without an error code; null passes all on. */
  refuse(path: RegExp | null, status?: number): void;
  /** Number of requests so far whose path matches. */
  count(path: RegExp): number;
  close(): Promise<void>;
}

/** @param foreign true: it sets no cookies, and its console-config.json has only the fields that every platform has */
export async function startGateway(
  platform: string,
  { foreign = false }: { readonly foreign?: boolean } = {},
): Promise<Gateway> {
  const { hostname, port } = new URL(platform);
  let refused: RegExp | null = null;
  let refusal = 401;
  const seen: string[] = [];
  const target = (incoming: IncomingMessage) => ({
    hostname,
    port,
    method: incoming.method ?? "GET",
    path: incoming.url ?? "/",
    // Responses that the gateway changes must arrive uncompressed.
    headers: foreign ? { ...incoming.headers, "accept-encoding": "identity" } : incoming.headers,
  });
  const server = createServer((incoming, answer) => {
    const path = incoming.url ?? "/";
    seen.push(path);
    if (refused?.test(path) === true) {
      incoming.resume();
      answer.writeHead(refusal, { "content-type": "text/html" });
      answer.end("<html><body>Unauthorized</body></html>");
      return;
    }
    const onward = request(target(incoming), (reply) => {
      const { "set-cookie": _, "content-length": length, ...rest } = reply.headers;
      const isConfig = path === "/console-config.json";
      const sized = length === undefined || isConfig ? rest : { ...rest, "content-length": length };
      answer.writeHead(reply.statusCode ?? 502, foreign ? sized : reply.headers);
      if (!foreign || !isConfig) return void reply.pipe(answer);
      void reply.toArray().then((chunks: Buffer[]) => {
        const { tokenCookie: _gone, ...config } = JSON.parse(
          Buffer.concat(chunks).toString(),
        ) as Record<string, unknown>;
        answer.end(JSON.stringify(config));
      });
    });
    onward.on("error", () => answer.destroy());
    incoming.pipe(onward);
  });
  server.on("upgrade", (incoming, socket, head) => {
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
    refuse(path, status = 401) {
      refused = path;
      refusal = status;
    },
    count: (path) => seen.filter((one) => path.test(one)).length,
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
