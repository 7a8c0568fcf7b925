/**
 * Names of members (docs/conferences.md#identities). A person's name is that of the chat user. Clients of the platform's chat SDK add
 * the app key in front, and sometimes the chat's domain behind: `org#app_user@domain`.
 */

/** @returns the name of the chat user; a name of another app key is returned as it is */
export function chatUserOf(name: string, appKey: string): string {
  const prefix = `${appKey}_`;
  if (!name.startsWith(prefix)) return name;
  const [user = ""] = name.slice(prefix.length).split("@");
  return user;
}
