/** The lobby's list of conferences (docs/conferences.md#lobby). The shape is ours; how a person gets into one is in confr.ts and rtc.ts. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";
import { confrInfoSchema } from "./confr.ts";

export const conferencesOpenCall = defineCall({
  id: "conferences.open",
  method: "GET",
  path: "/dc-im/api/conferences",
  summary: "Conferences with somebody inside that the caller may enter, newest first",
  auth: "bearer",
  access: { company: "optional", guests: true },
  page: true,
  shows: ["conferences"],
  data: z.object({ conferences: z.array(confrInfoSchema) }),
});

export const conferenceListCalls = { conferencesOpen: conferencesOpenCall };
