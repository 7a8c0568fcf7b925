/** What a person chose in the settings drawer (docs/session.md#appearance); applies to all tabs of the browser. */
import { isColor } from "./color.ts";
import { retrying } from "./retrying.ts";
import { localKey, readLocal, writeLocalValue } from "../storage.ts";

const KEY = "settings";
/** The look of the company that this browser showed last, so that its first paint has it. */
const COMPANY_KEY = "companyLook";
/** The rules of the colour that this browser showed last. */
const PALETTE_KEY = "palette";

export interface Appearance {
  /** Theme colour as `#rrggbb`; null: as the company asks for, else the console's own. */
  readonly color: string | null;
  /** null: as the company asks for. */
  readonly side: Side | null;
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
  /** Whether members of a conference may control the own camera. */
  readonly cameraControl: boolean;
}
export const DEFAULT_APPEARANCE: Appearance = {
  color: null,
  side: null,
  tagsView: true,
  sidebarLogo: true,
  callNotices: false,
  messageNotices: false,
  conferenceKeys: true,
  chatKeys: true,
  holdToTalk: true,
  cameraControl: true,
};

/** The console's own colour, whose shades were chosen by hand. */
const OWN_COLOR = "#1890ff";

/** What the settings of the company ask for; null is the console's own. */
export interface CompanyLook {
  readonly color: string | null;
  readonly side: Side | null;
}
/** Ground of the sidebar in the light theme. In the dark theme it is dark. */
export type Side = "dark" | "light";

export interface AppearanceStore {
  /** The same object until something changes. */
  get(): Appearance;
  /** The sidebar that the person chose, else the company's, else the console's own. */
  side(): Side;
  /** The settings of the company that the person is in. They count where the person chose nothing, and for the next visit too. */
  setCompany(look: CompanyLook): void;
  subscribe(handler: () => void): () => void;
  set(part: Partial<Appearance>): void;
}

/** A colour and a sidebar in what was stored; a wrong value counts as not chosen. */
const lookOf = ({
  color,
  side,
}: {
  readonly color?: unknown;
  readonly side?: unknown;
}): CompanyLook => ({
  color: isColor(color) ? color : null,
  side: side === "dark" || side === "light" ? side : null,
});

/** What is stored, by hand because the login does without zod; a wrong value counts as not chosen. */
const stored = (): Appearance => {
  const kept = (readLocal(KEY) ?? {}) as Partial<Record<keyof Appearance, unknown>>;
  const flag = (name: Exclude<keyof Appearance, "color" | "side">): boolean => {
    const value = kept[name];
    return typeof value === "boolean" ? value : DEFAULT_APPEARANCE[name];
  };
  return {
    ...lookOf(kept),
    tagsView: flag("tagsView"),
    sidebarLogo: flag("sidebarLogo"),
    callNotices: flag("callNotices"),
    messageNotices: flag("messageNotices"),
    conferenceKeys: flag("conferenceKeys"),
    chatKeys: flag("chatKeys"),
    holdToTalk: flag("holdToTalk"),
    cameraControl: flag("cameraControl"),
  };
};

/** Applies the theme colour at once, so that the first paint of the console uses it. */
export function createAppearanceStore(): AppearanceStore {
  const handlers = new Set<() => void>();
  const sheet = new CSSStyleSheet();
  let now = stored();
  let company = lookOf((readLocal(COMPANY_KEY) ?? {}) as object);
  let painted: string | null = null;
  /** The first paint has the kept rules; computing them needs code that most people never load. */
  const paint = (color: string): void => {
    const kept = (readLocal(PALETTE_KEY) ?? {}) as { color?: unknown; css?: unknown };
    if (kept.color === color && typeof kept.css === "string") sheet.replaceSync(kept.css);
    retrying(() => import("./palette.ts"))
      .then(({ paletteCss }) => {
        const css = paletteCss(color);
        if (painted === color) sheet.replaceSync(css);
        if (kept.css !== css) writeLocalValue(PALETTE_KEY, { color, css });
      })
      .catch(() => undefined);
  };
  const apply = (next: Appearance, ofCompany: CompanyLook): void => {
    now = next;
    company = ofCompany;
    const color = now.color ?? company.color;
    if (color !== painted) {
      painted = color;
      if (color === null || color === OWN_COLOR) sheet.replaceSync("");
      else paint(color);
    }
    for (const handler of handlers) handler();
  };
  apply(now, company);
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  addEventListener("storage", (event) => {
    if (event.key === localKey(KEY)) apply(stored(), company);
  });
  return {
    get: () => now,
    side: () => now.side ?? company.side ?? "light",
    setCompany(look) {
      if (look.color === company.color && look.side === company.side) return;
      writeLocalValue(COMPANY_KEY, look);
      apply(now, look);
    },
    subscribe(handler) {
      handlers.add(handler);
      return () => handlers.delete(handler);
    },
    set(part) {
      const next = { ...now, ...part };
      writeLocalValue(KEY, next);
      apply(next, company);
    },
  };
}
