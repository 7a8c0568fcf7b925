/** The examples of docs/server.md#behind-a-proxy, which the tests run as they are written there. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Site } from "./nginx.ts";

const document = readFileSync(join(import.meta.dirname, "../../docs/server.md"), "utf8");

/** The example that is marked with this language; the first, or another one. */
export function example(language: string, at = 0): string {
  const found = [
    ...document.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm")),
  ][at];
  if (found?.[1] === undefined) throw new Error(`docs/server.md has no example ${language} ${at}`);
  return found[1];
}

/** @throws Error when the example lacks the text, so that a test never runs something else than it says */
export function replaced(text: string, what: string, by: string): string {
  if (!text.includes(what)) throw new Error(`the example lacks ${what}`);
  return text.replaceAll(what, by);
}

/**
 * The documented site of nginx at a port and with a certificate of the test.
 *
 * @param change of the text of the example
 */
export const documentedNginx = (change: (text: string) => string = (text) => text): Site => ({
  scheme: "https",
  write({ port, upstream, certificate }) {
    let text = change(example("nginx"));
    text = replaced(text, "listen 443 ssl", `listen 127.0.0.1:${port} ssl`);
    text = replaced(text, "http://127.0.0.1:8080", upstream);
    text = replaced(text, "/etc/ssl/console.pem", certificate.certificate);
    return replaced(text, "/etc/ssl/console.key", certificate.key);
  },
});

/** As the document says for a base path. */
export const belowPath = (text: string): string =>
  replaced(text, "location / {", "location /console/ {");

/** As the document says for a proxy that must send the host without its port. */
export const hostApart = (text: string): string =>
  replaced(text, "proxy_set_header Host $http_host;\n", example("nginx", 1));

/** The usual mistake: the host without its port, and nothing that says the port. */
export const hostAlone = (text: string): string =>
  replaced(text, "Host $http_host;", "Host $host;");
