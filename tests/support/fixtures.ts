/** Playwright's `test` with a server, and with people whose browser consoles must stay free of errors. */
import { test as base, expect } from "@playwright/test";
import { loggedIn, type LoginOptions, person, type Person } from "./people.ts";
import { type ServerDatabase, startServer, type TestServer } from "./server.ts";
import { attachPages } from "./what-pages-show.ts";

export interface Fixtures {
  /** Opens browser contexts. At the end of the test they are closed, and an error or warning in a browser's console fails it. */
  people: {
    anonymous(name: string): Promise<Person>;
    loggedIn(name: string, options?: LoginOptions): Promise<Person>;
    /** Allows errors and warnings that the test causes on purpose (a killed server, a refused login). */
    expectComplaints(pattern: RegExp): void;
  };
}
export interface WorkerFixtures {
  serverEnv: Record<string, string>;
  /**
   * "embedded": on the embedded database in every run, as at a first start. "postgres": on PostgreSQL wherever the runner has one. Else the
   * runner chooses.
   */
  serverDatabase: ServerDatabase;
  server: TestServer;
}

export const test = base.extend<Fixtures, WorkerFixtures>({
  serverEnv: [{}, { scope: "worker", option: true }],
  serverDatabase: ["any", { scope: "worker", option: true }],
  server: [
    async ({ serverEnv, serverDatabase }, use) => {
      const server = await startServer(serverEnv, serverDatabase);
      await use(server);
      await server.dispose();
    },
    { scope: "worker" },
  ],
  people: async ({ browser, server }, use, info) => {
    // An earlier test may have stopped the server to read its database.
    if (server.pid() === 0) await server.start();
    const all: Person[] = [];
    const expected: RegExp[] = [];
    await use({
      anonymous: async (name) => {
        const who = await person(browser, server.url, name);
        all.push(who);
        return who;
      },
      loggedIn: async (name, options) => {
        const who = await loggedIn(browser, server.url, name, options);
        all.push(who);
        return who;
      },
      expectComplaints: (pattern) => expected.push(pattern),
    });
    await attachPages(info, all);
    for (const who of all) await who.close();
    const complaints = all
      .flatMap((who) => who.complaints)
      .filter((line) => !expected.some((pattern) => pattern.test(line)));
    expect(complaints, "the browser's console").toEqual([]);
  },
});

export { expect };
