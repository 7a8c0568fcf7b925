/** Shared by the tests of the signalling socket: people, tickets and entered sockets. */
import { createTestHost, openSocket, type TestHost, type TestSocket } from "../../host.harness.ts";
import { type TicketResponse, ticketResponseSchema } from "../../../shared/protocol/rest/rtc.ts";
import { OP, SIGNALLING_PATH } from "../../../shared/protocol/signalling.ts";
import { createSignallingModule } from "../signalling/index.ts";

export const startHost = (env?: Record<string, string>): Promise<TestHost> =>
  createTestHost({
    modules: [createSignallingModule],
    ...(env === undefined ? {} : { env }),
  });

/** @param body a string is sent unchanged */
export async function postTicket(
  host: TestHost,
  user: string | null,
  body: unknown,
): Promise<{ status: number; body: TicketResponse }> {
  const response = await fetch(`${host.origin}/easemob/rtc/req/ticket?_ct=1`, {
    method: "POST",
    headers: {
      "content-type": "application/json",
      ...(user === null ? {} : { authorization: `Bearer token-${user}` }),
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, body: ticketResponseSchema.parse(await response.json()) };
}

type FullTicket = NonNullable<TicketResponse["ticket"]>;

/** Creates a call from caller to callee, with tickets for both. */
export async function createCall(
  host: TestHost,
  caller = "zhangwei",
  callee = "lina",
): Promise<{ confrId: string; caller: FullTicket; callee: FullTicket }> {
  const created = await postTicket(host, caller, { uid: caller, confrType: 13, callee });
  const confrId = created.body.confrId ?? "";
  const joined = await postTicket(host, callee, { uid: callee, confrType: 13, confrId });
  if (created.body.ticket === undefined || joined.body.ticket === undefined) {
    throw new Error(`no ticket: ${JSON.stringify([created, joined])}`);
  }
  return { confrId, caller: created.body.ticket, callee: joined.body.ticket };
}

export const open = (host: TestHost): Promise<TestSocket> =>
  openSocket(`${host.origin}${SIGNALLING_PATH}?n=1`);

/** Opens a socket and enters. */
export async function enter(
  host: TestHost,
  ticket: FullTicket,
  sessId?: string,
): Promise<TestSocket & { answer: Record<string, unknown>; sessId: string }> {
  const socket = await open(host);
  socket.send({
    op: OP.enter,
    tsxId: "enter",
    ticket,
    ...(sessId === undefined ? {} : { sessId }),
  });
  const answer = await socket.waitForFrame({ op: OP.response, tsxId: "enter" });
  return { ...socket, answer, sessId: String(answer["sessId"]) };
}

export const rowsIn = async (host: TestHost, table: string): Promise<number> =>
  (await host.pg.query<{ n: number }>(`select count(*)::int as n from ${table}`)).rows[0]?.n ?? -1;
