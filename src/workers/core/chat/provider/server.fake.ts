/** A chat server in memory. */
import type { ChatKeeping } from "../../../../shared/protocol/chat-parts.ts";
import type { FriendRequest } from "../../../../shared/protocol/friend-model.ts";
import type { GroupRequest } from "../../../../shared/protocol/group-model.ts";
import type { CombinedPart } from "../../../../shared/protocol/state.ts";
import {
  type GroupFile,
  type ListedConversation,
  type OutgoingMessage,
  type ReceivedMessage,
  type Upload,
} from "./port.ts";

export interface Stored extends ReceivedMessage {
  readonly metaId: string;
}

/** Accepts each (sender, id) once, as the gateway does. */
export function createFakeServer() {
  const messages: Stored[] = [];
  let mids = 9_000_000_000_000_000_000n;
  let time = 1_700_000_000_000;
  const received: { from: string; message: OutgoingMessage }[] = [];
  return {
    messages,
    groupFiles: [] as GroupFile[],
    groups: [] as { id: string; name: string; members: string[] }[],
    /** Changes of groups that were asked for. */
    groupCalls: [] as unknown[][],
    /** How the provider answers such a change. */
    groupAnswer: (): Promise<void> => Promise.resolve(),
    sendParts: (_upload: Pick<Upload, "file" | "signal" | "resume">): Promise<string | null> =>
      Promise.resolve(null),
    /** How the person keeps conversations. */
    keeping: { pinned: {}, muted: {}, quiet: false } as ChatKeeping,
    /** How the provider answers with the list of conversations. */
    listAnswer: (): Promise<ListedConversation[]> => Promise.resolve([]),
    /** Conversations that were taken out of the list. */
    forgotten: [] as string[],
    /** Reactions that were asked for. */
    reacted: [] as unknown[][],
    /** How the provider answers a change of a message. */
    changeAnswer: (): Promise<void> => Promise.resolve(),
    /** How the provider answers with the messages of a combined one. */
    combinedAnswer: (): Promise<CombinedPart[]> => Promise.resolve([]),
    groupRequests: [] as GroupRequest[],
    /** What the server and the provider list of friends. */
    friends: [] as { userName: string; name: string; avatar: string }[],
    friendRequests: [] as FriendRequest[],
    blocked: [] as string[],
    remarks: new Map<string, string>(),
    /** Acts on friends and the block list that were asked for. */
    contactCalls: [] as unknown[][],
    /** How the provider answers such an act. */
    contactAnswer: (): Promise<void> => Promise.resolve(),
    /** How the server answers with the friends. */
    friendsAnswer: (): Promise<void> => Promise.resolve(),
    /** How the backend answers when a membership is saved there. */
    groupSave: (): Promise<unknown> => Promise.resolve({}),
    /** The name that the backend has for a user name. */
    nameOf: (userName: string): Promise<string> => Promise.resolve(`名字-${userName}`),
    /** Every frame that arrived, including repeated ones. */
    received,
    accept(from: string, message: OutgoingMessage): { mid: string; time: number; fresh: boolean } {
      received.push({ from, message });
      const known = messages.find((each) => each.metaId === message.id && each.from === from);
      if (known !== undefined) return { mid: known.mid, time: known.time, fresh: false };
      const mid = String((mids += 1n));
      time += 1;
      if (message.kind === "text") {
        messages.push({
          mid,
          metaId: message.id,
          from,
          to: message.to,
          type: "text",
          msg: message.text,
          time,
          localId: message.id,
          read: false,
          file: null,
          quote: message.quote ?? null,
          asksReaders: message.asksReaders === true,
          edits: 0,
          reactions: [],
          mentions: [],
        });
      } else if (message.kind === "combined") {
        const { title, summary, level, uploaded } = message;
        messages.push({
          mid,
          metaId: message.id,
          from,
          to: message.to,
          type: "combined",
          msg: message.text,
          time,
          localId: message.id,
          read: false,
          file: null,
          combined: {
            title,
            summary,
            level,
            url: `${uploaded.url}?share-secret=${uploaded.secret}`,
          },
          quote: null,
          asksReaders: message.asksReaders === true,
          edits: 0,
          reactions: [],
          mentions: [],
        });
      } else if ("file" in message) {
        const { url, secret, ...about } = message.file;
        messages.push({
          mid,
          metaId: message.id,
          from,
          to: message.to,
          type: message.kind,
          msg: about.name,
          time,
          localId: message.id,
          read: false,
          file: { ...about, url: `${url}?share-secret=${secret}`, thumb: null },
          quote: null,
          asksReaders: message.asksReaders === true,
          edits: 0,
          reactions: [],
          mentions: [],
        });
      }
      return { mid, time, fresh: true };
    },
    /** Stores a message of a foreign client. */
    put(from: string, to: string, msg: string, at?: number): Stored {
      const stored: Stored = {
        mid: String((mids += 1n)),
        metaId: String(mids),
        from,
        to,
        type: "text",
        msg,
        time: at ?? (time += 1),
        localId: null,
        read: false,
        file: null,
        quote: null,
        asksReaders: false,
        edits: 0,
        reactions: [],
        mentions: [],
      };
      messages.push(stored);
      return stored;
    },
    page(a: string, b: string, cursor: string | null, limit: number, newer = false) {
      const found = messages
        .filter(
          (m) =>
            (m.from === a && m.to === b) ||
            (m.from === b && m.to === a) ||
            (b.startsWith("#") && m.to === b),
        )
        .toSorted((x, y) => (BigInt(x.mid) < BigInt(y.mid) ? 1 : -1));
      const isAfter = (m: Stored): boolean => cursor !== null && BigInt(m.mid) > BigInt(cursor);
      const isBefore = (m: Stored): boolean => cursor === null || BigInt(m.mid) < BigInt(cursor);
      const all = newer ? found.filter(isAfter).toReversed() : found.filter(isBefore);
      const page = all.slice(0, limit);
      return {
        messages: page,
        isLast: all.length <= limit,
        cursor: page.at(-1)?.mid ?? null,
      };
    },
  };
}
export type FakeServer = ReturnType<typeof createFakeServer>;
