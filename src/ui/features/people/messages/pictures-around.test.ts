import { expect, it } from "vitest";
import type { ChatMessage } from "../../../../shared/protocol/state.ts";
import { picturesAround } from "./pictures-around.ts";

const message = (id: string, type: ChatMessage["type"], url: string | null, status = "read") =>
  ({ id, type, status, file: { name: `${id}.png`, url } }) as unknown as ChatMessage;
const all = [
  message("a", "img", "/a"),
  message("b", "file", "/b"),
  message("c", "img", null),
  message("d", "img", "/d", "recall"),
  message("e", "img", "/e"),
];
const conversation = {
  order: all.map(({ id }) => id),
  messages: Object.fromEntries(all.map((one) => [one.id, one])),
};

it("The pictures of a conversation follow each other, without files, unsent and recalled ones", () => {
  const shown = picturesAround(conversation, all[4]!, "/e");
  expect(shown.map(({ key }) => key)).toEqual(["a", "e"]);
  expect(shown[0]).toEqual({ key: "a", name: "a.png", src: "/a" });
});

it("A picture that the conversation lacks stands alone", () => {
  const other = message("z", "img", "/z");
  expect(picturesAround(conversation, other, "/z")).toEqual([
    { key: "z", name: "z.png", src: "/z" },
  ]);
  expect(picturesAround(undefined, other, "/z")).toHaveLength(1);
});
