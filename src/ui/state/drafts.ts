/**
 * Texts that were typed and not sent, per account and conversation. Each is kept twice: in the tab's storage, so that a reload
 * gives each tab its own text, and in the storage of all tabs, which outlives the tab and the login and tells the other tabs.
 */
import {
  dropLocal,
  dropSession,
  localKeys,
  readLocal,
  readSession,
  writeLocal,
  writeSession,
} from "../storage.ts";

const prefixOf = (accountId: string): string => `draft:${accountId}:`;
const keyOf = (accountId: string, chatId: string): string => prefixOf(accountId) + chatId;
const textOf = (kept: unknown): string => (typeof kept === "string" ? kept : "");

/** @returns "" when there is none */
export function readDraft(accountId: string, chatId: string): string {
  const key = keyOf(accountId, chatId);
  return textOf(readSession(key) ?? readLocal(key));
}

export function writeDraft(accountId: string, chatId: string, text: string): void {
  const key = keyOf(accountId, chatId);
  if (text === "") {
    dropSession(key);
    dropLocal(key);
    return;
  }
  writeSession(key, text);
  writeLocal(key, text);
}

/** Takes over what another tab wrote. @returns the text, "" when there is none */
export function followDraft(accountId: string, chatId: string): string {
  const key = keyOf(accountId, chatId);
  const text = textOf(readLocal(key));
  if (text === "") dropSession(key);
  else writeSession(key, text);
  return text;
}

/** The texts of all tabs, by conversation. */
export const allDrafts = (accountId: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    localKeys(prefixOf(accountId)).map((key) => [
      key.slice(prefixOf(accountId).length),
      textOf(readLocal(key)),
    ]),
  );

/** Tells when another tab wrote a text. @returns a function that ends this */
export function onDrafts(handler: () => void): () => void {
  const heard = ({ key }: StorageEvent): void => {
    if (key === null || key.includes("draft:")) handler();
  };
  addEventListener("storage", heard);
  return () => removeEventListener("storage", heard);
}
