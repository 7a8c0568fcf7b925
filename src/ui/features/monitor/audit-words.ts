/** What an entry of the operation log says, in words (docs/server.md#operation-log). Pure. */
import {
  type AuditField,
  type AuditFields,
  auditFieldsOf,
  type AuditRule,
  EMPLOYEE_AUDIT_FIELDS,
} from "../../../shared/domain/audit-fields.ts";
import {
  type AuditEntry,
  auditedThing,
  auditRef,
  type AuditValues,
  changedEmployees,
} from "../../../shared/domain/audit-refs.ts";
import { fileSize } from "../../../shared/domain/chat-files.ts";
import { fieldLabel } from "../../../shared/domain/field-settings.ts";
import { formatDate } from "../../../shared/domain/format.ts";
import { isEmpty } from "../../../shared/domain/validate.ts";
import type { AuditName } from "../../../shared/protocol/rest/monitor.ts";
import type { OwnField, OwnValues } from "../fields/own-fields.ts";

export interface AuditChange {
  readonly key: string;
  readonly label: string;
  /** value: one side alone is known. change: `from` became `to`. lists: `from` is what was taken away, `to` what was added. */
  readonly kind: "value" | "change" | "lists";
  /** Null: there was no value. */
  readonly from: string | null;
  readonly to: string | null;
}

export interface AuditWording {
  readonly language: "zh" | "en";
  readonly labelOf: (dict: string, value: string) => string;
  readonly permission: (name: string) => string;
  /** The company's own fields of employees. */
  readonly own: readonly OwnField[];
  readonly yes: string;
  readonly no: string;
  /** An own field that was removed meanwhile. */
  readonly removedField: string;
}

export type NamedEntry = AuditEntry & { readonly names: Readonly<Record<string, AuditName>> };

const MOST_IN_SUMMARY = 3;
/** Characters of a value in the summary. */
const SUMMARY_VALUE = 24;
const LIST_SEPARATOR = { zh: "、", en: ", " } as const;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}/;

/** A name of a program as words: `dimissionReason` is "Dimission reason". */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_.:]+/g, " ")
    .trim()
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const nameIn = (name: AuditName, language: "zh" | "en"): string =>
  typeof name === "string" ? name : name[language];

/** The name of what the entry is about; its id when nobody knows a name. */
export function auditedName(entry: NamedEntry, language: "zh" | "en"): string {
  const about = auditedThing(entry);
  const known = Object.hasOwn(entry.names, about) ? entry.names[about] : undefined;
  return known === undefined ? entry.entityId : nameIn(known, language);
}

const plainText = (html: string): string =>
  html
    .replaceAll(/<(br|\/p|\/h\d|\/li)\b[^>]*>/gi, " ")
    .replaceAll(/<[^>]*>/g, "")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Two lists without what both have; null for what is no list, and for an order, which is shown as a whole. */
function differing(
  was: unknown,
  is: unknown,
  rule: AuditRule | undefined,
): { readonly from: unknown[]; readonly to: unknown[] } | null {
  if (!Array.isArray(was) || !Array.isArray(is)) return null;
  if ((rule?.type === "thing" || rule?.type === "field") && rule.ordered === true) return null;
  const without = (list: unknown[], other: unknown[]) => list.filter((one) => !other.includes(one));
  return { from: without(was, is), to: without(is, was) };
}

/** The first changes in one line, for a list. */
export function auditSummary(changes: readonly AuditChange[], language: "zh" | "en"): string {
  const [colon, end] = language === "zh" ? ["：", "；"] : [": ", "; "];
  const short = (text: string | null): string => {
    const letters = Array.from(text ?? "–");
    return letters.length <= SUMMARY_VALUE
      ? letters.join("")
      : `${letters.slice(0, SUMMARY_VALUE).join("")}…`;
  };
  const said = ({ kind, from, to }: AuditChange): string => {
    if (kind === "value") return short(to ?? from);
    if (kind === "change") return `${short(from)} → ${short(to)}`;
    return [to === null ? "" : `+ ${short(to)}`, from === null ? "" : `− ${short(from)}`]
      .filter(Boolean)
      .join(" ");
  };
  return changes
    .slice(0, MOST_IN_SUMMARY)
    .map((change) => `${change.label}${colon}${said(change)}`)
    .join(end);
}

/** @returns in the order of the forms; what stayed the same is left out */
export function auditWords(entry: NamedEntry, wording: AuditWording): readonly AuditChange[] {
  const { language, labelOf } = wording;
  const join = (texts: readonly string[]): string => texts.join(LIST_SEPARATOR[language]);

  /** A value that no table knows. */
  function anyText(value: unknown): string {
    if (typeof value === "boolean") return value ? wording.yes : wording.no;
    if (typeof value === "string") {
      return TIME.test(value) && !Number.isNaN(Date.parse(value))
        ? formatDate(Date.parse(value))
        : value;
    }
    if (Array.isArray(value)) return join(value.map(anyText));
    if (typeof value === "object" && value !== null) {
      return join(
        Object.entries(value).map(([key, inner]) => `${wordsOf(key)}: ${anyText(inner)}`),
      );
    }
    return String(value);
  }

  function oneText(value: unknown, rule: AuditRule | undefined): string {
    if (rule === undefined || (typeof value === "object" && value !== null)) return anyText(value);
    const text = String(value);
    switch (rule.type) {
      case "thing": {
        const name = entry.names[auditRef(rule.thing, text)];
        return name === undefined ? `#${text}` : nameIn(name, language);
      }
      case "dict":
        return labelOf(rule.dict, text);
      case "choice": {
        const pair = Object.hasOwn(rule.words, text) ? rule.words[text] : undefined;
        return pair === undefined ? text : pair[language === "zh" ? 0 : 1];
      }
      case "bytes":
        return typeof value === "number" ? fileSize(value) : text;
      case "html":
        return plainText(text);
      case "permissions":
        return wording.permission(text);
      case "field":
        return fieldLabel(text, language, wording.own) ?? wording.removedField;
      default:
        return anyText(value);
    }
  }

  const textOf = (value: unknown, rule: AuditRule | undefined): string | null => {
    if (isEmpty(value)) return null;
    return Array.isArray(value)
      ? join(value.map((one) => oneText(one, rule)))
      : oneText(value, rule);
  };

  const ownChanges = (was: unknown, is: unknown, kind: AuditChange["kind"]): AuditChange[] => {
    const [before, after] = [was, is].map((one) =>
      typeof one === "object" && one !== null ? (one as OwnValues) : {},
    ) as [OwnValues, OwnValues];
    // What somebody may not see comes as one text.
    if (typeof was === "string" || typeof is === "string") {
      const { [language]: label } = EMPLOYEE_AUDIT_FIELDS["custom"] as AuditField;
      const [from, to] = [textOf(was, undefined), textOf(is, undefined)];
      return [{ key: "custom", label, kind, from, to }];
    }
    const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
    return [...keys].map((key) => {
      const field = wording.own.find((one) => one.key === key);
      const dict = field?.dictType ?? null;
      const rule: AuditRule = dict === null ? { type: "text" } : { type: "dict", dict };
      const read = (values: OwnValues) => textOf(values[key], rule);
      return {
        key: `custom.${key}`,
        label: field?.label ?? wording.removedField,
        kind,
        from: read(before),
        to: read(after),
      };
    });
  };

  function changesOf(
    fields: AuditFields,
    before: AuditValues | null,
    after: AuditValues | null,
  ): AuditChange[] {
    const [was, is] = [before ?? {}, after ?? {}];
    const isChange = before !== null && after !== null;
    const given = new Set([...Object.keys(was), ...Object.keys(is)]);
    const order = Object.keys(fields);
    const known = order.filter((key) => given.has(key));
    const others = [...given].filter((key) => !Object.hasOwn(fields, key) && key !== "changed");
    return [...known, ...others].flatMap((key): AuditChange[] => {
      const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
      // What a part of an import created was not there before.
      const kind = isChange && (key in was || !("changed" in was)) ? "change" : "value";
      if (field?.rule.type === "own") return ownChanges(was[key], is[key], kind);
      // The department's name says it.
      if (key === "departmentId" && !(isEmpty(was["department"]) && isEmpty(is["department"]))) {
        return [];
      }
      const lists = differing(was[key], is[key], field?.rule);
      const { from, to } = lists ?? { from: was[key], to: is[key] };
      return [
        {
          key,
          label: field?.[language] ?? wordsOf(key),
          kind: lists === null ? kind : "lists",
          from: textOf(from, field?.rule),
          to: textOf(to, field?.rule),
        },
      ];
    });
  }

  /** Of a part of an import: what it changed of each employee. */
  const changedRows = (): AuditChange[] => {
    const before = new Map(changedEmployees(entry.before));
    return changedEmployees(entry.after).flatMap(([id, after]) => {
      const name = oneText(id, { type: "thing", thing: "employee" });
      return changesOf(EMPLOYEE_AUDIT_FIELDS, before.get(id) ?? null, after).map((change) => ({
        ...change,
        key: `${id}.${change.key}`,
        label: `${name} · ${change.label}`,
      }));
    });
  };

  return [
    ...changesOf(auditFieldsOf(entry.entity), entry.before, entry.after),
    ...changedRows(),
  ].filter(({ from, to }) => from !== to);
}
