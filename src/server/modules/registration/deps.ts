/** What registration needs of other modules: codes by SMS (sms), passwords and the end of sessions (accounts). */
import type { NodePgDatabase } from "drizzle-orm/node-postgres";
import type { ServerDeps } from "../../base/module.ts";
import type { Access } from "../accounts/access.ts";

type Transaction = Parameters<Parameters<NodePgDatabase["transaction"]>[0]>[0];

export interface RegistrationDeps extends ServerDeps {
  readonly codes: {
    /** As SmsCodes.check: returns the id for `use`, and throws for a wrong code. */
    check(mobile: string, code: string): Promise<string>;
    /** As SmsCodes.use. */
    use(tx: Transaction, id: string): Promise<void>;
  };
  readonly passwords: {
    hash(password: string): Promise<string>;
    /** @param stored null for an account that does not exist; the result is then false */
    check(stored: string | null, password: string): Promise<boolean>;
  };
  readonly endLogins: Access["endLogins"];
}
