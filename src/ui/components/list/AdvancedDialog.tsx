/** Edits the advanced filter of a list: conditions in groups that are joined by "and" or "or". */
import { Button, Input, Select } from "@arco-design/web-react";
import "@arco-design/web-react/es/Select/style/css.js";
import { IconDelete, IconPlus } from "@arco-design/web-react/icon";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../dialog/Dialog.tsx";
import { type FilterGroup, MAX_FILTER_DEPTH } from "../../../shared/protocol/rest/filter.ts";
import { DateField } from "../DateField.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useFocusBack } from "../useFocusBack.ts";
import {
  type AdvancedField,
  checkDraft,
  createDraftMaker,
  type DraftGroup,
  type DraftRule,
  type FilterOperator,
  OPERATORS,
  replacePart,
  takesValue,
  type Wrong,
} from "./advanced.ts";
import { ADVANCED_TEXTS, OPERATOR_TEXTS } from "./dialog-texts.ts";
import "./advanced-dialog.css";

/** Most parts of a group, as the schema of the filter says. */
const MOST_PARTS = 20;

export function AdvancedDialog(props: {
  readonly fields: readonly AdvancedField[];
  readonly filter: FilterGroup | null;
  readonly onChange: (filter: FilterGroup | null) => void;
  readonly onClose: () => void;
}) {
  const { fields } = props;
  const { t } = useTranslation();
  const text = useTexts(ADVANCED_TEXTS);
  const [make] = useState(createDraftMaker);
  const [draft, setDraft] = useState(() => {
    const [first] = fields;
    if (props.filter !== null) return make.from(props.filter);
    return make.group("and", first === undefined ? [] : [make.rule(first)]);
  });
  const [tried, setTried] = useState(false);
  useFocusBack(() => null);
  const { filter, wrong, whole } = checkDraft(draft, fields);
  const apply = (): void => {
    setTried(true);
    if (wrong.size > 0 || whole !== null) return;
    props.onChange(filter);
    props.onClose();
  };
  const editor: Editor = {
    fields,
    wrong: tried ? wrong : new Map(),
    change: (id, part) =>
      setDraft((now) =>
        now.id === id && part !== null && "logic" in part ? part : replacePart(now, id, part),
      ),
    newRule: () => make.rule(fields[0] as AdvancedField),
    newGroup: () => make.group("or", [make.rule(fields[0] as AdvancedField)]),
  };
  return (
    <Dialog
      visible
      className="advanced-dialog"
      title={text("title")}
      onCancel={props.onClose}
      footer={
        <>
          <Button
            onClick={() => {
              props.onChange(null);
              props.onClose();
            }}
          >
            {text("none")}
          </Button>
          <Button onClick={props.onClose}>{t("common.cancel")}</Button>
          <Button type="primary" onClick={apply}>
            {text("apply")}
          </Button>
        </>
      }
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          apply();
        }}
      >
        <Group group={draft} depth={1} editor={editor} />
        {tried && whole !== null && (
          <p className="advanced-wrong" role="alert">
            {text(whole)}
          </p>
        )}
        {/* Enter in a field applies the filter. */}
        <button type="submit" hidden aria-hidden="true" />
      </form>
    </Dialog>
  );
}

interface Editor {
  readonly fields: readonly AdvancedField[];
  readonly wrong: ReadonlyMap<number, Wrong>;
  change(id: number, part: DraftRule | DraftGroup | null): void;
  newRule(): DraftRule;
  newGroup(): DraftGroup;
}

function Group(props: {
  readonly group: DraftGroup;
  /** 1: the outermost. */
  readonly depth: number;
  readonly editor: Editor;
}) {
  const { group, depth, editor } = props;
  const text = useTexts(ADVANCED_TEXTS);
  const { id, logic, rules } = group;
  const add = (part: DraftRule | DraftGroup): void =>
    editor.change(id, { ...group, rules: [...rules, part] });
  return (
    <fieldset className="advanced-group">
      <legend>{text("group")}</legend>
      <div className="advanced-tools">
        <Select
          className="advanced-logic"
          aria-label={text("logic")}
          value={logic}
          onChange={(value: "and" | "or") => editor.change(id, { ...group, logic: value })}
          options={[
            { value: "and", label: text("and") },
            { value: "or", label: text("or") },
          ]}
        />
        <Button
          type="text"
          icon={<IconPlus />}
          disabled={rules.length >= MOST_PARTS}
          onClick={() => add(editor.newRule())}
        >
          {text("addRule")}
        </Button>
        {depth < MAX_FILTER_DEPTH && (
          <Button
            type="text"
            icon={<IconPlus />}
            disabled={rules.length >= MOST_PARTS}
            onClick={() => add(editor.newGroup())}
          >
            {text("addGroup")}
          </Button>
        )}
        {depth > 1 && (
          <Button
            type="text"
            icon={<IconDelete />}
            aria-label={text("removeGroup")}
            title={text("removeGroup")}
            onClick={() => editor.change(id, null)}
          />
        )}
      </div>
      {rules.map((part) =>
        "logic" in part ? (
          <Group key={part.id} group={part} depth={depth + 1} editor={editor} />
        ) : (
          <Rule key={part.id} rule={part} editor={editor} />
        ),
      )}
    </fieldset>
  );
}

function Rule({ rule, editor }: { readonly rule: DraftRule; readonly editor: Editor }) {
  const text = useTexts(ADVANCED_TEXTS);
  const operator = useTexts(OPERATOR_TEXTS);
  const { id, field: key, op, value, end } = rule;
  const field = editor.fields.find((one) => one.key === key);
  const type = field?.type ?? "text";
  const wrong = editor.wrong.get(id);
  const errorId = `advanced-wrong-${id}`;
  const marks = wrong === undefined ? {} : { error: true, "aria-describedby": errorId };
  const set = (part: Partial<DraftRule>): void => editor.change(id, { ...rule, ...part });
  const input = (label: string, now: string, onChange: (next: string) => void) =>
    type === "date" ? (
      <DateField
        value={now}
        onChange={onChange}
        wrong={wrong !== undefined}
        input={{
          "aria-label": label,
          "aria-invalid": wrong !== undefined,
          ...(wrong === undefined ? {} : { "aria-describedby": errorId }),
        }}
      />
    ) : field?.options === undefined ? (
      <Input
        aria-label={label}
        aria-invalid={wrong !== undefined}
        placeholder={op === "in" ? text("inHint") : label}
        maxLength={200}
        value={now}
        onChange={onChange}
        {...marks}
      />
    ) : (
      <Select
        aria-label={label}
        placeholder={label}
        {...(now === "" ? {} : { value: now })}
        onChange={onChange}
        options={field.options.map((option) => ({ ...option }))}
        error={wrong !== undefined}
      />
    );
  return (
    <div className="advanced-rule">
      <Select
        aria-label={text("field")}
        showSearch
        filterOption={(typed, option) =>
          String((option.props as { children?: unknown }).children).includes(typed)
        }
        value={key}
        onChange={(next: string) => {
          const chosen = editor.fields.find((one) => one.key === next);
          const allowed = OPERATORS[chosen?.type ?? "text"];
          set({
            field: next,
            op: allowed.includes(op) ? op : (allowed[0] as FilterOperator),
            // a value of another kind of field means nothing here
            ...(chosen?.type === type && chosen.options === field?.options
              ? {}
              : { value: "", end: "" }),
          });
        }}
        options={editor.fields.map((one) => ({ value: one.key, label: one.label }))}
      />
      <Select
        aria-label={text("operator")}
        value={op}
        onChange={(next: FilterOperator) => set({ op: next })}
        options={OPERATORS[type].map((one) => ({ value: one, label: operator(one) }))}
      />
      <div className="advanced-value">
        {takesValue(op) && input(text("value"), value, (next) => set({ value: next }))}
        {op === "between" && input(text("end"), end, (next) => set({ end: next }))}
      </div>
      <Button
        type="text"
        icon={<IconDelete />}
        aria-label={text("removeRule")}
        title={text("removeRule")}
        onClick={() => editor.change(id, null)}
      />
      {wrong !== undefined && (
        <p id={errorId} className="advanced-wrong" role="alert">
          {text(wrong)}
        </p>
      )}
    </div>
  );
}
