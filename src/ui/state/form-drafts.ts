/**
 * What was typed into a form and not saved (docs/session.md#drafts-of-forms). It is kept in the tab's storage until the person saves or
 * discards it, so that it survives a reload, an expired login, a new build and a switch of the company. A logout drops it, as all that a tab keeps.
 */
import { dropSession, readSession, sessionKeys, writeSession } from "../storage.ts";

/** Values by key; the form knows of which kind each is. */
type Values = Readonly<Record<string, unknown>>;

/** Whose forms: an account in a company. */
export interface DraftOwner {
  readonly accountId: string | null;
  readonly supplierId: string | null;
}

export interface Draft {
  /** The record as the person saw it. */
  readonly before: Values;
  /** The values that differ from it. */
  readonly changed: Values;
}

/** A form with unsaved input, as a person reads it. */
export interface ReadableDraft {
  readonly title: string;
  /** Only the fields that the person changed. */
  readonly lines: readonly { readonly label: string; readonly text: string }[];
}

const PREFIX = "form:";
/** Beside each draft: what it says. */
const READABLE = "readable-form:";
const ownerOf = ({ accountId, supplierId }: DraftOwner): string =>
  `${PREFIX}${accountId ?? ""}:${supplierId ?? ""}:`;
const readableKey = (key: string): string => READABLE + key.slice(PREFIX.length);

/** A short name for a text of any length (djb2). */
function hash(text: string): string {
  let sum = 5381;
  for (const letter of text) sum = (Math.imul(sum, 33) ^ (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum.toString(36);
}

/**
 * @param path of the page that shows the form
 * @param form identifies the form on its page: its title with the id of its record, or with the values that a new record begins with
 */
export const draftKey = (owner: DraftOwner, path: string, form: Values): string =>
  `${ownerOf(owner)}${path}:${hash(JSON.stringify(form))}`;

const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null when nothing is kept, or something that is no draft. */
export function readFormDraft(key: string): Draft | null {
  const kept = readSession(key);
  if (!isRecord(kept)) return null;
  const { before, changed } = kept;
  return isRecord(before) && isRecord(changed) ? { before, changed } : null;
}

/**
 * Without changes there is no draft.
 *
 * @param readable the draft in words, shown to a person who may no longer open the form; left out: it is shown to nobody
 */
export function writeFormDraft(key: string, draft: Draft, readable?: ReadableDraft): void {
  const empty = Object.keys(draft.changed).length === 0;
  if (empty) dropSession(key);
  else writeSession(key, draft);
  if (empty || readable === undefined) dropSession(readableKey(key));
  else writeSession(readableKey(key), readable);
}

export function dropFormDraft(key: string): void {
  for (const one of [key, readableKey(key)]) dropSession(one);
}

const readableOf = (kept: unknown): ReadableDraft[] => {
  if (!isRecord(kept)) return [];
  const { title, lines } = kept;
  if (typeof title !== "string" || !Array.isArray(lines)) return [];
  return [
    {
      title,
      lines: lines.flatMap((line: unknown) => {
        const { label, text } = isRecord(line) ? line : {};
        return typeof label === "string" && typeof text === "string" ? [{ label, text }] : [];
      }),
    },
  ];
};

/** What this tab has of unsaved input of a page, for a person who may no longer open its forms. */
export const readableDrafts = (owner: DraftOwner, path: string): ReadableDraft[] =>
  sessionKeys(readableKey(`${ownerOf(owner)}${path}:`))
    .toSorted()
    .flatMap((key) => readableOf(readSession(key)));

/** Whether this tab has a form of the company with input that was not saved. */
export const hasFormDrafts = (owner: DraftOwner): boolean => sessionKeys(ownerOf(owner)).length > 0;
