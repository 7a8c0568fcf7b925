/** The call of two in which a person is on whichever device (docs/calls.md#to-another-device). The shape is ours. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";
import { chatUserNameSchema, idSchema } from "./entities.ts";

export const ownCallSchema = z.object({
  confrId: idSchema,
  /** The other side. */
  userName: chatUserNameSchema,
  name: z.string(),
  /** The person called the other side. */
  outgoing: z.boolean(),
});
export type OwnCall = z.infer<typeof ownCallSchema>;

export const ownCallsCall = defineCall({
  id: "calls.own",
  method: "GET",
  path: "/dc-im/api/calls/own",
  summary: "Calls of two in which the caller and the other side are now, newest first",
  auth: "bearer",
  access: { company: "optional", guests: true },
  shows: ["ownCalls"],
  data: z.object({ calls: z.array(ownCallSchema) }),
});

export const ownCallCalls = { ownCalls: ownCallsCall };
