/** The machine's nginx as a proxy in front of a server, with its files in a separate folder. */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../../scripts/lib/free-port.mjs";
import { type Certificate, answers, makeCertificate } from "./tls.ts";

/** Null when nginx is not installed. */
export const nginxPath =
  ["/usr/sbin/nginx", "/usr/bin/nginx"].find((path) => existsSync(path)) ?? null;

export interface Proxy {
  readonly origin: string;
  close(): Promise<void>;
}

/** Where the parts of a site are. */
export interface SiteParts {
  readonly port: number;
  /** Base URL of the server. */
  readonly upstream: string;
  readonly certificate: Certificate;
}

/** What stands inside of `http`. */
export interface Site {
  readonly scheme: "http" | "https";
  write(parts: SiteParts): string;
}

/** A site without TLS that says that it has TLS. */
const PLAIN: Site = {
  scheme: "http",
  write: ({ port, upstream }) => `
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  server {
    listen 127.0.0.1:${port} backlog=2048;
    location / {
      proxy_pass ${upstream};
      proxy_http_version 1.1;
      proxy_read_timeout 300s;
      proxy_set_header Host $http_host;
      proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
      proxy_set_header X-Forwarded-Proto https;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
    }
  }`,
};

const configuration = (folder: string, site: string): string => `
daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? "user root;" : ""}
pid ${folder}/pid;
error_log ${folder}/error.log warn;
events { worker_connections 8192; }
http {
  access_log off;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  ${site}
}
`;

/** @param upstream base URL of the server */
export async function startNginx(upstream: string, site: Site = PLAIN): Promise<Proxy> {
  if (nginxPath === null) throw new Error("nginx is not installed");
  const folder = mkdtempSync(join(tmpdir(), "nginx-"));
  const port = await freePort();
  const file = join(folder, "nginx.conf");
  const certificate =
    site.scheme === "https" ? makeCertificate(folder) : { certificate: "", key: "" };
  writeFileSync(file, configuration(folder, site.write({ port, upstream, certificate })));
  const child = spawn(nginxPath, ["-p", folder, "-c", file, "-e", join(folder, "error.log")], {
    stdio: "ignore",
  });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  const close = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const origin = `${site.scheme}://127.0.0.1:${port}`;
  const deadline = Date.now() + 20_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) {
      const log = existsSync(join(folder, "error.log"))
        ? readFileSync(join(folder, "error.log"), "utf8")
        : "";
      await close();
      throw new Error(`nginx did not start:\n${log}`);
    }
    if (await answers(origin)) return { origin, close };
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
