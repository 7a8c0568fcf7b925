/** An SMS service for tests: what the server's webhook sends is kept by mobile number. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface SmsService {
  readonly url: string;
  /** The last code for a mobile number. */
  codeOf(mobile: string): string | undefined;
  /** The link of the last invitation for a mobile number. */
  linkOf(mobile: string): string | undefined;
  /** Whether it answers that it failed. */
  fails: boolean;
  close(): void;
}

export async function startSmsService(): Promise<SmsService> {
  const codes = new Map<string, string>();
  const links = new Map<string, string>();
  const service = { fails: false };
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { mobile, code, link } = JSON.parse(body) as {
        mobile: string;
        code?: string;
        link?: string;
      };
      if (service.fails) {
        response.writeHead(500).end();
        return;
      }
      if (code !== undefined) codes.set(mobile, code);
      if (link !== undefined) links.set(mobile, link);
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return Object.assign(service, {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    codeOf: (mobile: string) => codes.get(mobile),
    linkOf: (mobile: string) => links.get(mobile),
    close: () => void server.close(),
  });
}
