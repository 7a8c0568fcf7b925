/** What passes to receivers and what does not (docs/chat.md#gateway). */
import { describe, expect, it } from "vitest";
import { isUnreadable, ownMarks } from "./readable.ts";
import { BODY, CONTENT, type MessageBody } from "../wire/wire.ts";

const META = { id: "1", ns: 1 };
const TEXT = { type: CONTENT.text, text: "您好" };
const chat = (more: Partial<MessageBody> = {}): MessageBody => ({
  type: BODY.chat,
  contents: [TEXT],
  ...more,
});
const pair = (stringValue?: string, type = 8) => ({
  key: "k",
  type,
  ...(stringValue === undefined ? {} : { stringValue }),
});
/** Content as the wire gives it, with fields that only some kinds have. */
const content = (fields: object) => ({ type: 7, ...fields });

describe("Unreadable messages", () => {
  it.each(["{bad", "", undefined, "{'a':1}"])("JSON that does not parse (%s) in an ext", (bad) => {
    expect(isUnreadable(chat({ ext: [pair(bad)] }), META)).toBe(true);
    expect(isUnreadable(chat(), { ...META, ext: [pair(bad)] })).toBe(true);
    const [customExts, params] = [[pair(bad)], [pair(bad)]];
    expect(isUnreadable(chat({ contents: [content({ customExts })] }), META)).toBe(true);
    expect(isUnreadable(chat({ contents: [content({ params })] }), META)).toBe(true);
  });

  it("One bad value among good ones, and in a receipt, is found", () => {
    expect(isUnreadable(chat({ ext: [pair("{}"), pair("{bad")] }), META)).toBe(true);
    expect(isUnreadable({ type: BODY.readAck, ext: [pair("{bad")] }, META)).toBe(true);
  });

  it("JSON that parses, and texts that are no JSON, pass", () => {
    const ext = [pair('{"a":[1]}'), pair("null"), pair("{bad", 7), { key: "n", type: 1 }];
    expect(isUnreadable(chat({ ext }), { ...META, ext })).toBe(false);
    expect(
      isUnreadable(chat({ contents: [content({ customExts: [pair('{"a":1}')] })] }), META),
    ).toBe(false);
  });

  it.each([BODY.chat, BODY.groupChat, BODY.edit])(
    "A message of kind %s without contents, or with contents of an unknown kind",
    (type) => {
      expect(isUnreadable({ type, contents: [] }, META)).toBe(true);
      expect(isUnreadable({ type }, META)).toBe(true);
      for (const kind of [-1, 9, Number.NaN])
        expect(isUnreadable({ type, contents: [TEXT, { type: kind }] }, META)).toBe(true);
      for (let kind = 0; kind <= 8; kind += 1)
        expect(isUnreadable({ type, contents: [{ type: kind }] }, META)).toBe(false);
    },
  );

  it("Receipts and recalls need no contents", () => {
    for (const type of [BODY.readAck, BODY.deliverAck, BODY.recall, BODY.channelAck])
      expect(isUnreadable({ type }, META)).toBe(false);
  });
});

describe("Marks that come with a message", () => {
  it("Only thread and translations stay", () => {
    const [thread, translations] = [{ id: "7" }, [{ text: "hi", to: "en" }]];
    const marks = {
      isRead: true,
      isDelivered: true,
      reaction: [{ reaction: "👍", count: 9 }],
      edit_msg: { count: 3 },
    };
    expect(ownMarks(JSON.stringify(marks))).toEqual({});
    expect(ownMarks(JSON.stringify({ ...marks, thread, translations }))).toEqual({
      meta: JSON.stringify({ thread, translations }),
    });
    expect(ownMarks(JSON.stringify({ ...marks, translations }))).toEqual({
      meta: JSON.stringify({ translations }),
    });
  });

  it.each([undefined, "", "{bad", "null", "7", "[1]", '"x"'])("%s is no mark", (marks) => {
    expect(ownMarks(marks)).toEqual({});
  });
});
