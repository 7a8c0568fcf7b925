/** For tests of conferences within a server: real HTTP, WebSockets and database, and a fake media node that records calls. */
import { createTestHost, openSocket, type TestHost, type TestSocket } from "../../host.harness.ts";
import { OPTIONS_PERMISSION } from "../../../shared/domain/conference-types.ts";
import { OP } from "../../../shared/protocol/signalling.ts";
import { CONFR_PATH } from "../../../shared/protocol/confr-signalling.ts";
import { ticketResponseSchema, type TicketResponse } from "../../../shared/protocol/rest/rtc.ts";
import { createCredentials } from "../chat/credentials.ts";
import { createSignallingModule } from "../signalling/index.ts";
import { createFakeNode, type FakeNode } from "./node.fake.ts";

/**
 * zhangwei, lina, chenjie and the guest of company 1; wangfang and zhaolei of company 2; lina of both. zhangwei alone may choose kinds and
 * limits.
 */
export async function startHost(
  env?: Record<string, string>,
  /** More staff of company 1. */
  more: readonly string[] = [],
): Promise<TestHost & { readonly node: FakeNode }> {
  const node = createFakeNode();
  const host = await createTestHost({
    modules: [
      (deps) => {
        const credentials = createCredentials(deps.config.APP_SECRET, deps.clock);
        const chatLogin = async (token: string) => {
          const checked = await credentials.check(token);
          return checked.ok ? checked.identity : null;
        };
        return createSignallingModule(deps, { nodes: [node], chatLogin });
      },
    ],
    companies: {
      "1": ["zhangwei", "lina", "chenjie", "guest", ...more],
      "2": ["wangfang", "zhaolei", "lina"],
    },
    guests: ["guest"],
    permissions: { zhangwei: [OPTIONS_PERMISSION] },
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
  options: { method?: string; company?: string; origin?: string } = {},
): Promise<Answer> {
  const { company, origin, method = body === undefined ? "GET" : "POST" } = options;
  const response = await fetch(host.origin + path, {
    method,
    headers: {
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...(user === null ? {} : { authorization: `Bearer token-${user}` }),
      ...(company === undefined ? {} : { "supplier-id": company }),
      ...(origin === undefined ? {} : { origin }),
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

/** A conference of zhangwei with lina (talker) inside. */
export async function meeting(host: TestHost, wish: Record<string, unknown> = {}) {
  const made = await ticket(host, "zhangwei", wish, "1");
  const confrId = made.confrId ?? "none";
  const admin = await join(host, made.ticket);
  const invited = await ticket(host, "lina", { ...wish, confrId });
  const lina = await join(host, invited.ticket);
  return { confrId, roleToken: admin.roleToken, admin, lina, made, invited };
}

/** The row of a conference in the database. */
export async function rowOf(host: TestHost, id: string): Promise<Record<string, unknown>> {
  const sql = "SELECT * FROM conferences WHERE id = $1";
  return (await host.pg.query<Record<string, unknown>>(sql, [id])).rows[0] ?? {};
}
export const everything = async (host: TestHost): Promise<unknown> =>
  (await host.pg.query("SELECT * FROM conferences ORDER BY id")).rows;

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
    op: OP.enter,
    tsxId: "enter",
    tkt: given,
    res: { ops: [1002, 1003] },
    ...more,
  });
  const answer = await socket.waitForFrame({ op: OP.response, tsxId: "enter" });
  return {
    ...socket,
    answer,
    sessId: String(answer["sessId"]),
    roleToken: String(answer["roleToken"]),
  };
}
