/** One quality upload socket of an authenticated user: reads batches, checks whose they are, stores, acknowledges. */
import type { WebSocket } from "ws";
import {
  QUALITY_LIMITS,
  QUALITY_RESULT,
  qualityUploadSchema,
  type QualityUpload,
} from "../../shared/protocol/qoe.ts";
import type { Clock, Directory, Principal } from "../module.ts";
import { createSocketGuard } from "../socket-guard.ts";
import type { OwnedConference, QualityStore } from "./store.ts";

/** A NUL or half a surrogate pair: valid JSON, but no text for PostgreSQL. */
const UNSTORABLE = /[\0\p{Surrogate}]/u;

/** Conference type of spec §1. */
const CALL_OF_TWO = 13;

export interface QualityConnection {
  readonly principal: Principal;
  close(code: number, reason: string): void;
  /** Until what was received is stored or refused. */
  settled(): Promise<void>;
}

export function createQualityConnection(
  socket: WebSocket,
  principal: Principal,
  deps: {
    readonly clock: Clock;
    readonly store: QualityStore;
    readonly directory: Pick<Directory, "mayTalk">;
    readonly onError: (error: unknown) => void;
    readonly onGone: (connection: QualityConnection) => void;
  },
): QualityConnection {
  /** Conferences known to be the user's; asked anew by the next socket. */
  const known = new Set<string>();
  let tail: Promise<void> = Promise.resolve();

  const guard = createSocketGuard(socket, deps.clock, QUALITY_LIMITS, {
    onText,
    onBinary: () => badFrame("binary frames are not understood"),
    onLimited: () => acknowledge("", QUALITY_RESULT.busy, "too many frames"),
    onGone: () => deps.onGone(connection),
  });
  const connection: QualityConnection = {
    principal,
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

  function onText(text: string): void {
    let json: unknown;
    try {
      json = JSON.parse(text);
    } catch {
      badFrame("not JSON");
      return;
    }
    const parsed = qualityUploadSchema.safeParse(json);
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      const msg = `invalid ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
      badFrame(msg.slice(0, 300), batchOf(json));
      return;
    }
    const upload = parsed.data;
    if (UNSTORABLE.test(upload.batch) || upload.records.some(unstorable)) {
      badFrame("text with NUL or a lone surrogate");
      return;
    }
    // one after the other: a second copy of a batch waits for the first, and a flood does not take all connections of the pool
    socket.pause();
    tail = tail.then(() => store(upload)).finally(() => socket.resume());
  }

  async function store(upload: QualityUpload): Promise<void> {
    try {
      if (!(await isOwn(upload))) {
        acknowledge(upload.batch, QUALITY_RESULT.refused, "not your conference");
        return;
      }
      await deps.store.add(principal.accountId, upload, deps.clock.now());
      acknowledge(upload.batch, QUALITY_RESULT.ok);
    } catch (error) {
      deps.onError(error);
      acknowledge(upload.batch, QUALITY_RESULT.unavailable, "not stored, send it again later");
    }
  }

  async function isOwn(upload: QualityUpload): Promise<boolean> {
    if (upload.records.some((r) => r.memName !== principal.chatUserName)) return false;
    const asked = new Set(upload.records.map((r) => r.confrId).filter((id) => !known.has(id)));
    if (asked.size === 0) return true;
    for (const one of await deps.store.conferences([...asked])) {
      if (await mayBeIn(one)) known.add(one.id);
    }
    return [...asked].every((id) => known.has(id));
  }

  /** Into a conference come those who may see it (conferences/confr/access), into a call the two alone. */
  async function mayBeIn({ type, caller, callee, companyId }: OwnedConference): Promise<boolean> {
    const { chatUserName: user, supplierIds } = principal;
    if (caller === user || callee === user) return true;
    if (type === CALL_OF_TWO) return false;
    if (companyId !== null && supplierIds.includes(companyId)) return true;
    return deps.directory.mayTalk(user, caller);
  }

  return connection;
}

function unstorable(record: Record<string, unknown>): boolean {
  return Object.values(record).some((v) => typeof v === "string" && UNSTORABLE.test(v));
}

function batchOf(json: unknown): string | undefined {
  if (typeof json !== "object" || json === null || !("batch" in json)) return undefined;
  return typeof json.batch === "string" && json.batch.length <= 64 ? json.batch : undefined;
}
