/** Names of persons, actions and things in audit records, in the chosen language. */
import { currentLanguage } from "../../i18n/index.ts";
import { type texts, useTexts } from "../../i18n/texts.ts";
import { auditedName, type NamedEntry, wordsOf } from "./audit-words.ts";
import { TASK_NAMES } from "./task-texts.ts";
import { ACTION_TEXTS, ENTITY_TEXTS, MONITOR_TEXTS } from "./texts.ts";

const has = <T extends ReturnType<typeof texts>>(pairs: T, key: string): key is keyof T & string =>
  Object.hasOwn(pairs, key);

export interface AuditNames {
  person(record: { readonly actorId: string | null; readonly actorName: string }): string;
  /** An action or a thing that no table knows is named by the words of its name. */
  action(action: string): string;
  entity(entity: string): string;
  /** The name of what was changed. */
  record(entry: NamedEntry): string;
}

export function useAuditNames(): AuditNames {
  const text = useTexts(MONITOR_TEXTS);
  const actionText = useTexts(ACTION_TEXTS);
  const entityText = useTexts(ENTITY_TEXTS);
  const taskText = useTexts(TASK_NAMES);
  return {
    person: ({ actorId, actorName }) =>
      actorId === null ? text("platform") : actorName === "" ? text("gone") : actorName,
    action: (action) => (has(ACTION_TEXTS, action) ? actionText(action) : wordsOf(action)),
    entity: (entity) => (has(ENTITY_TEXTS, entity) ? entityText(entity) : wordsOf(entity)),
    record: (entry) =>
      entry.entity === "task" && has(TASK_NAMES, entry.entityId)
        ? taskText(entry.entityId)
        : auditedName(entry, currentLanguage()),
  };
}
