/** The values of a form, which are kept until they are saved or discarded (docs/session.md#drafts-of-forms). */
import { useEffect, useRef, useState } from "react";
import {
  draftKey,
  type ReadableDraft,
  readFormDraft,
  writeFormDraft,
} from "../../state/form-drafts.ts";
import { textOf, texts } from "../../i18n/texts.ts";
import { useCore } from "../../state/services.ts";
import { tell } from "../../state/tell.ts";
import { changedValues, type FormField, type FormValues } from "./fields.ts";

const TEXTS = texts({
  left: [
    "“{{title}}”中有未保存的内容，已保留。切换回原企业后打开该表单，可继续填写",
    "“{{title}}” had unsaved input, which is kept. Open the form in the previous company to continue",
  ],
});

export interface FormDraft {
  readonly values: FormValues;
  readonly setValues: (change: (now: FormValues) => FormValues) => void;
  readonly dirty: boolean;
  /** All that was changed is there again after a reload. */
  readonly kept: boolean;
  /** The form began with values that were kept. */
  readonly restored: boolean;
  /** Begins again with the values before. */
  readonly reset: () => void;
  /** The values are saved or discarded. */
  readonly forget: () => void;
}

export function useFormDraft(
  title: string,
  before: FormValues,
  fields: readonly FormField[],
): FormDraft {
  const core = useCore();
  // a password is kept nowhere
  const keys = fields.flatMap(({ key, input }) => (input === "password" ? [] : [key]));
  const [begun] = useState(() => {
    const { accountId, supplierId } = core.state.session;
    const key = draftKey({ accountId, supplierId }, location.pathname, before);
    return { key, supplierId, kept: readFormDraft(key, keys) };
  });
  const [values, setValues] = useState<FormValues>({ ...before, ...begun.kept });
  const [restored, setRestored] = useState(Object.keys(begun.kept).length > 0);
  const changed = changedValues(before, values);
  const dirty = Object.keys(changed).length > 0;
  const over = useRef(false);
  const worth = JSON.stringify(
    Object.fromEntries(Object.entries(changed).filter(([key]) => keys.includes(key))),
  );
  const readable = JSON.stringify({
    title,
    lines: fields.flatMap(({ key, label, options }) => {
      const value = keys.includes(key) ? changed[key] : undefined;
      if (value === undefined) return [];
      return [{ label, text: options?.find((one) => one.value === value)?.label ?? value }];
    }),
  });
  useEffect(() => {
    if (over.current) return;
    writeFormDraft(
      begun.key,
      JSON.parse(worth) as FormValues,
      JSON.parse(readable) as ReadableDraft,
    );
  }, [begun, worth, readable]);

  const told = useRef<() => void>(() => undefined);
  useEffect(() => {
    told.current = () => {
      const moved = core.state.session.supplierId !== begun.supplierId;
      if (moved && !over.current && worth !== "{}")
        tell("warning", textOf(TEXTS, "left", { title }));
    };
  });
  // A company that was switched in another tab closes the form.
  useEffect(() => () => told.current(), []);

  return {
    values,
    setValues,
    dirty,
    kept: Object.keys(changed).every((key) => keys.includes(key)),
    restored,
    reset() {
      setValues(before);
      setRestored(false);
    },
    forget() {
      over.current = true;
      writeFormDraft(begun.key, {});
    },
  };
}
