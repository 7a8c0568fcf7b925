/** Mobile numbers as a person types or pastes several of them. Pure. */
import { INVITE_MOBILES_MAX } from "../../../shared/protocol/rest/invitations.ts";
import { mobileSchema } from "../../../shared/protocol/rest/registration.ts";

/** The numbers of a text, each once: separated by blanks, lines or marks. */
export const mobilesIn = (text: string): readonly string[] => [
  ...new Set(text.split(/[\s,;，；、]+/).filter((part) => part !== "")),
];

/** What is wrong with them: the place of the first that is no mobile number, or that there are too many. */
export function wrongMobiles(
  text: string,
): { readonly at: number } | { readonly most: number } | null {
  const mobiles = mobilesIn(text);
  const at = mobiles.findIndex((one) => !mobileSchema.safeParse(one).success);
  if (at >= 0) return { at: at + 1 };
  return mobiles.length > INVITE_MOBILES_MAX ? { most: INVITE_MOBILES_MAX } : null;
}
