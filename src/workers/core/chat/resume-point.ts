/** Where the address of a file is stored that the server has in part (docs/chat.md#resumable-uploads). */
import type { Kv } from "../contracts.ts";

/** Address of a file that the server has in part. */
export interface ResumePoint {
  read(): Promise<string | null>;
  /** @param address null: there is none any more */
  write(address: string | null): Promise<void>;
}

/** @param key of the file, unique among those of this person */
export function resumePoint(kv: Kv, me: string, key: string): ResumePoint {
  const place = `chat.parts.${me}.${key}`;
  return {
    async read() {
      const address = await kv.get<unknown>(place);
      return typeof address === "string" ? address : null;
    },
    write: (address) => (address === null ? kv.del(place) : kv.set(place, address)),
  };
}
