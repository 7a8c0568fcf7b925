/**
 * Reads what the core sends to its tab. Zod weighs an eighth of the login's script, so the tab checks by hand what the schemas of
 * shared/protocol say; a test holds each check equal to its schema. Each function returns null for a message that its schema refuses.
 */
import { ERROR_CATALOGUE, type ErrorCode, type WireError } from "../shared/errors.ts";
import type { RpcResult } from "../shared/protocol/rpc-result.ts";
import type { CoreToTab, Notice, Op } from "../shared/protocol/state.ts";
import type { MarksEvent } from "../shared/protocol/marks-port.ts";
import type { HelloAnswer } from "../shared/protocol/tab-port.ts";
import type { WatchAnswer, WatchEvent } from "../shared/protocol/watch-port.ts";

type Fields = Record<string, unknown>;

const isText = (value: unknown): value is string => typeof value === "string";
const isNumber = (value: unknown): value is number => Number.isFinite(value);
const isKey = (value: unknown): value is string | number => isText(value) || isNumber(value);
const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isCode = (value: unknown): value is ErrorCode =>
  isText(value) && Object.hasOwn(ERROR_CATALOGUE, value);
const isOneOf = <T>(list: readonly T[], value: unknown): value is T =>
  (list as readonly unknown[]).includes(value);

const isWireError = (value: unknown): value is WireError =>
  isFields(value) &&
  isCode(value["code"]) &&
  isText(value["message"]) &&
  typeof value["retryable"] === "boolean" &&
  (value["details"] === undefined || isFields(value["details"]));

function isOp(value: unknown): value is Op {
  if (!Array.isArray(value)) return false;
  const [name, path] = value as unknown[];
  if (!Array.isArray(path) || !path.every(isKey)) return false;
  return name === "set"
    ? value.length === 3 && path.length >= 1
    : name === "del" && value.length === 2 && path.length >= 2;
}

function isNotice(value: unknown): value is Omit<Notice, "duration"> & { duration?: number } {
  if (!isFields(value)) return false;
  const { id, style, text, key, code, args, duration } = value;
  return (
    [id, text, key].every(isText) &&
    isOneOf(["info", "success", "warning", "error"], style) &&
    (code === undefined || isCode(code)) &&
    (args === undefined || (isFields(args) && Object.values(args).every(isKey))) &&
    (duration === undefined || isNumber(duration))
  );
}

export function readCoreToTab(data: unknown): CoreToTab | null {
  if (!isFields(data)) return null;
  const { t, epoch, seq, slices, ops, at, notice, build } = data;
  if (t === "snapshot") {
    if (!isText(epoch) || !Number.isSafeInteger(seq) || !isFields(slices)) return null;
    return { t, epoch, seq: seq as number, slices };
  }
  if (t === "ops") {
    if (!isText(epoch) || !Number.isSafeInteger(seq) || !isNumber(at)) return null;
    return Array.isArray(ops) && ops.every(isOp) ? { t, epoch, seq: seq as number, ops, at } : null;
  }
  if (t === "notice") {
    return isNotice(notice)
      ? { t, notice: { ...notice, duration: notice.duration ?? 5000 } }
      : null;
  }
  return t === "retired" && (build === null || isText(build)) ? { t, build } : null;
}

export function readHelloAnswer(data: unknown): HelloAnswer | null {
  if (!isFields(data)) return null;
  const { t, coreId, startedAt, error } = data;
  if (t === "welcome") {
    return isText(coreId) && isNumber(startedAt) ? { t, coreId, startedAt } : null;
  }
  return t === "refused" && isWireError(error) ? { t, error } : null;
}

export function readRpcResult(data: unknown): RpcResult | null {
  if (!isFields(data)) return null;
  const { ok, value, error } = data;
  if (ok === true) return "value" in data ? { ok, value } : null;
  return ok === false && isWireError(error) ? { ok, error } : null;
}

const isWatchAnswer = (value: unknown): value is WatchAnswer =>
  isFields(value) &&
  isOneOf(["loading", "ready", "failed"], value["state"]) &&
  "data" in value &&
  (value["error"] === null || isWireError(value["error"])) &&
  (value["at"] === null || isNumber(value["at"]));

export function readWatchEvent(data: unknown): WatchEvent | null {
  if (!isFields(data)) return null;
  const { id, answer } = data;
  return Number.isSafeInteger(id) && isWatchAnswer(answer) ? { id: id as number, answer } : null;
}

/** The core has checked each mark against its schema. The tab checks only the kind of the message. */
export function readMarksEvent(data: unknown): MarksEvent | null {
  if (!isFields(data)) return null;
  const { t, boards, streamId, seq, changes } = data;
  if (t === "ended") return { t };
  if (t === "boards") return Array.isArray(boards) ? (data as MarksEvent) : null;
  if (!isText(streamId)) return null;
  if (t === "gone") return { t, streamId };
  const whole = t === "changes" && Number.isSafeInteger(seq) && Array.isArray(changes);
  return whole ? (data as MarksEvent) : null;
}
