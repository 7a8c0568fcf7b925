/** Services of other modules that registration needs. */
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { ServerDeps } from "../../base/module.ts";

type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0];

export interface RegistrationDeps extends ServerDeps {
  readonly codes: {
    check(mobile: string, code: string): Promise<string>;
    use(tx: Transaction, id: string): Promise<void>;
  };
  readonly passwords: {
    hash(password: string): Promise<string>;
    check(stored: string | null, password: string): Promise<boolean>;
  };
  readonly endSessions: (accountId: string, except: string | null) => Promise<void>;
}
