/** For `test.use({ serverEnv })`: settings of a server that need something which lives as long as the server. */

type Use = (env: Record<string, string>) => Promise<void>;

/** @param run makes what the settings need, passes them to `use`, and takes it away when `use` resolves */
export const preparedEnv = (
  run: (use: Use) => Promise<void>,
): [fixture: (args: object, use: Use) => Promise<void>, options: { scope: "worker" }] => [
  // oxlint-disable-next-line no-empty-pattern -- Playwright reads the names of the fixtures from this pattern
  ({}, use) => run(use),
  { scope: "worker" },
];
