/** Compares two states of a conference and emits the typed events for what became of connections, devices and the ticket. */
import type { DeviceCause, DeviceState } from "../../shared/domain/device-states.ts";
import { causeOfState } from "../../shared/domain/device-states.ts";
import type { ConferenceSignal } from "../../shared/protocol/slices/conference-signals.ts";
import type { ConferenceSlice } from "../../shared/protocol/state.ts";
import type { ConferenceEvents } from "./contracts.ts";
import type { Emitter } from "./emitter.ts";

/** The browser's names of errors, by what they mean here. */
const NAMES: Partial<Record<DeviceCause, string>> = {
  denied: "NotAllowedError",
  "system-denied": "NotAllowedError",
  revoked: "NotAllowedError",
  insecure: "SecurityError",
  unsupported: "NotSupportedError",
  busy: "NotReadableError",
  unfit: "OverconstrainedError",
  aborted: "AbortError",
  inactive: "NotAllowedStreamNonactive",
  failed: "UnknownError",
  missing: "NotFoundError",
};

type Status = ConferenceSlice["status"];
interface Seen {
  readonly status: Status;
  readonly at: number | null;
  readonly connections: ReadonlyMap<string, string>;
  readonly microphone: DeviceState;
  readonly camera: DeviceState;
  readonly signals: ReadonlySet<string>;
}
const seenOf = (slice: ConferenceSlice): Seen => ({
  status: slice.status,
  at: slice.lastExit?.at ?? null,
  connections: new Map(Object.values(slice.streams).map(({ id, connection }) => [id, connection])),
  microphone: slice.local.microphone,
  camera: slice.local.camera,
  signals: new Set(slice.signals.map(({ id }) => id)),
});
const nothing = {} as Readonly<Record<string, never>>;

/** @returns a function to call after each change of the state */
export function createConditions(
  { emit }: Pick<Emitter<ConferenceEvents>, "emit">,
  getState: () => ConferenceSlice,
): () => void {
  let seen = seenOf(getState());

  function connection(before: Seen, slice: ConferenceSlice): void {
    const emitCode = (
      code: "connecting" | "connected" | "WSClose" | "reconnecting" | "reconnected",
    ): void => emit("onConnectionChanged", { code, message: code, details: nothing });
    const { status, lastExit } = slice;
    if (lastExit !== null && lastExit.at !== before.at) {
      const { reason, failed } = lastExit;
      emit("onConnectionChanged", {
        code: "closed",
        message: "closed",
        details: { reason, failed },
      });
    }
    if (status === before.status) return;
    if (status === "connecting") emitCode("connecting");
    if (status === "joined")
      emitCode(before.status === "reconnecting" ? "reconnected" : "connected");
    if (status !== "reconnecting") return;
    // A core that was restarted begins here without having lost a socket.
    if (before.status === "joined") emitCode("WSClose");
    emitCode("reconnecting");
  }
  function streams(before: Seen, slice: ConferenceSlice): void {
    for (const { id: streamId, located, connection: now } of Object.values(slice.streams)) {
      if (now === (before.connections.get(streamId) ?? "none")) continue;
      const details = { streamId };
      if (now === "connected") {
        const code = located ? "PushSuccess" : "SubSuccess";
        emit("onStreamConnection", { code, message: code, details });
      } else if (now === "weak") {
        emit("onStreamConnection", { code: "NetworkWeak", message: "network weak", details });
      } else if (now === "failed") {
        const code = located ? "PushFail" : "SubFail";
        emit("onStreamConnection", { code, message: code, details });
      }
    }
  }
  function device(which: "microphone" | "camera", before: DeviceState, now: DeviceState): void {
    const cause = causeOfState(now);
    if (cause === null || before === now) return;
    const details = { device: which, cause };
    if (cause === "unplugged") {
      emit("onDeviceError", { code: "DeviceLost", message: `${which} is gone`, details });
    } else if (cause === "system-muted") {
      const message = `the system silences the ${which}`;
      emit("onDeviceError", { code: "DeviceSilenced", message, details });
    } else {
      const name = NAMES[cause] ?? "UnknownError";
      const message =
        cause === "inactive" ? "stream non-active" : `open media error. ${name} when get ${which}`;
      emit("onDeviceError", { code: "OpenMediaError", message, details: { ...details, name } });
    }
  }
  function signal({ code, streamId = "", result, text, details }: ConferenceSignal): void {
    switch (code) {
      case "NetworkChanaged":
        return emit("onConnectionChanged", {
          code,
          message: "the address changed",
          details: nothing,
        });
      case "ServerRefuseEnter":
      case "EnterFail": {
        const reason = typeof details["reason"] === "number" ? details["reason"] : 0;
        const about = { result: result ?? null, reason };
        return emit("onEnterFailed", { code, message: text || code, details: about });
      }
      case "ICEConnectFail":
      case "AddIceCandError":
        return emit("onStreamConnection", { code, message: code, details: { streamId } });
      case "SubFailNotSupportVCodes": {
        const about = { streamId, endReason: result ?? 0 };
        return emit("onStreamConnection", { code, message: code, details: about });
      }
      case "OwnTracksLost": {
        const all: readonly unknown[] = Array.isArray(details["kinds"]) ? details["kinds"] : [];
        const kinds = (["audio", "video"] as const).filter((kind) => all.includes(kind));
        const message = "the media moved to another tab";
        return emit("onDeviceError", { code, message, details: { kinds } });
      }
      case "LiveCfgs": {
        const liveCfgs: readonly unknown[] = Array.isArray(details["liveCfgs"])
          ? details["liveCfgs"]
          : [];
        return emit("onLiveCfgs", { code, message: code, details: { liveCfgs } });
      }
      case "TicketExpiring":
      case "TicketExpired": {
        const endsAt = typeof details["endsAt"] === "number" ? details["endsAt"] : null;
        return emit("onTicket", { code, message: code, details: { endsAt } });
      }
    }
  }

  return () => {
    const slice = getState();
    const before = seen;
    seen = seenOf(slice);
    for (const one of slice.signals) if (!before.signals.has(one.id)) signal(one);
    connection(before, slice);
    if (slice.status === "idle") return;
    streams(before, slice);
    device("microphone", before.microphone, slice.local.microphone);
    device("camera", before.camera, slice.local.camera);
  };
}
