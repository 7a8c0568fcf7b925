/**
 * A preference of the person (docs/session.md#preferences). The server keeps it for all devices; a copy in the browser shows it before
 * the server has answered.
 */
import { useEffect, useMemo, useRef, useState } from "react";
import { AppError } from "../../shared/errors.ts";
import { useAccount, useCore } from "./services.ts";
import { readLocal, writeLocal } from "../storage.ts";
import { sendInTurn, type Turn } from "./send-in-turn.ts";
import { showError } from "./show-message.ts";
import { useRead } from "./useRead.ts";

/**
 * @param key names the preference among those of the person
 * @param read makes the value from what is kept, or from null; must not change between renders
 */
export function usePreference<T>(
  key: string,
  read: (kept: unknown) => T,
): readonly [T, (next: T) => void] {
  const { rest } = useCore().commands;
  const account = useAccount();
  const local = `preference:${account ?? ""}:${key}`;
  const { answer } = useRead(account === null ? null : { call: "preferences.list" });
  const [kept, setKept] = useState(() => ({ local, text: textOf(local) }));
  if (kept.local !== local) setKept({ local, text: textOf(local) });
  const data = answer.state === "ready" ? answer.data : null;
  const [seen, setSeen] = useState<typeof data>(null);
  const turn = useRef<Turn>({ running: false, waiting: null });
  /** Writes that the server has not confirmed. */
  const [writes, setWrites] = useState(0);
  if (data !== null && data !== seen) {
    setSeen(data);
    const text = data.preferences.find((one) => one.key === key)?.value;
    // an answer from before a write would undo it for a moment; the write is followed by another answer
    if (text !== undefined && writes === 0) setKept({ local, text });
  }
  useEffect(() => {
    if (kept.text !== null) writeLocal(kept.local, kept.text);
  }, [kept]);
  const value = useMemo(() => read(parsed(kept.text)), [kept.text, read]);
  const write = (next: T): void => {
    const text = JSON.stringify(next);
    let saved = kept.text;
    setKept({ local, text });
    setWrites((count) => count + 1);
    const send = async (value: string): Promise<void> => {
      try {
        await rest.call({ call: "preferences.set", body: { key, value } });
        saved = value;
      } catch (error) {
        // A platform without these calls keeps nothing, and the copy in the browser remains.
        if (error instanceof AppError && error.code === "request.not-found") return;
        setKept((now) => (now.text === value ? { local, text: saved } : now));
        showError(error);
      }
    };
    // Two requests at once may reach the server in another order, as when a key widens a column twice.
    void sendInTurn(turn.current, text, send).finally(() => setWrites((count) => count - 1));
  };
  return [value, write];
}

function textOf(local: string): string | null {
  const text = readLocal(local);
  return typeof text === "string" ? text : null;
}

function parsed(text: string | null): unknown {
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}
