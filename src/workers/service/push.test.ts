import { describe, expect, it } from "vitest";
import type { PushClick, PushPayload, PushWish } from "../../shared/protocol/push.ts";
import { onClick, onPush, type PushWorld } from "./push.ts";

interface Shown {
  readonly title: string;
  readonly options: NotificationOptions & { readonly actions?: { readonly title: string }[] };
}

function createWorld(tabs: readonly { readonly visible: boolean }[] = []) {
  const shown = new Map<string, Shown>();
  const refused: string[] = [];
  const opened: string[] = [];
  const kept: PushWish[] = [];
  const sent: PushClick[] = [];
  const focused: number[] = [];
  const state = { down: false };
  const world: PushWorld = {
    async show(title, options) {
      shown.set(options.tag ?? "", { title, options });
    },
    async close(tag) {
      shown.delete(tag);
    },
    async tabs() {
      return tabs.map(({ visible }, n) => ({
        visible,
        async focus() {
          focused.push(n);
        },
        send: (message) => sent.push(message),
      }));
    },
    async open(path) {
      opened.push(path);
    },
    async keep(wish) {
      kept.push(wish);
    },
    now: () => 1000,
    async refuse(token) {
      if (state.down) throw new Error("down");
      refused.push(token);
    },
  };
  const only = (): Shown | undefined => [...shown.values()][0];
  return { world, shown, refused, opened, kept, sent, focused, state, only };
}

const base = { callId: "c1", from: "zhangwei", name: "张伟", language: "zh" } as const;
const RING: PushPayload = { ...base, kind: "ring", media: "video", token: "t1" };
const push = (world: PushWorld, payload: PushPayload) => onPush(JSON.stringify(payload), world);
const click = (world: PushWorld, notification: Shown | undefined, action: string) =>
  onClick(
    { action, title: notification?.title ?? "", data: notification?.options.data as unknown },
    world,
  );

describe("The service worker of pushes", () => {
  it("shows a ring with the caller, the kind of call and two buttons, until the person acts", async () => {
    const { world, shown, only } = createWorld();
    await push(world, RING);
    await push(world, RING);
    expect(shown.size).toBe(1);
    expect(only()).toMatchObject({
      title: "张伟",
      options: { body: "邀请您进行视频通话", requireInteraction: true },
    });
    expect(only()?.options.actions?.map(({ title }) => title)).toEqual(["接听", "拒绝"]);
    await push(world, { ...RING, callId: "c2", media: "voice", language: "en" });
    expect(shown.get("push-c2")?.options.body).toBe("Incoming voice call");
  });

  it("replaces a ring that ended by a quiet line without buttons", async () => {
    for (const [how, body] of [
      ["answered", "已在其他设备接听"],
      ["refused", "已在其他设备拒绝"],
      ["missed", "未接来电"],
    ] as const) {
      const { world, shown, only } = createWorld();
      await push(world, RING);
      await push(world, { ...base, media: "video", kind: "end", how });
      expect(shown.size).toBe(1);
      expect(only()?.options).toMatchObject({ body, silent: true });
      expect([only()?.options.actions, only()?.options.requireInteraction]).toEqual([
        undefined,
        undefined,
      ]);
    }
  });

  it("takes the ring away without a line while a tab is visible, but always says that a call was missed", async () => {
    const { world, shown } = createWorld([{ visible: true }]);
    await push(world, RING);
    await push(world, { ...base, media: "voice", kind: "end", how: "answered" });
    expect(shown.size).toBe(0);
    await push(world, { ...base, media: "voice", kind: "end", how: "missed" });
    expect(shown.size).toBe(1);
  });

  it("opens the conversation without a tab, and asks to answer only by 接听", async () => {
    for (const [action, keptAnswers] of [
      ["answer", [{ callId: "c1", at: 1000 }]],
      ["", []],
    ] as const) {
      const { world, shown, opened, kept, only } = createWorld();
      await push(world, RING);
      await click(world, only(), action);
      expect([opened, kept, shown.size]).toEqual([["/im/people?chat=zhangwei"], keptAnswers, 0]);
    }
  });

  it("brings the last used tab to the front and sends it the click", async () => {
    const { world, sent, focused, opened, only } = createWorld([
      { visible: false },
      { visible: true },
    ]);
    await push(world, RING);
    await click(world, only(), "answer");
    expect([focused, opened]).toEqual([[0], []]);
    expect(sent).toEqual([
      { kind: "push-click", callId: "c1", from: "zhangwei", answer: true, refuse: false },
    ]);
  });

  it("hands a refusal of a ring that a tab shows to that tab, which stays where it is, and does nothing once the tab has closed", async () => {
    const data = { callId: "c1", from: "zhangwei", language: "zh" };
    const { world, sent, focused, opened, refused } = createWorld([{ visible: false }]);
    await onClick({ action: "refuse", title: "张伟", data }, world);
    const click = { kind: "push-click", callId: "c1", from: "zhangwei", answer: false };
    expect(sent).toEqual([{ ...click, refuse: true }]);
    expect([focused, opened, refused]).toEqual([[], [], []]);
    const closed = createWorld();
    await onClick({ action: "refuse", title: "张伟", data }, closed.world);
    expect([closed.opened, closed.kept, closed.sent]).toEqual([[], [], []]);
  });

  it("refuses by the token and opens nothing; a refusal that failed is said and can be repeated", async () => {
    const { world, shown, refused, opened, state, only } = createWorld();
    await push(world, RING);
    state.down = true;
    await click(world, only(), "refuse");
    expect(only()?.options.body).toBe("拒绝未成功，请打开页面处理");
    state.down = false;
    await click(world, only(), "refuse");
    expect([refused, opened, shown.size]).toEqual([["t1"], [], 0]);
  });

  it("shows nothing for a push that is not ours, and ignores a click on a foreign notification", async () => {
    const { world, shown, opened } = createWorld();
    for (const text of ["", "no json", "{}", JSON.stringify({ ...RING, kind: "other" })]) {
      await onPush(text, world);
    }
    await onClick({ action: "answer", title: "", data: { callId: 1 } }, world);
    expect([shown.size, opened]).toEqual([0, []]);
  });
});
