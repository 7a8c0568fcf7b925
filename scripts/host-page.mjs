/**
 * Serves a host page of the conferencing library as a gateway would: the built library (`npm run build:lib`) and its example from
 * a folder, everything else from the platform.
 *   node scripts/host-page.mjs [--platform http://localhost:8080] [--port 8090] [--dir dist-lib]
 */
import { createReadStream, statSync } from "node:fs";
import { createServer, request } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const TYPES = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".map": "application/json",
  ".md": "text/markdown; charset=utf-8",
};
const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * @param {{ platform: string, dir: string, port?: number }} options port 0: a free one
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export function serveHostPage({ platform, dir, port = 0 }) {
  const target = new URL(platform);
  const fileOf = (path) => {
    const file = join(dir, normalize(path === "/" ? "/index.html" : path));
    if (!file.startsWith(dir)) return null;
    return statSync(file, { throwIfNoEntry: false })?.isFile() ? file : null;
  };
  // The Host header stays that of the page, because the platform only accepts sockets from its own origin.
  const onward = (incoming) =>
    request({
      host: target.hostname,
      port: target.port,
      path: incoming.url,
      method: incoming.method,
      headers: incoming.headers,
    });

  const server = createServer((incoming, answer) => {
    const file = fileOf(decodeURIComponent(new URL(incoming.url, "http://host").pathname));
    if (incoming.method === "GET" && file !== null) {
      answer.setHeader("content-type", TYPES[extname(file)] ?? "application/octet-stream");
      answer.setHeader("cache-control", "no-cache");
      createReadStream(file).pipe(answer);
      return;
    }
    const sent = onward(incoming);
    sent.on("response", (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    });
    sent.on("error", () => answer.writeHead(502).end());
    incoming.pipe(sent);
  });
  server.on("upgrade", (incoming, socket, head) => {
    const sent = onward(incoming);
    socket.on("error", () => sent.destroy());
    sent.on("error", () => socket.destroy());
    sent.on("response", () => socket.end("HTTP/1.1 502 Bad Gateway\r\n\r\n"));
    sent.on("upgrade", (got, other, first) => {
      const lines = [`HTTP/1.1 101 ${got.statusMessage}`];
      for (let i = 0; i < got.rawHeaders.length; i += 2) {
        lines.push(`${got.rawHeaders[i]}: ${got.rawHeaders[i + 1]}`);
      }
      socket.write(`${lines.join("\r\n")}\r\n\r\n`);
      if (first.length > 0) socket.write(first);
      if (head.length > 0) other.write(head);
      other.on("error", () => socket.destroy());
      socket.on("close", () => other.destroy());
      other.on("close", () => socket.destroy());
      socket.pipe(other).pipe(socket);
    });
    sent.end();
  });
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      resolve({
        url: `http://localhost:${server.address().port}`,
        close: () =>
          new Promise((done) => {
            server.close(() => done());
            server.closeAllConnections();
          }),
      });
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const option = (name, fallback) => {
    const at = process.argv.indexOf(`--${name}`);
    return at < 0 ? fallback : process.argv[at + 1];
  };
  const { url } = await serveHostPage({
    platform: option("platform", "http://localhost:8080"),
    dir: join(root, option("dir", "dist-lib")),
    port: Number(option("port", "8090")),
  });
  console.log(`host page: ${url}`);
}
