/** Shows in the chat slice what becomes of the messages of the outbox. */
import { AppError } from "../../../shared/errors.ts";
import type { Store } from "../contracts.ts";
import type { Conversations } from "./conversations.ts";
import { refusalCode } from "./failures.ts";
import { pendingMessage, shownContents } from "./message.ts";
import type { OutboxEvents } from "./outbox.ts";

export function createOutboxShown(deps: {
  readonly store: Pick<Store, "get" | "set" | "del" | "notice">;
  /** Chat user name of this person; null while it is unknown. */
  readonly me: () => string | null;
  readonly conversations: Pick<Conversations, "putOwn" | "sent" | "setStatus" | "setContents">;
  readonly traffic: () => void;
}): OutboxEvents {
  const { store, conversations } = deps;
  return {
    // Shown once it is stored: a copy of the conversation must not hold what a dead core would never send.
    stored(entry) {
      const me = deps.me();
      if (me !== null) conversations.putOwn(pendingMessage(entry, me));
    },
    sent: (entry, mid, time) => conversations.sent(entry.to, entry.id, mid, time),
    refused(entry, failure) {
      conversations.setStatus(entry.to, entry.id, "failed");
      const code = refusalCode(failure);
      store.notice({ style: "error", text: new AppError(code).message, key: code, code });
    },
    progress(id, share) {
      const known = store.get("chat").uploads;
      if (share !== null) store.set(["chat", "uploads", id], share);
      else if (Object.hasOwn(known, id)) store.del(["chat", "uploads", id]);
    },
    uploaded(entry) {
      conversations.setContents(entry.to, entry.id, shownContents(entry));
    },
    traffic: deps.traffic,
  };
}
