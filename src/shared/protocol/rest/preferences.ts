/** What a person sets up for the own use of the console (docs/session.md#preferences). The calls are ours. */
import { z } from "../../zod.ts";
import { defineCall, hasNoNul, NUL_MESSAGE } from "./call.ts";

export const PREFERENCE_LIMITS = {
  /** Characters of a key. */
  key: 300,
  /** Characters of a value. */
  value: 32_768,
  /** Keys of one person. */
  count: 100,
} as const;

const OWN = { company: "none", guests: true } as const;
const BASE = "/uaa/api/profile/preferences";
/** JSON that the console writes and reads. The server does not look into it. */
const valueSchema = z.string();

export const preferencesCall = defineCall({
  id: "preferences.list",
  method: "GET",
  path: BASE,
  summary: "The caller's preferences: saved filters and hidden columns of lists",
  auth: "bearer",
  access: OWN,
  shows: ["preferences"],
  page: true,
  data: z.object({ preferences: z.array(z.object({ key: z.string(), value: valueSchema })) }),
});

export const preferenceSetCall = defineCall({
  id: "preferences.set",
  method: "PUT",
  path: BASE,
  summary: "Keep a preference of the caller; null forgets it",
  auth: "bearer",
  access: OWN,
  touches: ["preferences"],
  personal: true,
  page: true,
  bodyLimit: 256 * 1024,
  body: z.object({
    key: z.string().min(1).max(PREFERENCE_LIMITS.key).refine(hasNoNul, NUL_MESSAGE),
    value: valueSchema.max(PREFERENCE_LIMITS.value).refine(hasNoNul, NUL_MESSAGE).nullable(),
  }),
});

export const preferenceCalls = {
  preferences: preferencesCall,
  preferenceSet: preferenceSetCall,
};
