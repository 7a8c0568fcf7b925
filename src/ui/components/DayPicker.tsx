/**
 * Arco's calendar at a field of ours: its own one forgets the first character that is typed, as it opens the calendar for it. Use it by
 * DateField.tsx.
 */
import { DatePicker } from "@arco-design/web-react";
import "@arco-design/web-react/es/DatePicker/style/css.js";
import { IconCalendar, IconClose } from "@arco-design/web-react/icon";
import {
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from "react";
import { isDay } from "../../shared/domain/validate.ts";
import { type DayFieldProps, DayInput, type Typed } from "./DayInput.tsx";
import "./day-picker.css";

/** The focus stays in the field. */
const keepFocus = (event: MouseEvent): void => event.preventDefault();
const around = (panel: ReactNode) => <div onMouseDown={keepFocus}>{panel}</div>;

export default function DayPicker(
  props: DayFieldProps & {
    readonly typed: Typed;
    /** What the person did to the field that stood in its place. */
    readonly before: () => { readonly focused: boolean; readonly clicked: boolean };
  },
) {
  const { value, onChange, typed, disabled = false, className = "" } = props;
  const [before] = useState(props.before);
  const [open, setOpen] = useState(before.clicked);
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!before.focused) return;
    const field = box.current?.querySelector("input");
    field?.focus();
    field?.setSelectionRange(field.value.length, field.value.length);
  }, [before]);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (!open) return;
    // Enter and Escape are for the calendar, and not for the form and its dialog. Who goes on sees the next field.
    if (event.key === "Enter") event.preventDefault();
    if (event.key === "Escape") event.stopPropagation();
    if (["Enter", "Escape", "Tab"].includes(event.key)) setOpen(false);
  };
  return (
    <DatePicker
      disabled={disabled}
      // "" is no day to Arco too
      value={isDay(value) ? value : ""}
      onChange={(day?: string) => {
        typed.forget();
        onChange(day ?? "");
      }}
      popupVisible={open}
      onVisibleChange={(visible?: boolean) => setOpen(visible === true)}
      panelRender={around}
      triggerElement={
        <div ref={box} className={`day-field ${className}`}>
          <DayInput
            {...props}
            onType={(text) => {
              if (typed.type(text)) setOpen(false);
            }}
            onKeyDown={onKeyDown}
            suffix={
              <>
                {typed.text !== "" && !disabled && (
                  <button
                    type="button"
                    className="day-field-clear"
                    // for the mouse alone: with the keyboard the text is deleted
                    tabIndex={-1}
                    aria-hidden="true"
                    onMouseDown={keepFocus}
                    onClick={(event) => {
                      event.stopPropagation();
                      typed.type("");
                    }}
                  >
                    <IconClose />
                  </button>
                )}
                <IconCalendar />
              </>
            }
          />
        </div>
      }
    />
  );
}
