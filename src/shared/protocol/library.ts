/** How a host page configures the conferencing library. The configuration reaches the library's SharedWorker in the worker's name. */
import { z } from "../zod.ts";

const whole = (min: number, max: number) => z.number().int().min(min).max(max).optional();

/** Settings of the specification, with its names (docs/conferences.md#settings). Left out: the default. */
export const librarySettingsSchema = z.strictObject({
  reconnect: whole(1, 1_000),
  reconnectDelay: whole(100, 60_000),
  enterTimeout: whole(1_000, 600_000),
  checkConnectIntervalMillis: whole(100, 60_000),
  iceWaitBuildMillis: whole(500, 60_000),
  iceRebuildCount: whole(0, 100),
  iceRebuildIntervalMillis: whole(0, 60_000),
  getCopyIntervalMillis: whole(1_000, 600_000),
  ctrlCheckIntervalMillis: whole(1_000, 600_000),
  ctrlTimeoutMillis: whole(1_000, 600_000),
  ctrlBuffer: whole(10, 100_000),
  ctrlWindow: whole(1, 1_000),
  rebuildPeerConnectionWhenNetworkChanaged: z.boolean().optional(),
  statsSeconds: whole(1, 600),
  uploadStats: z.boolean().optional(),
});
export type LibrarySettings = z.infer<typeof librarySettingsSchema>;

export const libraryConfigSchema = z.object({
  build: z.string(),
  /** Origin of the platform, e.g. https://platform.example; "" for the page's own. */
  origin: z.string(),
  /** Segment of the conference REST paths. */
  provider: z.string().min(1),
  /** Region in which a provider opens conferences; absent: the provider's choice. */
  region: z.string().min(1).max(64).optional(),
  /** Origins of name services that list the platform's hosts, tried in this order. Absent: `origin` is the platform. */
  dnsHosts: z
    .array(z.url({ protocol: /^https?$/ }))
    .min(1)
    .max(3)
    .optional(),
  /** Address of a JSON with addresses that replace the server's own. */
  deployUrl: z.url({ protocol: /^https?$/ }).optional(),
  /** Which of several clients of a page; each has a core of its own. Absent: the one that all pages share. */
  instance: z
    .string()
    .regex(/^[\w-]{1,32}$/)
    .optional(),
  settings: librarySettingsSchema.optional(),
  /** org#app */
  appkey: z.string().regex(/^[^#]+#[^#]+$/),
});
export type LibraryConfig = z.infer<typeof libraryConfigSchema>;

/** The name of a lock or of kept data, of this client alone. @param instance absent: of the client that all pages share */
export const nameForInstance = (name: string, instance: string | undefined): string =>
  instance === undefined ? name : `${name} ${instance}`;

export const libraryCoreName = (config: LibraryConfig): string => JSON.stringify(config);

/** @returns null for a name that libraryCoreName did not make */
export function libraryConfigOf(name: string): LibraryConfig | null {
  try {
    const parsed = libraryConfigSchema.safeParse(JSON.parse(name));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
