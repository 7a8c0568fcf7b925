/** Where the address of a file is stored that the server has in part (docs/server.md#uploads-in-parts). */
import type { Kv } from "../contracts.ts";

/** Address of a file that the server has in part; it outlives this core. */
export interface ResumePoint {
  read(): Promise<string | null>;
  /** @param address null: there is none any more */
  write(address: string | null): Promise<void>;
}

/** @param place unique among all that the core stores */
export function resumePoint(kv: Kv, place: string): ResumePoint {
  return {
    async read() {
      // Unknown counts as none: the file is sent from its beginning.
      const address = await kv.get<unknown>(place).catch(() => null);
      return typeof address === "string" ? address : null;
    },
    write: (address) => (address === null ? kv.del(place) : kv.set(place, address)),
  };
}
