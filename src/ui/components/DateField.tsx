/**
 * A day, in the console's language and colours. The browser's own input speaks the language of the browser and shows its order of day and
 * month. The calendar's code is loaded with the first field, which takes what is typed meanwhile.
 */
import { lazy, Suspense, useRef } from "react";
import { retrying } from "../state/retrying.ts";
import { type DayFieldProps, DayInput, useTyped } from "./DayInput.tsx";
import "./day-field.css";

const DayPicker = lazy(() => retrying(() => import("./DayPicker.tsx")));

export function DateField(props: DayFieldProps) {
  const typed = useTyped(props);
  const before = useRef({ focused: false, clicked: false });
  return (
    <Suspense
      fallback={
        <div
          className={`day-field ${props.className ?? ""}`}
          onClick={() => (before.current.clicked = true)}
        >
          <DayInput
            {...props}
            typed={typed}
            onType={typed.type}
            onFocus={() => (before.current.focused = true)}
            onBlur={() => (before.current = { focused: false, clicked: false })}
          />
        </div>
      }
    >
      <DayPicker {...props} typed={typed} before={() => before.current} />
    </Suspense>
  );
}
