/** What the session stores for the next core besides its tokens: the last info, and the company and system chosen last. */
import { z } from "../../../shared/zod.ts";
import { systemNameSchema, type SystemName } from "../../../shared/protocol/config.ts";
import { sessionSliceSchema, type SessionSlice } from "../../../shared/protocol/state.ts";
import type { CoreEnv } from "../contracts.ts";

const COMPANY_KEY = "session.company";
const SYSTEM_KEY = "session.system";
const INFO_KEY = "session.info";
const LOCK_KEY = "session.locked";
const companySchema = z.object({ accountId: z.string(), employeeId: z.string() });

export interface Kept {
  /** Id of the employee chosen at the last company switch. Rejects when the storage cannot be read. */
  employeeId(): Promise<string | null>;
  keepEmployee(accountId: string, employeeId: string): Promise<void>;
  /** The system chosen at the last switch. */
  systemName(): Promise<SystemName | null>;
  keepSystem(systemName: SystemName): Promise<void>;
  info(): Promise<SessionSlice | null>;
  keepInfo(info: SessionSlice): Promise<void>;
  /** Whether the person has locked the console. Rejects when the storage cannot be read. */
  locked(): Promise<boolean>;
  keepLocked(locked: boolean): Promise<void>;
  /** The lock stays: a refused token must not open a page that is still shown. */
  forget(): Promise<void>;
}

export function createKept({ kv, log }: Pick<CoreEnv, "kv" | "log">): Kept {
  const write = async (key: string, value: unknown): Promise<void> => {
    try {
      if (value === null) await kv.del(key);
      else await kv.set(key, value);
    } catch {
      log("session", "error", "the storage could not be written");
    }
  };
  const read = async <S extends z.ZodType>(key: string, schema: S): Promise<z.output<S> | null> => {
    const parsed = schema.safeParse(await kv.get(key));
    return parsed.success ? parsed.data : null;
  };
  return {
    employeeId: async () => (await read(COMPANY_KEY, companySchema))?.employeeId ?? null,
    keepEmployee: (accountId, employeeId) => write(COMPANY_KEY, { accountId, employeeId }),
    systemName: () => read(SYSTEM_KEY, systemNameSchema).catch(() => null),
    keepSystem: (systemName) => write(SYSTEM_KEY, systemName),
    info: () => read(INFO_KEY, sessionSliceSchema).catch(() => null),
    keepInfo: (info) => write(INFO_KEY, info),
    locked: async () => (await read(LOCK_KEY, z.literal(true))) ?? false,
    keepLocked: (locked) => write(LOCK_KEY, locked ? true : null),
    async forget() {
      await Promise.all([COMPANY_KEY, SYSTEM_KEY, INFO_KEY].map((key) => write(key, null)));
    },
  };
}
