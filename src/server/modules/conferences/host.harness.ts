/** For tests of conferences within a server: real HTTP, WebSockets and database, and a fake media node that records calls. */
import { createTestHost, openSocket, type TestHost, type TestSocket } from "../../host.harness.ts";
import { CONFR_OP, CONFR_PATH } from "../../../shared/protocol/confr-signalling.ts";
import { ticketResponseSchema, type TicketResponse } from "../../../shared/protocol/rest/rtc.ts";
import { createSignallingModule } from "../signalling/index.ts";
import { createFakeNode, type FakeNode } from "./conference.harness.ts";

/** zhangwei, lina, chenjie and the guest of company 1; wangfang and zhaolei of company 2; lina of both. */
export async function startHost(
  env?: Record<string, string>,
): Promise<TestHost & { readonly node: FakeNode }> {
  const node = createFakeNode();
  const host = await createTestHost({
    modules: [(deps) => createSignallingModule(deps, { nodes: [node] })],
    companies: {
      "1": ["zhangwei", "lina", "chenjie", "guest"],
      "2": ["wangfang", "zhaolei", "lina"],
    },
    guests: ["guest"],
    ...(env === undefined ? {} : { env }),
  });
  await host.pg.query("INSERT INTO companies (id, name) VALUES (1, '华安'), (2, '城南')");
  return Object.defineProperties(
    { node } as TestHost & { node: FakeNode },
    Object.getOwnPropertyDescriptors(host),
  );
}

export interface Answer {
  readonly status: number;
  readonly body: { error: number; errorMessage?: string } & Record<string, unknown>;
}

/** @param user null: without a login */
export async function call(
  host: TestHost,
  user: string | null,
  path: string,
  body?: unknown,
  options: { method?: string; company?: string } = {},
): Promise<Answer> {
  const { company, method = body === undefined ? "GET" : "POST" } = options;
  const response = await fetch(host.origin + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(user === null ? {} : { authorization: `Bearer token-${user}` }),
      ...(company === undefined ? {} : { "supplier-id": company }),
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  return { status: response.status, body: (await response.json()) as Answer["body"] };
}

export async function ticket(
  host: TestHost,
  user: string,
  wish: Record<string, unknown> = {},
  company?: string,
): Promise<TicketResponse> {
  const { body } = await call(
    host,
    user,
    "/easemob/rtc/req/ticket?_ct=1",
    { uid: user, confrType: 10, ...wish },
    company === undefined ? {} : { company },
  );
  return ticketResponseSchema.parse(body);
}

export interface Joined extends TestSocket {
  readonly answer: Record<string, unknown>;
  readonly sessId: string;
  readonly roleToken: string;
}

/** Opens a socket and enters. */
export async function join(
  host: TestHost,
  given: TicketResponse["ticket"],
  more: Record<string, unknown> = {},
): Promise<Joined> {
  const socket = await openSocket(`${host.origin}${CONFR_PATH}?n=1`);
  socket.send({
    op: CONFR_OP.enter,
    tsxId: "enter",
    ticket: given,
    acptOps: [1002, 1003],
    ...more,
  });
  const answer = await socket.take({ op: CONFR_OP.enter, tsxId: "enter" });
  return {
    ...socket,
    answer,
    sessId: String(answer["sessId"]),
    roleToken: String(answer["roleToken"]),
  };
}
