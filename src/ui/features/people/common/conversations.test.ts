import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import {
  lastMessage,
  LIST_FILTERS,
  passesFilter,
  pinnedFirst,
  recentConversations,
  searchMessages,
} from "./conversations.ts";

const message = (id: string, time: number): ChatMessage => ({
  id,
  mid: id,
  chatId: "lina",
  from: "lina",
  bySelf: false,
  type: "text",
  msg: id,
  status: "unread",
  time,
});
const conversation = (chatId: string, ...times: number[]) => {
  const list = times.map((time, i) => message(`${chatId}${i}`, time));
  return {
    chatId,
    name: chatId,
    unread: 0,
    order: list.map((m) => m.id),
    messages: Object.fromEntries(list.map((m) => [m.id, m])),
  };
};

describe("conversations", () => {
  it("conversations with messages are listed, newest first", () => {
    const all = {
      a: conversation("a", 1, 5),
      b: conversation("b"),
      c: conversation("c", 9),
      d: conversation("d", 2),
    };
    expect(recentConversations(all).map((c) => c.chatId)).toEqual(["c", "a", "d"]);
    expect(lastMessage(all.a)?.id).toBe("a1");
    expect(lastMessage(all.b)).toBeUndefined();
  });

  it("Pinned conversations stand first, the last pinned on top", () => {
    const rows = ["a", "b", "c", "constructor"].map((chatId) => ({ chatId }));
    expect(pinnedFirst(rows, { c: 5, b: 9 }).map((row) => row.chatId)).toEqual([
      "b",
      "c",
      "a",
      "constructor",
    ]);
  });

  it("The filters show what is unread, what names the person, and groups", () => {
    const named = conversation("#7", 1);
    const first = named.messages["#70"];
    const rows = [
      { chatId: "a", conversation: { ...conversation("a", 1), unread: 1 } },
      { chatId: "b", conversation: conversation("b", 1) },
      {
        chatId: "#7",
        conversation: {
          ...named,
          unread: 1,
          messages:
            first === undefined
              ? {}
              : { "#70": { ...first, status: "unread" as const, mention: true as const } },
        },
      },
      { chatId: "#8", conversation: undefined },
    ];
    const passing = (filter: (typeof LIST_FILTERS)[number]): string[] =>
      rows.filter((row) => passesFilter(filter, row)).map((row) => row.chatId);
    expect(LIST_FILTERS.map(passing)).toEqual([
      ["a", "b", "#7", "#8"],
      ["a", "#7"],
      ["#7"],
      ["#7", "#8"],
    ]);
  });

  it("A search finds words in texts and file names, the newest first, and nothing that was taken back", () => {
    const a = conversation("a", 1, 5);
    const b = conversation("b", 3);
    const set = (c: typeof a, id: string, fields: object): void => {
      Object.assign(c.messages[id] ?? {}, { mid: id, ...fields });
    };
    set(a, "a0", { msg: "Report 报告" });
    set(a, "a1", { msg: "报告.pdf", type: "file" });
    set(b, "b0", { msg: "旧报告", status: "recall" });
    const all = { a, b };
    expect(searchMessages(all, " 报告 ").map((hit) => hit.message.mid)).toEqual(["a1", "a0"]);
    expect(searchMessages(all, "REPORT").map((hit) => hit.message.mid)).toEqual(["a0"]);
    expect(searchMessages(all, " ")).toEqual([]);
  });
});
