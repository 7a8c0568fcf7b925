/**
 * What a tab does while the server has another build than its own (docs/shell.md#deployments): it offers a reload, holds that offer, or
 * reloads by itself, where nothing of the person can be lost or interrupted.
 */

/** ms without a key, a pointer or a touch after which a visible tab counts as left alone. */
export const LEFT_ALONE = 10 * 60_000;

export interface RenewalFacts {
  /** The server has another build. */
  readonly newer: boolean;
  /** A call, group call or conference is under way in some tab of this browser. */
  readonly inCall: boolean;
  /** Input that is not saved, an open dialog, or work of this tab that a reload would end. */
  readonly unsaved: boolean;
  /** An import is being sent. */
  readonly importing: boolean;
  /** A file or message is on its way. */
  readonly sending: boolean;
  readonly hidden: boolean;
  /** ms since the person last did something in this tab. */
  readonly quiet: number;
  /** The tab has reloaded by itself for this build before: what it got was the same old build, so it does not again. */
  readonly tried: boolean;
}

/** none: nothing to offer. hold: the offer is shown and waits for the end of the call. ask: the offer. reload: by itself. */
export type Renewal = "none" | "hold" | "ask" | "reload";

/** The first row that holds decides. */
const RULES: readonly (readonly [when: (facts: RenewalFacts) => boolean, then: Renewal])[] = [
  [(facts) => !facts.newer, "none"],
  // The tab that carries the call would end it. The others would have neither chat nor call until its end, because its core keeps the
  // sockets so long.
  [(facts) => facts.inCall, "hold"],
  [(facts) => facts.unsaved || facts.importing || facts.sending, "ask"],
  [(facts) => facts.tried, "ask"],
  [(facts) => facts.hidden || facts.quiet >= LEFT_ALONE, "reload"],
];

export const renewalOf = (facts: RenewalFacts): Renewal =>
  RULES.find(([when]) => when(facts))?.[1] ?? "ask";
