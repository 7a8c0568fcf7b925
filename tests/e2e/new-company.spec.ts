/** From an empty database to a team that calls each other (docs/server.md#invitations), by the screens alone. */
import { POSTGRES } from "../support/empty-database.ts";
import { test } from "../support/fixtures.ts";
import { buildCompany, type NewCompanyServer, newCompanyServer } from "../support/new-company.ts";
import { preparedEnv } from "../support/prepared-env.ts";

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

test("A company registers, is approved, invites twenty by import and QR code, three people accept on telephones and call each other, and one who leaves is out", async ({
  people,
  server,
}) => {
  test.setTimeout(300_000);
  people.expectComplaints(/40[013]|429|WebSocket/);
  await buildCompany(people, server, world.sms);
});
