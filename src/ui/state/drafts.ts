/**
 * Texts that were typed and not sent, per account and conversation. Each is kept twice: in the tab's storage, so that a reload
 * gives each tab its own text, and in the storage of all tabs, which outlives the tab and the login.
 */
import {
  dropLocal,
  dropSession,
  readLocal,
  readSession,
  writeLocal,
  writeSession,
} from "./storage.ts";

const keyOf = (accountId: string, chatId: string): string => `draft:${accountId}:${chatId}`;

/** @returns "" when there is none */
export function readDraft(accountId: string, chatId: string): string {
  const key = keyOf(accountId, chatId);
  const kept = readSession(key) ?? readLocal(key);
  return typeof kept === "string" ? kept : "";
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
