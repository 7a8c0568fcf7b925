/** The query of a request for a ticket: the time, and region and conference where they are known. */
import { expect, it } from "vitest";
import { rowChecks } from "../../../shared/row-checks.harness.ts";
import type { ConsoleConfig } from "../../../shared/protocol/config.ts";
import { createFakeEnv } from "../core.fake.ts";
import { TICKET } from "./conferences.harness.ts";
import { createConferenceRest } from "./rest.ts";

async function queryOf(config: Partial<ConsoleConfig>, confrId?: string): Promise<unknown> {
  const env = createFakeEnv();
  const queries: unknown[] = [];
  const rest = createConferenceRest({
    env: { ...env, config: { ...env.config, ...config } },
    http: {
      provider: ((request: { query?: unknown }, schema: { parse(value: unknown): unknown }) => {
        queries.push(request.query);
        return Promise.resolve(schema.parse({ error: 0, confrId: "c1", ticket: TICKET }));
      }) as never,
    },
  });
  await rest.ticket({ uid: "u", ...(confrId === undefined ? {} : { confrId }) } as never);
  return queries[0];
}

it("The requests of a person bear the token in the body, those of a role token do not", async () => {
  const bears: Record<string, boolean> = {};
  const rest = createConferenceRest({
    env: createFakeEnv(),
    http: {
      provider: ((
        request: { path: string; tokenInBody?: boolean },
        schema: { parse(value: unknown): unknown },
      ) => {
        bears[request.path] = request.tokenInBody === true;
        return Promise.resolve(schema.parse({ error: 0, confrId: "c1", ticket: TICKET }));
      }) as never,
    },
  });
  await rest.ticket({ uid: "u" });
  await rest.select("u", "c1", {});
  await rest.joinRoom({ roomName: "r", password: "p", memName: "u", config: {} });
  await rest.kick("c1", ["b"], "role");
  expect(Object.values(bears)).toEqual([true, true, true, false]);
});

/** Rows of the conference catalogue (tests/conference/catalogue-tracks.ts). */
export const checks = rowChecks({
  "ticket.query: A ticket is asked for with REGION and CONFRID, each only where it is known":
    async () => {
      expect(await queryOf({})).toEqual({ _ct: expect.stringMatching(/^\d+$/) as unknown });
      expect(await queryOf({ rtcRegion: "cn" }, "c7")).toMatchObject({
        REGION: "cn",
        CONFRID: "c7",
      });
    },
});
