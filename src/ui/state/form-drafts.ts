/**
 * What was typed into a form and not saved (docs/session.md#drafts-of-forms). It is kept in the tab's storage until the person saves or
 * discards it, so that it survives a reload, an expired login, a new build and a switch of the company. A logout drops it.
 */
import { dropSession, readSession, sessionKeys, writeSession } from "./storage.ts";

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

const PREFIX = "form:";
const ownerOf = ({ accountId, supplierId }: DraftOwner): string =>
  `${PREFIX}${accountId ?? ""}:${supplierId ?? ""}:`;

/** A short name for a text of any length (djb2). */
function hash(text: string): string {
  let sum = 5381;
  for (const letter of text) sum = (Math.imul(sum, 33) ^ (letter.codePointAt(0) ?? 0)) >>> 0;
  return sum.toString(36);
}

/**
 * @param path of the page that shows the form
 * @param of what tells the form from others of the page: the record and its fields, or what a form without a record begins with
 */
export const draftKey = (owner: DraftOwner, path: string, of: Values): string =>
  `${ownerOf(owner)}${path}:${hash(JSON.stringify(of))}`;

const isRecord = (value: unknown): value is Values =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** Null when nothing is kept, or something that is no draft. */
export function readFormDraft(key: string): Draft | null {
  const kept = readSession(key);
  if (!isRecord(kept)) return null;
  const { before, changed } = kept;
  return isRecord(before) && isRecord(changed) ? { before, changed } : null;
}

/** Without changes there is no draft. */
export function writeFormDraft(key: string, draft: Draft): void {
  if (Object.keys(draft.changed).length === 0) dropSession(key);
  else writeSession(key, draft);
}

export const dropFormDraft = (key: string): void => dropSession(key);

/** Whether this tab has a form of the company with input that was not saved. */
export const hasFormDrafts = (owner: DraftOwner): boolean => sessionKeys(ownerOf(owner)).length > 0;

/** A person who logs out leaves nothing on the machine. */
export function dropFormDrafts(): void {
  for (const key of sessionKeys(PREFIX)) dropSession(key);
}
