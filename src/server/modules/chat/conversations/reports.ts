/** Messages that people report, for the operator. */
import { and, eq } from "drizzle-orm";
import { chatMessage, chatReport } from "../../../base/database/schema/chat.ts";
import { type ActDeps, takePart } from "../rest/acts.ts";
import { ProviderError } from "../rest/provider-app.ts";

export interface Reports {
  /** @throws ProviderError for a message that this person may not see */
  add(reporter: string, messageId: bigint, kind: string, reason: string): Promise<void>;
}

export function createReports(deps: ActDeps): Reports {
  const { db } = deps;
  const missing = (): ProviderError =>
    new ProviderError(404, "resource_not_found", "the message does not exist");
  return {
    async add(reporter, messageId, kind, reason) {
      const [found] = await db
        .select({
          sender: chatMessage.sender,
          recipient: chatMessage.recipient,
          sentAt: chatMessage.sentAt,
        })
        .from(chatMessage)
        .where(and(eq(chatMessage.id, messageId), eq(chatMessage.roams, true)));
      if (found === undefined) throw missing();
      const { sender, recipient, sentAt } = found;
      if (recipient.startsWith("#")) {
        const { since } = await takePart(deps, reporter, recipient).catch((error: unknown) => {
          // Who takes no part does not learn that there is such a message.
          throw error instanceof ProviderError ? missing() : error;
        });
        if (since > sentAt) throw missing();
      } else if (reporter !== sender && reporter !== recipient) throw missing();
      const row = { messageId, reporter, kind, reason, at: deps.now() };
      await db
        .insert(chatReport)
        .values(row)
        .onConflictDoUpdate({ target: [chatReport.messageId, chatReport.reporter], set: row });
    },
  };
}
