/** One upload of the queue as the core has it. */
import type { TransferState } from "../../../shared/domain/transfer-states.ts";
import type { UploadEntry } from "../../../shared/protocol/state.ts";
import type { Timer } from "../contracts.ts";
import type { UploadRecord } from "./records.ts";

export interface Item {
  readonly record: UploadRecord;
  state: TransferState;
  sent: number;
  /** Bytes that the server has and will not need again, as this core knows it. */
  accepted: number;
  rate: number;
  /** Attempts without progress, and faults since the last begin. */
  tries: number;
  faults: number;
  /** The contents until they are stored. */
  file: Blob | null;
  control: AbortController | null;
  timer: Timer | null;
}

/** @param file null: the contents are stored */
export function newItem(record: UploadRecord, file: Blob | null): Item {
  const state = record.over ?? "waiting";
  return {
    record,
    state,
    sent: state === "done" ? record.size : 0,
    accepted: 0,
    rate: 0,
    tries: 0,
    faults: 0,
    file,
    control: null,
    timer: null,
  };
}

/** The upload as the tabs see it. */
export const entryOf = ({ record, state, sent, rate }: Item): UploadEntry => ({
  name: record.name,
  size: record.size,
  sent,
  rate,
  state,
  error: record.error,
  survives: record.survives,
  at: record.at,
  fileName: record.fileName,
});

/** Ends what runs or waits. */
export function halt(item: Item, reason?: string): void {
  const { control } = item;
  item.control = null;
  item.timer?.cancel();
  item.timer = null;
  control?.abort(reason);
}
