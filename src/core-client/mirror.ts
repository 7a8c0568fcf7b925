/** The tab's copy of the core's state: one valtio proxy per slice, changed only by ops. A gap or another epoch triggers a resync. */
import { proxy } from "valtio/vanilla";
import { deleteAt, setAt } from "../shared/domain/ops.ts";
import { initialSlices } from "../shared/protocol/initial-state.ts";
import { SLICE_NAMES } from "../shared/protocol/slice-names.ts";
import type { CoreToTab, Notice, Slices, TabToCore } from "../shared/protocol/state.ts";
import { readCoreToTab } from "./received.ts";

export interface StatePort {
  postMessage(message: TabToCore): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

export interface MirrorDeps {
  readonly build: string;
  readonly now: () => number;
  readonly onNotice: (notice: Notice) => void;
  readonly onRetired: (build: string | null) => void;
}

export interface Mirror {
  readonly state: Slices;
  /** Continues with another port, whose first message is a snapshot. */
  use(port: StatePort): void;
}

/** Copies `next` into the proxy and keeps the proxy itself, because components have subscribed to it. */
function fill(target: Record<string, unknown>, next: Record<string, unknown>): void {
  for (const key of Object.keys(target)) {
    if (!Object.hasOwn(next, key)) delete target[key];
  }
  for (const [key, value] of Object.entries(next)) target[key] = value;
}

export function createMirror(deps: MirrorDeps): Mirror {
  const initial = initialSlices({ coreId: "", build: deps.build, now: deps.now() });
  // SLICE_NAMES has exactly the names of the type.
  const state = Object.fromEntries(
    SLICE_NAMES.map((name) => [name, proxy(initial[name])]),
  ) as unknown as Slices;
  // Ops name slices and fields by texts.
  const tree = state as unknown as Record<string, Record<string, unknown>>;

  const replace = (name: string, value: unknown): void => {
    const slice = tree[name];
    if (slice !== undefined && typeof value === "object" && value !== null) {
      fill(slice, value as Record<string, unknown>);
    }
  };
  const apply = (message: Extract<CoreToTab, { t: "ops" }>): void => {
    for (const op of message.ops) {
      const path = op[1];
      if (!Object.hasOwn(tree, String(path[0]))) continue;
      if (op[0] === "del") deleteAt(tree, path);
      else if (path.length === 1) replace(String(path[0]), op[2]);
      else setAt(tree, path, op[2]);
    }
  };

  return {
    state,
    use(port) {
      let epoch: string | null = null;
      let seq = 0;
      /** A resync is running: ignore ops until its snapshot. */
      let waiting = true;
      const resync = (): void => {
        if (waiting) return;
        waiting = true;
        port.postMessage({ t: "resync" });
      };
      const isWhole = (slices: Record<string, unknown>): boolean =>
        SLICE_NAMES.every((name) => Object.hasOwn(slices, name));

      port.onmessage = (event) => {
        const message = readCoreToTab(event.data);
        // an unreadable message may have been an op
        if (message === null) return resync();
        switch (message.t) {
          case "snapshot": {
            const whole = isWhole(message.slices);
            if (!whole && (waiting || message.epoch !== epoch || message.seq !== seq + 1)) {
              return resync();
            }
            ({ epoch, seq } = message);
            waiting = false;
            for (const [name, value] of Object.entries(message.slices)) replace(name, value);
            return;
          }
          case "ops": {
            if (waiting || (message.epoch === epoch && message.seq <= seq)) return;
            if (message.epoch !== epoch || message.seq !== seq + 1) return resync();
            try {
              apply(message);
            } catch {
              return resync();
            }
            seq = message.seq;
            port.postMessage({ t: "ack", seq, at: message.at });
            return;
          }
          case "notice":
            return deps.onNotice(message.notice);
          case "retired":
            return deps.onRetired(message.build);
        }
      };
    },
  };
}
