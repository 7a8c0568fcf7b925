/** The state of the media's owner as one object, and the steps on it. Nothing here sends anything or waits for anything. */
import type { Tabs } from "../contracts.ts";
import type { OwnerInfo } from "./contracts.ts";

export interface OwnerState {
  /** The last epoch. It is kept over calls, so that a late message of an earlier call never matches. */
  epoch: number;
  /** The last epoch that a successor had. */
  tried: number;
  info: OwnerInfo | null;
  /** A call or conference needs an owner. */
  wanted: boolean;
  /** Whether a tab has had the media of this call. Then a failing tab does not end it while other tabs exist. */
  opened: boolean;
  /** After a restart the core waits a moment for tabs that claim the media. */
  awaiting: boolean;
  /** Tabs that failed since the last owner was ready. */
  readonly failed: Set<string>;
  /** Tabs that did not answer in this round. */
  readonly silent: Set<string>;
  /** Rounds in which no tab answered. */
  silentRounds: number;
}

export const newOwnerState = (): OwnerState => ({
  epoch: 0,
  tried: 0,
  info: null,
  wanted: false,
  opened: false,
  awaiting: false,
  failed: new Set(),
  silent: new Set(),
  silentRounds: 0,
});

/** A tab is asked for the media, whatever happened to other tabs before. */
export function want(s: OwnerState): void {
  s.wanted = true;
  s.awaiting = false;
  forgetFailures(s);
}

/** A tab has the media, or is asked whatever happened before. */
export function forgetFailures(s: OwnerState): void {
  s.failed.clear();
  heard(s);
}

/** A tab answers. */
export function heard(s: OwnerState): void {
  s.silent.clear();
  s.silentRounds = 0;
}

/** After a restart: a tab may still hold the media of this call. */
export function wantAgain(s: OwnerState, awaiting: boolean): void {
  s.wanted = true;
  s.opened = true;
  s.awaiting = awaiting;
}

export function wantNothing(s: OwnerState): void {
  s.wanted = false;
  s.opened = false;
  s.awaiting = false;
}

/** The best tab that has neither failed nor kept silent: a visible one first, then the one that had the focus last. */
export const nextTab = (
  { failed, silent }: OwnerState,
  tabs: Pick<Tabs, "list" | "media">,
): string | undefined =>
  tabs
    .list()
    .filter(({ tabId }) => !failed.has(tabId) && !silent.has(tabId) && tabs.media(tabId) !== null)
    .sort((a, b) => Number(b.visible) - Number(a.visible) || b.focusedAt - a.focusedAt)[0]?.tabId;
