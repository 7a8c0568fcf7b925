/** A field in the list of settings: in use or not, required or not, and its place. */
import { Button, Switch } from "@arco-design/web-react";
import {
  IconDelete,
  IconDown,
  IconDragDotVertical,
  IconEdit,
  IconLock,
  IconUp,
} from "@arco-design/web-react/icon";
import type { KeyboardEvent, PointerEvent } from "react";
import type { FieldSetting } from "../../../shared/domain/fields-in-use.ts";
import { useTexts } from "../../i18n/texts.ts";
import { FIELD_SETTING_TEXTS } from "./texts.ts";
import "@arco-design/web-react/es/Switch/style/css.js";

/** The texts of a field in the list. */
export interface FieldWords {
  readonly label: string;
  /** The name of the field's kind. */
  readonly kind: string;
  /** Why it cannot be switched off. */
  readonly usedAlways: string | null;
  /** Why nobody can choose whether it is required. */
  readonly requiredFixed: string | null;
}

export function FieldRow(props: {
  readonly setting: FieldSetting;
  readonly words: FieldWords;
  /** Whether the person may change anything now. */
  readonly locked: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly isDragged: boolean;
  readonly onSet: (flag: Partial<Pick<FieldSetting, "used" | "required">>) => void;
  readonly onStep: (step: -1 | 1, part: string) => void;
  readonly onKeyDown: (event: KeyboardEvent) => void;
  readonly onHandleDown: (event: PointerEvent) => void;
  /** Null for a field that is built in. */
  readonly onEdit: (() => void) | null;
  readonly onRemove: (() => void) | null;
}) {
  const { setting, words, locked, onEdit, onRemove } = props;
  const { label, usedAlways, requiredFixed } = words;
  const text = useTexts(FIELD_SETTING_TEXTS);
  // Each reason once.
  const reasons = [...new Set([usedAlways, requiredFixed])].filter((why) => why !== null);
  const arrow = (step: -1 | 1) => {
    const part = step < 0 ? "up" : "down";
    return (
      <Button
        type="text"
        data-part={part}
        disabled={locked || (step < 0 ? props.isFirst : props.isLast)}
        aria-label={text(part, { label })}
        icon={step < 0 ? <IconUp aria-hidden="true" /> : <IconDown aria-hidden="true" />}
        onClick={() => props.onStep(step, part)}
      />
    );
  };
  return (
    // oxlint-disable-next-line jsx-a11y/interactive-supports-focus -- the keys of the buttons in it
    <div
      role="row"
      className="field-settings-row"
      data-key={setting.key}
      data-off={!setting.used}
      data-dragged={props.isDragged}
      onKeyDown={props.onKeyDown}
    >
      <span role="cell" className="field-settings-name">
        <span
          className="field-settings-handle"
          data-locked={locked}
          onPointerDown={locked ? undefined : props.onHandleDown}
        >
          <IconDragDotVertical aria-hidden="true" />
        </span>
        <span className="field-settings-words">
          <strong>{label}</strong>
          <span>{words.kind}</span>
          {reasons.map((why) => (
            <span key={why}>
              <IconLock aria-hidden="true" />
              {why}
            </span>
          ))}
        </span>
      </span>
      <span role="cell">
        <Switch
          size="small"
          data-part="used"
          aria-label={text("usedOf", { label })}
          checked={setting.used}
          disabled={locked || usedAlways !== null}
          onChange={(used) => props.onSet({ used })}
        />
      </span>
      <span role="cell">
        <Switch
          size="small"
          data-part="required"
          aria-label={text("requiredOf", { label })}
          checked={setting.used && setting.required}
          disabled={locked || !setting.used || requiredFixed !== null}
          onChange={(required) => props.onSet({ required })}
        />
      </span>
      <span role="cell" className="field-settings-tools">
        {arrow(-1)}
        {arrow(1)}
        {onEdit !== null && (
          <Button
            type="text"
            data-call="ownFields.update"
            aria-label={text("edit", { label })}
            icon={<IconEdit aria-hidden="true" />}
            onClick={onEdit}
          />
        )}
        {onRemove !== null && (
          <Button
            type="text"
            status="danger"
            data-call="ownFields.delete"
            aria-label={text("remove", { label })}
            icon={<IconDelete aria-hidden="true" />}
            onClick={onRemove}
          />
        )}
      </span>
    </div>
  );
}
