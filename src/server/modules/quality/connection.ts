/**
 * One upload socket for quality records. The ticket in its address names the owner of the records. A frame is a batch, which is
 * checked, stored and acknowledged, or a single record as the platform's SDK sends it.
 */
import { randomUUID } from "node:crypto";
import type { WebSocket } from "ws";
import { chatUserOf } from "../../../shared/domain/member-names.ts";
import {
  plainQualitySchema,
  QUALITY_LIMITS,
  QUALITY_RESULT,
  qualityUploadSchema,
} from "../../../shared/protocol/qoe.ts";
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { z } from "../../../shared/zod.ts";
import type { Clock } from "../../base/module.ts";
import { createSocketGuard } from "../../base/socket-guard.ts";
import { isStorable } from "./storable.ts";
import type { QualityStore, StoredBatch } from "./store.ts";
import type { QualityClaims } from "../tickets/quality-tickets.ts";

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
    readonly appKey: string;
    /** When this process began to collect, ms since the epoch. */
    readonly startedAt: number;
    readonly store: Pick<QualityStore, "add">;
    /** Checks the socket's ticket and returns the owner it names. */
    readonly admit: () => Promise<QualityAdmission>;
    readonly onError: (error: unknown) => void;
    readonly onGone: (connection: QualityConnection) => void;
  },
): QualityConnection {
  const { clock, store } = deps;
  let owner: QualityOwner | null = null;
  let tail: Promise<void> = Promise.resolve();

  const guard = createSocketGuard(socket, clock, QUALITY_LIMITS, {
    onText: (text) => inTurn(() => receiveText(text)),
    onBinary: () => badFrame("binary frames are not understood"),
    onLimited: () => acknowledge("", QUALITY_RESULT.busy, "too many frames"),
    onGone: () => deps.onGone(connection),
  });
  const connection: QualityConnection = {
    get owner() {
      return owner;
    },
    close: guard.close,
    settled: () => tail,
  };
  inTurn(enter);

  /** One frame at a time, so that a second copy of a batch waits for the first, and a flood cannot use up the connection pool. */
  function inTurn(work: () => Promise<void>): void {
    socket.pause();
    tail = tail.then(work).finally(() => socket.resume());
  }

  function acknowledge(batch: string, result: number, msg?: string): void {
    const { startedAt } = deps;
    guard.send({
      batch,
      result,
      ...(result === QUALITY_RESULT.ok ? { startedAt } : {}),
      ...(msg === undefined ? {} : { msg }),
    });
  }

  function badFrame(msg: string, batch = ""): void {
    acknowledge(batch, QUALITY_RESULT.badFrame, msg.slice(0, 300));
    guard.bad();
  }

  async function enter(): Promise<void> {
    try {
      const admission = await deps.admit();
      if (!guard.open) return;
      if (admission.owner === null) guard.close(admission.code, admission.reason);
      else owner = admission.owner;
    } catch (error) {
      deps.onError(error);
      guard.close(WS_CLOSE.tryAgain, "try again later");
    }
  }

  async function receiveText(text: string): Promise<void> {
    if (owner === null) return;
    const json = parsed(text);
    if (typeof json === "object" && json !== null && "type" in json) {
      await receivePlain(owner, text.length, json);
    } else await receiveBatch(owner, json);
  }

  async function receiveBatch(sender: QualityOwner, json: unknown): Promise<void> {
    const read = qualityUploadSchema.safeParse(json);
    if (!read.success) return badFrame(wrongField(read.error), batchOf(json));
    const { batch, records } = read.data;
    if (!isStorable(read.data)) return badFrame("text with NUL or a lone surrogate");
    const { confrId, memName } = sender;
    if (records.some((r) => r.memName !== memName || r.confrId !== confrId)) {
      return acknowledge(batch, QUALITY_RESULT.refused, "not your conference");
    }
    if (await stored(sender, { batch, records }, batch)) acknowledge(batch, QUALITY_RESULT.ok);
  }

  /** The ticket completes what such a record leaves out. */
  async function receivePlain(sender: QualityOwner, length: number, json: object): Promise<void> {
    const read = plainQualitySchema.safeParse(json);
    if (!read.success) return badFrame(wrongField(read.error));
    if (length > QUALITY_LIMITS.plainBytes) return badFrame("the record is too large");
    if (!isStorable(read.data)) return badFrame("text with NUL or a lone surrogate");
    const { type: kind, time } = read.data;
    const conferenceId = read.data.confrId ?? sender.confrId;
    const memName = chatUserOf(read.data.memName ?? sender.memName, deps.appKey);
    if (conferenceId !== sender.confrId || memName !== sender.memName) {
      return acknowledge("", QUALITY_RESULT.refused, "not your conference");
    }
    const record = {
      ...read.data,
      kind,
      confrId: conferenceId,
      memName,
      time: time ?? clock.now(),
    };
    await stored(sender, { batch: randomUUID(), records: [record] }, "");
  }

  async function stored(sender: QualityOwner, batch: StoredBatch, name: string): Promise<boolean> {
    try {
      await store.add(sender.accountId, batch, clock.now());
      return true;
    } catch (error) {
      deps.onError(error);
      acknowledge(name, QUALITY_RESULT.unavailable, "not stored, send it again later");
      return false;
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

function wrongField({ issues: [issue] }: z.ZodError): string {
  return `invalid ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
}

function batchOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null || !("batch" in json)) return undefined;
  return typeof json.batch === "string" && json.batch.length <= 64 ? json.batch : undefined;
}
