/** Events of the core's calls and quality rooms in words. Pure: the catalogue's lookup is handed in. */
import type { TFunction } from "i18next";

/** Longest part of a connection's id that is shown; it is enough to tell two of one call apart. */
const ID_LENGTH = 8;

export interface EventWords {
  readonly title: string;
  /** Which connection, or what the core added; "" when there is nothing. */
  readonly detail: string;
}

/** Kinds whose first word says which of several sentences it is; the rest is a connection's id. */
const VARIANTS = {
  enter: ["entered", "resumed"],
  "ice-poor": ["weak", "failed"],
  ice: ["new", "checking", "connected", "completed", "disconnected", "failed", "closed"],
  "first-media": ["video", "audio"],
  autoplay: ["blocked", "playing"],
  "no-data": ["local", "remote"],
} as const;
/** Kinds of one sentence each, with a connection's id or a sentence of the main thread. */
const PLAIN = ["ice-connected", "ice-disconnected", "push", "subscribe", "devices"] as const;

type Variants = typeof VARIANTS;
type Key = { [K in keyof Variants]: `${K}.${Variants[K][number]}` }[keyof Variants];

const isVariantKind = (kind: string): kind is keyof Variants => Object.hasOwn(VARIANTS, kind);
const isPlain = (kind: string): kind is (typeof PLAIN)[number] =>
  (PLAIN as readonly string[]).includes(kind);
const shortId = (text: string): string =>
  /^[\w-]{12,}$/.test(text) ? text.slice(0, ID_LENGTH) : text;

/** A kind that this build does not know is shown as the core wrote it: nothing is hidden. */
export function eventWords(
  event: { readonly kind: string; readonly text: string },
  t: TFunction,
): EventWords {
  const { kind, text } = event;
  if (isPlain(kind)) return { title: t(`runtime.event.${kind}`), detail: shortId(text) };
  if (isVariantKind(kind)) {
    const [word = "", ...rest] = text.split(" ");
    if ((VARIANTS[kind] as readonly string[]).includes(word)) {
      const key = `${kind}.${word}` as Key;
      return { title: t(`runtime.event.${key}`), detail: shortId(rest.join(" ")) };
    }
  }
  return { title: text === "" ? kind : text, detail: text === "" ? "" : kind };
}
