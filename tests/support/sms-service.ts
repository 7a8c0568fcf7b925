/** An SMS service for tests: what the server's webhook sends is kept by mobile number. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export interface SmsService {
  readonly url: string;
  /** The last code for a mobile number. */
  codeOf(mobile: string): string | undefined;
  close(): void;
}

export async function startSmsService(): Promise<SmsService> {
  const codes = new Map<string, string>();
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      const { mobile, code } = JSON.parse(body) as { mobile: string; code: string };
      codes.set(mobile, code);
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    codeOf: (mobile) => codes.get(mobile),
    close: () => void server.close(),
  };
}
