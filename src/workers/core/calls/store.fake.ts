/** The slices of a call as one object, and the notices that were shown. */
import type { CallSlice, QualitySlice } from "../../../shared/protocol/state.ts";
import type { Store } from "../contracts.ts";

export type FakeStore = Store & {
  readonly notices: { style: string; text: string; key: string; args?: object | undefined }[];
  readonly call: CallSlice;
};
export function createFakeStore(): FakeStore {
  const quality: QualitySlice = {
    upload: "closed",
    uploadAttempts: 0,
    uploadQueued: 0,
    streams: {},
    events: [],
  };
  const slices: Record<string, unknown> = { call: {}, quality, session: { serverTimeOffset: 0 } };
  const notices: FakeStore["notices"] = [];
  const parentOf = (path: readonly (string | number)[]): Record<string, unknown> => {
    let at = slices as Record<string, unknown>;
    for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>;
    return at;
  };
  return {
    get: (slice) => slices[slice] as never,
    set(path, value) {
      parentOf(path)[String(path.at(-1))] = structuredClone(value);
    },
    del(path) {
      delete parentOf(path)[String(path.at(-1))];
    },
    flush: () => undefined,
    notice: ({ style, text, key, args }) =>
      void notices.push({ style, text, key, ...(args === undefined ? {} : { args }) }),
    notices,
    get call() {
      return slices["call"] as CallSlice;
    },
  };
}
