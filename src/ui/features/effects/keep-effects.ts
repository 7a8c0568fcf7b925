/**
 * Keeps what a person wants of effects, in the browser of this device: another device may be too slow for it. Tells the person about an
 * effect that ended by itself, which is not kept as wanted.
 */
import { subscribe } from "valtio";
import type { CoreClient } from "../../../core-client/contracts.ts";
import type { EffectState, Effects, MediaHost } from "../../../rtc-main/index.ts";
import { textOf } from "../../i18n/texts.ts";
import { readLocal, writeLocalValue } from "../../storage.ts";
import type { showMessage } from "../../state/show-message.ts";
import { EFFECT_TEXTS } from "./texts.ts";

const NONE: Effects = { background: false, noise: false };
const keyOf = (account: string): string => `effects:${account}`;

function kept(account: string): Effects {
  const value = readLocal(keyOf(account));
  if (typeof value !== "object" || value === null) return NONE;
  const { background, noise } = value as Partial<Record<keyof Effects, unknown>>;
  return { background: background === true, noise: noise === true };
}

const TOLD = {
  background: { slow: "backgroundSlow", failed: "backgroundFailed" },
  noise: { slow: "noiseSlow", failed: "noiseFailed" },
} as const;

/** @returns a function that stops it */
export function keepEffects(
  core: Pick<CoreClient, "state">,
  media: Pick<MediaHost, "effects" | "wantEffects" | "subscribe">,
  say: typeof showMessage,
): () => void {
  const { session } = core.state;
  let account: string | null = null;
  let before = media.effects();

  const look = (): void => {
    // A restarting core does not know for a moment who is logged in.
    if (session.status === "restoring" || session.accountId === account) return;
    account = session.accountId;
    media.wantEffects(account === null ? NONE : kept(account));
  };
  const heard = (): void => {
    const now = media.effects();
    if (now === before) return;
    for (const kind of ["background", "noise"] as const) {
      const state: EffectState = now.states[kind];
      if (state === before.states[kind] || (state !== "slow" && state !== "failed")) continue;
      say("warning", textOf(EFFECT_TEXTS, TOLD[kind][state]));
    }
    const isOther =
      now.wanted.background !== before.wanted.background ||
      now.wanted.noise !== before.wanted.noise;
    before = now;
    if (isOther && account !== null) writeLocalValue(keyOf(account), now.wanted);
  };
  const stops = [media.subscribe(heard), subscribe(session, look)];
  look();
  return () => stops.forEach((stop) => stop());
}
