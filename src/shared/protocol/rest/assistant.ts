/** The platform's AI safety-service assistant, a system of its own (docs/session.md#ai-assistant). The call is ours. */
import { z } from "../../zod.ts";
import { defineCall } from "./call.ts";

export const assistantCall = defineCall({
  id: "assistant.open",
  method: "POST",
  path: "/uaa/api/assistant",
  summary:
    "The assistant's address, with a token in its fragment that tells it who comes; url is null where none is configured",
  auth: "bearer",
  access: { company: "optional" },
  page: true,
  // each answer has a token of its own, which must not be kept
  touches: [],
  data: z.object({ url: z.string().nullable() }),
});

export const assistantCalls = { assistant: assistantCall };
