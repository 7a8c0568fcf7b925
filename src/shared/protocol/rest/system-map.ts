/** The running system with its states: processes, media nodes, database and bus (docs/server.md#map-of-the-system). The call is ours. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";

const iso = z.string();
const figure = z.number().nullable();

export const systemMapSchema = z.object({
  processes: z.array(
    z.object({
      /** Host and port. */
      name: z.string(),
      /** silent: it missed a sign. gone: it said nothing for longer, and no goodbye. */
      state: z.enum(["up", "silent", "gone"]),
      startTime: iso,
      signTime: iso,
      /** Of its last 10 s; null while it says none. */
      load: z
        .object({
          /** % of one processor */
          cpu: z.number(),
          /** MiB */
          memory: z.number(),
          connections: z.number(),
          /** Each second. */
          requests: z.number(),
        })
        .nullable(),
      /** Whether it reaches the database and the bus; null: there is none, or it is gone. */
      database: z.boolean().nullable(),
      bus: z.boolean().nullable(),
    }),
  ),
  nodes: z.array(
    z.object({
      name: z.string(),
      /** restarted: it ended a moment ago, and is back. gone: with its process. */
      state: z.enum(["up", "restarted", "down", "gone"]),
      /** Names of the processes that use it. */
      processes: z.array(z.string()),
      /** Streams that it receives and forwards; null while it is not known. */
      streams: figure,
    }),
  ),
  database: z.object({
    /** Where it is; embedded: inside of the process. */
    name: z.string(),
    state: z.enum(["up", "away"]),
    /** ms of a query, half of them are faster; null while it is not known. */
    ms: figure,
  }),
  bus: z.object({ state: z.enum(["none", "up", "away"]) }),
});
export type SystemMap = z.infer<typeof systemMapSchema>;

export const systemMapCalls = {
  systemMap: defineCall({
    id: "system.map",
    method: "GET",
    path: "/monitor/systemMap",
    summary:
      "What runs now: processes, media nodes, database and what carries messages between processes, each with its state. For operators of the platform, from memory",
    auth: "bearer",
    access: { company: "required", permissions: ["platform:fleet:list"] },
    page: true,
    shows: ["fleet"],
    data: systemMapSchema,
  }),
};
