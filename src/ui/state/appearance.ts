/** What a person chose in the settings drawer (docs/session.md#appearance); applies to all tabs of the browser. */
import { isColor, paletteCss } from "./palette.ts";
import { readLocal, writeLocalValue } from "./storage.ts";

const KEY = "settings";

export interface Appearance {
  /** Theme colour as `#rrggbb`; null is the console's own. */
  readonly color: string | null;
  readonly tagsView: boolean;
  readonly sidebarLogo: boolean;
  /** Whether the system shows a notification of a call that rings while no tab is visible. */
  readonly callNotices: boolean;
  /** Whether the system shows a notification of a message that comes while no tab is visible. */
  readonly messageNotices: boolean;
  /** Whether letters with Alt control a conference. */
  readonly conferenceKeys: boolean;
  /** Whether a letter answers a message. */
  readonly chatKeys: boolean;
  /** Whether a muted person is heard while they hold Space. */
  readonly holdToTalk: boolean;
}
export const DEFAULT_APPEARANCE: Appearance = {
  color: null,
  tagsView: true,
  sidebarLogo: true,
  callNotices: false,
  messageNotices: false,
  conferenceKeys: true,
  chatKeys: true,
  holdToTalk: true,
};

export interface AppearanceStore {
  /** The same object until something changes. */
  get(): Appearance;
  subscribe(handler: () => void): () => void;
  set(part: Partial<Appearance>): void;
}

/** What is stored, by hand because the login does without zod; a wrong value counts as not chosen. */
const stored = (): Appearance => {
  const kept = (readLocal(KEY) ?? {}) as Partial<Record<keyof Appearance, unknown>>;
  const flag = (name: Exclude<keyof Appearance, "color">): boolean => {
    const value = kept[name];
    return typeof value === "boolean" ? value : DEFAULT_APPEARANCE[name];
  };
  const { color } = kept;
  return {
    color: typeof color === "string" && isColor(color) ? color : null,
    tagsView: flag("tagsView"),
    sidebarLogo: flag("sidebarLogo"),
    callNotices: flag("callNotices"),
    messageNotices: flag("messageNotices"),
    conferenceKeys: flag("conferenceKeys"),
    chatKeys: flag("chatKeys"),
    holdToTalk: flag("holdToTalk"),
  };
};

/** Applies the theme colour at once, so that the first paint of the console uses it. */
export function createAppearanceStore(): AppearanceStore {
  const handlers = new Set<() => void>();
  const sheet = new CSSStyleSheet();
  let now = stored();
  const apply = (next: Appearance): void => {
    if (next.color !== now.color || handlers.size === 0) {
      sheet.replaceSync(next.color === null ? "" : paletteCss(next.color));
    }
    now = next;
    for (const handler of handlers) handler();
  };
  apply(now);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  addEventListener("storage", (event) => {
    if (event.key === `hyzh-${KEY}`) apply(stored());
  });
  return {
    get: () => now,
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    set(part) {
      const next = { ...now, ...part };
      writeLocalValue(KEY, next);
      apply(next);
    },
  };
}
