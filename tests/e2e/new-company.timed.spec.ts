/** How long it takes until who leaves a new company is out in all tabs (docs/session.md#end-of-access). */
import { POSTGRES } from "../support/empty-database.ts";
import { expect, test } from "../support/fixtures.ts";
import { buildCompany, type NewCompanyServer, newCompanyServer } from "../support/new-company.ts";
import { preparedEnv } from "../support/prepared-env.ts";
import { timeLimit } from "../support/time-limits.ts";

/** ms from the click that confirms */
const LIMIT = 2000;

// Reason: the embedded database always starts with the demo data.
test.skip(POSTGRES === "", "needs a PostgreSQL");
let world: NewCompanyServer;
test.use({
  serverEnv: preparedEnv(async (use) => {
    world = await newCompanyServer();
    await use({ ...world.env });
    await world.close();
  }),
});

test("At the end of the way of a new company, who leaves is out of three tabs within 2 s of the click", async ({
  people,
  server,
}) => {
  test.setTimeout(300_000);
  people.expectComplaints(/40[013]|429|WebSocket/);
  const times = await buildCompany(people, server, world.sms);
  console.log(`out after ${times.join(" ")} ms`);
  test.info().annotations.push({ type: "ms until out", description: times.join(" ") });
  expect(Math.max(...times)).toBeLessThan(timeLimit(LIMIT));
});
