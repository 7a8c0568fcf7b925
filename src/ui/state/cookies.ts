/**
 * The cookies of docs/session.md#cookies. The console writes supplier_id, because only the console knows the current company. The
 * platform sets ACCESS_TOKEN and expires_in. Where it does not, the console writes them (tokenCookie of console-config.json).
 */
import { useEffect } from "react";
import { useCore, useSlice } from "./services.ts";
import { writeSessionCookie } from "../storage.ts";

/** A value that needs no quoting in a cookie. */
const isPlain = (value: string): boolean => /^[\w.~+/=-]+$/.test(value);

const COOKIES = ["ACCESS_TOKEN", "expires_in", "supplier_id"] as const;

export function useSessionCookies(): void {
  const core = useCore();
  const { status, supplierId, expiresAt, serverTimeOffset } = useSlice("session");
  const out = status === "anonymous";
  const here = status === "authenticated" && expiresAt !== null;

  // Only when a login ends, not at every render: the platform's answer to the next login sets cookies before the state changes.
  useEffect(() => {
    if (out) for (const name of COOKIES) writeSessionCookie(name, "", 0);
  }, [out]);

  useEffect(() => {
    if (!here || supplierId === null || !isPlain(supplierId)) return;
    const life = expiresAt - (Date.now() + serverTimeOffset) / 1000;
    writeSessionCookie("supplier_id", supplierId, life);
  }, [here, supplierId, expiresAt, serverTimeOffset]);

  useEffect(() => {
    if (!here) return;
    let cancelled = false;
    core.commands.session.cookieToken({}).then(
      ({ accessToken }) => {
        if (cancelled || accessToken === null || !isPlain(accessToken)) return;
        const life = expiresAt - (Date.now() + serverTimeOffset) / 1000;
        writeSessionCookie("ACCESS_TOKEN", accessToken, life);
        writeSessionCookie("expires_in", String(expiresAt), life);
      },
      () => undefined,
    );
    return () => {
      cancelled = true;
    };
  }, [core, here, expiresAt, serverTimeOffset]);
}
