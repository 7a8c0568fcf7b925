import { proxy } from "valtio";
import { beforeEach, expect, it, vi } from "vitest";
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { Effects, EffectState, EffectStates } from "../../../rtc-main/index.ts";
import { startI18n } from "../../i18n/index.ts";
import { keepEffects } from "./keep-effects.ts";
import { PATIENCE } from "../../../shared/patience.harness.ts";

const NONE: Effects = { background: false, noise: false };

function tab() {
  let now: EffectStates = { wanted: NONE, states: { background: "off", noise: "off" } };
  const handlers = new Set<() => void>();
  const set = (next: EffectStates): void => {
    now = next;
    for (const handler of handlers) handler();
  };
  const session = proxy({ status: "ready", accountId: "a1" as string | null });
  const media = {
    effects: () => now,
    wantEffects: (wanted: Effects) => set({ ...now, wanted }),
    subscribe: (handler: () => void) => {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
  };
  const core = { state: { session } } as unknown as CoreClient;
  const shown = vi.fn();
  const stop = keepEffects(core, media, shown);
  return {
    media,
    session,
    stop,
    say: shown,
    handlers,
    end: (kind: "background" | "noise", state: EffectState) =>
      set({ wanted: { ...now.wanted, [kind]: false }, states: { ...now.states, [kind]: state } }),
  };
}

beforeEach(async () => {
  const entries = new Map<string, string>();
  vi.stubGlobal("localStorage", {
    getItem: (key: string) => entries.get(key) ?? null,
    setItem: (key: string, value: string) => void entries.set(key, value),
  });
  vi.stubGlobal("document", { documentElement: {} });
  await startI18n();
  return () => vi.unstubAllGlobals();
});

it("What a person wants is wanted again in the next page, by that person alone", async () => {
  const first = tab();
  expect(first.media.effects().wanted).toEqual(NONE);
  first.media.wantEffects({ background: true, noise: false });
  first.stop();
  expect(first.handlers.size).toBe(0);
  const { media, session } = tab();
  expect(media.effects().wanted).toEqual({ background: true, noise: false });
  session.accountId = "a2";
  await vi.waitFor(() => expect(media.effects().wanted).toEqual(NONE), PATIENCE);
  session.accountId = "a1";
  await vi.waitFor(() => expect(media.effects().wanted.background).toBe(true), PATIENCE);
});

it("An effect that ended by itself is reported once, and is not wanted in the next page", () => {
  const { media, end, say } = tab();
  media.wantEffects({ background: true, noise: true });
  end("background", "slow");
  expect(say.mock.calls).toEqual([
    ["warning", "设备性能不足，背景虚化已自动关闭，对方可以看到您的背景"],
  ]);
  end("noise", "failed");
  expect(say.mock.calls.at(-1)).toEqual(["warning", "降噪无法运行，已自动关闭"]);
  expect(say).toHaveBeenCalledTimes(2);
  expect(tab().media.effects().wanted).toEqual(NONE);
});
