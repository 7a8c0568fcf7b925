/** Shows in the chat slice what becomes of the messages of the outbox. */
import { AppError } from "../../../../shared/errors.ts";
import type { ChatUpload } from "../../../../shared/protocol/state.ts";
import type { Store } from "../../contracts.ts";
import type { Conversations } from "./conversations.ts";
import { refusalCode } from "../provider/failures.ts";
import { pendingMessage, shownContents } from "./message.ts";
import type { OutboxEvents } from "../outbox/outbox-events.ts";

export function createOutboxShown(deps: {
  readonly store: Pick<Store, "get" | "set" | "del" | "notice">;
  /** Chat user name of this person; null while it is unknown. */
  readonly me: () => string | null;
  readonly conversations: Pick<Conversations, "putOwn" | "sent" | "setStatus" | "setContents">;
  readonly traffic: () => void;
}): OutboxEvents {
  const { store, conversations } = deps;
  /** In the list of all uploads, in the header. */
  const showUpload = (id: string, now: Pick<ChatUpload, "state">, share: number | null): void => {
    const known = store.get("uploads").chat[id];
    if (known === undefined) return;
    // An attempt begins at 0 and soon says where it goes on.
    const sent = share === null || share === 0 ? known.sent : Math.round(known.size * share);
    store.set(["uploads", "chat", id], { ...known, ...now, sent });
  };
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
    progress(id, share, waits = false) {
      showUpload(id, { state: share !== null ? "running" : waits ? "paused" : "waiting" }, share);
      const known = store.get("chat").uploads;
      if (share !== null) store.set(["chat", "uploads", id], share);
      else if (Object.hasOwn(known, id)) store.del(["chat", "uploads", id]);
    },
    changed(entries) {
      const going = new Map(
        entries.flatMap((entry) =>
          entry.file?.uploaded === null ? [[entry.id, { entry, file: entry.file }] as const] : [],
        ),
      );
      const known = store.get("uploads").chat;
      for (const id of Object.keys(known)) {
        if (!going.has(id)) store.del(["uploads", "chat", id]);
      }
      for (const [id, { entry, file }] of going) {
        const was = known[id];
        if (was !== undefined && (was.state === "failed") === entry.failed) continue;
        store.set(["uploads", "chat", id], {
          chatId: entry.to,
          name: file.name,
          size: file.size,
          sent: 0,
          state: entry.failed ? "failed" : "waiting",
          at: entry.time,
        });
      }
    },
    uploaded(entry) {
      conversations.setContents(entry.to, entry.id, shownContents(entry));
    },
    traffic: deps.traffic,
  };
}
