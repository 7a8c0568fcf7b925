/** Names of persons, actions and things in audit records, in the chosen language. */
import { texts, useTexts } from "../../i18n/texts.ts";
import { ACTION_TEXTS, ENTITY_TEXTS, MONITOR_TEXTS } from "./texts.ts";

const has = <T extends ReturnType<typeof texts>>(pairs: T, key: string): key is keyof T & string =>
  Object.hasOwn(pairs, key);

export interface AuditNames {
  person(record: { readonly actorId: string | null; readonly actorName: string }): string;
  action(action: string): string;
  entity(entity: string): string;
}

export function useAuditNames(): AuditNames {
  const text = useTexts(MONITOR_TEXTS);
  const actionText = useTexts(ACTION_TEXTS);
  const entityText = useTexts(ENTITY_TEXTS);
  return {
    person: ({ actorId, actorName }) =>
      actorId === null ? text("platform") : actorName === "" ? text("gone") : actorName,
    action: (action) => (has(ACTION_TEXTS, action) ? actionText(action) : action),
    entity: (entity) => (has(ENTITY_TEXTS, entity) ? entityText(entity) : entity),
  };
}
