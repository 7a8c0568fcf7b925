/** Passes what arrives over the connection to the conversations, once the account's stored chat has been restored. */
import {
  ALERT_ACTION,
  type AlertMessage,
  alertMessageSchema,
} from "../../../shared/protocol/alert-message.ts";
import {
  DATA_CHANGED,
  type DataChanged,
  dataChangedSchema,
  isPlatformSender,
} from "../../../shared/protocol/data-changed.ts";
import { CALL_SIGNAL_ACTION } from "../../../shared/protocol/call-signal.ts";
import { groupIdOf } from "../../../shared/domain/group-chat.ts";
import type { CallMessages } from "./calls/call-messages.ts";
import type { CallSignals } from "./calls/call-signals.ts";
import type { CatchingUp } from "./conversations/catching-up.ts";
import type { Conversations } from "./conversations/conversations.ts";
import type { ChatFriendsPart } from "./people/friends.ts";
import type { ChatGroups } from "./groups/groups.ts";
import { chatIdOf } from "./conversations/message.ts";
import type { Conversation } from "./conversations/message-list.ts";
import type { Names } from "./people/names.ts";
import type { ConnectionEvents, ReceivedMessage } from "./provider/port.ts";
import type { Presence } from "./people/presence.ts";
import { TYPING, type Typing } from "./conversations/typing.ts";

export type Inbound = Pick<
  ConnectionEvents,
  | "message"
  | "command"
  | "delivered"
  | "read"
  | "readBy"
  | "readAll"
  | "recalled"
  | "edited"
  | "reacted"
  | "kept"
  | "forgotten"
  | "erased"
  | "presence"
  | "group"
  | "contact"
  | "bad"
>;

/** Whether the message is older than all that was read, and older ones exist that were not read. */
function isBeforeHistory(
  conversation: Readonly<Conversation> | undefined,
  { time }: ReceivedMessage,
): boolean {
  if (conversation?.historyLoaded !== true || conversation.historyEnd) return false;
  const { order, messages } = conversation;
  const oldest = order.find((id) => messages[id]?.mid != null);
  return oldest !== undefined && time < (messages[oldest]?.time ?? 0);
}

export function createInbound(deps: {
  readonly me: () => string | null;
  /** Resolves when the running restore has ended. */
  readonly ready: () => Promise<void>;
  readonly conversations: Conversations;
  readonly names: Names;
  readonly presence: Presence;
  readonly calls: CallMessages;
  readonly signals: Pick<CallSignals, "received">;
  readonly typing: Pick<Typing, "received" | "ended">;
  readonly groups: Pick<ChatGroups, "heard" | "wrote">;
  readonly friends: Pick<ChatFriendsPart, "heard">;
  readonly onKept: () => void;
  /** Another device took a conversation out of the list. */
  readonly onForgotten: (chatId: string) => void;
  readonly catchingUp: Pick<CatchingUp, "erased" | "arrivedLate">;
  readonly onDataChanged: (message: DataChanged) => void;
  readonly onAlert: (message: AlertMessage) => void;
  readonly traffic: () => void;
  /** Something arrived that cannot be used. */
  readonly bad: (what: string) => void;
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
    if (peer === null) return deps.bad("an event of a conversation without this person");
    void deps.ready().then(() => {
      if (deps.me() === me) run(me, peer);
    });
  };

  return {
    message: (message) =>
      within(message, (me, peer) => {
        const before = conversations.get(peer);
        const fresh = before === undefined;
        const late = isBeforeHistory(before, message);
        conversations.receive(me, message);
        if (late) deps.catchingUp.arrivedLate(peer, { mid: message.mid, time: message.time });
        deps.typing.ended(peer);
        const groupId = groupIdOf(peer);
        if (groupId !== null) {
          deps.groups.wrote(groupId, message.from);
        }
        if (!fresh || groupId !== null) return;
        const name = names.nameOf(peer);
        if (name === null) names.lookUp(peer);
        else conversations.ensure(peer, name);
        presence.watch([peer]);
      }),
    command(command) {
      deps.traffic();
      const me = deps.me();
      if (me === null) return;
      if (command.action === CALL_SIGNAL_ACTION) return deps.signals.received(me, command);
      if (command.action === TYPING) return deps.typing.received(me, command);
      if (command.action === ALERT_ACTION) {
        const alert = alertMessageSchema.safeParse(command.ext);
        if (isPlatformSender(command.from) && alert.success) return deps.onAlert(alert.data);
        return deps.bad(`${command.from} may not tell of an alert`);
      }
      if (command.action !== DATA_CHANGED) return deps.calls.received(me, command);
      const changed = dataChangedSchema.safeParse(command.ext);
      if (isPlatformSender(command.from) && changed.success) {
        return deps.onDataChanged(changed.data);
      }
      deps.bad(`${command.from} may not tell that data changed`);
    },
    delivered: (receipt) =>
      within(receipt, (me, peer) => {
        // one member of a group is not all of them
        const status = groupIdOf(peer) === null ? "delivered" : "sent";
        if (receipt.from !== me) conversations.receipt(peer, receipt.mid, status);
      }),
    read: (receipt) =>
      within(receipt, (me, peer) => {
        // read on another device of this person, including all earlier messages
        if (receipt.from === me) conversations.readElsewhere(peer, { mid: receipt.mid });
        else conversations.receipt(peer, receipt.mid, "read");
      }),
    readBy: (receipt) =>
      within(receipt, (_me, chatId) => conversations.readBy(chatId, receipt.mid, receipt.count)),
    readAll: (receipt) =>
      within(receipt, (me, peer) => {
        if (receipt.from === me) conversations.readElsewhere(peer, { time: receipt.time });
        else conversations.readByPeer(peer, receipt.time);
      }),
    recalled: (receipt) => within(receipt, (me) => conversations.recall(me, receipt)),
    edited: (message) => within(message, (me) => conversations.edited(me, message)),
    reacted: (news) => within(news, (me) => conversations.reacted(me, news)),
    kept: deps.onKept,
    forgotten: deps.onForgotten,
    erased: (chatId) => void deps.ready().then(() => deps.catchingUp.erased(chatId)),
    presence: presence.heard,
    group(news) {
      deps.traffic();
      deps.groups.heard(news);
    },
    contact(news) {
      deps.traffic();
      deps.friends.heard(news);
    },
    bad: deps.bad,
  };
}
