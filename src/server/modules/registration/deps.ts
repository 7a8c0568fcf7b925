/** What registration needs of other modules: codes by SMS (sms), passwords and the end of sessions (accounts). */
import type { ServerDeps } from "../../base/module.ts";
import type { Access } from "../accounts/access.ts";
import type { SmsCodes } from "../sms/index.ts";
import type { Licences } from "./licences.ts";

export interface RegistrationDeps extends ServerDeps {
  readonly codes: Pick<SmsCodes, "check" | "use">;
  readonly passwords: {
    hash(password: string): Promise<string>;
    /** @param stored null for an account that does not exist; the result is then false */
    check(stored: string | null, password: string): Promise<boolean>;
  };
  readonly endLogins: Access["endLogins"];
  readonly licences: Licences;
  /** Tells a number that its account uses it no more. It never fails: the change is made already. */
  readonly warnMobileGone: (mobile: string) => Promise<void>;
}
