/** Which tab speaks for the person: it plays the ringtone and shows the notifications. The visible one, else the one used last. Pure. */

export interface TabFocus {
  readonly tabId: string;
  readonly visible: boolean;
  readonly focusedAt: number;
  readonly connectedAt: number;
}

/** null when there is no tab. Ties go to the older tab, then by id, so that all tabs choose the same one. */
export function foremostTab(tabs: readonly TabFocus[]): string | null {
  const [best] = [...tabs].sort(
    (a, b) =>
      Number(b.visible) - Number(a.visible) ||
      b.focusedAt - a.focusedAt ||
      a.connectedAt - b.connectedAt ||
      (a.tabId < b.tabId ? -1 : 1),
  );
  return best?.tabId ?? null;
}
