/** Which tab plays the ringtone: only the visible, most recently focused one. Pure. */

export interface TabFocus {
  readonly tabId: string;
  readonly visible: boolean;
  readonly focusedAt: number;
  readonly connectedAt: number;
}

/** null when there is no tab. Ties go to the older tab, then by id, so that all tabs choose the same one. */
export function soundingTab(tabs: readonly TabFocus[]): string | null {
  const [best] = [...tabs].sort(
    (a, b) =>
      Number(b.visible) - Number(a.visible) ||
      b.focusedAt - a.focusedAt ||
      a.connectedAt - b.connectedAt ||
      (a.tabId < b.tabId ? -1 : 1),
  );
  return best?.tabId ?? null;
}
