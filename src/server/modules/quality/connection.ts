/**
 * One upload socket for quality records. Reads the ticket that names the owner, then reads, checks, stores and acknowledges
 * batches.
 */
import type { WebSocket } from "ws";
import {
  QUALITY_ENTER_MS,
  QUALITY_LIMITS,
  QUALITY_RESULT,
  qualityEnterSchema,
  qualityUploadSchema,
} from "../../../shared/protocol/qoe.ts";
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { Clock } from "../../base/module.ts";
import { createSocketGuard } from "../../base/socket-guard.ts";
import type { QualityStore } from "./store.ts";
import type { QualityClaims } from "./tickets.ts";

/** A NUL or a lone surrogate: valid in JSON, but not storable as text in PostgreSQL. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** The owner of the records that a socket sends. */
export interface QualityOwner extends QualityClaims {
  readonly accountId: string;
}
export type QualityAdmission =
  | { readonly owner: QualityOwner }
  | { readonly owner: null; readonly code: number; readonly reason: string };

export interface QualityConnection {
  /** Null until the ticket was accepted. */
  readonly owner: QualityOwner | null;
  close(code: number, reason: string): void;
  /** Resolves when everything received is stored or refused. */
  settled(): Promise<void>;
}

export function createQualityConnection(
  socket: WebSocket,
  deps: {
    readonly clock: Clock;
    readonly store: Pick<QualityStore, "add">;
    /** Checks a ticket and returns the owner it names. */
    readonly admit: (ticket: string) => Promise<QualityAdmission>;
    readonly onError: (error: unknown) => void;
    readonly onGone: (connection: QualityConnection) => void;
  },
): QualityConnection {
  let owner: QualityOwner | null = null;
  let tail: Promise<void> = Promise.resolve();
  const idle = deps.clock.setTimeout(
    () => guard.close(WS_CLOSE.unauthorised, "no ticket"),
    QUALITY_ENTER_MS,
  );

  const guard = createSocketGuard(socket, deps.clock, QUALITY_LIMITS, {
    onText(text) {
      // One frame at a time: a second copy of a batch waits for the first, and a flood does not use up the connection pool.
      socket.pause();
      tail = tail
        .then(() => (owner === null ? enter(text) : take(owner, text)))
        .finally(() => socket.resume());
    },
    onBinary: () => badFrame("binary frames are not understood"),
    onLimited: () => acknowledge("", QUALITY_RESULT.busy, "too many frames"),
    onGone() {
      idle.cancel();
      deps.onGone(connection);
    },
  });
  const connection: QualityConnection = {
    get owner() {
      return owner;
    },
    close: guard.close,
    settled: () => tail,
  };

  function acknowledge(batch: string, result: number, msg?: string): void {
    guard.send({ batch, result, ...(msg === undefined ? {} : { msg }) });
  }

  function badFrame(msg: string, batch = ""): void {
    acknowledge(batch, QUALITY_RESULT.badFrame, msg);
    guard.bad();
  }

  async function enter(text: string): Promise<void> {
    if (!guard.open) return;
    const frame = qualityEnterSchema.safeParse(parsed(text));
    if (!frame.success) {
      guard.close(WS_CLOSE.unauthorised, "no ticket");
      return;
    }
    try {
      const admission = await deps.admit(frame.data.ticket);
      if (!guard.open) return;
      if (admission.owner === null) guard.close(admission.code, admission.reason);
      else {
        owner = admission.owner;
        idle.cancel();
      }
    } catch (error) {
      deps.onError(error);
      guard.close(WS_CLOSE.tryAgain, "try again later");
    }
  }

  async function take(of: QualityOwner, text: string): Promise<void> {
    const json = parsed(text);
    const read = qualityUploadSchema.safeParse(json);
    if (!read.success) {
      const issue = read.error.issues[0];
      const msg = `invalid ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
      badFrame(msg.slice(0, 300), batchOf(json));
      return;
    }
    const upload = read.data;
    if (UNSTORABLE.test(upload.batch) || upload.records.some(unstorable)) {
      badFrame("text with NUL or a lone surrogate");
      return;
    }
    const { confrId, memName, accountId } = of;
    if (upload.records.some((r) => r.memName !== memName || r.confrId !== confrId)) {
      acknowledge(upload.batch, QUALITY_RESULT.refused, "not your conference");
      return;
    }
    try {
      await deps.store.add(accountId, upload, deps.clock.now());
      acknowledge(upload.batch, QUALITY_RESULT.ok);
    } catch (error) {
      deps.onError(error);
      acknowledge(upload.batch, QUALITY_RESULT.unavailable, "not stored, send it again later");
    }
  }

  return connection;
}

/** @returns undefined when the text is not JSON */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function unstorable(record: Record<string, unknown>): boolean {
  return Object.values(record).some((v) => typeof v === "string" && UNSTORABLE.test(v));
}

function batchOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null || !("batch" in json)) return undefined;
  return typeof json.batch === "string" && json.batch.length <= 64 ? json.batch : undefined;
}
