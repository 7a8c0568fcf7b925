/** Arco's calendar behind a field that takes typed days as well. Use it by DateField.tsx. */
import { DatePicker } from "@arco-design/web-react";
import "@arco-design/web-react/es/DatePicker/style/css.js";
import { useRef, useState, type InputHTMLAttributes } from "react";
import { isDay } from "../../shared/domain/validate.ts";
import "./day-picker.css";

export interface DayPickerProps {
  /** `YYYY-MM-DD`; "" is no day. */
  readonly value: string;
  readonly onChange: (day: string) => void;
  /** Id, name and marks of the field for screen readers. */
  readonly input: InputHTMLAttributes<HTMLInputElement> & { readonly "aria-label": string };
  readonly wrong?: boolean;
  readonly disabled?: boolean;
  readonly prefix?: string;
  readonly className?: string;
  /** What the person did to the field that stood in its place. */
  readonly before?: () => { readonly focused: boolean; readonly clicked: boolean };
}

export default function DayPicker(props: DayPickerProps) {
  const { value, onChange, input, wrong = false, disabled = false, prefix, className } = props;
  const [before] = useState(() => props.before?.() ?? { focused: false, clicked: false });
  const [open, setOpen] = useState(before.clicked);
  // Arco opens the calendar for what is typed. It would cover the next field, which the person wants to reach now.
  const typedWhole = useRef(false);
  return (
    <DatePicker
      style={{ width: "100%" }}
      {...(className === undefined ? {} : { className })}
      {...(prefix === undefined ? {} : { prefix })}
      {...(wrong ? { status: "error" as const } : {})}
      disabled={disabled}
      // "" is no day to Arco too
      value={isDay(value) ? value : ""}
      onChange={(day?: string) => onChange(day ?? "")}
      popupVisible={open}
      onVisibleChange={(visible?: boolean) => setOpen(visible === true && !typedWhole.current)}
      inputProps={{
        ...input,
        autoFocus: before.focused,
        autoComplete: "off",
        onChange: (event) => {
          const typed = event.target.value.trim();
          if (typed !== "" && !isDay(typed)) return;
          onChange(typed);
          setOpen(false);
          typedWhole.current = true;
          queueMicrotask(() => {
            typedWhole.current = false;
          });
        },
        onKeyDown: (event) => {
          if (!open) return;
          // Enter chooses the day, and does not send the form. Escape closes the calendar, and not the dialog.
          if (event.key === "Enter") event.preventDefault();
          if (event.key === "Escape") {
            event.stopPropagation();
            setOpen(false);
          }
        },
      }}
    />
  );
}
