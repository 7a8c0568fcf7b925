/**
 * The free texts of a REST call that writes: the places of its input where people may write what they like. They are found by the
 * schemas, so that nobody can forget one (tests/lint/free-texts.test.ts); tests/server/hostile-fields.test.ts writes hostile texts there.
 */
import type { z } from "../../src/shared/zod.ts";
import { idSchema } from "../../src/shared/protocol/rest/entities.ts";
import type { RestCall } from "../../src/shared/protocol/rest/index.ts";
import { HOSTILE } from "./hostile.ts";

export interface FreeText {
  /** Such as `body.name`, `body[].name` for a list, `body.custom.*` for any key. */
  readonly place: string;
  readonly schema: z.ZodType;
}

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, z.ZodType>>;
  readonly element?: z.ZodType;
  readonly keyType?: z.ZodType;
  readonly valueType?: z.ZodType;
  readonly options?: readonly z.ZodType[];
  readonly innerType?: z.ZodType;
  readonly in?: z.ZodType;
  readonly getter?: () => z.ZodType;
}

/** @param above the schemas around this one: groups of a filter are inside each other */
function textsIn(schema: z.ZodType, place: string, above: readonly z.ZodType[] = []): FreeText[] {
  if (above.includes(schema)) return [];
  const definition = schema._zod.def as unknown as Definition;
  const inner = (one: z.ZodType | undefined, at: string): FreeText[] =>
    one === undefined ? [] : textsIn(one, at, [...above, schema]);
  switch (definition.type) {
    case "string":
      return [{ place, schema }];
    case "object":
      return Object.entries(definition.shape ?? {}).flatMap(([key, one]) =>
        inner(one, `${place}.${key}`),
      );
    case "array":
      return inner(definition.element, `${place}[]`);
    case "record":
      return inner(definition.valueType, `${place}.*`);
    case "union":
      return (definition.options ?? []).flatMap((one) => inner(one, place));
    case "pipe":
      // What a transformation makes of the text belongs to the place as well.
      return inner(definition.in, place).map((found) =>
        found.place === place ? { place, schema } : found,
      );
    case "lazy":
      return inner(definition.getter?.(), place);
    default:
      return inner(definition.innerType, place);
  }
}

/** Texts that no number, key or name of an account is. */
const PROBES = HOSTILE.filter((text) => !/^[\w.-]*$/.test(text));
/** Whether people may write what they like there. An id only names a record. */
const isFree = ({ schema }: FreeText): boolean =>
  schema !== idSchema && PROBES.some((text) => schema.safeParse(text).success);

/** The free texts of a call, each place once. A call that only reads has none. */
export function freeTextsOf(call: RestCall): readonly FreeText[] {
  if (call.method === "GET") return [];
  const found = (["params", "query", "body"] as const)
    .flatMap((part) => textsIn(call[part], part))
    .filter(isFree)
    // Groups inside each other are one place.
    .map(({ place, schema }) => ({ place: place.replace(/(\.rules\[\])+/, ".rules[]"), schema }));
  return found.filter(({ place }, i) => found.findIndex((one) => one.place === place) === i);
}

/**
 * What becomes of a text that a person writes, where it is not kept to the letter:
 *
 * - read: as an import reads it (docs/import.md#one-writing)
 * - file: the name of a file (docs/server.md#texts-of-people)
 * - rich: sanitised HTML (docs/session.md#bulletins)
 * - named: compared with what is known, and shown nowhere
 * - sought: a condition of a search
 * - secret: compared with a hash, or kept as one
 * - ignored: the specification has it, and nothing reads it
 */
export type TextRule = "read" | "file" | "rich" | "named" | "sought" | "secret" | "ignored";

const EMPLOYEE = {
  employeeNo: "read",
  name: "read",
  email: "read",
  // A department has to be one of the company's.
  department: "named",
  position: "read",
  certificateType: "named",
  certificateNo: "read",
  emergencyContact: "read",
  remark: "read",
  "custom.*": "read",
} as const satisfies Readonly<Record<string, TextRule>>;
const below = (place: string, rules: Readonly<Record<string, TextRule>>) =>
  Object.fromEntries(Object.entries(rules).map(([key, rule]) => [`${place}.${key}`, rule]));
const FILTER = {
  "body.filter.rules[].value": "sought",
  "body.filter.rules[].value[]": "sought",
} as const;

/**
 * Rules of free texts by the id of the call. A text without a rule is kept as its schema gives it on: to the letter, or without blanks at
 * both ends. So most new calls need no line here.
 */
export const TEXT_RULES: Readonly<Record<string, Readonly<Record<string, TextRule>>>> = {
  // People of the company, mail addresses, or an address that may be sent to; else it is refused.
  "alertChannels.create": { "body.target": "named", "body.secret": "secret" },
  "alertChannels.update": { "body.target": "named", "body.secret": "secret" },
  "auth.login": { "body.username": "named", "body.password": "secret", "body.code": "secret" },
  "auth.refresh": { "body.refresh_token": "secret" },
  "auth.resetPassword": {
    "body.oldPassword": "secret",
    "body.requestKey": "secret",
    "body.newPassword": "secret",
  },
  "bulletins.create": { "body.noticeContent": "rich" },
  "bulletins.update": { "body.noticeContent": "rich" },
  "calls.report": { "body.callId": "named" },
  "demo.remove": { "body.name": "named" },
  "documents.decide": { "body.seen": "named" },
  "documents.list": { "body.keyword": "sought" },
  "employees.advancedFiltering": { "body.keyword": "sought", ...FILTER },
  "employees.create": below("body", EMPLOYEE),
  "employees.createMany": below("body[]", EMPLOYEE),
  "employees.export": { "params.b": "file", "body.keyword": "sought", ...FILTER },
  "employees.invite": { "body.department": "named" },
  "employees.query": { "body.keyword": "sought", "body.department": "sought" },
  "employees.update": below("body", EMPLOYEE),
  "employees.updateV3": below("body", EMPLOYEE),
  "files.uploadFinish": { "body.name": "file" },
  "groupCall.start": { "body.callId": "named" },
  "im.friendAdd": { "body.source": "ignored", "body.systemName": "ignored" },
  "im.friendRemove": { "body.source": "ignored", "body.systemName": "ignored" },
  "imports.chunk": { "body.columns[].dict[]": "read" },
  "imports.taken": { "body.idNumbers[]": "sought", "body.employeeNos[]": "sought" },
  "invitations.byMobile": { "body.department": "named" },
  "invitations.revoke": { "params.id": "named" },
  "invitations.send": { "params.id": "named" },
  "menus.routers": { "body.systemName": "named" },
  "ownFields.create": { "body.dictType": "named" },
  "profile.mobile": {
    "body.requestKey": "secret",
    "body.oldRequestKey": "secret",
    "body.password": "secret",
  },
  "profile.password": {
    "body.oldPassword": "secret",
    "body.requestKey": "secret",
    "body.newPassword": "secret",
  },
  "profile.unlock": { "body.password": "secret" },
  // An address is one of a known push service, or it is refused.
  "push.subscribe": { "body.endpoint": "named" },
  "push.unsubscribe": { "body.endpoint": "named" },
  "registration.create": { "body.requestKey": "secret", "body.password": "secret" },
  "registration.states": { "body.requestKey": "secret" },
  "roles.update": { "body.permissions[]": "named" },
  "twoFactor.begin": { "body.password": "secret" },
  "twoFactor.confirm": { "body.code": "secret" },
  "twoFactor.end": { "body.code": "secret" },
  "twoFactor.recovery": { "body.code": "secret" },
};

/** The rule of a free text; undefined: it is kept as its schema gives it on. */
export const ruleOf = (call: Pick<RestCall, "id">, place: string): TextRule | undefined =>
  TEXT_RULES[call.id]?.[place];

/** The free texts of a call that other people see. */
export const shownTextsOf = (call: RestCall): readonly FreeText[] =>
  freeTextsOf(call).filter(({ place }) => [undefined, "read"].includes(ruleOf(call, place)));

/** Calls whose body has no schema: they take files, whose names follow the rule "file". */
export const FILE_CALLS: readonly string[] = ["avatars.set", "files.upload", "licences.send"];
