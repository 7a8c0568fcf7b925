/** Group calls on the server (docs/calls.md#group-calls): who may enter which. Shapes are ours. */
import { z } from "../../zod.ts";
import { callMediaSchema } from "../call-message.ts";
import { defineCall, hasNoNul, NUL_MESSAGE } from "./call.ts";
import { chatUserNameSchema, idSchema } from "./entities.ts";
import { groupIdSchema } from "../group-model.ts";

/** Most people who may be invited into one call, over its whole time. */
export const GROUP_CALL_PEOPLE = 60;

const access = { company: "optional", guests: true } as const;
const callId = z.string().min(1).max(64).refine(hasNoNul, NUL_MESSAGE);
const people = z.array(chatUserNameSchema).max(GROUP_CALL_PEOPLE);
const here = z.object({ confrId: idSchema });

export const groupCallStartCall = defineCall({
  id: "groupCall.start",
  method: "POST",
  path: "/dc-im/api/groupCalls",
  summary:
    "Make the conference of a group call, for a group of the caller or for chosen people. A group that calls already answers with its call",
  auth: "bearer",
  access,
  body: z.object({
    callId,
    media: callMediaSchema,
    /** null: the people are chosen one by one. */
    groupId: groupIdSchema.nullable().default(null),
    people,
  }),
  data: z.object({ confrId: idSchema, callId: z.string(), media: callMediaSchema }),
});

export const groupCallInviteCall = defineCall({
  id: "groupCall.invite",
  method: "POST",
  path: "/dc-im/api/groupCalls/{confrId}/people",
  summary: "Let more people enter a group call that the caller may enter",
  auth: "bearer",
  access,
  params: here,
  body: z.object({ people: people.min(1) }),
});

export const openGroupCallSchema = z.object({
  confrId: idSchema,
  callId: z.string(),
  media: callMediaSchema,
  groupId: z.string().nullable(),
  /** Who began it. */
  startedBy: z.string(),
  startedByName: z.string(),
  /** ms since the epoch */
  startedAt: z.number().int(),
  /** People inside. */
  inside: z.number().int(),
});
export type OpenGroupCall = z.infer<typeof openGroupCallSchema>;

export const groupCallOpenCall = defineCall({
  id: "groupCall.open",
  method: "GET",
  path: "/dc-im/api/groupCalls",
  summary: "Group calls that go on and that the caller may enter, newest first",
  auth: "bearer",
  access,
  page: true,
  shows: ["groupCalls"],
  data: z.object({ calls: z.array(openGroupCallSchema) }),
});

export const groupCallPastCall = defineCall({
  id: "groupCall.past",
  method: "GET",
  path: "/dc-im/api/groupCalls/past",
  summary: "The latest calls of a chat group of the caller that are over, newest first",
  auth: "bearer",
  access,
  page: true,
  shows: ["calls"],
  query: z.object({ groupId: groupIdSchema }),
  data: z.object({
    calls: z.array(
      z.object({
        confrId: idSchema,
        media: callMediaSchema,
        startedBy: z.string(),
        startedByName: z.string(),
        /** ms since the epoch */
        startedAt: z.number().int(),
        endedAt: z.number().int(),
        /** People who were inside. */
        people: z.number().int(),
      }),
    ),
  }),
});

export const groupCallCalls = {
  groupCallStart: groupCallStartCall,
  groupCallInvite: groupCallInviteCall,
  groupCallOpen: groupCallOpenCall,
  groupCallPast: groupCallPastCall,
};
