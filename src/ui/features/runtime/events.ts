/** Describes events of the core's call and quality modules in words. Pure: the translation function is a parameter. */
import type { TFunction } from "i18next";
import { ICE_STATES } from "../../../shared/domain/ice-states.ts";
import { PICTURE_LEVELS } from "../../../shared/domain/picture-levels.ts";

/** Length of the shown prefix of a connection's id; enough to tell the connections of a call apart. */
const ID_LENGTH = 8;

export interface EventWords {
  readonly title: string;
  /** The connection, or a text that the core added; "" when there is none. */
  readonly detail: string;
}

/** Kinds whose text begins with a word that selects the sentence; a connection's id follows. */
const VARIANTS = {
  enter: ["entered", "resumed"],
  "ice-poor": ["weak", "failed", "disconnected"],
  ice: ICE_STATES,
  "first-media": ["video", "audio"],
  autoplay: ["blocked", "playing"],
  "no-data": ["local", "remote"],
  picture: PICTURE_LEVELS,
} as const;
/** Kinds with one sentence each, followed by a connection's id or a text of the main thread. */
const PLAIN = [
  "ice-connected",
  "ice-disconnected",
  "push",
  "subscribe",
  "devices",
  "takeover",
  "server-restarted",
  "moved",
] as const;

type Variants = typeof VARIANTS;
type Key = { [K in keyof Variants]: `${K}.${Variants[K][number]}` }[keyof Variants];

const isVariantKind = (kind: string): kind is keyof Variants => Object.hasOwn(VARIANTS, kind);
const isPlain = (kind: string): kind is (typeof PLAIN)[number] =>
  (PLAIN as readonly string[]).includes(kind);
const shortId = (text: string): string =>
  /^[\w-]{12,}$/.test(text) ? text.slice(0, ID_LENGTH) : text;

/** A kind that this build does not know is shown as the core wrote it. */
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
