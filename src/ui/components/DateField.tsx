/**
 * A day, in the console's language and colours. The browser's own input speaks the language of the browser and shows its order of day and
 * month. The calendar's code is loaded with the first field.
 */
import { Input } from "@arco-design/web-react";
import { lazy, Suspense, useRef } from "react";
import { retrying } from "../state/retrying.ts";
import type { DayPickerProps } from "./DayPicker.tsx";

const DayPicker = lazy(() => retrying(() => import("./DayPicker.tsx")));

export function DateField(props: DayPickerProps) {
  const { value, prefix, className } = props;
  const before = useRef({ focused: false, clicked: false });
  return (
    <Suspense
      fallback={
        <Input
          readOnly
          onFocus={() => (before.current.focused = true)}
          onBlur={() => (before.current = { focused: false, clicked: false })}
          onClick={() => (before.current.clicked = true)}
          value={value}
          {...(props.input.id === undefined ? {} : { id: props.input.id })}
          aria-label={props.input["aria-label"]}
          {...(prefix === undefined ? {} : { prefix })}
          {...(className === undefined ? {} : { className })}
        />
      }
    >
      <DayPicker {...props} before={() => before.current} />
    </Suspense>
  );
}
