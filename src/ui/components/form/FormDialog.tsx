/**
 * A form in a dialog, declared by its fields. Input that was not saved is asked about before it is lost. When another person changed the
 * record meanwhile, the form shows what they changed and lets the person choose.
 */
import { Button } from "@arco-design/web-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { AppError } from "../../../shared/errors.ts";
import { Dialog } from "../dialog/Dialog.tsx";
import { errorText } from "../../i18n/index.ts";
import { textOf, texts, useTexts } from "../../i18n/texts.ts";
import { ask } from "../../state/ask.ts";
import { pendingErrors } from "./pending-errors.ts";
import { useFocusBack } from "../useFocusBack.ts";
import { useLeaveWarning } from "../useLeaveWarning.ts";
import { Field } from "./Field.tsx";
import {
  changedValues,
  checkValues,
  declaredChange,
  declaredValues,
  type FormErrors,
  looseValues,
  refusedField,
  shownFields,
  trimmed,
} from "./fields.ts";
import type { AnyField, ChangedOf, StartOf, ValuesOf } from "./kinds.ts";
import { StaleChoices, STALE_TEXTS } from "./StaleChoices.tsx";
import { undecided } from "./stale.ts";
import { useOnce } from "./useOnce.ts";
import { useFormState } from "./useFormState.ts";
import type { FieldValue } from "./values.ts";
import type { Versions } from "./versions.ts";
import { useWordings } from "./wordings.ts";
import "./form.css";
import { SubmitButtons } from "../dialog/DialogButtons.tsx";

const TEXTS = texts({
  save: ["保存", "Save"],
  taken: ["该值已被使用", "This value is in use already"],
  invalid: ["内容不正确", "This value is not valid"],
  unsaved: ["有未保存的内容，确定要放弃吗？", "There is unsaved input. Discard it?"],
  discard: ["放弃", "Discard"],
  restored: ["已恢复上次未保存的内容", "Your unsaved input is here again"],
  clear: ["清除", "Clear"],
  stay: ["继续填写", "Keep editing"],
  uploading: ["文件正在上传，请稍候", "A file is being uploaded, please wait"],
});

export interface FormDialogProps<F extends readonly AnyField[]> {
  readonly title: string;
  readonly fields: F;
  readonly values: StartOf<F>;
  /** Null: other people do not save newer versions of the record meanwhile. */
  readonly versions?: Versions | null;
  /** Text of the button that saves. */
  readonly okText?: string;
  /** Shown above the fields. */
  readonly intro?: ReactNode;
  /** For a form with much to read. */
  readonly wide?: boolean;
  /**
   * Takes the values of the fields that are there, trimmed, those of them that differ from the record, and the version of the record on
   * which they are based (0 without `versions`). The dialog stays open when it rejects.
   */
  readonly save: (values: ValuesOf<F>, changed: ChangedOf<F>, version: number) => Promise<unknown>;
  readonly onClose: () => void;
  /** Follows the close after a save. */
  readonly onSaved?: () => void;
  /** The page shows something else instead once it is saved, so the dialog does not close itself. */
  readonly keepOpen?: boolean;
}

/** The server's words for a refusal that it says in both languages. */
const ownWords = (error: unknown): string | null =>
  typeof AppError.from(error).details?.["en"] === "string" ? errorText(error) : null;

/** What takes the focus in a field. */
const CONTROLS =
  "input:enabled:not([type=file]), textarea:enabled, [role=combobox], [role=textbox], [role=switch], button:enabled";

export function FormDialog<const F extends readonly AnyField[]>(props: FormDialogProps<F>) {
  const { fields, onClose, versions = null } = props;
  const { t } = useTranslation();
  const text = useTexts(TEXTS);
  const wordings = useWordings();
  const id = useId();
  const [begin] = useState(() => looseValues(fields, props.values));
  const state = useFormState({ title: props.title, fields, values: begin, versions });
  const { editing, dirty } = state;
  const shown = shownFields(fields, editing.values);
  const [errors, setErrors] = useState<FormErrors>({});
  const [failure, setFailure] = useState<string | null>(null);
  const [busy, setBusy] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  useFocusBack(() => document.querySelector<HTMLElement>("#main"));

  useLeaveWarning(dirty, state.kept);
  const focusOn = (place: string): void =>
    form.current?.querySelector<HTMLElement>(`${place} :is(${CONTROLS})`)?.focus();
  // Once, when the dialog opens.
  useEffect(() => {
    const first = form.current?.querySelector<HTMLElement>(`.form-fields :is(${CONTROLS})`);
    (first ?? form.current?.querySelector<HTMLElement>("[type=submit]"))?.focus();
  }, []);
  /** Counts the refusals because of a newer version, after each of which the choices take the focus. */
  const [refusals, setRefusals] = useState(0);
  useEffect(() => {
    if (refusals === 0) return;
    const stale = form.current?.querySelector(".form-stale");
    const open = stale?.querySelector<HTMLElement>("[data-open=true] input");
    (open ?? stale?.querySelector<HTMLElement>("input, button"))?.focus();
    stale?.scrollIntoView({ block: "nearest" });
  }, [refusals]);

  const close = (): void => {
    if (busy) return;
    const discard = (): void => {
      state.forget();
      onClose();
    };
    if (!dirty) {
      discard();
      return;
    }
    ask({
      title: t("common.hint"),
      content: text("unsaved"),
      okText: text("discard"),
      cancelText: text("stay"),
      onOk: discard,
    });
  };
  const show = (wrong: FormErrors): void => {
    setErrors(wrong);
    const paths = Object.keys(wrong);
    const first = shown
      .flatMap(({ key }) => paths.filter((path) => path === key || path.startsWith(`${key}.`)))
      .at(0);
    if (first !== undefined) focusOn(`[data-field="${first}"]`);
  };
  const askForChoices = (): void => {
    setFailure(textOf(STALE_TEXTS, "unsaved"));
    setRefusals((n) => n + 1);
  };
  const submit = useOnce(async (): Promise<void> => {
    if (busy) return;
    setFailure(null);
    if (undecided(editing).length > 0) return askForChoices();
    const wanted = trimmed(shown, editing.values);
    const wrong = {
      ...pendingErrors(shown, wanted, text("uploading")),
      ...checkValues(fields, { ...editing.values, ...wanted }, wordings),
    };
    show(wrong);
    if (Object.keys(wrong).length > 0) return;
    setBusy(true);
    let saved: boolean;
    try {
      saved = await state.save((now, version) => {
        const all = trimmed(shownFields(fields, now.values), now.values);
        const changed = changedValues(trimmed(fields, now.base), all);
        return props.save(declaredValues(fields, all), declaredChange(fields, changed), version);
      });
    } catch (error) {
      const refusal = refusedField(error, fields);
      setBusy(false);
      if (refusal === null) setFailure(errorText(error));
      else show({ [refusal.key]: ownWords(error) ?? text(refusal.reason) });
      return;
    }
    if (!saved) {
      setBusy(false);
      askForChoices();
      return;
    }
    state.forget();
    if (props.keepOpen !== true) onClose();
    props.onSaved?.();
  });
  const set = (key: string, value: FieldValue): void => {
    state.set(key, value);
    setErrors((now) =>
      Object.fromEntries(
        Object.entries(now).filter(([path]) => path !== key && !path.startsWith(`${key}.`)),
      ),
    );
  };

  return (
    <Dialog
      visible
      title={props.title}
      className={props.wide === true ? "form-dialog form-dialog-wide" : "form-dialog"}
      footer={null}
      autoFocus={false}
      maskClosable={false}
      onCancel={close}
      unmountOnExit
    >
      <form
        ref={form}
        noValidate
        {...(state.kept ? { "data-kept": "" } : {})}
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        {state.restored && (
          <p className="form-restored" role="status">
            {text("restored")}
            <Button size="mini" type="text" onClick={state.reset}>
              {text("clear")}
            </Button>
          </p>
        )}
        {props.intro}
        {failure !== null && (
          <p className="form-failure" role="alert">
            {failure}
          </p>
        )}
        <div className="form-fields">
          <StaleChoices
            editing={editing}
            fields={new Set(fields.map(({ key }) => key))}
            onChoose={state.choose}
          />
          {shown.map((field) => (
            <Field
              key={field.key}
              id={`${id}${field.key}`}
              field={field}
              values={editing.values}
              errors={errors}
              onChange={(value) => set(field.key, value)}
            />
          ))}
        </div>
        <SubmitButtons label={props.okText ?? text("save")} busy={busy} onCancel={close} />
      </form>
    </Dialog>
  );
}
