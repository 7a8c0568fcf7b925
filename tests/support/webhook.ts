/** A receiver of alerts for tests: keeps what a webhook of the form `json` gets (docs/server.md#sending-alerts). */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { z } from "zod";

const messageSchema = z.object({
  event: z.enum(["began", "ended", "test"]),
  text: z.string(),
  alert: z.object({ rule: z.string(), subject: z.object({ name: z.string() }) }).optional(),
});
type WebhookMessage = z.infer<typeof messageSchema>;

export interface Webhook {
  readonly url: string;
  /** What arrived, the first first. */
  readonly messages: readonly WebhookMessage[];
  close(): void;
}

export async function startWebhook(): Promise<Webhook> {
  const messages: WebhookMessage[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (part: Buffer) => (body += part.toString()));
    request.on("end", () => {
      messages.push(messageSchema.parse(JSON.parse(body)));
      response.end("{}");
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    messages,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
