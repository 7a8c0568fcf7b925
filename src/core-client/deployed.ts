/**
 * Why a tab lacks a script: the server has another build, or it cannot be reached (docs/shell.md#a-missing-script). The tab asks by itself,
 * because it may have no core that could.
 */
import { BUILD_PATH } from "../shared/protocol/port-names.ts";
import { BASE_PATH } from "./base-path.ts";
import type { CoreState, Deployed } from "./contracts.ts";

const TIMEOUT = 10_000;

/** @returns the build that the server has; null when it does not say. Rejects when it cannot be reached. */
export async function fetchBuild(): Promise<string | null> {
  const answer = await fetch(`${BASE_PATH}${BUILD_PATH}`, {
    cache: "no-store",
    signal: AbortSignal.timeout(TIMEOUT),
  });
  // a gateway without its server answers 502 to 504
  if (answer.status >= 500) throw new Error("no server");
  if (!answer.ok) return null;
  const page = answer.headers.get("content-type")?.startsWith("text/html") === true;
  // while developing, vite serves its page for what is no file; otherwise it is the network's
  if (page && !import.meta.env.DEV) throw new Error("no server");
  const file = (await answer.json().catch(() => null)) as { readonly build?: unknown } | null;
  return typeof file?.build === "string" ? file.build : null;
}

/** @returns asks the server and writes the answer to the state of the connection. Questions at the same time are one request. */
export function createLook(deps: {
  readonly build: string;
  readonly coreState: Pick<CoreState, "newerBuild" | "unreachable">;
  readonly read: () => Promise<string | null>;
}): () => Promise<Deployed> {
  const { build, coreState, read } = deps;
  let asking: Promise<Deployed> | null = null;
  const ask = async (): Promise<Deployed> => {
    try {
      const deployed = await read();
      coreState.unreachable = false;
      if (deployed === null) return "unknown";
      coreState.newerBuild = deployed === build ? null : deployed;
      return deployed === build ? "same" : "other";
    } catch {
      coreState.unreachable = true;
      return "unreachable";
    } finally {
      asking = null;
    }
  };
  return () => (asking ??= ask());
}
