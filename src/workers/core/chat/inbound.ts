/** Passes what arrives over the connection to the conversations, once the account's stored chat has been restored. */
import {
  DATA_CHANGED,
  DATA_SENDER,
  type DataChanged,
  dataChangedSchema,
} from "../../../shared/protocol/data-changed.ts";
import type { CallMessages } from "./call-messages.ts";
import type { Conversations } from "./conversations.ts";
import { chatIdOf } from "./message.ts";
import type { Names } from "./names.ts";
import type { ConnectionEvents } from "./port.ts";
import type { Presence } from "./presence.ts";

export type Inbound = Pick<
  ConnectionEvents,
  "message" | "command" | "delivered" | "read" | "readAll" | "recalled" | "presence" | "bad"
>;

export function createInbound(deps: {
  readonly me: () => string | null;
  /** Resolves when the running restore has ended. */
  readonly ready: () => Promise<void>;
  readonly conversations: Conversations;
  readonly names: Names;
  readonly presence: Presence;
  readonly calls: CallMessages;
  readonly onDataChanged: (message: DataChanged) => void;
  readonly traffic: () => void;
  readonly report: (message: string) => void;
}): Inbound {
  const { conversations, names, presence } = deps;
  /** Runs with the account and the other side; does nothing when the account has changed meanwhile. */
  const within = (
    event: { readonly from: string; readonly to: string },
    run: (me: string, peer: string) => void,
  ): void => {
    deps.traffic();
    const me = deps.me();
    if (me === null) return;
    const peer = chatIdOf(me, event);
    if (peer === null) return deps.report("chat: an event of a conversation without this person");
    void deps.ready().then(() => {
      if (deps.me() === me) run(me, peer);
    });
  };

  return {
    message: (message) =>
      within(message, (me, peer) => {
        const fresh = conversations.get(peer) === undefined;
        conversations.receive(me, message);
        if (!fresh) return;
        const name = names.of(peer);
        if (name === null) names.lookUp(peer);
        else conversations.ensure(peer, name);
        presence.watch([peer]);
      }),
    command(command) {
      deps.traffic();
      const me = deps.me();
      if (me === null) return;
      if (command.action !== DATA_CHANGED) return deps.calls.received(me, command);
      const changed = dataChangedSchema.safeParse(command.ext);
      if (command.from === DATA_SENDER && changed.success) return deps.onDataChanged(changed.data);
      deps.report(`chat: ${command.from} may not tell that data changed`);
    },
    delivered: (receipt) =>
      within(receipt, (me, peer) => {
        if (receipt.from !== me) conversations.receipt(peer, receipt.mid, "sent");
      }),
    read: (receipt) =>
      within(receipt, (me, peer) => {
        // read on another device of this person, including all earlier messages
        if (receipt.from === me) conversations.markRead(peer);
        else conversations.receipt(peer, receipt.mid, "read");
      }),
    readAll: (receipt) =>
      within(receipt, (me, peer) => {
        if (receipt.from === me) conversations.markRead(peer);
        else conversations.readByPeer(peer, receipt.time);
      }),
    recalled: (receipt) => within(receipt, (me) => conversations.recall(me, receipt)),
    presence: presence.heard,
    bad: deps.report,
  };
}
