/** Continues the call of an earlier core: the tab that claims its media keeps them (docs/calls.md#takeover). */
import type { AppError } from "../../../shared/errors.ts";
import type { Claim, Tabs } from "../contracts.ts";
import type { Owner } from "../media-owner/contracts.ts";
import type { Admitting } from "./admission.ts";
import type { AgoraEngine } from "./agora.ts";
import type { CallConnection } from "./connection.ts";
import type { CallConnectionSnapshot } from "./connection-state.ts";
import type { CallSignalling } from "./signalling.ts";
import type { CallStore } from "./state.ts";

export interface Restoring {
  /** Continues an earlier core's call. @param wanted `hasConnection`: the connection was being established or existed */
  restore(
    claims: ReadonlyMap<string, Claim>,
    wanted: { media: boolean; hasConnection: boolean },
  ): void;
  /** A joining tab claims that it holds the media. */
  claimed(tabId: string, claim: Claim): void;
  /** Forgets what the earlier core knew of the connection. */
  forget(): void;
}

export function createRestoring(deps: {
  readonly calls: CallStore;
  readonly tabs: Pick<Tabs, "media">;
  readonly admitting: Admitting;
  readonly agora: Pick<AgoraEngine, "on" | "join">;
  readonly owner: Owner;
  readonly signalling: Pick<CallSignalling, "open">;
  readonly connection: () => CallConnection | null;
  readonly makeConnection: () => void;
  /** Gives the connection the owner tab, if there is one. */
  readonly bindOwner: () => void;
  readonly failMedia: (error: AppError) => void;
  /** Returns a check whether the call is still the one for which it was made. */
  readonly sameCall: () => () => boolean;
}): Restoring {
  const { calls, admitting, agora, owner, signalling } = deps;
  /** State of the connection when an earlier core ended. */
  let restored: CallConnectionSnapshot | null = null;

  /** Takes over the media of a tab that carried this call under an earlier core. */
  function adoptClaim(tabId: string, claim: Claim): boolean {
    const { priv, slice } = calls;
    if (priv === null || slice.info?.callId !== claim.callId) return false;
    const before = restored ?? priv.connection;
    if (!owner.adopt(tabId, claim)) return false;
    const connection = deps.connection();
    if (connection === null) return true;
    const stands =
      before.rtcId !== null &&
      claim.rtcIds.includes(before.rtcId) &&
      (before.state === "connected" || before.state === "weak");
    if (stands) connection.resume(before, claim.ownerEpoch);
    else {
      if (before.state === "idle") connection.start();
      else connection.renegotiate();
      deps.bindOwner();
    }
    return true;
  }

  return {
    restore(given, wanted) {
      admitting.reset();
      const claims = new Map(given);
      const { priv, slice } = calls;
      if (priv === null || slice.info === null) return;
      restored = priv.connection;
      const go = (): void => {
        if (priv.caller || wanted.hasConnection) signalling.open();
        if (!wanted.media) return;
        if (wanted.hasConnection && !agora.on) deps.makeConnection();
        for (const [tabId, claim] of claims) if (adoptClaim(tabId, claim)) return;
        if (restored?.state === "idle") {
          if (wanted.hasConnection) deps.connection()?.start();
        } else deps.connection()?.renegotiate();
        owner.await();
      };
      if (!agora.on && priv.ticket !== null && priv.rtcCfg !== null) {
        admitting.reset({
          channel: slice.info.channel,
          ticket: priv.ticket,
          rtcCfg: priv.rtcCfg,
        });
        go();
        return;
      }
      const current = deps.sameCall();
      admitting.whenAdmitted(
        async () => {
          if (agora.on && wanted.media) {
            await agora.join(priv.me, slice.info?.channel ?? "", current);
          }
          if (current()) go();
        },
        wanted.media ? deps.failMedia : () => undefined,
      );
    },
    claimed(tabId, claim) {
      if (owner.info === null && adoptClaim(tabId, claim)) return;
      if (owner.info?.tabId !== tabId) {
        deps.tabs.media(tabId)?.send({ t: "release", epoch: claim.ownerEpoch });
      }
    },
    forget() {
      restored = null;
    },
  };
}
