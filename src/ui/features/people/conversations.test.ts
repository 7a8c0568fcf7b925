import { describe, expect, it } from "vitest";
import type { ChatMessage } from "../../../shared/protocol/state.ts";
import { lastMessage, recentConversations, timeMarks, TIME_GAP } from "./conversations.ts";

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

  it("the time is shown above the first message and after a pause", () => {
    const c = conversation("a", 0, 1000, TIME_GAP + 1000, TIME_GAP + 2000);
    expect([...timeMarks(c)]).toEqual(["a0", "a2"]);
  });

  it("an order that names a missing message does not throw", () => {
    const c = conversation("a", 0);
    expect([...timeMarks({ ...c, order: ["gone", ...c.order] })]).toEqual(["a0"]);
  });
});
