/**
 * What a person has typed into a form, kept until it is saved or discarded (docs/session.md#drafts-of-forms), and what another person
 * changed in its record meanwhile (docs/server.md#versions).
 */
import { useEffect, useRef, useState } from "react";
import { staleVersions } from "../../../shared/protocol/rest/conflict.ts";
import { draftKey, dropFormDraft, readFormDraft, writeFormDraft } from "../../state/form-drafts.ts";
import { textOf, texts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { showMessage } from "../../state/show-message.ts";
import { pendingKeysIn } from "../upload/pending.ts";
import { looseValues, settled, trimmed, valueFor } from "./fields.ts";
import type { AnyField } from "./kinds.ts";
import { sayValue } from "./say.ts";
import { begun, chosen, type Editing, rebased, type Side, typed, undecided } from "./stale.ts";
import { changedValues, type FieldValue, isEmpty, type Values } from "./values.ts";
import type { Versions } from "./versions.ts";

const TEXTS = texts({
  left: [
    "“{{title}}”中有未保存的内容，已保留。切换回原企业后打开该表单，可继续填写",
    "“{{title}}” had unsaved input, which is kept. Open the form in the previous company to continue",
  ],
});

type Send = (now: Editing, version: number) => Promise<unknown>;

export interface FormState {
  readonly editing: Editing;
  readonly dirty: boolean;
  /** All that was changed is there again after a reload. */
  readonly kept: boolean;
  /** The form began with values that were kept. */
  readonly restored: boolean;
  readonly set: (key: string, value: FieldValue) => void;
  /** @param key left out: all fields that the other person changed */
  readonly choose: (side: Side, key?: string) => void;
  /**
   * Sends the change with the version on which it is based. A refusal over nothing that concerns the form is no question: the change is
   * sent again with the newer version.
   *
   * @returns whether it is saved; false: the person has to look at what the other one changed
   */
  readonly save: (send: Send) => Promise<boolean>;
  /** Begins again with the values of the record. */
  readonly reset: () => void;
  /** The values are saved or discarded. */
  readonly forget: () => void;
}

/** A password is kept nowhere. */
const withoutPasswords = (fields: readonly AnyField[], values: Values): Values => {
  const hidden = new Set(fields.filter(({ input }) => input === "password").map(({ key }) => key));
  return Object.fromEntries(Object.entries(values).filter(([key]) => !hidden.has(key)));
};

/** Of a field that the page declares only once it has loaded more, the value waits as it is. */
const keptOf = (fields: readonly AnyField[], kept: Readonly<Record<string, unknown>>): Values => {
  const known = new Map(fields.map((field) => [field.key, field]));
  const values = Object.entries(kept).map(([key, value]): [string, FieldValue] => {
    const field = known.get(key);
    return [key, field === undefined ? (value as FieldValue) : valueFor(field, value)];
  });
  return withoutPasswords(fields, Object.fromEntries(values));
};

function restoredFrom(key: string, fields: readonly AnyField[], base: Values): Editing {
  const draft = readFormDraft(key);
  if (draft === null) return begun(base);
  const before = { ...base, ...keptOf(fields, draft.before) };
  const editing = begun(before, { ...before, ...keptOf(fields, draft.changed) });
  return Object.keys(changedValues(before, base)).length === 0
    ? editing
    : rebased(editing, fields, base);
}

export function useFormState(form: {
  readonly title: string;
  readonly fields: readonly AnyField[];
  readonly values: Values;
  readonly versions: Versions | null;
}): FormState {
  const { title, versions } = form;
  const core = useCore();
  const also = versions?.also;
  const fields = [...form.fields, ...(also?.fields ?? [])];
  const [opened] = useState(() => {
    const { accountId, supplierId } = core.state.session;
    const base = { ...form.values, ...also?.values };
    const given = Object.entries(base).filter(([, value]) => !isEmpty(value));
    // fields that the page declares later are empty
    const identity = versions === null ? Object.fromEntries(given) : { id: versions.id };
    const key = draftKey({ accountId, supplierId }, location.pathname, { title, identity });
    return { key, supplierId, editing: restoredFrom(key, fields, base) };
  });
  const [editing, setEditing] = useState(opened.editing);
  const version = useRef(versions?.version ?? 0);
  const changed = changedValues(trimmed(fields, editing.base), trimmed(fields, editing.values));
  const [restored, setRestored] = useState(Object.keys(changed).length > 0);
  const dirty = Object.keys(changed).length > 0 || undecided(editing).length > 0;
  const over = useRef(false);
  // Until the person has chosen, a reload asks again.
  const before = undecided(editing).length > 0 ? editing.from : editing.base;
  const keeps = (values: Values): Values => withoutPasswords(fields, values);
  const worth = JSON.stringify({
    before: keeps(before),
    changed: keeps(changedValues(before, editing.values)),
  });
  const readable = JSON.stringify({
    title,
    lines: fields
      .filter(({ key, input }) => changed[key] !== undefined && input !== "password")
      .map((field) => ({
        label: field.label,
        text: sayValue(field, editing.values[field.key], editing.values),
      })),
  });
  useEffect(() => {
    if (!over.current) writeFormDraft(opened.key, JSON.parse(worth), JSON.parse(readable));
  }, [opened, worth, readable]);

  const warnOfKeptDraft = useRef<() => void>(() => undefined);
  useEffect(() => {
    warnOfKeptDraft.current = () => {
      const moved = core.state.session.supplierId !== opened.supplierId;
      if (moved && !over.current && dirty) showMessage("warning", textOf(TEXTS, "left", { title }));
    };
  });
  // A company that was switched in another tab closes the form.
  useEffect(() => () => warnOfKeptDraft.current(), []);

  /** Files that are on their way for input that is dropped. */
  const endUploads = (): void => {
    for (const key of pendingKeysIn(editing.values)) {
      core.commands.uploads.cancel({ key }).catch(() => undefined);
    }
  };

  const attempt = async (now: Editing, send: Send): Promise<boolean> => {
    try {
      await send(now, version.current);
      return true;
    } catch (error) {
      const stale = staleVersions(error);
      if (stale === null || versions === null) throw error;
      const { version: newer, values } = versions.read(stale.theirs);
      const next = rebased(now, fields, looseValues(fields, values));
      const moved = newer !== version.current;
      version.current = newer;
      setEditing(next);
      return next.conflicts.length === 0 && moved ? attempt(next, send) : false;
    }
  };
  return {
    editing,
    dirty,
    kept: Object.keys(changed).every((key) => keeps(changed)[key] !== undefined),
    restored,
    set: (key, value) =>
      setEditing((now) => typed(now, settled(fields, { ...now.values, [key]: value }))),
    choose: (side, key) => setEditing((now) => chosen(now, side, key)),
    save: (send) => attempt(editing, send),
    reset() {
      endUploads();
      setEditing((now) => begun(now.base));
      setRestored(false);
    },
    forget() {
      endUploads();
      over.current = true;
      dropFormDraft(opened.key);
    },
  };
}
