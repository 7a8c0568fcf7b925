/** The socket of one core that reports. The ticket in its address says whose core it is; the first frame says which. */
import { inflateRawSync } from "node:zlib";
import type { WebSocket } from "ws";
import {
  type CoreReport,
  coreReportSchema,
  FLEET_LIMITS,
  FLEET_RESULT,
  type FleetHello,
  fleetHelloSchema,
} from "../../../shared/protocol/fleet.ts";
import { WS_CLOSE } from "../../../shared/protocol/signalling.ts";
import type { z } from "../../../shared/zod.ts";
import type { Clock } from "../../base/module.ts";
import { createSocketGuard } from "../../base/socket-guard.ts";

/** ms between two looks at which companies a person has, when a report names one that was not among them. */
const LOOK_MS = 10_000;
/** The number in an answer to a frame whose number cannot be read. */
const UNREADABLE = -1;

export interface FleetSender {
  readonly accountId: string;
  readonly sessionId: string;
  readonly companies: Set<string>;
}
export type FleetAdmission =
  | { readonly sender: FleetSender }
  | { readonly sender: null; readonly code: number; readonly reason: string };

export interface FleetConnection {
  /** Null until the ticket was accepted. */
  readonly sender: FleetSender | null;
  readonly hello: FleetHello | null;
  /** An end may have been missed: at the next report the database is asked which companies the person has. */
  forgetCompanies(): void;
  close(code: number, reason: string): void;
}

export interface FleetConnectionDeps {
  readonly clock: Clock;
  readonly admit: () => Promise<FleetAdmission>;
  /** The companies of the person now; null: the login has ended. */
  readonly companiesOf: (sender: FleetSender) => Promise<readonly string[] | null>;
  /** @returns whether the core is the sender's */
  readonly enter: (sender: FleetSender, hello: FleetHello, report: CoreReport) => boolean;
  readonly onError: (error: unknown) => void;
  readonly onAdmitted: (sender: FleetSender) => void;
  readonly onGone: (connection: FleetConnection) => void;
}

export function createFleetConnection(
  socket: WebSocket,
  deps: FleetConnectionDeps,
): FleetConnection {
  const { clock } = deps;
  let sender: FleetSender | null = null;
  let hello: FleetHello | null = null;
  let lookedAt = 0;

  const answer = (n: number, result: number, msg?: string): void => {
    guard.send({ n, result, ...(msg === undefined ? {} : { msg: msg.slice(0, 300) }) });
  };
  const bad = (n: number, msg: string): void => {
    answer(n, FLEET_RESULT.badFrame, msg);
    guard.bad();
  };
  const guard = createSocketGuard(socket, clock, FLEET_LIMITS, {
    onText: greet,
    onBinary: receive,
    onLimited: () => answer(UNREADABLE, FLEET_RESULT.busy, "too many frames"),
    onGone: () => deps.onGone(connection),
  });
  const connection: FleetConnection = {
    get sender() {
      return sender;
    },
    get hello() {
      return hello;
    },
    forgetCompanies() {
      sender?.companies.clear();
      lookedAt = 0;
    },
    close: guard.close,
  };
  void inTurn(enter);

  /** No frame is read before the work is done. */
  async function inTurn(work: () => Promise<void>): Promise<void> {
    socket.pause();
    try {
      await work();
    } catch (error) {
      deps.onError(error);
      guard.close(WS_CLOSE.tryAgain, "try again later");
    } finally {
      socket.resume();
    }
  }

  async function enter(): Promise<void> {
    const admission = await deps.admit();
    if (!guard.open) return;
    if (admission.sender === null) guard.close(admission.code, admission.reason);
    else {
      ({ sender } = admission);
      deps.onAdmitted(sender);
    }
  }

  function greet(text: string): void {
    if (sender === null) return;
    if (hello !== null) return bad(0, "a second hello");
    const read = fleetHelloSchema.safeParse(parsed(() => text));
    if (!read.success) return bad(0, wrongField(read.error));
    hello = read.data;
    answer(0, FLEET_RESULT.ok);
  }

  function receive(bytes: Uint8Array): void {
    if (sender === null) return;
    if (hello === null) return bad(UNREADABLE, "no hello");
    const json = parsed(() =>
      inflateRawSync(bytes, { maxOutputLength: FLEET_LIMITS.reportBytes }).toString("utf8"),
    );
    const read = coreReportSchema.safeParse(json);
    if (!read.success) return bad(numberOf(json), wrongField(read.error));
    if (sender.companies.has(read.data.company)) return entered(sender, hello, read.data);
    void inTurn(lookAgain(sender, hello, read.data));
  }

  /** The person may have entered a company meanwhile. */
  const lookAgain = (from: FleetSender, core: FleetHello, report: CoreReport) => async () => {
    if (clock.now() - lookedAt >= LOOK_MS) {
      lookedAt = clock.now();
      const companies = await deps.companiesOf(from);
      if (companies === null) return guard.close(WS_CLOSE.unauthorised, "login session ended");
      from.companies.clear();
      for (const company of companies) from.companies.add(company);
    }
    if (from.companies.has(report.company)) entered(from, core, report);
    else answer(report.n, FLEET_RESULT.refused, "not your company");
  };

  function entered(from: FleetSender, core: FleetHello, report: CoreReport): void {
    if (deps.enter(from, core, report)) answer(report.n, FLEET_RESULT.ok);
    else bad(report.n, "not your core");
  }

  return connection;
}

/** @returns undefined when the text cannot be had or is not JSON */
function parsed(read: () => string): unknown {
  try {
    return JSON.parse(read());
  } catch {
    return undefined;
  }
}

function numberOf(json: unknown): number {
  const n = typeof json === "object" && json !== null && "n" in json ? json.n : undefined;
  return typeof n === "number" && Number.isInteger(n) && n > 0 ? n : UNREADABLE;
}

function wrongField({ issues: [issue] }: z.ZodError): string {
  return `invalid ${issue?.path.join(".") ?? ""}: ${issue?.message ?? ""}`;
}
