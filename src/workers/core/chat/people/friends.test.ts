import { describe, expect, test } from "vitest";
import { AppError } from "../../../../shared/errors.ts";
import type { FriendRequest } from "../../../../shared/protocol/friend-model.ts";
import { noFriends } from "../../../../shared/protocol/initial-state.ts";
import { createHarness, settle, type Harness } from "../chat.harness.ts";
import { ChatFailure, type ContactNews } from "../provider/port.ts";

const context = { tabId: "t", id: "c" };
const BOB = { userName: "bob", name: "鲍勃", avatar: "" };
const request = (userName: string, over: Partial<FriendRequest> = {}): FriendRequest => ({
  kind: "received",
  userName,
  name: `名字-${userName}`,
  avatar: "",
  message: "联合检查",
  at: 1000,
  ...over,
});

const started = async (prepare: (h: Harness) => void = () => undefined): Promise<Harness> => {
  const h = createHarness();
  prepare(h);
  await settle(40);
  return h;
};
const shown = (h: Harness) => h.store.get("chat").friends;
const news = async (h: Harness, kind: ContactNews["kind"], from = "bob"): Promise<void> => {
  h.conn().events.contact({ kind, from, to: from === "alice" ? "bob" : "alice" });
  await settle();
};

describe("what the slice shows of friends", () => {
  test("It is read when the connection opens: friends with remarks, requests both ways with their words, the blacklist with names", async () => {
    const h = await started(({ server }) => {
      server.friends.push(BOB);
      server.remarks.set("bob", "老鲍");
      server.friendRequests.push(request("carol"), request("dave", { kind: "sent", at: 900 }));
      server.blocked.push("erin");
    });
    expect(shown(h)).toEqual({
      state: "ready",
      list: [{ ...BOB, remark: "老鲍" }],
      requests: [request("carol"), request("dave", { kind: "sent", at: 900 })],
      blocked: [{ userName: "erin", name: "名字-erin" }],
    });
  });

  test("It follows each event, also of the own other devices", async () => {
    const h = await started();
    h.server.friendRequests.push(request("bob"));
    await news(h, "asked");
    expect(shown(h).requests).toEqual([request("bob")]);
    h.server.friendRequests.length = 0;
    h.server.friends.push(BOB);
    await news(h, "added");
    expect(shown(h)).toMatchObject({ list: [BOB], requests: [] });
    h.server.friends.length = 0;
    await news(h, "ended", "alice");
    expect(shown(h).list).toEqual([]);
  });

  test("A reading that fails says so, keeps what was shown, and is repeated until it succeeds", async () => {
    const h = await started(({ server }) => server.friends.push(BOB));
    h.server.friendsAnswer = () => Promise.reject(new AppError("server.unavailable"));
    h.server.friends.length = 0;
    await news(h, "ended");
    expect(shown(h)).toMatchObject({ state: "failed", list: [BOB] });
    h.server.friendsAnswer = () => Promise.resolve();
    h.env.clock.advance(8000);
    await settle();
    expect(shown(h)).toEqual({ ...noFriends(), state: "ready" });
  });

  test("Changes during a reading cause one more", async () => {
    const h = await started();
    let asked = 0;
    h.server.friendsAnswer = () => {
      asked += 1;
      return Promise.resolve();
    };
    for (const kind of ["agreed", "added", "added"] as const) {
      h.conn().events.contact({ kind, from: "bob", to: "alice" });
    }
    await settle();
    expect(asked).toBe(2);
  });

  test("What was missed while the connection was lost shows when it is back", async () => {
    const h = await started();
    h.conn().drop();
    h.server.friendRequests.push(request("carol"));
    h.conn().back();
    await settle();
    expect(shown(h).requests.map(({ userName }) => userName)).toEqual(["carol"]);
  });

  test("A logout empties it, and an answer that comes later does not fill it", async () => {
    const h = await started(({ server }) => server.friends.push(BOB));
    let answer = (): void => undefined;
    h.server.friendsAnswer = () => new Promise((resolve) => (answer = resolve));
    h.conn().events.contact({ kind: "added", from: "bob", to: "alice" });
    h.user(null);
    answer();
    await settle();
    expect(shown(h)).toEqual(noFriends());
  });
});

describe("notices", () => {
  test("A request, its acceptance and its refusal are shown with the other's name", async () => {
    const h = await started(({ server }) => server.friendRequests.push(request("bob")));
    await news(h, "asked");
    await news(h, "agreed");
    await news(h, "refused");
    expect(h.notices.map(({ style, text }) => [style, text])).toEqual([
      ["info", "名字-bob申请添加您为好友"],
      ["success", "名字-bob已同意您的好友申请"],
      ["warning", "名字-bob拒绝了您的好友申请"],
    ]);
  });

  test("Own acts on another device, and the end of a friendship, are silent", async () => {
    const h = await started();
    await news(h, "asked", "alice");
    await news(h, "refused", "alice");
    await news(h, "ended");
    await news(h, "added");
    expect(h.notices).toEqual([]);
  });
});

describe("commands", () => {
  test("Each asks the provider once and ends when the slice shows the change", async () => {
    const h = await started();
    const { friends } = h.chat;
    h.server.friendRequests.push(request("bob", { kind: "sent" }));
    await friends.add({ userName: "bob", message: "您好" }, context);
    expect(shown(h).requests).toEqual([request("bob", { kind: "sent" })]);
    h.server.friendRequests.length = 0;
    h.server.friends.push(BOB);
    await friends.accept({ userName: "bob" }, context);
    expect(shown(h)).toMatchObject({ list: [BOB], requests: [] });
    h.server.remarks.set("bob", "老鲍");
    await friends.remark({ userName: "bob", remark: "老鲍" }, context);
    expect(shown(h).list[0]?.remark).toBe("老鲍");
    h.server.blocked.push("bob");
    await friends.block({ userName: "bob" }, context);
    expect(shown(h).blocked).toEqual([{ userName: "bob", name: "鲍勃" }]);
    h.server.blocked.length = 0;
    await friends.unblock({ userName: "bob" }, context);
    expect(shown(h).blocked).toEqual([]);
    await friends.decline({ userName: "carol" }, context);
    h.server.friends.length = 0;
    await friends.remove({ userName: "bob" }, context);
    expect(shown(h).list).toEqual([]);
    expect(h.server.contactCalls).toEqual([
      ["ask", "bob", "您好"],
      ["answer", "bob", true],
      ["remark", "bob", "老鲍"],
      ["block", "bob", true],
      ["block", "bob", false],
      ["answer", "carol", false],
      ["end", "bob"],
    ]);
  });

  test("Nobody adds themselves", async () => {
    const h = await started();
    await expect(
      h.chat.friends.add({ userName: "alice", message: "" }, context),
    ).rejects.toMatchObject({ code: "request.invalid" });
    expect(h.server.contactCalls).toEqual([]);
  });

  test.each([
    [705, "request.not-found"],
    [603, "request.conflict"],
    [50, "request.conflict"],
    [16, "chat.not-connected"],
    [999, "server.unavailable"],
  ])("A refusal %i reads as %s, and the lists are read again", async (type, code) => {
    const h = await started(({ server }) => server.friendRequests.push(request("bob")));
    h.server.friendRequests.length = 0;
    h.server.contactAnswer = () => Promise.reject(new ChatFailure(type, ""));
    await expect(h.chat.friends.accept({ userName: "bob" }, context)).rejects.toMatchObject({
      code,
    });
    expect(shown(h).requests).toEqual([]);
  });

  test("A promise of the SDK that never settles fails after 15000 ms", async () => {
    const h = await started();
    h.server.contactAnswer = () => new Promise(() => undefined);
    const added = h.chat.friends.add({ userName: "bob", message: "" }, context);
    const failed = expect(added).rejects.toMatchObject({ code: "network.timeout" });
    await settle();
    h.env.clock.advance(15_000);
    await failed;
  });
});
