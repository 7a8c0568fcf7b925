/** The connections of an engine by rtcId. Candidates that arrive before their connection wait for it; those of a closed one are dropped. */
import { AppError, type ErrorCode } from "../../shared/errors.ts";
import type { StreamSample } from "../../shared/protocol/qoe.ts";
import type { Candidate } from "../../shared/protocol/signalling.ts";
import type { MediaDeps } from "../deps.ts";
import type { IceState } from "../engine.ts";
import { reduceStats } from "../stats/reduce.ts";
import type { Tally } from "../tally.ts";
import { type ConnectionDriver, createConnectionDriver, WAITING_CANDIDATES } from "./driver.ts";

/** Most connections whose early candidates wait, and most closed connections that are remembered. */
const EARLY_IDS = 64;
const CLOSED_IDS = 256;
const CONNECTED: ReadonlySet<IceState> = new Set(["connected", "completed"]);

export interface DriversEvents {
  description(rtcId: string, type: "offer" | "answer", sdp: string, iceRestart: boolean): void;
  candidates(rtcId: string, cands: Candidate[]): void;
  state(rtcId: string, state: IceState): void;
  fell?(rtcId: string): void;
  candidateRefused?(rtcId: string): void;
  failed(rtcId: string, error: AppError): void;
}

export interface Drivers {
  /** @returns null when the browser refused (bad ICE servers, too many connections); the error goes to `failed` */
  open(rtcId: string): ConnectionDriver | null;
  /** Whether the connection was closed recently. A late message must not open it again. */
  wasClosed(rtcId: string): boolean;
  addCandidates(rtcId: string, cands: readonly Candidate[]): void;
  /** Sets the ICE servers for new connections and for the next ICE restart of existing ones. */
  configure(config: RTCConfiguration): void;
  /** One reduced sample per direction, kind and connection. */
  sample(): Promise<StreamSample[]>;
  rtcIds(): string[];
  /** The connections whose ICE is connected. */
  connected(): { readonly rtcId: string; readonly pc: RTCPeerConnection }[];
  replay(): void;
  close(rtcId: string): void;
  closeAll(): void;
}

/** Removes the oldest entry when there are more than `most`. */
function trim(
  entries: { readonly size: number; keys(): Iterator<string>; delete(id: string): boolean },
  most: number,
): void {
  const oldest = entries.keys().next();
  if (entries.size > most && oldest.done !== true) entries.delete(oldest.value);
}

/** @param options.code the code of the errors that `failed` receives */
export function createDrivers(
  deps: Pick<MediaDeps, "createConnection" | "clock" | "report">,
  options: { readonly config: RTCConfiguration; readonly tally: Tally; readonly code: ErrorCode },
  events: DriversEvents,
): Drivers {
  const { tally, code } = options;
  let { config } = options;
  const drivers = new Map<string, ConnectionDriver>();
  const early = new Map<string, Candidate[]>();
  const gone = new Set<string>();

  return {
    open(rtcId) {
      gone.delete(rtcId);
      const report = (message: string): void => deps.report(`${rtcId}: ${message}`);
      let driver: ConnectionDriver;
      try {
        driver = createConnectionDriver(
          { ...deps, report },
          { config, tally, code },
          {
            description: (type, sdp, iceRestart) =>
              events.description(rtcId, type, sdp, iceRestart),
            candidates: (cands) => events.candidates(rtcId, cands),
            state: (state) => events.state(rtcId, state),
            ...(events.fell === undefined ? {} : { fell: () => events.fell?.(rtcId) }),
            candidateRefused: () => events.candidateRefused?.(rtcId),
            failed: (error) => events.failed(rtcId, error),
          },
        );
      } catch (cause) {
        report(`no connection: ${String(cause)}`);
        events.failed(rtcId, new AppError(code, { cause, details: { step: "open" } }));
        return null;
      }
      drivers.set(rtcId, driver);
      const waiting = early.get(rtcId);
      early.delete(rtcId);
      if (waiting !== undefined) driver.addCandidates(waiting);
      return driver;
    },
    wasClosed: (rtcId) => gone.has(rtcId),
    addCandidates(rtcId, cands) {
      const driver = drivers.get(rtcId);
      if (driver !== undefined) return driver.addCandidates(cands);
      if (gone.has(rtcId)) return;
      early.set(rtcId, [...(early.get(rtcId) ?? []), ...cands].slice(-WAITING_CANDIDATES));
      trim(early, EARLY_IDS);
    },
    configure(next) {
      config = next;
      for (const driver of drivers.values()) driver.configure(next);
    },
    async sample() {
      const all = await Promise.allSettled(
        [...drivers].map(async ([rtcId, { pc }]) =>
          reduceStats(rtcId, await pc.getStats(), deps.clock.now()),
        ),
      );
      return all.flatMap((one) => {
        if (one.status === "fulfilled") return one.value;
        deps.report(`statistics failed: ${String(one.reason)}`);
        return [];
      });
    },
    rtcIds: () => [...drivers.keys()],
    connected: () =>
      [...drivers].flatMap(([rtcId, { pc }]) =>
        CONNECTED.has(pc.iceConnectionState) ? [{ rtcId, pc }] : [],
      ),
    replay() {
      for (const driver of drivers.values()) driver.replay();
    },
    close(rtcId) {
      drivers.get(rtcId)?.close();
      drivers.delete(rtcId);
      early.delete(rtcId);
      gone.add(rtcId);
      trim(gone, CLOSED_IDS);
    },
    closeAll() {
      for (const driver of drivers.values()) driver.close();
      drivers.clear();
      early.clear();
    },
  };
}
